"""The pytest plugin: each family of a suite is a test of a model, and a run is a fixture.

Every pytest in an environment with Assay loads it, so nothing is imported before it is used.
"""

import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from assay.gate.shared_runs import Held, SharedRuns

MARKER = (
    "assay(model=..., suite=..., limit=..., two_way=...): what the fixture assay_run runs; by default, as on the "
    "command line"
)

RUNS: "pytest.StashKey[SharedRuns]" = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay", "natural-language-inference models, right for the right reasons")
    stored = tomllib.loads((files("assay.gate") / "pytest_options.toml").read_text("utf-8"))
    for option in stored["options"]:
        if "type" in option:
            option["type"] = {"int": int, "float": float}[option["type"]]
        group.addoption(option.pop("name"), **option)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    option = config.option
    if option.assay_suite and not option.assay_model:
        raise pytest.UsageError("--assay-suite needs a model to test: --assay-model MODEL.")
    if option.assay_limit is not None and option.assay_limit < 1:
        raise pytest.UsageError("--assay-limit must be 1 or more source pairs.")
    if option.assay_margin is not None and not option.assay_no_worse_than:
        raise pytest.UsageError("--assay-margin needs an earlier run: --assay-no-worse-than RUN.")
    if option.assay_rule and not option.assay_suite:
        raise pytest.UsageError("--assay-rule needs a suite: --assay-suite FOLDER.")


@pytest.hookimpl(tryfirst=True)  # so that -k and -m see the tests
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.option.assay_suite:
        return
    from assay.core.errors import AssayError

    try:
        planned = _runs(config).planned(config.option.assay_model, config.option.assay_suite)
    except AssayError as error:
        raise pytest.UsageError(str(error)) from error
    for each in planned:
        name = f"{each.family}[{each.suite}-{each.title}]"
        item = FamilyItem.from_parent(session, name=name, nodeid=f"assay::{name}")
        item.place = each
        item.add_marker("assay")
        items.append(item)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """With pytest-xdist, the run is made once, before the workers start, and they read it."""
    if node.config.option.assay_suite:
        node.workerinput["assay_run"] = str(_run(node.config).folder)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    runs = config.stash.get(RUNS, None)
    if runs and config.option.assay_out:
        for held in runs.held:
            terminalreporter.write_line(f"The Assay run is stored in {held.folder}")


def pytest_unconfigure(config: pytest.Config) -> None:
    runs = config.stash.get(RUNS, None)
    if runs and not config.option.assay_out:
        shutil.rmtree(runs.out, ignore_errors=True)


class FamilyItem(pytest.Item):
    """A family of a suite, as a test of one model."""

    place: Any

    def runtest(self) -> None:
        option, held = self.config.option, _run(self.config)
        outcome = held.judge(self.place, option.assay_rule)
        if option.assay_no_worse_than:
            found = held.compare(self.place, option.assay_no_worse_than, option.assay_margin)
            if found.outcome == "inconclusive" and option.assay_inconclusive == "skip":
                pytest.skip(f"inconclusive: {found.sentence}")
            compared = [] if found.holds else [f"{found.outcome}: {found.sentence}"]
            outcome = [*((outcome or []) if option.assay_rule else []), *compared]
        if outcome is None:
            pytest.skip(f"no rule is about {self.place.family}")
        if outcome:
            raise FamilyError(held.told(outcome, model=self.place.model, family=self.place.family))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from assay.core.errors import AssayError

        if isinstance(excinfo.value, FamilyError | AssayError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.nodeid


class FamilyError(AssertionError):
    """A model fails in a family."""


@pytest.fixture
def assay_run(request: pytest.FixtureRequest) -> "Held":
    """A run of the model and suite that the marker `assay` or the command line names; made once per session."""
    option = request.config.option
    marker = request.node.get_closest_marker("assay")
    given = dict(marker.kwargs) if marker else {}
    if strange := [*given.keys() - {"model", "suite", "limit", "two_way"}, *(marker.args if marker else ())]:
        raise pytest.UsageError(
            f"The marker assay takes the keywords model, suite, limit and two_way, not {strange[0]!r}."
        )
    models = _several(given.get("model"), option.assay_model)
    suites = _several(given.get("suite"), option.assay_suite)
    if not models or not suites:
        missing = "model: --assay-model MODEL" if not models else "suite: --assay-suite FOLDER"
        pytest.skip(f"no {missing}, or @pytest.mark.assay(...)")
    limit, two_way = given.get("limit", option.assay_limit), given.get("two_way", option.assay_two_way)
    return _runs(request.config).run(models, suites, limit, two_way=two_way)


def _run(config: pytest.Config) -> "Held":
    """The run that the command line names."""
    option = config.option
    return _runs(config).run(option.assay_model, option.assay_suite, option.assay_limit, two_way=option.assay_two_way)


def _several(given: Any, otherwise: Sequence[str]) -> list[str]:
    if given is None:
        return list(otherwise)
    return [str(given)] if isinstance(given, str | Path) else [str(each) for each in given]


def _runs(config: pytest.Config) -> "SharedRuns":
    if RUNS not in config.stash:
        from assay.gate.shared_runs import SharedRuns

        out = config.option.assay_out
        made = getattr(config, "workerinput", {}).get("assay_run")
        runs = SharedRuns(Path(out or tempfile.mkdtemp(prefix="assay-")))
        if made:
            option = config.option
            runs.take(made, option.assay_model, option.assay_suite, option.assay_limit, two_way=option.assay_two_way)
        config.stash[RUNS] = runs
    return config.stash[RUNS]
