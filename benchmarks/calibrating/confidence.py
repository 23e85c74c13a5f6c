"""How often a model whose confidence is right is told that it misjudges itself."""

from collections.abc import Iterable, Sequence

import numpy
from numpy.typing import NDArray

from assay.core.case import Recipe, case_from
from assay.core.edit import Edit
from assay.core.estimate import Estimate
from assay.core.judgement import ConfidenceFinding
from assay.core.label import Label
from assay.core.label_space import LABELS
from assay.core.pair import Pair
from assay.evaluate.case_columns import AnswerColumns, CaseColumns, Encoder
from assay.evaluate.intervals import Draws
from assay.evaluate.resampled_metrics import CalibrationFigures
from assay.evaluate.verdict import find_findings
from calibrating.rate import Rate

Floats = NDArray[numpy.float64]

AT_ONCE = 100
FAMILIES = ("original", "negation", "spelling", "word-overlap", "swap", "length-mismatch", "antonymy", "lexical")
SPREADS = ("uniform from 1/3 to 1", "mostly sure")
FEWER = {"antonymy": 0.1, "lexical": 0.3}
"""Families with cases for a share of the pairs only."""


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """The rows of the table."""
    rng = numpy.random.default_rng([seed, 13])
    draws = min(draws, 400)
    for pairs, spread in ((20, "88%"), *((n, spread) for n in (60, 200, 750) for spread in SPREADS)):
        wrong = _told(rng, draws, pairs, spread, too_sure=0.0)
        found = _told(rng, draws, pairs, spread, too_sure=0.2)
        condition = f"{pairs} pairs, {len(FAMILIES)} families; confidence {spread}"
        power = f"{found / draws:.2f} if accuracy is 20 points below confidence"
        yield Rate("misjudges itself", condition, wrong, draws, 0.05, power, "the whole interval must be 10 points off")
    for pairs, spread in ((60, "88%"), (60, SPREADS[1]), (200, SPREADS[0]), (750, SPREADS[1])):
        yield _brier(rng, 5 * draws, pairs, spread)


def _told(rng: numpy.random.Generator, draws: int, pairs: int, spread: str, *, too_sure: float) -> int:
    """How many of so many models get the finding."""
    encoder = Encoder()
    cases = _cases(encoder, pairs)
    found = 0
    for first in range(0, draws, AT_ONCE):
        models = [f"m{number}" for number in range(min(AT_ONCE, draws - first))]
        figures = CalibrationFigures(models, suite="s", encoder=encoder, draws=Draws("s"))
        figures.add(cases, _answers(rng, cases, len(models), spread, too_sure))
        estimates = [each for own in figures.estimates() for each in own]
        found += sum(isinstance(each, ConfidenceFinding) for each in find_findings(estimates, (), ()))
    return found


def _brier(rng: numpy.random.Generator, draws: int, pairs: int, spread: str) -> Rate:
    """How often the interval of Brier's score misses the score of the same model on very many pairs."""
    truth = _scores(rng, 20, 2000, spread)
    score = sum(each.value or 0.0 for each in truth) / len(truth)
    found = [each for _ in range(0, draws, AT_ONCE) for each in _scores(rng, min(AT_ONCE, draws), pairs, spread)]
    missed = sum(not (each.low or 0.0) <= score <= (each.high or 0.0) for each in found)
    width = sum((each.high or 0.0) - (each.low or 0.0) for each in found) / len(found)
    condition = f"{pairs} pairs; confidence {spread}, score {score:.3f}"
    return Rate("95% interval of Brier's score", condition, missed, len(found), 0.05, f"mean width {width:.3f}")


def _scores(rng: numpy.random.Generator, models: int, pairs: int, spread: str) -> list[Estimate]:
    """Brier's scores of calibrated models on unmodified pairs."""
    encoder = Encoder()
    cases = _cases(encoder, pairs, FAMILIES[:1])
    figures = CalibrationFigures(
        [f"m{number}" for number in range(models)], suite="s", encoder=encoder, draws=Draws("s")
    )
    figures.add(cases, _answers(rng, cases, models, spread, 0.0))
    return [each for own in figures.estimates() for each in own if each.name == "brier"]


def _cases(encoder: Encoder, pairs: int, families: Sequence[str] = FAMILIES) -> CaseColumns:
    made = []
    for number in range(pairs):
        pair = Pair(id=f"p{number}", premise=f"Premise {number}.", hypothesis="Claim.", label=Label.ENTAILMENT)
        for family in families:
            if number < FEWER.get(family, 1.0) * pairs:
                recipe = Recipe(transform=f"{family}/v1", seed=0)
                made.append(case_from(pair, Edit(), family=family, recipe=recipe))
    return encoder.cases(made)


def _answers(
    rng: numpy.random.Generator, cases: CaseColumns, models: int, spread: str, too_sure: float
) -> AnswerColumns:
    """Answers that are right as often as their confidence says, or less often; half of them as others of their pair."""
    shape = models, len(cases.ids)
    sure = rng.uniform(1 / 3, 1, shape) if spread.startswith("uniform") else 1 - 0.6 * rng.beta(0.5, 2, shape)
    if spread == "88%":
        sure = numpy.full(shape, 0.88)
    together = rng.random((models, int(cases.pair.max()) + 1))[:, cases.pair]
    luck = numpy.where(rng.random(shape) < 0.5, together, rng.random(shape))
    right = luck < sure - too_sure
    label = numpy.where(right, LABELS.index(Label.ENTAILMENT), LABELS.index(Label.NEUTRAL))
    probabilities = numpy.full((*shape, len(LABELS)), numpy.nan)
    for code in range(3):
        probabilities[..., code] = numpy.where(label == code, sure, (1 - sure) / 2)
    return AnswerColumns(label, probabilities, [[""] * shape[1]] * models, numpy.full(shape, numpy.nan))
