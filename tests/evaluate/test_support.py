"""Figures of support scores, against scikit-learn, and what must hold for any."""

import msgspec
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import case
from tests.evaluate.conftest import Answered

from assay.core.case import Answer
from assay.core.errors import BadInputError
from assay.core.estimate import Estimate, SupportCurve, find
from assay.core.label import Label
from assay.core.label_space import THREE_LABELS, Collapse
from assay.evaluate.case_columns import Encoder, answer_columns, answer_row
from assay.evaluate.suite_metrics import SuiteMetrics
from assay.evaluate.support.support_scores import figures_at
from assay.evaluate.support.threshold_metrics import (
    average_precision,
    choose_threshold,
    counts_of,
    risk_coverage,
    roc_auc,
    sureness,
)

E, N, C, NOT_E = Label


def has_both(given: list[tuple[float, bool]]) -> bool:
    return len({supported for _, supported in given}) == 2


Scores = st.lists(
    st.tuples(st.floats(0, 1).map(lambda score: round(score, 2)), st.booleans()), min_size=2, max_size=80
).filter(has_both)


def board(asked: list[Answered], *, two_way: bool = True, collapse: Collapse = "argmax") -> SuiteMetrics:
    encoder = Encoder(msgspec.structs.replace(THREE_LABELS.resize(two_way), collapse=collapse))
    made = SuiteMetrics(["m"], suite="s", encoder=encoder)
    made.add(
        encoder.cases([each for each, _ in asked]),
        answer_columns([[None if said is None else answer_row(said) for _, said in asked]]),
    )
    return made


def answered(scores: list[tuple[float, bool]], *, threshold: float = 0.5) -> list[Answered]:
    cases = [case(number, label=E if supported else NOT_E) for number, (_, supported) in enumerate(scores)]
    return [
        (each, Answer.scored(score, threshold=threshold).to(each.id))
        for each, (score, _) in zip(cases, scores, strict=True)
    ]


def arrays(scores: list[tuple[float, bool]]) -> tuple[numpy.ndarray, numpy.ndarray]:
    return numpy.array([score for score, _ in scores]), numpy.array([supported for _, supported in scores])


def values(found: list[Estimate], **where: str) -> dict[tuple[str, str], float | None]:
    wanted = {"model": "m", "suite": "s", "family": "original", **where}
    slices = [(e, {name: value for name, value in e.slice.items() if name != "label"}) for e in found]
    return {(e.name, e.slice.get("label", "")): e.value for e, own in slices if own == wanted}


@settings(max_examples=30)
@given(Scores, st.floats(0, 1).map(lambda score: round(score, 2)))
def test_figures_equal_those_of_scikit_learn(scores: list[tuple[float, bool]], threshold: float) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    calibration = pytest.importorskip("sklearn.calibration")
    made = board(answered(scores, threshold=threshold))
    score, supported = arrays(scores)
    yes = score >= threshold
    found = values(made.estimates())
    expected = {
        ("roc-auc", ""): metrics.roc_auc_score(supported, score),
        ("average-precision", ""): metrics.average_precision_score(supported, score),
        ("balanced-accuracy", ""): metrics.balanced_accuracy_score(supported, yes),
        ("recall", "entailment"): metrics.recall_score(supported, yes),
        ("recall", "non-entailment"): metrics.recall_score(~supported, ~yes),
        ("f1", "entailment"): metrics.f1_score(supported, yes, zero_division=0),
        ("brier", ""): metrics.brier_score_loss(supported, score),
        ("false-support", ""): 1 - metrics.recall_score(~supported, ~yes),
    }
    if yes.any():
        expected["precision", "entailment"] = metrics.precision_score(supported, yes)
    assert {key: found[key] for key in expected} == pytest.approx(expected, abs=1e-9)
    assert (("precision", "entailment") in found) == bool(yes.any())
    (curve,) = made.curves()
    shares, means = calibration.calibration_curve(supported, score, n_bins=15)
    assert [each.score for each in curve.reliability] == pytest.approx(list(means), abs=1e-9)
    assert [each.supported for each in curve.reliability] == pytest.approx(list(shares), abs=1e-9)


@settings(max_examples=10)
@given(Scores)
def test_the_curve_is_what_the_figures_are_at_each_threshold(scores: list[tuple[float, bool]]) -> None:
    (curve,) = board(answered(scores)).curves()
    for threshold in ("0.0", "0.31", "0.5", "1"):
        on_curve = values(figures_at([curve], threshold), threshold=threshold)
        alone = values(board(answered(scores, threshold=float(threshold))).estimates())
        assert len(on_curve) >= 5
        assert on_curve == pytest.approx({key: alone[key] for key in on_curve}, abs=1e-6)


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(st.floats(0.95, 0.98).map(lambda score: round(score, 9)), st.booleans()), min_size=2, max_size=40
    ).filter(has_both)
)
def test_the_curve_has_every_way_to_divide_the_claims(scores: list[tuple[float, bool]]) -> None:
    """So "the lowest threshold that keeps a bound here" is the lowest, and its number as printed gives its counts."""
    (curve,) = board(answered(scores)).curves()
    score, supported = arrays(scores)
    printed = [float(f"{each:.12g}") for each in curve.thresholds]
    ways = {int((score >= each).sum()) for each in printed}
    assert ways >= {int((score >= one).sum()) for one in score}
    for each, recall in zip(printed, curve.lines["recall"].value, strict=True):
        assert recall == pytest.approx((score[supported] >= each).mean(), abs=1e-6)


@given(Scores)
def test_areas_by_counting_every_pair_of_cases(scores: list[tuple[float, bool]]) -> None:
    score, supported = arrays(scores)
    wins = [(one > other) + (one == other) / 2 for one in score[supported] for other in score[~supported]]
    counts = counts_of(score, supported)
    assert float(roc_auc(counts)) == pytest.approx(sum(wins) / len(wins))
    precisions = [supported[score >= one].mean() for one in score[supported]]
    assert float(average_precision(counts)) == pytest.approx(sum(precisions) / len(precisions))


@given(Scores)
def test_no_other_threshold_is_better(scores: list[tuple[float, bool]]) -> None:
    score, supported = arrays(scores)
    chosen = choose_threshold(score, supported)

    def balanced(threshold: float) -> float:
        yes = score >= threshold
        return float((yes[supported].mean() + (~yes[~supported]).mean()) / 2)

    if chosen is None:
        assert len(set(score)) == 1
    else:
        inner = sorted(set(score))[1:]
        assert balanced(chosen) == pytest.approx(max(map(balanced, inner)))


def test_a_threshold_is_chosen_on_one_half_and_measured_on_the_other() -> None:
    """Where the scores of one half are separated at 0.3 and those of the other at 0.7, both numbers are honest."""
    from zlib import crc32

    scores = []
    asked: list[Answered] = []
    for number in range(400):
        supported = number % 2 == 0
        each = case(number, label=E if supported else NOT_E)
        even = crc32(each.cluster.encode()) % 256 % 2 == 0
        middle = 0.3 if even else 0.7
        scores.append((middle + (0.1 if supported else -0.1), supported, even))
        asked.append((each, Answer.scored(scores[-1][0]).to(each.id)))
    found = board(asked).estimates()
    at = values(found, threshold="chosen")
    assert at["threshold", ""] == pytest.approx(0.3)
    assert at["false-support", ""] == 1.0, "0.6 is above 0.3 in the half that it was not chosen on"
    (n,) = {e.n for e in found if e.name == "balanced-accuracy" and "threshold" in e.slice}
    assert n == sum(not even for *_, even in scores)


def test_intervals_widen_if_cases_come_from_few_pairs() -> None:
    """Twenty copies of each of twenty pairs know no more than twenty pairs."""
    rng = numpy.random.default_rng(0)
    asked: list[Answered] = []
    for pair in range(20):
        score = float(rng.uniform())
        supported = score + rng.normal(0, 0.4) > 0.5
        each = case(pair, label=E if supported else NOT_E)
        asked += [(each, Answer.scored(score).to(each.id))] * 20
    alone = [each for number, each in enumerate(asked) if number % 20 == 0]
    for name in ("roc-auc", "balanced-accuracy", "false-support", "risk-coverage"):
        many, few = (find(board(given).estimates(), name)["m", "s", "original"] for given in (asked, alone))
        assert many.value == pytest.approx(few.value)
        assert width(many) == pytest.approx(width(few), rel=0.25)


def width(found: Estimate) -> float:
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


@given(Scores)
def test_risk_falls_with_coverage_only_where_sureness_means_something(scores: list[tuple[float, bool]]) -> None:
    score, supported = arrays(scores)
    each = numpy.arange(len(score))
    wrong = (score >= 0.5) != supported
    coverage, risk = risk_coverage(sureness(score, 0.5), wrong, each)
    assert coverage[-1] == 1.0
    assert risk[-1].value == pytest.approx(wrong.mean())
    _, perfect = risk_coverage(sureness(supported.astype(float), 0.5), numpy.zeros_like(supported), each)
    assert [share.value for share in perfect] == [0.0]


@given(Scores)
def test_mean_risk_by_giving_one_answer_after_the_other(scores: list[tuple[float, bool]]) -> None:
    score, supported = arrays(scores)
    sure, wrong = abs(score - 0.5), (score >= 0.5) != supported
    expected = sum(wrong[sure >= one - 1e-9].mean() for one in sure) / len(sure)
    found = find(board(answered(scores)).estimates(), "risk-coverage")["m", "s", "original"]
    assert found.value == pytest.approx(expected)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), st.booleans()), min_size=2),
    st.sampled_from(["argmax", "sum"]),
)
def test_false_support_and_recall_count_the_answers_that_accuracy_counts(
    drawn: list[tuple[list[int], bool]], collapse: Collapse
) -> None:
    """The most probable of three labels can have a third of the probability, so that no threshold gives the answers."""
    asked: list[Answered] = []
    for number, (weights, supported) in enumerate(drawn):
        each = case(number, label=E if supported else NOT_E)
        shares = dict(zip([E, N, C], (weight / sum(weights) for weight in weights), strict=True))
        asked.append((each, Answer(label=max(shares, key=shares.__getitem__), probabilities=shares).to(each.id)))
    found = board(asked, collapse=collapse)
    at = values(found.estimates())
    rights = {label: at.get(("accuracy", label)) for label in ("entailment", "non-entailment")}
    assert at.get(("recall", "entailment")) == rights["entailment"]
    assert at.get(("recall", "non-entailment")) == rights["non-entailment"]
    if rights["non-entailment"] is not None:
        assert at["false-support", ""] == pytest.approx(1 - rights["non-entailment"])
    (curve,) = found.curves()
    assert curve.risk.value[-1] == pytest.approx(1 - (at["accuracy", ""] or 0.0), abs=1e-6)
    assert curve.threshold == at["threshold", ""] == (0.5 if collapse == "sum" else None)


def test_a_score_can_not_tell_three_labels() -> None:
    each = case(1, label=Label.NEUTRAL)
    with pytest.raises(BadInputError, match=r"can't tell neutral from contradiction.*\n.*two_way=True"):
        board([(each, Answer.scored(0.9).to(each.id))], two_way=False)


def test_families_with_one_label_have_no_ranking() -> None:
    curve: SupportCurve
    made = board(answered([(0.2, False), (0.7, False)]))
    found = values(made.estimates())
    assert found["false-support", ""] == 0.5
    assert not {("roc-auc", ""), ("recall", "entailment")} & {*found}
    (curve,) = made.curves()
    assert set(curve.lines) == {"false-support"}
    assert curve.chosen is None
