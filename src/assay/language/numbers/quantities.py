"""The numbers of a text: which are quantities, their values, and how to write another value in their place."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal, NamedTuple

import msgspec

from assay.language.numbers.number_words import (
    LIMIT,
    RUN,
    SCALES,
    Bound,
    Kind,
    bound_of,
    is_determined,
    kind_of,
    spell_number,
    value_of,
)
from assay.language.resources.data import load_patterns
from assay.language.text.tokens import TextCache

Form = Literal["integer", "thousands", "decimal", "mixed", "words"]
"""Notations of a number: 3, 1,250, 3.5, 3 million, seven."""


class Quantity(msgspec.Struct, frozen=True, kw_only=True):
    """A number that states how much or how many. In $1.5 million, the number is "1.5 million" and the prefix "$"."""

    start: int
    """Offset of the whole expression, where "more than" can go."""
    end: int
    text: str
    number_start: int
    """Offset of the number itself, without a currency sign."""
    number_end: int
    """Offset after the number, which includes "million" but not the noun that is counted."""
    value: Decimal
    """The value of the number, in the unit as written: 15 for 15%, 50 for 50 cents."""
    form: Form
    unit: Literal["", "money", "percent"]
    bound: Bound
    determined: bool
    """True if a determiner comes right before it ("the three men", "a $40 fee"), where "more than" hardly fits."""

    @property
    def number(self) -> str:
        """The number itself, as written."""
        return self.text[self.number_start - self.start : self.number_end - self.start]

    @property
    def prefix(self) -> str:
        """The part of the expression before the number: "$"."""
        return self.text[: self.number_start - self.start]

    @property
    def suffix(self) -> str:
        """The part of the expression after the number: "%", " dollars"."""
        return self.text[self.number_end - self.start :]


class OtherNumber(msgspec.Struct, frozen=True, kw_only=True):
    """A number that is not a quantity: a year, a time, a name."""

    start: int
    end: int
    text: str
    kind: Kind


# Most texts have no number: these two checks are all that they cost.

_OPEN = "([{<\"'\u201c\u2018*~"
_CLOSE = ")]}>\"'\u201d\u2019*~.,:!?"
_LETTERS = {"k": 1000, "m": 10**6, "mn": 10**6, "mm": 10**6, "b": 10**9, "bn": 10**9}
PATTERNS = load_patterns(__file__, run=RUN, letters=_LETTERS, scales=SCALES)
SHAPES: list[tuple[Kind, re.Pattern[str]]] = [
    (name.split("_")[1], pattern)  # type: ignore[misc]
    for name, pattern in PATTERNS.items()
    if name.startswith("shape_")
]
"""Shapes of numbers in digits that are not quantities, the first that fits counts."""
_MOST_DIGITS = 15
_SIGN_ROOM = 8
_GAP_ROOM = 10
_LOOSE_KINDS = frozenset({"pronoun", "indefinite", "range", "compound", "time", "zero"})
# Below this, or with more decimals, "million" is dropped: 1,234,567 rather than 1.234567 million.
_LEAST_COUNT = Decimal("0.1")
_MOST_DECIMALS = 3


@TextCache  # the builder and the check of several families ask about the same texts
def find_numbers(text: str) -> tuple[Quantity | OtherNumber, ...]:
    """Every number of a text, in order and without overlap.

    >>> [each.text for each in find_numbers("In 1984 he paid $40 for two of 12 goats.")]
    ['1984', '$40', 'two', '12']
    """
    if not PATTERNS["digit"].search(text) and not PATTERNS["hint"].search(text.lower()):
        return ()
    return _join_neighbours(text, sorted([*_in_digits(text), *_in_words(text)], key=lambda each: each.start))


def find_quantities(text: str) -> list[Quantity]:
    """The numbers of a text that are quantities, including bounded ones.

    >>> [(each.text, str(each.value), each.bound) for each in find_quantities("Over 1,250 goats had half a dozen.")]
    [('1,250', '1250', 'more'), ('half a dozen', '6', 'bare')]
    """
    return [each for each in find_numbers(text) if isinstance(each, Quantity)]


def render_quantity(quantity: Quantity, value: Decimal | int) -> str:
    """The whole expression with another value, in the same style: digits or words, separators, decimals, capitals.

    In context, four digits may read as a year, and "one" as a pronoun: check the new text with `find_numbers`.

    >>> [render_quantity(each, 32) for each in find_quantities("Twenty-one cost $ 40, and 3.50 euros")]
    ['Thirty-two', '$ 32', '32.00 euros']
    """
    value = Decimal(value)
    if not 0 < value < LIMIT:
        raise ValueError(f"{value} can't be written: it must be above 0 and below {LIMIT:,}")
    if quantity.form == "words":
        if value != value.to_integral_value():
            raise ValueError(f"{value} can't be written in words")
        number = spell_number(int(value), quantity.number)
    else:
        number = _write_digits(value, quantity.number)
    return quantity.prefix + number + quantity.suffix


def _in_digits(text: str) -> Iterator[Quantity | OtherNumber]:
    for chunk in PATTERNS["chunk"].finditer(text) if PATTERNS["digit"].search(text) else ():
        written = chunk.group()
        if not PATTERNS["digit"].search(written):
            continue
        start = chunk.start() + len(written) - len(written.lstrip(_OPEN))
        end = chunk.end() - len(written) + len(written.rstrip(_CLOSE))
        if start and PATTERNS["short_year"].fullmatch(text, start - 1, end):
            yield _make_other(text, start - 1, end, "year")
        elif PATTERNS["marker"].fullmatch(written):
            yield _make_other(text, start, end, "identifier")
        elif match := PATTERNS["plain"].fullmatch(text, start, end):
            yield _from_digits(text, match)
        else:
            kind: Kind = next((kind for kind, shape in SHAPES if shape.fullmatch(text[start:end])), "unclear")
            yield _make_other(text, start, end, kind)


def _from_digits(text: str, match: re.Match[str]) -> Quantity | OtherNumber:
    start, end = match.span("paid" if match["sign"] else "bare")
    written, letter = text[start:end], match["letter"]
    if len(written) > _MOST_DIGITS:
        return _make_other(text, match.start(), match.end(), "identifier")
    value = Decimal(written.replace(",", ""))
    form: Form = "thousands" if "," in written else "decimal" if "." in written else "integer"
    if letter:
        value, form, end = value * _LETTERS[letter.lower()], "mixed", match.end("letter")
    elif scale := PATTERNS["scale"].match(text, end):
        value, form, end = value * SCALES[scale.group().strip().lower()], "mixed", scale.end()
    return _read_expression(text, start, end, value=value, form=form, unit_end=match.end("unit"))


def _in_words(text: str) -> Iterator[Quantity | OtherNumber]:
    for match in PATTERNS["spelt"].finditer(text):
        if match.lastgroup != "run":
            yield _make_other(text, match.start(), match.end(), match.lastgroup)  # type: ignore[arg-type]
        elif value := value_of(match.group()):
            yield _read_expression(text, *match.span(), value=Decimal(value), form="words")
        else:
            # "between one hundred and two hundred" is one run of words, but two numbers.
            for part in PATTERNS["part"].finditer(text, *match.span()):
                if value := value_of(part[1]):
                    yield _read_expression(text, *part.span(1), value=Decimal(value), form="words")
                else:
                    yield _make_other(text, *part.span(1), "indefinite" if part[1].lower() in SCALES else "unclear")


def _read_expression(
    text: str, first: int, last: int, *, value: Decimal, form: Form, unit_end: int = -1
) -> Quantity | OtherNumber:
    """The quantity at a number's span, or the number and why it is not a quantity."""
    start, end = first, max(last, unit_end)
    unit: Literal["", "money", "percent"] = ""
    if sign := PATTERNS["sign_before"].search(text, max(0, first - _SIGN_ROOM), first):
        unit, start = "money", sign.start()
    elif match := PATTERNS["percent"].match(text, last):
        unit, end = "percent", match.end()
    elif match := PATTERNS["money"].match(text, last):
        unit, end = "money", match.end()
        if value > 1 and PATTERNS["singular"].search(match.group()):
            return _make_other(text, start, end, "compound")
    if not 0 < value < LIMIT:
        return _make_other(text, start, end, "unclear" if value else "zero")
    if kind := kind_of(text, start, end, number=text[first:last], measured=bool(unit)):
        return _make_other(text, start, end, kind)
    return Quantity(
        start=start,
        end=end,
        text=text[start:end],
        number_start=first,
        number_end=last,
        value=value,
        form=form,
        unit=unit,
        bound=bound_of(text, start, end),
        determined=is_determined(text, start),
    )


def _make_other(text: str, start: int, end: int, kind: Kind) -> OtherNumber:
    return OtherNumber(start=start, end=end, text=text[start:end], kind=kind)


def _join_neighbours(text: str, found: list[Quantity | OtherNumber]) -> tuple[Quantity | OtherNumber, ...]:
    """Sort the numbers and merge those that form one expression, such as a range."""
    joined: list[Quantity | OtherNumber] = []
    for number in found:
        if joined and (kind := _kind_of_neighbours(text, joined[-1], number)):
            start = joined.pop().start
            joined.append(_make_other(text, start, number.end, kind))
        elif not joined or number.start >= joined[-1].end:
            joined.append(number)
    return tuple(joined)


def _kind_of_neighbours(text: str, left: Quantity | OtherNumber, right: Quantity | OtherNumber) -> Kind | None:
    """The kind of expression that two neighbouring numbers form, or None if they are separate."""
    if right.start < left.end:
        return "unclear" if right.end > left.end else None
    gap = text[left.end : right.start]
    if PATTERNS["between"].search(text, max(0, left.start - _GAP_ROOM), left.start) and PATTERNS["and"].fullmatch(gap):
        return "range"
    if PATTERNS["and_a"].fullmatch(gap) and isinstance(left, OtherNumber) and left.kind == "fraction":
        return "fraction"
    if not all(isinstance(each, Quantity) or each.kind in _LOOSE_KINDS for each in (left, right)):
        return None
    if not gap.strip() and isinstance(left, Quantity) and isinstance(right, Quantity):
        return "unclear"
    if gap.strip() == "," and PATTERNS["three_digits"].fullmatch(right.text):
        return "unclear"  # "193, 200 acres" may be one number
    match = PATTERNS["gap"].fullmatch(gap)
    return match.lastgroup if match else None  # type: ignore[return-value]


def _write_digits(value: Decimal, like: str) -> str:
    """A value in digits, in the style of another number."""
    written = PATTERNS["numeral"].match(like)
    assert written is not None
    scale_text = like[written.end() :]
    name = scale_text.strip().lower()
    scale = SCALES.get(name) or _LETTERS.get(name, 1)
    count = value / scale
    if count * scale != value or count < _LEAST_COUNT or _count_decimals(count) > _MOST_DECIMALS:
        count, scale_text = value, ""
    plain = written.group().replace(",", "")
    decimals = max(len(plain.partition(".")[2]), _count_decimals(count))
    comma = "," if "," in like or Decimal(plain) < 1000 else ""
    text = f"{count:{comma}.{decimals}f}"
    return (text.removeprefix("0") if plain.startswith(".") else text) + scale_text


def round_unit(value: Decimal) -> Decimal:
    """The unit to which values as round as this one are rounded; for a power of ten, a tenth of it.

    >>> [str(round_unit(Decimal(each))) for each in ("1250", "40", "100", "3.5", "7")]
    ['1E+1', '1E+1', '1E+1', '0.1', '1']
    """
    figures = value.normalize().as_tuple()
    assert isinstance(figures.exponent, int)
    exponent = figures.exponent - (figures.digits == (1,) and figures.exponent > 0)
    return Decimal(1).scaleb(exponent)


def _count_decimals(value: Decimal) -> int:
    exponent = value.normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return max(0, -exponent)


INFINITY = Decimal("Infinity")


class NumberRange(NamedTuple):
    """An interval of numbers; its ends are included unless they are open.

    >>> three = quantity_range("3")
    >>> quantity_range("more than 3").disjoint_from(three), three.subset_of(quantity_range("at least 3"))
    (True, True)
    """

    low: Decimal
    high: Decimal
    low_open: bool = False
    high_open: bool = False

    def subset_of(self, other: "NumberRange") -> bool:
        """True if this interval lies within the other."""
        above = self.low > other.low or (self.low == other.low and self.low_open >= other.low_open)
        below = self.high < other.high or (self.high == other.high and self.high_open >= other.high_open)
        return above and below

    def disjoint_from(self, other: "NumberRange") -> bool:
        """True if the two intervals have no number in common."""
        first, second = sorted((self, other), key=lambda each: (each.high, not each.high_open))
        apart = first.high < second.low
        return apart or (first.high == second.low and (first.high_open or second.low_open))


def quantity_range(of: Quantity | str) -> NumberRange | None:
    """The interval that a quantity and the words that bound it can mean; None if these are vague or negated.

    >>> quantity_range("fewer than 40 men")
    NumberRange(low=Decimal('-Infinity'), high=Decimal('40'), low_open=True, high_open=True)
    >>> quantity_range("about 40 men")
    """
    if isinstance(of, str):
        numbers = find_numbers(of)
        if len(numbers) != 1 or not isinstance(numbers[0], Quantity):
            raise ValueError(f"not one quantity: {of!r}")
        of = numbers[0]
    match of.bound:
        case "more":
            return NumberRange(of.value, INFINITY, True, True)
        case "less":
            return NumberRange(-INFINITY, of.value, True, True)
        case "least":
            return NumberRange(of.value, INFINITY, False, True)
        case "most":
            return NumberRange(-INFINITY, of.value, True, False)
        case "bare" | "exactly":
            return NumberRange(of.value, of.value)
        case _:
            return None
