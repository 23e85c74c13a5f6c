"""assay verify, and what the verbs say about a run that was changed."""

import json
import shutil
from pathlib import Path

import pytest
from tests.conftest import Assay

import assay as toolkit
from assay.core.errors import BadInputError
from assay.gate.shared_runs import SharedRuns


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs")
    corpus = toolkit.read("bundled", limit=6)
    record = toolkit.run(corpus, families="negation", models=["assay:majority", "assay:overlap"], out=out)
    return out / record.id


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "runs" / made.name))


def raise_figures(run: Path) -> None:
    path = run / "record.json"
    path.write_text(path.read_text().replace('"value": 0.', '"value": 0.9'))


def test_an_intact_run_is_said_to_be_one_with_what_was_checked(assay: Assay, run: Path) -> None:
    told = assay("verify", run).stderr.splitlines()
    assert told == [
        f"{run} is complete and undamaged; checked:",
        f"  {run / 'record.json'}: its seal matches.",
        "  The suite stress: seal, digests, counts and ids of 12 cases match; labels: 12 verified.",
        "  The digests of 2 files with 24 answers match.",
        "  Numbers were not recomputed; add --deep to do that.",
    ]
    figures = len(json.loads((run / "record.json").read_text())["estimates"])
    deep = assay("verify", run.parent, "--deep").stderr
    assert f"  {figures} numbers were recomputed from the answers and are the same.\n" in deep
    found = json.loads(assay("verify", run, "--deep", "--json").stdout)
    assert (found["run"], found["damages"], found["figures"], found["answers"]) == (str(run), [], figures, 24)
    assert found["suites"]["stress"]["labels"]["proven"] == 12
    assert assay("verify", run, "--quiet").stderr == ""
    assert "--deep recomputes the numbers of a run" in assay("verify", run / "suites/stress", "--deep", code=2).stderr


def test_damage_is_named_with_exit_code_1(assay: Assay, run: Path) -> None:
    path = run / "predictions/assay-overlap-v1/stress.jsonl"
    path.write_text(path.read_text().replace("neutral", "entailment", 1))
    done = assay("verify", run, "--json", code=1)
    [damage] = json.loads(done.stdout)["damages"]
    assert damage == f"{path}: the file has been changed since the run (SHA-256 differs from the record's)"
    assert f"{run} is damaged:\n  {damage}" in done.stderr
    raise_figures(run)
    assert "its seal does not match" in assay("verify", run, code=1).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("show", "--table", "accuracy"),
        ("show", "--json"),
        ("show", "--failures", "2"),
        ("report",),
        ("gate", "--rule", "negation.accuracy>=0.9"),
        ("compare", "--model", "majority", "--model", "overlap"),
    ],
    ids=" ".join,
)
def test_no_verb_believes_a_changed_record(assay: Assay, run: Path, words: tuple[str, ...]) -> None:
    raise_figures(run)
    verb, *options = words
    done = assay(verb, run, *options, code=2)
    assert not done.stdout
    assert f"{run / 'record.json'}: damaged: it has been changed since the run" in done.stderr
    assert "Restore it from a copy, or repeat the run" in done.stderr


def test_the_earlier_run_of_a_gate_is_checked_too(assay: Assay, run: Path, tmp_path: Path) -> None:
    earlier = Path(shutil.copytree(run, tmp_path / "earlier"))
    assay("gate", run, "--no-worse-than", earlier)
    raise_figures(earlier)
    assert f"{earlier / 'record.json'}: damaged" in assay("gate", run, "--no-worse-than", earlier, code=2).stderr


def test_a_test_session_does_not_take_a_changed_run(run: Path) -> None:
    SharedRuns(run.parent).take(run, ["m"], ["s"], None)
    raise_figures(run)
    with pytest.raises(BadInputError, match="its seal does not match"):
        SharedRuns(run.parent).take(run, ["m"], ["s"], None)


def test_a_list_marks_runs_that_cannot_be_read_and_goes_on(assay: Assay, run: Path) -> None:
    for name in ("changed", "cut", "old"):
        shutil.copytree(run, run.parent / name)
    raise_figures(run.parent / "changed")
    (run.parent / "cut" / "record.json").write_text('{"schema": 3, "id"')
    (run.parent / "old" / "record.json").write_text('{"schema": 1}')
    problems = {row["run"]: row["problem"] for row in json.loads(assay("list", "runs", "--json").stdout)}
    assert list(problems) == [run.name, "changed", "cut", "old"]
    assert problems[run.name] == ""
    assert problems["changed"].startswith("damaged: it has been changed since the run")
    assert problems["cut"].startswith("damaged: ")
    assert problems["old"].startswith("written by an older Assay")
    assert "damaged: it has" in assay("list", "runs").stdout


def test_verify_says_what_proven_means_for_lexical(assay: Assay) -> None:
    assay("build", "lexical", "--out", "words")
    said = assay("verify", "words").stderr
    assert "verified if both sentences are about the same event" in said
    assert "the evidence is WordNet" in said
