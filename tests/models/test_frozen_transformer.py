"""A classifier on a transformer that is not trained: its vectors are computed once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

from assay.core.errors import BadInputError
from assay.core.label import THREE_WAY
from assay.models.adapters.label_order import self_evident

torch = pytest.importorskip("torch", reason="systems need PyTorch")
pytest.importorskip("transformers", reason="the transformer needs transformers")

from tests import tiny_classifier  # noqa: E402

from assay.models.adapters.trained import Trained  # noqa: E402 - needs PyTorch
from assay.models.systems.frozen_transformer import FrozenConfig, FrozenTransformer  # noqa: E402
from assay.models.systems.system import (  # noqa: E402
    Encoded,
    load_system,
    save_system,
)
from assay.models.systems.transformer import Transformer, TransformerConfig  # noqa: E402
from assay.training.hyperparameters import Hyperparameters  # noqa: E402
from assay.training.loop import LabelledPairs, accuracy_of, right_answers, train  # noqa: E402

PAIRS = self_evident()
PREMISES = [pair.texts.premise for pair in PAIRS]
HYPOTHESES = [pair.texts.hypothesis for pair in PAIRS]


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    return tiny_classifier.save(tmp_path / "checkpoint")


def make(checkpoint: Path, **switches: Any) -> FrozenTransformer:
    torch.manual_seed(1)
    return FrozenTransformer(FrozenConfig(checkpoint=str(checkpoint), longest=48, dropout=0.0, **switches))


@pytest.mark.parametrize("hidden", [0, 16])
def test_only_the_classifier_is_trained_and_stored(checkpoint: Path, hidden: int, tmp_path: Path) -> None:
    system = make(checkpoint, hidden=hidden)
    assert all(name.startswith("classifier.") for name in system.state_dict())
    data = LabelledPairs(
        system.encode(PREMISES, HYPOTHESES), right_answers([pair.label for pair in PAIRS], system.labels)
    )
    plan = Hyperparameters(epochs=100, batch=16, rate=1e-2, optimiser="adamw")
    train(system, data, data, plan, seed=0, folder=tmp_path / "training")
    assert accuracy_of(system, data) == 1.0
    save_system(system, "frozen-transformer/v1", tmp_path / "stored")
    again = load_system(tmp_path / "stored")
    rows = numpy.arange(len(PAIRS))
    assert numpy.array_equal(again.probabilities(data.pairs, rows), system.probabilities(data.pairs, rows))
    model: Any = Trained(what=str(tmp_path / "stored")).open()
    ready = model.ready([pair.texts for pair in PAIRS])
    assert [answer.label for answer in model.answer(ready, width=1)] == [pair.label for pair in PAIRS]


def test_vectors_are_computed_once_for_all_systems_on_an_encoder(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make(checkpoint).encode(PREMISES, HYPOTHESES)
    counted: list[int] = []
    encode = Transformer.encode

    def count_pairs(self: Transformer, premises: Sequence[str], hypotheses: Sequence[str]) -> Encoded:
        counted.append(len(premises))
        return encode(self, premises, hypotheses)

    monkeypatch.setattr(Transformer, "encode", count_pairs)
    again = make(checkpoint, hidden=0).encode([*PREMISES, "a dog"], [*HYPOTHESES, "no dog"])
    assert counted == [1]
    assert numpy.array_equal(again.premise.flat[: len(PAIRS)], first.premise.flat)


def test_vectors_are_those_of_the_encoder(checkpoint: Path) -> None:
    system = make(checkpoint)
    (found,) = system.batch(system.encode(PREMISES, HYPOTHESES), numpy.arange(len(PAIRS)))
    transformer = Transformer(TransformerConfig(checkpoint=str(checkpoint), longest=48)).eval()
    with torch.inference_mode():
        expected = [first_state(transformer, *pair) for pair in zip(PREMISES, HYPOTHESES, strict=True)]
    torch.testing.assert_close(found, torch.stack(expected), atol=1e-2, rtol=1e-2)


def first_state(transformer: Transformer, premise: str, hypothesis: str) -> Any:
    words = transformer.tokenizer(premise, hypothesis, return_tensors="pt")
    return transformer.encoder.base_model(**words).last_hidden_state[0, 0]


def test_a_changed_checkpoint_is_refused_when_new_vectors_are_needed(checkpoint: Path, tmp_path: Path) -> None:
    system = make(checkpoint)
    system.encode(PREMISES, HYPOTHESES)
    save_system(system, "frozen-transformer/v1", tmp_path / "stored")
    tiny_classifier.save(checkpoint, shuffled=True)
    again = load_system(tmp_path / "stored")
    again.encode(PREMISES, HYPOTHESES)
    with pytest.raises(BadInputError, match="not those that the classifier was trained on"):
        again.encode(["a new dog"], ["a dog"])
    assert again.labels == THREE_WAY
