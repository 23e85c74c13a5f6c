"""The pytest plugin, in sessions of its own."""

from pathlib import Path

import msgspec
import pytest
from tests.figures import lost, record_of, share

import assay
from assay.core.judgement import Judgement
from assay.gate import shared_runs
from assay.gate.shared_runs import Held, SharedRunSubject
from assay.models.baselines import shortcut_baselines
from assay.run.stored_run import open_run, run_folder

LOADED = (shared_runs, shortcut_baselines, shortcut_baselines)
"""Imported here, because pytester forgets what a session in this process imports, and pickling notices."""

pytest_plugins = ["pytester"]

MODEL = ("--assay-model", "assay:overlap")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite in which the overlap baseline fails in one family, and in one label of the source pairs."""
    out = tmp_path_factory.mktemp("suites") / "claims"
    return assay.build(["original", "negation"], assay.read("bundled", limit=90), out=out).folder


def test_each_family_is_a_test_and_a_failure_shows_examples(pytester: pytest.Pytester, built: Path) -> None:
    done = pytester.runpytest_inprocess(*MODEL, "--assay-suite", built, "-v")
    done.assert_outcomes(failed=2)
    text = done.stdout.str()
    assert "overlap: right on 0.0% (0.0-11.4) of contradiction in original, where guessing gets 33.3%." in text
    assert "assay::negation[claims-overlap]" in text
    assert "{+ and false is not true+}" in text
    assert "Traceback" not in text
    assert "pytest_plugin.py" not in text


def test_rules_decide_where_they_are_given(pytester: pytest.Pytester, built: Path) -> None:
    done = pytester.runpytest_inprocess(*MODEL, "--assay-suite", built, "--assay-rule", "original.accuracy>=0.1", "-rs")
    done.assert_outcomes(passed=1, skipped=1)
    assert "no rule is about negation" in done.stdout.str()
    broken = pytester.runpytest_inprocess(*MODEL, "--assay-suite", built, "--assay-rule", "*.accuracy>=0.99")
    broken.assert_outcomes(failed=2)
    wrong = pytester.runpytest_inprocess(*MODEL, "--assay-suite", built, "--assay-rule", "negatoin.accuracy>=0.9")
    assert "did you mean 'negation'" in wrong.stdout.str()
    wrong.assert_outcomes(failed=2)


def test_an_earlier_run_and_a_margin_decide(pytester: pytest.Pytester, built: Path) -> None:
    earlier = assay.run(suites=[built], models=["assay:overlap"], out=pytester.path / "earlier")
    words = (*MODEL, "--assay-suite", built, "--assay-no-worse-than", str(run_folder(earlier)))
    pytester.runpytest_inprocess(*words).assert_outcomes(passed=2)
    pytester.runpytest_inprocess(*words, "--assay-margin", "0.3").assert_outcomes(passed=2)
    open_ended = pytester.runpytest_inprocess(*words, "--assay-margin", "0.001")
    open_ended.assert_outcomes(failed=2)
    assert "more source pairs are needed" in open_ended.stdout.str()
    skipped = pytester.runpytest_inprocess(*words, "--assay-margin", "0.001", "--assay-inconclusive", "skip")
    skipped.assert_outcomes(skipped=2)


def test_families_are_selected_like_any_test(pytester: pytest.Pytester, built: Path) -> None:
    pytester.makepyfile("def test_other(): pass")
    only = pytester.runpytest_inprocess(*MODEL, "--assay-suite", built, "-k", "negation", "--collect-only", "-q")
    assert [line for line in only.outlines if "::" in line] == ["assay::negation[claims-overlap]"]
    without = pytester.runpytest_inprocess(*MODEL, "--assay-suite", built, "-m", "not assay", "--strict-markers")
    without.assert_outcomes(passed=1, deselected=2)


def test_several_models_and_suites(pytester: pytest.Pytester, built: Path) -> None:
    models = (*MODEL, "--assay-model", "assay:majority")
    found = pytester.runpytest_inprocess(*models, "--assay-suite", f"again={built}", "--collect-only", "-q")
    assert [line for line in found.outlines if line.startswith("assay::")] == [
        f"assay::{family}[again-{model}]" for model in ("overlap", "majority") for family in ("negation", "original")
    ]


def test_a_limit_and_a_folder_for_the_run(pytester: pytest.Pytester, built: Path) -> None:
    words = ("--assay-suite", built, "--assay-limit", "12", "--assay-out", "kept", "--assay-rule", "*.accuracy>=0")
    done = pytester.runpytest_inprocess(*MODEL, *words)
    done.assert_outcomes(passed=2)
    [place] = (pytester.path / "kept").glob("*/record.json")
    assert f"The Assay run is stored in kept/{place.parent.name}" in done.stdout.str()
    record = open_run(place.parent)
    assert record.suites["claims"].counts.keys() == {"original", "negation"}
    assert record.suites["claims"].cases == 24


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--assay-suite", "suite"], "needs a model"),
        ([*MODEL, "--assay-suite", "nowhere"], "not a suite"),
        ([*MODEL, "--assay-suite", "nowhere", "--assay-limit", "0"], "1 or more"),
        ([*MODEL, "--assay-suite", "nowhere", "--assay-margin", "0.02"], "--assay-no-worse-than RUN"),
        ([*MODEL, "--assay-rule", "negation.accuracy>=0.5"], "--assay-suite FOLDER"),
        (["--assay-model", "overlap", "--assay-suite", "{built}"], "add the kind"),
    ],
)
def test_wrong_use_is_told(pytester: pytest.Pytester, built: Path, words: list[str], said: str) -> None:
    done = pytester.runpytest_inprocess(*(word.format(built=built) for word in words))
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert said in done.stderr.str() + done.stdout.str()


TESTS = """
    import pytest

    def test_from_the_command_line(assay_run):
        assay_run.check("negation.accuracy>=0.1")
        assert assay_run.record.models[0].model == "assay:overlap/v1"

    @pytest.mark.assay(model="assay:majority", limit=9)
    def test_with_a_marker(assay_run):
        [figure] = assay_run.figures("original.accuracy>=0")
        assert (figure.slice["model"], figure.n) == ("assay:majority/v1", 9)

    def test_that_fails(assay_run):
        assay_run.check("negation.accuracy>=0.1", "negation.entailment.accuracy>=0.99")
"""


def test_the_fixture_and_its_marker(pytester: pytest.Pytester, built: Path) -> None:
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_inprocess(*MODEL, "--assay-suite", built, "-k", "test_", "--assay-out", "runs")
    done.assert_outcomes(passed=2, failed=1, deselected=2)
    assert "{+ and false is not true+}" in done.stdout.str()
    assert len(list((pytester.path / "runs").glob("*/record.json"))) == 2, "one run for two tests"


def test_without_a_model_the_fixture_skips(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_inprocess("-rs")
    done.assert_outcomes(skipped=3)
    assert "no model: --assay-model MODEL" in done.stdout.str()


def test_a_wrong_marker_is_told(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.assay(modle='m')\ndef test_it(assay_run): pass")
    said = pytester.runpytest_inprocess().stdout.str()
    assert "takes the keywords model, suite, limit and two_way, not 'modle'" in said


def test_a_worker_reads_the_run_that_is_there(pytester: pytest.Pytester, built: Path) -> None:
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    words = ("--assay-suite", built, "--assay-out", "runs", "--assay-rule", "*.accuracy>=0", "-n", "1")
    done = pytester.runpytest_subprocess(*MODEL, *words)
    done.assert_outcomes(passed=2)
    assert len(list((pytester.path / "runs").glob("*/record.json"))) == 1


def test_a_family_fails_for_what_the_run_has_decided(tmp_path: Path) -> None:
    """The plugin judges nothing anew: it reads the findings of the record, and leaves confidence out."""
    record = record_of([*lost("neutral", 0.9, 0.1), share(0.4, name="calibration-error", family="negation")])
    place = SharedRunSubject("assay:overlap/v1", "stress", "negation")
    assert Held(record.stored_in(tmp_path)).judge(place, []) == [
        "overlap: neutral falls from 90.0% to 10.0% in negation (p <0.001)."
    ]
    nothing = msgspec.structs.replace(record, judgement=Judgement())
    assert Held(nothing.stored_in(tmp_path)).judge(place, []) == []
