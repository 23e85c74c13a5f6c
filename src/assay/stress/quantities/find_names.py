"""Numbers that name something or say when it was, of which another one is not excluded, but does not follow either."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from assay.language.resources.data import load_patterns
from assay.language.text.analysis import Tagged, analyse
from assay.stress.quantities.find_spots import write_ordinal

PATTERNS = load_patterns(__file__)

YEARS = 12
"""The farthest other year."""
HOURS, NEAR = 5, 4
"""The farthest other hour and century."""
APART = 10
"""The nearest other minute."""
NEWEST = 2025
SHORTEST = 6
"""Tokens of a description without a verb, at least: fewer are a heading."""
SMALL = 12
"""Up to this number, series such as chapters and grades have nearly all of their numbers."""
FINITE = {"VBD", "VBZ", "VBP", "MD"}
AFTER_NAME = {"VBD", "VBZ", "MD", "IN", "TO", "WDT", "WP", "CC", ".", ",", ":", ")", "POS", "NNP", "RB"}
"""Tags behind a number that ends a name: elsewhere, it may count what follows."""


NameKind = Literal["name", "time", "larger"]


class NameSpot(NamedTuple):
    """A number in a name or a time, and other numbers that fit there."""

    kind: NameKind
    start: int
    text: str
    others: tuple[str, ...]


def find_names(text: str) -> list[NameSpot]:
    """The numbers of names and times, in the statements of a text.

    >>> [(spot.kind, spot.text) for spot in find_names("Under section 330, Ada raced at the 2008 Olympics on 3 May.")]
    [('name', '330'), ('name', '2008'), ('time', '3')]
    """
    if not PATTERNS["digit"].search(text):
        return []
    tokens = analyse(text)
    stated = {token.sentence for token in tokens if token.tag in FINITE}
    stated |= {token.sentence for i, token in enumerate(tokens) if token.text == "." and i > SHORTEST}
    known = Counter(PATTERNS["digits"].findall(text))
    spots: dict[int, NameSpot] = {}
    for kind, match, others in (*_find_times(text), *_find_names(text, tokens)):
        start, own = match.start("n"), PATTERNS["digits"].findall(match["n"])
        at = next((token.sentence for token in tokens if token.start <= start < token.end), None)
        fitting = tuple(new for new in others if known.keys().isdisjoint({*PATTERNS["digits"].findall(new)} - {*own}))
        if at in stated and fitting and any(known[part] == 1 for part in own):
            spots.setdefault(start, NameSpot(kind, start, match["n"], fitting))
    return sorted(spots.values(), key=lambda spot: spot.start)


Place = tuple[NameKind, re.Match[str], list[str]]
"""The match of a pattern, and other numbers that fit there."""


def _find_times(text: str) -> Iterator[Place]:
    by_week = PATTERNS["weekday"].search(text) is not None
    for match in (*_unordered("day_behind", text), *_unordered("day_before", text)):
        yield "time", match, _other_days(match["n"], by_week=by_week)
    for name in ("year_of_month", "year_alone", "year_behind"):
        for match in _unordered(name, text):
            yield "time", match, _other_years(match["n"])
    for match in _unordered("decade", text):
        yield "time", match, [f"{year}s" for year in _other_years(match["n"][:-1], 10, most=40)]
    for match in _unordered("century", text):
        centuries = range(5, NEWEST // 100 + 2)
        yield "time", match, [write_ordinal(n) for n in centuries if 0 < abs(n - int(match["n"][:-2])) <= NEAR]
    for match in _unordered("day_alone", text):
        yield "time", match, [write_ordinal(int(day)) for day in _other_days(match["n"][:-2], by_week=by_week)]
    for match in PATTERNS["by_year"].finditer(text):  # what is so by one time need not be so by an earlier one
        yield "time", match, [year for year in _other_years(match["n"]) if year < match["n"]]
    for match in PATTERNS["by_day"].finditer(text):
        yield "time", match, [day for day in _other_days(match["n"], by_week=by_week) if int(day) < int(match["n"])]
    for match in _unordered("minute", text):
        yield "time", match, _other_minutes(match["n"])
    for match in PATTERNS["clock"].finditer(text):
        yield "time", match, [str(hour) for hour in range(1, 12) if 0 < abs(hour - int(match["n"])) < HOURS]
    for match in PATTERNS["age"].finditer(text):
        yield "time", match, _other_numbers(match["n"])


def _find_names(text: str, tokens: Sequence[Tagged]) -> Iterator[Place]:
    tags = {token.start: token.tag for token in tokens}
    step = 10 if PATTERNS["every_ten"].search(text) else 4 if PATTERNS["every_four"].search(text) else 1
    for match in PATTERNS["year_in_brackets"].finditer(text):
        yield "name", match, _other_years(match["n"])
    for match in _unordered("year_of_name", text):
        if tags.get(match.start("noun"), "") in ("NN", "NNP", "NNPS", "JJ", "VBG"):
            yield "name", match, _other_years(match["n"], step)
    for match in _unordered("ordinal", text):
        yield "name", match, [write_ordinal(other) for other in _others_near(int(match["n"][:-2]))]
    for match in _unordered("labelled", text):
        noun = tags.get(match.start(), "NN")[:2] in ("NN", "JJ") or match[0][0].isupper()
        graded = PATTERNS["graded"].match(match[0]) or match[0][0].isupper()
        if noun and (graded or tags.get(_next_word(text, match)) != "NNS"):
            yield "name", match, _other_numbers(match["n"])
    called = [match for match in _unordered("called", text) if tags.get(match.start("noun")) in ("NNP", "JJ")]
    for match in called if len(called) == 1 else ():
        if tags.get(_next_word(text, match), ".") in AFTER_NAME:
            year = PATTERNS["year"].fullmatch(match["n"])
            yield "name", match, _other_years(match["n"], step) if year else _other_numbers(match["n"])


def _unordered(name: str, text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern that words before them do not put in an order: "before the 2008 Olympics"."""
    for match in PATTERNS[name].finditer(text):
        dated = name.startswith(("day", "year", "decade", "minute")) or PATTERNS["year"].fullmatch(match["n"])
        end = match.start("n") if name == "year_of_name" else match.start()
        if not PATTERNS["ordered_time" if dated else "ordered"].search(text, 0, end):
            yield match


def _next_word(text: str, match: re.Match[str]) -> int:
    """Where the next token begins."""
    rest = text[match.end("n") :]
    return match.end("n") + len(rest) - len(rest.lstrip())


def _other_days(day: str, *, by_week: bool) -> list[str]:
    """Other days of the month, on the same day of the week if that is named."""
    return [str(other) for other in range(2, 29) if other != int(day) and not (by_week and (other - int(day)) % 7)]


def _other_minutes(time: str) -> list[str]:
    """Other minutes of the same hour, as round, and not so near that one is the other, rounded."""
    hour, minute = time.split(":")
    step = next(step for step in (30, 15, 5, 1) if int(minute) % step == 0)
    return [f"{hour}:{other:02}" for other in range(0, 60, step) if abs(other - int(minute)) >= APART]


def _other_years(year: str, step: int = 1, *, most: int = YEARS) -> list[str]:
    """Years of the same century, so that the article before them fits."""
    near = range(int(year) - most // step * step, min(int(year) + most, NEWEST) + 1, step)
    return [str(other) for other in near if other != int(year) and other // 100 == int(year) // 100]


def _other_numbers(number: str) -> list[str]:
    """Other numbers of the same form; of "4.2" and "4-2", the last part changes."""
    start = max(number.rfind("."), number.rfind("-")) + 1
    return [f"{number[:start]}{other}" for other in _others_near(int(number[start:]))]


def _others_near(number: int) -> list[int]:
    if number <= SMALL:
        return [other for other in range(max(1, number - 3), max(4, number + 2)) if other != number]
    step = 100 if number % 100 == 0 else 10 if number % 10 == 0 and number >= 100 else 1
    near = range(number - SMALL * step, number + SMALL * step + 1, step)
    return [other for other in near if other != number and other > 1 and len(str(other)) == len(str(number))]
