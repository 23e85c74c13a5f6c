"""`assay train`, as a user gives it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
from tests.conftest import Assay, case

import assay as toolkit
from assay.core import registry
from assay.core.run_record import CorpusReading
from assay.corpora.reader import read
from assay.language.text.tokens import tokens
from assay.models.adapters.trained import Trained
from assay.run.workers.pool import InlineExecutor
from assay.training.events import DevelopmentChecked
from assay.training.train_system import TrainSettings, train_system
from assay.training.training_corpus import TrainingPairs, TrainSpec

pytest.importorskip("torch", reason="training needs PyTorch")


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Vectors by chance for most words of the bundled corpus."""
    words = sorted({token.text.lower() for pair in read("bundled", limit=90) for token in tokens(pair.premise)})
    rng = numpy.random.default_rng(0)
    lines = [f"{word} {' '.join(f'{value:.3f}' for value in rng.normal(size=12))}" for word in words[::2]]
    path = tmp_path / "vectors.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_system_is_trained_and_says_how(assay: Assay, vectors: Path, tmp_path: Path) -> None:
    command = ("train", "cbow", "--preset", "tiny", "--from", "bundled", "--limit", 60, "--dev", "bundled")
    done = assay(*command, "--vectors", vectors, "--out", "cbow", "--swap", 50)
    assert "after 2 epochs" in done.stdout
    made = json.loads((tmp_path / "cbow" / "training.json").read_text())
    assert made["data"]["pairs"] == 60
    assert made["data"]["swapped"] == 20
    assert len((tmp_path / "cbow" / "log.jsonl").read_text().splitlines()) >= 4
    assert not (tmp_path / "cbow" / "snapshot").exists()
    done = assay("run", "--limit", 30, "--family", "negation", "--model", "trained:cbow", "--json")
    shares = [e["value"] for e in json.loads(done.stdout)["estimates"] if e["name"] == "accuracy"]
    assert shares
    assert "already exists" in assay(*command, "--vectors", vectors, "--out", "cbow", code=2).stderr


def test_a_trial_needs_nothing_but_a_system(assay: Assay, tmp_path: Path) -> None:
    done = assay("train", "cbow", "--preset", "tiny", "--limit", 30)
    assert done.stdout.rstrip().endswith("; cbow-tiny")
    assert "A trial on bundled pairs" in done.stderr
    spec = json.loads((tmp_path / "cbow-tiny" / "training.json").read_text())["spec"]
    assert (spec["dev"]["source"], spec["vectors"]) == ("bundled", "bundled")


def test_more_epochs_are_suggested_if_the_last_was_the_best(assay: Assay) -> None:
    done = assay("train", "cbow", "--preset", "tiny", "--limit", 30, "--set", "epochs=1")
    assert "The last epoch was the best: more may help, as with --set epochs=2." in done.stderr


def test_all_missing_options_are_named_at_once(assay: Assay) -> None:
    said = assay("train", "esim", "--dev", "bundled", code=2).stderr
    assert "Missing --from, --out. For a trial without any of them: assay train esim --preset tiny" in said
    assert "did you mean 'esim'" in assay("train", "esmi", code=2).stderr
    assert "--from CORPUS@SHARE" in assay("train", "cbow", "--preset", "tiny", "--set", "redraw=yes", code=2).stderr


def test_several_seeds_give_a_band_and_answers_after_each_epoch(assay: Assay, vectors: Path, tmp_path: Path) -> None:
    assay("build", "negation", "--limit", 9, "--out", "negated")
    command = ("train", "decomposable-attention", "--preset", "tiny", "--from", "bundled@0.5", "--dev", "bundled")
    more = ("--vectors", vectors, "--seed", 1, "--seed", 2, "--augment", "negated", "--suite", "negated", "--out", "da")
    assert "2 seeds: mean" in assay(*command, *more).stdout
    made = json.loads((tmp_path / "da" / "seed-2" / "training.json").read_text())
    assert made["data"]["sources"]["suite negated"] == 9
    assert 300 < made["data"]["sources"]["1. bundled"] < 450
    answers = (tmp_path / "da" / "seed-1" / "predictions" / "negated" / "epoch-2.jsonl").read_text().splitlines()
    assert len(answers) == 9
    assert sum(json.loads(answers[0])["probabilities"].values()) == pytest.approx(1, abs=1e-4)
    before = (tmp_path / "da" / "seed-1" / "weights.safetensors").read_bytes()
    assay(*command, *more, "--seed", 3)
    assert (tmp_path / "da" / "seed-1" / "weights.safetensors").read_bytes() == before
    assert (tmp_path / "da" / "seed-3" / "training.json").is_file()
    bench = ("run", "--limit", 30, "--family", "negation", "--model")
    done = assay(*bench, "trained:da", "--json")
    found = json.loads(done.stdout)
    assert found["spec"]["models"] == ["trained:da@1", "trained:da@2", "trained:da@3"]
    whole = {"model": "trained:da", "suite": "stress", "family": "negation", "seeds": "3"}
    (over,) = (e for e in found["estimates"] if e["name"] == "band" and e["slice"] == whole)
    assert over["low"] <= over["value"] <= over["high"]
    two = json.loads(assay(*bench, "trained:da@1,3", "--json").stdout)
    assert two["spec"]["models"] == ["trained:da@1", "trained:da@3"]
    assert {e["slice"]["seeds"] for e in two["estimates"] if e["name"] == "band"} == {"2"}
    assert "seed-7: not a trained system" in assay(*bench, "trained:da@7", code=2).stderr


WORD_SYSTEMS = [name for name in registry.systems.names() if name not in ("bert/v1", "frozen-transformer/v1")]


@pytest.mark.parametrize("system", WORD_SYSTEMS)
def test_every_system_trains_with_its_tiny_preset_and_answers(system: str, vectors: Path, tmp_path: Path) -> None:
    pairs = CorpusReading(source="bundled", limit=32)
    spec = TrainSpec(system=system, preset="tiny", sources=(pairs,), rates=(1.0,), dev=pairs, vectors=str(vectors))
    (made,) = train_system(spec, tmp_path / "trained")
    assert made.epochs == 2
    assert made.parameters
    model = Trained(what=str(tmp_path / "trained")).open()
    assert len(model.predict([case(1), case(2)])) == 2


def test_rules_and_shares_that_are_drawn_again_are_part_of_the_request(vectors: Path, tmp_path: Path) -> None:
    pairs = CorpusReading(source="bundled", limit=64)

    def trained(name: str, **more: Any) -> bytes:
        spec = TrainSpec(
            system="cbow/v1", preset="tiny", sources=(pairs,), rates=(0.5,), dev=pairs, vectors=str(vectors), **more
        )
        (made,) = train_system(spec, tmp_path / name)
        assert made.spec == spec
        return (tmp_path / name / "weights.safetensors").read_bytes()

    plain = trained("plain")
    assert trained("ruled", regularise="logic") != plain
    assert trained("redrawn", redraw=True) != plain
    events = map(json.loads, (tmp_path / "redrawn" / "log.jsonl").read_text().splitlines())
    seen = [event["pairs"] for event in events if event["type"] == "step"]
    assert len(seen) == 2  # epochs
    assert all(0 < count < 64 for count in seen)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("esimm",), "did you mean 'esim'"),
        (("esim", "--set", "hiden=3"), "did you mean 'hidden'"),
        (("esim",), "needs word vectors"),
        (("esim", "--vectors", "nowhere.txt"), "nowhere.txt"),
        (("esim", "--seed", 1, "--seed", 1), "more than once"),
    ],
)
def test_wrong_orders_are_refused_with_the_way_out(assay: Assay, words: tuple[object, ...], said: str) -> None:
    assert said in assay("train", *words, "--from", "bundled", "--dev", "bundled", "--out", "x", code=2).stderr


def test_systems_are_listed(assay: Assay) -> None:
    found = {row["system"]: row["kind"] for row in json.loads(assay("list", "systems", "--json").stdout)}
    assert {name for name, kind in found.items() if kind == "trained"} == {*registry.systems.newest()}
    assert found["--regularise logic"] == "regulariser"
    assert found["assay:wordnet/v1"] == "not trained"


def test_what_training_sees_can_be_looked_at(assay: Assay, vectors: Path, tmp_path: Path) -> None:
    assay("build", "negation", "word-overlap", "--limit", 9, "--out", "added")
    command = ("train", "cbow", "--preset", "tiny", "--limit", 60, "--dev", "bundled", "--vectors", vectors)
    changed = ("--swap", 50, "--augment", "added", "--withhold", "family=negation", "--set", "corpus_out=seen")
    assay(*command, "--from", "bundled", *changed, "--out", "one")
    manifest = json.loads((tmp_path / "seen" / "manifest.json").read_text())
    made = json.loads((tmp_path / "one" / "training.json").read_text())
    assert manifest["data"] == made["data"]
    assert manifest["spec"] == made["spec"]
    pairs = list(read(tmp_path / "seen" / "pairs.jsonl"))
    assert len(pairs) == 69
    assert sum(pair.group.get("swapped") == "yes" for pair in pairs) == 20
    assert {pair.group.get("family") for pair in pairs} == {None, "word-overlap"}
    original = {(pair.premise, pair.hypothesis) for pair in read("bundled", limit=60)}
    turned = next(pair for pair in pairs if pair.group.get("swapped") == "yes")
    assert (turned.hypothesis, turned.premise) in original
    other = ("--from", "bundled", "--set", "corpus_out=seen", "--out", "three")
    assert "seen already exists" in assay(*command, *other, code=2).stderr
    assay(*command[:4], *command[6:], "--from", "seen/pairs.jsonl", "--out", "two")
    assert json.loads((tmp_path / "two" / "training.json").read_text())["data"]["labels"] == made["data"]["labels"]


def test_a_full_disk_names_the_way_out(vectors: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk; tensors are written by a library of another language."""
    code = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500, 1_500))
from assay.cli.main import main
main()
"""
    command = ["train", "cbow", "--preset", "tiny", "--from", "bundled", "--limit", "30", "--dev", "bundled"]
    program = [sys.executable, "-B", "-c", code, *command, "--vectors", str(vectors), "--out", "system"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 3
    assert "Error: Can't write system: File too large." in done.stderr
    assert "Free some space" in done.stderr
    assert not (tmp_path / "system").exists()


def test_what_was_begun_with_other_settings_is_not_gone_on_with(vectors: Path, tmp_path: Path) -> None:
    def stop(_seed: int, event: object) -> None:
        if isinstance(event, DevelopmentChecked) and event.epoch == 2:
            raise KeyboardInterrupt

    def spec(rate: str) -> TrainSpec:
        pairs = CorpusReading(source="bundled", limit=60)
        return TrainSpec(
            system="cbow/v1",
            preset="tiny",
            switches={"rate": rate},
            sources=(pairs,),
            rates=(1.0,),
            dev=pairs,
            vectors=str(vectors),
        )

    with pytest.raises(KeyboardInterrupt):
        train_system(spec("0.5"), tmp_path / "stopped", TrainSettings(progress=stop))
    for name in ("stopped", "fresh"):
        train_system(spec("0.01"), tmp_path / name)
    stopped, fresh = ((tmp_path / name / "weights.safetensors").read_bytes() for name in ("stopped", "fresh"))
    assert stopped == fresh


def test_each_seed_draws_and_swaps_its_own_pairs() -> None:
    def seen(seed: int, **changes: object) -> tuple[set[str], set[str]]:
        reading = CorpusReading(source="bundled")
        given = {"rates": (1.0,), **changes}
        spec = TrainSpec(system="cbow/v1", sources=(reading,), dev=reading, **given)  # type: ignore[arg-type]
        (part,) = TrainingPairs(spec).parts(seed)
        return {pair.id for pair in part.pairs}, {pair.id for pair in part.pairs if "swapped" in pair.group}

    for changes in ({"rates": (0.3,)}, {"sample": 60}, {"swap": 0.5}):
        assert seen(1, **changes) != seen(2, **changes)
        assert seen(1, **changes) == seen(1, **changes)
    assert len(seen(1, sample=60)[0]) == 60


def test_the_workers_of_an_executor_train_the_same_seeds(vectors: Path, tmp_path: Path) -> None:
    pairs = CorpusReading(source="bundled", limit=32)
    spec = TrainSpec(system="cbow/v1", preset="tiny", sources=(pairs,), rates=(1.0,), dev=pairs, vectors=str(vectors))
    for name, executor in (("here", None), ("there", InlineExecutor())):
        made = train_system(spec, tmp_path / name, seeds=(1, 2), executor=executor)
        assert [each.seed for each in made] == [1, 2]
    for file in ("seed-1/weights.safetensors", "seed-2/weights.safetensors", "summary.json"):
        assert (tmp_path / "there" / file).read_bytes() == (tmp_path / "here" / file).read_bytes()


def test_the_corpus_of_each_seed_is_written(assay: Assay, vectors: Path, tmp_path: Path) -> None:
    assay("build", "swap", "--limit", 6, "--out", "added")
    command = ("train", "cbow", "--preset", "tiny", "--sample", 30, "--from", "bundled", "--dev", "bundled")
    changed = ("--augment", "added", "--set", "corpus_out=seen", "--seed", 1, "--seed", 2)
    said = assay(*command, "--vectors", vectors, *changed, "--out", "two").stderr
    assert "6 cases of --augment, such as swapped pairs, have no label and were skipped." in said
    manifests = [json.loads((tmp_path / "seen" / f"seed-{n}" / "manifest.json").read_text()) for n in (1, 2)]
    assert [each["seed"] for each in manifests] == [1, 2]
    assert manifests[0]["file_digest"] != manifests[1]["file_digest"]
    assert manifests[0]["data"]["sources"] == {"1. bundled": 30, "suite added": 6}
    both = ("--sample", 30, "--limit", 30, "--from", "bundled", "--dev", "bundled", "--out", "x")
    assert "use only one of them" in assay("train", "cbow", *both, code=2).stderr


def test_training_from_python_takes_the_same_options(tmp_path: Path) -> None:
    said: list[str] = []
    (made,) = toolkit.train("cbow", preset="tiny", seeds=(3,), sample=60, out=tmp_path / "cbow", tell=said.append)
    assert made.seed == 3
    assert made.spec.sample == 60
    assert (tmp_path / "cbow" / "training.json").is_file()
    assert "A trial on bundled pairs" in said[0]
    with pytest.raises(toolkit.UserError, match="Missing --from, --dev"):
        toolkit.train("cbow", out=tmp_path / "other")
    with pytest.raises(toolkit.UserError, match="preset must be"):
        toolkit.train("cbow", preset="huge")
