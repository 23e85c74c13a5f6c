"""What the tests share."""

import gc
import io
import itertools
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import settings

from assay.cli.main import main
from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit
from assay.core.label import Label
from assay.core.pair import Pair

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"

collect_ignore = ["example_repository"]  # its tests are run as its user runs them

# As many tests run at once as there are cores. PyTorch and NumPy read this when they are loaded, here and in programs
# that tests start; small systems are slower on several threads than on one anyway.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# No deadline, because a busy machine is not a bug. `HYPOTHESIS_PROFILE=thorough` tries more examples of each property.
settings.register_profile("quick", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=300)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


Assay = Callable[..., "subprocess.CompletedProcess[str]"]


gc.disable()  # until everything is collected, which makes no garbage


def pytest_collection_finish() -> None:
    """Spare the garbage collector what was loaded so far: it stays, and looking through it takes up to a second."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how long the tests of each package took, and the examples in its docstrings."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                parts = Path(report.nodeid.partition("::")[0]).parts
                folders = [part for part in parts[:-1] if part not in ("src", "assay", "tests")]
                seconds[folders[0] if folders else "(whole project)"] += report.duration
    if len(seconds) > 1:
        terminalreporter.section("seconds of one core by package")
        for name, taken in sorted(seconds.items(), key=lambda each: -each[1]):
            terminalreporter.write_line(f"{taken:8.1f}  {name}")


class Planted(NamedTuple):
    """A folder with modules that are called like others, and say so when they are imported."""

    folder: Path

    def imported(self) -> list[str]:
        """Which of them were imported."""
        return [path.stem for path in self.folder.glob("*.imported")]


@pytest.fixture
def planted(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Planted:
    """Such a folder as the working directory."""
    folder = tmp_path_factory.mktemp("planted")
    for name in ("argparse", "multiprocessing", "numpy", "pickle", "runpy", "struct"):
        (folder / f"{name}.py").write_text(f"open({str(folder / f'{name}.imported')!r}, 'w').close()\n")
    monkeypatch.chdir(folder)
    return Planted(folder)


@pytest.fixture
def assay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Assay:
    """What the program's entry point does with these words, in an empty folder and in the test's own process."""

    def call(*words: object, code: int = 0, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
        given = list(map(str, words))
        if given[:1] in (["run"], ["build"], ["verify"]) and not {"--workers", "--merge"} & {*given}:
            given += ["--workers", "1"]
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["assay", *given])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO((stdin or "").encode()))))
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capfd.readouterr()
        assert left.value.code == code, f"exit {left.value.code}, not {code}\n{out}\n{err}"
        return subprocess.CompletedProcess(given, code, out, err)

    return call


@pytest.fixture
def program(tmp_path: Path) -> Assay:
    """The program itself, in an empty folder."""

    def call(*words: object, code: int = 0, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        command = [str(Path(sys.executable).with_name("assay")), *map(str, words)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=env)
        assert done.returncode == code, f"exit {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
        return done

    return call


@pytest.fixture
def shared() -> Path:
    """Real data, where it is present."""
    if not SHARED.is_dir():
        pytest.skip("no real data beside the project (../shared/data)")
    return SHARED


def pair(number: int = 1, **fields: object) -> Pair:
    """A pair that means something, with a premise of its own."""
    values = {
        "id": f"p{number}",
        "premise": "A cook fries two eggs." if number == 1 else f"Cook {number} fries two eggs.",
        "hypothesis": "Somebody cooks.",
        "label": Label.ENTAILMENT,
    }
    return Pair(**{**values, **fields})  # type: ignore[arg-type]


def case(number: int = 1, *, family: str = "original", **fields: object) -> Case:
    """An original case."""
    return case_from(pair(number, **fields), Edit(), family=family, recipe=Recipe(transform=f"{family}/v1", seed=0))


@pytest.fixture(scope="session")
def _caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of cache folders, a new one for each test; `mktemp` would look through all earlier folders each time."""
    folder = tmp_path_factory.mktemp("caches")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _cache_stays_in_the_test(_caches: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are cached in a folder of the test, never in the user's cache."""
    monkeypatch.setenv("ASSAY_CACHE", str(next(_caches)))


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Debian's Chromium; where it is missing, CI fails and everybody else is told how to get it."""
    from playwright.sync_api import sync_playwright

    program = next(
        filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))),
        None,
    )
    if program is None:
        missing = "no Chromium here (`make browser`, or apt-get install chromium-headless-shell)"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()
