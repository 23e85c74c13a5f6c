"""Whole runs with models of other kinds, from the command line: kept answers, killed runs, cut premises."""

import json
import shlex
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests import tiny_classifier
from tests.conftest import Assay
from tests.fixtures.runs import WriteCorpus, until

import assay
from assay.core.errors import MissingExtraError, UserError

PROGRAM = """
import json, pathlib, sys, time

for line in sys.stdin:
    pair = json.loads(line)
    with open("asked.txt", "a") as file:
        file.write(pair["premise"] + " / " + pair["hypothesis"] + "\\n")
    if pathlib.Path("slow").exists():
        time.sleep(0.02)
    print(json.dumps("neutral"), flush=True)
"""


@pytest.fixture
def bench(assay: Assay) -> Assay:
    return assay


@pytest.fixture
def command(tmp_path: Path) -> str:
    (tmp_path / "answer.py").write_text(PROGRAM)
    return f"cmd:{shlex.join([sys.executable, 'answer.py'])}?batch=8"


def asked(folder: Path) -> list[str]:
    path = folder / "asked.txt"
    return path.read_text().splitlines() if path.exists() else []


def stored(folder: Path) -> Any:
    (record,) = sorted(folder.glob("runs/*/record.json"))
    return json.loads(record.read_text())


def test_equal_pairs_of_several_suites_are_asked_once(
    write_corpus: WriteCorpus, bench: Assay, command: str, tmp_path: Path
) -> None:
    corpus = write_corpus(40)
    bench("build", "original", "negation", "--from", corpus, "--out", "one")
    bench("build", "original", "--from", corpus, "--out", "two")
    bench("run", "--suite", "one", "--suite", "two", "--model", command)
    pairs = asked(tmp_path)
    assert len(pairs) == len(set(pairs))
    record = stored(tmp_path)
    assert {file["n"] for file in record["models"][0]["files"].values()} == {40, 40 + len(pairs) - 40}
    assert not list(tmp_path.glob("runs/*/predictions/*/*.parts"))


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process the hard way")
def test_a_killed_run_goes_on_and_asks_nothing_twice(
    write_corpus: WriteCorpus, bench: Assay, command: str, tmp_path: Path
) -> None:
    words = ["run", "--from", write_corpus(150), "--family", "negation", "--model", command, "--workers", 1]
    (tmp_path / "slow").touch()
    program = [str(Path(sys.executable).with_name("assay")), *map(str, words)]
    process = subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: process.poll() is not None or len(asked(tmp_path)) >= 60)
    assert process.poll() is None, "it was done before it could be killed"
    process.kill()
    process.wait()
    (tmp_path / "slow").unlink()
    (kept,) = tmp_path.glob("runs/.*.partial/predictions/*/kept.parts/*.sqlite")
    with sqlite3.connect(kept) as store:
        ((before,),) = store.execute("SELECT count(*) FROM kept")
    assert before >= 40
    (tmp_path / "asked.txt").unlink()
    bench(*words)
    record = stored(tmp_path)
    distinct = set()
    for line in next(tmp_path.glob("runs/*/suites/stress/cases.jsonl")).read_text().splitlines():
        case = json.loads(line)
        distinct.add((case["premise"], case["hypothesis"]))
    assert len(asked(tmp_path)) == len(set(asked(tmp_path))) == len(distinct) - before
    assert record["models"][0]["files"]["stress"]["n"] == record["suites"]["stress"]["cases"]


def test_a_program_that_dies_is_asked_only_the_rest(
    write_corpus: WriteCorpus, bench: Assay, command: str, tmp_path: Path
) -> None:
    words = ["run", "--from", write_corpus(60), "--family", "negation", "--model", command]
    dying = (
        "    if len(open('asked.txt').readlines()) == 21 and not pathlib.Path('mended').exists(): sys.exit('no more')\n"
    )
    (tmp_path / "answer.py").write_text(PROGRAM + dying)
    done = bench(*words, code=3)
    assert "no more" in done.stderr
    assert "Traceback" not in done.stderr
    (tmp_path / "mended").touch()
    bench(*words)
    assert len(asked(tmp_path)) == len(set(asked(tmp_path)))


def test_a_checkpoint_is_asked_once_for_all_runs(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    name = f"hf:{tiny_classifier.save(tmp_path / 'model')}?length=32"
    run = partial(assay.run, write_corpus(60), families="length-mismatch", models=name)
    with pytest.raises(UserError, match=r"60 cases are too long for hf:.*\n.*truncate='premise'"):
        run(out=tmp_path / "stopped", truncate="error")
    record = run(out=tmp_path / "first", truncate="premise")
    assert record.models[0].truncated == 60
    assert len(record.models[0].identity) == 64
    run(out=tmp_path / "again", truncate="premise")
    run(out=tmp_path / "fresh", truncate="premise", cache=False)
    with pytest.raises(UserError, match="60 cases are too long"):  # also where the answers are kept
        run(out=tmp_path / "stopped", truncate="error")
    files = [next(tmp_path.glob(f"{out}/*/predictions/*/stress.jsonl")) for out in ("first", "again", "fresh")]
    answers = [[json.loads(line) for line in file.read_text().splitlines()] for file in files]
    assert answers[0] == answers[1]
    assert sum(answer.get("truncated", False) for answer in answers[0]) == 60
    for one, two in zip(answers[0], answers[2], strict=True):
        assert one["label"] == two["label"]
        assert one["probabilities"] == pytest.approx(two["probabilities"], abs=1e-5)


def test_where_all_answers_are_kept_nothing_heavy_is_needed(
    write_corpus: WriteCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers")
    flipped = "contradiction,neutral,entailment"
    name = f"hf:{tiny_classifier.save(tmp_path / 'model')}?labels={flipped}"
    run = partial(assay.run, write_corpus(12), families="negation", models=name)
    (first,) = run(out=tmp_path / "first").models
    assert "behaves like entailment,neutral,contradiction" in first.notes[0]
    for module in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    (again,) = run(out=tmp_path / "again").models
    assert again == first
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[hf\]"):
        run(out=tmp_path / "fresh", cache=False)


def test_predictions_beside_a_model(write_corpus: WriteCorpus, bench: Assay, tmp_path: Path) -> None:
    bench("build", "original", "--from", write_corpus(12), "--out", "suite")
    ids = [json.loads(line)["id"] for line in (tmp_path / "suite" / "cases.jsonl").read_text().splitlines()]
    (tmp_path / "good.csv").write_text("pairID,gold_label\n" + "".join(f"{name},non-entailment\n" for name in ids))
    bench("run", "--suite", "suite", "--model", "predictions:good.csv", "--model", "assay:overlap")
    assert stored(tmp_path)["models"][0]["files"]["suite"]["n"] == 12
    (tmp_path / "few.csv").write_text("pairID,gold_label\n" + "".join(f"{name},neutral\n" for name in ids[:5]))
    done = bench("run", "--suite", "suite", "--model", "predictions:few.csv", code=2)
    assert "no answer for 7 of 12 cases" in done.stderr
    assert "--family original" not in done.stderr
    (tmp_path / "other.csv").write_text("pairID,gold_label\nex0,neutral\n")
    done = bench("run", "--suite", "suite", "--model", "predictions:other.csv", code=2)
    assert "The file probably belongs to another suite or corpus." in done.stderr
    released = '{{"pairID": "{}", "gold_label": "neutral", "prediction": "neutral", "source": "negation_matched"}}\n'
    (tmp_path / "released.jsonl").write_text("".join(released.format(name) for name in ids))
    bench("run", "--suite", "suite", "--model", "predictions:released.jsonl", "--out", "released")
    own = "".join(f'{{"id": "{name}", "prediction": "DISPUTED"}}\n' for name in ids)
    (tmp_path / "own.jsonl").write_text(own)
    bench("run", "--suite", "suite", "--model", "predictions:own.jsonl?labels=DISPUTED:contradiction", "--out", "named")
    done = bench("run", "--suite", "suite", "--model", "predictions:own.jsonl?labels=SUPPORTS:entailment", code=2)
    assert '--model "predictions:own.jsonl?labels=SUPPORTS:entailment,DISPUTED:LABEL"' in done.stderr
    done = bench("run", "--suite", "suite", "--model", "predictions:own.jsonl?labels=DISPUTED:-", code=2)
    assert "'DISPUTED:-' does not say what a label means" in done.stderr
    assert "The labels are entailment, neutral, contradiction, non-entailment." in done.stderr


def test_predictions_for_the_unmodified_pairs_only(write_corpus: WriteCorpus, bench: Assay, tmp_path: Path) -> None:
    corpus = write_corpus(6)
    ids = [pair.id for pair in assay.read(corpus)]
    (tmp_path / "mine.csv").write_text("id,prediction\n" + "".join(f"{name},neutral\n" for name in ids))
    given = ("run", "--from", corpus, "--model", "predictions:mine.csv")
    told = bench(*given, "--family", "original", "--family", "negation", code=2).stderr
    assert "has answers only to the unmodified pairs: add --family original" in told
    bench(*given, "--family", "original")


def test_what_is_odd_about_predictions_is_told(write_corpus: WriteCorpus, bench: Assay, tmp_path: Path) -> None:
    bench("build", "original", "--from", write_corpus(12), "--out", "suite")
    ids = [json.loads(line)["id"] for line in (tmp_path / "suite" / "cases.jsonl").read_text().splitlines()]
    lines = [f"{name},{number % 3}\n" for number, name in enumerate([*ids, "else", "where"])]
    (tmp_path / "odd.csv").write_text("id,prediction\n" + "".join(lines))
    told = bench("run", "--suite", "suite", "--model", "predictions:odd.csv").stderr
    assert "odd.csv: 2 answers belong to no case here." in told
    assert "odd.csv: numeric labels were read as 0=entailment, 1=neutral, 2=contradiction; --model" in told
    told = bench("score", "suite", "odd.csv").stderr
    assert "odd.csv: numeric labels were read as 0=entailment, 1=neutral, 2=contradiction; --labels 0=LABEL" in told


def test_a_model_that_leaves_is_told_as_an_error(write_corpus: WriteCorpus, bench: Assay, tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text("def leave(pairs):\n    raise SystemExit(0)\n")
    done = bench("run", "--from", write_corpus(3), "--family", "original", "--model", "python:leaving:leave", code=3)
    assert "python:leaving:leave failed: SystemExit: 0" in done.stderr
    done = bench("run", "--from", write_corpus(3), "--model", "python:leaving:leave?batch=0", code=2)
    assert "the option batch can't be '0': expected int >= 1" in done.stderr
    assert "names a kind, but not which model" in bench("run", "--model", "cmd:", code=2).stderr


def test_scoring_stored_answers_gives_what_the_run_gave(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    """Every figure with its interval, those that are drawn by chance too."""
    suite = assay.build(["original", "negation"], assay.read(write_corpus(30)), out=tmp_path / "suite")
    record = assay.run(suites=[suite.folder], models="assay:hypothesis-words", out=tmp_path / "runs")
    [file] = (tmp_path / "runs" / record.id).glob("predictions/*/suite.jsonl")
    scored = assay.score(suite.folder, file)
    assert any(e.name == "brier" and e.low is not None for e in record.estimates)
    assert list(map(unnamed, scored.estimates)) == list(map(unnamed, record.estimates))


def unnamed(estimate: Any) -> Any:
    return estimate.name, estimate.value, estimate.low, estimate.high, estimate.n, {**estimate.slice, "model": ""}
