"""Intervals against published values, and what must hold for all."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.evaluate.reference import shared

from assay.evaluate.intervals import wilson


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # R. G. Newcombe (1998), Two-sided confidence intervals for the single proportion, Table I, method 3
        # (the score interval without continuity correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals(hits: int, n: int, low: float, high: float) -> None:
    found = wilson(hits / n, n)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


Counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(Counts)
def test_the_interval_holds_the_share_and_stays_within_0_and_1(counted: tuple[int, int]) -> None:
    hits, n = counted
    low, high = wilson(hits / n, n)
    assert 0 <= low <= hits / n <= high <= 1
    assert low < high


@given(Counts)
def test_the_interval_of_the_misses_is_the_mirror(counted: tuple[int, int]) -> None:
    hits, n = counted
    low, high = wilson(hits / n, n)
    mirrored = wilson((n - hits) / n, n)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high), abs=1e-12)


@given(Counts)
def test_more_trials_narrow_the_interval(counted: tuple[int, int]) -> None:
    hits, n = counted
    few, many = wilson(hits / n, n), wilson(hits / n, 2 * n)
    assert many.high - many.low < few.high - few.low


Cluster = st.integers(1, 6).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@given(st.lists(Cluster, min_size=1, max_size=50))
def test_any_clusters_give_an_interval_around_the_share(clusters: list[tuple[int, int]]) -> None:
    share = shared(clusters)
    hits, n = sum(h for h, _ in clusters), sum(t for _, t in clusters)
    assert (share.value, share.n) == (hits / n, n)
    assert share.interval is not None
    assert 0 <= share.interval.low <= hits / n <= share.interval.high <= 1
    independent = wilson(hits / n, n)
    assert share.interval.low <= independent.low + 1e-12
    assert share.interval.high >= independent.high - 1e-12


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_one_trial_a_cluster_is_wilson(trials: list[bool]) -> None:
    share = shared([(int(right), 1) for right in trials])
    assert share.interval == wilson(sum(trials) / len(trials), len(trials))


@given(st.lists(st.booleans(), min_size=30, max_size=200), st.integers(2, 5))
def test_copies_of_a_trial_add_nothing(trials: list[bool], copies: int) -> None:
    assume(0 < sum(trials) < len(trials))
    alone = wilson(sum(trials) / len(trials), len(trials))
    share = shared([(right * copies, copies) for right in trials])
    assert share.n == copies * len(trials)
    assert share.interval is not None
    assert share.interval == pytest.approx(alone, abs=0.1)
    assert share.interval
    assert share.interval[1] - share.interval[0] >= 0.95 * (alone[1] - alone[0])


def test_copies_add_nothing_either_where_all_are_right() -> None:
    assert shared([(3, 3)] * 20).interval == pytest.approx(wilson(1.0, 20), abs=0.02)
    assert shared([(0, 3)] * 20).interval == pytest.approx(wilson(0.0, 20), abs=0.02)
    assert shared([(2, 3)]).interval == wilson(2 / 3, 1)


def test_what_was_not_measured_is_not_zero() -> None:
    nothing = shared([])
    assert (nothing.value, nothing.interval, nothing.n) == (None, None, 0)
