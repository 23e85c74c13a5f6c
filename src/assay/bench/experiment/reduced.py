"""What a study has less of than the papers, or other than they: in words, for the record."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from assay.bench.experiment.data import StudyData
from assay.bench.experiment.options import chosen_for
from assay.core.study.plan import StudyPlan, TrainingPlan
from assay.evaluate.study.together import only_some


def reductions(plan: StudyPlan, only: Mapping[str, Sequence[str]], data: StudyData) -> list[str]:
    """All of it."""
    return list(dict.fromkeys(_reductions(plan, only, data)))


def _reductions(plan: StudyPlan, only: Mapping[str, Sequence[str]], data: StudyData) -> Iterator[str]:
    if data.folder is None:
        yield (
            "The bundled corpus stands in for all data: this shows how the study works, not what the papers measured."
        )
    for name, values in only.items():
        yield only_some({"regime": "condition"}.get(name, name), values)
    wanted = [each for each in plan.trainings if each.name in only.get("system", (each.name,))]
    yield from _settings(wanted)
    if plan.vectors and wanted and data.folder is not None:
        yield f"Word vectors: {Path(plan.vectors).name}."
    for each in wanted:
        there = sum(data.size(name) for name in each.sources)
        if each.sample is not None and each.sample < there:
            yield f"{each.sample:,} training pairs of the {there:,} in {' and '.join(each.sources)}."
        if each.redraw is not None and each.redraw < 1:
            yield f"Each epoch draws {100 * each.redraw:g} % of the training pairs."
    yield from replacements(wanted)
    for name, suite in plan.suites.items():
        if suite.source and suite.sample is not None and suite.sample < data.size(suite.source):
            yield f"Suite {name}: {suite.sample:,} of {data.size(suite.source):,} pairs."


def replacements(trainings: Sequence[TrainingPlan]) -> Iterator[str]:
    """Where a condition has pairs in the place of others, and not in addition to them."""
    if any(each.augment and each.sample is not None for each in trainings):
        yield "Pairs that a condition adds take the place of others: all conditions have as many training pairs."
    if any(len(each.sources) > 1 and each.sample is not None for each in trainings):
        yield "Several corpora give equal parts of the training pairs, and not all of their pairs."


def _settings(trainings: Sequence[TrainingPlan]) -> Iterator[str]:
    """Every setting in which the first condition of a system differs from the system's paper."""
    first = {each.name: each for each in reversed(trainings)}
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(each.name for each in trainings):
        if said := ", ".join(differences(first[name])):
            alike.setdefault(f"preset {first[name].preset}: {said}", []).append(name)
    for how, names in alike.items():
        yield f"{', '.join(names)}, {how}."


def differences(training: TrainingPlan) -> Iterator[str]:
    """Every setting of a training that differs from the preset of the system's paper, by name.

    >>> esim = TrainingPlan(name="esim", regime="plain", system="esim/v1", sources=("train",), dev="dev")
    >>> [each for each in differences(esim) if each.startswith(("dropout", "rate"))]
    ['dropout 0.2 instead of 0.5', 'rate 0.001 instead of 0.0004']
    """
    paper = TrainingPlan(name="", regime="", system=training.system, sources=(), dev="", preset="paper")
    ours, theirs = (chosen_for(each) for each in (training, paper))
    for one, other in ((ours.config, theirs.config), (ours.plan, theirs.plan)):
        for field in msgspec.structs.fields(one):
            used, published = getattr(one, field.name), getattr(other, field.name)
            if used != published:
                yield f"{field.name.replace('_', '-')} {_shown(used)} instead of {_shown(published)}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return {True: "on", False: "off", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)
