"""Whether a stress figure predicts how models do elsewhere, over all models and seeds of some runs."""

from collections.abc import Sequence
from math import nan

from assay.bench.analyses.opened import Opened, opened
from assay.bench.stored import Run
from assay.core.analysis import Analysis
from assay.core.case import ORIGINAL
from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.results.estimate import Estimate, find
from assay.core.suite import Origin
from assay.evaluate.analyses.prediction import FEWEST, Scores, predicts
from assay.evaluate.band import seeded

Accuracies = dict[tuple[str, str], dict[str, float]]
"""Accuracy by suite and family, then by model."""


def analyse_prediction(runs: Sequence[Run], targets: Sequence[str]) -> Analysis:
    """The correlation of each family's accuracy with that on each target suite, over models."""
    every = [opened(run) for run in runs]
    _same_suites(every)
    scores = _scores(every)
    suites = list(dict.fromkeys(suite for suite, _ in scores))
    for target in targets:
        if target not in suites:
            raise UnknownNameError(
                f"No suite {target!r} in these runs{did_you_mean(target, suites)} There are {', '.join(suites)}."
            )
    estimates: list[Estimate] = []
    for target in targets:
        elsewhere = scores[target, _main_family(target, scores)]
        for (suite, family), own in scores.items():
            if suite in targets:
                continue
            there = _both(own, elsewhere, scores.get((suite, ORIGINAL), {}))
            if there:
                estimates += predicts(there, {"suite": suite, "family": family, "target": target})
    if not any(each.value is not None for each in estimates):
        raise UserError(
            f"A correlation needs at least {FEWEST} systems that answered both a stress suite and a target.\n"
            "  Run more models on both: assay run --suite NAME=FOLDER --suite TARGET=FOLDER --model A --model B ..."
        )
    asked: dict[str, Origin] = {}
    for each in every:
        asked |= each.asked
    models = {model for each in every for model in each.models}
    systems = {seeded(model).system for model in models}
    return Analysis(
        name="prediction",
        runs=tuple(each.record.id for each in every),
        suites=asked,
        estimates=tuple(estimates),
        settings={"target": ", ".join(targets)},
        notes=(f"{len(models)} models of {len(systems)} systems.",),
    )


def _same_suites(runs: Sequence[Opened]) -> None:
    """Refuse runs that call different cases by one name: their models can't be compared."""
    first: dict[str, Opened] = {}
    for run in runs:
        for name, suite in run.record.suites.items():
            before = first.setdefault(name, run)
            if before.record.suites[name].digest != suite.digest:
                raise UserError(
                    f"The suite {name!r} of run {run.record.id} has other cases than in run {before.record.id}.\n"
                    "  Leave one of the runs out, or ask its models about the other's cases: assay run --suite "
                    f"{name}=FOLDER --model MODEL"
                )


def _scores(runs: Sequence[Opened]) -> Accuracies:
    found: Accuracies = {}
    for run in runs:
        for (model, suite, family), each in find(
            run.record.estimates, "accuracy", ("model", "suite", "family")
        ).items():
            if each.value is not None:
                found.setdefault((suite, family), {})[model] = each.value
    return found


def _main_family(target: str, scores: Accuracies) -> str:
    """The family that stands for a target: its source pairs, or the only one that it has."""
    families = [family for suite, family in scores if suite == target]
    if ORIGINAL not in families and len(families) > 1:
        raise UserError(
            f"The target {target!r} has several families ({', '.join(families)}) and no source pairs.\n"
            "  Name a suite of one family, or one that has source pairs."
        )
    return ORIGINAL if ORIGINAL in families else families[0]


def _both(own: dict[str, float], elsewhere: dict[str, float], plain: dict[str, float]) -> Scores | None:
    """The models that answered a test and a target, with their accuracy on the test's source pairs."""
    models = [model for model in own if model in elsewhere]
    if not models:
        return None
    return Scores(
        test=[own[model] for model in models],
        target=[elsewhere[model] for model in models],
        plain=[plain.get(model, nan) for model in models],
        systems=[seeded(model).system for model in models],
    )
