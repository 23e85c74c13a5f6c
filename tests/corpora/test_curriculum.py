"""Data maps, parts chosen from them, and added cases apart from a test, as a user gives them."""

import json
from pathlib import Path

import numpy
import pytest
from tests.conftest import Assay

from assay.corpora.reader import read
from assay.language.text.tokens import tokens

pytest.importorskip("torch", reason="training needs PyTorch")


@pytest.fixture
def command(tmp_path: Path) -> tuple[object, ...]:
    words = sorted({token.text.lower() for pair in read("bundled", limit=90) for token in tokens(pair.premise)})
    rng = numpy.random.default_rng(0)
    lines = [f"{word} {' '.join(f'{value:.3f}' for value in rng.normal(size=12))}" for word in words]
    (tmp_path / "vectors.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    source = ("--from", "bundled", "--limit", 60, "--dev", "bundled")
    return ("train", "cbow", "--preset", "tiny", *source, "--vectors", tmp_path / "vectors.txt")


def made(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "training.json").read_text())["data"]
    return found


def test_a_map_is_stored_shown_and_drawn(assay: Assay, command: tuple[object, ...], tmp_path: Path) -> None:
    assay(*command, "--set", "data_map=yes", "--out", "mapped")
    rows = [json.loads(line) for line in (tmp_path / "mapped" / "data-map.jsonl").read_text().splitlines()]
    assert len(rows) == 60
    assert all(0 <= row["confidence"] <= 1 for row in rows)
    shown = assay("study", "data-map", "mapped", "--json")
    found = json.loads(shown.stdout)
    assert found["labels"]["all"]["pairs"] == 60
    assert found["labels"]["all"]["forgotten"] == sum(row["forgotten"] for row in rows)
    assert "forgotten" in assay("study", "data-map", "mapped").stdout
    pytest.importorskip("vl_convert", reason="drawing needs the extra report")
    assay("study", "data-map", "mapped", "--out", "map.svg")
    assert (tmp_path / "map.svg").read_text().count("correctness") >= 1
    assert "already exists" in assay("study", "data-map", "mapped", "--out", "map.svg", code=2).stderr
    assert "ends in .svg or .png" in assay("study", "data-map", "mapped", "--out", "map.gif", code=2).stderr
    assay(*command, "--set", "data_map=yes", "--out", "mapped", "--overwrite")


def test_a_part_of_the_pairs_is_chosen_by_a_map(assay: Assay, command: tuple[object, ...], tmp_path: Path) -> None:
    assay(*command, "--set", "data_map=yes", "--out", "mapped")
    rows = [json.loads(line) for line in (tmp_path / "mapped" / "data-map.jsonl").read_text().splitlines()]
    choice = (
        "--set",
        "map_from=mapped",
        "--set",
        "keep=ambiguous:0.5",
        "--set",
        "repeat_forgotten=2",
        "--set",
        "corpus_out=seen",
    )
    assay(*command, *choice, "--out", "part")
    kept = {json.loads(line)["id"] for line in (tmp_path / "seen" / "pairs.jsonl").read_text().splitlines()}
    least = min(row["variability"] for row in rows if row["id"] in kept)
    assert len(kept) == 30
    assert all(row["variability"] <= least for row in rows if row["id"] not in kept)
    forgotten = sum(row["forgotten"] and row["id"] in kept for row in rows)
    assert made(tmp_path / "part")["repeated"] == forgotten
    events = map(json.loads, (tmp_path / "part" / "log.jsonl").read_text().splitlines())
    assert {event["pairs"] for event in events if event["type"] == "step"} == {30 + 2 * forgotten}
    other = (*command[:6], "--limit", 90, *command[8:])
    said = assay(*other, *choice[:4], "--out", "x", code=2).stderr
    assert "the map lacks 30 of 90 training pairs" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "keep=ambiguous:0.3"), "--set keep needs the folder of a system trained with --set data_map=yes"),
        (("--set", "repeat_forgotten=1"), "--set repeat_forgotten needs the folder"),
        (("--set", "map_from=x"), "--set map_from needs --set keep"),
        (("--set", "keep=ambigous:0.3", "--set", "map_from=x"), "did you mean 'ambiguous'?"),
        (("--set", "keep=hard:30", "--set", "map_from=x"), "a fraction must be above 0 and at most 1"),
        (("--set", "keep=hard:0.3", "--set", "map_from=x"), "x: no data map"),
        (("--apart-from", "x"), "name their suite with --augment"),
    ],
)
def test_wrong_requests_are_refused_before_any_work(assay: Assay, words: tuple[object, ...], said: str) -> None:
    shown = assay("train", "cbow", *words, "--from", "nowhere.jsonl", "--dev", "bundled", "--out", "x", code=2).stderr
    assert said in shown


def test_added_cases_are_apart_from_a_test(assay: Assay, command: tuple[object, ...], tmp_path: Path) -> None:
    assay("build", "negation", "--limit", 30, "--out", "test")
    assay("build", "negation", "--limit", 60, "--out", "more")
    assay("build", "negation", "--limit", 30, "--set", "tautology=green is not red", "--out", "other")
    how = ("--augment", "more", "--apart-from", "test", "--set", "apart_by=premises")
    said = assay(*command, *how, "--out", "apart").stderr
    counts = made(tmp_path / "apart")
    assert counts["apart"] == {"premises": 30}
    assert counts["sources"] == {"1. bundled": 60, "suite more": 30}
    assert "30 cases of --augment were skipped: they share premises with --apart-from." in said
    refused = assay(*command, "--augment", "more", "--apart-from", "test", "--out", "x", code=2).stderr
    assert "No case of --augment more is apart from test: 30 share premises, 30 share templates." in refused
    only = ("--augment", "other", "--apart-from", "test", "--set", "apart_by=templates")
    assay(*command, *only, "--out", "templates")
    assert made(tmp_path / "templates")["apart"] == {}
