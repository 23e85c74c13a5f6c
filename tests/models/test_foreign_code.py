"""Code that comes with a model never runs, whoever asks, unless the user says so."""

import json
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="these models need PyTorch")
pytest.importorskip("transformers", reason="these are models of transformers")

from tests import tiny_classifier
from tests.conftest import case

import assay
from assay.core.errors import AssayError
from assay.core.run_record import CorpusReading
from assay.export.export_model import export_model
from assay.models.adapters.hf import HuggingFace
from assay.models.systems.system import load_system, save_system
from assay.models.systems.transformer import Transformer, TransformerConfig
from assay.training.train_system import train_system
from assay.training.training_corpus import TrainSpec

PAYLOAD = """
from pathlib import Path
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast
Path({marker!r}).touch()
class PlantedConfig(BertConfig):
    model_type = "planted"
class PlantedModel(BertForSequenceClassification):
    config_class = PlantedConfig
class PlantedTokenizer(PreTrainedTokenizerFast):
    pass
"""

REFUSED = "needs code that is not part of transformers, which"

CONFIG = {"AutoConfig": "planted.PlantedConfig"}
MODEL = {"AutoModelForSequenceClassification": "planted.PlantedModel"}
TOKENIZER = {"AutoTokenizer": [None, "planted.PlantedTokenizer"]}

PLANTED: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "config": ("planted", CONFIG, {}),
    "model": ("vit", MODEL, {}),  # a kind of which transformers knows the configuration alone
    "tokenizer": ("vit", {}, TOKENIZER),
    "all": ("planted", CONFIG | MODEL, TOKENIZER),
}
"""The kind of a model, and the code that config.json and tokenizer_config.json ask for."""


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """What is there once the payload has run."""
    return tmp_path / "it-ran"


@pytest.fixture(autouse=True)
def _yes_to_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As under `yes y |`; and copies of the payload go to a folder of the test."""
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    before = list(sys.path)
    yield
    sys.path[:] = before
    for name in [name for name in sys.modules if name.startswith("transformers_modules")]:
        del sys.modules[name]


def edit(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def plant(folder: Path, marker: Path, kind: str, code: dict[str, Any], tokenizer_code: dict[str, Any]) -> Path:
    """A good model whose files ask for code of its own."""
    tiny_classifier.save(folder)
    (folder / "planted.py").write_text(PAYLOAD.format(marker=str(marker)))
    edit(folder / "config.json", model_type=kind, auto_map=code)
    if tokenizer_code:
        edit(folder / "tokenizer_config.json", tokenizer_class="PlantedTokenizer", auto_map=tokenizer_code)
    return folder


@pytest.fixture(params=PLANTED)
def planted(request: pytest.FixtureRequest, tmp_path: Path, marker: Path) -> Path:
    return plant(tmp_path / "planted", marker, *PLANTED[request.param])


def asked(folder: Path, _out: Path) -> None:
    HuggingFace(what=str(folder)).open().predict([case()])


def run(folder: Path, out: Path) -> None:
    assay.run(assay.read("bundled", limit=3), families="negation", models=f"hf:{folder}", out=out)


def exported(folder: Path, out: Path) -> None:
    export_model(f"hf:{folder}", out, source=assay.read("bundled", limit=3))


def trained(folder: Path, out: Path) -> None:
    pairs = CorpusReading(source="bundled", limit=9)
    switches = {"checkpoint": str(folder)}
    spec = TrainSpec(system="bert/v1", preset="tiny", switches=switches, sources=(pairs,), rates=(1.0,), dev=pairs)
    train_system(spec, out)


@pytest.mark.parametrize("use", [asked, run, exported, trained])
def test_code_of_a_folder_is_refused(
    use: Callable[[Path, Path], None], planted: Path, marker: Path, tmp_path: Path
) -> None:
    with pytest.raises(AssayError, match=REFUSED):
        use(planted, tmp_path / "out")
    assert not marker.exists()
    assert not (tmp_path / "modules").exists()


def test_code_of_a_trained_system_is_refused(planted: Path, marker: Path, tmp_path: Path) -> None:
    good = tiny_classifier.save(tmp_path / "good")
    stored = tmp_path / "stored"
    save_system(Transformer(TransformerConfig(checkpoint=str(good))), "bert/v1", stored)
    for name in ("config.json", "tokenizer_config.json", "planted.py"):
        (stored / name).write_bytes((planted / name).read_bytes())
    with pytest.raises(AssayError, match=REFUSED):
        load_system(stored)
    assert not marker.exists()


def test_weights_are_read_without_running_anything(tmp_path: Path, marker: Path) -> None:
    class Payload:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (marker,)

    folder = tiny_classifier.save(tmp_path / "pickled")
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"weight": Payload()}))
    with pytest.raises(AssayError, match="can't be loaded"):
        asked(folder, tmp_path)
    assert not marker.exists()


@pytest.mark.parametrize("use", [asked, exported, trained])
def test_kernels_of_the_hub_are_refused(use: Callable[[Path, Path], None], tmp_path: Path) -> None:
    folder = tiny_classifier.save(tmp_path / "model")
    edit(folder / "config.json", _attn_implementation="someone/kernel")
    with pytest.raises(AssayError, match=REFUSED):
        use(folder, tmp_path / "out")


def test_code_that_nobody_needs_is_left_alone(tmp_path: Path, marker: Path) -> None:
    """Transformers has classes of its own for this kind of model, and takes them."""
    folder = plant(tmp_path / "planted", marker, "bert", CONFIG | MODEL, TOKENIZER)
    for use in (asked, exported, trained):
        use(folder, tmp_path / use.__name__)
    assert not marker.exists()


def test_code_runs_where_the_user_trusts_it(tmp_path: Path, marker: Path) -> None:
    folder = plant(tmp_path / "planted", marker, *PLANTED["all"])
    trusting = HuggingFace(what=str(folder), code="trust")
    assert len(trusting.open().predict([case()])) == 1
    assert marker.exists()
    identity = trusting.open().identity
    assert identity != HuggingFace(what=str(folder)).open().identity
    (folder / "planted.py").write_text("# something else\n")
    assert trusting.open().identity != identity
