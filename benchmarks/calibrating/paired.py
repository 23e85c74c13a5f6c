"""How often two equally good models differ, and how often nothing is lost but a loss is found."""

from collections.abc import Callable, Iterable, Iterator

import numpy
from numpy.typing import NDArray

from assay.core.comparison import ComparedSlice
from assay.core.estimate import Estimate
from assay.evaluate.intervals import wilson
from assay.evaluate.losses import find_divided_groups, find_losses
from assay.evaluate.model_comparison import compared_shares, judge_differences
from assay.evaluate.paired import PairedShares, paired_shares
from assay.evaluate.verdict import find_findings
from calibrating.rate import Rate
from calibrating.simulated import SIZES, Ints, draw_hits

NOMINAL = 0.05

Bools = NDArray[numpy.bool_]
Answers = Callable[[numpy.random.Generator, float], tuple[Bools, Bools]]
"""Two answers to each case, (clusters, cases), of which the second is right less often by so much."""


SHARED = (
    ("100 of 1 and 2 of 100", 0.3, 0.3, 0.5),
    ("100 of 1 and 1 of 200", 0.3, 0.3, 0.5),
    ("60 clusters of 100, 50, 33, ... 1", 0.3, 0.3, 0.5),
    ("20 clusters of 5", 0.3, 1.0, 0.5),
    ("20 clusters of 2", 0.05, 0.05, 0.999),
    ("60 of 1 and 3 of 30", 0.9, 1.0, 0.5),
    ("60 of 1 and 4 of 60", 0.9, 1.0, 0.5),
    ("50 clusters of 2", 0.2, 0.5, 0.5),
    ("180 clusters of 1, 2, 4, 8 or 16", 0.4, 0.4, 0.5),
)
"""Sizes, how often two models that share most errors disagree, how alike their disagreements are within a cluster, and
the share of them that the first model wins."""


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """The rows of the table."""
    rng = numpy.random.default_rng([seed, 12])
    for pairs, copies, accuracy, kind in (
        (20, 8, 0.8, "independent"),
        (50, 8, 0.95, "independent"),
        (50, 8, 0.95, "mostly as the pair"),
        (50, 1, 0.8, "independent"),
        (200, 2, 0.9, "of the same difficulty"),
        (200, 8, 0.95, "independent"),
        (200, 8, 0.8, "of the same difficulty"),
        (1000, 4, 0.95, "of the same difficulty"),
    ):
        yield _losses(rng, draws, pairs, copies, accuracy, kind)
    for pairs, cases, accuracy in (
        (20, 40, 0.7),
        (60, 20, 0.9),
        (250, 300, 0.8),
        (60, 60, 0.97),
        (1000, 25, 0.95),
        (1000, 25, 0.99),
    ):
        yield _new_labels(rng, draws, pairs, cases, accuracy)
    for sizes, accuracy, alike in (
        ("300 clusters of 1", 0.8, 0.0),
        ("25 clusters of 8", 0.8, 0.5),
        ("200 clusters of 3", 0.95, 0.5),
        ("118 clusters, 9 in 10 of 1, others of 8", 0.7, 0.5),
        ("60 clusters of 100, 50, 33, ... 1", 0.8, 0.3),
    ):
        yield _equal_models(rng, draws, sizes, accuracy, alike)
    for sizes, disagree, alike, ahead in SHARED:
        yield from _shared_errors(rng, draws, sizes, disagree, alike, ahead)
    for clusters, size, lost in ((30, 8, 0.03), (60, 8, 0.03), (60, 8, 0.1), (200, 4, 0.01), (250, 3, 0.01)):
        yield _few_lost(rng, draws, clusters, size, lost)
    for cases in (50, 100, 1000):
        for often in (0.55, 0.6):
            yield _heuristics(rng, draws, cases, often)
    for values, cases, accuracy in ((12, 4, 0.5), (2, 20, 0.9), (12, 100, 0.7), (5, 60, 0.5)):
        yield _groups(rng, draws, values, cases, accuracy)
    yield _intervals(rng, draws)
    for tests in (8, 24):
        yield _shown(rng, draws, tests, "300 clusters of 1")
    yield _shown(rng, draws, 8, "200 clusters of 3")


def _counted(first: Bools, second: Bools) -> PairedShares:
    both, either = (first & second).sum(axis=1), numpy.full(len(first), first.shape[1])
    return paired_shares(numpy.stack([either, both, first.sum(axis=1) - both, second.sum(axis=1) - both], axis=1))


def _copies(
    rng: numpy.random.Generator, pairs: int, copies: int, accuracy: float, kind: str, lost: float
) -> PairedShares:
    """A source pair's answer beside each of its copies'; copies are right less often by so much."""
    if kind == "of the same difficulty":
        ease = rng.beta(2 * accuracy, 2 * (1 - accuracy), (pairs, 1))
        source, copy = rng.random((pairs, 1)) < ease, rng.random((pairs, copies)) < ease
    else:
        source, copy = (rng.random((pairs, width)) < accuracy for width in (1, copies))
        if kind == "mostly as the pair":
            copy = numpy.where(rng.random((pairs, copies)) < 0.8, source, copy)
    copy = copy & (rng.random((pairs, copies)) >= lost / accuracy)
    return _counted(numpy.broadcast_to(source, copy.shape), copy)


def _losses(rng: numpy.random.Generator, draws: int, pairs: int, copies: int, accuracy: float, kind: str) -> Rate:
    wrong = found = 0
    for _ in range(draws):
        shares = _copies(rng, pairs, copies, accuracy, kind, 0.0)
        wrong += (shares.p or 0.0) < NOMINAL and (shares.difference or 0.0) > 0
        shares = _copies(rng, pairs, copies, accuracy, kind, 0.1)
        found += (shares.p or 0.0) < NOMINAL and (shares.difference or 0.0) > 0
    condition = f"{pairs} pairs, {copies} copies each, {kind}; accuracy {accuracy:.0%}"
    return Rate("loss", condition, wrong, draws, NOMINAL / 2, f"{found / draws:.2f} at 10 points")


def _new_labels(rng: numpy.random.Generator, draws: int, pairs: int, cases: int, accuracy: float) -> Rate:
    """Cases with labels of their own, right as often as unmodified pairs of the same label."""
    wrong = found = 0
    for _ in range(draws):
        for lost in (0.0, 0.15):
            estimates = []
            for family, n, chance in (("original", pairs, accuracy), ("antonymy", cases, accuracy - lost)):
                hits = rng.binomial(n, chance)
                low, high = wilson(hits / n, n)
                where = {"model": "m", "suite": "s", "family": family}
                for place in (where, {**where, "label": "contradiction"}):
                    found_here = Estimate(name="accuracy", value=hits / n, low=low, high=high, n=n, slice=place)
                    estimates.append(found_here)
            estimates.append(Estimate(name="drop", value=0.0, n=cases, slice=where))
            has_loss = bool(find_losses(estimates))
            wrong += has_loss and not lost
            found += has_loss and lost > 0
    condition = f"{cases} cases with new labels, {pairs} unmodified pairs of that label; accuracy {accuracy:.0%}"
    why = "few cases, whole numbers" if wrong < 0.015 * draws else ""
    return Rate("loss", condition, wrong, draws, NOMINAL / 2, f"{found / draws:.2f} at 15 points", why)


def _equal_models(rng: numpy.random.Generator, draws: int, sizes: str, accuracy: float, alike: float) -> Rate:
    """One model errs in whole clusters, the other case by case."""
    trials, wrong, found = SIZES[sizes], 0, 0
    for _ in range(draws):
        for lost in (0.0, 0.1):
            first = draw_hits(rng, trials, accuracy=accuracy, alike=alike, noise="whole")
            second = rng.binomial(trials, accuracy - lost)
            p = paired_shares(_joined(rng, trials, first, second)).p
            wrong += not lost and (p or 0.0) < NOMINAL
            found += lost > 0 and (p or 0.0) < NOMINAL
    condition = f"{sizes}; accuracy {accuracy:.0%}, one model with correlation {alike}"
    return Rate("better or worse", condition, wrong, draws, NOMINAL, f"{found / draws:.2f} at 10 points")


def _shared_errors(
    rng: numpy.random.Generator, draws: int, sizes: str, disagree: float, alike: float, ahead: float
) -> Iterator[Rate]:
    """Two models that err on mostly the same cases; which of them is right elsewhere depends on the cluster."""
    trials, wrong, missed, widths = SIZES[sizes], 0, 0, 0.0
    truth = disagree * (2 * ahead - 1)
    for _ in range(draws):
        apart = rng.binomial(trials, disagree)
        won = draw_hits(rng, apart, accuracy=ahead, alike=alike, noise="whole" if alike == 1 else "beta")
        both = rng.binomial(trials - apart, 0.7)
        shares = paired_shares(numpy.stack([trials, both, won, apart - won], axis=1))
        assert shares.p is not None
        assert shares.interval is not None
        wrong += shares.p < NOMINAL
        missed += not shares.interval.low <= truth <= shares.interval.high
        widths += shares.interval.high - shares.interval.low
    condition = f"{sizes}; {disagree:.0%} answered differently, correlation {alike} within a cluster"
    if ahead == 0.5:
        yield Rate("better or worse", condition, wrong, draws, NOMINAL)
    width = f"mean width {100 * widths / draws:.1f} points"
    yield Rate("95% interval of a difference", f"{condition}, truth {truth:.1%}", missed, draws, NOMINAL, width)


def _few_lost(rng: numpy.random.Generator, draws: int, clusters: int, size: int, lost: float) -> Rate:
    """One model wins a little everywhere and loses a few whole clusters, of which a sample may have none."""
    wrong = found = 0
    trials = numpy.full(clusters, size)
    for _ in range(draws):
        second = numpy.where(rng.random(clusters) < lost, size, 0)
        first = numpy.where(second, 0, rng.binomial(size, lost / (1 - lost), clusters))
        wrong += (_beside(rng, trials, first, second).p or 0.0) < NOMINAL
        second = rng.binomial(size, 0.04, clusters)
        first = rng.binomial(size - second, 0.14 / 0.96)
        found += (_beside(rng, trials, first, second).p or 0.0) < NOMINAL
    condition = f"{clusters} clusters of {size}, {lost:.0%} of which are wholly lost and the rest won a little"
    few = "few clusters" if wrong < 0.03 * draws else ""
    return Rate("better or worse", condition, wrong, draws, NOMINAL, f"{found / draws:.2f} at 10 points", few)


def _beside(rng: numpy.random.Generator, trials: Ints, first: Ints, second: Ints) -> PairedShares:
    """Two models from the cases that only one of them gets right; both get most of the others right."""
    both = rng.binomial(trials - first - second, 0.7)
    return paired_shares(numpy.stack([trials, both, first, second], axis=1))


def _heuristics(rng: numpy.random.Generator, draws: int, cases: int, often: float) -> Rate:
    """A model that says entailment this often, whatever the case, on three heuristics."""
    wrong, found = (sum(_is_followed(rng, cases, share) for _ in range(draws)) for share in (often, 0.8))
    condition = f"three heuristics, {cases} cases of each label, entailment said to {often:.0%} of them"
    why = "a least size" if wrong < 0.03 * draws else ""
    return Rate("follows a heuristic", condition, wrong, draws, NOMINAL, f"{found / draws:.2f} at 80%", why)


def _is_followed(rng: numpy.random.Generator, cases: int, often: float) -> bool:
    estimates = []
    for heuristic in "abc":
        for label, accuracy in (("entailment", often), ("non-entailment", 1 - often)):
            value = rng.binomial(cases, accuracy) / cases
            low, high = wilson(value, cases)
            where = {"model": "m", "suite": "s", "family": "f", "heuristic": heuristic, "label": label}
            estimates.append(Estimate(name="accuracy", value=value, low=low, high=high, n=cases, slice=where))
    return bool(find_findings(estimates, (), ()))


def _groups(rng: numpy.random.Generator, draws: int, values: int, cases: int, accuracy: float) -> Rate:
    """A model that is equally good on all values of a group, such as genre."""
    wrong = 0
    for _ in range(draws):
        estimates = []
        for number, hits in enumerate(rng.binomial(cases, accuracy, values).tolist()):
            low, high = wilson(hits / cases, cases)
            where = {"model": "m", "suite": "s", "family": "f", "genre": str(number)}
            found = Estimate(name="accuracy", value=hits / cases, low=low, high=high, n=cases, slice=where)
            estimates.append(found)
        wrong += bool(find_divided_groups(estimates))
    return Rate("groups differ", f"{values} genres of {cases} cases; accuracy {accuracy:.0%}", wrong, draws, NOMINAL)


def _joined(rng: numpy.random.Generator, trials: Ints, first: Ints, second: Ints) -> Ints:
    """Counts by cluster, if the right answers of the two fall on the cases of a cluster by chance."""
    both = rng.hypergeometric(first, trials - first, second)
    return numpy.stack([trials, both, first - both, second - both], axis=1)


def _intervals(rng: numpy.random.Generator, draws: int) -> Rate:
    missed = 0
    for _ in range(draws):
        interval = _copies(rng, 50, 8, 0.95, "independent", 0.05).interval
        assert interval is not None
        missed += not interval.low <= 0.05 <= interval.high
    return Rate("95% interval of a loss", "50 pairs, 8 copies each; 5 points lost of 95%", missed, draws, NOMINAL)


def _shown(rng: numpy.random.Generator, draws: int, tests: int, sizes: str) -> Rate:
    """One of several slices truly differs by what `shows` says; in the others, both models are equally good."""
    trials = SIZES[sizes]
    shown = _compared(rng, trials, tests, 0.0)[0].smallest
    for _ in range(4):  # the difference that is shown depends a little on how often the two disagree
        assert shown is not None
        shown = _compared(rng, trials, tests, shown)[0].smallest
    assert shown is not None
    rows = [_compared(rng, trials, tests, shown) for _ in range(draws)]
    found = sum(each[0].verdict == "better" for each in rows)
    wrong = sum(any(row.verdict != "not significant" for row in each[1:]) for each in rows)
    condition = f"{tests} slices of {sizes}, one of them with the difference that `shows` names"
    return Rate("better or worse", condition, wrong, draws, NOMINAL, f"{found / draws:.2f} at {100 * shown:.1f} points")


def _compared(rng: numpy.random.Generator, trials: Ints, tests: int, difference: float) -> tuple[ComparedSlice, ...]:
    rows = []
    for number in range(tests):
        gap = difference / 2 if number == 0 else 0.0
        first, second = (
            draw_hits(rng, trials, accuracy=0.7 + side * gap, alike=0.3 * (trials.max() > 1), noise="beta")
            for side in (1, -1)
        )
        shares = paired_shares(_joined(rng, trials, first, second))
        rows.append(compared_shares({"suite": "s", "family": f"f{number}"}, shares))
    return judge_differences(rows)
