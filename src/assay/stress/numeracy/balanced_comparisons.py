"""Three cases from one quantity, made so that no comparing phrase gives the label away."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import NamedTuple

from assay.core.label import Label

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
    limited = [
        BoundedValue(phrase, value)
        for phrase in (MORE, LESS)
        for value in values
        if not spot.counts or spot.step < 1 or value >= FEWEST[phrase]
    ]
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
