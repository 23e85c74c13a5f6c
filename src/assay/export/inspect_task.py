"""A task folder for Inspect: one task for the suite, with a family as its parameter, and the cases as JSON lines."""

import shutil
from pathlib import Path

from assay.core.errors import UserError
from assay.corpora.formats.row_writer import json_line, labelled_cases
from assay.export.lm_eval import CHOICES, QUESTIONS, known_label, labels_of, own_name, read_template
from assay.storage.files import Kind, file_aside, folder_aside, write_whole
from assay.storage.suite import Suite

TASK_FILE = "assay_suite.py"


def write_task(suite: Suite, out: Path, overwrite: bool) -> None:
    """Write the folder; `inspect eval FOLDER/assay_suite.py` runs it, and `assay score` reads its log."""
    labels = {family: labels_of(suite, family) for family in suite.manifest.counts}
    if not any(labelled_cases(suite)):
        raise UserError(f"{suite.folder} has no case with a label, and a task needs one.")
    with folder_aside(out, over=INSPECT_TASK if overwrite else None) as aside:
        with file_aside(aside / "cases.jsonl", overwrite=True) as put:
            for case in labelled_cases(suite):
                own = labels[case.family]
                row = {
                    **{name: getattr(case, name) for name in ("id", "premise", "hypothesis", "family", "variant")},
                    "label": own_name(suite, case.compared_with),
                    "cluster": case.cluster,
                    "input": f"Premise: {case.premise}\nHypothesis: {case.hypothesis}\n{QUESTIONS[own]}",
                    "choices": CHOICES[own],
                    "target": own.index(known_label(case.compared_with, own)),
                }
                put(json_line(row, name=case.id).encode())
        write_whole(aside / TASK_FILE, read_template("inspect_task.txt").encode())
        shutil.copyfile(suite.folder / "manifest.json", aside / "manifest.json")


def _files(folder: Path) -> set[str]:
    Suite.open(folder)
    compiled = (f"__pycache__/{path.name}" for path in folder.glob("__pycache__/assay_suite.*.pyc"))  # left by users
    return {"manifest.json", "cases.jsonl", TASK_FILE, *compiled}


INSPECT_TASK = Kind("a task's folder", _files)
