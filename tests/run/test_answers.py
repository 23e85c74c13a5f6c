"""Asking models: in order, complete, and with errors that name the model."""

import pickle
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from tests.conftest import Assay, case
from tests.fixtures.runs import WriteCorpus

from assay.core.case import Case, Prediction
from assay.core.errors import ModelError, UnknownNameError
from assay.core.fakes import FakeModel
from assay.core.label import Label
from assay.run.predict.answer_checks import answer_cases
from assay.run.predict.model_names import model_name
from assay.run.predict.predict_suites import answer_batch

CASES = [case(number) for number in range(4)]


class Scripted:
    """Answers by a function."""

    def __init__(self, answer: Callable[[list[Prediction]], list[Prediction]]) -> None:
        self.answer = answer

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        return self.answer(FakeModel().predict(cases))


def fail(_: object) -> list[Prediction]:
    raise RuntimeError("out of tokens")


def test_answers_are_stored_in_order(tmp_path: Path) -> None:
    model = FakeModel(Label.NEUTRAL, answers={CASES[2].id: Label.CONTRADICTION})
    (tmp_path / "fake.model").write_bytes(pickle.dumps(model))
    batch = b"\n".join(msgspec.json.encode(each) for each in CASES)
    made = answer_batch(batch, "fake", tmp_path / "fake.model").splitlines()
    assert [msgspec.json.decode(line, type=Prediction) for line in made] == model.predict(CASES)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda right: right[:-1], "m gave 3 answers to 4 cases"),
        (lambda right: [*right, right[0]], "m gave 5 answers to 4 cases"),
        (lambda right: [], "m gave 0 answers to 4 cases"),
        (lambda right: right[::-1], "must keep the order"),
        (fail, "m failed: RuntimeError: out of tokens"),
    ],
)
def test_a_model_that_does_not_answer_as_it_must(
    answer: Callable[[list[Prediction]], list[Prediction]], said: str
) -> None:
    with pytest.raises(ModelError, match=said):
        answer_cases(CASES, "m", Scripted(answer))


def test_names_of_models() -> None:
    assert model_name("assay:overlap") == model_name("assay:overlap/v1") == "assay:overlap/v1"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("overlap", "'assay:overlap'"),
        ("pyton:x", "No kind of model 'pyton'; did you mean 'python'"),
        ("assay:overlab", "did you mean 'overlap'"),
    ],
)
def test_unknown_models(wrong: str, said: str) -> None:
    with pytest.raises(UnknownNameError, match=said):
        model_name(wrong)


FAULTY = """
import os
from typing import ClassVar
from assay import Edit, Replacement
from assay.core.errors import MissingExtraError
from assay.core.fakes import FakeModel

class Crash:
    "Dies."
    def predict(self, cases):
        os._exit(1)

class Few(FakeModel):
    "Leaves one out."
    def predict(self, cases):
        return super().predict(cases)[1:]

class Wrong:
    "Edits what is not there."
    family: ClassVar[str] = "wrong"
    def __call__(self, pair, rng):
        return [Edit(premise=(Replacement(10**6, "x", ""),))]

class Poor:
    "Lacks an extra."
    family: ClassVar[str] = "poor"
    def __call__(self, pair, rng):
        raise MissingExtraError("torch", needed_for="This family")
"""


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--model", "assay:crash"], 3, "A worker process died"),
        (["--model", "assay:few"], 3, "assay:few/v1 gave 38 answers to 39 cases"),
        (["--family", "wrong"], 3, "wrong/v1 failed on pair 's-0': ValueError: no 'x' to replace at 1000000"),
        (["--family", "poor"], 2, "This family needs an extra: pip install '.[torch]'"),
    ],
)
def test_faulty_packages_end_in_clear_errors(
    write_corpus: WriteCorpus,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    program: Assay,
    options: list[str],
    code: int,
    said: str,
) -> None:
    package = tmp_path / "package"
    info = package / "faulty-1.0.dist-info"
    info.mkdir(parents=True)
    (package / "faulty.py").write_text(FAULTY)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[assay.models]\ncrash/v1 = faulty:Crash\nfew/v1 = faulty:Few\n"
        "[assay.transforms]\nwrong/v1 = faulty:Wrong\npoor/v1 = faulty:Poor\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(package), prepend=":")
    family = [] if "--family" in options else ["--family", "word-overlap", "--limit", 21]
    workers = 2 if code == 3 and "few" not in said else 1
    done = program("run", "--from", write_corpus(200), *options, *family, "--workers", workers, code=code)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
