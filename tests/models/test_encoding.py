"""Models as encoders of single texts."""

import json
from pathlib import Path

import numpy
import pytest

torch = pytest.importorskip("torch", reason="these encoders need PyTorch")

from tests import tiny_classifier  # noqa: E402
from tests.models.small_systems import OVER_WORDS, make, sentences  # noqa: E402

from assay.core import registry  # noqa: E402
from assay.core.errors import UserError  # noqa: E402
from assay.models.systems.system import save_system  # noqa: E402
from assay.models.text_encoders import (  # noqa: E402
    Pooled,
    TextEncoder,
    open_encoder,
    read_pooling,
)
from assay.run.predict.model_names import settings_of  # noqa: E402

TOGETHER = {"esim", "kim", "decomposable-attention"}
TEXTS = ["a man is asleep", "a dog", "two women play chess in the park", ""]


def opened(name: str, **more: str) -> TextEncoder:
    return open_encoder(name, settings_of(name), **more)  # type: ignore[arg-type]


def vectors(encoder: TextEncoder, texts: list[str]) -> numpy.ndarray:
    ready = encoder.ready_texts(texts)
    return encoder.encode(ready, width=max(each.size for each in ready))


@pytest.mark.parametrize("name", sorted(set(OVER_WORDS) - TOGETHER))
def test_a_system_gives_one_vector_per_text(name: str, tmp_path: Path) -> None:
    save_system(make(name), registry.systems.resolve(name), tmp_path)
    encoder = opened(f"trained:{tmp_path}")
    texts = sentences(6, seed=3)
    together = vectors(encoder, texts)
    alone = numpy.concatenate([vectors(encoder, [text]) for text in texts])
    assert together.ndim == 2
    numpy.testing.assert_allclose(together, alone, atol=1e-5)
    assert len({row.tobytes() for row in together}) == len(set(texts))


@pytest.mark.parametrize("name", sorted(set(OVER_WORDS) & TOGETHER))
def test_a_system_that_reads_pairs_is_refused(name: str, tmp_path: Path) -> None:
    save_system(make(name), registry.systems.resolve(name), tmp_path)
    with pytest.raises(UserError, match="has no vector of a single text"):
        opened(f"trained:{tmp_path}")


def test_tokens_are_pooled_without_padding() -> None:
    tokens = numpy.array([[[1.0, 2], [3, -4], [100, 100]]], dtype=numpy.float32)
    mask = numpy.array([[1, 1, 0]])
    assert Pooled("mean")(tokens, mask).tolist() == [[2, -1]]
    assert Pooled("cls")(tokens, mask).tolist() == [[1, 2]]
    assert Pooled("max")(tokens, mask).tolist() == [[3, 2]]
    numpy.testing.assert_allclose(numpy.linalg.norm(Pooled("mean", normalise=True)(tokens, mask)), 1, rtol=1e-6)


def test_a_transformer_is_pooled_as_transformers_would(tmp_path: Path) -> None:
    folder = tiny_classifier.save(tmp_path)
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    inputs = tokenizer(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        states = model(**inputs).last_hidden_state
    mask = inputs["attention_mask"][:, :, None]
    mean = ((states * mask).sum(1) / mask.sum(1)).numpy()
    numpy.testing.assert_allclose(vectors(opened(f"hf:{folder}"), TEXTS), mean, atol=1e-5)
    first = vectors(opened(f"hf:{folder}", pooling="cls"), TEXTS)
    numpy.testing.assert_allclose(first, states[:, 0].numpy(), atol=1e-5)
    assert opened(f"hf:{folder}").identity != opened(f"hf:{folder}", pooling="cls").identity


def test_an_exported_classifier_shows_its_last_layer(tmp_path: Path) -> None:
    pytest.importorskip("onnx", reason="exporting needs onnx")
    from assay.export.export_model import export
    from assay.models.adapters.hf import HuggingFace

    folder, out = tiny_classifier.save(tmp_path / "hf"), tmp_path / "onnx"
    out.mkdir()
    export(HuggingFace(what=str(folder)), out, "fp32")
    numpy.testing.assert_allclose(
        vectors(opened(f"onnx:{out}"), TEXTS), vectors(opened(f"hf:{folder}"), TEXTS), atol=1e-4
    )


def sentence_folder(folder: Path, mode: str, *more: str) -> Path:
    kinds = ["Transformer", "Pooling", *more]
    paths = ["", *(f"{place}_{kind}" for place, kind in enumerate(kinds[1:], 1))]
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (kind, path) in enumerate(zip(kinds, paths, strict=True))
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 32, mode: True}))
    return folder


def test_the_pooling_of_a_sentence_transformers_folder_is_honoured(tmp_path: Path) -> None:
    found = read_pooling("hf:x", sentence_folder(tmp_path, "pooling_mode_cls_token", "Normalize"), None)
    assert (found.pooling, found.normalise, found.said) == ("cls", True, True)
    assert read_pooling("hf:x", tmp_path, "mean").pooling == "mean"


@pytest.mark.parametrize(
    ("mode", "more", "said"),
    [
        ("pooling_mode_lasttoken", (), "pools in a way that is not known"),
        ("pooling_mode_mean_tokens", ("Dense",), "has the module Dense"),
    ],
)
def test_a_folder_that_is_not_understood_is_refused(
    mode: str, more: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=said):
        read_pooling("hf:x", sentence_folder(tmp_path, mode, *more), None)
