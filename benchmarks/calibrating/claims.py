"""Simulates the verdict on two models of claims: false differences, and real ones that it finds."""

from collections.abc import Iterable, Sequence

import numpy
from numpy.typing import NDArray

from assay.core.comparison import ComparedSlice, Comparison
from assay.core.label import Label
from assay.evaluate.model_comparison import compared_shares, judge_differences
from assay.evaluate.paired import paired_shares
from assay.reports.claims_comparison import claims_rows, claims_verdict
from calibrating.rate import Rate

NOMINAL = 0.05
FAMILIES = ("original", "quantities", "negation")
Shares = tuple[float, float, float]
"""The shares of claims that both models accept, only the candidate does, and only the baseline does."""

SAME: dict[Label, Shares] = {Label.NON_ENTAILMENT: (0.05, 0.1, 0.1), Label.ENTAILMENT: (0.65, 0.1, 0.1)}
FEWER: Shares = (0.05, 0.04, 0.13)  # false support falls from 18% to 9%
ALIKE = 0.3  # how many claims of a source get one answer for all

Generator = numpy.random.Generator


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """The rows of the table."""
    rng = numpy.random.default_rng([seed, 21])
    for sources, size in ((60, 1), (300, 1), (40, 3), (150, 3)):
        for edited in (SAME, dict.fromkeys(SAME, (0.4, 0.05, 0.25))):
            yield _equal_models(rng, draws, sources, size, edited)
        yield _one_is_better(rng, draws, sources, size)
    rng = numpy.random.default_rng([seed, 22])
    for ours, theirs, n in ((9, 3, 100), (13, 4, 100), (20, 8, 300)):
        yield _needed(rng, draws, ours, theirs, n)


def _answers(rng: Generator, sources: int, size: int, shares: Shares) -> NDArray[numpy.int64]:
    """(sources, 4) The claims of each source, and how many both accept, only the candidate, and only the baseline."""
    edges = numpy.cumsum(shares)
    together = rng.random((sources, size)) < numpy.sqrt(ALIKE)
    drawn = numpy.where(together, rng.random((sources, 1)), rng.random((sources, size)))
    kinds = numpy.searchsorted(edges, drawn, side="right")
    return numpy.stack([numpy.full(sources, size), *((kinds == kind).sum(axis=1) for kind in range(3))], axis=1)


def _rows(family: str, accepted: dict[Label, NDArray[numpy.int64]]) -> list[ComparedSlice]:
    """The rows of a family and of its labels: accepting an unsupported claim is wrong."""
    n, both, ours, theirs = accepted[Label.NON_ENTAILMENT].T
    right = {**accepted, Label.NON_ENTAILMENT: numpy.stack([n, n - both - ours - theirs, theirs, ours], axis=1)}
    where = {"suite": "s", "family": family}
    labels = [compared_shares({**where, "label": label.value}, paired_shares(right[label])) for label in right]
    return [compared_shares(where, paired_shares(numpy.concatenate([*right.values()]))), *labels]


def _compared(rows: Sequence[ComparedSlice]) -> Comparison:
    return Comparison(
        candidate="b", candidate_run="r", baseline="a", baseline_run="r", test="paired", slices=judge_differences(rows)
    )


def _headline(rng: Generator, sources: int, size: int, own: dict[Label, Shares], edited: dict[Label, Shares]) -> str:
    rows = [
        row
        for family in FAMILIES
        for shares in [own if family == "original" else edited]
        for row in _rows(family, {label: _answers(rng, sources, size, shares[label]) for label in SAME})
    ]
    verdict = claims_verdict(_compared(rows), "a", "b")
    assert verdict is not None
    return verdict.headline


def _about(sources: int, size: int) -> str:
    return f"{sources * size} claims of each label" + (f", {size} per source" if size > 1 else "")


def _equal_models(rng: Generator, draws: int, sources: int, size: int, edited: dict[Label, Shares]) -> Rate:
    wrong = sum("don't tell" not in _headline(rng, sources, size, SAME, edited) for _ in range(draws))
    apart = "equal models" if edited is SAME else "equal on these, 20 points apart on edited claims"
    return Rate("more or fewer claims pass", f"{_about(sources, size)}, {apart}", wrong, draws, NOMINAL)


def _one_is_better(rng: Generator, draws: int, sources: int, size: int) -> Rate:
    own = {**SAME, Label.NON_ENTAILMENT: FEWER}
    said = [_headline(rng, sources, size, own, SAME) for _ in range(draws)]
    mistakes = ("lets more", "accepts more", "accepts fewer", "less often")
    wrong = sum(any(words in each for words in mistakes) for each in said)
    power = f"{sum('lets fewer' in each for each in said) / draws:.2f} found"
    about = f"{_about(sources, size)}, false support 18% and 9%, recall equal"
    return Rate("more or fewer claims pass", about, wrong, draws, NOMINAL, power)


def _needed(rng: Generator, draws: int, ours: int, theirs: int, n: int) -> Rate:
    """As many claims as are said to be needed, if the difference is as large as it was."""
    supported = _answers(rng, n, 1, SAME[Label.ENTAILMENT])
    rest = n - ours - theirs
    kinds = numpy.repeat([[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [1, 0, 0, 0]], [rest // 2, theirs, ours, 0], axis=0)
    counts = numpy.concatenate([kinds, [[1, 0, 0, 0]] * (n - len(kinds))])
    claims = {Label.ENTAILMENT: supported, Label.NON_ENTAILMENT: counts}
    more = claims_rows(_compared(_rows("original", claims)))["false-support"].more_cases
    assert more is not None
    shares = (rest // 2 / n, theirs / n, ours / n)
    missed = 0
    for _ in range(draws):
        claims[Label.NON_ENTAILMENT] = _answers(rng, n + more, 1, shares)
        missed += claims_rows(_compared(_rows("original", claims)))["false-support"].verdict == "not significant"
    about = f"{theirs} of {n} pass only with one model and {ours} only with the other, {more} more said to be needed"
    return Rate("claims said to show a difference", about, missed, draws, 0.2, f"{1 - missed / draws:.2f} found")
