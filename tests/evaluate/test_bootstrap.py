"""The clustered bootstrap against scipy's, and what must hold for any."""

import numpy
import pytest
from numpy.typing import NDArray
from scipy.stats import bootstrap as scipy_bootstrap
from tests.evaluate.reference import shared

from assay.core.estimate import Interval
from assay.evaluate.intervals import Draws, bootstrap

Floats = NDArray[numpy.float64]


def share(totals: Floats) -> Floats:
    return totals[..., :1] / totals[..., 1:]


def clusters(n: int, seed: int) -> Floats:
    rng = numpy.random.default_rng(seed)
    trials = rng.integers(1, 6, n)
    return numpy.stack([rng.binomial(trials, rng.beta(2, 1, n)), trials], axis=1).astype(float)


def interval(rows: Floats | list[tuple[int, int]], draws: Draws) -> Interval | None:
    [only] = bootstrap(rows, share, draws)
    return only


def test_it_is_scipys_percentile_interval() -> None:
    rows = clusters(300, 1)
    theirs = scipy_bootstrap(
        (rows[:, 0], rows[:, 1]),
        lambda hits, trials, axis: hits.sum(axis=axis) / trials.sum(axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=20_000,
        rng=numpy.random.default_rng(5),
    ).confidence_interval
    assert interval(rows, Draws("k", draws=20_000)) == pytest.approx((theirs.low, theirs.high), abs=0.002)


def test_it_agrees_with_the_formula_where_there_is_one() -> None:
    rows = clusters(2000, 2)
    formula = shared([(int(hits), int(trials)) for hits, trials in rows])
    assert interval(rows, Draws("k")) == pytest.approx(formula.interval, abs=0.002)


def test_each_draw_is_of_as_many_clusters_with_equal_chances() -> None:
    drawn = Draws("k")(40)
    assert drawn.shape == (2000, 40)
    assert (drawn.sum(axis=1) == 40).all()
    assert drawn.mean(axis=0) == pytest.approx(numpy.ones(40), abs=0.12)
    assert drawn.var() == pytest.approx(1 - 1 / 40, abs=0.03)


def test_chance_is_keyed() -> None:
    once = Draws("k", seed=1)(50)
    assert (once == Draws("k", seed=1)(50)).all()
    assert (once != Draws("other", seed=1)(50)).any()
    assert (once != Draws("k", seed=2)(50)).any()


def test_models_that_share_their_draws_have_the_intervals_of_each_alone() -> None:
    one, other = clusters(60, 3), clusters(60, 4)
    draws = Draws("k")
    together = bootstrap(numpy.stack([one, other], axis=1), share, draws)
    assert together == [pytest.approx(interval(rows, draws)) for rows in (one, other)]


def test_what_was_not_measured_has_no_interval() -> None:
    assert interval([(0, 0)], Draws("k")) is None
    assert interval([(1, 1)], Draws("k")) == (1.0, 1.0)
    both = numpy.array([[(1.0, 1.0), (0.0, 0.0)], [(0.0, 1.0), (1.0, 1.0)]])  # the second model has one cluster alone
    first, second = bootstrap(both, share, Draws("k"))
    assert (first, second) == ((0.0, 1.0), (1.0, 1.0)), "draws without a figure are left out"
