"""How much more often a model gives an answer where a shortcut gives it, all else being equal."""

from math import erfc, sqrt
from typing import NamedTuple

import numpy

from assay.evaluate.count.columns import Bools, Floats, Ints
from assay.evaluate.interval import Interval, wilson


class Trials(NamedTuple):
    """Cases where a shortcut's answer would be wrong; each is (trials,)."""

    row: Ints
    """The row of the case."""
    fires: Bools
    """Whether the shortcut gives that answer to the case."""
    given: Bools
    """Whether the model gives it."""
    stratum: Ints
    """Trials are only compared with those of the same stratum."""
    cluster: Ints
    """The source pair."""


class Contrast(NamedTuple):
    """The same answer where the shortcut gives it, and where it does not."""

    n: int
    """Trials where the shortcut gives the answer."""
    followed: float
    """The share of them in which the model gives it too."""
    others: int
    """Trials where the shortcut does not."""
    base: float
    """The share of those in which the model gives it, weighted to the strata of the first."""
    interval: Interval
    """The 95 % interval of the difference."""
    p: float
    """The p of a score test, clustered by source pair."""
    explained: float
    """How much knowing the shortcut's answer tells about the model's: twice the gain in log likelihood."""
    right: float
    """The share of right answers where the shortcut gives the answer, which is wrong there."""

    @property
    def difference(self) -> float:
        """How much more often the model gives the answer where the shortcut does."""
        return self.followed - self.base


def contrast(trials: Trials, right: Bools) -> Contrast | None:
    """Compare trials within strata that have both kinds; None if none has. `right` is by row: (cases,).

    >>> fires, given = numpy.repeat([True, True, False, False], 20), numpy.repeat([True, False], 40)
    >>> rows = numpy.arange(80)
    >>> found = contrast(Trials(rows, fires, given, numpy.zeros(80, int), rows), ~given)
    >>> found.followed, found.base, found.n, found.p < 0.001
    (1.0, 0.0, 40, True)
    """
    sizes, _ = _by_stratum(trials)
    kept = ((sizes[0] > 0) & (sizes[1] > 0))[trials.stratum]
    if not kept.any():
        return None
    here = Trials(*(column[kept] for column in trials))
    (others, n), (said_others, said) = _by_stratum(here)  # each (strata,)
    total, fires = int(n.sum()), here.fires
    weight = n / total
    base_rate = _ratio(said_others, others)
    followed, base = float(said.sum() / total), float((weight * base_rate).sum())
    first = share_interval(followed, (here.given - followed)[fires] / total, here.cluster[fires])
    pulls = (weight * _ratio(numpy.ones_like(others), others))[here.stratum] * (here.given - base_rate[here.stratum])
    second = share_interval(base, pulls[~fires], here.cluster[~fires])
    pooled, share = _ratio(said + said_others, n + others), _ratio(n, n + others)
    scores = (here.given - pooled[here.stratum]) * (fires - share[here.stratum])
    return Contrast(
        n=total,
        followed=followed,
        others=int(others.sum()),
        base=base,
        interval=_of_difference(followed, first, base, second),
        p=score_p(scores, here.cluster),
        explained=_gain(n, said, others, said_others),
        right=float(right[here.row[fires]].mean()),
    )


def score_p(scores: Floats, cluster: Ints) -> float:
    """The two-sided p of a sum of scores that is zero on average, if scores of one cluster may depend on each other.

    >>> score_p(numpy.array([1.0, -1.0, 1.0, -1.0]), numpy.arange(4))
    1.0
    """
    spread = sqrt(float((numpy.bincount(cluster, scores) ** 2).sum()))
    return erfc(abs(float(scores.sum())) / spread / sqrt(2)) if spread > 0 else 1.0


def _by_stratum(trials: Trials) -> tuple[Floats, Floats]:
    """Trials, and those in which the model gives the answer, by whether the shortcut does: each (2, strata)."""
    strata = int(trials.stratum.max(initial=0)) + 1
    cell = trials.fires * strata + trials.stratum
    sizes = numpy.bincount(cell, minlength=2 * strata).astype(numpy.float64)
    said: Floats = numpy.bincount(cell, trials.given, minlength=2 * strata).astype(numpy.float64)
    return sizes.reshape(2, strata), said.reshape(2, strata)


def _ratio(part: Floats, whole: Floats) -> Floats:
    return part / numpy.maximum(whole, 1.0)


def share_interval(share: float, pulls: Floats, cluster: Ints) -> Interval:
    """Wilson's interval of a share, with as many trials as independent ones of the same variance would need.

    `pulls` says how far each trial pulls the share from where it is.
    """
    sums = numpy.bincount(cluster, pulls)
    clusters = int(numpy.count_nonzero(numpy.bincount(cluster)))
    variance = float((sums**2).sum()) * clusters / max(clusters - 1, 1)
    spread = share * (1 - share)
    n = min(len(pulls), spread / variance) if variance > 0 and spread > 0 else clusters
    return wilson(min(max(share, 0.0), 1.0), max(n, 1.0))


def _of_difference(one: float, first: Interval, other: float, second: Interval) -> Interval:
    """Newcombe's interval of the difference of two shares, from the interval of each."""
    down = sqrt((one - first.low) ** 2 + (second.high - other) ** 2)
    up = sqrt((first.high - one) ** 2 + (other - second.low) ** 2)
    return Interval(max(-1.0, one - other - down), min(1.0, one - other + up))


def _gain(n: Floats, said: Floats, others: Floats, said_others: Floats) -> float:
    """Twice the gain in log likelihood from giving each stratum two rates instead of one."""
    apart = _likelihood(n, said) + _likelihood(others, said_others)
    return 2 * float((apart - _likelihood(n + others, said + said_others)).sum())


def _likelihood(n: Floats, said: Floats) -> Floats:
    return _log_power(said) + _log_power(n - said) - _log_power(n)


def _log_power(count: Floats) -> Floats:
    """Count * log(count), which is 0 at 0."""
    return count * numpy.log(numpy.maximum(count, 1e-300))
