"""How often an analysis finds a cause of errors that is none."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy

from assay.studies.analyses.error_causes import Excess
from calibrating.rate import Rate

CASES = 1500
TELLING = 15
"""How many words make a difference: frequent ones, as "not" in SNLI. What rare ones do can't be learned."""

VERDICT = "a cue goes with errors"


class Condition(NamedTuple):
    """How a simulated model errs."""

    name: str
    by_label: float
    """How far error rates of the labels are apart, on the logit scale."""
    by_words: float
    """How much the words of the hypothesis change the error rate, on the logit scale."""
    blind: bool = False
    """Whether the label and the hypothesis decide, as of a model that never sees the premise."""


CONDITIONS = (
    Condition("errors at random", 0.0, 0.0),
    Condition("errors depend on the label", 1.5, 0.0),
    Condition("errors depend on the label and on words of the hypothesis", 1.0, 0.8),
    Condition("the hypothesis alone decides, as for hypothesis-only", 1.0, 1.2, blind=True),
)


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """A model that ignores the cue, whose errors go with labels and hypotheses as the cue does."""
    for number, condition in enumerate(CONDITIONS):
        wrong = sum(finds_cue(condition, effect=0.0, seed=(seed, number, draw)) for draw in range(draws))
        found = sum(finds_cue(condition, effect=0.2, seed=(seed, number, draw)) for draw in range(max(1, draws // 5)))
        power = "" if condition.blind else f"{found / max(1, draws // 5):.2f} at 20 points"
        yield Rate(VERDICT, f"{condition.name}; {CASES:,} cases", wrong, draws, nominal=0.05, power=power)


def finds_cue(condition: Condition, *, effect: float, seed: tuple[int, ...], cases: int = CASES) -> bool:
    """Whether the cue is found in one draw; `effect` is how much more often the model errs with it."""
    rng = numpy.random.default_rng(seed)
    common = 1 / numpy.arange(2, 202)
    label = rng.integers(3, size=cases)
    often = numpy.minimum(0.4, common * rng.choice([0.5, 1.5], (3, len(common))))  # (labels, words)
    has = rng.random((cases, len(common))) < often[label]
    shift = rng.normal(0, condition.by_label, 3)[label]
    by_words = rng.normal(0, 1, (3, len(common))) * (numpy.arange(len(common)) < TELLING)
    pull = (has * by_words[label]).sum(axis=1)
    cue = rng.random(cases) < _share(-1.5 + 0.8 * pull + rng.normal(0, 1, 3)[label])
    chance = _share(-0.4 + shift + condition.by_words * pull)
    drawn = numpy.full(cases, 0.5) if condition.blind else rng.random(cases)
    wrong = drawn < numpy.minimum(1.0, chance + effect * cue)
    hypotheses = [frozenset(map(str, numpy.flatnonzero(row))) for row in has]
    found = Excess(["cue"])
    found.add(cue[None], wrong[None], label=label, hypotheses=hypotheses, clusters=numpy.arange(cases))
    return any((each.low or 0.0) > 0 for each in found.estimates([{}])[0])


def _share(logit: numpy.ndarray) -> numpy.ndarray:
    share: numpy.ndarray = 1 / (1 + numpy.exp(-logit))
    return share
