"""Logistic regression beside statsmodels, and what can't be estimated."""

import numpy
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluate.diagnose.error_regression import Trait, fit_logistic, independent_columns, regress_model


def drawn(seed: int, n: int, columns: int) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Columns with an intercept, outcomes that depend on them, and clusters of about three cases."""
    rng = numpy.random.default_rng(seed)
    kinds = [rng.normal(size=n), rng.integers(0, 2, n), rng.gamma(2.0, size=n), rng.poisson(3.0, n) / 10, rng.random(n)]
    x = numpy.column_stack([numpy.ones(n), *kinds[:columns]]).astype(float)
    cluster = numpy.sort(rng.integers(0, n // 3, n))
    shared = rng.normal(size=n)[cluster]
    odds = x @ rng.normal(scale=0.7, size=columns + 1) + shared
    return x, rng.random(n) < 1 / (1 + numpy.exp(-odds)), cluster


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(150, 600), columns=st.integers(1, 5))
def test_coefficients_and_clustered_errors_are_those_of_statsmodels(seed: int, n: int, columns: int) -> None:
    x, wrong, cluster = drawn(seed, n, columns)
    found = fit_logistic(x, wrong, cluster)
    if not 10 < wrong.sum() < n - 10:
        return
    assert found is not None
    model = sm.Logit(wrong.astype(float), x)
    expected = model.fit(disp=0, method="newton", tol=1e-12, cov_type="cluster", cov_kwds={"groups": cluster})
    assert numpy.abs(found.values - expected.params).max() < 1e-6
    assert numpy.abs(found.errors - expected.bse).max() < 1e-6


def traits(x: numpy.ndarray) -> list[Trait]:
    return [Trait(f"x{number}", "one", column) for number, column in enumerate(x.T[1:], 1)]


def test_a_regression_reports_the_same() -> None:
    x, wrong, cluster = drawn(1, 500, 4)
    found = regress_model(traits(x), wrong, cluster)
    model = sm.Logit(wrong.astype(float), x)
    expected = model.fit(disp=0, tol=1e-12, cov_type="cluster", cov_kwds={"groups": cluster})
    assert [each.name for each in found.coefficients] == ["intercept", "x1", "x2", "x3", "x4"]
    low, high = expected.conf_int().T
    for place, each in enumerate(found.coefficients):
        assert each.value == pytest.approx(expected.params[place], abs=1e-6)
        assert each.error == pytest.approx(expected.bse[place], abs=1e-6)
        assert each.low == pytest.approx(low[place], abs=1e-6)
        assert each.high == pytest.approx(high[place], abs=1e-6)
    assert (found.n, found.wrong, found.clusters) == (500, wrong.sum(), len({*cluster}))


def test_what_adds_up_is_left_out_and_the_rest_stays_as_it_was() -> None:
    x, wrong, cluster = drawn(2, 400, 3)
    total = numpy.column_stack([x, x[:, 1] - 2 * x[:, 3], numpy.full(400, 7.0)])
    found = regress_model(traits(total), wrong, cluster)
    alone = regress_model(traits(x), wrong, cluster)
    assert [each.value for each in found.coefficients[:4]] == pytest.approx([e.value for e in alone.coefficients])
    assert [each.why_not for each in found.coefficients[4:]] == [
        "it follows from the properties before it",
        "it is the same in all cases",
    ]


@pytest.mark.parametrize("outcome", [True, False])
@pytest.mark.parametrize("value", [1.0, 0.0])
def test_a_property_that_decides_the_outcome_has_no_coefficient(outcome: bool, value: float) -> None:
    x, wrong, cluster = drawn(3, 600, 3)
    wrong[x[:, 2] == value] = outcome
    found = regress_model(traits(x), wrong, cluster)
    assert found.coefficients[2].value is None
    which, result = "with" if value else "without", "wrong" if outcome else "right"
    assert found.coefficients[2].why_not == f"all {(x[:, 2] == value).sum()} cases {which} it are {result}"
    left = x[:, 2] != value
    expected = sm.Logit(wrong[left].astype(float), x[left][:, [0, 1, 3]]).fit(disp=0, tol=1e-12)
    values = [each.value for place, each in enumerate(found.coefficients) if place != 2]
    assert values == pytest.approx(expected.params, abs=1e-6)


def test_a_number_that_decides_the_outcome_is_said_to() -> None:
    x, _, cluster = drawn(4, 300, 1)
    found = regress_model(traits(x), x[:, 1] > 0.1, cluster)
    assert (found.coefficients, found.why_not) == ((), "the properties separate errors from the rest")


@pytest.mark.parametrize(("wrong", "few"), [(9, "errors"), (291, "right answers")])
def test_too_few_errors_are_not_regressed(wrong: int, few: str) -> None:
    x, _, cluster = drawn(5, 300, 1)
    found = regress_model(traits(x), numpy.arange(300) < wrong, cluster)
    assert found.why_not == f"fewer than 10 {few}"


def test_columns_are_kept_from_left_to_right() -> None:
    rng = numpy.random.default_rng(6)
    one, other = rng.normal(size=(2, 50))
    assert independent_columns(numpy.column_stack([one, other, one + other, one * 1e9, rng.random(50)])) == [0, 1, 4]
