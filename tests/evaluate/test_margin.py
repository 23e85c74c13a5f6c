"""A loss that is shown to be below a margin: rarely so if it is not, and how many cases it takes."""

import numpy
import pytest

from assay.core.comparison import ComparedSlice
from assay.evaluate.margin import cases_needed, hommel, more_pairs, noninferiority_p, smallest_margin
from assay.evaluate.model_comparison import compared_shares, judge_differences
from assay.evaluate.paired import paired_shares


def row_of(cluster: numpy.ndarray, candidate: numpy.ndarray, baseline: numpy.ndarray) -> ComparedSlice:
    counts = [
        numpy.bincount(cluster, weights=part)
        for part in (numpy.ones(len(cluster)), candidate & baseline, candidate & ~baseline, baseline & ~candidate)
    ]
    return compared_shares({"suite": "s", "family": "f"}, paired_shares(numpy.stack(counts, axis=1)))


def draw(rng: numpy.random.Generator, sizes: numpy.ndarray, loss: float, change: float) -> ComparedSlice:
    """The candidate loses a share of the cases and gains another, by whole clusters."""
    cluster = numpy.repeat(numpy.arange(len(sizes)), sizes)
    baseline = rng.random(len(cluster)) < 0.8
    lost = (rng.random(len(sizes)) < (loss + change) / 0.8)[cluster]
    gained = (rng.random(len(sizes)) < change / 0.2)[cluster]
    return row_of(cluster, numpy.where(baseline, ~lost, gained), baseline)


SIZES = {"single cases": numpy.ones(400, dtype=int), "groups": numpy.tile([1, 1, 2, 5], 120)}


@pytest.mark.parametrize("kind", SIZES)
def test_a_loss_of_the_margin_rarely_passes(kind: str) -> None:
    rng = numpy.random.default_rng(0)
    passed = sum(noninferiority_p(draw(rng, SIZES[kind], 0.05, 0.02), 0.05) < 0.05 for _ in range(400))
    assert passed <= 30  # 5% of 400 are 20; more than 30 would be rarer than 1 in 100


def test_the_number_of_cases_that_is_asked_for_suffices() -> None:
    rng = numpy.random.default_rng(1)
    n = cases_needed(0.05, 0.08)
    ones = numpy.ones(n, dtype=int)
    passed = sum(noninferiority_p(draw(rng, ones, 0.0, 0.04), 0.05) < 0.05 for _ in range(400))
    assert 0.72 < passed / 400 < 0.88


def test_more_pairs_are_asked_for_if_cases_come_in_groups() -> None:
    rng = numpy.random.default_rng(2)
    single = draw(rng, numpy.ones(400, dtype=int), 0.0, 0.05)
    groups = draw(rng, numpy.full(400, 4), 0.0, 0.05)
    assert (more_pairs(groups, 0.02) or 0) > 0.5 * (more_pairs(single, 0.02) or 0)


def test_a_small_but_real_loss_is_within_a_large_margin() -> None:
    n = 4000
    candidate, baseline = numpy.arange(n) >= 100, numpy.ones(n, dtype=bool)
    [row] = judge_differences([row_of(numpy.arange(n), candidate, baseline)], 0.05)
    assert row.verdict == "worse"
    assert row.margin is not None
    assert row.margin.outcome == "within margin"


def test_hommels_correction_is_that_of_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest", reason="statsmodels is not installed")
    rng = numpy.random.default_rng(4)
    for n in (1, 2, 5, 15):
        ps = (rng.random(n) ** 3).tolist()
        assert hommel(ps) == pytest.approx(multitest.multipletests(ps, method="hommel")[1].tolist())


def test_all_families_pass_if_each_would_alone() -> None:
    same = numpy.arange(200) % 5 > 0
    rows = [row_of(numpy.arange(200), same, same)] * 15
    margin = 1.1 * smallest_margin(rows[0])
    assert 0.05 / 15 < noninferiority_p(rows[0], margin) < 0.05  # too much for Holm's correction
    judged = judge_differences(rows, margin)
    assert {row.margin.outcome for row in judged if row.margin} == {"within margin"}


def test_a_family_that_can_never_pass_says_which_margin_it_could_show() -> None:
    same = numpy.arange(30) % 5 > 0
    small, large = row_of(numpy.arange(30), same, same), draw(numpy.random.default_rng(6), SIZES["single cases"], 0, 0)
    assert 0.08 < smallest_margin(small) < 0.12
    tests = [row.margin for row in judge_differences([small, large], 0.05)]
    assert [test.outcome for test in tests if test] == ["inconclusive", "within margin"]
    assert tests[0]
    assert (tests[0].smallest, tests[0].p) == (smallest_margin(small), 1.0)
    assert tests[1]
    assert tests[1].smallest is None


def test_a_small_family_that_is_better_is_within_every_margin() -> None:
    candidate = numpy.arange(40) % 8 > 0
    [row] = judge_differences([row_of(numpy.arange(40), candidate, numpy.arange(40) % 2 > 0)], 0.01)
    assert smallest_margin(row) > 0.01
    assert row.verdict == "better"
    assert row.margin is not None
    assert (row.margin.outcome, row.margin.smallest) == ("within margin", None)
