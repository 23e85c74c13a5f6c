"""Correlation of accuracy on a stress test with accuracy elsewhere, over the models and seeds of several runs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import atanh, isfinite, nan, sqrt, tanh
from typing import NamedTuple

import numpy

from assay.core.case import ORIGINAL
from assay.core.errors import UserError, check_known
from assay.core.estimate import FAMILY, Estimate, Interval, find
from assay.core.manifest import CaseSource
from assay.evaluate.case_columns import Floats
from assay.evaluate.intervals import Z95
from assay.evaluate.seeds import split_seed
from assay.evaluate.slice_sums import bounded
from assay.reports.tables.sheet import Part
from assay.run.stored_run import Run
from assay.studies.analyses.analysis_result import AnalysedRun, Analysis, AnalysisEntry, open_for_analysis
from assay.studies.analyses.analysis_tables import METRIC, AnalysisTable, decimal_cell

FEWEST = 4  # fewer systems than this give no correlation worth showing
FREE = 3  # points that the variance of Fisher's transform of a correlation does not count


class Scores(NamedTuple):
    test: Sequence[float]  # on the test, by model
    target: Sequence[float]
    plain: Sequence[float]  # the accuracy on the unchanged source pairs of the test; NaN if no model was run on them
    systems: Sequence[str]  # the system that each model is a seed of: seeds of one system are not independent


def correlate_scores(scores: Scores, where: Mapping[str, str]) -> list[Estimate]:
    """The `correlation` of test and target over models, and the `partial` one, given the accuracy on plain pairs.

    A partial correlation near zero means that the test says nothing about the target that plain accuracy does not.
    Every system counts once, however many seeds it has. `n` is the number of systems.

    >>> test, plain = [0.1, 0.2, 0.3, 0.4], [0.5, 0.7, 0.5, 0.7]
    >>> scores = Scores(test, [0.2, 0.4, 0.6, 0.8], plain, ["a", "b", "c", "d"])
    >>> [(each.name, round(each.value, 3), each.n) for each in correlate_scores(scores, {})]
    [('correlation', 1.0, 4), ('partial', 1.0, 4)]
    """
    seeds = Counter(scores.systems)
    n = len(seeds)
    if n < FEWEST:
        return [Estimate(name=name, value=None, n=n, slice=dict(where)) for name in ("correlation", "partial")]
    test, target, plain = (numpy.asarray(each, dtype=numpy.float64) for each in scores[:3])  # (models,)
    weights = numpy.array([1 / seeds[system] for system in scores.systems])
    both, with_test, with_target = (
        _correlation(one, other, weights) for one, other in ((test, target), (test, plain), (target, plain))
    )
    left = (1 - with_test**2) * (1 - with_target**2)  # nothing, if the unmodified pairs decide one of the two
    partial = _clip((both - with_test * with_target) / sqrt(left)) if left > 1e-9 else nan
    return [_estimate("correlation", both, n, n, where), _estimate("partial", partial, n, n - 1, where)]


def _correlation(one: Floats, other: Floats, weights: Floats) -> float:
    """Weighted Pearson correlation; NaN if one side does not vary."""
    first = one - numpy.average(one, weights=weights)
    second = other - numpy.average(other, weights=weights)
    variances = float(weights @ first**2) * float(weights @ second**2)
    return _clip(float(weights @ (first * second)) / sqrt(variances)) if variances > 1e-24 else nan


def _clip(value: float) -> float:
    return float(numpy.clip(value, -1.0, 1.0))  # keeps what is not a number


def _estimate(name: str, value: float, n: int, free: int, where: Mapping[str, str]) -> Estimate:
    """A correlation over n systems, with Fisher's interval; each variable that is held equal leaves one fewer `free`.

    Seeds of one system are not independent, so the interval counts systems. Resampling systems instead would give
    intervals that are too narrow for the few systems that anybody has.
    """
    known = isfinite(value)
    return bounded(name, value if known else None, fisher(value, free) if known else None, n, where)


def fisher(correlation: float, n: int) -> Interval:
    """Fisher's interval of a correlation over n independent points.

    >>> low, high = fisher(0.5, 28)
    >>> round(low, 3), round(high, 3), fisher(0.5, 3)
    (0.156, 0.736, Interval(low=-1.0, high=1.0))
    """
    if n <= FREE:
        return Interval(-1.0, 1.0)
    if abs(correlation) == 1:
        return Interval(correlation, correlation)
    spread = Z95 / sqrt(n - FREE)
    return Interval(tanh(atanh(correlation) - spread), tanh(atanh(correlation) + spread))


Accuracies = dict[tuple[str, str], dict[str, float]]  # accuracy by suite and family, then by model


def analyse_prediction(runs: Sequence[Run], targets: Sequence[str]) -> Analysis:
    """The correlation of each family's accuracy with that on each target suite, over models."""
    every = [open_for_analysis(run) for run in runs]
    _refuse_other_suites(every)
    scores: Accuracies = {}
    for run in every:
        for (model, suite, family), measured in find(run.record.estimates, "accuracy", FAMILY).items():
            if measured.value is not None:
                scores.setdefault((suite, family), {})[model] = measured.value
    suites = list(dict.fromkeys(suite for suite, _ in scores))
    for target in targets:
        check_known(target, suites, f"No suite {target!r} in these runs")
    estimates: list[Estimate] = []
    for target in targets:
        elsewhere = scores[target, _main_family(target, scores)]
        for (suite, family), own in scores.items():
            if suite in targets:
                continue
            plain, both = scores.get((suite, ORIGINAL), {}), [model for model in own if model in elsewhere]
            there = Scores(
                test=[own[model] for model in both],
                target=[elsewhere[model] for model in both],
                plain=[plain.get(model, nan) for model in both],
                systems=[split_seed(model).system for model in both],
            )
            if both:
                estimates += correlate_scores(there, {"suite": suite, "family": family, "target": target})
    if not any(each.value is not None for each in estimates):
        raise UserError(
            f"A correlation needs at least {FEWEST} systems that answered both a stress suite and a target.\n"
            "  Run more models on both: assay run --suite NAME=FOLDER --suite TARGET=FOLDER --model A --model B ..."
        )
    asked: dict[str, CaseSource] = {}
    for each in every:
        asked |= each.sources
    models = {model for each in every for model in each.models}
    systems = {split_seed(model).system for model in models}
    return Analysis(
        name="prediction",
        runs=tuple(each.record.id for each in every),
        suites=asked,
        estimates=tuple(estimates),
        settings={"target": ", ".join(targets)},
        notes=(f"{len(models)} models of {len(systems)} systems.",),
    )


def _refuse_other_suites(runs: Sequence[AnalysedRun]) -> None:
    """Refuse runs that call different cases by one name: their models can't be compared."""
    first: dict[str, AnalysedRun] = {}
    for run in runs:
        for name, suite in run.record.suites.items():
            before = first.setdefault(name, run)
            if before.record.suites[name].digest != suite.digest:
                raise UserError(
                    f"The suite {name!r} of run {run.record.id} has other cases than in run {before.record.id}.\n"
                    "  Leave one of the runs out, or run its models on the other's cases: assay run --suite "
                    f"{name}=FOLDER --model MODEL"
                )


def _main_family(target: str, scores: Accuracies) -> str:
    """The family that represents a target: its source pairs, or its only family."""
    families = [family for suite, family in scores if suite == target]
    if ORIGINAL not in families and len(families) > 1:
        raise UserError(
            f"The target {target!r} has several families ({', '.join(families)}) and no source pairs.\n"
            "  Name a suite of one family, or one that has source pairs."
        )
    return ORIGINAL if ORIGINAL in families else families[0]


def prediction_tables(found: Analysis) -> list[Part]:
    table = AnalysisTable(
        "prediction",
        "Does accuracy on a test go with accuracy elsewhere?",
        "Correlation over models of the accuracy on a test and on a target. Fisher's 95% intervals count "
        "systems, not seeds. Partial: given the accuracy on the test's unmodified pairs.",
        by=("target", "suite", "family"),
        across=METRIC,
        show=decimal_cell,
        n="systems",
    )
    return [table.sheet([*found.select("correlation", "target"), *found.select("partial", "target")]), *found.notes]


ANALYSIS = AnalysisEntry(
    "prediction",
    "Correlation of accuracy on one test with accuracy on others, over models and runs.",
    analyse_prediction,
    prediction_tables,
)
