"""The spots of a claim: numbers and dates that can be changed, and how other values are written there."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from assay.language.numbers.number_words import LIMIT, SMALL, any_of, spell_number, value_of
from assay.language.numbers.quantities import (
    OtherNumber,
    Quantity,
    find_numbers,
    find_quantities,
    render_quantity,
    round_unit,
)
from assay.language.resources.data import load_words
from assay.language.text.analysis import analyse
from assay.language.words.inflection import article_for
from assay.stress.quantities.number_claims import find_ranks

WORDS = load_words(__file__)

SpotKind = Literal[
    "count",
    "definite",
    "money",
    "percent",
    "measure",
    "year",
    "date",
    "work",
    "life",
    "since",
    "span",
    "decade",
    "range",
    "ordinal",
    "score",
    "compound",
    "fraction",
]
Form = Literal["plain", "above", "below", "between"]
Bounded = Literal["exact", "only", "about", "nearly", "above", "below", "most"]
"""How a spot limits its value: equal, equal but only another value can be excluded, near, nearly, above, below, or
not above."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_SHORT = {f"{name[:3]}.": name for name in MONTHS} | {"Sept.": "September"}
_MONTH = any_of([*MONTHS, *map(re.escape, _SHORT)])
_YEAR = r"(?:1[0-9]{3}|20[0-2][0-9])"
_NEWEST = Decimal(2025)
"""Years after this one are still to come for a reader."""

_BOUNDS: dict[str, Bounded] = {
    "more than": "above",
    "over": "above",
    "at least": "above",
    "less than": "below",
    "fewer than": "below",
    "under": "below",
    "up to": "most",
    "as many as": "most",
    "about": "about",
    "around": "about",
    "approximately": "about",
    "roughly": "about",
    "some": "about",
    "an estimated": "about",
    "nearly": "nearly",
    "almost": "nearly",
    "only": "only",
    "just": "only",
    "a total of": "only",
    "an average of": "only",
    "exactly": "only",
    "another": "only",
    "an additional": "only",
    "a record": "only",
    "just over": "only",
    "just under": "only",
    "close to": "only",
    "well over": "above",
    "in excess of": "above",
    "as much as": "most",
}
_BOUND = re.compile(rf"(?<![\w-]){any_of(_BOUNDS)}\s+$", re.IGNORECASE)
_OWNED = re.compile(r"\b(?:his|her|its|their)\s+$", re.IGNORECASE)
_DEFINITE = re.compile(r"\b(?:the|these|those|all)\s+$", re.IGNORECASE)
_COMPOUND = re.compile(
    rf"(?<![\w.,(\u00d7-])(?<!- and )([1-9][0-9]{{0,2}}(?:\.[0-9]{{1,2}})?|{any_of(SMALL.keys() - {'zero', 'one'})})"
    rf"(\s[mb]illion)?-(?={any_of(WORDS['compounds'])}\b(?!-olds|\s\(|\s(?:\w+\s)?{any_of(WORDS['variants'])}\b))",
    re.IGNORECASE,
)
_MANY = re.compile(r"[\w-]+\s(?:[a-z]+\s)?[a-z]*[a-rt-z]s\b")
_DETERMINED = re.compile(
    r"(?:\b(?:an?|the|his|her|its|their|this|that|two|three|four|five)|['\u2019]s)\s+(?:\w+\s)?$", re.IGNORECASE
)
_BORN_YEAR = re.compile(rf"(?<![\w-])(born)\s+({_YEAR})(?=\)|,|\s+is\b|\s+in\b)")
_DAY = rf"(?:[1-9][0-9]? {_MONTH},? |{_MONTH} (?:[1-9][0-9]?, )?)?"
_LIFE = re.compile(rf"(?<=\()({_DAY})({_YEAR})(\s?[-\u2013]\s?{_DAY})({_YEAR})(?=\))")
_SINCE = re.compile(rf"(?<![\w-])([Ss]ince|[Uu]ntil)\s+({_YEAR})(?![\w%'\u2019-])")
_SPAN = re.compile(
    rf"(?<![\w-])([Ff]rom|[Bb]etween)\s+({_DAY})({_YEAR})"
    rf"\s+(to|until|through|and)\s+({_DAY})({_YEAR})"
    r"(?![\w%'\u2019-])"
)
_DECADE = re.compile(r"(?<![\w-])([Ii]n)\s+the\s+((?:early|late|mid)[ -])?(1[0-9]{2}0)s(?![\w'\u2019-])")
_CENTURY = re.compile(r"(?<![\w-])([Ii]n)\s+the\s+([1-9][0-9]?)(?:st|nd|rd|th)\s+century\b")
_SCORE = re.compile(r"(?<![\w.,:-])([0-9]{1,3})([-\u2013])([0-9]{1,3})(?![\w%:-]|[.,][0-9])")
_PRICED = re.compile(
    r"\b(?:an?|his|her|its|their|on(?=\s\S+-million))\s+"
    r"((?:US|NT)?[$\u00a3\u20ac]\s?[0-9][0-9,.]*(?:[ -][mbtr]+illion)?"
    r"|[0-9][0-9.]*(?:\s?%|\sper\s?cent\b))(?=\s+[a-z]{3,})"
)
_IN_YEAR = re.compile(
    rf"(?<![\w-])(in(?:\s+(?:early|mid|late))?)\s+({_YEAR})(?![\w%'\u2019-]|\s*[-\u2013/]|,?\s+(?:and|or|to)\s+[0-9])",
    re.IGNORECASE,
)
_IN_MONTH = re.compile(rf"(?<![\w-])([Ii]n)\s+({_MONTH}),?\s+({_YEAR})(?![\w%-])")
_ON_DAY = re.compile(
    rf"(?<![\w-])([Oo]n)\s+(?:(?P<day>[1-9]|[12][0-9]|3[01])\s+(?P<month>{_MONTH})|(?P<Month>{_MONTH})\s+"
    rf"(?P<Day>[1-9]|[12][0-9]|3[01]))(?P<year>,?\s+{_YEAR})?(?![\w%-]|\s*[-\u2013])"
)
_FRACTIONS = {
    "a tenth": Decimal("0.1"),
    "a fifth": Decimal("0.2"),
    "a quarter": Decimal("0.25"),
    "a third": Decimal(1) / 3,
    "half": Decimal("0.5"),
    "two thirds": Decimal(2) / 3,
    "three quarters": Decimal("0.75"),
}
_FRACTION = re.compile(
    rf"(?<![\w-])(?:({any_of(_BOUNDS)})\s+)?"
    r"((?:a|one)[ -](?:third|quarter|fifth|tenth)|half|two[ -]thirds|three[ -]quarters)"
    r"(?:(?=\s+of\s+(?:the|all|its|his|her|their|our|those|these|[A-Z]\w+))|(?<=\bby\sa\s(?:third|fifth|tenth))(?=\W))",
    re.IGNORECASE,
)
_RANGE = re.compile(r"between\s+(.+?)\s+and\s+(.+)", re.IGNORECASE)
_FROM_TO = re.compile(r"(.+?)\s+to\s+(.+)", re.IGNORECASE)
_MOVING = re.compile(rf"\b(?:from|{any_of(_BOUNDS)})\s+$|\b{any_of(WORDS['moving'])}\s(?:\w+\s){{0,3}}$", re.IGNORECASE)
_FALLING = re.compile(rf"\b{any_of(WORDS['falling'])}\s(?:\S+\s){{0,8}}from\s+$", re.IGNORECASE)
_CHANGING = re.compile(rf"\b{any_of(WORDS['moving'] | WORDS['falling'])}\s(?:\S+\s){{0,8}}?(from\s+)?$", re.IGNORECASE)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PLACE = re.compile(
    rf"\b{any_of(WORDS['placing'])}\s+(?:in\s+)?({any_of(ORDINALS)}|[1-9][0-9]?(?:st|nd|rd|th))(?=\s+(?:in|at|on|overall|behind|with)\b|[.,;])"
)
_RANK = re.compile(
    rf"\b(?:is|was|became)\s+(?:the|(?:[A-Z][\w.]*\s+)*[A-Z][\w.]*['\u2019]s?|his|her|its|their)\s+"
    rf"({any_of(ORDINALS[1:])}|[1-9][0-9]?(?:st|nd|rd|th))(?=\s+[a-z]|-[a-z]+est\b)(?!\s+(?:of|in|to|time|half|part|person|one)\b)"
)
_NTH = rf"({any_of(ORDINALS[1:])}|[1-9][0-9]?(?:st|nd|rd|th)|100th)"
_RANK_OF_ONE = (
    re.compile(rf"\b(?:his|her|its|their)\s+{_NTH}(?=\s+(?:[a-z]+\s+)?{any_of(WORDS['numbered'])}\b)"),
    re.compile(rf"(?:\b(?:the|its|their)|['\u2019]s)\s+{_NTH}(?=[- ](?:[a-z]+est|most\s[a-z]+)\b)"),
    re.compile(
        rf"\b(?:lost|eliminated|beaten|defeated|selected|drafted|picked|exited)\b[^.;,]*?\bin\s+the\s+{_NTH}(?=\s+round\b)"
    ),
)
_BORN = re.compile(
    rf"(?<![\w-])(born)\s+(?:(?P<day>[1-9]|[12][0-9]|3[01])\s+(?P<month>{_MONTH})|(?P<Month>{_MONTH})\s+"
    rf"(?P<Day>[1-9]|[12][0-9]|3[01]))(?P<year>,?\s+{_YEAR})(?![\w%-]|\s*[-\u2013])"
)
_WORK = re.compile(
    rf"(?<![\w-])([Aa]|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir)\s+({_YEAR})(?=\s+(?:[A-Za-z-]+\s+){{0,4}}?{any_of(WORDS['works'])}\b)"
)
_TOTAL = re.compile(r"\s+(?:out\s+)?of\s+(?:the\s+|its\s+|their\s+|all\s+)?([0-9][0-9,]*|[a-z]+)\b")
_LIMITED = re.compile(r"\b(?:only|just|even)\s+$", re.IGNORECASE)
_UNIT = re.compile(r"\s+([a-z]+)\b")
_ARTICLE = re.compile(r"\b(an?)\s$", re.IGNORECASE)
CONVERSIONS = {large: (small, int(size)) for large, small, size in (each.split("/") for each in WORDS["conversions"])}


class QuantitySpot(NamedTuple):
    """A number or date in a text, with the words that bound it."""

    kind: SpotKind
    start: int
    text: str
    low: Decimal
    high: Decimal
    """The values that it says, both included."""
    bounded: Bounded
    step: Decimal
    """Other values are multiples of this, so that they are as round; bounds have at most two digits."""
    most: Decimal
    write: Callable[[Form, Decimal, Decimal], str]
    """The text of a form with one or two values."""
    unit: str = ""
    """The unit that follows a measure, which is part of `text` only if it is converted."""
    alone: bool = False
    """True if only another value is excluded, and bounds need not follow."""
    follows_at: bool = False
    """True if "at" or "in" comes before it: nobody writes "at more than nine weeks"."""
    article: str = ""
    """The "a" or "an" before it that is not part of it and must fit another value."""
    starts: bool = False
    """True if it begins a sentence, where a word needs a capital."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def value(self) -> Decimal:
        return self.low


def find_spots(text: str) -> list[QuantitySpot]:
    """Every spot of a text, in order.

    >>> [(spot.kind, spot.text) for spot in find_spots("In 1984 over 40 men paid $5 each.")]
    [('year', 'In 1984'), ('count', 'over 40'), ('money', '$5')]
    """
    numbers = find_numbers(text)
    if not numbers:
        return []
    spots = [*_dated(text), *_periods(text), *_ordinals(text), *_compounds(text), *_scores(text), *_fractions(text)]
    for number in numbers:
        part = _part_of_change(text, number) if isinstance(number, OtherNumber) else number
        spot = _spot_of_quantity(text, part) if isinstance(part, Quantity) else _spot_of_range(text, part)
        if spot and part is not number:
            spot = spot._replace(bounded="only")
        if spot and not any(spot.start < other.end and other.start < spot.end for other in spots):
            spots.append(spot)
    tokens = analyse(text)
    first = {token.start for before, token in pairwise(tokens) if token.sentence != before.sentence} | {0}
    spots = [_include_article(text, spot) for spot in spots]
    return sorted((spot._replace(starts=spot.start in first) for spot in spots), key=lambda spot: spot.start)


def _include_article(text: str, spot: QuantitySpot) -> QuantitySpot:
    """A spot with its article; that of a compound changes with the value, as in "an 80-year" and "a 90-year"."""
    article = _ARTICLE.search(text, max(0, spot.start - 4), spot.start)
    if article is None:
        limited = _LIMITED.search(text, max(0, spot.start - 6), spot.start)
        return spot._replace(bounded="only") if limited else spot  # nobody writes "only more than 40"
    if spot.kind != "compound":
        return spot._replace(article=article[1].lower())
    start, write = article.start(1), partial(_write_with_article, spot.write, article[1])
    return spot._replace(start=start, text=text[start : spot.end], write=write)


def _write_with_article(
    write: Callable[[Form, Decimal, Decimal], str], like: str, form: Form, low: Decimal, high: Decimal
) -> str:
    written = write(form, low, high)
    article = article_for(written)
    return f"{article.capitalize() if like[0].isupper() else article} {written}"


def _spot_of_quantity(text: str, quantity: Quantity) -> QuantitySpot | None:
    definite = not quantity.unit and _DEFINITE.search(text, max(0, quantity.start - 8), quantity.start)
    owned = not quantity.unit and _OWNED.search(text, max(0, quantity.start - 8), quantity.start)
    told = text[max(0, quantity.start - 5) : quantity.start].lower().strip() == "that"  # "said that 40 percent"
    bound = _BOUND.search(text, max(0, quantity.start - 16), quantity.start)
    if (quantity.determined and not (definite or owned or told or bound)) or quantity.value == 1:
        return None
    if quantity.bound == "not" or (quantity.bound != "bare" and bound is None):
        return None  # bounded behind, on both sides, or by words that leave it open
    unit = _UNIT.match(text, quantity.end)
    kind: SpotKind = quantity.unit or ("measure" if unit and unit[1] in CONVERSIONS else "count")
    if definite:
        kind = "definite"
    start = bound.start() if bound else quantity.start
    bounded = _BOUNDS[" ".join(bound.group().lower().split())] if bound else "only" if owned or definite else "exact"
    share = quantity.unit == "percent" and quantity.value < 100
    total = _TOTAL.match(text, quantity.end)
    most = (
        value_of(total[1]) if total and total[1].isalpha() else total and int(total[1].replace(",", ""))
    ) or LIMIT - 1
    near = bounded in ("about", "nearly")
    return QuantitySpot(
        kind=kind,
        start=start,
        text=text[start : quantity.end],
        low=quantity.value * (Decimal("0.8") if near else 1),
        high=quantity.value * (Decimal("1.25") if bounded == "about" else 1),
        bounded=bounded,
        step=Decimal(12) if "dozen" in quantity.text else round_unit(quantity.value),
        most=Decimal(99 if share else most),
        write=partial(
            _write_amount,
            quantity,
            kind == "count" and not (unit and unit[1] in WORDS["measured"]) and "." not in quantity.number,
            bound.group().strip() if bound and bounded not in ("above", "below", "most") else "",
        ),
        unit=unit[1] if unit and kind == "measure" else "",
        follows_at=bool(unit and unit[1] in WORDS["measured"]) and text[:start].lower().endswith((" at ", " in ")),
    )


def _part_of_change(text: str, number: OtherNumber) -> Quantity | OtherNumber:
    """The number of a change: the 4 of "rose 4 percent to 60", the 60 or the 40 of "fell from 60 to 40"."""
    moving = _CHANGING.search(text, 0, number.start) if number.kind == "range" else None
    first, to, last = number.text.partition(" to ")
    if moving is None or not to:
        return number
    is_last = moving[1] is not None and not _FALLING.search(text, 0, number.start)
    before = first + to if is_last else "".join(first.rpartition(", or ")[:2])  # "rose 17.26, or 1.1 percent, to 924"
    start, parts = number.start + len(before), find_quantities(last if is_last else first.removeprefix(before))
    if len(parts) != 1:
        return number
    return msgspec.structs.replace(
        parts[0],
        start=parts[0].start + start,
        end=parts[0].end + start,
        number_start=parts[0].number_start + start,
        number_end=parts[0].number_end + start,
    )


def _spot_of_range(text: str, number: OtherNumber) -> QuantitySpot | None:
    """A range says two values, as in "between 80 and 90 percent" or "80 to 90 percent"; one of years is left alone."""
    if number.kind != "range":
        return None
    start = text.lower().rfind("between", 0, number.start)
    if text[max(0, start) : number.start].strip().lower() != "between":
        start = number.start
    match = (_RANGE if start < number.start else _FROM_TO).fullmatch(text[start : number.end])
    low, high = (find_quantities(match[1]), find_quantities(match[2])) if match else ([], [])
    if len(low) != 1 or len(high) != 1 or low[0].value >= high[0].value or low[0].form != high[0].form:
        return None
    quantity = high[0]
    if start == number.start and (low[0].unit not in ("", quantity.unit) or _MOVING.search(text, 0, start)):
        return None  # "rose 4 percent to 15 dollars", "from 40 to 60"
    share = quantity.unit == "percent"
    return QuantitySpot(
        kind="range",
        start=start,
        text=text[start : number.end],
        low=low[0].value,
        high=quantity.value,
        bounded="exact",
        step=max(round_unit(low[0].value), round_unit(quantity.value)),
        most=Decimal(99 if share else LIMIT - 1),
        write=partial(_write_range if start == number.start else _write_amount, quantity, not quantity.unit, ""),
    )


def _write_range(quantity: Quantity, counts: bool, near: str, form: Form, low: Decimal, high: Decimal) -> str:
    """The forms of "15 to 20": another range is written in the same way."""
    written = _write_amount(quantity, counts, near, form, low, high)
    return written.removeprefix("between ").replace(" and ", " to ") if form == "between" else written


def _write_amount(quantity: Quantity, counts: bool, near: str, form: Form, low: Decimal, high: Decimal) -> str:
    """A form of an amount in the style of a quantity; numbers before a common unit have it once."""
    if form != "plain" and quantity.form == "words" and quantity.number[0].isupper():
        small = quantity.number[0].lower() + quantity.number[1:]
        quantity = msgspec.structs.replace(quantity, text=quantity.prefix + small + quantity.suffix)
    if form != "plain" and "." in quantity.number and quantity.form != "mixed" and low % 1 == 0 == high % 1:
        whole = quantity.number.partition(".")[0]  # "more than 80 percent" bounds 85.4
        quantity = msgspec.structs.replace(
            quantity, text=quantity.prefix + whole + quantity.suffix, number_end=quantity.number_start + len(whole)
        )
    if form == "between":
        first = render_quantity(quantity, low)
        return f"between {first.removesuffix(quantity.suffix)} and {render_quantity(quantity, high)}"
    written = render_quantity(quantity, low)
    if form == "plain":
        return f"{near} {written}".lstrip()
    return f"{'more' if form == 'above' else 'fewer' if counts else 'less'} than {written}"


def _dated(text: str) -> Iterator[QuantitySpot]:
    taken: list[re.Match[str]] = []
    for match in (*_ON_DAY.finditer(text), *_BORN.finditer(text)):
        taken.append(match)
        month, day = match["month"] or match["Month"], int(match["day"] or match["Day"])
        month = _SHORT.get(month, month) if match["year"] else month
        written = WrittenDate(match[1], month, match["year"] or "", day, match["month"] is not None)
        yield _date_spot(match, "date", Decimal(day), written.write)
    for match in _IN_MONTH.finditer(text):
        taken.append(match)
        month = _SHORT.get(match[2], match[2])
        written = WrittenDate(match[1], month, f" {match[3]}")
        yield _date_spot(match, "date", Decimal(MONTHS.index(month) + 1), written.write)
    for match in (*_IN_YEAR.finditer(text), *_BORN_YEAR.finditer(text)):
        if not any(match.start() < other.end() and other.start() < match.end() for other in taken):
            yield _date_spot(match, "year", Decimal(match[2]), partial(_write_year, match[1]))
    for match in _WORK.finditer(text):
        yield _date_spot(match, "work", Decimal(match[2]), partial(_write_work, match[1]))


def _date_spot(match: re.Match[str], kind: SpotKind, value: Decimal, write: Callable[..., str]) -> QuantitySpot:
    step, most = Decimal(1), _NEWEST if kind in ("year", "work") else Decimal(12)
    return QuantitySpot(kind, match.start(), match.group(), value, value, "exact", step, most, write)


def _write_year(before: str, form: Form, low: Decimal, high: Decimal) -> str:
    texts = {
        "plain": f"{before.lower()} {low:f}",
        "above": f"after {low:f}",
        "below": f"before {low:f}",
        "between": f"between {low:f} and {high:f}",
    }
    if before.lower() == "born":
        return texts[form] if form == "plain" else f"{before} {texts[form]}"
    return texts[form].capitalize() if before[0].isupper() else texts[form]


class WrittenDate(NamedTuple):
    """A date as it is written."""

    before: str
    """The word before it: in, on or born."""
    month: str
    year: str
    day: int = 0
    """0 for a month."""
    day_first: bool = True

    def write(self, form: Form, low: Decimal, _: Decimal) -> str:
        """Another day or month (`plain`), the month or year of the date (`above`), or another one (`below`)."""
        born = "born " if self.before.lower() == "born" else ""
        month, year = self.month, self.year.replace(",", "")
        if form != "plain" and not self.day:
            text = f"in {int(year) - (int(low) + 1 if form == 'below' else 0)}"
        elif form != "plain":
            text = f"{born}in {MONTHS[(MONTHS.index(month) + int(low)) % 12] if form == 'below' else month}{year}"
        elif self.day:
            on = born or "on "
            text = f"{on}{low:f} {month}{self.year}" if self.day_first else f"{on}{month} {low:f}{self.year}"
        else:
            text = f"in {MONTHS[int(low) - 1]}{self.year}"
        return text[0].upper() + text[1:] if self.before[0].isupper() else text


def _periods(text: str) -> Iterator[QuantitySpot]:
    """Lives, spans of years, beginnings and decades, for which only another value can be excluded."""
    for match in _LIFE.finditer(text):
        years = Decimal(match[4]) - Decimal(match[2])
        if 15 < years < 100:
            yield _period_spot(match, "life", Decimal(match[2]), Decimal(0), (match[1], match[3], years))
    for match in _SPAN.finditer(text):
        years = Decimal(match[6]) - Decimal(match[3])
        if 0 < years < 150 and (match[1].lower() == "between") == (match[4] == "and"):
            kind: SpotKind = "decade" if match[4] == "and" else "span"
            parts = (f"{match[1]} {match[2]}", f" {match[4]} {match[5]}", years)
            yield _period_spot(match, kind, Decimal(match[3]), years, parts)
    for match in _SINCE.finditer(text):
        yield _period_spot(match, "since", Decimal(match[2]), Decimal(0), (f"{match[1]} ", "", None))
    for match in _DECADE.finditer(text):
        before = f"{match[1]} the {match[2] or ''}"
        yield _period_spot(match, "decade", Decimal(match[3]), Decimal(9), (before, "s", None))
    for match in _CENTURY.finditer(text):
        first, write = Decimal(100 * int(match[2]) - 99), partial(_write_century, match[1])
        spot = QuantitySpot(
            "decade", match.start(), match.group(), first, first + 99, "exact", Decimal(100), first, write
        )
        yield spot


def _write_century(before: str, _form: Form, low: Decimal, _high: Decimal) -> str:
    return f"{before} the {_nth(int(low) // 100 + 1)} century"


def _period_spot(
    match: re.Match[str], kind: SpotKind, first: Decimal, years: Decimal, parts: tuple[str, str, Decimal | None]
) -> QuantitySpot:
    """A spot that is written with its first year between two parts, and with its last one if a length is given."""
    before, after, length = parts

    def write(_form: Form, low: Decimal, _high: Decimal) -> str:
        return f"{before}{low:f}{after}" + ("" if length is None else f"{low + length:f}")

    step, most = Decimal(10 if kind == "decade" else 1), _NEWEST - 1 - (length or 0)
    return QuantitySpot(kind, match.start(), match.group(), first, first + years, "exact", step, most, write)


def _scores(text: str) -> Iterator[QuantitySpot]:
    """The only score of a text, next to a word that shows that the contest is over."""
    found = list(_SCORE.finditer(text))
    if len(found) != 1 or WORDS["results"].isdisjoint(text.lower().split()):
        return
    match = found[0]
    one, other = int(match[1]), int(match[3])
    if max(one, other) < 200 and one >= other:
        write = partial(_write_score, match[2], other if one > other else None)
        value = Decimal(one)
        yield QuantitySpot(
            "score", match.start(), match.group(), value, value, "exact", Decimal(1), Decimal(199), write
        )


def _write_score(dash: str, other: int | None, _form: Form, low: Decimal, _high: Decimal) -> str:
    return f"{low:f}{dash}{low if other is None else other}"


def _write_work(article: str, form: Form, low: Decimal, _: Decimal) -> str:
    return f"{article} {low:f}" if form == "plain" else f"{article} {int(low) // 10 * 10}s"


def _ordinals(text: str) -> Iterator[QuantitySpot]:
    for match in find_ranks(text):
        value = Decimal(match[1] if match[1][0].isdigit() else value_of(match[1]) or 0)
        if 2 < value < 100:
            write = partial(_write_alike, match[1])
            yield _ordinal_spot(match, value, write, most=min(99, int(value) + 30))
    taken = set()
    for match in (match for pattern in (_PLACE, _RANK, *_RANK_OF_ONE) for match in pattern.finditer(text)):
        if match.start(1) in taken:
            continue
        taken.add(match.start(1))
        if match[1] in ORDINALS:
            value = Decimal(ORDINALS.index(match[1]) + 1)
            yield _ordinal_spot(match, value, lambda _form, low, _high: ORDINALS[int(low) - 1], most=8)
        else:
            value = Decimal(match[1][:-2])
            yield _ordinal_spot(match, value, lambda _form, low, _high: _nth(int(low)), most=60 if value <= 60 else 99)


def _write_alike(like: str, _form: Form, low: Decimal, _high: Decimal) -> str:
    return f"{low:f}" if like[0].isdigit() else spell_number(int(low), like)


def _nth(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _compounds(text: str) -> Iterator[QuantitySpot]:
    """A number joined to a noun, as in "a 15-year sentence", which can't be bounded."""
    for match in _COMPOUND.finditer(text):
        if _MANY.match(text, match.end()) and not _DETERMINED.search(text, 0, match.start()):
            continue  # "four-year colleges" are not all colleges
        value = Decimal(match[1] if match[1][0].isdigit() else value_of(match[1]) or 0)
        write = partial(_write_compound, match[1], f"{match[2] or ''}-")
        most = Decimal(99 if text.startswith("year-old", match.end()) else 999)
        yield QuantitySpot(
            "compound", match.start(), match.group(), value, value, "only", round_unit(value), most, write
        )
    for match in _PRICED.finditer(text):
        amounts = find_quantities(match[1])
        if len(amounts) == 1 and amounts[0].text == match[1]:
            value, write = amounts[0].value, partial(_write_amount, amounts[0], False, "")
            most = Decimal(99 if amounts[0].unit == "percent" and value < 99 else LIMIT - 1)
            yield QuantitySpot(
                "compound", match.start(1), match[1], value, value, "exact", round_unit(value), most, write
            )


def _write_compound(like: str, rest: str, _form: Form, low: Decimal, _high: Decimal) -> str:
    return f"{low:f}{rest}" if like[0].isdigit() else f"{spell_number(int(low), like)}{rest}"


def _fractions(text: str) -> Iterator[QuantitySpot]:
    """A fraction of something known, as in "more than half of the members"."""
    for match in _FRACTION.finditer(text):
        written = match[2].lower().replace("-", " ").replace("one ", "a ")
        value = _FRACTIONS[written]
        bounded = _BOUNDS[" ".join(match[1].lower().split())] if match[1] else "exact"
        near = match[1].lower() if match[1] and bounded not in ("above", "below", "most") else ""
        write = partial(_write_fraction, near)
        yield QuantitySpot(
            "fraction", match.start(), match.group(), value, value, bounded, Decimal(1), Decimal(1), write
        )


def _write_fraction(near: str, form: Form, low: Decimal, _high: Decimal) -> str:
    written = next(name for name, value in _FRACTIONS.items() if value == low)
    words = {"plain": near, "above": "more than", "below": "less than"}
    return f"{words[form]} {written}".lstrip()


def fractions_beside(value: Decimal, *, near: bool) -> tuple[list[Decimal], list[Decimal]]:
    """The fractions that are clearly below and above another one, or what is near it, the nearest first."""
    apart = Decimal("1.6" if near else "1.3")
    below = [other for other in _FRACTIONS.values() if other * apart < value]
    return below[::-1], [other for other in _FRACTIONS.values() if other > value * apart]


def _ordinal_spot(
    match: re.Match[str], value: Decimal, write: Callable[[Form, Decimal, Decimal], str], *, most: int
) -> QuantitySpot:
    return QuantitySpot("ordinal", match.start(1), match[1], value, value, "exact", Decimal(1), Decimal(most), write)
