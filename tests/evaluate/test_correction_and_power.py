"""Holm's correction and the power of a suite, against statsmodels and exact enumeration."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.multitest import multipletests

from assay.evaluate.paired import POWER, holm, mcnemar, smallest_difference


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
@settings(max_examples=10)  # theirs takes a quarter of a second
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


def test_holm_of_no_test() -> None:
    assert holm([]) == []


@given(st.integers(50, 5000), st.floats(0.05, 0.6))
def test_more_cases_show_smaller_differences(n: int, disagreement: float) -> None:
    few, many = smallest_difference(n, disagreement), smallest_difference(4 * n, disagreement)
    if few is not None:
        assert many is not None
        assert 0 < many < few <= disagreement


@pytest.mark.parametrize(("n", "disagreement"), [(200, 0.2), (400, 0.1), (600, 0.3)])
def test_the_exact_test_finds_the_smallest_difference_about_four_times_in_five(n: int, disagreement: float) -> None:
    """The power of McNemar's exact test, added up over every outcome; the exact test is a little careful."""
    difference = smallest_difference(n, disagreement)
    assert difference is not None
    share = (1 + difference / disagreement) / 2
    power = 0.0
    for discordant in range(n + 1):
        outer = binom.pmf(discordant, n, disagreement)
        if outer > 1e-9:
            firsts = numpy.arange(discordant + 1)
            shown = numpy.array([mcnemar(int(k), discordant - int(k)) < 0.05 for k in firsts])
            power += outer * float(binom.pmf(firsts, discordant, share)[shown].sum())
    assert POWER - 0.06 < power < POWER + 0.01


def test_a_suite_can_be_too_small_to_show_anything() -> None:
    assert smallest_difference(20, 0.05) is None
    assert smallest_difference(100, 0.0) is None
