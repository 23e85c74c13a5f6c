"""Quantities: the numbers and dates of real claims, as a fact checker meets them."""

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import combinations
from random import Random
from typing import ClassVar, NamedTuple

from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.language.numbers.number_words import LARGE, value_of
from assay.language.numbers.quantities import find_numbers
from assay.language.text.tokens import TextCache
from assay.language.words.inflection import article_for
from assay.stress.across.join_edits import AcrossSwitch
from assay.stress.quantities.check import BIG, LEAST_APART, QuantitiesCheck
from assay.stress.quantities.find_larger import find_larger
from assay.stress.quantities.find_names import NameSpot, find_names
from assay.stress.quantities.find_spots import CONVERSIONS, Form, QuantitySpot, find_spots, fractions_beside
from assay.stress.quantities.number_claims import (
    doubt_of_claim,
    doubt_of_date,
    doubt_of_period,
    doubt_of_rank,
    names_event,
)

E, C, N = Label.ENTAILMENT, Label.CONTRADICTION, Label.NEUTRAL
YEARS = 25
"""The farthest other year."""
MOST_RESTATED = 60
"""The largest measure in another unit: people say "48 hours" of two days, but not "64,000 centimetres"."""
FEWEST = 2
"""Nobody writes "fewer than two men", or "between two and three men"."""
FEW = 4
"""Decimals from this on are bounded by whole numbers."""
CROWD = 10
"""The smallest count for which people give a range."""
MOST_APART = 20
"""Numbers that are farther apart are not exchanged: nobody employs 890,000 people to make 125 cars."""
MOST_OPEN = 2
"""The largest number of changes of a claim that leave it open."""
AMOUNTS = ("count", "definite", "money", "percent", "measure", "range", "fraction")
_SIGN = re.compile(r"^[A-Z]{0,3}[$\u00a3\u20ac] ?")
_SAME_YEAR = re.compile(r",?\s+the\s+(?:same\s+)?year\b")
"""Continuations that fit "in 1984" but not "before 1990"."""
OWN_PREMISE = 0.2
"""How often the entailed and the contradictory case keep the premise, which the neutral case must change."""


class Quantities(AcrossSwitch, frozen=True, kw_only=True):
    """Changes, bounds, restates or exchanges numbers and dates of the premise; the label follows from them.

    >>> pair = Pair(id="1", premise="The flood destroyed 400 homes.", hypothesis="", label=Label.ENTAILMENT)
    >>> for edit in Quantities()(pair, Random(1)):
    ...     print(edit.label.value, *edit.apply(pair), sep=" | ")
    contradiction | The flood destroyed 400 homes. | The flood destroyed 700 homes.
    entailment | The flood destroyed between 300 and 800 homes. | The flood destroyed more than 200 homes.
    contradiction | The flood destroyed between 300 and 800 homes. | The flood destroyed more than 1,000 homes.
    neutral | The flood destroyed between 300 and 800 homes. | The flood destroyed more than 700 homes.
    """

    family: ClassVar[str] = "quantities"
    check: ClassVar[type[Check]] = QuantitiesCheck
    per_premise: ClassVar[int] = 4
    balanced: ClassVar[bool] = True
    on_request: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("tagger", "wordnet")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        return self._edits(pair.premise, rng, crossing=False)

    def claim_edits(self, claim: Pair, rng: Random) -> list[Edit] | Skip:
        """Edits of a claim; since its evidence stays, one side is always the original claim."""
        edits = self._edits(claim.premise, rng, crossing=True)
        if not isinstance(edits, Skip) or claim.label is not E:
            return edits
        spots = [*find_names(claim.premise), *find_larger(claim.premise)]
        return [_renamed(spot, rng) for spot in rng.sample(spots, min(MOST_OPEN, len(spots)))] or edits

    def _edits(self, text: str, rng: Random, *, crossing: bool) -> list[Edit] | Skip:
        spots = _changeable(text)
        if isinstance(spots, Skip):
            return spots
        if crossing:  # another date is often not excluded, so that a number is the better choice
            spots = tuple(spot for spot in spots if spot.kind not in ("year", "date")) or spots
        ways: list[list[Edit]] = [edits for spot in spots if (edits := _changed(spot, rng, crossing=crossing))]
        ways += [edits for spot in spots if (edits := _restated(text, spot, rng))]
        ways += [[_exchanged(*two)] for two in combinations(spots, 2) if _can_exchange(*two)]
        return rng.choice(ways) if ways else Skip("no other value fits in place of the number")


@TextCache
def _changeable(text: str) -> tuple[QuantitySpot, ...] | Skip:
    """The spots that nothing speaks against, or the first reason."""
    found = find_spots(text)
    doubts = [_doubt_of_spot(text, spot) for spot in found]
    spots = tuple(spot for spot, doubt in zip(found, doubts, strict=True) if doubt is None)
    alone = (spot._replace(alone=True) for spot in found if spot.kind in AMOUNTS)
    spots = tuple(
        spot._replace(alone=True)
        if _SAME_YEAR.match(text, spot.end) or (spot.kind == "year" and names_event(text, spot.start, spot.end))
        else spot
        for spot in spots
    )
    return (
        spots
        or tuple(spot for spot in alone if _doubt_of_spot(text, spot) is None)
        or next((doubt for doubt in doubts if doubt), Skip("no number or date that can be changed"))
    )


def _doubt_of_spot(text: str, spot: QuantitySpot) -> Skip | None:
    if spot.kind in ("year", "date"):
        return doubt_of_date(text, spot.start, spot.end, excludes=False)
    if spot.kind == "decade":
        return doubt_of_date(text, spot.start, spot.end, excludes=True)
    if spot.kind in ("since", "span"):
        return doubt_of_period(text, spot.start, spot.end)
    if spot.kind in ("ordinal", "work", "life", "compound", "score"):
        return doubt_of_rank(text, spot.start, spot.end)
    last = re.split(r"[\s-]", spot.text)[-1]
    with_unit = spot.kind == "range" and not last[-1].isdigit() and value_of(last) is None
    measured = spot.kind in ("money", "percent", "fraction") or with_unit or last[-1] == ")"
    return doubt_of_claim(text, spot.start, spot.end, measured=measured, big=spot.high >= BIG, alone=spot.alone)


class Points(NamedTuple):
    """Round values on both sides of a spot's value, nearest first."""

    below: list[Decimal]
    above: list[Decimal]


def _renamed(spot: NameSpot, rng: Random) -> Edit:
    """Another number of a name or a time, or a larger one: it may be true as well, but does not follow."""
    return Edit(
        label=Label.NON_ENTAILMENT,
        premise_from="premise",
        hypothesis_from="premise",
        hypothesis=(Replacement(spot.start, spot.text, rng.choice(spot.others)),),
        group={"quantity": spot.kind},
    )


def _changed(spot: QuantitySpot, rng: Random, *, crossing: bool) -> list[Edit]:
    """Another value, and a bound of each label in the same words, so that no word gives the label away."""
    if spot.kind in ("date", "ordinal"):
        return _other_dates(spot, rng)
    if spot.kind in ("life", "span", "since", "decade", "score"):
        return _other_periods(spot, rng)
    if spot.kind == "work":
        return _other_works(spot, rng)
    edits = []
    if (other := _other_value(spot, _points(spot, rng, spot.step), rng)) is not None:
        edits.append(_edit(spot, C, hypothesis=other))
    if spot.bounded == "only" or spot.kind == "compound" or spot.alone or spot.follows_at:
        return edits
    points = _points(spot, rng, _bound_step(spot))
    if spot.bounded == "most":
        return [_edit(spot, C, hypothesis=_one(spot, "above", points.above[0]))] if points.above else []
    if spot.bounded in ("above", "below"):
        return edits + _moved_bounds(spot, points, rng)
    if spot.kind == "fraction" and not (points.below and points.above):
        beside = (points.below or points.above)[0]
        true: Form = "above" if points.below else "below"
        false: Form = "below" if points.below else "above"
        return [
            *edits,
            _edit(spot, E, hypothesis=_one(spot, true, beside)),
            _edit(spot, C, hypothesis=_one(spot, false, beside)),
        ]
    if rng.random() < 0.25 and (ranges := _ranges(spot, points, rng)):
        return edits + ranges
    if not points.below or not points.above:
        return edits
    return edits + _bounds(spot, points, rng, crossing=crossing)


def _bounds(spot: QuantitySpot, points: Points, rng: Random, *, crossing: bool) -> list[Edit]:
    """An entailed, an excluded and an open bound, all above or all below."""
    form: Form = rng.choice(("above", "below"))
    if _is_count(spot) and points.below[-1] <= FEWEST:
        form = "above"
    if points.above[0] >= spot.most:
        form = "below"  # nobody writes "more than nine of the nine"
    near = points.below[0], points.above[0]
    inside, outside = near if form == "above" else near[::-1]
    about = spot.kind == "range" or spot.bounded in ("about", "nearly")
    # nobody writes "between one hundred and ten and three hundred"
    spelled = (value_of(spot.text) or 0) > CROWD * CROWD
    wide = len(points.below) > 1 and len(points.above) > 1 and not spelled
    own = crossing or about or not wide or rng.random() < OWN_PREMISE
    edits = []
    if own:
        edits = [
            _edit(spot, E, hypothesis=_one(spot, form, inside)),
            _edit(spot, C, hypothesis=_one(spot, form, outside)),
        ]
    if spot.bounded == "nearly":
        return edits
    if about:
        middle = (spot.low + spot.high) / 2 if spot.kind == "range" else spot.low / Decimal("0.8")
        return [*edits, _edit(spot, N, hypothesis=_one(spot, form, middle))] if middle % spot.step == 0 else edits
    if crossing or not wide:
        return edits
    given = spot.write("between", *near)
    if not own:
        inside, outside = (points.below[1], points.above[1]) if form == "above" else (points.above[1], points.below[1])
        edits.append(_edit(spot, E, premise=given, hypothesis=_one(spot, form, inside)))
        edits.append(_edit(spot, C, premise=given, hypothesis=_one(spot, form, outside)))
    step = _bound_step(spot)
    round_values = range(_steps(near[0], step, up=False) + 1, _steps(near[1], step, up=True))
    middle = rng.choice(round_values) * step if round_values else spot.low
    return [*edits, _edit(spot, N, premise=given, hypothesis=_one(spot, form, middle))]


def _is_count(spot: QuantitySpot) -> bool:
    return spot.kind in ("count", "range") and spot.text[-1] != "%"


def _moved_bounds(spot: QuantitySpot, points: Points, rng: Random) -> list[Edit]:
    """From "more than 40", "more than 30" follows; "less than 30" is excluded; "more than 60" is possible."""
    if not points.below or not points.above:
        return []
    opposite: Form = "below" if spot.bounded == "above" else "above"
    form: Form = opposite if rng.random() < 0.7 or spot.bounded not in ("above", "below") else spot.bounded
    inside, outside = (points.below[0], points.above[0]) if form == "above" else (points.above[0], points.below[0])
    if spot.bounded == form:
        return [
            _edit(spot, E, hypothesis=_one(spot, form, inside)),
            _edit(spot, N, hypothesis=_one(spot, form, outside)),
        ]
    return [_edit(spot, C, hypothesis=_one(spot, form, outside)), _edit(spot, N, hypothesis=_one(spot, form, inside))]


def _ranges(spot: QuantitySpot, points: Points, rng: Random) -> list[Edit]:
    """A range that contains the value, and one that does not."""
    others = [two for two in (points.above, points.below[::-1]) if len(two) == 2]
    if spot.kind == "percent":  # as people write them: between 80 and 90
        start = Decimal(int(spot.low) // 10 * 10)
        others = [[Decimal(low), Decimal(low + 10)] for low in range(10, 90, 10) if abs(low - start) in (20, 30)]
        around = (start, start + 10) if 10 <= start < 90 and spot.low not in (start, start + 10) else None
    else:
        around = (points.below[0], points.above[0]) if points.below and points.above else None
    spelled = (value_of(spot.text) or 0) > CROWD * CROWD
    few = spot.kind == "count" and spot.high < CROWD
    if not others or around is None or spelled or spot.bounded != "exact" or few:
        return []
    beside = rng.choice(others)
    return [_edit(spot, label, hypothesis=spot.write("between", *two)) for label, two in ((E, around), (C, beside))]


def _one(spot: QuantitySpot, form: Form, value: Decimal) -> str:
    return spot.write(form, value, value)


def _other_dates(spot: QuantitySpot, rng: Random) -> list[Edit]:
    """Another day, month or place, and the month or year that a date implies."""
    is_day = spot.kind == "date" and _one(spot, "plain", spot.low).lower().startswith(("on", "born"))
    most = 28 if is_day else int(spot.most)
    values = [value for value in range(2, most + 1) if value != spot.low and abs(value - spot.low) <= most // 2]
    if spot.article:
        values = [value for value in values if article_for(_one(spot, "plain", Decimal(value))) == spot.article]
    if not values:
        return []
    edits = [_edit(spot, C, hypothesis=_one(spot, "plain", Decimal(rng.choice(values))))]
    if is_day or (spot.kind == "date" and spot.text[-4:].isdigit()):
        edits.append(_edit(spot, E, hypothesis=_one(spot, "above", spot.low)))
        edits.append(_edit(spot, C, hypothesis=_one(spot, "below", Decimal(rng.randint(1, 11)))))
    return edits


def _other_periods(spot: QuantitySpot, rng: Random) -> list[Edit]:
    """Other years that the text does not mention, or a higher score."""
    if spot.kind == "score":
        values = [spot.low + more for more in range(1, max(4, int(spot.low) // 4))]
    else:
        near, step = int(spot.high - spot.low) + 2, int(spot.step)
        ends = range(0 if spot.text[0] in "uU" else -(near + YEARS) // step * step, near + YEARS + 1, step)
        values = [spot.low + apart for apart in ends if abs(apart) > near and spot.low + apart <= spot.most]
    return [_edit(spot, C, hypothesis=_one(spot, "plain", rng.choice(values)))] if values else []


def _other_works(spot: QuantitySpot, rng: Random) -> list[Edit]:
    """Another year, the decade of the year, and another decade."""
    points = _points(spot, rng, Decimal(1))
    year = rng.choice([*points.below, *points.above])
    decade = spot.low + rng.choice((-20, -10)) if spot.low > 1900 else spot.low + 20
    texts: list[tuple[Label, Form, Decimal]] = [(C, "plain", year), (E, "above", spot.low), (C, "above", decade)]
    if spot.text[0].lower() != "a":  # nobody writes "his 1940s paper"
        texts = texts[:1]
    return [_edit(spot, label, hypothesis=_one(spot, form, value)) for label, form, value in texts]


def _bound_step(spot: QuantitySpot) -> Decimal:
    """The unit of bounds: people say "more than 1,200", not "more than 1,158", and "before 1965"."""
    if spot.kind == "year":
        return Decimal(5)
    if spot.step < 1 and spot.low >= FEW:
        return Decimal(1)  # nobody writes "more than 4.01"
    return max(spot.step, Decimal(1).scaleb(spot.low.adjusted() - 1) if spot.low >= 10 else spot.step)


def _points(spot: QuantitySpot, rng: Random, step: Decimal) -> Points:
    """Two values on each side at most, drawn from those that are multiples of a step; one if it is a fraction."""
    if spot.kind == "fraction":
        near = "about" in spot.write("plain", spot.low, spot.low) or spot.bounded in ("about", "nearly")
        below, above = fractions_beside(spot.low, near=near)
        return Points(below[:1], above[:1])
    if spot.kind in ("year", "work"):
        first, last = spot.low - YEARS, min(spot.high + YEARS, spot.most)
        lows = range(_steps(first, step, up=True), _steps(spot.low - 2, step, up=False) + 1)
        highs = range(_steps(spot.high + 2, step, up=True), _steps(last, step, up=False) + 1)
        return Points(_draw_two(lows, step, rng, down=True), _draw_two(highs, step, rng, down=False))
    least = Decimal(2) if spot.kind in ("count", "definite", "range", "measure") and step >= 1 else step
    first = max(spot.low * Decimal("0.4"), least)
    last = min(spot.high * Decimal("2.5"), spot.most)
    lows = range(_steps(first, step, up=True), _steps(spot.low * Decimal("0.86"), step, up=False) + 1)
    highs = range(_steps(spot.high * Decimal("1.16"), step, up=True), _steps(last, step, up=False) + 1)
    return Points(_draw_two(lows, step, rng, down=True), _draw_two(highs, step, rng, down=False))


def _steps(value: Decimal, step: Decimal, *, up: bool) -> int:
    return int((value / step).to_integral_value(ROUND_CEILING if up else ROUND_FLOOR))


def _draw_two(values: range, step: Decimal, rng: Random, *, down: bool) -> list[Decimal]:
    drawn = sorted(rng.sample(values, min(2, len(values))), reverse=down)
    return [value * step for value in drawn]


def _other_value(spot: QuantitySpot, points: Points, rng: Random) -> str | None:
    """The same form with another value: of counts a bigger one, because "3 hats" may mean at least 3."""
    if spot.bounded in ("above", "below", "most"):
        return None
    if spot.kind == "range":
        beside = next((two for two in (points.above, points.below[::-1]) if len(two) == 2), None)
        return spot.write("between", *beside) if beside else None
    bigger = spot.kind in ("count", "measure", "fraction") or spot.bounded != "exact"
    values = points.above if bigger else [*points.above, *points.below]
    if spot.bounded in ("about", "nearly"):
        values = [value for value in values if value > spot.high * Decimal("1.3")]
    if spot.text.rpartition(" ")[2].lower() in LARGE and rng.random() < 0.5 and spot.most > 100:
        scale = LARGE[spot.text.rpartition(" ")[2].lower()]
        far = Decimal(999 * scale)  # a slip of a digit or two in a number that few can picture
        if 4 * spot.high < far < 40 * spot.high:
            values = [far]
    return spot.write("plain", *[rng.choice(values)] * 2) if values else None


def _restated(text: str, spot: QuantitySpot, rng: Random) -> list[Edit]:
    """The same value written otherwise, and another one written so: in digits, or in a smaller unit."""
    if spot.bounded != "exact" or spot.alone or spot.kind not in ("count", "money", "measure"):
        return []
    points = _points(spot, rng, spot.step)
    if not points.above:
        return []
    other = points.above[0]
    if spot.unit in CONVERSIONS and spot.low > MOST_RESTATED:
        return []
    if spot.unit in CONVERSIONS:
        small, size = CONVERSIONS[spot.unit]
        if size < CROWD * CROWD and spot.low * size > MOST_RESTATED:
            return []  # nobody writes "1,560 minutes"
        start, end = spot.start, text.index(spot.unit, spot.end) + len(spot.unit)
        whole = text[start:end]
        texts = [f"{int(value * size):,} {small}" for value in (spot.low, other) if (value * size) % 1 == 0]
        if len(texts) < 2:
            return []
        return [
            Edit(
                label=label,
                premise_from="premise",
                hypothesis_from="premise",
                hypothesis=(Replacement(start, whole, written),),
                group={"quantity": "restated"},
            )
            for label, written in zip((E, C), texts, strict=True)
        ]
    words = spot.text.split()
    if words[-1].lower() in LARGE and spot.low >= 1_000_000 and spot.low % 1000 == 0:
        sign = spot.text.removesuffix(_SIGN.sub("", spot.text))
        written = [f"{sign}{int(value):,}" for value in (spot.low, other)]
    elif (value_of(spot.text) or 0) in range(3, 100) and spot.text.islower() and len(find_numbers(text)) == 1:
        written = [f"{value:f}" for value in (spot.low, other)]
    else:
        return []
    return [_edit(spot, label, hypothesis=new, kind="restated") for label, new in zip((E, C), written, strict=True)]


def _can_exchange(one: QuantitySpot, other: QuantitySpot) -> bool:
    same = one.kind == other.kind and one.unit == other.unit and one.bounded == other.bounded == "exact"
    same = same and not (one.alone or other.alone)
    low, high = sorted((one.low, other.low))
    apart = LEAST_APART * low <= high < MOST_APART * low
    return same and one.kind in ("count", "money", "percent", "measure") and apart


def _exchanged(one: QuantitySpot, other: QuantitySpot) -> Edit:
    """Two numbers of a sentence in each other's places."""

    def capital(like: str, text: str) -> str:
        return text[0].upper() + text[1:] if like[0].isupper() else text[0].lower() + text[1:]

    return Edit(
        label=C,
        premise_from="premise",
        hypothesis_from="premise",
        hypothesis=(
            Replacement(one.start, one.text, capital(one.text, other.text)),
            Replacement(other.start, other.text, capital(other.text, one.text)),
        ),
        group={"quantity": "exchanged"},
    )


def _edit(spot: QuantitySpot, label: Label, *, premise: str = "", hypothesis: str = "", kind: str = "") -> Edit:
    def change(new: str) -> tuple[Replacement, ...]:
        if not new:
            return ()
        cased = new[0].upper() + new[1:] if spot.starts or spot.text[:2].istitle() else new
        return (Replacement(spot.start, spot.text, cased),)

    return Edit(
        label=label,
        premise_from="premise",
        hypothesis_from="premise",
        premise=change(premise),
        hypothesis=change(hypothesis),
        group={"quantity": kind or spot.kind},
    )
