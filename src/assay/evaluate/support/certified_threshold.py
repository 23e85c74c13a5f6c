"""Certified thresholds: the lowest threshold whose false support is shown to be at most a bound."""

from bisect import bisect_left

import numpy

from assay.core.errors import UserError
from assay.core.estimate import CertifiedThreshold
from assay.core.rng import rng_for
from assay.evaluate.case_columns import Floats, Ints
from assay.evaluate.intervals import beta_share
from assay.evaluate.support.threshold_metrics import Scored, shortest_between

CONFIDENCE = 0.95  # the default confidence of a certificate
EXACT = 2000  # most unsupported claims that share sources for which every score is a candidate, which takes time
GRID = numpy.unique(numpy.concatenate([numpy.arange(1001) / 1000, 1 - numpy.logspace(-3, -9, 100)]).round(10))[::-1]
"""(thresholds,) Candidates from strict to lax for more claims that share sources. They are fixed before any score."""

BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)  # bounds on false support for which every run looks for a threshold


def certify_threshold(scored: Scored, bound: float, confidence: float = CONFIDENCE) -> CertifiedThreshold:
    """The lowest threshold whose false support is at most the bound, with the given confidence.

    None if it accepts no supported claim.
    Fixed-sequence testing: thresholds are tested from the strictest to the laxest, each at the full level, until the
    first is not shown to keep the bound. Whichever is the first that truly breaks it, the sequence gets past it with a
    probability of at most 1 - confidence, so no correction is needed. The sequence holds every number: a test changes
    only where an unsupported claim starts to pass, so that testing at their scores tests all thresholds between them.
    Single claims are tested by the exact binomial test. Claims that share a source are tested by betting on the sources
    one after the other (Waudby-Smith and Ramdas 2024), which holds for any dependence within a source.
    """
    if not 0 < bound < 1:
        raise UserError(
            f"A false support of at most {bound:g} can't be certified.\n"
            "  The bound is a fraction between 0 and 1: write 0.05 if at most 5% of unsupported claims may pass."
        )
    if not 0.5 <= confidence < 1:
        raise UserError(f"The confidence {confidence:g} is not between 0.5 and 1. Write 0.95 for 95%.")
    others, supported = scored.only(~scored.supported), scored.only(scored.supported)
    threshold = _lowest_certified(others, numpy.unique(scored.score), bound, confidence)
    if threshold is not None and not (supported.score >= threshold).any():
        threshold = None  # of no use
    return CertifiedThreshold(
        bound=bound,
        confidence=confidence,
        threshold=threshold,
        false_support=_share(others.score, threshold),
        recall=_share(supported.score, threshold),
        unsupported=len(others.score),
        more_claims=None if threshold is not None else _more_claims(others, supported.score, bound, confidence),
    )


def _lowest_certified(others: Scored, scores: Floats, bound: float, confidence: float) -> float | None:
    """The lowest threshold that is certified; None if it is above all scores. `scores` are sorted and distinct."""
    sizes, clusters = _sources(others)
    is_exact = sizes.max(initial=1) == 1 or len(others.score) <= EXACT
    lowest = None
    for candidate in [numpy.inf, *(numpy.unique(others.score)[::-1] if is_exact else GRID).tolist()]:
        passed = numpy.bincount(clusters[others.score >= candidate], minlength=len(sizes)).astype(numpy.float64)
        if p_of(passed, sizes, bound, 1 - confidence) > 1 - confidence:
            if not is_exact or lowest is None:
                break
            above = scores[scores > candidate]
            return shortest_between(candidate, float(above[0])) if len(above) else None
        lowest = candidate
    else:
        return 0.0
    return lowest if lowest is not None and lowest <= scores.max(initial=0) else None


def _sources(others: Scored) -> tuple[Ints, Ints]:
    """Numbers of claims by source, and the place of each claim's source in them."""
    sources, clusters = numpy.unique(others.cluster, return_inverse=True)
    return numpy.bincount(clusters, minlength=len(sources)), clusters


def p_of(passed: Floats, sizes: Ints, bound: float, enough: float = 0.0) -> float:
    """A p for the claim that more than a fraction of the claims pass, from counts by source."""
    if not len(sizes):
        return 1.0
    if sizes.max() == 1:
        return binomial_below(int(passed.sum()), len(sizes), bound)
    return betting_p(passed, sizes, bound, enough)


def _share(scores: Floats, threshold: float | None) -> float | None:
    return float((scores >= threshold).mean()) if threshold is not None and len(scores) else None


def binomial_below(hits: int, n: int, share: float) -> float:
    """The chance that a binomial count is at most `hits`.

    >>> round(binomial_below(0, 59, 0.05), 4), round(binomial_below(3, 10, 0.5), 4)
    (0.0485, 0.1719)
    """
    return beta_share(1 - share, n - hits, hits + 1) if hits < n else 1.0


def betting_p(passed: Floats, sizes: Ints, bound: float, enough: float = 0.0) -> float:
    """A p for the claim that at most a fraction of the cases pass, from counts by cluster.

    A gambler who starts with 1 bets that each cluster lets fewer cases pass than the bound allows. If the bound is
    broken, every bet is unfavourable, whatever the stakes, as long as they depend on earlier clusters alone; so the
    capital exceeds 1 / p with a probability of at most p. Clusters come in an order that chance decides.
    Bets end as soon as p is `enough`.
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
        if capital < 1e-12 or seen == len(gains) or highest * enough >= 1:
            break
    return min(1.0, 1 / highest)


def _more_claims(others: Scored, supported: Floats, bound: float, confidence: float) -> int | None:
    """The fewest further unsupported claims that certify a threshold with a recall above 0, if none of them passes.

    None if too many claims pass at the highest score of a supported claim, so at every such threshold.
    """
    sizes, clusters = _sources(others)
    top = supported.max(initial=-numpy.inf)
    passed = numpy.bincount(clusters[others.score >= top], minlength=len(sizes)).astype(numpy.float64)
    if not len(supported) or passed.sum() > bound * sizes.sum():
        return None
    size = max(1, round(len(others.score) / max(1, len(sizes))))  # of a further source

    def is_certified(more: int) -> bool:
        further = numpy.full(more, size)
        found = numpy.concatenate([passed, numpy.zeros(more)]), numpy.concatenate([sizes, further])
        return p_of(*found, bound, 1 - confidence) <= 1 - confidence

    most = 1
    while not is_certified(most):
        most *= 2
    return size * (bisect_left(range(most), True, lo=1, key=is_certified))
