"""Accuracy by slices."""

from itertools import pairwise

import pytest
from tests.conftest import case
from tests.evaluate.conftest import measured as every_figure

from assay.core.case import Case, Prediction
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.evaluate.accuracy import NAMES, is_right
from assay.evaluate.case_columns import MOST_VALUES
from assay.evaluate.intervals import wilson

E, N, C, NOT_E = Label


def measured(asked: list[tuple[Case, Label | None]], *, model: str = "m") -> list[Estimate]:
    answered = [(each, Prediction(id=each.id, label=answer) if answer else None) for each, answer in asked]
    return [e for e in every_figure(answered, model=model) if e.name in NAMES]


def table(asked: list[tuple[Case, Label | None]]) -> dict[str, tuple[float | None, int]]:
    """Value and n by what the slice says, the model left out."""
    found = measured(asked)
    named = {
        " ".join(f"{k}={v}" for k, v in e.slice.items() if k not in ("model", "suite")): (e.value, e.n) for e in found
    }
    assert len(named) == len(found), "two figures of one slice"
    return named


@pytest.mark.parametrize(
    ("answer", "gold", "right"),
    [
        *[(label, label, True) for label in Label],
        (N, C, False),
        (C, N, False),
        (E, N, False),
        (N, NOT_E, True),
        (C, NOT_E, True),
        (E, NOT_E, False),
        (NOT_E, N, True),
        (NOT_E, C, True),
        (NOT_E, E, False),
    ],
)
def test_two_way_labels_are_compared_as_two(answer: Label, gold: Label, right: bool) -> None:
    assert is_right(answer, gold) is right


def test_slices() -> None:
    asked = [
        (case(1, label=E, group={"genre": "news"}), E),
        (case(2, label=N, group={"genre": "news"}), E),
        (case(3, label=N, group={"genre": "talk"}), N),
        (case(4, family="negation", label=C), C),
    ]
    assert table([*asked]) == {
        "family=original": (2 / 3, 3),
        "family=original label=entailment": (1.0, 1),
        "family=original genre=news": (0.5, 2),
        "family=original genre=news label=entailment": (1.0, 1),
        "family=original label=neutral": (0.5, 2),
        "family=original genre=news label=neutral": (0.0, 1),
        "family=original genre=talk": (1.0, 1),
        "family=original genre=talk label=neutral": (1.0, 1),
        "family=negation": (1.0, 1),
        "family=negation label=contradiction": (1.0, 1),
    }


def test_figures_carry_model_name_and_interval() -> None:
    (first, *_) = measured([(case(1), E), (case(2), N)], model="assay:x/v1")
    low, high = wilson(0.5, 2)
    assert first == Estimate(
        name="accuracy",
        value=0.5,
        low=low,
        high=high,
        n=2,
        slice={"model": "assay:x/v1", "suite": "s", "family": "original"},
        clusters=2,
    )


def variant(number: int, name: str) -> Case:
    import msgspec

    return msgspec.structs.replace(case(number), id=f"{name}:{number}", variant=name)


def test_variants_are_slices_and_cases_of_an_origin_one_cluster() -> None:
    asked = [(variant(number, name), E if number % 2 else N) for number in range(40) for name in ("a", "b")]
    found = {tuple(e.slice.items())[2:]: e for e in measured([*asked])}
    both, one = found[(("family", "original"),)], found[(("family", "original"), ("variant", "a"))]
    assert (both.n, one.n) == (80, 40)
    assert both.low == pytest.approx(one.low, abs=0.01), "copies made the interval narrower"
    assert (("family", "original"), ("variant", "b"), ("label", "entailment")) in found


def test_no_answer_is_wrong() -> None:
    assert table([(case(1), None), (case(2), E)])["family=original"] == (0.5, 2)


def test_what_was_not_measured_is_absent() -> None:
    assert measured([]) == []
    assert "family=original label=neutral" not in table([(case(1), E)])


@pytest.mark.parametrize(("values", "kept"), [(MOST_VALUES, True), (MOST_VALUES + 1, False)])
def test_a_group_of_too_many_values_is_no_slice(values: int, kept: bool) -> None:
    asked = [(case(number, group={"score": str(number), "genre": "news"}), E) for number in range(values)]
    asked.append((case(values, family="negation", group={"score": "1"}), E))
    found = table([*asked])
    assert any("family=original score=" in name for name in found) is kept
    assert "family=original genre=news" in found
    assert "family=negation score=1" in found, "another family's slices are another matter"
    assert found["family=original"] == (1.0, values)


@pytest.mark.parametrize("name", ["family", "label", "model", "variant"])
def test_a_group_never_passes_for_a_slice_of_ours(name: str) -> None:
    asked = [(case(1, group={name: "negation"}), E), (case(2, group={name: "neutral"}), N)]
    found = measured([*asked])
    assert {e.slice["model"] for e in found} == {"m"}
    assert {e.slice["family"] for e in found} == {"original"}
    assert {e.n for e in found if len(e.slice) == 3} == {2}
    assert {e.slice.get("label") for e in found} == {None, "entailment"}
    assert {e.slice[f"group:{name}"] for e in found if f"group:{name}" in e.slice} == {"negation", "neutral"}
    assert all(one.slice != other.slice for one, other in pairwise(found))
