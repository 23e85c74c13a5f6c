"""Groups of the corpus: shown where they make a difference, and small."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports.test_formats import HOSTILE

from assay.core.estimate import Estimate
from assay.reports.tables.groups import MOST_FAMILIES, MOST_VALUES, groups
from assay.reports.view import View
from assay.reports.write.page.document import page


def measured(
    value: str, share: float, *, name: str = "genre", family: str = "original", wide: float = 0.02
) -> Estimate:
    where = {"model": "assay:overlap/v1", "suite": "stress", "family": family, name: value}
    return Estimate(name="accuracy", value=share, low=share - wide, high=share + wide, n=400, slice=where)


def of(view: View, *estimates: Estimate) -> View:
    return view._replace(estimates=list(estimates))


def test_a_group_is_shown_with_intervals_where_it_divides(view: View) -> None:
    sheet = groups(of(view, measured("travel", 0.6), measured("fiction", 0.4), measured("letters", 0.5)))
    assert sheet.columns == ("group", "value", "family", ">overlap", ">cases")
    assert [[cell.text for cell in row.cells] for row in sheet.rows] == [
        ["genre", "fiction", "original", "40.0 (38.0-42.0)", "400"],
        ["genre", "letters", "original", "50.0 (48.0-52.0)", "400"],
        ["genre", "travel", "original", "60.0 (58.0-62.0)", "400"],
    ]


@pytest.mark.parametrize(
    "figures",
    [
        [measured("travel", 0.6, wide=0.15), measured("fiction", 0.4, wide=0.15)],
        [measured("travel", 0.52, wide=0.005), measured("fiction", 0.5, wide=0.005)],
        [measured("4.5", 0.9, name="relatedness_score"), measured("1.2", 0.1, name="relatedness_score")],
        [measured(str(i), i / 20) for i in range(1, MOST_VALUES + 2)],
        [measured("travel", 0.6)],
        [measured("a", 0.9, name="subcase"), measured("b", 0.1, name="subcase")],
    ],
    ids=["chance explains it", "hardly any difference", "a score", "too many values", "one value", "has its own table"],
)
def test_nothing_is_shown_without_a_real_difference(view: View, figures: list[Estimate]) -> None:
    assert not groups(of(view, *figures)).rows


def test_only_the_most_divided_families_are_shown(view: View) -> None:
    ends = {"original": 0.6, "negation": 0.9, "spelling": 0.7, "swap": 0.8}
    figures = [measured(*each, family=f) for f, high in ends.items() for each in (("travel", high), ("fiction", 0.4))]
    assert [row.cells[2].text for row in groups(of(view, *figures)).rows[::2]] == ["negation", "swap"][:MOST_FAMILIES]


def test_many_values_need_a_clearer_difference(view: View) -> None:
    two = [measured("travel", 0.6, wide=0.11), measured("fiction", 0.4, wide=0.11)]
    assert groups(of(view, *two)).rows
    assert not groups(of(view, *two, *(measured(f"g{i}", 0.5) for i in range(8)))).rows


@given(shares=st.lists(st.floats(0.1, 0.9), min_size=2, max_size=MOST_VALUES), wide=st.floats(0.001, 0.1))
def test_what_is_shown_differs_by_more_than_the_intervals(view: View, shares: list[float], wide: float) -> None:
    sheet = groups(of(view, *(measured(f"g{i}", share, wide=wide) for i, share in enumerate(shares))))
    gap = max(shares) - min(shares)
    if sheet.rows:
        assert gap >= max(0.05, 1.4 * wide)
    elif gap >= 0.05:
        assert gap < 4 * wide


def test_the_page_folds_it_and_stays_small(view: View) -> None:
    more = [measured(f"{i} {HOSTILE}", i / 20, name="kind") for i in range(1, MOST_VALUES + 1)]
    plain, grouped = (page(view._replace(estimates=each)) for each in (view.estimates, [*view.estimates, *more]))
    assert 'data-sheet="groups"' in grouped
    assert HOSTILE not in grouped
    assert len(grouped) - len(plain) < 8_000
