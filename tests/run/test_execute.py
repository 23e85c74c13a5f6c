"""The whole way, from a corpus to a stored record."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.conftest import Assay
from tests.fixtures.runs import BENCH, WriteCorpus, contents, killed, linux_only, stopping, times, watching

import assay
from assay import FakeModel, Label
from assay.core.errors import BadInputError, UserError
from assay.core.label_space import Collapse
from assay.core.run_record import FromCorpus, FromPairs, RunRecord
from assay.run.api import planned_run
from assay.run.execute import close_run, execute_run, run_spec
from assay.run.measure import measure_run
from assay.run.run_options import RunOptions
from assay.run.stored_run import StoredRun, open_run
from assay.run.workers.pool import Stage, quiet, worker_pool
from assay.storage.files import digest
from assay.storage.suite import Suite

QUICK: dict[str, Any] = {"families": ["word-overlap", "negation", "heuristics"], "per_subcase": 2, "models": BENCH}
"""A run with all that can go wrong, and not more work than that takes."""


def results(run: Path) -> dict[str, bytes]:
    """A run's files but the record, whose name and time differ, and its figures."""
    record = json.loads((run / "record.json").read_text())
    stored = {name: data for name, data in contents(run).items() if name != "record.json"}
    models = [{key: value for key, value in model.items() if key != "seconds_per_pair"} for model in record["models"]]
    return stored | {"figures": json.dumps([record["estimates"], models, record["suites"]]).encode()}


def run_in_batches(corpus: Path, *, out: Path, batch: int = 10, workers: int = 1, stage: Stage = quiet) -> RunRecord:
    """The quick run, in batches of so many pairs and cases."""
    options = RunOptions(**{**QUICK, "out": out, "truncate": "error"})
    spec = run_spec(assay.read(corpus).reading, options, models=[f"{name}/v1" for name in BENCH])
    return execute_run(spec, options, pool=worker_pool(workers, batch=batch), stage=stage)


def only(runs: Path) -> Path:
    """The one run of a folder, in which nothing else was left."""
    (run,) = runs.iterdir()
    return run


def test_the_same_results_for_any_workers_and_batches(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus()
    made = []
    for number, (count, batch) in enumerate([(1, 1000), (1, 7), (2, 10), (4, 100)]):
        run_in_batches(corpus, out=tmp_path / f"runs-{number}", workers=count, batch=batch)
        made.append(results(only(tmp_path / f"runs-{number}")))
    assert all(each == made[0] for each in made)


def test_what_a_run_holds(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    record = assay.run(
        write_corpus(90), families=["word-overlap", "negation"], models=BENCH, out=tmp_path / "deep" / "runs", seed=3
    )
    run = tmp_path / "deep" / "runs" / record.id
    assert open_run(run) == record
    assert sorted(contents(run)) == [
        "predictions/assay-hypothesis-words-v1/stress.jsonl",
        "predictions/assay-majority-v1/stress.jsonl",
        "predictions/assay-overlap-v1/stress.jsonl",
        "record.json",
        "suites/stress/cases.jsonl",
        "suites/stress/manifest.json",
    ]
    assay.verify(run / "suites" / "stress")
    suites = {"stress": Suite.open(run / "suites" / "stress")}
    assert record.suites == {"stress": suites["stress"].manifest}
    assert record.spec.seed == record.suites["stress"].seed == 3
    assert [each.model for each in record.models] == [f"{name}/v1" for name in BENCH]
    for each in record.models:
        (stored,) = each.files.values()
        assert digest(run / stored.file) == stored.digest
        assert stored.n == len(suites["stress"])
    assert list(record.estimates) == measure_run(StoredRun.of(run, record), record.spec).estimates
    shown = {(e.slice["model"], e.slice["family"]) for e in record.estimates}
    assert len(shown) == 9


@pytest.mark.parametrize(
    ("at", "count"), [("Building", 1), ("Building", 2), ("Running assay:majority", 1), ("Running assay:overlap", 2)]
)
def test_a_stopped_run_goes_on_where_it_stopped(write_corpus: WriteCorpus, tmp_path: Path, at: str, count: int) -> None:
    corpus, runs = write_corpus(), tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        run_in_batches(corpus, out=runs, workers=count, stage=stopping(after=4, at=at))
    aside = only(runs)
    assert not (aside / "record.json").exists()
    before = {folder: times(folder) for folder in aside.rglob("*part*") if folder.is_dir() and times(folder)}
    assert before
    after: dict[Path, dict[str, int]] = {folder: {} for folder in before}

    def look() -> None:
        for folder, seen in after.items():
            seen.update(times(folder))

    record = run_in_batches(corpus, out=runs, workers=count, stage=watching(look))
    for folder, parts in before.items():
        assert parts.items() <= after[folder].items(), "a finished part was made again"
    assert only(runs).name == record.id
    run_in_batches(corpus, out=tmp_path / "undisturbed")
    assert results(only(runs)) == results(only(tmp_path / "undisturbed"))


@pytest.mark.parametrize(
    "pattern",
    ["predictions/*/*.parts/*.part", "suites/stress/cases.jsonl", "suites/*/manifest.json"],
)
@pytest.mark.parametrize("damage", [b"", b"{}\n"])
def test_what_was_damaged_meanwhile_is_made_again(
    write_corpus: WriteCorpus, tmp_path: Path, pattern: str, damage: bytes
) -> None:
    corpus, runs = write_corpus(60), tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        run_in_batches(corpus, out=runs, stage=stopping(after=4, at="Running assay:overlap"))
    victims = list(only(runs).glob(pattern))
    assert victims
    for victim in victims:
        victim.write_bytes(damage)
    run_in_batches(corpus, out=runs)
    run_in_batches(corpus, out=tmp_path / "undisturbed")
    assert results(only(runs)) == results(only(tmp_path / "undisturbed"))


class TestARunThatIsLeftOpen:
    """Its caller has more to write, such as its page: the same call takes it up, until it is closed."""

    SMALL: ClassVar[dict[str, Any]] = {"families": "negation", "models": "assay:majority"}

    def test_it_is_taken_up_until_it_is_closed(self, write_corpus: WriteCorpus, tmp_path: Path) -> None:
        corpus, told = write_corpus(9), list[str]()
        first = assay.run(corpus, out=tmp_path / "runs", leave_open=True, **self.SMALL)
        again = assay.run(corpus, out=tmp_path / "runs", leave_open=True, tell=told.append, **self.SMALL)
        assert again == first
        assert told == [f"The run {first.id} was complete except for its report: no model runs again."]
        close_run(tmp_path / "runs" / first.id)
        assert sorted(contents(only(tmp_path / "runs"))) == [
            "predictions/assay-majority-v1/stress.jsonl",
            "record.json",
            "suites/stress/cases.jsonl",
            "suites/stress/manifest.json",
        ]
        assert assay.run(corpus, out=tmp_path / "runs", leave_open=True, **self.SMALL).id != first.id

    @pytest.mark.parametrize("other", ["corpus", "seed", "models", "call", "damage"])
    def test_no_other_call_takes_it_up(self, write_corpus: WriteCorpus, tmp_path: Path, other: str) -> None:
        corpus, runs = write_corpus(9), tmp_path / "runs"
        first = assay.run(corpus, out=runs, leave_open=True, **self.SMALL)
        if other == "corpus":
            write_corpus(9, word="parcels")
        if other == "damage":
            (runs / first.id / "record.json").write_bytes(b"")
        seed, models = (int(other == "seed"), f"assay:{'overlap' if other == 'models' else 'majority'}")
        second = assay.run(corpus, out=runs, leave_open=other != "call", seed=seed, families="negation", models=models)
        assert second.id != first.id

    def test_the_bundled_corpus_does_not_change(self, tmp_path: Path) -> None:
        corpus = assay.read("bundled", limit=3)
        ids = {assay.run(corpus, out=tmp_path / "runs", leave_open=True, **self.SMALL).id for _ in range(2)}
        assert len(ids) == 1


@linux_only
def test_a_killed_run_goes_on_where_it_stopped(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus, runs = write_corpus(), tmp_path / "runs"
    killed(run_in_batches, corpus, runs, at="Running assay:hypothesis-words")
    aside = only(runs)
    suite = (aside / "suites" / "stress" / "cases.jsonl").stat().st_mtime_ns
    before = {folder: times(folder) for folder in aside.glob("predictions/*/*.parts")}
    after: dict[Path, dict[str, int]] = {folder: {} for folder in before}

    def look() -> None:
        for folder, seen in after.items():
            seen.update(times(folder))

    run_in_batches(corpus, out=runs, workers=2, stage=watching(look))
    for folder, parts in before.items():
        assert parts.items() <= after[folder].items(), "a finished part was made again"
    assert sum(map(len, before.values())) >= 3
    assert (only(runs) / "suites" / "stress" / "cases.jsonl").stat().st_mtime_ns == suite, (
        "a finished suite was built again"
    )
    run_in_batches(corpus, out=tmp_path / "undisturbed", workers=2)
    assert results(only(runs)) == results(only(tmp_path / "undisturbed"))


def test_a_corpus_that_changed_meanwhile_is_read_anew(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus, runs = write_corpus(100), tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        run_in_batches(corpus, out=runs, stage=stopping(after=4, at="Running assay:overlap"))
    write_corpus(100, word="parcels")
    run_in_batches(corpus, out=runs)
    run_in_batches(corpus, out=tmp_path / "fresh")
    assert results(only(runs)) == results(only(tmp_path / "fresh"))


@pytest.mark.parametrize("count", [1, 2])
def test_a_broken_record_leaves_no_folder(write_corpus: WriteCorpus, tmp_path: Path, count: int) -> None:
    corpus = write_corpus(20)
    with corpus.open("a") as file:
        file.write("{not json}\n")
    with pytest.raises(BadInputError, match=r"corpus\.jsonl:21"):
        assay.run(corpus, out=tmp_path / "runs", workers=count, **QUICK)
    assert list(tmp_path.iterdir()) == [corpus]
    record = assay.run(assay.read(corpus, on_error="skip"), out=tmp_path / "runs", workers=count, **QUICK)
    problems = (tmp_path / "runs" / record.id / "suites" / "stress" / "problems.jsonl").read_text().splitlines()
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
        assay.run(out=tmp_path / "runs", **wrong)
    assert list(tmp_path.iterdir()) == []


def test_runs_of_one_second_do_not_meet(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(10)
    records = [
        assay.run(corpus, out=tmp_path / "runs", seed=i // 4, **{**QUICK, "models": ["assay:majority"]})
        for i in range(8)
    ]
    assert len({record.id for record in records}) == 8
    stored = {path.name: open_run(path) for path in (tmp_path / "runs").iterdir()}
    assert stored == {record.id: record for record in records}


def test_runs_at_once_do_not_meet(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    program: list[str | Path] = [
        Path(sys.executable).with_name("assay"),
        "run",
        "--from",
        write_corpus(10),
        "--family",
        "negation",
        "--model",
        "assay:overlap",
    ]
    processes = [
        subprocess.Popen([*program, "--seed", str(seed)], cwd=tmp_path, stdout=subprocess.DEVNULL) for seed in range(2)
    ]
    assert [process.wait() for process in processes] == [0, 0]
    assert sorted(open_run(path).spec.seed for path in (tmp_path / "runs").iterdir()) == [0, 1]


def test_models_with_long_names_have_files_of_their_own(tmp_path: Path) -> None:
    labels = (Label.NEUTRAL, Label.ENTAILMENT)
    models = {f"{'a-very-long-name-of-a-model' * 12}-{label}": FakeModel(label) for label in labels}
    record = assay.run(assay.read("bundled", limit=3), families="original", models=models, out=tmp_path)
    stored = [tmp_path / record.id / each.files["stress"].file for each in record.models]
    for label, path in zip(labels, stored, strict=True):
        assert {json.loads(line)["label"] for line in path.read_text().splitlines()} == {label}


@pytest.mark.parametrize("name", ["an 'odd' [1] *? {x} é\n#%.d", ".hidden", "ünïcode", "-dash", "x" * 200])
def test_odd_names_of_corpora(write_corpus: WriteCorpus, tmp_path: Path, name: str) -> None:
    corpus = write_corpus(12, name=f"{name}.jsonl")
    record = assay.run(corpus, out=tmp_path / "runs", **QUICK)
    assert record.suites["stress"].source.name == f"{name}.jsonl"
    assert record.id.isascii()
    assert len(record.id) < 80
    assert open_run(tmp_path / "runs" / record.id) == record


def test_standard_input(write_corpus: WriteCorpus, tmp_path: Path, assay: Assay) -> None:
    tiny = ("--family", "negation", "--model", "assay:overlap")
    corpus = write_corpus(30)
    piped = json.loads(assay("run", "--from", "-", "--json", *tiny, "--workers", 2, stdin=corpus.read_text()).stdout)
    file = json.loads(assay("run", "--from", corpus, "--json", *tiny, "--workers", 1).stdout)
    assert piped["estimates"] == file["estimates"]
    assert piped["suites"]["stress"]["digest"] == file["suites"]["stress"]["digest"]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == sorted([piped["id"], file["id"]])


def test_the_hypothesis_only_model_is_cross_fitted(tmp_path: Path) -> None:
    """The hypothesis tells the label only to a model that saw the same premise, so it must be left guessing."""
    corpus = tmp_path / "corpus.jsonl"
    labels = ("entailment", "neutral", "contradiction")
    with corpus.open("w") as file:
        for i in range(600):
            premise, label = f"Village {i // 2} has a well.", labels[i // 2 % 3]
            file.write(json.dumps({"premise": premise, "hypothesis": f"It is well{i // 2}.", "label": label}) + "\n")
    record = assay.run(corpus, families=["original"], models=["assay:hypothesis-words"], out=tmp_path / "runs")
    (overall,) = record.find("accuracy").values()
    assert overall.value is not None
    assert overall.value < 0.45


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "not a run"),
        (b"{", "damaged"),
        (b'{"schema": 99}', "written by a newer Assay"),
        (b'{"schema": 1}', "written by an older Assay"),
    ],
)
def test_a_record_that_cannot_be_read_is_named(tmp_path: Path, data: bytes | None, said: str) -> None:
    if data is not None:
        (tmp_path / "record.json").write_bytes(data)
    with pytest.raises(BadInputError, match=said):
        open_run(tmp_path)


def test_the_record_says_what_was_asked(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    record: RunRecord = assay.run(
        assay.read(write_corpus(50), limit=20), families=["negation"], models="assay:overlap", out=tmp_path / "runs"
    )
    spec = record.spec.suites["stress"]
    assert isinstance(spec, FromCorpus)
    assert [recipe.transform for recipe in spec.recipes] == ["original/v1", "negation/v1"]
    assert spec.reading.limit == record.suites["stress"].source.rows == 20
    assert set(record.versions) >= {"assay", "python", "numpy"}


def test_generated_families_are_a_suite_of_their_own(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    families = ["negation", "heuristics"]
    record = assay.run(write_corpus(20), families=families, per_subcase=2, models=BENCH, out=tmp_path / "runs")
    run = tmp_path / "runs" / record.id
    assert {name: suite.cases for name, suite in record.suites.items()} == {"stress": 37, "heuristics": 60}
    assert sorted(record.suites["stress"].counts) == ["negation", "original"]
    assay.verify(run / "suites" / "heuristics")
    for each in record.models:
        assert {name: stored.n for name, stored in each.files.items()} == {"stress": 37, "heuristics": 60}
    by_label = record.find("accuracy", by=["label"], model="assay:overlap/v1", suite="heuristics")
    assert {label: e.value for (label,), e in by_label.items()} == {"entailment": 1.0, "non-entailment": 0.0}


def test_suites_that_were_built_before(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    built = {
        name: assay.build(["original", name], write_corpus(30), out=tmp_path / name)
        for name in ("negation", "word-overlap")
    }
    suites: list[str | Path] = [tmp_path / "negation", f"overlap={tmp_path / 'word-overlap'}"]
    record = assay.run(suites=suites, models=["assay:majority"], out=tmp_path / "runs")
    assert record.suites == {"negation": built["negation"].manifest, "overlap": built["word-overlap"].manifest}
    run = tmp_path / "runs" / record.id
    for name in record.suites:
        assay.verify(run / "suites" / name)
    shown = {(e.slice["suite"], e.slice["family"]) for e in record.estimates}
    assert shown == {
        (s, f) for s, other in (("negation", "negation"), ("overlap", "word-overlap")) for f in ("original", other)
    }
    assert open_run(run) == record


def test_a_suite_beside_a_corpus(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    assay.build("negation", write_corpus(30), out=tmp_path / "mine")
    record = assay.run(
        write_corpus(10), families="word-overlap", suites=[tmp_path / "mine"], models="assay:majority", out=tmp_path
    )
    assert {*record.suites} == {"stress", "mine"}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a", "b/a"], "Two suites are called 'a'"),
        (["stress"], "Two suites of the run are called 'stress'"),
        (["nowhere"], "not a suite"),
    ],
)
def test_suites_that_can_not_be_told_apart_or_found(
    write_corpus: WriteCorpus, tmp_path: Path, names: list[str], said: str
) -> None:
    for name in names:
        if name != "nowhere":
            assay.build("negation", write_corpus(3), out=tmp_path / name)
    with pytest.raises(UserError, match=said):
        assay.run("bundled", suites=[tmp_path / name for name in names], out=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_a_damaged_suite_is_not_asked(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    suite = assay.build("negation", write_corpus(3), out=tmp_path / "mine")
    suite.cases_file.write_text(suite.cases_file.read_text().replace("false", "truth"))
    with pytest.raises(BadInputError, match="changed since the suite was built"):
        assay.run(suites=[tmp_path / "mine"], out=tmp_path / "runs")


def test_a_ladder_is_a_curve_with_its_area(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    record = assay.run(
        write_corpus(60), families=["negation", "swap"], ladder=2, models=["assay:overlap"], out=tmp_path / "runs"
    )
    (area,) = record.find("area").values()
    rungs = record.find("accuracy", by=["severity"])
    assert [*rungs] == [("0",), ("1",), ("2",)]
    assert area.n == sum(e.n for e in rungs.values())
    assert {e.name for e in record.estimates if e.slice["family"] == "swap"} == {
        "kept",
        "source",
        "drop",
        "mcnemar",
        "holm",
        "answers",
    }


def test_answers_are_collapsed_as_the_spec_says(tmp_path: Path) -> None:
    shares: dict[Collapse, float] = {}
    ways: tuple[Collapse, Collapse] = ("argmax", "sum")
    for how in ways:
        record = assay.run(
            families=["heuristics"],
            per_subcase=3,
            models=["assay:hypothesis-words"],
            collapse=how,
            out=tmp_path / "runs",
        )
        assert record.spec.collapse == how
        shares[how] = record.find("accuracy", by=["label"], suite="heuristics")["entailment",].value or 0.0
    assert shares["sum"] < shares["argmax"]
    with pytest.raises(UserError, match="collapse must be 'argmax' or 'sum'"):
        assay.run(collapse="both", out=tmp_path / "runs")
    with pytest.raises(UserError, match="no probabilities in the answer"):
        assay.run(families="heuristics", per_subcase=1, models="assay:overlap", collapse="sum", out=tmp_path / "runs")


CLAIMS = {
    "two labels": ("premise,hypothesis,label", "supported", "hallucinated"),
    "a column of claims": ("evidence,claim,label", "SUPPORTS", "REFUTES"),
}


@pytest.mark.parametrize(("header", "one", "other"), CLAIMS.values(), ids=CLAIMS)
def test_claims_are_not_swapped_with_their_evidence_by_default(
    tmp_path: Path, header: str, one: str, other: str
) -> None:
    path = tmp_path / "claims.csv"
    path.write_text(f"{header}\nIt rains in Rome.,It rains.,{one}\nIt rains in Rome.,It snows.,{other}\n")
    told: list[str] = []
    assert "swap/v1" not in _planned(assay.read(path), told)
    assert "swap is not built" in told[0]
    assert "swap/v1" in _planned(assay.read(path), told, families=["swap"])


def test_pairs_in_memory_are_claims_if_they_have_two_labels() -> None:
    labels = (Label.ENTAILMENT, Label.NON_ENTAILMENT)
    pairs = [assay.Pair(id=label, premise="It rains.", hypothesis="It is wet.", label=label) for label in labels]
    assert "swap/v1" not in _planned(pairs, [])


def test_other_pairs_are_swapped_by_default() -> None:
    told: list[str] = []
    assert "swap/v1" in _planned(assay.read("bundled"), told)
    assert not told


def _planned(source: Any, told: list[str], families: list[str] | None = None) -> list[str]:
    """The transforms that a run would apply to its corpus."""
    options = RunOptions(source=source, families=families, models="assay:majority")
    with planned_run(options, told.append) as (spec, _):
        made = spec.suites["stress"]
        assert isinstance(made, FromCorpus | FromPairs)
        return [recipe.transform for recipe in made.recipes]
