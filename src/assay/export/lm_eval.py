"""A task folder for lm-evaluation-harness: one task per family, a group for the suite, and the cases as JSON lines."""

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import yaml

from assay.core.case import Case
from assay.core.errors import UserError
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import TWO_LABELS, LabelNames, LabelSpace
from assay.corpora.formats.row_writer import json_line, labelled_cases
from assay.storage.files import Kind, file_aside, folder_aside, write_whole
from assay.storage.suite import Suite

CHANGED = (Label.NEUTRAL, Label.CONTRADICTION)  # the labels that become one when there are only two


class TwoWaySuite(Suite):
    """A suite in which neutral and contradiction are non-entailment, in its cases and its counts."""

    def __init__(self, suite: Suite) -> None:
        built = suite.manifest.counts
        self.changed = sum(n for labels in built.values() for label, n in labels.items() if label in CHANGED)
        """Cases that were built as neutral or contradiction."""
        counts = TWO_LABELS.count(built)
        super().__init__(suite.folder, msgspec.structs.replace(suite.manifest, counts=counts))

    def __iter__(self) -> Iterator[Case]:
        for case in super().__iter__():
            yield msgspec.structs.replace(case, label=case.label and TWO_LABELS.read(case.label))


def relabel(suite: Suite, space: LabelSpace) -> Suite:
    """The suite as it is written, with the labels of the space."""
    return TwoWaySuite(suite) if space.is_binary else suite


def own_name(suite: Suite, label: str) -> str:
    """A label by the user's name for it, for formats without fixed labels."""
    return LabelNames(suite.manifest.names)(label)


def read_template(name: str) -> str:
    """The text of a file that is written into folders for other tools."""
    return (files("assay.export") / "templates" / name).read_text("utf-8")


QUESTIONS = {
    THREE_WAY: "Is the hypothesis True, False or Neither?",
    TWO_LABELS.labels: "Does the hypothesis follow from the premise, Yes or No?",
}
"""The question, by the labels that a family has."""

CHOICES = {THREE_WAY: ["True", "Neither", "False"], TWO_LABELS.labels: ["Yes", "No"]}
"""The possible answers, in the order of the labels: entailment first."""


def write_tasks(suite: Suite, out: Path, overwrite: bool) -> None:
    """Write the folder, which is then given to `lm_eval --include_path`."""
    there = {case.family for case in labelled_cases(suite)}
    families = [family for family in suite.manifest.counts if family in there]
    if not families:
        raise UserError(f"{suite.folder} has no case with a label, and a task needs one.")
    group = f"assay_{_name(suite.folder.absolute().name)}"
    tasks = {family: f"{group}_{_name(family)}" for family in families}
    with folder_aside(out, over=TASKS if overwrite else None) as aside:
        _write_cases(suite, aside, families)
        for family, task in tasks.items():
            write_whole(aside / f"{task}.yaml", _yaml(_task(task, family, labels_of(suite, family)), loader=True))
        write_whole(aside / f"{group}.yaml", _yaml(_group(group, list(tasks.values()))))
        # The harness resolves paths from where it is started, so a function in the folder must find the data.
        write_whole(aside / "cases.py", read_template("lm_eval_cases.txt").encode())
        shutil.copyfile(suite.folder / "manifest.json", aside / "manifest.json")


def _files(folder: Path) -> set[str]:
    families = Suite.open(folder).manifest.counts
    group = min((path.stem for path in folder.glob("assay_*.yaml")), key=len, default="")  # its tasks begin with it
    tasks = (f"{group}_{_name(family)}.yaml" for family in families)
    compiled = (f"__pycache__/{path.name}" for path in folder.glob("__pycache__/cases.*.pyc"))  # left by users
    return {"manifest.json", "cases.py", f"{group}.yaml", *tasks, *map(_cases_file, families), *compiled}


TASKS = Kind("a folder of tasks", _files)


def labels_of(suite: Suite, family: str) -> tuple[Label, ...]:
    return TWO_LABELS.labels if Label.NON_ENTAILMENT in suite.manifest.counts[family] else THREE_WAY


def _write_cases(suite: Suite, folder: Path, families: list[str]) -> None:
    labels = {family: labels_of(suite, family) for family in families}
    with ExitStack() as files:
        write = {
            family: files.enter_context(file_aside(folder / _cases_file(family), overwrite=True)) for family in families
        }
        for case in labelled_cases(suite):
            row = {
                **{name: getattr(case, name) for name in ("id", "premise", "hypothesis", "family", "variant")},
                "label": own_name(suite, case.compared_with),
                "target": labels[case.family].index(known_label(case.compared_with, labels[case.family])),
            }
            write[case.family](json_line(row, name=case.id).encode())


def _cases_file(family: str) -> str:
    return f"data/{_name(family)}.jsonl"


def known_label(label: Label, labels: tuple[Label, ...]) -> Label:
    """A label among those of a family."""
    return label if label in labels else TWO_LABELS.read(label)


def _task(name: str, family: str, labels: tuple[Label, ...]) -> dict[str, Any]:
    return {
        "task": name,
        "task_alias": family,
        "dataset_kwargs": {"family": _name(family)},
        "output_type": "multiple_choice",
        "test_split": "test",
        "doc_to_text": f"Premise: {{{{premise}}}}\nHypothesis: {{{{hypothesis}}}}\n{QUESTIONS[labels]}\nAnswer:",
        "doc_to_choice": CHOICES[labels],
        "doc_to_target": "target",
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
        "metadata": {"version": 1.0},
    }


def _group(name: str, tasks: list[str]) -> dict[str, Any]:
    """The group is the mean of its families: one with more cases does not count for more."""
    return {
        "group": name,
        "task": tasks,
        "aggregate_metric_list": [{"metric": "acc", "aggregation": "mean", "weight_by_size": False}],
        "metadata": {"version": 1.0},
    }


def _yaml(content: dict[str, Any], *, loader: bool = False) -> bytes:
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    return (text + ("custom_dataset: !function cases.load\n" if loader else "")).encode()


def _name(text: str) -> str:
    """A name that a task and a file can have.

    >>> _name("My suite: word-overlap")
    'my_suite_word_overlap'
    """
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "suite"
