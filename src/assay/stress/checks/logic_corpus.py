"""Proof for the corpus cases of the logic families: by WordNet, by a parse, and by what determiners mean."""

from collections.abc import Iterator
from functools import lru_cache

from assay.core.case import Case, text_digest
from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.language.numbers.words import COUNTING
from assay.language.polarity.parsed import MEANINGS, Judged, joined_parts, parsed_marks
from assay.language.text.analysis import Tagged, analyse, sentence_around, token_at
from assay.stress.checks.lexical_contexts import doubt_of_place, doubt_of_sense
from assay.stress.checks.lexical_relations import related
from assay.stress.checks.lexical_spot import Spot
from assay.stress.checks.lexical_tags import disputed
from assay.stress.checks.source import CHANGED, undone

ONE_TEXT = Skip("not proven: the two sides are not one text and its changed self")
UNKNOWN = Skip("not proven: the change is not one of the family's")
UNRELATED = Skip("not proven: the new word does not cover the old one")
UNJOINED = Skip("not proven: the parse does not join what is dropped to what is before it")
UNSURE = Skip("not proven: by the parse, the polarity of the place is not certain")
OTHER = Skip("not proven: the parse gives another label")
MEANT = Skip("not proven: what the determiners mean gives another label")

LARGEST = 24
"""The largest number of things that determiners are tried on."""


class LogicCorpusCheck:
    """For the corpus cases of monotonicity, conjunction and quantifiers. It knows no table of polarities."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, look at what changed, and derive the label again."""
        edit = case.provenance.edit
        text = _text_of(case, edit)
        if isinstance(text, Skip):
            return text
        changes = edit.premise or edit.hypothesis
        forwards = bool(edit.hypothesis)
        kind = edit.facts.get("kind", "")
        if kind == "determiner":
            change = changes[0]
            said = (change.old, change.new) if forwards else (change.new, change.old)
            return None if len(changes) == 1 and meant(*said) is case.label else MEANT
        tokens = analyse(text)
        place = _place(text, tokens, changes, kind, edit.facts.get("category", ""))
        if isinstance(place, Skip):
            return place
        at, covers = place
        polarity = judged(text, at)
        if polarity == "unsure" or (kind in ("and", "but") and polarity != "up"):
            return UNSURE
        return None if _label(covers is forwards, polarity) is case.label else OTHER


def _text_of(case: Case, edit: Edit) -> str | Skip:
    if edit.label is not case.label or bool(edit.premise) == bool(edit.hypothesis):
        return ONE_TEXT
    if edit.premise_from != edit.hypothesis_from:
        return ONE_TEXT
    source = undone(case)
    if source is None or source[0] != source[1] or text_digest(source[0], "") != edit.facts.get("text"):
        return CHANGED
    return source[0]


def _label(to_general: bool, polarity: Judged) -> Label:
    """A more general text follows in an upward place, and a more specific one in a downward place."""
    follows = polarity == ("up" if to_general else "down")
    return Label.ENTAILMENT if follows else Label.NEUTRAL


def _place(
    text: str, tokens: tuple[Tagged, ...], changes: tuple[Replacement, ...], kind: str, category: str
) -> tuple[int, bool] | Skip:
    """The token whose place decides, and whether the changed text is the more general one there."""
    change = changes[-1]
    if kind == "noun":
        first = last = token_at(tokens, change.start)
        while 0 <= last < len(tokens) - 1 and tokens[last].end < change.start + len(change.old):
            last += 1
        if first < 0 or related(change.old, change.new, category=category) != ("broader",):
            return UNRELATED
        reason = doubt_of_sense(Spot(tokens, first, last, change.new, category)) or disputed(text, tokens[last])
        return Skip(f"not proven: {reason}") if reason else (last, True)
    if kind == "adjective":
        at = token_at(tokens, change.start)
        if at < 0 or change.new or tokens[at].tag != "JJ" or change.old.strip() != tokens[at].text:
            return UNKNOWN
        reason = doubt_of_place(Spot(tokens, at, at, "", "")) or disputed(text, tokens[at])
        return Skip(f"not proven: {reason}") if reason else (at, True)
    return _conjunct(tokens, change, kind) if kind in ("and", "but", "or") else UNKNOWN


def _conjunct(tokens: tuple[Tagged, ...], change: Replacement, kind: str) -> tuple[int, bool] | Skip:
    """The first token of a conjunct that is dropped, if the parse joins it to what is before it."""
    inside = [i for i, each in enumerate(tokens) if change.start <= each.start < change.start + len(change.old)]
    joiner = next((i for i in inside if tokens[i].text.lower() == kind), -1)
    if change.new or joiner < 0 or joiner == inside[-1] or tokens[joiner].tag != "CC":
        return UNKNOWN
    around = sentence_around(tokens, joiner)
    words = tuple(each.text for each in tokens[around.start : around.stop])
    if not joined_parts(words, joiner - around.start, inside[-1] + 1 - around.start):
        return UNJOINED
    return joiner + 1, kind != "or"


def judged(text: str, at: int) -> Judged:
    """The polarity of a token by the parse of its sentence."""
    tokens = analyse(text)
    around = sentence_around(tokens, at)
    return _marks(tuple(each.text for each in tokens[around.start : around.stop]))[at - around.start]


@lru_cache(maxsize=2048)  # the cases of a premise come one after the other
def _marks(words: tuple[str, ...]) -> list[Judged]:
    return parsed_marks(words)


@lru_cache(maxsize=4096)
def meant(first: str, second: str) -> Label | None:
    """The label of two determiners over the same nouns, from what they mean; None if readings differ."""
    found = {_label_of(one, other) for one in _readings(first) for other in _readings(second)}
    return found.pop() if len(found) == 1 else None


def _label_of(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> Label:
    """Sets of worlds in which two sentences hold: how many of the nouns there are, and of how many it is true."""
    if one <= other:
        return Label.ENTAILMENT
    return Label.NEUTRAL if one & other else Label.CONTRADICTION


@lru_cache(maxsize=256)
def _readings(determiner: str) -> tuple[frozenset[tuple[int, int]], ...]:
    """For each reading of a determiner, the worlds in which it holds."""
    return tuple(_worlds(determiner))


def _worlds(determiner: str) -> Iterator[frozenset[tuple[int, int]]]:
    words = determiner.lower().split()
    number = COUNTING.get(words[-1], 0)
    name = " ".join([*words[:-1], "N"]) if words[-1] in COUNTING else " ".join(words)
    if name not in MEANINGS:
        return
    names = (name, "exactly N") if name == "N" else (name,)
    for each in names:
        for fewest in (1, 2):
            at_least = fewest if name in ("some", "all", "most") else 0
            holds = MEANINGS[each]
            yield frozenset(
                (both, every)
                for every in range(2, LARGEST)
                for both in range(every + 1)
                if holds(both, every, number) and both >= at_least
            )
