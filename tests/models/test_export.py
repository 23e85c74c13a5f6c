"""Exported systems answer like the originals, on sizes that the exporter never saw, and without PyTorch."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assay.core.label_space import TWO_LABELS

pytest.importorskip("torch", reason="exporting needs PyTorch")
pytest.importorskip("onnx", reason="exporting needs onnx")

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import tiny_classifier
from tests.conftest import case
from tests.models.small_systems import OVER_WORDS, WORDS, make

from assay.core import registry
from assay.core.case import Case
from assay.core.errors import BadInputError, UserError
from assay.core.protocols import Model, Ready, SentenceModel, TextModel
from assay.corpora.reader import read
from assay.export.export_model import ExportAgreement, Precision, export_model
from assay.models.adapters.onnx import Onnx, WordTexts
from assay.models.adapters.trained import Trained
from assay.models.systems.system import save_system

Text = st.lists(st.sampled_from([*WORDS, "rare", "unheard", "?"]), max_size=24).map(" ".join)
Cases = st.lists(
    st.builds(lambda premise, hypothesis: case(premise=premise, hypothesis=hypothesis), Text, Text),
    min_size=1,
    max_size=7,
)


def exported(folder: Path, out: Path, **options: Any) -> ExportAgreement:
    return export_model(f"trained:{folder}", out, source=read("bundled", limit=40), **options)


class Copy:
    """A system with random weights, and what was exported of it."""

    def __init__(self, name: str, folder: Path, *, precision: Precision = "fp32", **switches: Any) -> None:
        save_system(make(name, **switches), registry.systems.resolve(name), folder / "trained")
        self.folder = folder / "exported"
        self.agreement = exported(folder / "trained", self.folder, precision=precision)
        self.original: Model = Trained(what=str(folder / "trained")).open()
        self.model = Onnx(what=str(self.folder)).open()

    def differs(self, cases: Sequence[Case]) -> float:
        """The largest difference of a probability; labels must be the same."""
        one, two = self.original.predict(cases), self.model.predict(cases)
        shares = [[list((each.probabilities or {}).values()) for each in answers] for answers in (one, two)]
        return float(numpy.abs(numpy.array(shares[0]) - numpy.array(shares[1])).max())


@pytest.fixture(scope="module", params=OVER_WORDS)
def copy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(request.param, tmp_path_factory.mktemp(request.param))


@settings(max_examples=settings().max_examples // 3)  # two models answer
@given(cases=Cases)
def test_any_number_of_texts_of_any_length_gets_the_same_answers(copy: Copy, cases: list[Case]) -> None:
    assert copy.differs(cases) < 1e-4


def test_the_agreement_is_whole(copy: Copy) -> None:
    assert copy.agreement.same == copy.agreement.pairs == 40
    assert copy.agreement.largest < 1e-4


def test_batch_mates_change_no_answer(copy: Copy) -> None:
    cases = [case(n, premise="a dog " * n, hypothesis="the cat sleeps " * (9 - n)) for n in range(9)]
    together = copy.model.predict(cases)
    alone = [copy.model.predict([each])[0] for each in cases]
    for one, two in zip(together, alone, strict=True):
        assert one.probabilities == pytest.approx(two.probabilities, abs=1e-5)


def test_sentence_encoders_are_asked_by_sentence(copy: Copy) -> None:
    is_encoder = copy.folder.parent.name.startswith(("cbow", "infersent", "gated", "shortcut", "residual", "spinn"))
    assert isinstance(copy.model, SentenceModel if is_encoder else TextModel)
    assert isinstance(copy.model, SentenceModel) is is_encoder


def test_a_text_is_encoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Copy("cbow", tmp_path).model
    assert isinstance(model, WordTexts)
    seen: list[Ready] = []
    encode = model.encode

    def watched(batch: Sequence[Ready], *, width: int) -> Any:
        seen.extend(batch)
        return encode(batch, width=width)

    monkeypatch.setattr(model, "encode", watched)
    model.predict([case(1, premise="a dog", hypothesis="a cat"), case(2, premise="a dog", hypothesis="a dog")])
    assert len(seen) == 2


def test_nothing_of_torch_is_needed(tmp_path: Path) -> None:
    folders = [str(Copy(name, tmp_path / name).folder) for name in ("cbow", "kim", "spinn")]
    code = (
        "import sys; sys.modules['torch'] = sys.modules['safetensors'] = None\n"
        "from tests.conftest import case\nfrom assay.models.adapters.onnx import Onnx\n"
        f"for folder in {folders!r}: print(Onnx(what=folder).open().predict([case(1)])[0].label)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert len(answers := done.stdout.split()) == 3, done.stderr
    assert {*answers} <= {"entailment", "neutral", "contradiction"}


@pytest.mark.parametrize("name", OVER_WORDS)
def test_eight_bits_change_little(name: str, tmp_path: Path) -> None:
    copy = Copy(name, tmp_path, precision="int8", hidden=40)
    assert copy.agreement.precision == "int8"
    assert copy.agreement.largest < 0.02
    stored = sum(path.stat().st_size for path in copy.folder.rglob("*.onnx"))
    learned = sum(weight.numel() for key, weight in make(name, hidden=40).named_parameters() if "embedding" not in key)
    assert stored < 2 * learned + 12_000  # four bytes each otherwise


@pytest.mark.parametrize(
    ("name", "switches"),
    [
        ("esim", {"longest": 3, "lowercase": False, "activation": "relu", "drop_unknown": True}),
        ("decomposable-attention", {"unit": True}),
        ("cbow", {"pooling": "mean", "tuned": True}),
        ("rivercorners", {"numerals": "one"}),
        ("gated-attention", {"letters": 5, "spell_unknown": False}),
        ("kim", {"attention": 3.0, "inference_twice": True}),
        ("spinn", {"trees": "right", "ends": True, "nothing": True, "longest": 3, "drop_unknown": True}),
    ],
)
def test_switches_travel_along(name: str, switches: dict[str, Any], tmp_path: Path) -> None:
    copy = Copy(name, tmp_path, **switches)
    texts = ["The man sleeps in the park", "the man SLEEPS in", "", "unheard", "12 men in 7 parks"]
    assert copy.differs([case(n, premise=text, hypothesis=texts[-n]) for n, text in enumerate(texts)]) < 1e-4


def test_two_labels_stay_two(tmp_path: Path) -> None:

    save_system(make("cbow", TWO_LABELS.labels), "cbow/v1", tmp_path / "trained")
    exported(tmp_path / "trained", tmp_path / "out")
    answer = Onnx(what=str(tmp_path / "out")).open().predict([case(1)])[0]
    assert {*(answer.probabilities or {})} == {*TWO_LABELS.labels}


class TestTransformer:
    @pytest.fixture(scope="class")
    @classmethod
    def copy(cls, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
        pytest.importorskip("transformers")
        from assay.models.systems.transformer import Transformer, TransformerConfig

        folder = tmp_path_factory.mktemp("transformer")
        config = TransformerConfig(checkpoint=str(tiny_classifier.save(folder / "checkpoint")), longest=12)
        save_system(Transformer(config), "bert/v1", folder / "trained")
        return folder / "trained", folder / "exported"

    @pytest.mark.parametrize("precision", ["fp32", "int8", "int8-dynamic"])
    def test_it_answers_like_the_original(self, copy: tuple[Path, Path], precision: Precision) -> None:
        trained, out = copy
        found = exported(trained, out, precision=precision, overwrite=True)
        assert found.same >= {"fp32": 40, "int8": 39, "int8-dynamic": 36}[precision]
        assert found.largest < (1e-4 if precision == "fp32" else 0.3)
        cases = [case(1, premise="music " * 99), case(2)]
        one, two = (model.open().predict(cases) for model in (Trained(what=str(trained)), Onnx(what=str(out))))
        assert [each.truncated for each in one] == [each.truncated for each in two] == [True, False]

    def test_training_says_what_its_outputs_mean(self, copy: tuple[Path, Path], tmp_path: Path) -> None:
        exported(copy[0], tmp_path / "out")
        config = tmp_path / "out" / "config.json"
        config.write_text(config.read_text().replace('"entailment"', '"LABEL_0"'))
        (tmp_path / "out" / "digests.json").unlink()
        assert Onnx(what=str(tmp_path / "out")).open().predict([case(1)])[0].label


class TestTable:
    def test_systems_share_one(self, tmp_path: Path) -> None:
        for name in ("cbow", "esim"):
            save_system(make(name), registry.systems.resolve(name), tmp_path / name)
            exported(tmp_path / name, tmp_path / f"{name}-out", table=tmp_path / "words")
            assert not (tmp_path / f"{name}-out" / "table").exists()
        moved = shutil.move(tmp_path, tmp_path.with_name("moved"))
        assert Onnx(what=str(Path(moved) / "esim-out")).open().predict([case(1)])

    def test_other_vectors_are_refused(self, tmp_path: Path) -> None:
        save_system(make("cbow"), "cbow/v1", tmp_path / "one")
        exported(tmp_path / "one", tmp_path / "one-out", table=tmp_path / "words")
        with pytest.raises(UserError, match="holds different vectors"):
            exported(tmp_path / "one", tmp_path / "two-out", table=tmp_path / "words", precision="int8")
        assert not (tmp_path / "two-out").exists()


class TestErrors:
    @pytest.mark.parametrize(
        ("file", "named"),
        [
            ("vocabulary.json", "vocabulary.json"),
            ("learned.npy", "exported/table"),
            ("table/vectors.npy", "exported/table"),
            ("judge.onnx", "judge.onnx"),
        ],
    )
    def test_a_damaged_file_is_named(self, file: str, named: str, tmp_path: Path) -> None:
        folder = Copy("cbow", tmp_path).folder
        (folder / file).write_bytes(b"nothing")
        with pytest.raises(BadInputError, match=named):
            Onnx(what=str(folder)).open().predict([case(1)])

    def test_words_that_are_gone_are_missed(self, tmp_path: Path) -> None:
        folder = Copy("cbow", tmp_path).folder
        (folder / "table" / "words.txt").write_text("a\n")
        with pytest.raises(BadInputError, match="words and vectors differ"):
            Onnx(what=str(folder)).open()

    def test_options_of_classifiers_are_refused(self, tmp_path: Path) -> None:
        folder = Copy("cbow", tmp_path).folder
        with pytest.raises(UserError, match="has no option labels"):
            Onnx(what=str(folder), labels="e,n,c").open()

    def test_one_of_several_seeds_must_be_named(self, tmp_path: Path) -> None:
        for seed in (1, 2):
            save_system(make("cbow"), "cbow/v1", tmp_path / "all" / f"seed-{seed}")
        with pytest.raises(UserError, match=r"several seeds; name one, as in .*@1"):
            exported(tmp_path / "all", tmp_path / "out")
        assert exported(tmp_path / "all@2", tmp_path / "out").same
