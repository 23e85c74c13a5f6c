"""Verdicts and intervals where cases are not independent: in simulated answers, each is wrong as often as it says."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from tests.conftest import case, pair
from tests.evaluate.conftest import columns, measured

from assay.core.case import Prediction, Recipe, case_from
from assay.core.edit import Edit
from assay.core.judgement import ConfidenceFinding
from assay.core.label import Label
from assay.core.label_space import LABELS
from assay.evaluate import case_columns as counted
from assay.evaluate.case_columns import AnswerColumns, Encoder
from assay.evaluate.intervals import Draws, clustered_share, student_95, student_p, wilson
from assay.evaluate.paired import paired_shares
from assay.evaluate.resampled_metrics import CalibrationFigures
from assay.evaluate.support.threshold_metrics import Scored
from assay.evaluate.verdict import find_findings

RECIPE = Recipe(transform="antonymy/v1", seed=0)


@given(st.floats(1, 1e5), st.floats(0, 40))
def test_students_t_is_scipys(freedom: float, statistic: float) -> None:
    assert student_p(statistic, freedom) == pytest.approx(2 * student.sf(statistic, freedom), abs=1e-7)
    assert student_95(freedom) == pytest.approx(student.ppf(0.975, freedom), rel=0.02)
    assert student_95(round(freedom)) == pytest.approx(student.ppf(0.975, round(freedom)), rel=1e-5)


def test_cases_of_a_word_pair_count_together_whatever_their_premise() -> None:
    """Ten word pairs of twenty cases, each right or wrong as a whole: ten pieces of evidence, not two hundred."""
    asked = []
    for number in range(200):
        unit = f"word {number % 10}/other"
        made = case_from(pair(number), Edit(), family="antonymy", recipe=RECIPE, unit=unit)
        asked.append((made, Prediction(id=made.id, label=Label.ENTAILMENT if number % 10 < 6 else Label.NEUTRAL)))
    accuracy = next(each for each in measured(asked) if each.name == "accuracy")
    low, high = wilson(0.6, 200)
    assert accuracy.value == 0.6
    assert accuracy.low is not None
    assert accuracy.high is not None
    assert accuracy.high - accuracy.low > 4 * (high - low)


def test_pairs_of_a_premise_count_together_wherever_they_are() -> None:
    cases, _ = columns([case(number, premise=f"Premise {number % 3}.") for number in range(9)])
    assert cases.cluster.tolist() == [0, 1, 2] * 3
    assert cases.unit.tolist() == cases.cluster.tolist()
    assert len(set(cases.pair.tolist())) == 9


def test_a_case_without_a_cluster_is_its_source_pair() -> None:
    """Cases as they were stored before premises were named."""
    stored = counted.CaseRow(
        id="i", label=Label.NEUTRAL, family="f", variant="", group={}, origin="pair 7",
        provenance=counted._Provenance(recipe=counted._Recipe(), edit=counted._Edit()),
    )  # fmt: skip
    assert stored.clusters == ("pair 7", "pair 7")


def test_many_clusters_share_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MOST_CLUSTERS", 4)
    cases, _ = columns([case(number) for number in range(50)])
    assert set(cases.cluster.tolist()) == {0, 1, 2, 3}


def test_crossed_clusters_add_up() -> None:
    """Where premises and word pairs both matter, the interval is wider than that of either."""
    rng = numpy.random.default_rng(1)
    word, premise = rng.integers(30, size=900), rng.integers(200, size=900)
    right = rng.normal(size=30)[word] + rng.normal(size=200)[premise] + rng.normal(size=900) > 0
    by = [(numpy.bincount(each, weights=right), numpy.bincount(each)) for each in (premise, word)]
    alone = [clustered_share(*each).interval for each in by]
    crossed = clustered_share(*by[0], by[1]).interval
    assert crossed is not None
    for each in alone:
        assert each is not None
        assert crossed.high - crossed.low > each.high - each.low


@pytest.mark.parametrize(("sizes", "accuracy", "alike"), [([8] * 25, 0.1, 0.5), ([1] * 106 + [8] * 12, 0.9, 0.8)])
def test_intervals_hold_with_few_or_unequal_clusters(sizes: list[int], accuracy: float, alike: float) -> None:
    """Some clusters are right or wrong as a whole."""
    rng, trials, missed = numpy.random.default_rng(2), numpy.array(sizes), 0
    for _ in range(300):
        whole = rng.random(len(trials)) < alike
        hits = rng.binomial(trials, numpy.where(whole, rng.random(len(trials)) < accuracy, accuracy))
        interval = clustered_share(hits, trials).interval
        assert interval is not None
        missed += not interval.low <= accuracy <= interval.high
    assert missed <= 0.08 * 300


def test_nothing_is_lost_from_a_pair_to_its_copies_by_chance() -> None:
    """50 pairs with 8 copies each, all right 95 times in 100: a loss is found at most as often as it may be."""
    rng, found, missed = numpy.random.default_rng(3), 0, 0
    for _ in range(400):
        source, copies = rng.random(50) < 0.95, rng.binomial(8, 0.95, 50)
        counts = [numpy.full(50, 8), source * copies, source * (8 - copies), ~source * copies]
        shares = paired_shares(numpy.stack(counts, axis=1))
        assert shares.p is not None
        assert shares.interval is not None
        found += shares.p < 0.05 and (shares.difference or 0.0) > 0
        missed += not shares.interval.low <= 0 <= shares.interval.high
    assert found <= 0.04 * 400
    assert missed <= 0.07 * 400


def test_a_model_that_is_as_sure_as_it_is_right_does_not_misjudge_itself() -> None:
    encoder, rng, models = Encoder(), numpy.random.default_rng(4), [f"m{number}" for number in range(60)]
    cases = encoder.cases([case(number) for number in range(60)])
    sure = rng.uniform(1 / 3, 1, (len(models), 60))
    told = []
    for too_sure in (0.0, 0.4):
        right = rng.random(sure.shape) < sure - too_sure
        label = numpy.where(right, LABELS.index(Label.ENTAILMENT), LABELS.index(Label.NEUTRAL))
        shares = numpy.stack([numpy.where(label == code, sure, (1 - sure) / 2) for code in range(3)], axis=-1)
        probabilities = numpy.concatenate([shares, numpy.full((*sure.shape, 1), numpy.nan)], axis=-1)
        figures = CalibrationFigures(models, suite="s", encoder=encoder, draws=Draws("s"))
        notes, none = [[""] * 60] * len(models), numpy.full(sure.shape, numpy.nan)
        figures.add(cases, AnswerColumns(label, probabilities, notes, none))
        found = find_findings([each for own in figures.estimates() for each in own], (), ())
        told.append(sum(isinstance(each, ConfidenceFinding) for each in found))
    assert told[0] <= 3
    assert told[1] >= 55


def test_random_scores_rarely_rank_better_than_chance() -> None:
    rng, above = numpy.random.default_rng(5), 0
    for _ in range(300):
        scored = Scored(rng.random(12), numpy.arange(12) < 3, numpy.arange(12), numpy.arange(12))
        interval = next(each.ends for each in scored.rankings())
        assert interval is not None
        above += interval.low >= 0.5
    assert above <= 0.04 * 300


def test_what_is_always_right_is_not_certain() -> None:
    supported = numpy.arange(24) < 12
    scored = Scored(numpy.where(supported, 0.9, 0.1), supported, numpy.arange(24), numpy.arange(24))
    figures = {each.name: each for each in [*scored.decisions(0.5), *scored.rankings()]}
    for name in ("f1", "balanced-accuracy", "roc-auc", "average-precision"):
        interval = figures[name].ends
        assert figures[name].value == 1.0
        assert interval is not None
        assert 0.6 < interval.low < 0.9
