"""Two models on the same cases, and two systems over their seeds."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test
from statsmodels.stats.multitest import multipletests
from tests.conftest import case
from tests.evaluate.conftest import columns

from assay.core.comparison import ComparedSlice
from assay.core.label import Label
from assay.evaluate.model_comparison import PairedCounts, judge_differences
from assay.evaluate.paired import mcnemar, tango
from assay.evaluate.seeds import exchange_p

E, N, C, _ = Label


def versus(*asked: tuple[int, str, Label, bool, bool]) -> dict[tuple[str, ...], ComparedSlice]:
    """Origin, family, label, whether the candidate and the baseline are right."""
    cases, encoder = columns([case(origin, family=family, label=label) for origin, family, label, _, _ in asked])
    board = PairedCounts(suite="s", encoder=encoder)
    candidate, baseline = (numpy.array([each[side] for each in asked]) for side in (3, 4))
    board.add(cases, numpy.arange(len(asked)), candidate=candidate, baseline=baseline)
    return {tuple(row.slice.values())[1:]: row for row in judge_differences(board.rows())}


def test_each_slice_is_mcnemar_and_tango() -> None:
    asked = [(i, "negation", E, i < 30, i >= 26) for i in range(40)]
    asked += [(i, "negation", N, True, True) for i in range(40, 50)]
    found = versus(*asked)
    total = found[("negation",)]
    assert (total.n, total.only_candidate, total.only_baseline) == (50, 26, 10)
    assert (total.candidate, total.baseline) == (0.8, 0.48)
    assert total.difference == pytest.approx(0.32)
    assert total.p == total.adjusted == mcnemar(26, 10)
    assert [total.low, total.high] == [float(end) for end in tango(26, 10, 50)]
    assert total.verdict == "better"
    assert found["negation", "neutral"].verdict == "not significant"
    assert found["negation", "neutral"].smallest is None


def test_cases_of_one_pair_count_once() -> None:
    apart = versus(*((i, "f", E, True, False) for i in range(12)))
    together = versus(*((i // 4, "f", E, True, False) for i in range(12)))
    assert apart[("f",)].verdict == "better"
    assert together[("f",)].verdict == "not significant"
    assert together[("f",)].p == pytest.approx(mcnemar(3, 0), abs=0.1)


def test_the_correction_is_over_families_and_over_labels_apart() -> None:
    asked = [
        (i, f"f{family}", label, True, i >= 6 + family) for family in range(4) for label in (E, C) for i in range(20)
    ]
    rows = versus(*asked)
    for width in (1, 2):
        kind = [row for place, row in rows.items() if len(place) == width]
        expected = multipletests([row.p for row in kind], method="holm")[1]
        assert [row.adjusted for row in kind] == pytest.approx(list(expected))
    assert (rows["f0", "entailment"].p or 1) < 0.05 < (rows["f0", "entailment"].adjusted or 0)
    assert rows["f0", "entailment"].verdict == "not significant"
    assert rows[("f0",)].verdict == "better"


def test_worse_is_worse() -> None:
    found = versus(*((i, "f", E, False, True) for i in range(12)))
    assert found[("f",)].verdict == "worse"
    assert found[("f",)].difference == -1


def test_nothing_is_judged_of_nothing() -> None:
    assert judge_differences([]) == ()


Accuracies = st.lists(st.integers(0, 128).map(lambda hits: hits / 128), min_size=2, max_size=4)  # no rounding


@given(Accuracies, Accuracies)
@settings(max_examples=25)
def test_seeds_are_exchanged_as_scipy_does(first: list[float], second: list[float]) -> None:
    theirs = permutation_test(
        (first, second), lambda a, b, axis: numpy.mean(a, axis=axis) - numpy.mean(b, axis=axis), vectorized=True
    )
    # Theirs doubles the smaller side, which is the same where both systems have as many seeds.
    if len(first) == len(second):
        assert exchange_p(first, second) == pytest.approx(theirs.pvalue, abs=1e-9)
    assert exchange_p(first, second) == pytest.approx(exchange_p(second, first))


def test_many_seeds_are_drawn_and_not_all_tried() -> None:
    apart = [0.5 + i / 1000 for i in range(12)], [0.7 + i / 1000 for i in range(12)]
    assert exchange_p(*apart) == exchange_p(*apart) < 0.001
    assert exchange_p(apart[0], apart[0]) == 1.0
