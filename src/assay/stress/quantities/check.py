"""Check of quantities of claims: both texts are read anew as sets of numbers, and the label follows from these."""

import re
from collections.abc import Sequence
from decimal import Decimal

from assay.core.case import Case
from assay.core.edit import Replacement, Skip, undo
from assay.core.label import Label
from assay.core.pair import premise_cluster
from assay.stress.numeracy.check import label_of
from assay.stress.original import CHANGED
from assay.stress.quantities.number_claims import (
    doubt_of_claim,
    doubt_of_date,
    doubt_of_period,
    doubt_of_rank,
    find_ranks,
)
from assay.stress.quantities.read_amounts import StatedAmount, read_amount

SHAPE = Skip("not verified: the texts differ in several places, and not by two exchanged numbers")
UNREAD = Skip("not verified: the changed text is not a single amount")
UNITS = Skip("not verified: the two amounts are not of the same kind")
WRONG = Skip("not verified: the two amounts imply another label")
AT_LEAST = Skip('not verified: a smaller count may also be true, because "three" can mean "at least three"')
NEAR = Skip("not verified: the two values are so close that one may be the other, rounded")
PART = Skip("not verified: the changed text is only part of a number")

BIG = Decimal(10_000)
"""A number of this size needs no noun to be understood as an amount."""
LEAST_APART = Decimal("1.15")
_GOES_ON = re.compile(
    r"\s*(?:%|percent\b|per\s?cent\b|(?:million|billion|trillion|thousand|hundred|dozen)\b|[-\u2013/]\s?\w|and\s+a\s+(?:half|quarter)\b"
    r"|[.,][0-9]|\w)",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(r"(?:an?|his|her|its|their) ", re.IGNORECASE)
_BEGAN = re.compile(r"[\w$\u00a3\u20ac.,-]$")


class QuantitiesCheck:
    """For the family quantities."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, read what changed, derive the label, and look at what surrounds it."""
        edit = case.provenance.edit
        try:
            source, twin = undo(case.premise, edit.premise), undo(case.hypothesis, edit.hypothesis)
        except ValueError:
            return CHANGED
        sides = (edit.premise_from, edit.hypothesis_from)
        if source != twin or sides != ("premise", "premise") or premise_cluster(source) != case.cluster:
            return CHANGED
        if case.label is not edit.label or case.label is None:
            return WRONG
        if len(edit.hypothesis) == 2 and not edit.premise:
            return _doubt_of_exchange(source, edit.hypothesis, case.label)
        spans = {(change.start, change.old) for change in (*edit.premise, *edit.hypothesis)}
        if len(spans) != 1 or max(len(edit.premise), len(edit.hypothesis)) != 1:
            return SHAPE
        start, old = spans.pop()
        return _doubt_of_change(source, start, old, edit.premise, edit.hypothesis, case.label)


def _doubt_of_change(
    source: str, start: int, old: str, premise: Sequence[Replacement], hypothesis: Sequence[Replacement], label: Label
) -> Skip | None:
    ranks = [match.span(1) for match in find_ranks(source)]
    said, given, claimed = (
        read_amount(text)
        for text in (old, premise[0].new if premise else old, hypothesis[0].new if hypothesis else old)
    )
    if said is None or given is None or claimed is None:
        return UNREAD
    if not said.unit == given.unit == claimed.unit:
        return UNITS
    if label_of(given.numbers, claimed.numbers) is not label:
        return WRONG
    if label is Label.CONTRADICTION and given.exact and claimed.exact and (start, start + len(old)) not in ranks:
        if said.unit in ("", "joined") and claimed.numbers.low < given.numbers.low:
            return AT_LEAST
        if said.unit not in ("date", "rank", "life", "since", "span", "score") and _are_close(given, claimed):
            return NEAR
    changed = (hypothesis or premise)[0].new
    alone = label is Label.CONTRADICTION and _are_alike(old, changed, said, claimed if hypothesis else given)
    return _doubt_of_place(source, start, start + len(old), said, label, alone=alone)


def _are_alike(old: str, new: str, said: StatedAmount, claimed: StatedAmount) -> bool:
    """True if two amounts differ in their values only: "40" and "70", "about 40" and "about 70"."""
    return (said.exact and claimed.exact) or old.split()[0].lower() == new.split()[0].lower()


def _are_close(one: StatedAmount, other: StatedAmount) -> bool:
    low, high = sorted((one.numbers.low, other.numbers.low))
    return low * LEAST_APART > high


def _doubt_of_place(
    source: str, start: int, end: int, said: StatedAmount, label: Label, *, alone: bool = False
) -> Skip | None:
    if _GOES_ON.match(source, end) and not re.match(r"\s+\w", source[end:]) and said.unit not in ("joined", "rank"):
        return PART
    if re.match(
        r"\s+(?:million|billion|trillion|thousand|hundred|dozen|percent|per\s?cent|and\s+a\s+half)\b", source[end:]
    ):
        return PART
    if start and _BEGAN.search(source, 0, start):
        return PART
    if said.unit in ("since", "span"):
        return doubt_of_period(source, start, end)
    priced = said.exact and re.search(r"\b(?:an?|his|her|its|their)\s+$", source[:start], re.IGNORECASE)
    if (
        (start, end) in [match.span(1) for match in find_ranks(source)]
        or said.unit in ("rank", "life", "joined", "score")
        or _DESCRIBED.match(source, start)
        or (priced and said.unit)
    ):
        return doubt_of_rank(source, start, end)
    if said.unit == "date":
        return doubt_of_date(source, start, end, excludes=label is Label.CONTRADICTION)
    numbers = said.numbers
    largest = numbers.high if numbers.high.is_finite() else numbers.low
    return doubt_of_claim(source, start, end, measured=bool(said.unit), big=largest >= BIG, alone=alone)


def _doubt_of_exchange(source: str, changes: Sequence[Replacement], label: Label) -> Skip | None:
    """Two numbers change places. One of the two is then too high, so the texts exclude each other."""
    first, second = changes
    olds = [read_amount(change.old) for change in changes]
    news = [read_amount(change.new) for change in changes]
    if None in olds or None in news:
        return UNREAD
    if olds != news[::-1] or first.old.lower() != second.new.lower() or label is not Label.CONTRADICTION:
        return SHAPE
    one, other = olds
    assert one is not None
    assert other is not None
    if one.unit != other.unit or not (one.exact and other.exact) or one.unit in ("date", "rank", "life", "joined"):
        return UNITS
    if _are_close(one, other):
        return NEAR
    return next(
        (
            doubt
            for change, said in zip(changes, (one, other), strict=True)
            if (doubt := _doubt_of_place(source, change.start, change.start + len(change.old), said, label))
        ),
        None,
    )
