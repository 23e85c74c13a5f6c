"""The clustered bootstrap against scipy's, and what must hold for any."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import bootstrap as scipy_bootstrap

from assay.evaluate.bootstrap import bootstrap
from assay.evaluate.interval import ClusteredShare

Floats = NDArray[numpy.float64]


def share(totals: Floats) -> Floats:
    return totals[:, 0] / totals[:, 1]


def clusters(n: int, seed: int) -> Floats:
    rng = numpy.random.default_rng(seed)
    trials = rng.integers(1, 6, n)
    return numpy.stack([rng.binomial(trials, rng.beta(2, 1, n)), trials], axis=1).astype(float)


def test_it_is_scipys_percentile_interval() -> None:
    rows = clusters(300, 1)
    found = bootstrap(rows, share, key="k", draws=20_000)
    theirs = scipy_bootstrap(
        (rows[:, 0], rows[:, 1]),
        lambda hits, trials, axis: hits.sum(axis=axis) / trials.sum(axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=20_000,
        rng=numpy.random.default_rng(5),
    ).confidence_interval
    assert found == pytest.approx((theirs.low, theirs.high), abs=0.002)


def test_it_agrees_with_the_formula_where_there_is_one() -> None:
    rows = clusters(2000, 2)
    formula = ClusteredShare()
    for hits, trials in rows.astype(int):
        formula.add(int(hits), int(trials))
    assert bootstrap(rows, share, key="k") == pytest.approx(formula.interval, abs=0.002)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(3, 4)), min_size=1, max_size=30), st.randoms())
@settings(max_examples=25)
def test_the_order_of_clusters_does_not_matter(rows: list[tuple[int, int]], random: object) -> None:
    shuffled = sorted(rows, key=lambda row: (row[1], -row[0]))
    assert bootstrap(rows, share, key="k", draws=50) == bootstrap(shuffled, share, key="k", draws=50)


def test_chance_is_keyed() -> None:
    rows = clusters(50, 3)
    once = bootstrap(rows, share, key="k", seed=1)
    assert once == bootstrap(rows, share, key="k", seed=1)
    assert once != bootstrap(rows, share, key="other", seed=1)
    assert once != bootstrap(rows, share, key="k", seed=2)


def test_clusters_of_a_kind_are_drawn_together() -> None:
    rows = numpy.repeat([[0.0, 1.0], [1.0, 1.0]], 50_000, axis=0)
    found = bootstrap(rows, share, key="k")
    assert found is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.5 / 100_000**0.5, rel=0.1)


def test_draws_come_in_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = clusters(40, 4)
    whole = bootstrap(rows, share, key="k")
    monkeypatch.setattr("assay.evaluate.bootstrap.CELLS", 100)
    assert bootstrap(rows, share, key="k") == whole


def test_what_was_not_measured_has_no_interval() -> None:
    assert bootstrap([], share, key="k") is None
    assert bootstrap([(0, 0)], share, key="k") is None
    assert bootstrap([(1, 1)], share, key="k") == (1.0, 1.0)
