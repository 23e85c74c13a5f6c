"""How much more often a model gives an answer where a shortcut gives it, all else being equal."""

from math import erfc, sqrt
from typing import NamedTuple

import numpy

from assay.evaluate.count.columns import Bools, Floats, Ints
from assay.evaluate.interval import Interval, wilson

EVEN = 0.5
"""How often somebody who guesses between two answers gives either of them."""


class Trials(NamedTuple):
    """Cases, each with an answer that a shortcut may or may not give to it; each is (trials,)."""

    row: Ints
    """The row of the case."""
    fires: Bools
    """Whether the shortcut gives that answer to the case."""
    given: Bools
    """Whether the model gives it."""
    other: Bools
    """Whether the model gives the one other wrong answer; or, of two right ones, neither."""
    holds: Bools
    """Whether the answer is right."""
    stratum: Ints
    """Trials are only compared with those of the same stratum, which have the same right answer."""
    cluster: Ints
    """The cluster of the case: those of one cluster may depend on each other."""


class Contrast(NamedTuple):
    """The same answer where the shortcut gives it, and where it does not."""

    n: int
    """Trials where the shortcut gives the answer, and that is wrong."""
    clusters: int
    """The clusters that they come from; or those of the trials that they are compared with, if these are fewer."""
    followed: float
    """The share of them in which the model gives it too."""
    others: int
    """Trials where the shortcut does not."""
    base: float
    """The share of those in which the model gives it, weighted to the strata of the first."""
    interval: Interval
    """The 95% interval of the difference."""
    p: float
    """How likely a shift towards the answer this large is, if the shortcut only goes with difficulty."""
    right: float
    """The share of right answers where the shortcut gives the answer, which is wrong there."""

    @property
    def difference(self) -> float:
        """How much more often the model gives the answer where the shortcut does."""
        return self.followed - self.base


class _Part(NamedTuple):
    """Trials of which the answer is right, or of which it is wrong, with what each adds to the difference."""

    difference: float
    scores: Floats
    """(trials,) Their sum is zero on average, if the shortcut makes no difference."""
    residuals: Floats
    """(trials,) How far each trial pulls the difference from where it is."""
    cluster: Ints


def contrast(trials: Trials, right: Bools, *, with_even: bool = False) -> Contrast | None:
    """Compare trials within strata that have both kinds; None if none has. `right` is by row: (cases,).

    A shortcut moves answers towards its own, where that is wrong and where it is right. Difficulty moves them away
    from the right answer, whichever that is. So two things must be shown: where the answer is wrong, it is given more
    often, and rather than another wrong one; and that is not lost again where the answer is right.

    With `with_even`, strata in which the shortcut always gives the answer are compared with an even chance.

    >>> fires, given = numpy.repeat([True, True, False, False], 20), numpy.repeat([True, False], 40)
    >>> rows, no = numpy.arange(80), numpy.zeros(80, bool)
    >>> found = contrast(Trials(rows, fires, given, no, no, numpy.zeros(80, int), rows), ~given)
    >>> found.followed, found.base, found.n, found.p < 0.001
    (1.0, 0.0, 40, True)
    """
    strata = int(trials.stratum.max(initial=0)) + 1
    fired = numpy.bincount(trials.stratum, trials.fires, minlength=strata)
    silent = numpy.bincount(trials.stratum, ~trials.fires, minlength=strata)
    wrong = _select(trials, ~trials.holds & ((fired > 0) & (silent > 0))[trials.stratum])
    always = _select(trials, ~trials.holds & trials.fires & (silent == 0)[trials.stratum])
    if not len(wrong.row) and not (with_even and len(always.row)):
        return None
    holding = _select(trials, trials.holds & ((fired > 0) & (silent > 0))[trials.stratum])
    always_holding = _select(trials, trials.holds & trials.fires & (silent == 0)[trials.stratum])
    if not with_even:
        always, always_holding = _select(always, always.row < 0), _select(always_holding, always_holding.row < 0)
    leaning = _part(wrong, always, wrong.given.astype(float) - wrong.other)
    plain, kept = (
        _part(wrong, always, wrong.given),
        _part(holding, always_holding, holding.given.astype(float) - holding.other),
    )
    if leaning is None or plain is None:
        return None
    p = shift_p(float(leaning.scores.sum()), leaning.scores, leaning.cluster)
    if kept is not None:
        sums = numpy.concatenate([plain.residuals, kept.residuals])
        p = max(p, shift_p(plain.difference + kept.difference, sums, numpy.concatenate([plain.cluster, kept.cluster])))
    return _described(wrong, always, p, right)


def score_p(scores: Floats, cluster: Ints) -> float:
    """The two-sided p of a sum of scores that is zero on average, if scores of one cluster may depend on each other.

    >>> score_p(numpy.array([1.0, -1.0, 1.0, -1.0]), numpy.arange(4))
    1.0
    """
    spread = sqrt(float((numpy.bincount(cluster, scores) ** 2).sum()))
    return erfc(abs(float(scores.sum())) / spread / sqrt(2)) if spread > 0 else 1.0


def shift_p(shift: float, pulls: Floats, cluster: Ints) -> float:
    """The one-sided p of a shift above zero, given how far each trial pulls it.

    >>> shift_p(0.0, numpy.array([1.0, -1.0]), numpy.arange(2)), shift_p(1.0, numpy.zeros(2), numpy.arange(2))
    (0.5, 0.0)
    """
    spread = sqrt(float((numpy.bincount(cluster, pulls) ** 2).sum()))
    if spread == 0:
        return 0.0 if shift > 0 else 1.0
    return erfc(shift / spread / sqrt(2)) / 2


def _select(trials: Trials, where: Bools) -> Trials:
    return Trials._make(column[where] for column in trials)


def _part(trials: Trials, always: Trials, values: Floats | Bools) -> _Part | None:
    """The difference in `values` between trials where the shortcut fires and others of their stratum."""
    given, fires = values.astype(float), trials.fires.astype(float)
    strata = int(trials.stratum.max(initial=0)) + 1

    def by_stratum(column: Floats) -> Floats:
        return numpy.asarray(numpy.bincount(trials.stratum, column, minlength=strata), dtype=numpy.float64)

    n, fired = by_stratum(numpy.ones_like(fires)), by_stratum(fires)
    share = (fired / numpy.maximum(n, 1))[trials.stratum]
    mean = (by_stratum(given) / numpy.maximum(n, 1))[trials.stratum]
    where_fired = (by_stratum(given * fires) / numpy.maximum(fired, 1))[trials.stratum]
    where_not = (by_stratum(given * (1 - fires)) / numpy.maximum(n - fired, 1))[trials.stratum]
    rate = always.given.astype(float)
    size = float((share * (1 - share)).sum()) + len(rate)
    if size == 0:
        return None
    scores = numpy.concatenate([(given - mean) * (fires - share), rate - EVEN])
    residuals = (given - numpy.where(trials.fires, where_fired, where_not)) * (fires - share)
    pulls = numpy.concatenate([residuals, rate - rate.mean() if len(rate) else rate])
    cluster = numpy.concatenate([trials.cluster, always.cluster])
    return _Part(float(scores.sum()) / size, scores, pulls / size, cluster)


def _described(wrong: Trials, always: Trials, p: float, right: Bools) -> Contrast:
    """The shares and their interval; what always fires has nothing to be compared with but an even chance."""
    strata = int(wrong.stratum.max(initial=0)) + 1
    fires = wrong.fires
    n = numpy.bincount(wrong.stratum, fires, minlength=strata)
    others = numpy.bincount(wrong.stratum, ~fires, minlength=strata)
    said_others = numpy.bincount(wrong.stratum, wrong.given & ~fires, minlength=strata)
    total = int(n.sum()) + len(always.row)
    given = numpy.concatenate([wrong.given[fires], always.given])
    cluster = numpy.concatenate([wrong.cluster[fires], always.cluster])
    followed = float(given.mean())
    first = share_interval(followed, (given - followed) / total, cluster)
    base, second, compared = EVEN, Interval(EVEN, EVEN), len(numpy.unique(cluster))
    if len(wrong.row):
        weight, rate = n / n.sum(), said_others / numpy.maximum(others, 1)
        base = float((weight * rate).sum())
        pulls = (weight / numpy.maximum(others, 1))[wrong.stratum] * (wrong.given - rate[wrong.stratum])
        second = share_interval(base, pulls[~fires], wrong.cluster[~fires])
        compared = compared if len(always.row) else min(compared, len(numpy.unique(wrong.cluster[~fires])))
    rows = numpy.concatenate([wrong.row[fires], always.row])
    return Contrast(
        n=total,
        clusters=compared,
        followed=followed,
        others=int(others.sum()),
        base=base,
        interval=_of_difference(followed, first, base, second),
        p=p,
        right=float(right[rows].mean()),
    )


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
