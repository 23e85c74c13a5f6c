"""Calibration against numpy, and what must hold for any."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.label import THREE_WAY, Label
from assay.evaluate.calibration import BINS, Calibration, judge
from assay.evaluate.collapse import Collapse

Weights = st.tuples(*[st.floats(0.001, 1)] * 3)
Answers = st.lists(st.tuples(st.sampled_from(THREE_WAY), Weights), min_size=1, max_size=60)


def probabilities(weights: tuple[float, ...]) -> dict[Label, float]:
    return {label: weight / sum(weights) for label, weight in zip(THREE_WAY, weights, strict=True)}


@given(Answers)
def test_it_is_what_the_definitions_say(answers: list[tuple[Label, tuple[float, ...]]]) -> None:
    board = Calibration()
    for gold, weights in answers:
        board.add(gold, probabilities(weights))
    shares = numpy.array([list(probabilities(weights).values()) for _, weights in answers])
    golds = numpy.array([THREE_WAY.index(gold) for gold, _ in answers])
    sure, right = shares.max(axis=1), shares.argmax(axis=1) == golds
    bins = numpy.clip(numpy.ceil(sure * BINS) - 1, 0, BINS - 1)
    gaps = [abs(sure[bins == b].sum() - right[bins == b].sum()) for b in range(BINS)]
    assert board.error == pytest.approx(sum(gaps) / len(answers))
    assert board.brier == pytest.approx(((shares - numpy.eye(3)[golds]) ** 2).sum(axis=1).mean())
    assert sum(each.n for each in board.bins) == board.n == len(answers)
    for each in board.bins:
        assert each.low - 1e-9 <= each.confidence <= each.high + 1e-9


def test_a_published_score() -> None:
    """G. W. Brier (1950), Verification of forecasts expressed in terms of probability, Table 1: rain or no rain."""
    said = [0.7, 0.9, 0.8, 0.4, 0.2, 0.0, 0.0, 0.0, 0.0, 0.1]
    rained = [False, True, True, True, False, False, False, False, False, False]
    board = Calibration()
    for share, rain in zip(said, rained, strict=True):
        gold = Label.ENTAILMENT if rain else Label.NON_ENTAILMENT
        board.add(gold, {Label.ENTAILMENT: share, Label.NON_ENTAILMENT: 1 - share})
    assert board.brier == pytest.approx(0.19)


UNSURE = {Label.ENTAILMENT: 0.4, Label.NEUTRAL: 0.35, Label.CONTRADICTION: 0.25}


@pytest.mark.parametrize("gold", [Label.ENTAILMENT, Label.NON_ENTAILMENT])
@pytest.mark.parametrize(
    ("collapse", "answer", "sure"), [("argmax", Label.ENTAILMENT, 0.4), ("sum", Label.NON_ENTAILMENT, 0.6)]
)
def test_in_two_labels_the_collapse_decides_not_the_gold(
    gold: Label, collapse: Collapse, answer: Label, sure: float
) -> None:
    found = judge(gold, UNSURE, collapse)
    assert found.right is (answer is gold)
    assert found.confidence == pytest.approx(sure)
    assert found.squares == pytest.approx(2 * (0.6 if gold is Label.ENTAILMENT else 0.4) ** 2)


def test_a_two_way_model_is_judged_on_three_way_gold() -> None:
    assert judge(Label.CONTRADICTION, {Label.ENTAILMENT: 0.2, Label.NON_ENTAILMENT: 0.8}).right


def test_sure_and_right_is_perfect_sure_and_wrong_the_worst() -> None:
    for gold, error, brier in ((Label.NEUTRAL, 0.0, 0.0), (Label.ENTAILMENT, 1.0, 2.0)):
        board = Calibration()
        board.add(gold, {Label.NEUTRAL: 1.0})
        assert (board.error, board.brier) == (error, brier)


def test_what_was_not_measured_is_not_zero() -> None:
    assert (Calibration().error, Calibration().brier, Calibration().bins) == (None, None, [])
