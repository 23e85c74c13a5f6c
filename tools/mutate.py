"""How many small faults in random lines the tests find: `python tools/mutate.py FOLDER`, which takes hours.

FOLDER receives the drawn faults, one expression of a function each, and which tests execute them. Then each fault is
switched on in a fork of pytest, which runs these tests, the quickest first, and after them others of the same files,
until one fails. A fault that no test executes is left out. What FOLDER has already is not done again, so two states of
the tests can be compared.

PYTEST_DONT_REWRITE
"""

import argparse
import ast
import builtins
import copy
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(os.environ.get("MUTATE_FOLDER", "."))
PAIRS = "Eq NotEq, Lt LtE, Gt GtE, In NotIn, Is IsNot, And Or, Add Sub, Mult Div"
TWO_WAYS = [tuple(getattr(ast, name) for name in pair.split()) for pair in PAIRS.split(", ")]
SWAPPED: dict[type, type] = {**dict(TWO_WAYS), **{b: a for a, b in TWO_WAYS}, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult}
NO_PARENTS = ast.FunctionDef | ast.ClassDef | ast.arguments | ast.JoinedStr | ast.pattern | ast.AnnAssign
state: dict[str, Any] = {"on": int(os.environ.get("MUTATE_ON", "-1")), "test": "", "seen": set(), "bad": set()}


def mutated(node: ast.AST, parent: ast.AST) -> ast.expr | None:
    """The faulty expression instead of this one, if there is an operator for it."""
    new = copy.deepcopy(node)
    if isinstance(parent, ast.Return) and not isinstance(node, ast.Constant):
        return ast.Constant(None)
    if isinstance(parent, ast.Expr) and isinstance(node, ast.Call):
        return ast.Constant(None)  # the call is left out
    if isinstance(new, ast.Compare) and type(new.ops[0]) in SWAPPED:
        new.ops[0] = SWAPPED[type(new.ops[0])]()
    elif isinstance(new, ast.BoolOp | ast.BinOp) and type(new.op) in SWAPPED:
        new.op = SWAPPED[type(new.op)]()
    elif isinstance(new, ast.Constant) and isinstance(new.value, bool | int | float):
        new.value = not new.value if isinstance(new.value, bool) else new.value + 1
    elif isinstance(parent, ast.If | ast.IfExp | ast.While) and node is parent.test:
        return ast.UnaryOp(ast.Not(), new)  # type: ignore[arg-type]
    else:
        return None
    return new  # type: ignore[return-value]


def sites(tree: ast.Module) -> Iterator[tuple[ast.AST, str, int | None, ast.expr, ast.expr]]:
    """Parent, field, index, expression and faulty expression, in functions only: their tests can be told."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for parent in (node for statement in function.body for node in ast.walk(statement)):
                if isinstance(
                    parent, ast.FunctionDef | ast.ClassDef | ast.arguments | ast.JoinedStr | ast.pattern | ast.AnnAssign
                ):
                    continue
                for field, value in ast.iter_fields(parent):
                    for at, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                        if isinstance(node, ast.expr) and (new := mutated(node, parent)) is not None:
                            yield parent, field, at, node, new


def compiled(path: str, faults: list[dict[str, Any]]) -> CodeType:
    tree = ast.parse(Path(path).read_text("utf-8"))
    every = list(sites(tree))
    for fault in faults:
        parent, field, at, node, new = every[fault["site"]]
        called = ast.Call(ast.Name("fault_is_on", ast.Load()), [ast.Constant(fault["number"])], [])
        chosen = ast.copy_location(ast.IfExp(called, new, node), node)
        setattr(parent, field, chosen) if at is None else getattr(parent, field).__setitem__(at, chosen)
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


def fault_is_on(number: int) -> bool:
    if os.environ.get("MUTATE_MAP"):
        test = state["test"] or os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        if (number, test) not in state["seen"]:
            state["seen"].add((number, test))
            append("hits.jsonl", [number, test])
    return bool(number == state["on"])


class Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compiled(path, state["plan"][path])


class Finder:
    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name.startswith("assay") else None
        if spec is None or spec.origin not in state["plan"]:
            return None
        spec.loader = Loader(name, spec.origin)
        return spec


def install() -> None:
    """In every Python process of the tests, through `sitecustomize.py` in FOLDER."""
    state["plan"] = {}
    for fault in json.loads((FOLDER / "plan.json").read_text()):
        state["plan"].setdefault(str(ROOT / fault["path"]), []).append(fault)
    builtins.fault_is_on = fault_is_on  # type: ignore[attr-defined]
    sys.meta_path.insert(0, Finder)


def pytest_load_initial_conftests() -> None:
    """Before pytest's own importer, which would load Assay because it brings a plugin."""
    sys.meta_path.remove(Finder)  # type: ignore[arg-type]
    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]


def pytest_runtest_logstart(nodeid: str) -> None:
    state["test"], state["began"] = nodeid, sum(os.times()[:4])


def pytest_runtest_logfinish(nodeid: str) -> None:
    if os.environ.get("MUTATE_MAP"):
        with (FOLDER / "times.jsonl").open("a") as file:
            file.write(
                json.dumps([nodeid, round(sum(os.times()[:4]) - state["began"], 3), nodeid not in state.get("bad", ())])
                + "\n"
            )


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed:
        state["bad"].add(report.nodeid)


def append(name: str, row: Any) -> None:
    with (FOLDER / name).open("a") as file:
        file.write(json.dumps(row) + "\n")


def lines_of(name: str) -> list[Any]:
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


def pytest_runtestloop(session: Any) -> bool | None:
    """A fork for each fault."""
    if os.environ.get("MUTATE_MAP"):
        return None
    items = {item.nodeid: item for item in session.items}
    seconds = {test: took for test, took, passed in lines_of("times.jsonl") if passed and test in items}
    hits = [(number, test) for number, test in lines_of("hits.jsonl") if test in seconds]
    done = {each["number"] for each in lines_of("results.jsonl")} if (FOLDER / "results.jsonl").exists() else set()
    for fault in json.loads((FOLDER / "plan.json").read_text()):
        own = sorted({test for number, test in hits if number == fault["number"]}, key=seconds.__getitem__)
        if not own or fault["number"] in done:
            continue
        files = {test.partition("::")[0] for test in own}
        near = sorted(
            (test for test in seconds if test.partition("::")[0] in files and test not in own), key=seconds.__getitem__
        )
        chosen, left = [], float(os.environ["MUTATE_SECONDS"])
        for test in own + near:
            left -= seconds[test]
            chosen += [test] if left > 0 or not chosen else []
        began = time.monotonic()
        killer = fork(fault["number"], [items[test] for test in chosen])
        result = {
            **fault,
            "tests": len(chosen),
            "of": len(own),
            "killer": killer,
            "took": round(time.monotonic() - began, 1),
        }
        with (FOLDER / "results.jsonl").open("a") as file:
            file.write(json.dumps(result) + "\n")
    return True


def fork(number: int, items: list[Any]) -> str | None:
    """The test that failed, if any."""
    told = FOLDER / "killer"
    told.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        os.setsid()
        state["on"] = number
        os.environ["MUTATE_ON"] = str(number)
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        for at, item in enumerate(items):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=items[at + 1] if at + 1 < len(items) else None)
            if state["bad"]:
                told.write_text(item.nodeid)
                os._exit(1)
        os._exit(0)
    deadline, killer = time.monotonic() + 10 * float(os.environ["MUTATE_SECONDS"]), None
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            killer = "(never ended)"
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return told.read_text() if told.exists() else killer


def draw(count: int, seed: int, places: list[str]) -> list[dict[str, Any]]:
    """Lines drawn evenly among those that have an expression to change, and one expression of each."""
    lines: dict[tuple[str, int], list[tuple[int, str, str]]] = {}
    for path in sorted(path for place in places for path in (ROOT / place).rglob("*.py")):
        for site, (_, _, _, node, new) in enumerate(sites(ast.parse(path.read_text("utf-8")))):
            where = (str(path.relative_to(ROOT)), node.lineno)
            lines.setdefault(where, []).append((site, ast.unparse(node), ast.unparse(new)))
    rng = random.Random(seed)  # noqa: S311 - faults, not secrets
    return [
        dict(
            zip(
                ("number", "path", "line", "site", "was", "becomes"),
                (number, *where, *rng.choice(lines[where])),
                strict=True,
            )
        )
        for number, where in enumerate(rng.sample(sorted(lines), count))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lines", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20, help="of tests for each fault")
    parser.add_argument("--source", nargs="*", default=["src/assay"], help="the folders with the lines")
    parser.add_argument("--map", action="store_true", help="only find out which tests execute the faults")
    parser.add_argument("--tests", nargs="*", default=[], help="these files and folders, instead of all tests")
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "plan.json").exists():
        (folder / "plan.json").write_text(json.dumps(draw(given.lines, given.seed, given.source), indent=1))
    (folder / "sitecustomize.py").write_text(
        f"import sys; sys.path.append({str(ROOT / 'tools')!r}); import mutate; mutate.install()"
    )
    env = {**os.environ, "PYTHONPATH": str(folder), "MUTATE_FOLDER": str(folder), "MUTATE_SECONDS": str(given.seconds)}
    command = [sys.executable, "-m", "pytest", "-p", "mutate", "-p", "no:xdist", "-p", "no:cacheprovider", *given.tests]
    if given.map or not (folder / "times.jsonl").exists():
        subprocess.run(command, cwd=ROOT, env={**env, "MUTATE_MAP": "1"}, check=False)  # noqa: S603
    if not given.map:
        subprocess.run(command, cwd=ROOT, env=env, check=False)  # noqa: S603 - our own commands
        results = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
        for fault in (each for each in results if each["killer"] is None):
            print(f"{fault['path']}:{fault['line']}: {fault['was']}  ->  {fault['becomes']}")
        print(f"{sum(each['killer'] is not None for each in results)} of {len(results)} found")


if __name__ == "__main__":
    main()
