"""The spots of a claim: numbers and dates that can be changed, and how other values are written there."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

import msgspec

from assay.language.numbers.number_words import LIMIT, SMALL, spell_number, value_of
from assay.language.numbers.quantities import (
    OtherNumber,
    Quantity,
    find_numbers,
    find_quantities,
    render_quantity,
    round_unit,
)
from assay.language.resources.data import load_patterns, load_words
from assay.language.text.analysis import analyse
from assay.language.words.inflection import article_for
from assay.stress.quantities.number_claims import find_ranks

WORDS = load_words(__file__)

AmountKind = Literal["count", "definite", "money", "percent", "measure", "range", "score", "compound", "fraction"]
TimeKind = Literal["year", "date", "work", "life", "since", "span", "decade", "ordinal"]
SpotKind = AmountKind | TimeKind
Form = Literal["plain", "above", "below", "between"]
Bounded = Literal["exact", "only", "about", "nearly", "above", "below", "most"]
"""How a spot limits its value: equal, equal but only another value can be excluded, near, nearly, above, below, or
not above."""

MONTHS = WORDS.ordered("months")
ORDINALS = WORDS.ordered("ordinals")
_SHORT = {f"{name[:3]}.": name for name in MONTHS} | {"Sept.": "September"}
_NEWEST = Decimal(2025)
"""Years after this one are still to come for a reader."""
_BOUNDS: dict[str, Bounded] = {phrase: kind for kind in get_args(Bounded) for phrase in WORDS.lists.get(kind, ())}
_FRACTIONS = {
    name: Decimal(part) / int(whole) for name, part, whole in (each.split("/") for each in WORDS.ordered("fractions"))
}
CONVERSIONS = {large: (small, int(size)) for large, small, size in (each.split("/") for each in WORDS["conversions"])}
PATTERNS = load_patterns(
    __file__,
    bounds=_BOUNDS,
    changing=WORDS["moving"] | WORDS["falling"],
    joined_numbers=SMALL.keys() - {"zero", "one"},
    later_ordinals=ORDINALS[1:],
    measured_or_paid=WORDS["measured"] | WORDS["currencies"],
)


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
    article = PATTERNS["article"].search(text, max(0, spot.start - 4), spot.start)
    if article is None:
        limited = PATTERNS["limited"].search(text, max(0, spot.start - 6), spot.start)
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
    definite = not quantity.unit and PATTERNS["definite"].search(text, max(0, quantity.start - 8), quantity.start)
    owned = not quantity.unit and PATTERNS["owned"].search(text, max(0, quantity.start - 8), quantity.start)
    told = text[max(0, quantity.start - 5) : quantity.start].lower().strip() == "that"  # "said that 40 percent"
    bound = PATTERNS["bound"].search(text, max(0, quantity.start - 16), quantity.start)
    lasting = PATTERNS["lasting"].search(text, 0, quantity.start)
    if (quantity.determined and not (definite or owned or told or bound or lasting)) or quantity.value == 1:
        return None
    if quantity.bound == "not" or (quantity.bound != "bare" and bound is None):
        return None  # bounded behind, on both sides, or by words that leave it open
    unit = PATTERNS["unit"].match(text, quantity.end)
    kind: SpotKind = quantity.unit or ("measure" if unit and unit[1] in CONVERSIONS else "count")
    if definite:
        kind = "definite"
    start = bound.start() if bound else quantity.start
    bounded = (
        _BOUNDS[" ".join(bound.group().lower().split())]
        if bound
        else "only"
        if owned or definite or lasting
        else "exact"
    )
    share = quantity.unit == "percent" and quantity.value < 100
    total = PATTERNS["total"].match(text, quantity.end)
    most = (
        value_of(total[1]) if total and total[1].isalpha() else total and int(total[1].replace(",", ""))
    ) or LIMIT - 1
    near = bounded in ("about", "nearly")
    converted = PATTERNS["converted"].match(text, quantity.end)
    spot = QuantitySpot(
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
            _is_counted(text, quantity, kind),
            bound.group().strip() if bound and bounded not in ("above", "below", "most") else "",
        ),
        unit=unit[1] if unit and kind == "measure" else "",
        follows_at=bool(unit and unit[1] in WORDS["measured"]) and text[:start].lower().endswith((" at ", " in ")),
    )
    if converted is None or not (converted[1] or quantity.unit == "money"):
        return spot
    kind, write = "money" if quantity.unit == "money" else "measure", partial(_write_measure, spot.write, converted[1])
    return spot._replace(kind=kind, text=text[start : converted.end()], write=write, unit="")


def _is_counted(text: str, quantity: Quantity, kind: SpotKind) -> bool:
    """True if people say "fewer" of it, and not "less", as they do of what has a unit or no noun: "a pH of 7"."""
    noun = PATTERNS["noun"].match(text, quantity.end)
    return kind == "count" and noun is not None and noun[1] not in WORDS["measured"] and "." not in quantity.number


def _write_measure(
    write: Callable[[Form, Decimal, Decimal], str], unit: str, form: Form, low: Decimal, high: Decimal
) -> str:
    """An amount without what it is in another unit."""
    return write(form, low, high) + unit


def _part_of_change(text: str, number: OtherNumber) -> Quantity | OtherNumber:
    """The number of a change: the 4 of "rose 4 percent to 60", the 60 or the 40 of "fell from 60 to 40"."""
    moving = PATTERNS["changes"].search(text, 0, number.start) if number.kind == "range" else None
    first, to, last = number.text.partition(" to ")
    if moving is None or not to:
        return number
    is_last = moving[1] is not None and not PATTERNS["falls"].search(text, 0, number.start)
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
    either = PATTERNS["either"].fullmatch(text[start : number.end])
    match = either or PATTERNS["range" if start < number.start else "from_to"].fullmatch(text[start : number.end])
    low, high = (find_quantities(match[1]), find_quantities(match[2])) if match else ([], [])
    if len(low) != 1 or len(high) != 1 or low[0].value >= high[0].value or low[0].form != high[0].form:
        return None
    quantity = high[0]
    if start == number.start and (low[0].unit not in ("", quantity.unit) or PATTERNS["moves"].search(text, 0, start)):
        return None  # "rose 4 percent to 15 dollars", "from 40 to 60"
    share = quantity.unit == "percent"
    if either and quantity.value != low[0].value + 1:
        return None
    write = _write_either if either else _write_range if start == number.start else _write_amount
    return QuantitySpot(
        kind="range",
        start=start,
        text=text[start : number.end],
        low=low[0].value,
        high=quantity.value,
        bounded="exact",
        step=max(round_unit(low[0].value), round_unit(quantity.value)),
        most=Decimal(99 if share else LIMIT - 1),
        write=partial(write, quantity, not quantity.unit, ""),
    )


def _write_either(quantity: Quantity, counts: bool, near: str, form: Form, low: Decimal, high: Decimal) -> str:
    """The forms of "three or four"."""
    if form == "between":
        return f"{render_quantity(quantity, low).removesuffix(quantity.suffix)} or {render_quantity(quantity, low + 1)}"
    return _write_amount(quantity, counts, near, form, low, high)


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
    for match in (*PATTERNS["on_day"].finditer(text), *PATTERNS["born"].finditer(text)):
        taken.append(match)
        month, day = match["month"] or match["Month"], int(match["day"] or match["Day"])
        month = _SHORT.get(month, month) if match["year"] else month
        written = WrittenDate(match[1], month, match["year"] or "", day, match["month"] is not None)
        yield _date_spot(match, "date", Decimal(day), written.write)
    for match in PATTERNS["in_month"].finditer(text):
        taken.append(match)
        month = _SHORT.get(match[2], match[2])
        written = WrittenDate(match[1], month, f" {match[3]}")
        yield _date_spot(match, "date", Decimal(MONTHS.index(month) + 1), written.write)
    for match in (*PATTERNS["in_year"].finditer(text), *PATTERNS["born_year"].finditer(text)):
        if not any(match.start() < other.end() and other.start() < match.end() for other in taken):
            yield _date_spot(match, "year", Decimal(match[2]), partial(_write_year, match[1]))
    for match in PATTERNS["work"].finditer(text):
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
        month, year = self.month if form == "plain" else _SHORT.get(self.month, self.month), self.year.replace(",", "")
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
    for match in PATTERNS["life"].finditer(text):
        years = Decimal(match[4]) - Decimal(match[2])
        if 15 < years < 100:
            yield _period_spot(match, "life", Decimal(match[2]), Decimal(0), (match[1], match[3], years))
    for match in PATTERNS["span"].finditer(text):
        years = Decimal(match[6]) - Decimal(match[3])
        if 0 < years < 150 and (match[1].lower() == "between") == (match[4] == "and"):
            kind: SpotKind = "decade" if match[4] == "and" else "span"
            parts = (f"{match[1]} {match[2]}", f" {match[4]} {match[5]}", years)
            yield _period_spot(match, kind, Decimal(match[3]), years, parts)
    for match in PATTERNS["since"].finditer(text):
        spot = _period_spot(match, "since", Decimal(match[3]), Decimal(0), (f"{match[1]} {match[2]}", match[4], None))
        yield spot._replace(step=Decimal(10)) if match[4] else spot
    for match in PATTERNS["decade"].finditer(text):
        before = f"{match[1]} the {match[2] or ''}"
        yield _period_spot(match, "decade", Decimal(match[3]), Decimal(9), (before, "s", None))
    for match in PATTERNS["century"].finditer(text):
        first, write = Decimal(100 * int(match[2]) - 99), partial(_write_century, match[1])
        kind = "decade" if match[1].lower().startswith("in") else "since"
        yield QuantitySpot(kind, match.start(), match[0], first, first + 99, "exact", Decimal(100), first, write)


def _write_century(before: str, _form: Form, low: Decimal, _high: Decimal) -> str:
    return f"{before}{'' if before.endswith('-') else ' '}{write_ordinal(int(low) // 100 + 1)} century"


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
    votes, scores = list(PATTERNS["votes"].finditer(text)), list(PATTERNS["score"].finditer(text))
    found = votes or scores
    if len(found) != 1 or (not votes and WORDS["results"].isdisjoint(text.lower().split())):
        return
    match = found[0]
    one, other = int(match[1]), int(match[3])
    if (votes or one < 200) and one >= other:
        write = partial(_write_score, match[2], other if one > other else None)
        value = Decimal(one)
        yield QuantitySpot("score", match.start(), match[0], value, value, "exact", Decimal(1), Decimal(999), write)


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
    patterns = ("place", "ranked", "rank_in_life", "rank_of_most", "rank_of_round")
    for match in (match for name in patterns for match in PATTERNS[name].finditer(text)):
        if match.start(1) in taken:
            continue
        taken.add(match.start(1))
        if match[1] in ORDINALS:
            value = Decimal(ORDINALS.index(match[1]) + 1)
            yield _ordinal_spot(match, value, lambda _form, low, _high: ORDINALS[int(low) - 1], most=8)
        else:
            value = Decimal(match[1][:-2])
            yield _ordinal_spot(
                match, value, lambda _form, low, _high: write_ordinal(int(low)), most=60 if value <= 60 else 99
            )


def _write_alike(like: str, _form: Form, low: Decimal, _high: Decimal) -> str:
    return f"{low:f}" if like[0].isdigit() else spell_number(int(low), like)


def write_ordinal(number: int) -> str:
    """An ordinal in digits: 21st, 12th."""
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _compounds(text: str) -> Iterator[QuantitySpot]:
    """A number joined to a noun, as in "a 15-year sentence", which can't be bounded."""
    for match in PATTERNS["compound"].finditer(text):
        if PATTERNS["many"].match(text, match.end()) and not PATTERNS["determined"].search(text, 0, match.start()):
            continue  # "four-year colleges" are not all colleges
        value = Decimal(match[1].replace(",", "") if match[1][0].isdigit() else value_of(match[1]) or 0)
        write = partial(_write_compound, match[1], f"{match[2] or ''}-")
        most = Decimal(99 if text.startswith("year-old", match.end()) else LIMIT - 1 if "," in match[1] else 999)
        yield QuantitySpot("compound", match.start(), match[0], value, value, "only", round_unit(value), most, write)
    for match in PATTERNS["priced"].finditer(text):
        amounts = find_quantities(match[1])
        if len(amounts) == 1 and amounts[0].text == match[1]:
            value, write = amounts[0].value, partial(_write_amount, amounts[0], False, "")
            most = Decimal(99 if amounts[0].unit == "percent" and value < 99 else LIMIT - 1)
            step = round_unit(value)
            yield QuantitySpot("compound", match.start(1), match[1], value, value, "exact", step, most, write)


def _write_compound(like: str, rest: str, _form: Form, low: Decimal, _high: Decimal) -> str:
    if like[0].isdigit():
        return f"{low:,f}{rest}" if "," in like else f"{low:f}{rest}"
    return f"{spell_number(int(low), like)}{rest}"


def _fractions(text: str) -> Iterator[QuantitySpot]:
    """A fraction of something known, as in "more than half of the members"."""
    for match in PATTERNS["fraction"].finditer(text):
        written = match[2].lower().replace("-", " ").replace("one ", "a ")
        value = _FRACTIONS[written]
        bounded = _BOUNDS[" ".join(match[1].lower().split())] if match[1] else "exact"
        near = match[1].lower() if match[1] and bounded not in ("above", "below", "most") else ""
        write = partial(_write_fraction, near)
        yield QuantitySpot("fraction", match.start(), match[0], value, value, bounded, Decimal(1), Decimal(1), write)


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
