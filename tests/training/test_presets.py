"""Presets: one file a system, all of them readable."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
import numpy
import pytest

from assay.core import registry
from assay.core.errors import UnknownNameError, UserError
from assay.core.label import THREE_WAY
from assay.models.systems.vocabulary import numbers_of
from assay.training.hyperparameters import Hyperparameters
from assay.training.presets import choose, presets
from assay.training.schedule import ScheduleState, after_check

torch = pytest.importorskip("torch", reason="systems need PyTorch")

from assay.training.loop import optimiser_for  # noqa: E402
from assay.training.system_builder import build_system  # noqa: E402 - needs PyTorch
from assay.training.training_corpus import TrainingVectors  # noqa: E402

NAMES = [name.partition("/")[0] for name in registry.systems.names()]


@pytest.mark.parametrize("name", NAMES)
def test_every_system_has_its_presets(name: str) -> None:
    found = presets(name)
    kind = registry.systems.get(name)
    for setting in (found.paper, found.laptop, found.tiny):
        msgspec.convert(setting.system, kind.Config)
    assert found.laptop.reduced
    assert not found.paper.reduced
    assert found.paper.departs


def test_infersent_drops_words_without_a_vector_as_the_original_does() -> None:
    system = built("infersent", "paper", {"hidden": "4", "classifier": "4"})
    assert system.vocabulary.learned == ()
    assert numbers_of("dog zyzzy runs", system.vocabulary, system.config) == [2, 5, 6, 3]
    assert built("infersent", "laptop", {"hidden": "4", "classifier": "4"}).vocabulary.learned == ("zyzzy",)


@pytest.mark.parametrize("name", ["cbow", "bilstm"])
def test_the_baselines_of_multinli_start_as_their_code_does(name: str) -> None:
    layers = [
        (key, weight.detach()) for key, weight in built(name, "paper").named_parameters() if "embedding" not in key
    ]
    for key, weight in layers:
        if "ahead" in key or "back" in key:
            if "bias" in key:
                hidden = len(weight) // 4
                forget = weight[hidden : 2 * hidden]
                assert bool((weight.sum() == forget.sum()) and (forget == ("hh" in key)).all()), key
            else:
                assert abs(float(weight.abs().max()) - math.sqrt(6 / (8 + 5 * 300))) < 0.001, key
        elif weight.numel() > 200:
            assert abs(float(weight.std()) - 0.1) < 0.02, key
            assert abs(float(weight.mean())) < 0.03, key


def test_allennlps_esim_is_a_preset_of_its_own() -> None:
    system = built("esim", "allennlp", {"hidden": "16"})
    config = system.config
    assert (config.lowercase, config.ends, config.same_for_all_words, config.activation) == (True, False, True, "relu")
    plan = presets("esim").setting("allennlp").plan
    assert (plan.schedule, plan.patience, plan.epochs, plan.batch, plan.rate) == ("plateau", 5, 75, 32, 4e-4)
    lstm = system.read.ahead
    assert lstm.bias_ih_l0.count_nonzero() == 0
    assert lstm.bias_hh_l0.nonzero().flatten().tolist() == list(range(16, 32))
    assert torch.allclose(lstm.weight_hh_l0.T @ lstm.weight_hh_l0, torch.eye(16), atol=1e-5)
    assert system.output.bias.count_nonzero() == 0
    with pytest.raises(UserError, match=r"no preset 'allennlp'. Choose from paper, laptop, tiny"):
        presets("cbow").setting("allennlp")


def test_a_plateau_halves_the_rate_and_goes_on() -> None:
    plan = Hyperparameters(epochs=9, rate=1.0, schedule="plateau", patience=5)
    progress = ScheduleState(rate=1.0, best=0.5)
    following = after_check(plan, progress, 0.4)
    assert (progress.rate, following.go_back, following.stop) == (0.5, False, "")


def test_berts_optimiser_has_the_originals_epsilon_and_plain_batches() -> None:
    plan = presets("bert").paper.plan
    optimiser = optimiser_for(built("cbow", "tiny"), plan)
    assert {group["eps"] for group in optimiser.param_groups} == {1e-6}
    assert optimiser_for(built("cbow", "tiny"), presets("bert").laptop.plan).param_groups[0]["eps"] == 1e-8


def test_batches_are_sorted_by_length_only_where_the_originals_are() -> None:
    sorted_ = {name for name in NAMES if presets(name).paper.plan.buckets}
    assert sorted_ == {"esim", "kim", "decomposable-attention"}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("bert", "frozen-transformer")])
def test_batch_normalisation_sees_batches_of_all_lengths(name: str) -> None:
    """What it learns of a batch must hold for any text, so lengths may not decide what is in a batch."""
    if any(isinstance(part, torch.nn.BatchNorm1d) for part in built(name, "tiny").modules()):
        known = presets(name)
        assert not any(setting.plan.buckets for setting in (known.paper, known.laptop, known.tiny))


def built(name: str, preset: Any, switches: Mapping[str, str] = MappingProxyType({})) -> Any:
    """A system before training, of texts in which one word has no vector."""
    kind = registry.systems.get(name)
    chosen = choose(presets(name).setting(preset), kind.Config, switches)
    texts = ["dog runs zyzzy", "zyzzy runs"]

    def vectors() -> TrainingVectors:
        return TrainingVectors(["dog", "runs"], numpy.ones((2, 8), dtype=numpy.float32))

    return build_system(kind, chosen, texts=texts, vectors=vectors, labels=THREE_WAY, seed=0)


def test_a_switch_belongs_to_the_system_or_to_the_plan() -> None:
    kind = registry.systems.get("esim").Config
    chosen = choose(presets("esim").tiny, kind, {"hidden": "5", "tuned": "true", "epochs": "7", "patience": "none"})
    assert msgspec.to_builtins(chosen.config)["hidden"] == 5
    assert msgspec.to_builtins(chosen.config)["tuned"] is True
    assert (chosen.plan.epochs, chosen.plan.patience) == (7, None)


@pytest.mark.parametrize(
    ("name", "value", "said"), [("hiden", "5", "did you mean 'hidden'"), ("hidden", "five", "hidden can't be 'five'")]
)
def test_a_wrong_switch_says_what_is_wrong(name: str, value: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        choose(presets("esim").tiny, registry.systems.get("esim").Config, {name: value})


def test_rules_have_switches_only_where_they_are_asked_for() -> None:
    kind, setting = registry.systems.get("esim").Config, presets("esim").tiny
    chosen = choose(setting, kind, {"text_entails_itself": "2", "flips": "0"}, regularise=True)
    assert chosen.logic
    assert (chosen.logic.text_entails_itself, chosen.logic.flips) == (2.0, 0)
    assert choose(setting, kind, {}).logic is None
    with pytest.raises(UserError, match="No switch 'flips'"):
        choose(setting, kind, {"flips": "0"})


def test_an_unknown_system_has_none() -> None:
    with pytest.raises(UnknownNameError, match="no presets"):
        presets("nothing")
