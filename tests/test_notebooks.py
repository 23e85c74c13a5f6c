"""The notebooks run from top to bottom, show something, and are stored without outputs."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def run_cell(code: str, names: dict[str, Any], where: str) -> Any:
    """Run a cell as a notebook does, and return the value of its last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, where, "exec"), names)
    return eval(compile(ast.Expression(last.value), where, "eval"), names) if isinstance(last, ast.Expr) else None


def show(value: object) -> str:
    """What a notebook shows of a value."""
    if bundle := getattr(value, "_repr_mimebundle_", None):
        return str(bundle())
    html = getattr(value, "_repr_html_", None)
    return str(html() if html else repr(value))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_from_top_to_bottom(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            value = run_cell("".join(cell["source"]), names, cell["id"])
            shown = "" if value is None else show(value)
            assert shown or capsys.readouterr().out, f"{cell['id']} shows nothing"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_stored_without_outputs(path: Path) -> None:
    book = json.loads(path.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert not [cell for cell in book["cells"] if cell.get("outputs") or cell.get("execution_count")]
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])


def test_there_is_one_for_each_kind_of_user() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["claim-checker", "course-project", "researcher"]
