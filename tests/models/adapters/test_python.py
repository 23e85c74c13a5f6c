"""python: on functions that are written on the spot."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import case

import assay
from assay.core.errors import ModelError, UserError
from assay.core.label import THREE_WAY, Label
from assay.models.adapters.label_order import self_evident
from assay.models.adapters.python import Python, PythonFunction

CASES = [
    case(number, premise=each.texts.premise, hypothesis=each.texts.hypothesis, label=each.label)
    for number, each in enumerate(self_evident())
]
KNOWN = {each.texts: each.label for each in self_evident()}

MODULE = """
def labels(pairs):
    return ["neutral" for premise, hypothesis in pairs]

def shares(pairs):
    return [{"entailment": 0.7, "neutral": 0.2, "contradiction": 0.1} for _ in pairs]

class Whole:
    def __init__(self):
        self.calls = 0
    def __call__(self, pairs):
        self.calls += 1
        return [{"label": "contradiction"} for _ in pairs]

number = 3
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"made_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return name


def answers(what: str, **options: Any) -> list[Any]:
    return Python(what=what, **options).open().predict(CASES)


def test_labels_probabilities_and_classes(module: str) -> None:
    assert {answer.label for answer in answers(f"{module}:labels")} == {Label.NEUTRAL}
    first = answers(f"{module}:shares", batch=5)[0]
    assert first.label is Label.ENTAILMENT
    assert first.probabilities == {Label.ENTAILMENT: 0.7, Label.NEUTRAL: 0.2, Label.CONTRADICTION: 0.1}
    assert {answer.label for answer in answers(f"{module}:Whole")} == {Label.CONTRADICTION}


def test_a_function_of_two_arguments_is_called_with_one_pair_at_a_time(tmp_path: Path) -> None:
    def score(premise: str, hypothesis: str, *, floor: float = 0.0) -> float:
        return max(floor, float(hypothesis in premise))

    class Checker:
        def check(self, premise: str, hypothesis: str) -> dict[str, float]:
            return {"score": score(premise, hypothesis)}

    one, other = PythonFunction(score, name="mine"), PythonFunction(Checker().check, name="mine")
    cases = [case(1, premise="It rains.", hypothesis="rains"), case(2, premise="It rains.", hypothesis="snows")]
    assert [answer.label.value for answer in one.predict(cases)] == ["entailment", "non-entailment"]
    assert other.predict(cases) == one.predict(cases)
    assert one.notes == ("mine is called with one premise and one hypothesis.",)
    record = assay.run(assay.read("bundled", limit=3), families="original", models={"mine": score}, out=tmp_path)
    assert record.models[0].notes[0] == "object:mine is called with one premise and one hypothesis."


def test_a_function_of_one_argument_is_called_with_a_list() -> None:
    model = PythonFunction(lambda pairs, labels=("neutral",): [labels[0]] * len(pairs), name="mine")
    assert model.predict(CASES)[0].label is Label.NEUTRAL
    assert model.notes == ("mine is called with a list of (premise, hypothesis).",)
    with pytest.raises(UserError, match="requires 3 arguments"):
        PythonFunction(lambda premise, hypothesis, label: 0.5)


def test_a_function_without_a_signature_is_called_with_a_list_and_said_so() -> None:
    class Compiled:
        __signature__ = "unreadable"

        def __call__(self, premise: str, hypothesis: str) -> float:
            return 0.5

    with pytest.raises(ModelError, match=r"does not say which arguments it takes.*missing 1 required.*\n.*around it"):
        PythonFunction(Compiled(), name="mine").predict(CASES)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("{}", "give a module and a function"),
        ("{}:lables", "did you mean 'labels'"),
        ("{}:number", "is not a function: its type is int"),
        ("no_such_module:f", "there is no module 'no_such_module'\\.\n.*folder of no_such_module.py"),
        ("no_such.module:f", "there is no module 'no_such'"),
        ("imports_another:f", "imports_another imports 'not_installed', and there is no such module"),
        ("importz_another:f", "there is no module 'importz_another'; did you mean 'imports_another'"),
    ],
)
def test_what_is_no_function(
    module: str, what: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "imports_another.py").write_text("import not_installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UserError, match=said):
        answers(what.format(module))


def rows(pairs: list[tuple[str, str]], order: tuple[Label, ...] = THREE_WAY) -> Any:
    """What a model that knows the pairs gives, by position."""
    return np.array([[8.0 * (KNOWN[pair] is label) for label in order] for pair in pairs])  # type: ignore[index]


def test_rows_of_numbers_need_a_meaning() -> None:
    with pytest.raises(ModelError, match="does not name its outputs") as told:
        answers(f"{__name__}:rows")
    assert "labels=entailment,neutral,contradiction" in str(told.value)
    found = answers(f"{__name__}:rows", labels="e,n,c")
    assert [answer.label for answer in found] == [each.label for each in CASES]
    assert found[0].probabilities[Label.ENTAILMENT] > 0.99


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (lambda pairs: ["neutral"] * (len(pairs) - 1), "gave 41 answers to 42 cases"),
        (lambda pairs: ["neutral"] * (len(pairs) + 1), "gave 43 answers to 42 cases"),
        (lambda pairs: None, "must return a list"),
        (lambda pairs: ["maybe"] * len(pairs), "'maybe' is not a label"),
        (lambda pairs: [{"entailment": 2.0}] * len(pairs), "are not probabilities"),
        (lambda pairs: [{"entailment": float("nan"), "neutral": 1.0}] * len(pairs), "are not probabilities"),
        (
            lambda pairs: [{"label": "neutral", "probabilities": {"entailment": 1.0}}] * len(pairs),
            "not the most probable",
        ),
        (lambda pairs: [[1.0, 0.0]] * (len(pairs) - 1) + [[1.0, 0.0, 0.0]], "not a table of numbers"),
        (lambda pairs: [{"entailment": -0.5, "neutral": 1.5}] * len(pairs), "are not probabilities"),
        (lambda pairs: [{"entailment": float("inf")}] * len(pairs), "are not probabilities"),
        (lambda pairs: np.full((len(pairs), 3), np.nan), "is not a number"),
        (lambda pairs: np.full((len(pairs), 3), -np.inf), "is not a number"),
        (lambda pairs: np.zeros((len(pairs), 5)), "has 5 outputs"),
        (lambda pairs: [3] * len(pairs), "3 is not a support score.*; the premise is .*, the hypothesis "),
        (lambda pairs: [0.5] * (len(pairs) - 1) + [None], "None is not a support score.*; the premise is "),
    ],
)
def test_a_function_that_does_not_answer_as_it_must(monkeypatch: pytest.MonkeyPatch, reply: Any, said: str) -> None:
    from assay.models.adapters import python

    monkeypatch.setattr(python, "_import_function", lambda _: reply)
    with pytest.raises(ModelError, match=said):
        answers("made:up", batch=100)


def test_identity_only_with_a_version(module: str) -> None:
    def identity(**options: Any) -> str:
        return Python(what=f"{module}:labels", **options).open().identity  # type: ignore[attr-defined, no-any-return]

    assert identity() == ""
    assert identity(version="1") == identity(version="1") != identity(version="2")


def test_whether_rows_are_probabilities_is_told_once() -> None:
    """A single row of scores may add up to one by chance; one pair at a time must answer as all at once."""
    alone, together = (answers(f"{__name__}:scores", labels="e,n,c", batch=batch) for batch in (1, 64))
    assert alone == together
    assert max(found.probabilities[Label.ENTAILMENT] for found in together) < 0.6


def scores(pairs: list[tuple[str, str]]) -> Any:
    """Scores of which every other row looks like probabilities."""
    return [[1.0, 0.0, 0.0] if len(premise) % 2 else [1.0, 0.5, 0.5] for premise, _ in pairs]


def test_probabilities_must_stay_some(monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.models.adapters import python

    def rows(pairs: list[tuple[str, str]]) -> Any:
        return [[0.5, 0.3, 0.2 if (premise, hypothesis) in KNOWN else 0.9] for premise, hypothesis in pairs]

    monkeypatch.setattr(python, "_import_function", lambda _: rows)
    strange = Python(what="made:up", labels="e,n,c").open()
    with pytest.raises(ModelError, match=r"\[0.5, 0.3, 0.9\] are not probabilities, but earlier answers were"):
        strange.predict([case(1, premise="Something else.")])
