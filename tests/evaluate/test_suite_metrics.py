"""All figures from one pass, and two labels from three."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import case
from tests.evaluate.conftest import Answered, measured

from assay.core.case import Case, Prediction, Recipe, case_from
from assay.core.edit import Edit
from assay.core.errors import BadInputError
from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import LABELS, Collapse
from assay.core.pair import Pair
from assay.evaluate.case_columns import answer_columns, answer_row, sum_labels

E, N, C, NOT_E = Label


def answer(each: Case, *shares: float) -> Prediction:
    known = dict(zip(THREE_WAY, shares, strict=True))
    return Prediction(id=each.id, label=max(known, key=known.__getitem__), probabilities=known)


def value(found: list[Estimate], name: str, **where: str) -> float | None:
    (one,) = (e for e in found if e.name == name and e.slice == {"model": "m", "suite": "s", **where})
    return one.value


TWO_WAY = [case(1, label=E), case(2, label=NOT_E), case(3, label=NOT_E)]
SHARES = [(0.4, 0.3, 0.3), (0.4, 0.3, 0.3), (0.6, 0.2, 0.2)]


def test_three_labels_become_two_as_asked() -> None:
    asked = [(each, answer(each, *shares)) for each, shares in zip(TWO_WAY, SHARES, strict=True)]
    best, added = measured(asked), measured(asked, "sum")
    assert value(best, "accuracy", family="original", label="entailment") == 1.0
    assert value(best, "accuracy", family="original", label="non-entailment") == 0.0
    assert value(added, "accuracy", family="original", label="entailment") == 0.0
    assert value(added, "accuracy", family="original", label="non-entailment") == 0.5
    assert {(e.name, *e.slice.items()) for e in best} >= {("accuracy", *e.slice.items()) for e in added[:1]}


@pytest.mark.parametrize("collapse", ["argmax", "sum"])
def test_calibration_in_two_labels_treats_every_case_alike(collapse: Collapse) -> None:
    """A model that always says 40 %, or 60 % of the other, and is right on half, is 10 % off either way."""
    cases = [case(number, label=E if number % 2 else NOT_E) for number in range(20)]
    found = measured([(each, answer(each, 0.4, 0.35, 0.25)) for each in cases], collapse)
    assert value(found, "accuracy", family="original") == 0.5
    assert value(found, "calibration-error", family="original") == pytest.approx(0.1)
    assert value(found, "brier", family="original") == pytest.approx((0.6**2 + 0.4**2) / 2)


def test_families_with_three_labels_stay_as_they_are() -> None:
    each = case(1, label=N)
    asked = [(each, answer(each, 0.4, 0.35, 0.25))]
    assert measured(asked, "sum") == measured(asked)


def test_adding_up_needs_probabilities() -> None:
    each = TWO_WAY[1]
    with pytest.raises(BadInputError, match="no probabilities in the answer to 'original/v1:p2'"):
        measured([(each, Prediction(id=each.id, label=N))], "sum")
    assert value(measured([(each, Prediction(id=each.id, label=NOT_E))], "sum"), "accuracy", family="original") == 1.0
    assert value(measured([(each, None)], "sum"), "accuracy", family="original") == 0.0


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3))
def test_adding_up_is_the_best_of_two(shares: list[float]) -> None:
    given = answer_columns([[answer_row(answer(case(), *shares))]])
    [[found]] = sum_labels(given.label, given.probabilities)
    near = abs(shares[0] - shares[1] - shares[2]) < 1e-9
    assert near or (LABELS[found] is E) == (shares[0] >= shares[1] + shares[2])


def test_confusion_calibration_and_area() -> None:
    ladder = [
        case_from(
            Pair(id=f"p{number}", premise=f"A {number}", hypothesis="B", label=E),
            Edit(),
            family="negation",
            recipe=Recipe(transform="negation/v1", seed=0, severity=rung),
        )
        for number in range(2)
        for rung in (0, 1)
    ]
    right, wrong = (0.75, 0.25, 0.0), (0.25, 0.75, 0.0)
    asked = list(zip(ladder, [right, right, right, wrong], strict=True))
    found = measured([(each, answer(each, *shares)) for each, shares in asked])
    where = {"family": "negation", "label": "entailment"}
    assert value(found, "answers", **where, answer="entailment") == 0.75
    assert value(found, "answers", **where, answer="neutral") == 0.25
    assert value(found, "calibration-error", family="negation") == 0.0
    assert value(found, "brier", family="negation") == pytest.approx((3 * 0.125 + 1.125) / 4)
    assert value(found, "area", family="negation") == 0.75


def test_a_missing_answer_is_an_answer_of_its_own() -> None:
    found = measured([(case(1, label=E), None)])
    assert value(found, "answers", family="original", label="entailment", answer="none") == 1.0


def test_no_accuracy_where_no_label_is_claimed() -> None:
    pair = Pair(id="1", premise="A", hypothesis="B", label=E)
    edit = Edit(premise_from="hypothesis", hypothesis_from="premise", expects="drop")
    each = case_from(pair, edit, family="swap", recipe=Recipe(transform="swap/v1", seed=0))
    found = measured([(each, answer(each, 1, 0, 0))])
    assert {e.name for e in found} == {"kept", "answers"}


@pytest.mark.parametrize("name", ["calibration-error", "brier"])
def test_intervals_of_calibration_hold_the_figure_and_shrink(name: str) -> None:
    widths = []
    for n in (100, 1600):
        chance = Random(n)
        asked = []
        for number in range(n):
            sure = chance.uniform(0.4, 0.9)
            each = case(number, label=E if chance.random() < sure else N)
            asked.append((each, answer(each, sure, 1 - sure, 0.0)))
        (found,) = (e for e in measured(asked) if e.name == name)
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert found.n == n
        widths.append(found.high - found.low)
        if name == "brier":
            assert found.low < found.value < found.high
    assert 0.15 < widths[1] / widths[0] < 0.5, "sixteen times the cases, a quarter of the width"


def test_the_interval_of_an_area_is_that_of_its_accuracies() -> None:
    """Two rungs that are always answered alike: the area is an accuracy, and its interval is hardly wider."""
    chance = Random(1)
    asked = []
    for number in range(2000):
        right = chance.random() < 0.7
        for rung in (0, 1):
            each = case_from(
                Pair(id=f"p{number}", premise=f"A {number}", hypothesis="B", label=E),
                Edit(),
                family="negation",
                recipe=Recipe(transform="negation/v1", seed=0, severity=rung),
            )
            asked.append((each, Prediction(id=each.id, label=E if right else N)))
    found = measured(asked)
    (area,) = (e for e in found if e.name == "area" and len(e.slice) == 3)
    (whole,) = (e for e in found if e.name == "accuracy" and len(e.slice) == 3)
    assert area.value == pytest.approx(whole.value)
    assert area.low == pytest.approx(whole.low, abs=0.02)
    assert area.high == pytest.approx(whole.high, abs=0.02)


def test_tests_of_all_families_are_corrected_together() -> None:
    asked: list[Answered] = []
    for number in range(12):
        pair = Pair(id=str(number), premise=f"It rains {number}.", hypothesis="It is wet.", label=(E, N)[number % 2])
        for family, wrong in (("original", 0), ("negation", 8), ("spelling", 6)):
            recipe = Recipe(transform=f"{family}/v1", seed=0)
            each = case_from(pair, Edit(), family=family, recipe=recipe)
            asked.append((each, Prediction(id=each.id, label=C if number < wrong else pair.label)))
    found = measured(asked)
    raw = [value(found, "mcnemar", family=family) for family in ("negation", "spelling")]
    assert raw == pytest.approx([2 / 2**8, 2 / 2**6])
    corrected = [value(found, "holm", family=family) for family in ("negation", "spelling")]
    assert corrected == pytest.approx([4 / 2**8, 2 / 2**6])
    assert value(found, "mcnemar", family="negation", label="neutral") == pytest.approx(2 / 2**4)
    of_four = value(found, "holm", family="negation", label="neutral")
    assert of_four == pytest.approx(8 / 2**4)  # two labels in each of two families
