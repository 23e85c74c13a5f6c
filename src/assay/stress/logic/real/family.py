"""Corpus cases of the logic families: a sentence and itself with one change, in both directions."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Annotated, ClassVar, NamedTuple

import msgspec

from assay.core.case import text_digest
from assay.core.edit import Edit, Replacement, Side, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Excerpting
from assay.language.polarity.words import Mark
from assay.language.text.analysis import analyse
from assay.language.text.remembering import Remembered
from assay.stress.logic.real.reading import marks_of, projected
from assay.stress.logic.real.relations import TURNED, Relation

NO_GROUP: Mapping[str, str] = {}
UNSURE = Skip("the polarity of every place that could change is not certain")


class Change(NamedTuple):
    """A change that could be made in a text."""

    subcase: str
    """What kind of change it is."""
    replacements: tuple[Replacement, ...]
    """What changes in the text."""
    relation: Relation
    """What the changed text has there, compared with the text."""
    at: int
    """The token whose place decides."""
    category: str = ""
    """The category of the words, if one word replaces another."""


class CorpusLogic(msgspec.Struct, frozen=True, kw_only=True):
    """Changes a text of a pair in one place. The text is followed by its changed self, or the other way round."""

    per_pair: Annotated[int, msgspec.Meta(ge=0)] = 2
    """How many changes of a pair's texts are drawn; 0 takes all. Changes in places that are not upward come first."""

    excerpt: ClassVar[Excerpting] = "provable"
    distinct: ClassVar[bool] = True
    on_request: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")
    nothing: ClassVar[Skip]
    """Why there is no case if a text has nothing to change."""

    def changes(self, text: str) -> Iterator[Change]:
        """The changes that could be made in a text."""
        raise NotImplementedError

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        sources: dict[Side, str] = {"premise": pair.premise, "hypothesis": pair.hypothesis}
        read = {side: _placed(text, self) for side, text in sources.items()}
        placed = [(side, each) for side, (found, _) in read.items() for each in found]
        if not placed:
            return UNSURE if any(some for _, some in read.values()) else self.nothing
        chosen = sorted(placed, key=lambda each: (each[1].polarity == "up", rng.random()))
        return [_edit(sources[side], side, each, rng) for side, each in chosen[: self.per_pair or None]]


class Placed(NamedTuple):
    """A change, with the polarity of its place by the words around it."""

    change: Change
    polarity: Mark


@Remembered
def _placed(text: str, family: CorpusLogic) -> tuple[tuple[Placed, ...], bool]:
    """The changes whose place is certain, and whether there are any at all."""
    found = list(family.changes(text))
    if not found:
        return (), False
    marks = marks_of(analyse(text))
    placed = [Placed(each, marks[each.at]) for each in found]
    return tuple(each for each in placed if _is_certain(*each)), True


def _is_certain(change: Change, polarity: Mark) -> bool:
    """Whether the place decides; under a negation, "and" may mean that neither is so."""
    return polarity == "up" if change.subcase in ("and", "but") else polarity != "unsure"


def _edit(text: str, side: Side, placed: Placed, rng: Random) -> Edit:
    """The edit in one of the two directions, which is drawn."""
    change, polarity = placed
    forwards = rng.random() < 0.5
    relation = change.relation if forwards else TURNED[change.relation]
    group = {"polarity": polarity, "change": "general" if relation == "broader" else "specific"}
    return edit_of(text, side, change, projected(relation, polarity), forwards=forwards, group=group)


def edit_of(
    text: str, side: Side, change: Change, label: Label, *, forwards: bool, group: Mapping[str, str] = NO_GROUP
) -> Edit:
    """A text and its changed self, or the other way round."""
    category = {"category": change.category} if change.category else {}
    return Edit(
        label=label,
        premise_from=side,
        hypothesis_from=side,
        premise=() if forwards else change.replacements,
        hypothesis=change.replacements if forwards else (),
        facts={"text": text_digest(text, ""), "kind": change.subcase, **category},
        group={"subcase": f"corpus-{change.subcase}", **group},
    )


def dropped(text: str, start: int, end: int) -> Replacement:
    """A replacement that removes some characters, with the blanks before them."""
    while start > 0 and text[start - 1] == " ":
        start -= 1
    return Replacement(start, text[start:end], "")


def joined(replacements: Sequence[Replacement | None]) -> tuple[Replacement, ...]:
    """Replacements in order, without those that are not needed."""
    return tuple(sorted((each for each in replacements if each), key=lambda each: each.start))
