"""Check of quantities of claims: both texts are read anew as sets of numbers, and the label follows from these."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from assay.core.case import Case
from assay.core.edit import Replacement, Skip
from assay.core.label import Label
from assay.language.numbers.number_words import SCALES, value_of
from assay.language.numbers.quantities import INFINITY, NumberRange
from assay.language.resources.data import load_patterns, load_words
from assay.stress.numeracy.check import label_of
from assay.stress.original import CHANGED, copied_premise
from assay.stress.quantities.check_larger import doubt_of_larger
from assay.stress.quantities.check_names import doubt_of_name
from assay.stress.quantities.number_claims import (
    doubt_of_claim,
    doubt_of_date,
    doubt_of_period,
    doubt_of_rank,
    find_ranks,
)

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
WORDS = load_words(__file__)

SIZES = {unit: (measure, Decimal(size)) for measure, unit, size in (each.split("/") for each in WORDS["sizes"])}
_MONTHS = WORDS.ordered("months")
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8}
_SHARES = {"%": "percent", "percent": "percent", "per cent": "percent", "pct": "percent"}
_PARTS = {"tenth": 10, "fifth": 5, "quarter": 4, "third": 3}
PATTERNS = load_patterns(__file__, short_months=[name[:3] for name in _MONTHS], scales=SCALES, parts=_PARTS)


class StatedAmount(NamedTuple):
    """The numbers that an expression can mean, and what they measure."""

    unit: str
    """`date`, `rank`, a measure, `percent`, a currency, or nothing for a count."""
    numbers: NumberRange
    exact: bool
    """True if it is one value, without a word that bounds it."""


def read_amount(text: str) -> StatedAmount | None:
    """The set of numbers that an expression says; None if it can't be read as a whole.

    >>> read_amount("between 80 and 90 percent").numbers.high
    Decimal('90')
    >>> read_amount("12 kilometres") == read_amount("12,000 metres")
    True
    >>> read_amount("after 1980").numbers.subset_of(read_amount("after 1970").numbers)
    True
    """
    months = {name[:3]: name for name in _MONTHS}
    low = PATTERNS["short"].sub(lambda match: months[match[1]], " ".join(text.lower().split()))
    if re.search(r"[a-z0-9²³] ?\([^()]*\)$", low) and low[0] != "(":
        low = low[: low.rindex("(")].rstrip()  # the same in another unit
    if low.endswith("-"):
        low = f"{low[:-1]} joined".removeprefix("an ").removeprefix("a ")
    low = re.sub(r"^an? (?=(?:us|nt)?[$\u00a3\u20ac]|[0-9.]+ ?(?:%|per))", "", low)
    return _read_period(low) or _read_time(low) or _read_rank(low) or _read_between(low) or _read_bounded(low)


def _read_period(text: str) -> StatedAmount | None:
    """A life, a span of years, a year since when, or a score."""
    if match := PATTERNS["life"].fullmatch(text):
        number = Decimal(match[2] + match[4])
        return StatedAmount("life", NumberRange(number, number), True)
    if match := PATTERNS["span"].fullmatch(text):
        return StatedAmount("span", NumberRange(Decimal(match[1]), Decimal(match[2])), True)
    if match := PATTERNS["since"].fullmatch(text) or PATTERNS["since_century"].fullmatch(text):
        return StatedAmount("since", NumberRange(Decimal(match[1]), Decimal(match[1])), True)
    match = re.fullmatch(r"([0-9]{1,3})([-\u2013]| to )([0-9]{1,3})", text)
    if match and (match[2] != " to " or int(match[1]) > int(match[3])):
        number = Decimal(int(match[1]) * 1000 + int(match[3]))
        return StatedAmount("score", NumberRange(number, number), True)
    return None


def _read_bounded(text: str) -> StatedAmount | None:
    for bound in ("lower", "least", "upper", "most", "near", "nearly", "only"):
        if match := PATTERNS[bound].match(text):
            value = _read_value(text[match.end() :])
            if value is None:
                return None
            unit, number = value
            ranges = {
                "lower": NumberRange(number, INFINITY, True, True),
                "least": NumberRange(number, INFINITY, False, True),
                "upper": NumberRange(-INFINITY, number, True, True),
                "most": NumberRange(-INFINITY, number, True, False),
                "near": NumberRange(number * Decimal("0.8"), number * Decimal("1.25")),
                "nearly": NumberRange(number * Decimal("0.8"), number, False, True),
                "only": NumberRange(number, number),
            }
            return StatedAmount(unit, ranges[bound], bound == "only")
    value = _read_value(text)
    return StatedAmount(value[0], NumberRange(value[1], value[1]), True) if value else None


def _read_between(text: str) -> StatedAmount | None:
    match = PATTERNS["between"].match(text)
    first, second = map(_read_value, match.group(1, 2) if match[1] else match.group(3, 4)) if match else (None, None)
    if first is None or second is None:
        return None
    unit = second[0] or first[0]
    if first[0] not in ("", unit) or first[1] >= second[1]:
        return None
    size = SIZES[second[0]][1] if second[0] in SIZES else Decimal(1)
    return StatedAmount(unit, NumberRange(first[1] * size, second[1]), False)


def _read_value(text: str) -> tuple[str, Decimal] | None:
    """The unit and number in an expression without a bound."""
    unit, factor = "", Decimal(1)
    if match := PATTERNS["fraction"].fullmatch(text):
        count = {"a": 1, "one": 1, "two": 2, "three": 3}[match[1] or "a"]
        return "share", Decimal(count) / _PARTS.get(match[2], 2)
    if money := PATTERNS["money"].match(text):
        unit, text = money[1], text[money.end() :]
    number = _read_number(text)
    if number is None and not unit and (after := PATTERNS["after"].search(text)):
        word = after[1]
        unit, factor = SIZES.get(word, (_SHARES.get(word, word), Decimal(1)))
        number = _read_number(text[: after.start()])
    return None if number is None else (unit, number * factor)


def _read_number(text: str) -> Decimal | None:
    if match := PATTERNS["digits"].fullmatch(text):
        return Decimal(match[1].replace(",", "")) * SCALES.get(match[2] or "", 1)
    value = value_of(text) if text and not text[0].isdigit() else None
    known = value is not None and all(word.isalpha() for word in text.replace("-", " ").split())
    return Decimal(value) if known and value else None


def _read_rank(text: str) -> StatedAmount | None:
    match = re.fullmatch(r"([1-9][0-9]?|100)(?:st|nd|rd|th)", text)
    rank = int(match[1]) if match else _NTH.get(text)
    return StatedAmount("rank", NumberRange(Decimal(rank), Decimal(rank)), True) if rank else None


def _read_time(text: str) -> StatedAmount | None:
    """A time as days; every part of a year or month belongs to it."""
    text = re.sub(r"^born (?=in |after |before |between )", "", text)
    text = re.sub(r"^born (?=[0-9]{4}$)", "in ", text)
    text = re.sub(r"^born ", "on ", text)
    text = PATTERNS["part_of_year"].sub("in ", text)
    if match := re.fullmatch(r"(in|before|after) ([0-9]{4})", text):
        first, last = date(int(match[2]), 1, 1), date(int(match[2]), 12, 31)
        days = {"in": (first, last), "before": (None, first - timedelta(1)), "after": (last + timedelta(1), None)}[
            match[1]
        ]
    elif match := re.fullmatch(r"in the (?:(?:early|late|mid)[ -])?([0-9]{3}0)s", text):
        days = date(int(match[1]), 1, 1), date(int(match[1]) + 9, 12, 31)
    elif match := re.fullmatch(r"(?:a|his|her|its|their) ([0-9]{4})(s?)", text):
        days = date(int(match[1]), 1, 1), date(int(match[1]) + (9 if match[2] else 0), 12, 31)
    elif match := re.fullmatch(r"between ([0-9]{4}) and ([0-9]{4})", text):
        days = date(int(match[1]), 1, 1), date(int(match[2]), 12, 31)
    elif match := re.fullmatch(r"in the (?:early |late |mid-?)?([0-9]{1,2})(?:st|nd|rd|th) century", text):
        days = date(100 * int(match[1]) - 99, 1, 1), date(100 * int(match[1]), 12, 31)
    elif match := PATTERNS["in_month"].fullmatch(text):
        first = date(int(match[2] or 2000), _MONTHS.index(match[1]) + 1, 1)
        days = first, (first + timedelta(31)).replace(day=1) - timedelta(1)
    elif match := PATTERNS["on_day"].fullmatch(text):
        month, day = match["m"] or match["n"], int(match["d"] or match["e"])
        try:
            first = date(int(match["y"] or 2000), _MONTHS.index(month) + 1, day)
        except ValueError:
            return None
        days = first, first
    else:
        return None
    low, high = days
    least = -INFINITY if low is None else Decimal(low.toordinal())
    most = INFINITY if high is None else Decimal(high.toordinal())
    numbers = NumberRange(least, most, low is None, high is None)
    return StatedAmount("date", numbers, low == high or not text.startswith(("before ", "after ", "between ")))


class QuantitiesCheck:
    """For the family quantities."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, read what changed, derive the label, and look at what surrounds it."""
        edit, source = case.provenance.edit, copied_premise(case)
        if source is None:
            return CHANGED
        if case.label is not edit.label or case.label is None:
            return WRONG
        if case.label is Label.NON_ENTAILMENT:
            shaped = len(edit.hypothesis) == 1 and not edit.premise
            doubt = doubt_of_larger if case.group.get("quantity") == "larger" else doubt_of_name
            return doubt(source, edit.hypothesis[0]) if shaped else SHAPE
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
    new_premise, new_hypothesis = (changes[0].new if changes else old for changes in (premise, hypothesis))
    said, given, claimed = map(read_amount, (old, new_premise, new_hypothesis))
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
    attached = PATTERNS["goes_on"].match(source, end) and not re.match(r"\s+\w", source[end:])
    if (attached and said.unit not in ("joined", "rank")) or PATTERNS["goes_on_apart"].match(source, end):
        return PART
    if start and PATTERNS["began"].search(source, 0, start):
        return PART
    if said.unit in ("since", "span"):
        return doubt_of_period(source, start, end)
    priced = said.exact and PATTERNS["priced"].search(source, 0, start)
    if (
        (start, end) in [match.span(1) for match in find_ranks(source)]
        or said.unit in ("rank", "life", "joined", "score")
        or PATTERNS["described"].match(source, start)
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
