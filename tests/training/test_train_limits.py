"""What `assay train` says before it starts, and what it refuses with nothing lost."""

import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy
import pytest
from tests.conftest import Assay
from tests.training.test_train_command import vectors  # noqa: F401 - a fixture

from assay.core import registry
from assay.core.label import THREE_WAY
from assay.models.systems.vocabulary import Vocabulary
from assay.training.events import TRIAL_STEPS, Forecast, Timed
from assay.training.hyperparameters import Hyperparameters
from assay.training.presets import choose, presets
from assay.training.schedule import batches
from assay.training.system_builder import STATES, Size, batch_memory, free_memory, size_before, size_of

torch = pytest.importorskip("torch", reason="training needs PyTorch")

SMALL = ("--preset", "tiny", "--from", "bundled", "--limit", 60, "--dev", "bundled")


def test_it_says_what_memory_and_an_epoch_take(assay: Assay, vectors: Path, tmp_path: Path) -> None:  # noqa: F811
    said = assay("train", "cbow", *SMALL, "--vectors", vectors, "--set", "threads=1", "--out", "cbow").stderr
    lines = said.splitlines()
    memory = next(place for place, line in enumerate(lines) if re.search(r"[0-9,]+ parameters are trained", line))
    epoch = next(place for place, line in enumerate(lines) if "An epoch of 60 pairs takes about" in line)
    checked = next(place for place, line in enumerate(lines) if line.startswith("epoch 1:"))
    assert memory < epoch < checked
    events = map(json.loads, (tmp_path / "cbow" / "log.jsonl").read_text().splitlines())
    assert sum(event["type"] == "time" for event in events) == 1


def test_threads_are_honoured_and_given_back(
    assay: Assay,
    vectors: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: set[int] = set()

    def batched(*given: Any, **more: Any) -> Any:
        seen.add(torch.get_num_threads())
        return batches(*given, **more)

    monkeypatch.setattr("assay.training.loop.batches", batched)
    before = torch.get_num_threads()
    assay("train", "cbow", *SMALL, "--vectors", vectors, "--set", f"threads={before + 1}", "--out", "cbow")
    assert seen == {before + 1}
    assert torch.get_num_threads() == before


def test_an_epoch_is_forecast_by_the_words_of_its_first_steps() -> None:
    lengths = numpy.array([[10, 10]] * 50 + [[20, 20]] * 50)
    order = [numpy.array([place]) for place in range(100)]
    now = [0.0]
    forecast = Forecast(lengths, order, epochs=3, clock=lambda: now[0])
    told = []
    for step in range(1, 101):
        now[0] += 0.1 if step <= 50 else 0.2
        told.append(forecast.after(step))
    (timed,) = filter(None, told)
    assert told.index(timed) == min(TRIAL_STEPS, 10)
    assert timed.seconds == pytest.approx(15.0)
    assert (timed.pairs, timed.epochs) == (100, 3)


def test_slow_steps_are_forecast_early() -> None:
    now = [0.0]
    order = [numpy.array([0])] * 1_000
    forecast = Forecast(numpy.array([[4, 4]]), order, epochs=1, clock=lambda: now[0])
    told: list[Timed] = []
    while not told:
        now[0] += 10.0
        told += filter(None, [forecast.after(int(now[0] / 10))])
    assert now[0] == 20.0
    assert told[0].seconds == pytest.approx(10_000.0)


@pytest.mark.parametrize("system", ["shortcut-stacked", "gated-attention", "esim", "hypothesis-only"])
def test_a_size_is_known_before_the_system_is_made(system: str) -> None:
    kind: Any = registry.systems.get(system)
    for preset in ("tiny", "laptop"):
        chosen = choose(presets(system).setting(preset), kind.Config, {})
        words = Vocabulary(("the", "a"), ("dog", "cat", "runs"))
        before = size_before(kind, chosen, words, width=6, labels=THREE_WAY)
        made = kind(chosen.config, words, numpy.zeros((3, 6), dtype=numpy.float32), THREE_WAY)
        assert before == size_of(made)


def test_the_papers_shortcut_stack_is_counted_and_not_allocated() -> None:
    kind: Any = registry.systems.get("shortcut-stacked")
    chosen = choose(presets("shortcut-stacked").paper, kind.Config, {})
    size = size_before(kind, chosen, Vocabulary((), ()), width=300, labels=THREE_WAY)
    assert size.trained == pytest.approx(140.2e6, rel=0.01)
    assert size.bytes_for(chosen.plan) > 4e9


def test_what_does_not_fit_is_refused_with_its_size(
    assay: Assay,
    vectors: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ("train", "cbow", *SMALL, "--vectors", vectors, "--set", "hidden=400000000", "--out", "cbow")
    said = assay(*command, code=2).stderr
    assert re.search(r"This needs about [0-9,.]+ GB of memory, and [0-9,.]+ [GM]B are free", said)
    assert "million parameters are trained" in said
    assert "--preset laptop" in said
    assert "Traceback" not in said
    assert not (tmp_path / "cbow").exists()


def test_memory_is_counted_with_gradients_optimiser_and_copies() -> None:
    adam, sgd = (Hyperparameters(epochs=1, rate=1.0, optimiser=name) for name in ("adam", "sgd"))
    assert Size(100, 10).bytes_for(adam) == 4 * (100 * 8 + 10)
    assert Size(100, 10).bytes_for(sgd) == 4 * (100 * 4 + 10)
    free = free_memory()
    assert free is None or free > 0


@pytest.mark.parametrize("name", ["decomposable-attention", "spinn", "shortcut-stacked"])
def test_the_longest_batch_is_measured_on_two_pairs_and_changes_nothing(name: str) -> None:
    kind: Any = registry.systems.get(name)
    chosen = choose(presets(name).setting("tiny"), kind.Config, {})
    torch.manual_seed(0)
    system = kind(chosen.config, Vocabulary((), ("dog",)), numpy.ones((1, 6), dtype=numpy.float32), THREE_WAY)
    pairs = system.encode(["dog " * 9, "dog " * 40, "dog " * 40], ["dog", "dog " * 5, "dog"])
    before, chance = {key: each.clone() for key, each in system.state_dict().items()}, torch.get_rng_state()
    one, eight = (batch_memory(system, pairs, numpy.array([1] * times)) for times in (1, 8))
    assert 0 < 8 * one == eight
    # Every place keeps at least its vector, and a text with fewer words keeps less.
    assert one > 4 * 6 * 45
    assert batch_memory(system, pairs, numpy.array([0])) < batch_memory(system, pairs, numpy.array([2])) <= one
    assert all(torch.equal(each, before[key]) for key, each in system.state_dict().items())
    assert torch.equal(torch.get_rng_state(), chance)


def test_every_optimiser_has_a_known_size() -> None:
    assert {*STATES} == {*get_args(get_type_hints(Hyperparameters)["optimiser"])}


def trained(assay: Assay, vectors: Path) -> None:  # noqa: F811
    assay("train", "cbow", *SMALL, "--vectors", vectors, "--out", "cbow")


def edited(file: Path, **changes: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


@pytest.mark.parametrize("part", ["system", "switch", "weights"])
def test_a_system_of_another_version_is_refused_by_that_name(
    assay: Assay,
    vectors: Path,  # noqa: F811
    tmp_path: Path,
    part: str,
) -> None:
    trained(assay, vectors)
    folder = tmp_path / "cbow"
    card = json.loads((folder / "system.json").read_text())
    if part == "system":
        edited(folder / "system.json", system="cbow/v9")
    elif part == "switch":
        edited(folder / "system.json", config={**card["config"], "depth": 3})
    else:
        edited(folder / "system.json", config={**card["config"], "hidden": 3})
    command = ("run", "--limit", 30, "--family", "negation", "--model", "trained:cbow")
    assert "Assay 9.9.9" not in assay(*command, code=2).stderr
    made = json.loads((folder / "training.json").read_text())
    edited(folder / "training.json", versions={**made["versions"], "assay": "9.9.9"})
    said = assay(*command, code=2).stderr
    assert "cbow: trained with Assay 9.9.9, and this is" in said
    assert "Use that version of Assay (9.9.9)" in said
    assert "Traceback" not in said
    assert (folder / "weights.safetensors").is_file()


def test_an_interrupted_training_of_another_version_is_kept_and_named(
    assay: Assay,
    vectors: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    (tmp_path / ".cbow.01234567.partial").mkdir()
    said = assay("train", "cbow", *SMALL, "--vectors", vectors, "--out", "cbow").stderr
    assert ".cbow.01234567.partial holds an interrupted training run" in said
    assert (tmp_path / ".cbow.01234567.partial").is_dir()
