"""The label of two texts: it must be the same for every reading and every sense of the words."""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from assay.core.label import Label
from assay.stress.logic.logic_lexicon import LogicLexicon
from assay.stress.logic.proof.sentence_reader import LITERALS, read_text
from assay.stress.logic.proof.statements import Senses, Statement, TextMeaning, senses_of
from assay.stress.logic.proof.world_models import NounHierarchy, TooManyError, Worlds, words_of

_CLASS = {"name": "n", "act": "v", "deed": "w", "person": "p", "thing": "t", "quality": "q", "place": "l", "scale": "d"}
_FORM = {"": "", "past": "d", "base": "b", "ing": "g", "one": "s", "many": "m", "more": "+", "less": "-", "as": "a"}


class LogicProof(NamedTuple):
    """The result of a proof for a pair."""

    label: Label | None
    """The label, or None if a text can't be read, or readings or senses differ."""
    reason: str = ""


MARK, BAR = "#", "|"
"""The first letter of the kind of a lexicon's word, and the separator of the two texts."""

NOTHING: frozenset[tuple[str, str]] = frozenset()

UNREAD = {side: LogicProof(None, f"the {side} is not in the fragment") for side in ("premise", "hypothesis")}
DIFFERENT = LogicProof(None, "its readings differ")
CONTRADICTORY = LogicProof(None, "the premise contradicts itself")
TRIVIAL = LogicProof(None, "the hypothesis is true or false whatever the premise says")
TOO_MANY = LogicProof(None, "there are too many worlds")


class Prover:
    """Proves pairs that are made of the words of a lexicon. One proof serves all pairs of the same form.

    >>> from assay.stress.logic.logic_lexicon import standard_logic_lexicon
    >>> prove = Prover(standard_logic_lexicon())
    >>> prove("Alice did not see a dog.", "Alice did not see a poodle.").label
    <Label.ENTAILMENT: 'entailment'>
    >>> prove("No violinist laughed.", "At least one musician laughed.").label
    <Label.NEUTRAL: 'neutral'>
    >>> prove("Some of the dogs slept.", "All of the dogs slept.").reason
    'the premise is not in the fragment'
    """

    def __init__(self, lexicon: LogicLexicon) -> None:
        self._covered = lexicon.covered
        literals = {written: each for each in LITERALS for written in (each, each[0].upper() + each[1:])} | {BAR: BAR}
        words = lexicon.tokens.items()
        self._kind = {**literals, **{word: MARK + _CLASS[token.kind] + _FORM[token.form] for word, token in words}}
        self._lemma = {**literals, **{word: token.lemma for word, token in words}}

    def __call__(self, premise: str, hypothesis: str) -> LogicProof:
        """The label of a pair."""
        coded = self.encode_pair(premise, hypothesis)
        return coded if isinstance(coded, LogicProof) else _prove_form(*coded)

    def encode_pair(self, premise: str, hypothesis: str) -> "EncodedPair | LogicProof":
        """The pair with codes for words, or a proof that says that it can't be read."""
        words = f"{premise} {BAR} {hypothesis}".replace(",", " ,").replace(".", " .").split()
        kinds, lemmas = tuple(map(self._kind.get, words)), [*map(self._lemma.get, words)]
        if None in kinds:
            return UNREAD["premise" if None in kinds[: words.index(BAR)] else "hypothesis"]
        first: dict[str | None, int] = {}
        said, claimed, nouns = _shape_of(kinds, tuple(map(first.setdefault, lemmas, range(len(words)))))
        covered = NOTHING
        if len(nouns) > 1:
            known = self._covered
            covered = frozenset([(a, b) for n, a in nouns for m, b in nouns if (lemmas[n], lemmas[m]) in known])
        return EncodedPair(said, claimed, covered)


class EncodedPair(NamedTuple):
    """Two texts as codes, and the pairs of nouns whose second member is more general."""

    premise: str
    hypothesis: str
    covered: frozenset[tuple[str, str]]


@lru_cache(maxsize=100_000)
def _shape_of(kinds: tuple[str, ...], places: tuple[int, ...]) -> tuple[str, str, tuple[tuple[int, str], ...]]:
    """Two texts with codes for words, and the place and code of each noun; `places` says where each word occurs first.

    Which word it is does not matter, only its class and where it returns.
    """
    codes: dict[int, str] = {}
    written = []
    for kind, place in zip(kinds, places, strict=True):
        if kind[0] == MARK:
            code = codes.setdefault(place, f"{kind[1]}{len(codes)}")
            written.append(code + kind[2:])
        else:
            written.append(kind)
    bar = kinds.index(BAR)
    nouns = tuple((place, code) for place, code in codes.items() if code[0] in "pt")
    return " ".join(written[:bar]), " ".join(written[bar + 1 :]), nouns


@lru_cache(maxsize=100_000)
def _prove_form(premise: str, hypothesis: str, covered: frozenset[tuple[str, str]]) -> LogicProof:
    """The label of all pairs of a form."""
    lexical = NounHierarchy(covered)
    proofs = set()
    for senses in senses_of(f"{premise} {hypothesis}".split()):
        readings = [read_text(side.split(), senses) for side in (premise, hypothesis)]
        for side, found in zip(("premise", "hypothesis"), readings, strict=True):
            if not found:
                return UNREAD[side]
        proofs |= {in_one_sense(said, claimed, lexical, senses) for said, claimed in product(*readings)}
    return proofs.pop() if len(proofs) == 1 else DIFFERENT


def in_one_sense(
    said: TextMeaning, claimed: TextMeaning, lexical: NounHierarchy, senses: Senses, *, spare: int = 0
) -> LogicProof:
    """The label in one reading and one sense; with `spare`, worlds have more people than necessary."""
    taken, apart = _split_premise(said, claimed)
    background = (*said.presupposed, *claimed.presupposed)
    try:
        if apart and not Worlds(apart, lexical, senses).where(*apart).any():
            return CONTRADICTORY
        worlds = Worlds([*taken, *claimed.asserted, *background], lexical, senses, spare=spare)
    except TooManyError:
        return TOO_MANY
    given = worlds.given() & worlds.where(*background)
    premise, hypothesis = given & worlds.where(*taken), worlds.where(*claimed.asserted)
    if not premise.any():
        return CONTRADICTORY
    if not (given & hypothesis).any() or not (given & ~hypothesis).any():
        return TRIVIAL
    if not (premise & ~hypothesis).any():
        return LogicProof(Label.ENTAILMENT)
    return LogicProof(Label.NEUTRAL if (premise & hypothesis).any() else Label.CONTRADICTION)


def _split_premise(said: TextMeaning, claimed: TextMeaning) -> tuple[list[Statement], list[Statement]]:
    """The sentences of the premise that are connected with the hypothesis, and the others.

    If sentences have no word in common, a world of the one and a world of the other make a world of both. So the rest
    decides nothing, as long as it can be true.
    """
    near = {*words_of(*claimed.asserted, *claimed.presupposed, *said.presupposed)}
    taken: list[Statement] = []
    apart = list(said.asserted)
    while more := [each for each in apart if not near.isdisjoint(words_of(each))]:
        taken += more
        apart = [each for each in apart if each not in more]
        near.update(words_of(*more))
    return [each for each in said.asserted if each in taken], apart
