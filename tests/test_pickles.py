"""A pickle can run code: nothing reads one, except workers a model of their own run."""

import ast

import pytest
from tests.house import HOUSE, modules

MAY = {"run/predict/predict_suites.py"}
MODULES = {"pickle", "marshal", "shelve", "joblib", "dill", "cloudpickle"}


def readers(code: str) -> list[str]:
    """What in a module could read a pickle."""
    found = []
    for node in ast.walk(ast.parse(code)):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found += [name for name in names if name.partition(".")[0] in MODULES]
        if isinstance(node, ast.Call):
            given = {word.arg: word.value for word in node.keywords}
            allows = given.get("allow_pickle")
            found += ["allow_pickle"] if allows and not (isinstance(allows, ast.Constant) and not allows.value) else []
            found += ["torch.load"] if ast.unparse(node.func) == "torch.load" and "weights_only" not in given else []
    return found


def test_nobody_else_reads_a_pickle() -> None:
    found = {path.relative_to(HOUSE).as_posix(): readers(path.read_text(encoding="utf-8")) for path in modules()}
    assert {path for path, names in found.items() if names} == MAY


@pytest.mark.parametrize(
    "code", ["import pickle", "from joblib import load", "np.load(f, allow_pickle=True)", "torch.load(path)"]
)
def test_a_reader_of_pickles_is_found(code: str) -> None:
    assert readers(code)
