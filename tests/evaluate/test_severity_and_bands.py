"""Areas under curves of severity, and bands over seeds."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluate.resampled_metrics import curve_areas
from assay.evaluate.seeds import band, split_seed

Shares = st.floats(0, 1)


@given(st.lists(st.tuples(st.integers(0, 50), Shares), min_size=2, max_size=12, unique_by=lambda point: point[0]))
def test_the_area_is_numpys(points: list[tuple[int, float]]) -> None:
    xs, ys = zip(*sorted(points), strict=True)
    height = float(curve_areas(xs, ys))
    assert height == pytest.approx(numpy.trapezoid(ys, xs) / (xs[-1] - xs[0]))
    assert min(ys) - 1e-9 <= height <= max(ys) + 1e-9


@given(st.lists(Shares, min_size=1, max_size=20))
def test_a_band_holds_its_mean(values: list[float]) -> None:
    found = band(values)
    assert found.low == min(values) <= found.mean <= max(values) == found.high
    assert found.n == len(values)
    expected = numpy.std(values, ddof=1) if len(values) > 1 else None
    assert found.deviation == (None if expected is None else pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize(
    ("model", "name", "seed"),
    [
        ("assay:x@1", "assay:x", "1"),
        ("assay:x/v1@seed2", "assay:x/v1", "seed2"),
        ("assay:x", "assay:x", None),
        ("hf:name@main", "hf:name@main", None),
        ("openai:m@localhost:8080", "openai:m@localhost:8080", None),
        ("openai:m@http://localhost:1/v1", "openai:m@http://localhost:1/v1", None),
    ],
)
def test_a_seed_stands_after_the_name(model: str, name: str, seed: str | None) -> None:
    assert split_seed(model) == (name, seed)
