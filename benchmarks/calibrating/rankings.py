"""How often two models that rank equally well are said to differ, by their areas under the ROC curve."""

from collections.abc import Iterable
from statistics import NormalDist

import numpy

from assay.evaluate.seeds import exchange_p
from assay.evaluate.support.ranking_comparison import FEWEST_RANKED, compare_areas
from calibrating.rate import Rate

CONDITIONS = (
    (40, 0.5, 0.7, 1, 1),
    (60, 0.2, 0.5, 1, 1),
    (100, 0.5, 0.95, 1, 1),
    (200, 0.1, 0.8, 1, 1),
    (400, 0.5, 0.8, 8, 1),
    (120, 0.5, 0.8, 4, 1),
    (1000, 0.3, 0.9, 1, 1),
    (200, 0.5, 0.8, 1, 4),
    (400, 0.5, 0.7, 4, 5),
)
"""Cases, the share of them that is supported, the area, cases of a cluster, and trainings of each side."""

MORE = 0.1
"""The true difference for which power is given."""


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """The rows of the table."""
    rng = numpy.random.default_rng([seed, 14])
    for n, share, area, size, trainings in CONDITIONS:
        wrong = sum(_differs(rng, n, share, (area, area), size, trainings) for _ in range(draws))
        some = max(draws // 5, 1)
        ends = (area + MORE, area) if area + MORE < 1 else (area, area - MORE)
        found = sum(_differs(rng, n, share, ends, size, trainings) for _ in range(some))
        condition = (
            f"{n} claims in clusters of {size}, {share:.0%} supported, area {area}, {trainings} trainings a side"
        )
        few = "few supported claims" if share * n / size < 30 else ""
        why = few if wrong < 0.03 * draws else ""
        yield Rate("ROC-AUC higher or lower", condition, wrong, draws, 0.05, f"{found / some:.2f} at {MORE:.2f}", why)
    for large in (20, 60):
        yield _giants(rng, draws, large)


def _giants(rng: numpy.random.Generator, draws: int, large: int) -> Rate:
    """Equally good models; one is better in each of three large clusters, whichever it is."""
    cluster = numpy.repeat(numpy.arange(103), [1] * 100 + [large] * 3)
    wrong = found = 0
    for _ in range(draws):
        supported = rng.random(len(cluster)) < 0.5
        direction = rng.normal(size=(2, 103))[:, cluster] * numpy.where(supported, 1, -1)
        noise = rng.normal(size=(2, len(cluster)))
        wrong += (compare_areas(1.2 * supported + noise + direction, supported, cluster).p or 0.0) < 0.05
        better = numpy.array([[1.8], [1.2]]) * supported + noise
        found += (compare_areas(better, supported, cluster).p or 0.0) < 0.05
    condition = f"100 claims of 1 and 3 clusters of {large}, each of which one side ranks better"
    return Rate("ROC-AUC higher or lower", condition, wrong, draws, 0.05, f"{found / draws:.2f} at 0.10")


def _differs(
    rng: numpy.random.Generator, n: int, share: float, areas: tuple[float, float], size: int, trainings: int
) -> bool:
    """True if two sides whose scores share half of their noise, and clusters half of the rest, get a verdict."""
    cluster = numpy.arange(n) // size
    supported = rng.random(n) < share
    if min(len(numpy.unique(cluster[kind])) for kind in (supported, ~supported)) < FEWEST_RANKED:
        return False
    common = rng.normal(size=n)
    scores = []
    for area in areas:
        of_side = rng.normal(size=n)
        of_cluster = rng.normal(size=n // size + 1)[cluster]
        for _ in range(trainings):
            shift = rng.normal(0, 0.05) if trainings > 1 else 0.0
            apart = max(0.0, NormalDist().inv_cdf(area) * 2**0.5 + shift)
            own = of_side if trainings == 1 else (of_side + rng.normal(size=n)) / 2**0.5
            noise = 0.5 * common + (0.25 * own + 0.25 * of_cluster if size > 1 else 0.5 * own)
            scores.append(noise / (0.625**0.5 if size == 1 else 0.375**0.5) * 1.0 + apart * supported)
    found = compare_areas(numpy.stack(scores), supported, cluster, trainings)
    if found.p is None or found.p >= 0.05:
        return False
    if trainings == 1:
        return True
    values = [float(rank[supported].mean() - rank[~supported].mean()) for rank in numpy.argsort(numpy.argsort(scores))]
    return exchange_p(values[:trainings], values[trainings:]) < 0.05
