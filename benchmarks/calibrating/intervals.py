"""How often 95% intervals miss the truth: accuracies, figures of support scores, areas under the ROC curve."""

from collections.abc import Iterable, Iterator
from statistics import NormalDist, fmean

import numpy

from assay.evaluate.intervals import clustered_share
from assay.evaluate.support.threshold_metrics import Scored
from calibrating.rate import Rate
from calibrating.simulated import SIZES, draw_hits

NOMINAL = 0.05

ACCURACIES = [
    ("300 clusters of 1", 0.9, 0.0, "beta"),
    ("4 clusters of 10", 0.5, 0.2, "beta"),
    ("4 clusters of 10", 0.5, 0.8, "beta"),
    ("10 clusters of 8", 0.1, 0.8, "whole"),
    ("25 clusters of 8", 0.1, 0.5, "beta"),
    ("25 clusters of 8", 0.1, 0.5, "whole"),
    ("32 clusters of 1 to 8", 0.1, 0.5, "whole"),
    ("200 clusters of 3", 0.98, 0.5, "whole"),
    ("118 clusters, 9 in 10 of 1, others of 8", 0.9, 0.8, "beta"),
    ("118 clusters, 9 in 10 of 1, others of 8", 0.5, 0.8, "whole"),
    ("1,176 clusters, 9 in 10 of 1, others of 8", 0.98, 0.8, "beta"),
    ("1,176 clusters, 9 in 10 of 1, others of 8", 0.98, 0.8, "whole"),
    ("100 of 1 and 2 of 50", 0.5, 0.8, "whole"),
    ("60 clusters of 100, 50, 33, ... 1", 0.5, 0.5, "beta"),
    ("330 clusters, 10 in 11 of 1, others of 8", 0.97, 0.8, "whole"),
    ("100 clusters of 1 to 20", 0.95, 0.6, "whole"),
    ("180 clusters of 1, 2, 4, 8 or 16", 0.3, 0.3, "beta"),
    ("525 clusters, 20 in 21 of 1, others of 20", 0.95, 0.6, "whole"),
    ("8 clusters of 25", 0.8, 0.2, "beta"),
    ("50 clusters of 2", 0.95, 0.8, "whole"),
    ("200 clusters of 3", 0.7, 0.3, "beta"),
]
"""Sizes, accuracy, correlation within clusters and kind of noise."""

FEW = "few clusters"


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """The rows of the table."""
    rng = numpy.random.default_rng([seed, 11])
    for condition in ACCURACIES:
        yield _accuracy(rng, draws, *condition)
    for words, premises in ((0.5, 0.0), (0.0, 0.5), (0.3, 0.3)):
        yield _crossed(rng, draws, words=words, premises=premises)
    yield from _support(rng, min(draws, 1000))


def _row(
    verdict: str, condition: str, missed: list[bool], widths: list[float], nominal: float = NOMINAL, why: str = ""
) -> Rate:
    seldom = why if sum(missed) < 0.6 * nominal * len(missed) else ""
    width = f"mean width {100 * fmean(widths):.1f} points"
    return Rate(verdict, condition, sum(missed), len(missed), nominal, width, seldom)


def _accuracy(rng: numpy.random.Generator, draws: int, sizes: str, accuracy: float, alike: float, noise: str) -> Rate:
    missed, widths = [], []
    for _ in range(draws):
        hits = draw_hits(rng, SIZES[sizes], accuracy=accuracy, alike=alike, noise=noise)
        interval = clustered_share(hits, SIZES[sizes]).interval
        assert interval is not None
        missed.append(not interval.low <= accuracy <= interval.high)
        widths.append(interval.high - interval.low)
    condition = f"{sizes}; accuracy {accuracy:.0%}, correlation {alike} ({noise})"
    few = len(SIZES[sizes]) <= 60 or accuracy in (0.02, 0.98, 0.97, 0.95)
    return _row("95% interval of accuracy", condition, missed, widths, why=FEW if few else "")


def _crossed(rng: numpy.random.Generator, draws: int, *, words: float, premises: float) -> Rate:
    """Cases with 40 word pairs and 300 premises, which both decide how hard a case is."""
    n, middle = 600, NormalDist().inv_cdf(0.7)
    missed, widths = [], []
    for _ in range(draws):
        word, premise = rng.integers(40, size=n), rng.integers(300, size=n)
        parts = [rng.normal(size=40)[word], rng.normal(size=300)[premise], rng.normal(size=n)]
        right = numpy.sqrt([words, premises, 1 - words - premises]) @ numpy.stack(parts) < middle
        by = [(numpy.bincount(each, weights=right), numpy.bincount(each)) for each in (premise, word)]
        interval = clustered_share(*by[0], by[1]).interval
        assert interval is not None
        missed.append(not interval.low <= 0.7 <= interval.high)
        widths.append(interval.high - interval.low)
    condition = f"600 cases, 300 premises crossed with 40 word pairs; premises decide {premises:.0%}, words {words:.0%}"
    return _row("95% interval of accuracy", condition, missed, widths)


def _support(rng: numpy.random.Generator, draws: int) -> Iterator[Rate]:
    for n, share, area in ((10, 0.2, 0.5), (15, 0.2, 0.5), (30, 0.2, 0.5), (60, 0.5, 0.9)):
        above, missed, widths = [], [], []
        for scored in _claims(rng, draws, n=n, share=share, area=area):
            interval = next(each.ends for each in scored.rankings() if each.name == "roc-auc")
            assert interval is not None
            above.append(interval.low > area)
            missed.append(not interval.low <= area <= interval.high)
            widths.append(interval.high - interval.low)
        condition = f"{n} claims, {share:.0%} supported, true area {area}"
        yield _row("lower end of ROC-AUC above the truth", condition, above, widths, NOMINAL / 2)
        yield _row("95% interval of ROC-AUC", condition, missed, widths)
    for n, share, area in ((24, 0.5, 0.98), (60, 0.3, 0.9)):
        middle = NormalDist().inv_cdf(area) / 2**0.5  # halfway between the means of the two kinds
        truth = NormalDist().cdf(middle)
        missed, widths = [], []
        for scored in _claims(rng, draws, n=n, share=share, area=area):
            figures = {each.name: each for each in scored.decisions(0.5)}
            interval = figures["balanced-accuracy"].ends
            assert interval is not None
            missed.append(not interval.low <= truth <= interval.high)
            widths.append(interval.high - interval.low)
        condition = f"{n} claims, {share:.0%} supported, truth {truth:.1%}"
        yield _row("95% interval of balanced accuracy", condition, missed, widths)


def _claims(rng: numpy.random.Generator, draws: int, *, n: int, share: float, area: float) -> Iterator[Scored]:
    """Independent claims with normal scores; those between the means of the two kinds are mapped to 0.5."""
    apart = NormalDist().inv_cdf(area) * 2**0.5
    for _ in range(draws):
        supported = rng.random(n) < share
        if supported.any() and not supported.all():
            raw = rng.normal(size=n) + apart * supported - apart / 2
            yield Scored(1 / (1 + numpy.exp(-raw)), supported, numpy.arange(n), numpy.arange(n))
