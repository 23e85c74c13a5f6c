"""Certified thresholds: the lowest threshold whose false support is shown to be at most a bound."""

from math import ceil, log, log1p, sqrt
from statistics import NormalDist

import numpy

from assay.core.errors import UserError
from assay.core.estimate import CertifiedThreshold
from assay.core.rng import rng_for
from assay.evaluate.case_columns import Floats, Ints
from assay.evaluate.intervals import beta_share
from assay.evaluate.paired import Z_POWER
from assay.evaluate.support.threshold_metrics import Scored

CONFIDENCE = 0.95  # the default confidence of a certificate
GRID = numpy.array([0.9999, 0.9995, 0.999, 0.998, 0.995, *(numpy.arange(99, -1, -1) / 100)])
"""(thresholds,) Candidates from strict to lax. They are fixed: a grid made from the scores would be fitted to them."""

BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)  # bounds on false support for which every run looks for a threshold


def certify_threshold(scored: Scored, bound: float, confidence: float = CONFIDENCE) -> CertifiedThreshold:
    """The lowest threshold whose false support is at most the bound, with the given confidence.

    Fixed-sequence testing: thresholds are tested from the strictest to the laxest, each at the full level, until the
    first is not shown to keep the bound. Whichever is the first that truly breaks it, the sequence gets past it with a
    probability of at most 1 - confidence, so no correction is needed. Single claims are tested by the exact binomial
    test. Claims that share a source are tested by betting on the sources one after the other (Waudby-Smith and Ramdas
    2024), which holds for any dependence within a source.
    """
    if not 0 < bound < 1:
        raise UserError(
            f"A false support of at most {bound:g} can't be certified.\n"
            "  The bound is a fraction between 0 and 1: write 0.05 if at most 5% of unsupported claims may pass."
        )
    if not 0.5 <= confidence < 1:
        raise UserError(f"The confidence {confidence:g} is not between 0.5 and 1. Write 0.95 for 95%.")
    others, supported = scored.only(~scored.supported), scored.only(scored.supported)
    sources, clusters = numpy.unique(others.cluster, return_inverse=True)
    sizes = numpy.bincount(clusters, minlength=len(sources))
    threshold = None
    for candidate in GRID.tolist():
        passed = numpy.bincount(clusters[others.score >= candidate], minlength=len(sources)).astype(numpy.float64)
        if not len(sources):
            break
        is_single = sizes.max() == 1
        p = binomial_below(int(passed.sum()), len(sizes), bound) if is_single else betting_p(passed, sizes, bound)
        if p > 1 - confidence:
            break
        threshold = candidate
    return CertifiedThreshold(
        bound=bound,
        confidence=confidence,
        threshold=threshold,
        false_support=_share(others.score, threshold),
        recall=_share(supported.score, threshold),
        unsupported=len(others.score),
        more_claims=_more_claims(others, bound, confidence) if threshold is None else None,
    )


def _share(scores: Floats, threshold: float | None) -> float | None:
    return float((scores >= threshold).mean()) if threshold is not None and len(scores) else None


def binomial_below(hits: int, n: int, share: float) -> float:
    """The chance that a binomial count is at most `hits`.

    >>> round(binomial_below(0, 59, 0.05), 4), round(binomial_below(3, 10, 0.5), 4)
    (0.0485, 0.1719)
    """
    return beta_share(1 - share, n - hits, hits + 1) if hits < n else 1.0


def betting_p(passed: Floats, sizes: Ints, bound: float) -> float:
    """A p for the claim that at most a fraction of the cases pass, from counts by cluster.

    A gambler who starts with 1 bets that each cluster lets fewer cases pass than the bound allows. If the bound is
    broken, every bet is unfavourable, whatever the stakes, as long as they depend on earlier clusters alone; so the
    capital exceeds 1 / p with a probability of at most p. Clusters come in an order that chance decides.
    """
    order = numpy.random.default_rng(rng_for(0, transform="betting/v1", pair=str(len(sizes))).getrandbits(128))
    gains = ((bound * sizes - passed) / sizes.max())[order.permutation(len(sizes))]  # (clusters,)
    most = 1 / (1 - bound)
    capital = highest = 1.0
    total, squares = bound / 4, 0.25
    for seen, gain in enumerate(gains.tolist(), 1):
        stake = min(max(total / squares, 0.0), 0.9 * most)
        capital *= 1 + stake * gain
        highest = max(highest, capital)
        total, squares = total + gain, squares + gain * gain
        if capital < 1e-12 or seen == len(gains):
            break
    return min(1.0, 1 / highest)


def _more_claims(others: Scored, bound: float, confidence: float) -> int | None:
    """Further unsupported claims that would certify some threshold four times out of five; None if none would."""
    z, fewest = NormalDist().inv_cdf(confidence), ceil(log(1 - confidence) / log1p(-bound))
    if not len(others.score):
        return fewest
    needed = []
    for threshold in GRID[::4].tolist():
        share = float((others.score >= threshold).mean())
        if share < bound:
            spread = z * sqrt(bound * (1 - bound)) + Z_POWER * sqrt(share * (1 - share))
            needed.append(max(fewest, ceil((spread / (bound - share)) ** 2) if share else fewest))
    _, sizes = numpy.unique(others.cluster, return_counts=True)
    unequal = float(sizes.max() ** 2 / sizes.mean())  # a bet is limited by the largest source
    return max(1, ceil(min(needed) * unequal) - len(others.score)) if needed else None
