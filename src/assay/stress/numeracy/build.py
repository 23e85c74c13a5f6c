"""Numeracy (Naik et al. 2018): entailed, contradictory and neutral hypotheses from a premise with a quantity."""

import re
from collections.abc import Callable, Iterator, Sequence
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
from assay.stress.fidelity import set_switches
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


MORE, LESS, BARE = "more than", "less than", ""

LABELS = (Label.ENTAILMENT, Label.CONTRADICTION, Label.NEUTRAL)
SHARED = ((Label.CONTRADICTION, Label.NEUTRAL),) * 2 + ((Label.CONTRADICTION,), (Label.NEUTRAL,))
"""Cases with the phrase of the entailed one in their hypothesis: always one, and mostly both."""
FEWEST = {MORE: 2, LESS: 4}
"""The smallest number that a count is compared with: "more than 1 hats" is not English."""


class NumberSpot(NamedTuple):
    """A number in a text, and how another is written in its place."""

    start: int
    """Offset of the first character that is replaced."""
    text: str
    value: Decimal
    step: Decimal
    """Other values are multiples of this, so that they are as round as this one."""
    most: Decimal
    starts: bool
    """True if it starts a sentence, so that a phrase before it gets the capital."""
    counts: bool
    """True if it counts things, so that it may mean at least this many; a measure is exact."""
    write: Callable[[Decimal], str]
    """Writes another value in the same style."""

    def limited(self, phrase: str, quantity: str) -> str:
        """A quantity with a phrase before it, which gets the capital if it starts the sentence."""
        if not (self.starts and phrase):
            return f"{phrase} {quantity}".lstrip()
        lower = quantity[0].lower() if quantity[1:2].islower() else quantity[0]
        return f"{phrase.capitalize()} {lower}{quantity[1:]}"


class BoundedValue(NamedTuple):
    """A value and the phrase before it."""

    phrase: str
    value: Decimal


class QuantitySides(NamedTuple):
    """The replacement of the quantity on each side."""

    premise: BoundedValue
    hypothesis: BoundedValue


def balanced_cases(
    spot: NumberSpot, others: Sequence[Decimal], rng: Random, *, careful: bool
) -> dict[Label, QuantitySides] | None:
    """One case of each label; None if the other values don't allow it.

    The entailed hypothesis has a phrase, and at least one of the other two has the same one, so that no phrase goes
    with one label in more than half of its cases, whatever the corpus.
    """
    candidates = list(_list_options(spot, others, careful=careful))
    first = rng.choice((MORE, LESS))
    shared = rng.choice(SHARED)
    for phrase in (first, LESS if first == MORE else MORE):
        same = {label: [each for each in candidates if each[1:] == (label, phrase)] for label in LABELS}
        bare = {label: [each for each in candidates if each[1:] == (label, BARE)] for label in LABELS}
        chosen = {
            label: same[label] if label in (Label.ENTAILMENT, *shared) and same[label] else bare[label]
            for label in LABELS
        }
        phrased = [label for label in LABELS[1:] if chosen[label] is same[label]]
        if all(chosen.values()) and phrased:
            return {label: _draw_option([each.sides for each in options], rng) for label, options in chosen.items()}
    return None


class _Option(NamedTuple):
    sides: QuantitySides
    label: Label
    phrase: str


def _list_options(spot: NumberSpot, others: Sequence[Decimal], *, careful: bool) -> Iterator[_Option]:
    """Every case that these values allow."""
    values = sorted({spot.value, *others})
    divided = not spot.counts or spot.step < 1
    limits = [BoundedValue(phrase, value) for phrase in (MORE, LESS) for value in values]
    limited = [each for each in limits if divided or each.value >= FEWEST[each.phrase]]
    own = BoundedValue(BARE, spot.value)
    premises = [own, *limited]
    hypotheses = [*(BoundedValue(BARE, value) for value in values), *limited]
    for premise in premises:
        for hypothesis in hypotheses:
            if hypothesis.phrase == BARE and own not in (premise, hypothesis):
                continue  # either one side is unchanged, or both have a phrase
            label = _exact_label(premise, hypothesis, spot.step)
            at_least = careful and spot.counts and label is Label.CONTRADICTION
            if label and not (at_least and _may_be_more(premise, hypothesis)):
                yield _Option(QuantitySides(premise, hypothesis), label, hypothesis.phrase)


def _exact_label(premise: BoundedValue, hypothesis: BoundedValue, step: Decimal) -> Label | None:
    """The label, with numbers read exactly; None if it depends on whether the things can be divided."""
    if premise == hypothesis:
        return None
    given, claimed = premise.value, hypothesis.value
    if premise.phrase == BARE:
        inside = {MORE: claimed < given, LESS: claimed > given, BARE: False}[hypothesis.phrase]
        return Label.ENTAILMENT if inside else Label.CONTRADICTION
    beyond = claimed - given if premise.phrase == MORE else given - claimed  # how far it lies inside what is given
    if hypothesis.phrase == premise.phrase:
        return Label.NEUTRAL if beyond > 0 else Label.ENTAILMENT
    if beyond <= 0:
        return Label.CONTRADICTION
    return Label.NEUTRAL if hypothesis.phrase == BARE or beyond >= 2 * step else None


def _may_be_more(premise: BoundedValue, hypothesis: BoundedValue) -> bool:
    """True if a contradiction disappears if "three" means at least three; most readers see one in a bigger number."""
    if premise.phrase == BARE:
        return hypothesis.phrase == MORE or (hypothesis.phrase == BARE and hypothesis.value < premise.value)
    return premise.phrase == MORE and hypothesis.phrase == BARE


def _draw_option(options: Sequence[QuantitySides], rng: Random) -> QuantitySides:
    """One of them. The premise's phrase is drawn first, because some phrases allow for more values than others.

    None at all is half as likely: neutral cases always have one, which must not give them away.
    """
    phrases = sorted({sides.premise.phrase for sides in options})
    phrase = rng.choice([*phrases, *(each for each in phrases if each != BARE)])
    return rng.choice([sides for sides in options if sides.premise.phrase == phrase])


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
    candidates = find_quantities(text)
    if not candidates:
        return NO_QUANTITY
    if number == "comparable":
        bare = (each for each in candidates if each.bound == "bare" and not each.determined)
        candidates = [each for each in bare if _keeps_agreement(each)]
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
