"""What a study has less of than the papers, or than its plan's corpora: in words, for the record."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.bench.experiment.data import StudyData
from assay.core.study.plan import StudyPlan
from assay.evaluate.study.together import only_some
from assay.train.presets import presets


def reductions(plan: StudyPlan, only: Mapping[str, Sequence[str]], data: StudyData) -> list[str]:
    """All of it."""
    return list(dict.fromkeys(_reductions(plan, only, data)))


def _reductions(plan: StudyPlan, only: Mapping[str, Sequence[str]], data: StudyData) -> Iterator[str]:
    if data.folder is None:
        yield (
            "The bundled corpus stands in for all data: this shows how the study works, not what the papers measured."
        )
    for name, values in only.items():
        yield only_some(name, values)
    wanted = [each for each in plan.trainings if each.name in only.get("system", (each.name,))]
    smaller: dict[str, list[str]] = {}
    for each in wanted:
        preset: Any = each.preset
        setting = presets(each.system.partition("/")[0]).setting(preset)
        if setting.reduced:
            smaller.setdefault(f"preset {each.preset}: {setting.reduced}", []).append(each.name)
    for how, names in smaller.items():
        yield f"{', '.join(dict.fromkeys(names))}, {how}."
    for each in wanted:
        there = sum(data.size(name) for name in each.sources)
        if each.sample is not None and each.sample < there:
            yield f"{each.sample:,} training pairs of the {there:,} in {' and '.join(each.sources)}."
        if each.redraw is not None and each.redraw < 1:
            yield f"Each epoch draws {100 * each.redraw:g} % of the training pairs."
    for name, suite in plan.suites.items():
        if suite.source and suite.sample is not None and suite.sample < data.size(suite.source):
            yield f"Suite {name}: {suite.sample:,} of {data.size(suite.source):,} pairs."
