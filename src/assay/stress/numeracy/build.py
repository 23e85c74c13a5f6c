"""Numeracy (Naik et al. 2018): entailed, contradictory and neutral hypotheses from a premise with a quantity."""

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache, partial
from random import Random
from typing import ClassVar, Literal, NamedTuple

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check, Excerpting, Fidelity
from assay.language.numbers.number_words import LIMIT
from assay.language.numbers.quantities import Quantity, find_quantities, render_quantity, round_unit
from assay.language.text.tokens import TextCache
from assay.stress.fidelity import set_switches
from assay.stress.numeracy.balanced_comparisons import LESS, MORE, BoundedValue, NumberSpot, balanced_cases
from assay.stress.numeracy.check import NumeracyCheck
from assay.stress.numeracy.word_problems import Actors, PremiseSplitter, Questions, Rationale

Number = Literal["comparable", "random", "first-integer"]
Digits = Literal["near", "1-9", "1-8"]
Reading = Literal["careful", "exact"]
Phrases = Literal["balanced", "drawn"]
Spaces = Literal["keep", "single"]


class NumeracySwitches(NamedTuple):
    """The switches of a fidelity."""

    number: Number
    digits: Digits
    reading: Reading
    phrases: Phrases
    spaces: Spaces
    rationale: Rationale
    questions: Questions
    actors: Actors


SWITCHES: dict[Fidelity, NumeracySwitches] = {
    "strict": NumeracySwitches("comparable", "near", "careful", "balanced", "keep", "5-lines", "drop", "people"),
    "paper": NumeracySwitches("random", "1-9", "exact", "drawn", "keep", "3-sentences", "keep", "names"),
    "code": NumeracySwitches("first-integer", "1-8", "exact", "drawn", "single", "5-lines", "keep", "names"),
}

NO_QUANTITY = Skip("no quantity in the premise")
NO_INTEGER = Skip("no token of the premise is a whole number")
NOT_COMPARABLE = Skip("no quantity that can be compared")
NO_OTHER = Skip("no other value fits in place of the quantity")

_INTEGER = re.compile(r"(?<!\S)\+?([0-9]+)(?!\S)")
_START = re.compile(r"(?:^|[.!?]\s+)[\"'\u201c\u2018(]*$")
_GAP = re.compile(r"\s+")
_LEAST, _MOST = Decimal("0.4"), Decimal("2.5")
_TRIES = 8


class Numeracy(msgspec.Struct, frozen=True, kw_only=True):
    """Changes or limits one quantity of the premise; the label follows from the two quantities.

    >>> pair = Pair(id="1", premise="Ada sold 40 hats.", hypothesis="Ada sells.", label=Label.ENTAILMENT)
    >>> for edit in Numeracy()(pair, Random(3)):
    ...     print(edit.label.value, *edit.apply(pair), sep=" | ")
    entailment | Ada sold more than 60 hats. | Ada sold more than 30 hats.
    contradiction | Ada sold less than 30 hats. | Ada sold more than 30 hats.
    neutral | Ada sold more than 30 hats. | Ada sold more than 100 hats.
    """

    fidelity: Fidelity = "strict"
    """Our best, what the paper says, or what the released code does."""
    number: Number | None = None
    """The number that is changed: a random one that nothing limits yet, any random one, or the first bare integer."""
    digits: Digits | None = None
    """The new value: near the old one and equally round, or with another leading digit, from 1 to 9 or from 1 to 8."""
    reading: Reading | None = None
    """Avoid, in contradictions of counts, what holds if "3 hats" means at least 3, or not."""
    phrases: Phrases | None = None
    """Balance "more than" and "less than" over the labels, or draw them as in the original."""
    spaces: Spaces | None = None
    """Keep the changed text's white space, or use single blanks."""
    rationale: Rationale | None = None
    """The longest rationale of a problem, where the corpus holds problems."""
    questions: Questions | None = None
    """Drop or keep sentences of problems that ask."""
    actors: Actors | None = None
    """Who must be mentioned in a sentence of a problem: people by any noun, or somebody or something with a name."""

    family: ClassVar[str] = "numeracy"
    check: ClassVar[type[Check]] = NumeracyCheck
    excerpt: ClassVar[Excerpting] = "provable"
    distinct: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("tagger", "wordnet")

    def splitter(self) -> PremiseSplitter:
        """The splitter that makes premises of problems."""
        switches = set_switches(self, SWITCHES)
        return PremiseSplitter(switches.rationale, switches.questions, switches.actors)

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        switches = _resolve_switches(self)
        spot = _find_spot(pair.premise, switches.number, rng)
        if isinstance(spot, Skip):
            return spot
        if switches.phrases == "balanced":
            return _balanced_edits(pair.premise, spot, switches, rng)
        return _drawn_edits(pair.premise, spot, switches, rng)


@lru_cache(maxsize=64)
def _resolve_switches(transform: Numeracy) -> NumeracySwitches:
    return set_switches(transform, SWITCHES)


def _balanced_edits(text: str, spot: NumberSpot, switches: NumeracySwitches, rng: Random) -> list[Edit] | Skip:
    """Cases in which either side may have a comparison, and no phrase predicts a label."""
    drawn = (_other_value(spot, switches.digits, rng, bigger=bigger) for bigger in (False, True, False, True))
    others = [value for value in drawn if value is not None]
    if spot.value + 2 * spot.step <= spot.most:
        others.append(spot.value + 2 * spot.step)  # of two things, few other numbers can be drawn
    sides = balanced_cases(spot, others, rng, careful=switches.reading == "careful")
    if sides is None:
        return NO_OTHER
    spaces = [] if switches.spaces == "keep" else _single_blanks(text)

    def changes(of: BoundedValue) -> tuple[Replacement, ...]:
        written = spot.limited(of.phrase, spot.text if of.value == spot.value else spot.write(of.value))
        return _make_replacements(spot, written, spaces) if written != spot.text else ()

    return [
        Edit(
            label=label,
            premise_from="premise",
            hypothesis_from="premise",
            premise=changes(each.premise),
            hypothesis=changes(each.hypothesis),
            facts={"quantity": spot.text, "value": f"{spot.value:f}"},
        )
        for label, each in sides.items()
    ]


def _drawn_edits(text: str, spot: NumberSpot, switches: NumeracySwitches, rng: Random) -> list[Edit] | Skip:
    """Cases as the paper makes them: an entailment, a contradiction, and the entailed pair with its sides exchanged."""
    entailed = _entailed_phrase(spot, switches, rng)
    # The paper draws a quantity for each hypothesis; in strict mode, both hypotheses are about the same one.
    other = _find_spot(text, "random", rng) if switches.number == "random" else spot
    assert isinstance(other, NumberSpot)
    contradictory = _contradictory_phrase(other, switches, rng)
    if entailed is None or contradictory is None:
        return NO_OTHER
    spaces = [] if switches.spaces == "keep" else _single_blanks(text)
    changed, contrary = _make_replacements(spot, entailed, spaces), _make_replacements(other, contradictory, spaces)
    make = partial(Edit, premise_from="premise", hypothesis_from="premise")
    return [
        make(label=Label.ENTAILMENT, hypothesis=changed, facts=_make_facts(spot, entailed)),
        make(label=Label.CONTRADICTION, hypothesis=contrary, facts=_make_facts(other, contradictory)),
        make(label=Label.NEUTRAL, premise=changed, facts=_make_facts(spot, entailed)),
    ]


def _find_spot(text: str, number: Number, rng: Random) -> NumberSpot | Skip:
    if number == "first-integer":
        token = _INTEGER.search(text)
        if token is None:
            return NO_INTEGER
        return NumberSpot(
            start=token.start(),
            text=token.group(),
            value=Decimal(token[1]),
            step=Decimal(1),
            most=Decimal("Infinity"),
            starts=False,
            counts=True,
            write="{:f}".format,
        )
    candidates = _find_quantities(text)
    if not candidates:
        return NO_QUANTITY
    if number == "comparable":
        candidates = [
            each for each in candidates if each.bound == "bare" and not each.determined and _keeps_agreement(each)
        ]
        if not candidates:
            return NOT_COMPARABLE
    chosen = rng.choice(candidates)
    is_share = chosen.unit == "percent" and chosen.value < 100
    return NumberSpot(
        start=chosen.start,
        text=chosen.text,
        value=chosen.value,
        step=round_unit(chosen.value),
        most=Decimal(99 if is_share else LIMIT - 1),
        starts=_START.search(text, max(0, chosen.start - 8), chosen.start) is not None,
        counts=not chosen.unit,
        write=partial(render_quantity, chosen),
    )


@TextCache
def _find_quantities(text: str) -> list[Quantity]:
    return find_quantities(text)


def _keeps_agreement(quantity: Quantity) -> bool:
    """True if the words after the quantity suit another value as well; "one hat" does not."""
    return quantity.value != 1 or bool(quantity.prefix) or quantity.unit == "percent"


def _entailed_phrase(spot: NumberSpot, switches: NumeracySwitches, rng: Random) -> str | None:
    ways = [True, False]
    rng.shuffle(ways)
    for bigger in ways:
        value = _other_value(spot, switches.digits, rng, bigger=bigger)
        if value is not None:
            return spot.limited(LESS if value > spot.value else MORE, spot.write(value))
    return None


def _contradictory_phrase(spot: NumberSpot, switches: NumeracySwitches, rng: Random) -> str | None:
    careful = switches.reading == "careful" and spot.counts
    if rng.random() < 0.5:
        return spot.limited(LESS if careful or rng.random() < 0.5 else MORE, spot.text)
    ways = [True, False]
    if not careful:
        rng.shuffle(ways)
    values = (_other_value(spot, switches.digits, rng, bigger=bigger) for bigger in ways)
    return next((spot.write(value) for value in values if value is not None), None)


def _other_value(spot: NumberSpot, digits: Digits, rng: Random, *, bigger: bool) -> Decimal | None:
    if digits == "near":
        return _draw_near_value(spot, rng, bigger=bigger)
    # The draw is one of all other digits, as in the original: which way it goes is left to it.
    written = f"{spot.value:f}"
    place = next((i for i, digit in enumerate(written) if digit in "123456789"), 0)
    leading = rng.choice([digit for digit in "123456789"[: int(digits[-1])] if digit != written[place]])
    return Decimal(written[:place] + leading + written[place + 1 :])


def _draw_near_value(spot: NumberSpot, rng: Random, *, bigger: bool) -> Decimal | None:
    """A value of the same size and as round; not 1, which would want a singular."""
    step = spot.step
    steps = int(spot.value / step)
    low = int((spot.value * _LEAST / step).to_integral_value(ROUND_CEILING))
    high = int((min(spot.value * _MOST, spot.most) / step).to_integral_value(ROUND_FLOOR))
    low, high = (steps + 1, high) if bigger else (low, steps - 1)
    for _ in range(_TRIES if low <= high else 0):
        value = rng.randint(low, high) * step
        if value != 1 and (spot.value < 1 or not re.match(r"\D*0?\.", spot.write(value))):
            return value
    return None


def _make_facts(spot: NumberSpot, text: str) -> dict[str, str]:
    return {"quantity": spot.text, "value": f"{spot.value:f}", "changed": text}


def _make_replacements(spot: NumberSpot, text: str, spaces: list[Replacement]) -> tuple[Replacement, ...]:
    return tuple(sorted([Replacement(spot.start, spot.text, text), *spaces], key=lambda each: each.start))


def _single_blanks(text: str) -> list[Replacement]:
    """Replacements that make every gap one blank, and take blanks from both ends."""
    replacements = []
    for gap in _GAP.finditer(text):
        blank = " " if gap.start() and gap.end() < len(text) else ""
        if gap.group() != blank:
            replacements.append(Replacement(gap.start(), gap.group(), blank))
    return replacements
