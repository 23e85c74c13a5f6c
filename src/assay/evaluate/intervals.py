"""Intervals for shares, and bootstrap intervals for measures without a formula."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import erfc, exp, inf, isfinite, isinf, lgamma, log, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike

from assay.core.estimate import Interval
from assay.core.rng import rng_for
from assay.evaluate.case_columns import Bools, Floats, Ints

DRAWS = 2000  # number of bootstrap draws


class Draws:
    """Bootstrap weights of clusters, the same for all metrics of a suite with the same number of clusters."""

    def __init__(self, key: str, *, seed: int = 0, draws: int = DRAWS) -> None:
        self._key, self._seed, self._draws = key, seed, draws
        self._held = lru_cache(maxsize=4)(self._draw)  # most metrics of a suite have the same number of clusters

    def __call__(self, clusters: int) -> Floats:
        """The draws for this number of clusters: (draws, clusters)."""
        return self._held(clusters)

    def signs(self, clusters: int) -> Floats:
        """A sign for each cluster, 1 or -1, in each draw: (draws, clusters)."""
        signs = self._rng("signs/v1", clusters).integers(2, size=(self._draws, clusters))
        return 2 * signs.astype(numpy.float64) - 1

    def _rng(self, purpose: str, clusters: int) -> numpy.random.Generator:
        chance = rng_for(self._seed, transform=purpose, pair=f"{self._key} {clusters}")
        return numpy.random.default_rng(chance.getrandbits(128))

    def _draw(self, clusters: int) -> Floats:
        drawn = self._rng("bootstrap/v2", clusters).integers(clusters, size=(self._draws, clusters))
        drawn += clusters * numpy.arange(self._draws)[:, None]
        counts = numpy.bincount(drawn.ravel(), minlength=self._draws * clusters)
        return counts.reshape(self._draws, clusters).astype(numpy.float64)


def bootstrap(sums: ArrayLike, figure: Callable[[Floats], Floats], draws: Draws) -> list[Interval | None]:
    """The 95% percentile intervals of numbers that are made of sums over clusters, (clusters, ..., sums).

    Each row is what a cluster, such as a group of source pairs, adds to the sums that the numbers need, for one or more
    models. `figure` turns totals, (draws, ..., sums), into numbers, (draws, ..., numbers); each gets an interval, in
    that order. Draws whose number is not a number are left out. A number without any draw, for instance because
    there are no clusters, has None as its interval.
    """
    rows = numpy.asarray(sums, dtype=numpy.float64)
    weights = draws(len(rows))
    totals = weights @ rows.reshape(len(rows), -1)  # (draws, all sums)
    with numpy.errstate(divide="ignore", invalid="ignore"):  # a draw can miss a slice entirely
        found = figure(totals.reshape(len(weights), *rows.shape[1:]))  # (draws, ..., figures)
    known = [each[numpy.isfinite(each)] for each in found.reshape(len(weights), -1).T]
    return [Interval(*numpy.quantile(each, (0.025, 0.975)).tolist()) if each.size else None for each in known]


Z95 = NormalDist().inv_cdf(0.975)


def student_p(statistic: float, freedom: float) -> float:
    """The two-sided p of Student's t.

    >>> round(student_p(2.2281, 10), 4), round(student_p(1.96, inf), 4)
    (0.05, 0.05)
    """
    if isinf(freedom) or isinf(statistic):
        return 0.0 if isinf(statistic) else 2 * NormalDist().cdf(-abs(statistic))
    square = statistic * statistic
    if square < 1:  # the other tail is computed more exactly
        return 1 - beta_share(square / (freedom + square), 0.5, freedom / 2)
    return beta_share(freedom / (freedom + square), freedom / 2, 0.5)


def student_95(freedom: float) -> float:
    """Half-width of a 95% interval, in standard errors."""
    if freedom < 30:  # from here on, a series around the normal quantile is right to five digits
        return _small_sample_quantile(round(freedom, 6))
    z, d = Z95, 1 / freedom
    second, third = 5 * z**5 + 16 * z**3 + 3 * z, 3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z
    return z + d * (z**3 + z) / 4 + d**2 * second / 96 + d**3 * third / 384


@lru_cache(maxsize=4096)
def _small_sample_quantile(freedom: float) -> float:
    low, high = Z95, 1000.0
    while high - low > 1e-9 * high:
        middle = sqrt(low * high)
        low, high = (middle, high) if student_p(middle, freedom) > 0.05 else (low, middle)
    return high


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    value = c = 1.0
    d = 0.0
    for step in range(400):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        d = 1 / (1 + term * d or 1e-300)
        c = 1 + term / (c or 1e-300)
        value *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * (value - 1)


LEAST_FREEDOM = 8.0
"""The fewest degrees of freedom of a share's variance, unless there are fewer clusters: the evidence that is added to a
share's clusters leaves no more to chance."""


def wilson(share: float, n: float) -> Interval:
    """Wilson's score interval for a proportion of n cases.

    >>> low, high = wilson(0.5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    centre = share + Z95**2 / (2 * n)
    spread = Z95 * sqrt(share * (1 - share) / n + Z95**2 / (4 * n**2))
    scale = 1 + Z95**2 / n
    # Rounding must not push an end past the share itself.
    return Interval(max(0.0, min(share, (centre - spread) / scale)), min(1.0, max(share, (centre + spread) / scale)))


class EstimatedEffect(NamedTuple):
    """The design effect of clusters on a variance."""

    size: float  # the ratio of the variance to that of independent trials
    freedom: float

    def crossed_with(self, other: "EstimatedEffect") -> "EstimatedEffect":
        """The effect of two crossed clusterings, such as premises and word pairs; the added variances are summed.

        >>> EstimatedEffect(3.0, 20.0).crossed_with(EstimatedEffect(1.5, 80.0))
        EstimatedEffect(size=3.5, freedom=20.0)
        """
        return EstimatedEffect(self.size + other.size - 1, max(self, other).freedom)


NONE = EstimatedEffect(1.0, inf)  # the effect of clusters that hold one trial each


class ClusteredShare(NamedTuple):
    """A share whose trials come in clusters.

    The interval is Wilson's with the number of independent trials that would have the same variance, and with Student's
    t instead of the normal quantile (Korn and Graubard 1998). With one trial per cluster it is Wilson's interval.
    """

    hits: int
    n: int
    clusters: int  # number of clusters; the smaller number if there are two kinds
    effect: EstimatedEffect = NONE

    @property
    def value(self) -> float | None:
        """The share; None if there were no trials."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """The 95% interval; None if there were no trials."""
        if self.value is None:
            return None
        if self.clusters == self.n:
            return wilson(self.value, self.n)
        known = student_95(self.n - 1) / student_95(self.effect.freedom) if self.effect.freedom < inf else 1.0
        return wilson(self.value, self.n / self.effect.size * known**2)


def clustered_share(
    hits: ArrayLike, trials: ArrayLike, crossed: tuple[ArrayLike, ArrayLike] | None = None
) -> ClusteredShare:
    """The fraction of hits among trials that are given by cluster; clusters without trials don't count.

    `crossed` gives the hits and trials of the same cases by another kind of cluster.
    """
    effects, counts = [], []
    for hit, trial in [(hits, trials), *([crossed] if crossed else [])]:
        there = numpy.asarray(trial) > 0
        hit, trial = (numpy.asarray(each, dtype=numpy.float64)[there] for each in (hit, trial))
        effects.append(share_effect(hit, trial))
        counts.append(len(trial))
    effect = effects[0] if len(effects) == 1 else effects[0].crossed_with(effects[1])
    return ClusteredShare(int(numpy.sum(hits)), int(numpy.sum(trials)), min(counts), effect)


def binomial_tail(interval: Interval, value: float, share: float) -> float:
    """The chance that a share is at most this value if it is truly `share`, from Wilson's interval around the value.

    The interval gives the number of independent trials, which need not be whole.

    >>> round(binomial_tail(wilson(24 / 25, 25), 24 / 25, 0.99), 4)
    0.2222
    """
    gap = interval.high - value
    if gap <= 0 or not 0 < share < 1:
        return 1.0
    trials = Z95**2 * interval.high * (1 - interval.high) / gap**2
    return beta_share(1 - share, trials * (1 - value), trials * value + 1) if value < 1 else 1.0


def share_effect(hits: Floats, trials: Floats) -> EstimatedEffect:
    """The design effect of clusters with these hits and trials on their share.

    Few clusters say little about how alike the trials of a cluster are, least of all near 0 and 1, where most clusters
    agree in any case. So one more cluster of typical size counts as evidence, half all right and half all wrong.
    """
    n, clusters = float(trials.sum()), len(trials)
    if clusters == n:
        return NONE
    if clusters == 1:
        return EstimatedEffect(n, inf)
    typical = _typical_size(trials)
    share = (float(hits.sum()) + typical / 2) / (n + typical)
    squares = float(((hits - share * trials) ** 2).sum()) + typical**2 * (share**2 + (1 - share) ** 2) / 2
    independent = (n + typical) * share * (1 - share)
    size = max(1.0, squares / independent * clusters / (clusters - 1))
    varies = 0 < hits.sum() < n
    return EstimatedEffect(size, freedom_of(hits - hits.sum() / n * trials, LEAST_FREEDOM) if varies else inf)


def _typical_size(trials: Floats) -> float:
    """The size of the cluster that is added as evidence.

    If many clusters are large, it is the size that the variance depends on most: clusters weighted by their squares. A
    few giants must not set it alone. It is then nearer to the mean size of the cluster that a trial comes from.
    """
    squares = trials * trials
    second = float(squares.sum())
    mean, large = second / float(trials.sum()), float((squares * trials).sum()) / second
    many = second**2 / float((squares * squares).sum())  # how many clusters make most of the sum of squares
    return mean + (large - mean) * many / (many + 10.0)  # with ten large clusters, it is halfway between the two


FLIPPED = 8  # the largest differences whose signs are flipped one by one; the others' sum is taken as normal


class SignFlips(NamedTuple):
    """The sign-flipping test over clusters' differences.

    Where a few large clusters happen to agree, a standard error is too small. Flipping their signs is exact.

    >>> flip_signs(numpy.array([60.0, 60.0, 60.0]), 240).p
    0.25
    """

    p: float
    error: float  # the standard error of the mean difference, if it is truly zero

    def reach(self, difference: float, freedom: float) -> float:
        """The half-width of a 95% interval that agrees with the p.

        Few differences other than zero make the p coarse, so it reaches no farther than the standard error asks for.

        >>> round(SignFlips(0.25, 0.43).reach(0.75, 5.2), 2), round(SignFlips(1.0, 0.02).reach(0.02, 19), 2)
        (1.09, 0.04)
        """
        most = student_95(freedom) * self.error
        if not difference or self.p <= 0:
            return 0.0
        return min(most, abs(difference) * Z95 / -NormalDist().inv_cdf(self.p / 2)) if self.p < 1 else most


NO_FLIPS = SignFlips(0.0, 0.0)


def flip_signs(differences: Floats, n: float) -> SignFlips:
    """The sign-flipping test of whether clusters' differences over n cases sum to zero."""
    sizes = numpy.sort(numpy.abs(differences))[::-1]
    error = sqrt(float((sizes**2).sum())) / n
    observed = abs(float(differences.sum())) - 1e-9
    if observed <= 0:
        return SignFlips(1.0, error)
    sums = numpy.zeros(1)
    for size in sizes[:FLIPPED]:
        sums = numpy.concatenate([sums + size, sums - size])
    rest = sqrt(2 * float((sizes[FLIPPED:] ** 2).sum()))
    if not rest:
        return SignFlips(float((numpy.abs(sums) >= observed).mean()), error)
    return SignFlips(min(1.0, sum(erfc(gap / rest) for gap in (observed - sums).tolist()) / len(sums)), error)


def flip_clusters(kinds: Sequence[Floats], n: float) -> SignFlips:
    """The same test with one or two kinds of clusters, such as premises and word pairs; the weaker one counts.

    Gains in many clusters can hide a complete loss in a few others, which a sample may lack. The p value is never
    below the probability of missing such clusters.

    >>> few_wins = numpy.repeat([1.0, 0.0], [8, 22])  # of 30 clusters of 8 cases, none is lost
    >>> round(flip_signs(few_wins, 240).p, 3), round(flip_clusters([few_wins], 240).p, 3)
    (0.008, 0.362)
    """
    weakest = max(flip_signs(each, n) for each in kinds)

    def unseen_losses(differences: Floats) -> float:
        total, clusters = float(differences.sum()), len(differences)
        is_seen = float((-numpy.sign(total) * differences).max()) >= n / clusters / 2  # one cluster is mostly lost
        return 0.0 if is_seen else max(0.0, 1 - abs(total) / n) ** clusters

    return weakest._replace(p=max(weakest.p, min(map(unseen_losses, kinds))))


def freedom_of(residuals: Floats, least: float = 1.0, sizes: Floats | Ints | None = None) -> float:
    """The degrees of freedom of a sum of squares over clusters, by Satterthwaite's method from their fourth powers.

    If large clusters happen to agree, the fourth powers overstate the degrees of freedom. If the sizes of the clusters
    are given, their effective number is an upper limit (Kish 1965).

    >>> freedom_of(numpy.array([1.0, -1.0, 1.0, -1.0])), freedom_of(numpy.array([9.0, 0.0, 0.0, 0.0]))
    (3.0, 2.6666666666666665)
    >>> freedom_of(numpy.array([1.0, -1.0, 1.0, -1.0]), sizes=numpy.array([3.0, 3.0, 1.0, 1.0]))
    2.2
    """
    squares = residuals * residuals
    total, most = float(squares.sum()), len(residuals) - 1.0
    if sizes is not None:
        most = max(least, float(sizes.sum()) ** 2 / float((sizes * sizes).sum()) - 1)
    spread = float((squares * squares).sum()) - total**2 / len(residuals)
    return most if spread <= 1e-9 * total**2 else min(max(2 * total**2 / spread, least), most)


def cluster_share(hits: Bools, cluster: Ints) -> ClusteredShare:
    """The fraction of hits, where cases with the same cluster number are not independent.

    >>> cluster_share(numpy.array([True, False, True]), numpy.array([7, 7, 9])).value
    0.6666666666666666
    """
    trials = numpy.bincount(cluster)
    return clustered_share(numpy.bincount(cluster[hits], minlength=len(trials)), trials)


def jackknife(sums: ArrayLike, figure: Callable[[Floats], Floats], most: ArrayLike) -> list[Interval | None]:
    """The 95% intervals of numbers from 0 to 1 that are made of sums over clusters, (clusters, ..., sums).

    Each row is what a cluster adds to the sums that the numbers need, for one or more models. `figure` turns totals,
    (..., sums), into numbers, (..., numbers); each gets an interval, in that order. The interval is Wilson's with
    Student's t, for as many independent trials as would give the number the same variance. `most` is how many
    independent trials there can be, for one or all numbers; it decides where all clusters agree, as at 0 and 1.
    A number that is not a number has None as its interval.

    >>> hits_and_trials = [(1, 2), (2, 2), (0, 2), (2, 2)] * 25
    >>> [(low, high)] = jackknife(hits_and_trials, lambda total: total[:, :1] / total[:, 1:], 100)
    >>> 0.5 < low < 0.625 < high < 0.75
    True
    >>> jackknife([(1, 1)] * 20, lambda total: total[:, :1] / total[:, 1:], 20) == [wilson(1.0, 20)]
    True
    """
    rows = numpy.asarray(sums, dtype=numpy.float64)
    total = rows.sum(axis=0, keepdims=True)
    with numpy.errstate(divide="ignore", invalid="ignore"):  # without one cluster, a slice can be empty
        whole = figure(total).reshape(-1)
        parts = figure(total - rows).reshape(len(rows), -1)  # (clusters, figures)
    bounds = numpy.broadcast_to(numpy.asarray(most, dtype=numpy.float64), whole.shape)
    return [
        _left_out_interval(float(value), part, float(bound)) if isfinite(value) and bound > 0 else None
        for value, part, bound in zip(whole, parts.T, bounds, strict=True)
    ]


def _left_out_interval(value: float, parts: Floats, most: float) -> Interval:
    known = parts[numpy.isfinite(parts)]
    value, trials = min(max(value, 0.0), 1.0), most
    moved = known - known.mean() if len(known) else known
    variance = float((moved * moved).sum()) * (len(known) - 1) / max(len(known), 1)
    if variance > 1e-18 and 0 < value < 1:
        freedom = freedom_of(moved / numpy.abs(moved).max(), LEAST_FREEDOM)
        trials = min(most, value * (1 - value) / variance * (Z95 / student_95(freedom)) ** 2)
    return wilson(value, trials)
