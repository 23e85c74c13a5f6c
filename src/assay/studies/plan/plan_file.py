"""From a plan's file to a plan in which every name is known; errors are reported before anything starts."""

from functools import partial
from importlib.resources import files
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, UnknownNameError, did_you_mean
from assay.run.predict.model_names import model_name
from assay.storage.yaml_file import read_marked
from assay.studies.plan.plan_options import LEARNED_FROM, Section, suite_plan, training_plan
from assay.studies.plan.study_metrics import DEVIATIONS, shows_everything
from assay.studies.plan.study_plan import (
    CorpusPlan,
    Kind,
    MitigationPlan,
    Published,
    StudyPlan,
    TablePlan,
    TrainingPlan,
)
from assay.studies.transfer.transfer_tasks import find_tasks

SLICES = ("label", "answer", "variant", "heuristic", "subcase", "category")
"""Slices of a table, apart from suite and family."""

KEYS = (
    *("name", "title", "reproduces", "kind", "corpora", "vectors", "train", "systems", "models", "conditions"),
    *("baseline", "seeds", "suites", "epochs", "tables", "tasks", "before-and-after", "data", "notes"),
)

ONLY_CONDITION = "plain"  # name of the condition in a plan without conditions


def built_in_plans() -> dict[str, Path]:
    """The plans that come with Assay, by name.

    >>> "swap-training" in built_in_plans()
    True
    """
    folder = Path(str(files("assay.studies.plan") / "plans"))
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def find_plan(name: str) -> StudyPlan:
    """A plan that comes with Assay, or that of a file."""
    plans = built_in_plans()
    if name in plans:
        return read_plan(plans[name])
    if not Path(name).is_file():
        raise UnknownNameError(
            f"No study {name!r}, and no such file{did_you_mean(name, plans)} See `assay list studies`."
        )
    return read_plan(Path(name))


def read_plan(path: Path) -> StudyPlan:
    marked = read_marked(path)
    if marked is None:
        raise BadInputError("empty: a plan has a title, systems, suites and tables", where=str(path))
    top = Section(path, marked, "the plan").refuse_other_keys(*KEYS)
    kind: Kind = top.value("kind", Kind) if "kind" in top else "training"
    in_corpora = top.section("corpora")
    corpora = {name: _read_corpus(in_corpora.section(name)) for name in in_corpora}
    keys, in_suites = ("from", "families", "set", "sample", "per-subcase", "subcases"), top.section("suites")
    suites = {name: suite_plan(in_suites.section(name).refuse_other_keys(*keys), [*corpora]) for name in in_suites}
    trainings = _read_trainings(top, list(corpora))
    systems, conditions = ([*dict.fromkeys(getattr(each, key) for each in trainings)] for key in ("name", "condition"))
    baseline = top.text("baseline", conditions[0] if conditions else "")
    if conditions:
        top.check_name(baseline, conditions, "condition", at="baseline")
    models = top.texts("models")
    for each in models:
        top.run_checked(partial(model_name, each), at="models")
    if kind == "training" and not suites:
        top.fail("a plan needs suites to test on")
    if not systems and not models:
        top.fail("a plan needs systems to train, or models to test")
    for suite in (asked := top.texts("epochs")):
        top.check_name(suite, suites, "suite", at="epochs")
    tasks = top.texts("tasks")
    top.run_checked(lambda: find_tasks(tasks), at="tasks")
    tables = tuple(_read_table(each, list(suites), [*systems, *models], conditions) for each in top.sections("tables"))
    return StudyPlan(
        name=top.text("name", path.stem),
        title=top.text("title"),
        reproduces=top.text("reproduces", ""),
        kind=kind,
        corpora=corpora,
        vectors=top.text("vectors", ""),
        trainings=tuple(trainings),
        models=models,
        baseline=baseline,
        seeds=_read_seeds(top),
        suites=suites,
        epochs=asked,
        tables=tables,
        tasks=tasks,
        mitigations=_read_mitigations(top, list(suites), conditions, tables),
        data=str(path.parent / top.text("data")) if "data" in top else "",
        notes=top.texts("notes"),
    )


def _read_corpus(section: Section) -> CorpusPlan:
    return section.read(CorpusPlan, sample=section.count("sample"))


def _read_trainings(top: Section, corpora: list[str]) -> list[TrainingPlan]:
    """Every system under every condition. Systems are a list of names, or a mapping from names to options."""
    shared, systems = top.section("train"), top.sections_by_name("systems")
    conditions = top.sections_by_name("conditions") or {ONLY_CONDITION: shared}
    for name, section in conditions.items():
        free = [
            other
            for other, each in conditions.items()
            if other != name and not any(key in each for key in LEARNED_FROM)
        ]
        for key in (key for key in LEARNED_FROM if key in section):
            if not Path(section.text(key)).is_dir():
                section.check_name(section.text(key), free, "condition", at=key)
    return [
        training_plan(name, condition, [shared, own, options], corpora)
        for name, own in systems.items()
        for condition, options in conditions.items()
    ]


def _read_mitigations(
    top: Section, suites: list[str], conditions: list[str], tables: tuple[TablePlan, ...]
) -> MitigationPlan | None:
    if "before-and-after" not in top:
        return None
    section = top.section("before-and-after")
    made = section.read(MitigationPlan, {"real": suites})
    treated = section.section("treated")
    for condition in treated:
        treated.check_name(condition, conditions, "condition", at=condition)
        for each in treated.texts(condition):
            treated.check_name(each, suites, "suite", at=condition)
    if not any(shows_everything(table) for table in tables):
        top.fail("before-and-after needs a table of all suites: one with a title alone", at="before-and-after")
    return made


def _read_seeds(top: Section) -> tuple[int, ...]:
    given = top.texts("seeds") or ("0",)
    if not all(each.isdecimal() for each in given) or len({*given}) < len(given):
        top.fail("seeds must be different whole numbers", at="seeds")
    return tuple(map(int, given))


def _read_table(section: Section, suites: list[str], systems: list[str], conditions: list[str]) -> TablePlan:
    table = section.read(TablePlan, {"suites": suites, "conditions": conditions, "by": SLICES}, published=())
    named = {"systems": systems, "conditions": conditions, "suites": suites}
    if table.measure == "deviation":
        named["conditions"] = [*DEVIATIONS]
    published = tuple(each.read(Published, named) for each in section.sections("published"))
    return msgspec.structs.replace(table, published=published)
