"""`assay train --debias`, as a user gives it."""

import json
from pathlib import Path

import numpy
import pytest
from tests.conftest import Assay

from assay.corpora.reader import read
from assay.language.text.tokens import tokens

pytest.importorskip("torch", reason="training needs PyTorch")

SHARES = {"entailment": 0.5, "neutral": 0.3, "contradiction": 0.2}


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Vectors by chance for words of the bundled corpus."""
    words = sorted({token.text.lower() for pair in read("bundled", limit=90) for token in tokens(pair.premise)})
    rng = numpy.random.default_rng(0)
    lines = [f"{word} {' '.join(f'{value:.3f}' for value in rng.normal(size=12))}" for word in words]
    path = tmp_path / "vectors.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def command(vectors: Path) -> tuple[object, ...]:
    source = ("--from", "bundled", "--limit", 60, "--dev", "bundled")
    return ("train", "cbow", "--preset", "tiny", *source, "--vectors", vectors)


@pytest.mark.parametrize("bias", ["hypothesis", "overlap"])
def test_a_debiased_system_is_an_ordinary_one_that_says_how_it_was_made(
    assay: Assay, command: tuple[object, ...], tmp_path: Path, bias: str
) -> None:
    assay(*command, "--out", "plain")
    for method in ("reweight", "poe", "mixin", "focal", "draw"):
        done = assay(*command, "--debias", method, "--bias", bias, "--out", method)
        assert "The bias alone is right about" in done.stderr
        made = json.loads((tmp_path / method / "training.json").read_text())
        assert (made["spec"]["debias"], made["spec"]["bias"]) == (method, bias)
        assert 0 < made["bias"]["accuracy"] <= 1
        ordinary, treated = (
            {path.name for path in (tmp_path / name).iterdir() if path.is_file()} for name in ("plain", method)
        )
        assert ordinary == treated
        weights = [(tmp_path / name / "weights.safetensors").read_bytes() for name in ("plain", method)]
        assert weights[0] != weights[1]
        assert len(weights[0]) == len(weights[1])  # nothing of the method is left in it
        assay("run", "--limit", 9, "--family", "negation", "--model", f"trained:{method}", "--json")


def test_a_teacher_may_have_a_folder_for_each_seed(assay: Assay, command: tuple[object, ...], tmp_path: Path) -> None:
    seeds = ("--seed", 1, "--seed", 2)
    assay(*command, *seeds, "--out", "teacher")
    how = ("--debias", "confreg", "--bias", "hypothesis", "--set", "teacher=teacher")
    assay(*command, *seeds, *how, "--out", "pupil")
    made = json.loads((tmp_path / "pupil" / "seed-2" / "training.json").read_text())
    assert "seed-2/weights.safetensors" in made["digests"]
    said = assay(*command, *how, "--two-way", "--seed", 1, "--out", "x", code=2).stderr
    assert "teacher/seed-1: this teacher answers entailment, neutral, contradiction" in said
    assert "both with --two-way" in said


def test_a_teacher_without_a_method_is_distilled(assay: Assay, command: tuple[object, ...], tmp_path: Path) -> None:
    assay(*command, "--out", "teacher")
    assay(*command, "--set", "teacher=teacher", "--out", "pupil")
    made = json.loads((tmp_path / "pupil" / "training.json").read_text())
    assert "teacher/weights.safetensors" in made["digests"]
    weights = [(tmp_path / name / "weights.safetensors").read_bytes() for name in ("teacher", "pupil")]
    assert weights[0] != weights[1]
    said = assay(*command, "--set", "teacher=teacher", "--two-way", "--out", "x", code=2).stderr
    assert "teacher: this teacher answers entailment, neutral, contradiction" in said


def test_a_shallow_model_is_a_bias(assay: Assay, command: tuple[object, ...], tmp_path: Path) -> None:
    assay(*command, "--debias", "poe", "--bias", "shallow", "--set", "shallow_pairs=20", "--out", "treated")
    assert json.loads((tmp_path / "treated" / "training.json").read_text())["bias"]["certainty"] > 0.2


def test_settings_of_the_methods_are_switches(assay: Assay, command: tuple[object, ...]) -> None:
    how = ("--debias", "mixin", "--bias", "overlap", "--out", "x")
    assert "did you mean 'entropy'" in assay(*command, *how, "--set", "entropi=0.1", code=2).stderr
    assert "can't be" in assay(*command, *how, "--set", "entropy=-1", code=2).stderr
    assert "No switch 'entropy'" in assay(*command, "--set", "entropy=1", "--out", "x", code=2).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--debias", "poee", "--bias", "overlap"), "No method 'poee' of --debias; did you mean 'poe'?"),
        (("--debias", "poe"), "--debias poe needs a biased model: --bias hypothesis"),
        (("--debias", "poe", "--bias", "overlp"), "No bias 'overlp'; did you mean 'overlap'?"),
        (("--bias", "overlap"), "--bias needs a method: --debias reweight, poe"),
        (("--debias", "confreg", "--bias", "overlap"), "needs a teacher"),
        (("--debias", "confreg", "--bias", "overlap", "--set", "teacher=nowhere"), "nowhere: not a trained system"),
        (("--debias", "poe", "--bias", "overlap", "--set", "teacher=x"), "--debias poe has no teacher"),
    ],
)
def test_a_request_that_lacks_something_is_refused_before_any_work(
    assay: Assay, words: tuple[object, ...], said: str
) -> None:
    shown = assay("train", "cbow", *words, "--from", "nowhere.jsonl", "--dev", "bundled", "--out", "x", code=2).stderr
    assert said in shown


def lines(**changes: object) -> list[dict[str, object]]:
    """A file of probabilities for the pairs, with the third line changed."""
    found: list[dict[str, object]] = [{"id": pair.id, "probabilities": SHARES} for pair in read("bundled", limit=60)]
    found[2] |= changes
    return found


def written(rows: list[dict[str, object]], path: Path) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_file_of_probabilities_is_a_bias(assay: Assay, command: tuple[object, ...], tmp_path: Path) -> None:
    path = written(lines(), tmp_path / "own.jsonl")
    assay(*command, "--debias", "poe", "--bias", path, "--out", "treated")
    made = json.loads((tmp_path / "treated" / "training.json").read_text())
    assert made["bias"]["accuracy"] == pytest.approx(made["data"]["labels"]["entailment"] / 60)
    assert any(name.endswith("own.jsonl") for name in made["digests"])
    assay(*command, "--debias", "poe", "--bias", path, "--two-way", "--out", "two-way")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (lines()[1:], "own.jsonl: no probabilities for 1 of 60 training pairs, such as"),
        (
            lines(probabilities={"entailment": 0.5, "neutral": 0.3}),
            "own.jsonl:3: probabilities that do not add up to 1",
        ),
        (lines(probabilities={"entailment": 0.5, "neutral": 0.5}), "own.jsonl:3: 2 probabilities for"),
        (lines(probabilities=None), "own.jsonl:3: no probabilities for"),
        ([*lines(), lines()[4]], "own.jsonl:61: the pair"),
    ],
)
def test_a_wrong_file_is_named_with_its_line(
    assay: Assay, command: tuple[object, ...], tmp_path: Path, rows: list[dict[str, object]], said: str
) -> None:
    path = written(rows, tmp_path / "own.jsonl")
    assert said in assay(*command, "--debias", "poe", "--bias", path, "--out", "x", code=2).stderr


def test_pairs_with_the_same_id_have_a_way_out(assay: Assay, command: tuple[object, ...], tmp_path: Path) -> None:
    path = written(lines(), tmp_path / "own.jsonl")
    twice = ("--from", "bundled", "--debias", "poe", "--bias", path, "--out", "x")
    assert "--set corpus_out=DIR" in assay(*command, *twice, code=2).stderr
