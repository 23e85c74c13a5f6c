"""Figures of columns, against the same figures one case at a time; and what chunks must not change."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import case, pair
from tests.evaluate.conftest import Answered, board_of
from tests.evaluate.reference import Figure, Figures, figures

from assay.core.case import Case, Prediction, Recipe, case_from
from assay.core.edit import Edit
from assay.core.errors import BadInputError
from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import Collapse
from assay.evaluate.case_columns import AnswerRow, CaseRow, Encoder, answer_columns, answer_row
from assay.evaluate.suite_metrics import SuiteMetrics

BOOTSTRAPPED = ("calibration-error", "brier", "area")

FAMILIES: dict[str, dict[str, Sequence[Any]]] = {  # what each may do to a pair
    "negation": {"severity": (0, 1, 3)},
    "spelling": {"variant": ("swap", "keyboard")},
    "antonymy": {"label": (Label.CONTRADICTION,)},
    "swap": {"expects": ("hold", "drop")},
    "mixed": {"label": (None, Label.NEUTRAL), "expects": ("label", "hold"), "variant": ("", "a")},
}

TWO_WAY = Label.NON_ENTAILMENT

shares = st.lists(st.integers(0, 8), min_size=4, max_size=4).filter(any)


@st.composite
def suites(draw: st.DrawFn, *, two_way: bool = False) -> list[list[Case]]:
    """Cases of a few pairs, those of a root together."""
    golds = (Label.ENTAILMENT, Label.NON_ENTAILMENT) if two_way else THREE_WAY
    roots = []
    for root in range(draw(st.integers(1, 8))):
        together: list[Case] = []
        for copy in range(draw(st.integers(1, 2))):
            label = draw(st.sampled_from(golds))
            group = draw(st.dictionaries(st.sampled_from(("genre", "label", "")), st.sampled_from("ab"), max_size=2))
            source = pair(root, id=f"{root}-{copy}", label=label, group=group, root=f"root {root}")
            if draw(st.booleans()):
                together.append(made(source, "original"))
            for family, choices in draw(st.permutations(list(FAMILIES.items()))):
                chosen = {name: draw(st.sampled_from(values)) for name, values in choices.items()}
                if draw(st.booleans()):
                    together.append(made(source, family, **chosen))
        roots.append(together)
    return roots


def made(source: object, family: str, *, severity: int | None = None, **edit: object) -> Case:
    recipe = Recipe(transform=f"{family}/v1", seed=0, severity=severity)
    return case_from(source, Edit(**edit), family=family, recipe=recipe)  # type: ignore[arg-type]


@st.composite
def answers(draw: st.DrawFn, asked: Case) -> Prediction | None:
    """Any answer: with probabilities or without, of two labels or three, with a note, or none at all."""
    kind = draw(st.sampled_from(("none", "plain", "three", "two", "some")))
    if kind == "none":
        return None
    note = draw(st.sampled_from(("", "", "no single place")))
    if kind == "plain":
        return Prediction(id=asked.id, label=draw(st.sampled_from(Label)), note=note)
    labels = {"three": THREE_WAY, "two": (Label.ENTAILMENT, Label.NON_ENTAILMENT), "some": (Label.NEUTRAL,)}[kind]
    weights = draw(shares)[: len(labels)]
    given = {label: weight / (sum(weights) or 1) for label, weight in zip(labels, weights, strict=True)}
    return Prediction(id=asked.id, label=max(given, key=given.__getitem__), probabilities=given, note=note)


@st.composite
def asked_suites(draw: st.DrawFn, *, two_way: bool = False) -> list[list[Answered]]:
    return [[(each, draw(answers(each))) for each in together] for together in draw(suites(two_way=two_way))]


def as_figures(estimates: Sequence[Estimate]) -> Figures:
    """Estimates as the reference has them; ends that are drawn by chance are left out."""
    found = {}
    for e in estimates:
        ends = (e.low, e.high) if e.low is not None and e.high is not None and e.name not in BOOTSTRAPPED else None
        where = tuple((name, value) for name, value in e.slice.items() if name not in ("model", "suite"))
        found[e.name, where] = Figure(e.value, e.n, ends)
    assert len(found) == len(estimates), "two figures of one slice"
    return found


def assert_same(found: Figures, expected: Figures) -> None:
    assert found.keys() == expected.keys()
    for key, (value, n, ends) in expected.items():
        assert found[key].n == n, key
        assert found[key].value == pytest.approx(value, abs=1e-12), key
        assert found[key].ends == (None if ends is None else pytest.approx(ends, abs=1e-12)), key


@given(asked_suites())
@settings(max_examples=30)
def test_every_figure_is_that_of_one_case_at_a_time(roots: list[list[Answered]]) -> None:
    asked = [each for together in roots for each in together]
    assert_same(as_figures(board_of(asked).estimates()), figures(asked))


@given(asked_suites(two_way=True), st.sampled_from(["argmax", "sum"]))
@settings(max_examples=30)
def test_so_is_every_figure_in_two_labels(roots: list[list[Answered]], collapse: Collapse) -> None:
    asked = [each for together in roots for each in together]
    lacking = [
        case
        for case, answer in asked
        if case.compared_with is TWO_WAY and answer and answer.label is not TWO_WAY and not answer.probabilities
    ]
    if collapse == "sum" and lacking:
        with pytest.raises(BadInputError, match="no probabilities in the answer"):
            board_of(asked, collapse=collapse)
    else:
        assert_same(as_figures(board_of(asked, collapse=collapse).estimates()), figures(asked, collapse))


@given(asked_suites(), st.data())
@settings(max_examples=25)
def test_chunks_of_whole_roots_change_nothing(roots: list[list[Answered]], data: st.DataObject) -> None:
    whole = [each for together in roots for each in together]
    cut = data.draw(st.integers(0, len(roots)))
    chunks = [[each for together in part for each in together] for part in (roots[:cut], roots[cut:])]
    together, apart = board_of(whole).estimates(), board_of(*chunks).estimates()
    assert [(e.name, e.slice) for e in apart] == [(e.name, e.slice) for e in together]
    assert_same(as_figures(apart), as_figures(together))


@given(suites(), st.data())
@settings(max_examples=25)
def test_models_beside_each_other_are_measured_as_alone(roots: list[list[Case]], data: st.DataObject) -> None:
    cases = [each for together in roots for each in together]
    said = [[data.draw(answers(each)) for each in cases] for _ in range(2)]
    encoder = Encoder()
    board = SuiteMetrics(["one", "two"], suite="s", encoder=encoder)
    if cases:
        rows = [[answer_row(answer) if answer else None for answer in of_model] for of_model in said]
        board.add(encoder.cases(cases), answer_columns(rows))
    alone = [
        board_of(list(zip(cases, of_model, strict=True)), model=model).estimates()
        for model, of_model in zip(("one", "two"), said, strict=True)
    ]
    assert board.estimates() == [*alone[0], *alone[1]]


@given(suites(), st.data())
@settings(max_examples=25)
def test_stored_cases_and_answers_have_the_same_columns(roots: list[list[Case]], data: st.DataObject) -> None:
    cases = [each for together in roots for each in together]
    said = [answer for each in cases if (answer := data.draw(answers(each)))]
    stored = msgspec.json.decode(msgspec.json.encode(cases), type=list[CaseRow])
    whole, read = Encoder().cases(cases), Encoder().cases(stored)
    for name in whole._fields:
        assert list(getattr(whole, name)) == list(getattr(read, name)), name
    rows = msgspec.json.decode(msgspec.json.encode(said), type=list[AnswerRow])
    assert str(rows) == str([answer_row(each) for each in said])  # as text, as not a number is not itself


def test_slices_appear_in_the_order_of_the_cases() -> None:
    asked: list[Answered] = [
        (case(1, label=Label.NEUTRAL, group={"genre": "b"}), None),
        (case(2, label=Label.ENTAILMENT, group={"genre": "a"}), None),
    ]
    found = [list(e.slice.values())[2:] for e in board_of(asked).estimates() if e.name == "accuracy"]
    assert found == [
        ["original"],
        ["original", "neutral"],
        ["original", "b"],
        ["original", "b", "neutral"],
        ["original", "entailment"],
        ["original", "a"],
        ["original", "a", "entailment"],
    ]
