"""Proof for changed quantities: both texts become intervals, and the label follows from how the two lie."""

from collections.abc import Sequence
from decimal import Decimal

from assay.core.case import Case
from assay.core.edit import Skip, undo
from assay.core.label import Label
from assay.core.pair import premise_cluster
from assay.language.numbers.intervals import Interval, interval
from assay.language.numbers.quantities import Other, Quantity, numbers
from assay.language.text.remembering import Remembered
from assay.stress.checks.quantity_contexts import undecided
from assay.stress.checks.source import CHANGED

SHAPE = Skip("not proven: the texts differ in more than one place")
NO_QUANTITY = Skip("not proven: what was changed is not one comparable quantity")
WRONG = Skip("not proven: the intervals of the two quantities give another label")
IMPLAUSIBLE = Skip("not proven: the new value does not fit its place")

PHRASES = ("", "more than ", "less than ")
WHOLE = Decimal(100)


class NumeracyCheck:
    """For the family numeracy, with numbers read exactly: three hats are not four."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, find the quantity in both texts by parsing them anew, compare, and look at what surrounds it."""
        edit = case.provenance.edit
        try:
            source, twin = undo(case.premise, edit.premise), undo(case.hypothesis, edit.hypothesis)
        except ValueError:
            return CHANGED
        sides = (edit.premise_from, edit.hypothesis_from)
        if source != twin or sides != ("premise", "premise") or premise_cluster(source) != case.cluster:
            return CHANGED
        if len(edit.premise) + len(edit.hypothesis) != 1:
            return SHAPE
        (change,) = edit.premise or edit.hypothesis
        changed = case.premise if edit.premise else case.hypothesis
        old = _quantity(source, change.start, change.start + len(change.old), phrases=PHRASES[:1])
        new = _quantity(changed, change.start, change.start + len(change.new), phrases=PHRASES)
        if old is None or new is None or old.bound != "bare" or old.unit != new.unit:
            return NO_QUANTITY
        label = _label(old, new) if edit.hypothesis else _label(new, old)
        if not case.label == edit.label == label:
            return WRONG
        if not _fits(old, new) or len(_numbers(source)) != len(_numbers(changed)):
            return IMPLAUSIBLE
        return undecided(source, old, _numbers(source))


def label_of(given: Interval, claimed: Interval) -> Label:
    """What follows about a claim of one interval from another.

    >>> three, more_than_two = interval("3"), interval("more than 2")
    >>> label_of(three, more_than_two).value, label_of(more_than_two, three).value
    ('entailment', 'neutral')
    """
    if given.subset_of(claimed):
        return Label.ENTAILMENT
    return Label.CONTRADICTION if given.disjoint_from(claimed) else Label.NEUTRAL


def _quantity(text: str, start: int, end: int, *, phrases: Sequence[str]) -> Quantity | None:
    """The quantity that ends where the change does, with nothing but a phrase of comparison before it."""
    for each in _numbers(text):
        if isinstance(each, Quantity) and each.start >= start and each.end == end:
            return each if text[start : each.start].lower() in phrases and not each.determined else None
    return None


@Remembered  # three cases share a source
def _numbers(text: str) -> tuple[Quantity | Other, ...]:
    return tuple(numbers(text))


def _label(premise: Quantity, hypothesis: Quantity) -> Label | None:
    """The label that the intervals give; None if one of them is vague."""
    given, claimed = interval(premise), interval(hypothesis)
    return None if given is None or claimed is None else label_of(given, claimed)


def _fits(old: Quantity, new: Quantity) -> bool:
    """Whether agreement stays as it is ("1 hats"), and a share stays a part of its whole."""
    if old.unit == "percent":
        return max(old.value, new.value) < WHOLE
    return bool(old.prefix) or 1 not in (old.value, new.value)
