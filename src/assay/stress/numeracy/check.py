"""Proof for changed quantities: both texts become intervals, and the label follows from how the two lie."""

from collections.abc import Sequence
from decimal import Decimal

from assay.core.case import Case
from assay.core.edit import Replacement, Skip
from assay.core.label import Label
from assay.language.numbers.quantities import NumberRange, Quantity, find_numbers, quantity_range
from assay.stress.numeracy.quantity_contexts import doubt_of_quantity
from assay.stress.original import CHANGED, copied_premise

NO_QUANTITY = Skip("not verified: the changed text is not a single comparable quantity")
WRONG = Skip("not verified: the intervals of the two quantities imply another label")
IMPLAUSIBLE = Skip("not verified: the new value does not fit its place")

PHRASES = ("", "more than ", "less than ")
WHOLE = Decimal(100)


class NumeracyCheck:
    """For the family numeracy, with numbers read exactly: three hats are not four."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, find the quantity in both texts by parsing them anew, compare, and look at what surrounds it."""
        edit, source = case.provenance.edit, copied_premise(case)
        if source is None:
            return CHANGED
        changes = {(each.start, each.old) for each in (*edit.premise, *edit.hypothesis)}
        if len(changes) != 1 or max(len(edit.premise), len(edit.hypothesis)) != 1:
            return Skip("not verified: the texts differ in more than one place")
        start, text = changes.pop()
        old = _find_quantity(source, start, start + len(text), phrases=PHRASES[:1])
        if old is None or old.bound != "bare":
            return NO_QUANTITY
        if doubt := doubt_of_quantity(source, old, find_numbers(source)):
            return doubt  # before the changed texts are parsed, which takes longer
        given = _quantity_of_side(case.premise, edit.premise, old)
        claimed = _quantity_of_side(case.hypothesis, edit.hypothesis, old)
        if not (given and claimed) or not old.unit == given.unit == claimed.unit:
            return NO_QUANTITY
        if not case.label == edit.label == _label_of_intervals(given, claimed):
            return WRONG
        counts = {len(find_numbers(each)) for each in (source, case.premise, case.hypothesis)}
        return None if _fits_agreement(given, claimed) and len(counts) == 1 else IMPLAUSIBLE


def label_of(given: NumberRange, claimed: NumberRange) -> Label:
    """The label of a claim of one interval, given another.

    >>> three, more_than_two = quantity_range("3"), quantity_range("more than 2")
    >>> label_of(three, more_than_two).value, label_of(more_than_two, three).value
    ('entailment', 'neutral')
    """
    if given.subset_of(claimed):
        return Label.ENTAILMENT
    return Label.CONTRADICTION if given.disjoint_from(claimed) else Label.NEUTRAL


def _find_quantity(text: str, start: int, end: int, *, phrases: Sequence[str]) -> Quantity | None:
    """The quantity that ends where the change does, with nothing but a phrase of comparison before it."""
    for each in find_numbers(text):
        if isinstance(each, Quantity) and each.start >= start and each.end == end:
            return each if text[start : each.start].lower() in phrases and not each.determined else None
    return None


def _quantity_of_side(text: str, changes: Sequence[Replacement], old: Quantity) -> Quantity | None:
    """The quantity of one side: the source's own, if nothing changed there."""
    if not changes:
        return old
    (change,) = changes
    return _find_quantity(text, change.start, change.start + len(change.new), phrases=PHRASES)


def _label_of_intervals(premise: Quantity, hypothesis: Quantity) -> Label | None:
    """The label that the intervals give; None if one is vague, or if it depends on what can be divided."""
    given, claimed = quantity_range(premise), quantity_range(hypothesis)
    if given is None or claimed is None:
        return None
    # Between "more than 3 hats" and "less than 4 hats" there are numbers, but no hats.
    apart = abs(premise.value - hypothesis.value)
    limited = "bare" not in (premise.bound, hypothesis.bound) and premise.bound != hypothesis.bound
    label = label_of(given, claimed)
    return None if label is Label.NEUTRAL and limited and apart < 2 * _least_difference(premise, hypothesis) else label


def _least_difference(premise: Quantity, hypothesis: Quantity) -> Decimal:
    """The smallest difference that two values can have, as they are written."""
    exponents = [each.value.as_tuple().exponent for each in (premise, hypothesis)]
    return Decimal(1).scaleb(min(0, *(each for each in exponents if isinstance(each, int))))


def _fits_agreement(given: Quantity, claimed: Quantity) -> bool:
    """True if the new value agrees in number (not "1 hats"), and a share stays below its whole."""
    values = (given.value, claimed.value)
    return max(values) < WHOLE if given.unit == "percent" else bool(given.prefix) or 1 not in values
