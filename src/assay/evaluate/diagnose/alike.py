"""Whether models make the same errors."""

from itertools import combinations
from typing import NamedTuple

import numpy

from assay.core.results.diagnosis import Versus
from assay.evaluate.correction import holm
from assay.evaluate.count.columns import Bools, Ints
from assay.evaluate.diagnose.contrast import score_p
from assay.evaluate.diagnose.evidence import Evidence
from assay.evaluate.student import Z95


class Kappa(NamedTuple):
    """Agreement beyond chance."""

    value: float
    """Cohen's kappa."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    """Upper end."""
    p: float
    """The p of a score test."""


def versus(evidence: Evidence) -> tuple[Versus, ...]:
    """Every pair of models, on cases that claim their label; none if there are no such cases."""
    if not evidence.claims.any():
        return ()
    wrong, cluster = ~evidence.right[:, evidence.claims], evidence.cluster[evidence.claims]
    pairs = list(combinations(range(len(evidence.models)), 2))
    kappas = [kappa(wrong[one], wrong[other], cluster) for one, other in pairs]
    adjusted = iter(holm([each.p for each in kappas if each]))
    found = []
    for (one, other), each in zip(pairs, kappas, strict=True):
        found.append(
            Versus(
                first=evidence.models[one],
                second=evidence.models[other],
                n=len(cluster),
                both_wrong=int((wrong[one] & wrong[other]).sum()),
                only_first=int((~wrong[one] & wrong[other]).sum()),
                only_second=int((wrong[one] & ~wrong[other]).sum()),
                kappa=each.value if each else None,
                low=each.low if each else None,
                high=each.high if each else None,
                p=next(adjusted) if each else None,
            )
        )
    return tuple(found)


def kappa(one: Bools, other: Bools, cluster: Ints) -> Kappa | None:
    """Cohen's kappa of two yes-or-no columns, with a clustered interval; None if one of them never varies.

    >>> one = numpy.array([True, True, False, False] * 10)
    >>> kappa(one, one, numpy.arange(40)).value, kappa(one, numpy.ones(40, bool), numpy.arange(40)) is None
    (1.0, True)
    """
    first, second = float(one.mean()), float(other.mean())
    if not 0 < first < 1 or not 0 < second < 1:
        return None
    agree = one == other
    observed, expected = float(agree.mean()), first * second + (1 - first) * (1 - second)
    value = (observed - expected) / (1 - expected)
    # How far each case pulls kappa from where it is, by the derivatives of its parts.
    expectation = (2 * second - 1) * (one - first) + (2 * first - 1) * (other - second)
    pulls = ((agree - observed) - (1 - value) * expectation) / (1 - expected) / len(one)
    clusters = len(numpy.unique(cluster))
    sums = numpy.bincount(cluster, pulls)
    error = float(numpy.sqrt((sums**2).sum() * clusters / max(clusters - 1, 1)))
    p = score_p((one - first) * (other - second), cluster)
    return Kappa(value, max(-1.0, value - Z95 * error), min(1.0, value + Z95 * error), p)


def all_wrong(evidence: Evidence) -> int:
    """Cases that every model gets wrong."""
    return int((~evidence.right[:, evidence.claims]).all(axis=0).sum())


def only_right(evidence: Evidence) -> dict[str, int]:
    """Cases that one model alone gets right, by model."""
    right = evidence.right[:, evidence.claims]
    alone = right & (right.sum(axis=0) == 1)
    return dict(zip(evidence.models, alone.sum(axis=1).tolist(), strict=True))
