"""onnx: on models that are exported on the spot, and how far they agree with their originals."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests import tiny_classifier
from tests.conftest import case

from assay.core.errors import BadInputError, ModelError, OutputExistsError, UserError
from assay.core.label import Label
from assay.export.export_model import export_model
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.label_order import self_evident
from assay.models.adapters.onnx import Onnx

pytest.importorskip("transformers")
pytest.importorskip("onnxruntime")

CASES = [
    case(number, premise=each.texts.premise, hypothesis=each.texts.hypothesis, label=each.label)
    for number, each in enumerate(self_evident())
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_classifier.save(tmp_path_factory.mktemp("hf") / "model")


@pytest.fixture(scope="module", params=["fp32", "int8", "int8-dynamic"])
def exported(request: pytest.FixtureRequest, checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("onnx") / "model"
    agreement = export_model(f"hf:{checkpoint}", out, precision=request.param)
    assert agreement.pairs == 750
    assert agreement.precision == request.param
    if request.param == "int8-dynamic":
        assert agreement.same >= 675  # of random pairs, to a model of 32 dimensions
    elif request.param == "int8":
        assert agreement.same >= 735
    else:
        assert agreement.same == 750
        assert agreement.largest < 1e-4
    return out


def test_it_answers_like_the_original(exported: Path, checkpoint: Path) -> None:
    ours, theirs = (
        model.open().predict(CASES) for model in (Onnx(what=str(exported)), HuggingFace(what=str(checkpoint)))
    )
    assert [answer.label for answer in ours] == [answer.label for answer in theirs]
    stored = json.loads((exported / "agreement.json").read_text())
    assert stored["model"] == f"hf:{checkpoint}"


def test_one_output_is_a_support_score(tmp_path: Path) -> None:
    one = tiny_classifier.save(tmp_path / "hf", order=(Label.ENTAILMENT,), names=("support",))
    export_model(f"hf:{one}", tmp_path / "onnx", precision="fp32")
    ours, theirs = (
        Onnx(what=str(tmp_path / "onnx")).open().predict(CASES),
        HuggingFace(what=str(one)).open().predict(CASES),
    )
    for found, expected in zip(ours, theirs, strict=True):
        assert (found.label, found.threshold) == (expected.label, 0.5)
        assert found.probabilities == pytest.approx(expected.probabilities, abs=1e-4)


def test_long_premises_and_templates_work_as_in_the_original(exported: Path, checkpoint: Path) -> None:
    long = [case(1, premise="music " * 99), case(2)]
    for options in ({}, {"template": "It is said that {}"}, {"length": 24}):
        one = Onnx(what=str(exported), **options).open().predict(long)
        two = HuggingFace(what=str(checkpoint), **options).open().predict(long)
        assert [(each.label, each.truncated) for each in one] == [(each.label, each.truncated) for each in two]
    assert one[0].truncated
    assert not one[1].truncated


def test_torch_is_not_needed(exported: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "from assay.models.adapters.onnx import Onnx\n"
        f"print(Onnx(what={str(exported)!r}).open().order.labels)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "Label.ENTAILMENT" in done.stdout, done.stderr


def test_a_flipped_map_is_stopped(exported: Path, tmp_path: Path) -> None:
    flipped = shutil.copytree(exported, tmp_path / "flipped")
    config = json.loads((flipped / "config.json").read_text())
    config["id2label"] = {"0": "contradiction", "1": "neutral", "2": "entailment"}
    (flipped / "config.json").write_text(json.dumps(config))
    (flipped / "digests.json").unlink()  # otherwise the change itself would be noticed
    with pytest.raises(ModelError, match="its answers disagree"):
        Onnx(what=str(flipped)).open().predict(CASES)


def test_folders_that_are_no_model(exported: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"is not a folder.\n.*--to onnx"):
        Onnx(what="nowhere").open()
    with pytest.raises(UserError, match=r"has no model\.onnx; its \.onnx files: none"):
        Onnx(what=str(tmp_path)).open()
    with pytest.raises(UserError, match=r"has no other\.onnx; its \.onnx files: model\.onnx"):
        Onnx(what=str(exported), file="other.onnx").open()
    broken = shutil.copytree(exported, tmp_path / "broken")
    (broken / "model.onnx").write_bytes(b"no model")
    (broken / "digests.json").unlink()
    with pytest.raises(BadInputError, match="not a model that onnxruntime can run"):
        Onnx(what=str(broken)).open().predict(CASES)
    for name in ("tokenizer.json", "config.json"):
        (broken / name).unlink()
        with pytest.raises(
            BadInputError, match=rf"{name}: missing: .*\n  Copy {name} there .* assay export .* --to onnx"
        ):
            Onnx(what=str(broken)).open()


def test_only_a_settled_model_is_exported(tmp_path: Path) -> None:
    unnamed = tiny_classifier.save(tmp_path / "unnamed", names=("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(ModelError, match="does not name its outputs"):
        export_model(f"hf:{unnamed}", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    export_model(f"hf:{unnamed}?labels=e,n,c", tmp_path / "out")
    assert len(Onnx(what=str(tmp_path / "out")).open().predict(CASES)) == 42  # the names come along
    with pytest.raises(OutputExistsError):
        export_model(f"hf:{unnamed}?labels=e,n,c", tmp_path / "out")
    with pytest.raises(UserError, match="Only hf: and trained: models"):
        export_model("assay:overlap", tmp_path / "other")
