"""Calibration against numpy, and what must hold for any."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import case
from tests.evaluate.conftest import measured

from assay.core.case import Prediction
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import LABELS, Collapse
from assay.evaluate.resampled_metrics import BINS, bins_of, judge_answers

Weights = st.tuples(*[st.floats(0.001, 1)] * 3)
Answers = st.lists(st.tuples(st.sampled_from(THREE_WAY), Weights), min_size=1, max_size=60)


def probabilities(weights: tuple[float, ...]) -> dict[Label, float]:
    return {label: weight / sum(weights) for label, weight in zip(THREE_WAY, weights, strict=True)}


def error_and_brier(answers: list[tuple[Label, dict[Label, float]]]) -> tuple[float | None, float | None]:
    asked = [
        (each, Prediction(id=each.id, label=max(given, key=given.__getitem__), probabilities=given))
        for each, given in ((case(i, label=gold), given) for i, (gold, given) in enumerate(answers))
    ]
    found = {e.name: e.value for e in measured(asked)}
    return found["calibration-error"], found["brier"]


@given(Answers)
def test_it_is_what_the_definitions_say(answers: list[tuple[Label, tuple[float, ...]]]) -> None:
    error, brier = error_and_brier([(gold, probabilities(weights)) for gold, weights in answers])
    shares = numpy.array([list(probabilities(weights).values()) for _, weights in answers])
    golds = numpy.array([THREE_WAY.index(gold) for gold, _ in answers])
    sure, right = shares.max(axis=1), shares.argmax(axis=1) == golds
    bins = numpy.clip(numpy.ceil(sure * BINS) - 1, 0, BINS - 1)
    gaps = [abs(sure[bins == b].sum() - right[bins == b].sum()) for b in range(BINS)]
    assert error == pytest.approx(sum(gaps) / len(answers))
    assert brier == pytest.approx(((shares - numpy.eye(3)[golds]) ** 2).sum(axis=1).mean())


@given(st.floats(0, 1))
def test_a_bin_holds_its_upper_end(confidence: float) -> None:
    [found] = bins_of(numpy.array([confidence]))
    assert found / BINS - 1e-9 <= confidence <= (found + 1) / BINS + 1e-9


def test_a_published_score() -> None:
    """G. W. Brier (1950), Verification of forecasts expressed in terms of probability, Table 1: rain or no rain."""
    said = [0.7, 0.9, 0.8, 0.4, 0.2, 0.0, 0.0, 0.0, 0.0, 0.1]
    rained = [False, True, True, True, False, False, False, False, False, False]
    answers = [
        (
            Label.ENTAILMENT if rain else Label.NON_ENTAILMENT,
            {Label.ENTAILMENT: share, Label.NON_ENTAILMENT: 1 - share},
        )
        for share, rain in zip(said, rained, strict=True)
    ]
    assert error_and_brier(answers)[1] == pytest.approx(0.19 / 2)  # his sum has two labels, which err alike


NOTHING = float("nan")
UNSURE = numpy.array([[0.4, 0.35, 0.25, NOTHING]])


@pytest.mark.parametrize("gold", [Label.ENTAILMENT, Label.NON_ENTAILMENT])
@pytest.mark.parametrize(
    ("collapse", "answer", "sure"), [("argmax", Label.ENTAILMENT, 0.4), ("sum", Label.NON_ENTAILMENT, 0.6)]
)
def test_in_two_labels_the_collapse_decides_not_the_gold(
    gold: Label, collapse: Collapse, answer: Label, sure: float
) -> None:
    confidence, right, squares = judge_answers(numpy.array([LABELS.index(gold)]), UNSURE, collapse)
    assert right.tolist() == [answer is gold]
    assert confidence == pytest.approx([sure])
    assert squares == pytest.approx([(0.6 if gold is Label.ENTAILMENT else 0.4) ** 2])


def test_a_two_way_model_is_judged_on_three_way_gold() -> None:
    gold = numpy.array([LABELS.index(Label.CONTRADICTION)])
    assert judge_answers(gold, numpy.array([[0.2, NOTHING, NOTHING, 0.8]])).right.all()


def test_sure_and_right_is_perfect_sure_and_wrong_the_worst() -> None:
    for gold, error, brier in ((Label.NEUTRAL, 0.0, 0.0), (Label.ENTAILMENT, 1.0, 2.0)):
        assert error_and_brier([(gold, {Label.NEUTRAL: 1.0})]) == (error, brier)


def test_what_was_not_measured_is_absent() -> None:
    found = measured([(case(1), Prediction(id=case(1).id, label=Label.NEUTRAL))])
    assert not {e.name for e in found} & {"calibration-error", "brier"}


@pytest.mark.parametrize(("right", "misjudges"), [(40, False), (20, True)])
def test_a_sure_model_without_errors_does_not_misjudge_itself(right: int, *, misjudges: bool) -> None:
    """With a confidence of 90%, all of 40 answers are right by chance once in 68 times, and in any of 8 families."""
    sure = {Label.ENTAILMENT: 0.9, Label.NEUTRAL: 0.05, Label.CONTRADICTION: 0.05}
    asked = [
        (
            case(i, label=Label.ENTAILMENT if i < right else Label.NEUTRAL),
            Prediction(id=f"{i}", label=Label.ENTAILMENT, probabilities=sure),
        )
        for i in range(40)
    ]
    [error] = [each for each in measured(asked) if each.name == "calibration-error"]
    assert error.low is not None
    assert (error.low >= 0.1) is misjudges
