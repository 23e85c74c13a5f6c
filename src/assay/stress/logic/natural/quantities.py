"""How two determiners over the same nouns are related: how many each says there are, and which part."""

from collections.abc import Sequence
from itertools import product

from assay.core.label import Label
from assay.language.logic.polarity import Found, Operators, bounds, operators
from assay.stress.logic.natural.patterns import Piece

Range = tuple[float, float]


def quantity_label(
    premise: Sequence[Piece], hypothesis: Sequence[Piece], table: Operators | None = None
) -> Label | None:
    """The label of two sentences that differ in their determiner; None if its readings have different ones.

    >>> from assay.stress.logic.natural.patterns import pieces
    >>> said = [pieces(f"{each} of the <PERSONS> ACT1") for each in ("all", "some", "at least three")]
    >>> [quantity_label(said[0], each).value for each in said[1:]]
    ['entailment', 'neutral']
    """
    table = table or operators()
    sides = [[str(part) for part in each] for each in (premise, hypothesis)]
    first, second = (table.determiner(each) for each in sides)
    if first is None or second is None or sides[0][first.words :] != sides[1][second.words :]:
        return None
    found = {
        _label(one, other)
        for plural in (1, 2)
        for one, other in product(_readings(first, plural), _readings(second, plural))
    }
    return found.pop() if len(found) == 1 else None


def _readings(found: Found, plural: int) -> list[tuple[Range, Range]]:
    """How many, and which part, in each reading."""
    made = found.determiner
    shares = made.share * (len(made.count) // len(made.share))
    return [
        (bounds(count, found.number, plural=plural), share) for count, share in zip(made.count, shares, strict=True)
    ]


def _label(one: tuple[Range, Range], other: tuple[Range, Range]) -> Label:
    if any(a[1] < b[0] or b[1] < a[0] for a, b in zip(one, other, strict=True)):
        return Label.CONTRADICTION
    inside = all(b[0] <= a[0] and a[1] <= b[1] for a, b in zip(one, other, strict=True))
    return Label.ENTAILMENT if inside else Label.NEUTRAL
