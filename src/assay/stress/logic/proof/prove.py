"""A label from two texts: what holds in all worlds, in every reading and every sense of the words."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from assay.core.label import Label
from assay.language.logic.lexicon import Lexicon
from assay.stress.logic.proof.meaning import Statement, Text, Together
from assay.stress.logic.proof.reading import LITERALS, read_text
from assay.stress.logic.proof.senses import Senses, senses_of
from assay.stress.logic.proof.worlds import Lexical, TooManyError, Worlds, words_of

_CLASS = {"name": "n", "act": "v", "deed": "w", "person": "p", "thing": "t", "quality": "q", "place": "l", "scale": "d"}
_FORM = {"": "", "past": "d", "base": "b", "ing": "g", "one": "s", "many": "m", "more": "+", "less": "-", "as": "a"}


class Proof(NamedTuple):
    """What was shown about a pair."""

    label: Label | None
    """The label, or None if a text can't be read, or readings or senses differ."""
    reason: str = ""
    """Why there is no label."""


NOTHING: frozenset[tuple[str, str]] = frozenset()

UNREAD = {side: Proof(None, f"the {side} is not in the fragment") for side in ("premise", "hypothesis")}
DIFFERENT = Proof(None, "its readings differ")
CONTRADICTORY = Proof(None, "the premise contradicts itself")
TRIVIAL = Proof(None, "the hypothesis is true or false whatever the premise says")
TOO_MANY = Proof(None, "there are too many worlds")


class Prover:
    """Proves pairs that are made of the words of a lexicon. One proof serves all pairs of the same form.

    >>> from assay.language.logic.lexicon import standard
    >>> prove = Prover(standard())
    >>> prove("Alice did not see a dog.", "Alice did not see a poodle.").label
    <Label.ENTAILMENT: 'entailment'>
    >>> prove("No violinist laughed.", "At least one musician laughed.").label
    <Label.NEUTRAL: 'neutral'>
    >>> prove("Some of the dogs slept.", "All of the dogs slept.").reason
    'the premise is not in the fragment'
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._codes: dict[str, tuple[str, str, str]] = {
            word: (_CLASS[token.kind], token.lemma, _FORM[token.form]) for word, token in lexicon.tokens.items()
        }

    def __call__(self, premise: str, hypothesis: str) -> Proof:
        """The label of a pair."""
        numbers: dict[str, str] = {}
        said, claimed = self._coded(premise, numbers), self._coded(hypothesis, numbers)
        if said is None or claimed is None:
            return UNREAD["premise" if said is None else "hypothesis"]
        return _proof(said, claimed, self._covered(numbers))

    def _coded(self, text: str, numbers: dict[str, str]) -> str | None:
        """The words as codes: which word it is does not matter, only where it returns."""
        found, codes, starts = [], self._codes, True
        for word in text.replace(",", " ,").replace(".", " .").split():
            known = codes.get(word)
            if known is None:
                plain = word[:1].lower() + word[1:] if starts else word
                if plain not in LITERALS:
                    return None
                found.append(plain)
            else:
                kind, lemma, form = known
                code = numbers.get(lemma)
                if code is None:
                    code = numbers[lemma] = f"{kind}{len(numbers)}"
                found.append(code + form)
            starts = word == "."
        return " ".join(found)

    def _covered(self, numbers: Mapping[str, str]) -> frozenset[tuple[str, str]]:
        nouns = [(lemma, code) for lemma, code in numbers.items() if code[0] in "pt"]
        if len(nouns) < 2:
            return NOTHING
        covered = self._lexicon.covered
        return frozenset([(one, other) for a, one in nouns for b, other in nouns if (a, b) in covered])


@lru_cache(maxsize=100_000)
def _proof(premise: str, hypothesis: str, covered: frozenset[tuple[str, str]]) -> Proof:
    """The label of all pairs of a form."""
    readings = [read_text(side.split()) for side in (premise, hypothesis)]
    for side, found in zip(("premise", "hypothesis"), readings, strict=True):
        if not found:
            return UNREAD[side]
    lexical = Lexical(covered)
    shown = {
        in_one_sense(said, claimed, lexical, senses)
        for said, claimed in product(*readings)
        for senses in senses_of(f"{premise} {hypothesis}".split())
    }
    return shown.pop() if len(shown) == 1 else DIFFERENT


def in_one_sense(said: Text, claimed: Text, lexical: Lexical, senses: Senses, *, spare: int = 0) -> Proof:
    """The label in one reading and one sense; with `spare`, worlds have more people than it takes to decide."""
    taken, apart = _parted(said, claimed)
    background = Together((*said.presupposed, *claimed.presupposed))
    try:
        if apart and not Worlds(apart, lexical, senses).where(Together(apart)).any():
            return CONTRADICTORY
        worlds = Worlds([*taken, claimed.asserted, background], lexical, senses, spare=spare)
    except TooManyError:
        return TOO_MANY
    given = worlds.given() & worlds.where(background)
    premise, hypothesis = given & worlds.where(Together(taken)), worlds.where(claimed.asserted)
    if not premise.any():
        return CONTRADICTORY
    if not (given & hypothesis).any() or not (given & ~hypothesis).any():
        return TRIVIAL
    if not (premise & ~hypothesis).any():
        return Proof(Label.ENTAILMENT)
    return Proof(Label.NEUTRAL if (premise & hypothesis).any() else Label.CONTRADICTION)


def _parted(said: Text, claimed: Text) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """The sentences of the premise that have to do with the hypothesis, and those that share no word with them.

    If sentences have no word in common, a world of the one and a world of the other make a world of both. So the rest
    decides nothing, as long as it can be true.
    """
    assert isinstance(said.asserted, Together)
    near = {word for each in (claimed.asserted, *claimed.presupposed, *said.presupposed) for word in words_of(each)}
    left, taken = list(said.asserted.parts), set[int]()
    while more := {n for n, each in enumerate(left) if n not in taken and near & {*words_of(each)}}:
        taken |= more
        near |= {word for n in more for word in words_of(left[n])}
    both = [tuple(each for n, each in enumerate(left) if (n in taken) is yes) for yes in (True, False)]
    return both[0], both[1]
