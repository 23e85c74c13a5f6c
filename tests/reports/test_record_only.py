"""Reports read the record and nothing else, and judge nothing."""

import ast
import shutil
from pathlib import Path
from typing import get_args

import pytest
from tests.conftest import ROOT
from tests.fixtures.reports import drawn
from tests.house import imported

import assay
from assay.core.run_record import RunRecord
from assay.reports.terminal.run_summary import full_summary
from assay.reports.view import ReportView
from assay.reports.write.output_formats import Format, write_report
from assay.run.stored_run import open_run

HOUSE = ROOT / "src" / "assay" / "reports"

FORBIDDEN = (
    "assay.evaluate",
    "assay.core.registry",
    "assay.storage.suite.Suite",
    "assay.core.case.Prediction",
    "pathlib",
)
"""What decides about figures, and what leads to models, cases and answers."""

NAMES = ("assay.evaluate.seeds.", "assay.core.registry.split_alias", "assay.core.registry.without_labels")
"""How models and their seeds are called, which decides nothing."""

RULES = (
    "assay.evaluate.trainings.FEWEST",
    "assay.evaluate.trainings.has_enough_trainings",
    "assay.evaluate.diagnose.diagnosis_headline.",
    "assay.evaluate.diagnose.planting.Sensitivity",
)
"""What a verdict needs, which notes below tables say, the words for a shortcut, and the record of its sensitivity."""

OPENS_RUNS = ("write/output_formats.py", "plot.py")
"""The only modules that take a run's folder; they hand the record on."""


def wrong_imports(code: str) -> list[str]:
    used = imported(code, package="assay.reports")
    return [module for module in used if module.startswith(FORBIDDEN) and not module.startswith((*NAMES, *RULES))]


def opens_files(code: str) -> bool:
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    return bool(names & {"open", "Path"})


def test_modules_reach_for_nothing_but_the_record() -> None:
    codes = {path.relative_to(HOUSE).as_posix(): path.read_text(encoding="utf-8") for path in HOUSE.rglob("*.py")}
    assert all(codes.pop(path) for path in OPENS_RUNS)
    assert not {path: wrong for path, code in codes.items() if (wrong := wrong_imports(code))}
    assert not [path for path, code in codes.items() if opens_files(code)]


def test_tables_are_data_and_know_no_format() -> None:
    for path in sorted((HOUSE / "tables").glob("*.py")):
        used = [*imported(path.read_text(encoding="utf-8"), package="assay.reports.tables")]
        assert not [module for module in used if module.startswith(("rich", "jinja2", "assay.reports.write"))], path


@pytest.mark.parametrize(
    "code",
    [
        "from assay.evaluate.losses import is_loss",
        "from assay.core import registry",
        "from assay.storage.suite import Suite",
        "from assay.core.case import Prediction",
        "def f():\n    from pathlib import Path",
    ],
)
def test_reaching_for_more_is_caught(code: str) -> None:
    assert wrong_imports(code)


@pytest.mark.parametrize("to", [each for each in get_args(Format) if each not in ("png", "svg")])
def test_a_record_alone_makes_the_same_report(stored: Path, view: ReportView, tmp_path: Path, to: Format) -> None:
    """Suites and answers may be gone: nothing is read but `record.json`."""
    shutil.copy(stored / "record.json", tmp_path / "record.json")
    (content,) = write_report(view, to).values()
    assert assay.report(tmp_path, to=to).read_bytes() == content


def test_a_record_alone_makes_the_same_summary(stored: Path, run: RunRecord, tmp_path: Path) -> None:
    shutil.copy(stored / "record.json", tmp_path / "record.json")
    assert drawn(full_summary(open_run(tmp_path))) == drawn(full_summary(run))
    assert "Failures" in drawn(full_summary(run))
