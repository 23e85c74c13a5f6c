"""The transformer as a system: a small checkpoint of transformers, made on the spot, trained on."""

from pathlib import Path

import numpy
import pytest

from assay.core.label import THREE_WAY
from assay.core.label_space import TWO_LABELS

torch = pytest.importorskip("torch", reason="systems need PyTorch")
pytest.importorskip("transformers", reason="the transformer needs transformers")

from tests import tiny_classifier  # noqa: E402
from tests.models.small_systems import scores  # noqa: E402

from assay.core.errors import UserError  # noqa: E402
from assay.core.label import Label  # noqa: E402
from assay.models.adapters.label_order import self_evident  # noqa: E402
from assay.models.systems.system import load_system, save_system  # noqa: E402
from assay.models.systems.transformer import Transformer, TransformerConfig  # noqa: E402
from assay.training.hyperparameters import Hyperparameters  # noqa: E402
from assay.training.loop import LabelledPairs, accuracy_of, right_answers, train  # noqa: E402

PAIRS = self_evident()
PREMISES = [pair.texts.premise for pair in PAIRS]
HYPOTHESES = [pair.texts.hypothesis for pair in PAIRS]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights that know nothing yet."""
    return tiny_classifier.save(tmp_path_factory.mktemp("checkpoint"), shuffled=True)


def make(checkpoint: Path, labels: tuple[Label, ...] = THREE_WAY) -> Transformer:
    torch.manual_seed(1)
    return Transformer(TransformerConfig(checkpoint=str(checkpoint), longest=48, dropout=0.0), labels)


def test_batch_mates_and_their_order_change_no_answer(checkpoint: Path) -> None:
    system = make(checkpoint)
    together = scores(system, PREMISES, HYPOTHESES)
    assert together.shape == (len(PAIRS), 3)
    alone = torch.cat([scores(system, [p], [h]) for p, h in zip(PREMISES, HYPOTHESES, strict=True)])
    turned = scores(system, PREMISES[::-1], HYPOTHESES[::-1]).flip(0)
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(together, turned, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("turned", [THREE_WAY[::-1], (THREE_WAY[1], THREE_WAY[2], THREE_WAY[0])])
def test_a_trained_classifier_goes_on_with_its_labels_in_our_order(turned: tuple[Label, ...], tmp_path: Path) -> None:
    system = make(tiny_classifier.save(tmp_path, order=turned))
    answers = scores(system, PREMISES, HYPOTHESES).argmax(-1)
    assert [THREE_WAY[number] for number in answers] == [pair.label for pair in PAIRS]


def test_outputs_without_names_stay_as_they_are(tmp_path: Path) -> None:
    plain = ("LABEL_0", "LABEL_1", "LABEL_2")
    one, other = (
        make(tiny_classifier.save(tmp_path / name, order=order, names=plain))
        for name, order in (("one", THREE_WAY), ("other", THREE_WAY[::-1]))
    )
    found, turned = scores(one, PREMISES, HYPOTHESES), scores(other, PREMISES, HYPOTHESES)
    torch.testing.assert_close(found, turned.flip(-1))


def test_texts_are_told_apart(checkpoint: Path) -> None:
    system = make(checkpoint)
    assert not torch.allclose(scores(system, PREMISES, HYPOTHESES), scores(system, HYPOTHESES, PREMISES))


def test_what_is_too_long_is_cut(checkpoint: Path) -> None:
    system = make(checkpoint)
    encoded = system.encode(["a dog " * 100, "a dog"], ["the dog sleeps", "no dog"])
    assert encoded.premise.lengths.tolist()[0] == 48
    assert torch.isfinite(scores(system, ["a dog " * 100, ""], ["the dog sleeps", ""])).all()


def test_texts_longer_than_the_positions_of_a_checkpoint_are_cut_to_these(checkpoint: Path) -> None:
    system = Transformer(TransformerConfig(checkpoint=str(checkpoint), longest=10_000))
    positions = system.encoder.config.max_position_embeddings
    system.tokenizer.model_max_length = 10**9  # as of a checkpoint that does not say
    encoded = system.encode(["a dog " * 6_000], ["the dog sleeps"])
    assert encoded.premise.lengths.tolist()[0] == positions < 10_000
    assert torch.isfinite(scores(system, ["a dog " * 6_000], ["the dog sleeps"])).all()


def test_the_gradient_reaches_every_weight(checkpoint: Path) -> None:
    system = make(checkpoint)
    system.train()
    encoded = system.encode(PREMISES, HYPOTHESES)
    system(*system.batch(encoded, numpy.arange(len(PAIRS)))).pow(2).sum().backward()
    dead = [key for key, weight in system.named_parameters() if weight.grad is None or not weight.grad.abs().any()]
    assert not dead


@pytest.mark.parametrize("labels", [THREE_WAY, TWO_LABELS.labels])
def test_it_learns_by_heart_and_is_stored_as_it_is(checkpoint: Path, labels: tuple[Label, ...], tmp_path: Path) -> None:
    system = make(checkpoint, labels)
    golds = [pair.label if len(labels) == 3 else TWO_LABELS.read(pair.label) for pair in PAIRS]
    data = LabelledPairs(system.encode(PREMISES, HYPOTHESES), right_answers(golds, labels))
    plan = Hyperparameters(epochs=60, batch=16, rate=5e-3, optimiser="adamw", schedule="linear")
    train(system, data, data, plan, seed=0, folder=tmp_path / "training")
    assert accuracy_of(system, data) == 1.0
    save_system(system, "bert/v1", tmp_path / "stored")
    again = load_system(tmp_path / "stored")
    assert again.labels == labels
    assert torch.equal(scores(system, PREMISES, HYPOTHESES), scores(again, PREMISES, HYPOTHESES))


def test_one_seed_gives_the_same_weights(checkpoint: Path, tmp_path: Path) -> None:
    found = []
    for name in ("one", "other"):
        system = make(checkpoint)
        data = LabelledPairs(
            system.encode(PREMISES, HYPOTHESES), right_answers([pair.label for pair in PAIRS], system.labels)
        )
        train(system, data, data, Hyperparameters(epochs=2, batch=8, rate=1e-3), seed=3, folder=tmp_path / name)
        found.append(system.state_dict())
    assert all(torch.equal(found[0][key], found[1][key]) for key in found[0])


def test_a_checkpoint_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"neither a local folder.*\n.*checkpoint=FOLDER"):
        make(tmp_path / "nowhere")
