"""Amounts and times as sets of numbers. The check reads with this alone, apart from the builder."""

import re
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from assay.language.numbers.number_words import SCALES, any_of, value_of
from assay.language.numbers.quantities import INFINITY, NumberRange
from assay.language.resources.data import load_words

WORDS = load_words(__file__)

SIZES = {unit: (measure, Decimal(size)) for measure, unit, size in (each.split("/") for each in WORDS["sizes"])}
_MONTHS = [*WORDS.ordered("months")]
_MONTH = any_of(_MONTHS)
_SHORT = re.compile(rf"\b({any_of(name[:3] for name in _MONTHS)})t?\.")
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8}
_DIGITS = re.compile(rf"([0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)(?:\s*({any_of(SCALES)}))?")
_MONEY = re.compile(r"^((?:us|a|c|hk|nt|nz|s)?[$£€¥]|usd|eur|gbp|rs\.?)\s*")
_AFTER = re.compile(r"\s*(%|percent|per cent|percentage points?|pct|[a-z¢€£]+)$")
_SHARES = {"%": "percent", "percent": "percent", "per cent": "percent", "pct": "percent"}
_LOWER = re.compile(r"^(more than|over|well over|in excess of)\s+")
_LEAST = re.compile(r"^(at least)\s+")
_UPPER = re.compile(r"^(less than|fewer than|under)\s+")
_MOST = re.compile(r"^(up to|as many as|as much as)\s+")
_NEAR = re.compile(r"^(about|around|approximately|roughly|some|an estimated)\s+")
_NEARLY = re.compile(r"^(nearly|almost)\s+")
_ONLY = re.compile(
    r"^(only|a total of|an average of|exactly|another|an additional|a record|close to|just(?: over| under)?)\s+"
)
_PARTS = {"tenth": 10, "fifth": 5, "quarter": 4, "third": 3}
_DAY = rf"(?:[0-9]{{1,2}} {_MONTH},? |{_MONTH} (?:[0-9]{{1,2}}, )?)?"
_BETWEEN = re.compile(r"^(?:between (.+) and (.+)|([$\u00a3\u20ac0-9a-z][^-]*?) to (.+))$")


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
    low = _SHORT.sub(
        lambda match: next(name for name in _MONTHS if name.startswith(match[1])), " ".join(text.lower().split())
    )
    if low.endswith("-"):
        low = f"{low[:-1]} joined".removeprefix("an ").removeprefix("a ")
    low = re.sub(r"^an? (?=(?:us|nt)?[$\u00a3\u20ac]|[0-9.]+ ?(?:%|per))", "", low)
    return _read_period(low) or _read_time(low) or _read_rank(low) or _read_between(low) or _read_bounded(low)


def _read_period(text: str) -> StatedAmount | None:
    """A life, a span of years, a year since when, or a score."""
    if match := re.fullmatch(rf"({_DAY})([0-9]{{4}})( ?[-\u2013] ?{_DAY})([0-9]{{4}})", text):
        number = Decimal(match[2] + match[4])
        return StatedAmount("life", NumberRange(number, number), True)
    if match := re.fullmatch(rf"from {_DAY}([0-9]{{4}}) (?:to|until|through) {_DAY}([0-9]{{4}})", text):
        return StatedAmount("span", NumberRange(Decimal(match[1]), Decimal(match[2])), True)
    if match := re.fullmatch(r"(?:since|until) ([0-9]{4})", text):
        return StatedAmount("since", NumberRange(Decimal(match[1]), Decimal(match[1])), True)
    if match := re.fullmatch(r"([0-9]{1,3})[-\u2013]([0-9]{1,3})", text):
        number = Decimal(int(match[1]) * 1000 + int(match[2]))
        return StatedAmount("score", NumberRange(number, number), True)
    return None


def _read_bounded(text: str) -> StatedAmount | None:
    for pattern in (_LOWER, _LEAST, _UPPER, _MOST, _NEAR, _NEARLY, _ONLY):
        if match := pattern.match(text):
            value = _read_value(text[match.end() :])
            if value is None:
                return None
            unit, number = value
            ranges = {
                _LOWER: NumberRange(number, INFINITY, True, True),
                _LEAST: NumberRange(number, INFINITY, False, True),
                _UPPER: NumberRange(-INFINITY, number, True, True),
                _MOST: NumberRange(-INFINITY, number, True, False),
                _NEAR: NumberRange(number * Decimal("0.8"), number * Decimal("1.25")),
                _NEARLY: NumberRange(number * Decimal("0.8"), number, False, True),
                _ONLY: NumberRange(number, number),
            }
            return StatedAmount(unit, ranges[pattern], pattern is _ONLY)
    value = _read_value(text)
    return StatedAmount(value[0], NumberRange(value[1], value[1]), True) if value else None


def _read_between(text: str) -> StatedAmount | None:
    match = _BETWEEN.match(text)
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
    if match := re.fullmatch(rf"(a|one|two|three)[ -]({any_of(_PARTS)})s?|half", text):
        count = {"a": 1, "one": 1, "two": 2, "three": 3}[match[1] or "a"]
        return "share", Decimal(count) / _PARTS.get(match[2], 2)
    if money := _MONEY.match(text):
        unit, text = money[1], text[money.end() :]
    number = _read_number(text)
    if number is None and not unit and (after := _AFTER.search(text)):
        word = after[1]
        unit, factor = SIZES.get(word, (_SHARES.get(word, word), Decimal(1)))
        number = _read_number(text[: after.start()])
    return None if number is None else (unit, number * factor)


def _read_number(text: str) -> Decimal | None:
    if match := _DIGITS.fullmatch(text):
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
    text = re.sub(r"^in (?:early|mid|late) (?=[0-9]{4}$)", "in ", text)
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
    elif match := re.fullmatch(r"in the ([0-9]{1,2})(?:st|nd|rd|th) century", text):
        days = date(100 * int(match[1]) - 99, 1, 1), date(100 * int(match[1]), 12, 31)
    elif match := re.fullmatch(rf"in ({_MONTH})(?:,? ([0-9]{{4}}))?", text):
        first = date(int(match[2] or 2000), _MONTHS.index(match[1]) + 1, 1)
        days = first, (first + timedelta(31)).replace(day=1) - timedelta(1)
    elif match := re.fullmatch(
        rf"on (?:(?P<d>[0-9]{{1,2}}) (?P<m>{_MONTH})|(?P<n>{_MONTH}) (?P<e>[0-9]{{1,2}}))(?:,? (?P<y>[0-9]{{4}}))?",
        text,
    ):
        month, day = match["m"] or match["n"], int(match["d"] or match["e"])
        try:
            first = date(int(match["y"] or 2000), _MONTHS.index(month) + 1, day)
        except ValueError:
            return None
        days = first, first
    else:
        return None
    low, high = days
    numbers = NumberRange(
        -INFINITY if low is None else Decimal(low.toordinal()),
        INFINITY if high is None else Decimal(high.toordinal()),
        low is None,
        high is None,
    )
    return StatedAmount("date", numbers, low == high or not text.startswith(("before ", "after ", "between ")))
