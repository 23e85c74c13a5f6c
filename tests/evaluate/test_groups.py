"""Groups of the corpus: found where they make a difference."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.figures import measured

from assay.core.estimate import Estimate
from assay.evaluate.intervals import wilson
from assay.evaluate.losses import MOST_VALUES, find_divided_groups


def few(value: str, hits: int) -> Estimate:
    """The accuracy on four cases of a genre."""
    low, high = wilson(hits / 4, 4)
    return msgspec.structs.replace(measured(value, hits / 4), low=low, high=high, n=4)


@pytest.mark.parametrize(
    "figures",
    [
        [measured("travel", 0.6, wide=0.15), measured("fiction", 0.4, wide=0.15)],
        [measured("travel", 0.52, wide=0.005), measured("fiction", 0.5, wide=0.005)],
        [measured("4.5", 0.9, name="relatedness_score"), measured("1.2", 0.1, name="relatedness_score")],
        [measured(str(i), i / 20) for i in range(1, MOST_VALUES + 2)],
        [few(str(i), hits) for i, hits in enumerate((4, 3, 2, 2, 1, 0))],
        [measured("travel", 0.6)],
        [measured("a", 0.9, name="subcase"), measured("b", 0.1, name="subcase")],
    ],
    ids=[
        "chance explains it",
        "hardly any difference",
        "a score",
        "too many values",
        "four cases each",
        "one value",
        "of a test",
    ],
)
def test_nothing_is_found_without_a_real_difference(figures: list[Estimate]) -> None:
    assert not find_divided_groups(figures)


def test_families_are_in_the_order_of_their_differences() -> None:
    ends = {"original": 0.6, "negation": 0.9, "spelling": 0.7, "swap": 0.8}
    figures = [measured(*each, family=f) for f, high in ends.items() for each in (("travel", high), ("fiction", 0.4))]
    found = find_divided_groups(figures)
    assert [(each.group, each.family) for each in found] == [
        ("genre", "negation"),
        ("genre", "swap"),
        ("genre", "spelling"),
        ("genre", "original"),
    ]
    assert round(found[0].gap, 6) == 0.5


def test_many_values_need_a_clearer_difference() -> None:
    two = [measured("travel", 0.6, wide=0.11), measured("fiction", 0.4, wide=0.11)]
    assert find_divided_groups(two)
    assert not find_divided_groups([*two, *(measured(f"g{i}", 0.5) for i in range(8))])


@given(shares=st.lists(st.floats(0.1, 0.9), min_size=2, max_size=MOST_VALUES), wide=st.floats(0.001, 0.1))
def test_what_is_found_differs_by_more_than_the_intervals(shares: list[float], wide: float) -> None:
    found = find_divided_groups([measured(f"g{i}", share, wide=wide) for i, share in enumerate(shares)])
    gap = max(shares) - min(shares)
    if found:
        assert gap >= max(0.05, 1.4 * wide)
    elif gap >= 0.05:
        assert gap < 4 * wide
