"""The whole way, from a corpus to a stored record."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import Assay
from tests.run.conftest import WriteCorpus, contents, killed, linux_only, stopping, times, watching

import assay
from assay.core.errors import BadInputError, UserError
from assay.core.files import digest
from assay.core.run import RunRecord
from assay.core.suite import Suite
from assay.run import answers, build
from assay.run.journey import MODELS, measure, open_run


def results(run: Path) -> dict[str, bytes]:
    """A run's files but the record, whose name and time differ, and its figures."""
    record = json.loads((run / "record.json").read_text())
    stored = {name: data for name, data in contents(run).items() if name != "record.json"}
    return stored | {"figures": json.dumps([record["estimates"], record["models"], record["suite"]]).encode()}


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "BATCH", 10)
    monkeypatch.setattr(answers, "BATCH", 10)


def only(runs: Path) -> Path:
    """The one run of a folder, in which nothing else was left."""
    (run,) = runs.iterdir()
    return run


def test_the_same_results_for_any_workers_and_batches(
    write_corpus: WriteCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write_corpus()
    made = []
    for number, (count, batch) in enumerate([(1, 1000), (1, 7), (2, 10), (4, 100)]):
        monkeypatch.setattr(build, "BATCH", batch)
        monkeypatch.setattr(answers, "BATCH", batch)
        assay.run(corpus, out=tmp_path / f"runs-{number}", workers=count)
        made.append(results(only(tmp_path / f"runs-{number}")))
    assert all(each == made[0] for each in made)


def test_what_a_run_holds(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    record = assay.run(write_corpus(90), families=["word-overlap", "negation"], out=tmp_path / "deep" / "runs", seed=3)
    run = tmp_path / "deep" / "runs" / record.id
    assert open_run(run) == record
    assert sorted(contents(run)) == [
        "predictions/assay-hypothesis-only-v1.jsonl",
        "predictions/assay-majority-v1.jsonl",
        "predictions/assay-overlap-v1.jsonl",
        "record.json",
        "suite/cases.jsonl",
        "suite/manifest.json",
    ]
    assay.verify(run / "suite")
    assert record.suite == Suite.open(run / "suite").manifest
    assert record.spec.seed == record.suite.seed == 3
    assert [each.model for each in record.models] == [f"{name}/v1" for name in MODELS]
    for each in record.models:
        assert digest(run / each.file) == each.digest
        assert each.n == len(Suite.open(run / "suite"))
    assert list(record.estimates) == measure(
        Suite.open(run / "suite"), {each.model: run / each.file for each in record.models}
    )
    shown = {(e.slice["model"], e.slice["family"]) for e in record.estimates}
    assert len(shown) == 9


def test_answers_to_another_suite_are_refused(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    record = assay.run(write_corpus(20), out=tmp_path / "runs")
    run = tmp_path / "runs" / record.id
    path = run / record.models[0].file
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[1], lines[0], *lines[2:]]))
    with pytest.raises(BadInputError, match="where the suite asks"):
        measure(Suite.open(run / "suite"), {"m": path})


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("at", ["Building", "Asking assay:majority", "Asking assay:overlap"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_stopped_run_goes_on_where_it_stopped(write_corpus: WriteCorpus, tmp_path: Path, at: str, count: int) -> None:
    corpus, runs = write_corpus(), tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        assay.run(corpus, out=runs, workers=count, stage=stopping(after=4, at=at))
    aside = only(runs)
    assert not (aside / "record.json").exists()
    before = {folder: times(folder) for folder in aside.rglob("*part*") if folder.is_dir() and times(folder)}
    assert before
    after: dict[Path, dict[str, int]] = {folder: {} for folder in before}

    def look() -> None:
        for folder, seen in after.items():
            seen.update(times(folder))

    record = assay.run(corpus, out=runs, workers=count, stage=watching(look))
    for folder, parts in before.items():
        assert parts.items() <= after[folder].items(), "a finished part was made again"
    assert only(runs).name == record.id
    assay.run(corpus, out=tmp_path / "undisturbed")
    assert results(only(runs)) == results(only(tmp_path / "undisturbed"))


@linux_only
def test_a_killed_run_goes_on_where_it_stopped(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus, runs = write_corpus(3_000), tmp_path / "runs"
    place = ".*.partial/predictions/*.parts"
    killed(["run", "--from", corpus, "--out", runs, "--workers", 2], tmp_path, f"runs/{place}", least=3)
    aside = only(runs)
    suite = (aside / "suite" / "cases.jsonl").stat().st_mtime_ns
    before = {folder: times(folder) for folder in aside.glob("predictions/*.parts")}
    after: dict[Path, dict[str, int]] = {folder: {} for folder in before}

    def look() -> None:
        for folder, seen in after.items():
            seen.update(times(folder))

    assay.run(corpus, out=runs, workers=2, stage=watching(look))
    for folder, parts in before.items():
        assert parts.items() <= after[folder].items(), "a finished part was made again"
    assert (only(runs) / "suite" / "cases.jsonl").stat().st_mtime_ns == suite, "a finished suite was built again"
    assay.run(corpus, out=tmp_path / "undisturbed", workers=2)
    assert results(only(runs)) == results(only(tmp_path / "undisturbed"))


@pytest.mark.usefixtures("small_batches")
def test_a_corpus_that_changed_meanwhile_is_read_anew(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus, runs = write_corpus(100), tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        assay.run(corpus, out=runs, stage=stopping(after=4, at="Asking assay:overlap"))
    write_corpus(100, word="parcels")
    assay.run(corpus, out=runs)
    assay.run(corpus, out=tmp_path / "fresh")
    assert results(only(runs)) == results(only(tmp_path / "fresh"))


@pytest.mark.parametrize("count", [1, 2])
def test_a_broken_record_leaves_no_folder(write_corpus: WriteCorpus, tmp_path: Path, count: int) -> None:
    corpus = write_corpus(20)
    with corpus.open("a") as file:
        file.write("{not json}\n")
    with pytest.raises(BadInputError, match=r"corpus\.jsonl:21"):
        assay.run(corpus, out=tmp_path / "runs", workers=count)
    assert list(tmp_path.iterdir()) == [corpus]
    record = assay.run(assay.read(corpus, on_error="skip"), out=tmp_path / "runs", workers=count)
    problems = (tmp_path / "runs" / record.id / "suite" / "problems.jsonl").read_text().splitlines()
    assert [json.loads(line)["where"] for line in problems] == [f"{corpus}:21"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"models": ["assay:nobody"]},
        {"families": ["nothing"]},
        {"models": ["assay:overlap", "assay:overlap/v1"]},
    ],
)
def test_wrong_names_are_refused_before_any_work(tmp_path: Path, wrong: dict[str, list[str]]) -> None:
    with pytest.raises(UserError):
        assay.run(out=tmp_path / "runs", **wrong)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_runs_of_one_second_do_not_meet(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(10)
    records = [assay.run(corpus, out=tmp_path / "runs", models=["assay:majority"], seed=i // 4) for i in range(8)]
    assert len({record.id for record in records}) == 8
    stored = {path.name: open_run(path) for path in (tmp_path / "runs").iterdir()}
    assert stored == {record.id: record for record in records}


def test_runs_at_once_do_not_meet(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    program: list[str | Path] = [Path(sys.executable).with_name("assay"), "run", "--from", write_corpus(10)]
    processes = [
        subprocess.Popen([*program, "--seed", str(seed)], cwd=tmp_path, stdout=subprocess.DEVNULL) for seed in range(3)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert sorted(open_run(path).spec.seed for path in (tmp_path / "runs").iterdir()) == [0, 1, 2]


def test_models_with_long_names_have_files_of_their_own(tmp_path: Path) -> None:
    from assay.run.journey import _slug

    names = [f"assay:{'a-very-long-name-of-a-model' * 3}-{end}/v1" for end in ("a", "b")]
    assert len({_slug(name) for name in names}) == 2


@pytest.mark.parametrize("name", ["an 'odd' [1] *? {x} é\n#%.d", ".hidden", "ünïcode", "-dash", "x" * 200])
def test_odd_names_of_corpora(write_corpus: WriteCorpus, tmp_path: Path, name: str) -> None:
    corpus = write_corpus(12, name=f"{name}.jsonl")
    record = assay.run(corpus, out=tmp_path / "runs")
    assert record.suite.source.name == f"{name}.jsonl"
    assert record.id.isascii()
    assert len(record.id) < 80
    assert open_run(tmp_path / "runs" / record.id) == record


def test_standard_input(write_corpus: WriteCorpus, tmp_path: Path, assay: Assay) -> None:
    corpus = write_corpus(30)
    piped = json.loads(assay("run", "--from", "-", "--json", "--workers", 2, stdin=corpus.read_text()).stdout)
    file = json.loads(assay("run", "--from", corpus, "--json", "--workers", 1).stdout)
    assert piped["estimates"] == file["estimates"]
    assert piped["suite"]["digest"] == file["suite"]["digest"]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == sorted([piped["id"], file["id"]])


def test_the_hypothesis_only_model_is_cross_fitted(tmp_path: Path) -> None:
    """The hypothesis tells the label only to a model that saw the same premise, so it must be left guessing."""
    corpus = tmp_path / "corpus.jsonl"
    labels = ("entailment", "neutral", "contradiction")
    with corpus.open("w") as file:
        for i in range(600):
            premise, label = f"Village {i // 2} has a well.", labels[i // 2 % 3]
            file.write(json.dumps({"premise": premise, "hypothesis": f"It is well{i // 2}.", "label": label}) + "\n")
    record = assay.run(corpus, models=["assay:hypothesis-only"], out=tmp_path / "runs")
    (overall,) = (e for e in record.estimates if e.slice.get("family") == "original" and len(e.slice) == 2)
    assert overall.value is not None
    assert overall.value < 0.45


@pytest.mark.parametrize(
    ("data", "said"),
    [(None, "no run here"), (b"{", "damaged"), (b'{"schema": 99}', "written by a newer Assay")],
)
def test_a_record_that_cannot_be_read_is_named(tmp_path: Path, data: bytes | None, said: str) -> None:
    if data is not None:
        (tmp_path / "record.json").write_bytes(data)
    with pytest.raises(BadInputError, match=said):
        open_run(tmp_path)


def test_the_record_says_what_was_asked(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    record: RunRecord = assay.run(assay.read(write_corpus(50), limit=20), families=["negation"], out=tmp_path / "runs")
    assert [recipe.transform for recipe in record.spec.recipes] == ["original/v1", "negation/v1"]
    assert record.spec.reading.limit == record.suite.source.rows == 20
    assert set(record.versions) >= {"assay", "python", "numpy"}
