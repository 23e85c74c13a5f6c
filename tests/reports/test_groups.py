"""Groups of the corpus: shown where they make a difference, and small."""

import pytest
from tests.figures import manifest, measured, record_of, share
from tests.fixtures.reports import OBEYED_BY_DOCUMENTS as HOSTILE
from tests.fixtures.reports import with_estimates

from assay.core.estimate import Estimate
from assay.core.run_record import RunRecord
from assay.evaluate.losses import MOST_VALUES
from assay.reports.page.html_page import page
from assay.reports.tables.group_tables import MOST_FAMILIES, MOST_SHOWN, groups
from assay.reports.tables.report_tables import sheet_of
from assay.reports.tables.sheet import Sheet
from assay.reports.view import view_of
from assay.reports.write import latex


def sheet(*estimates: Estimate) -> Sheet:
    return groups(view_of([record_of(estimates, suite=manifest())]))


def test_a_group_is_shown_with_intervals_where_it_divides() -> None:
    found = sheet(measured("travel", 0.6), measured("fiction", 0.4), measured("letters", 0.5))
    assert [column.name for column in found.columns] == ["group", "value", "family", "overlap", "cases"]
    assert [[cell.text for cell in row.cells] for row in found.rows] == [
        ["genre", "fiction", "original", "40.0 (38.0-42.0)", "400"],
        ["genre", "letters", "original", "50.0 (48.0-52.0)", "400"],
        ["genre", "travel", "original", "60.0 (58.0-62.0)", "400"],
    ]


def test_only_the_most_divided_families_are_shown() -> None:
    ends = {"original": 0.6, "negation": 0.9, "spelling": 0.7, "swap": 0.8}
    figures = [measured(*each, family=f) for f, high in ends.items() for each in (("travel", high), ("fiction", 0.4))]
    assert [row.cells[2].text for row in sheet(*figures).rows[::2]] == ["negation", "swap"][:MOST_FAMILIES]


def test_a_group_that_divides_nothing_is_shown_on_the_source_pairs() -> None:
    figures = [
        measured(value, 0.5, family=family) for value in ("travel", "fiction") for family in ("original", "swap")
    ]
    found = sheet(*figures)
    assert [(row.cells[1].text, row.cells[2].text) for row in found.rows] == [
        ("fiction", "original"),
        ("travel", "original"),
    ]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([f"user {n}" for n in range(13)], "not shown: it has 13 values, more than 12"),
        (["0.5", "4.25"], "not shown: its values are scores"),
        (["only"], "not shown: it has one value"),
    ],
)
def test_a_group_that_makes_no_table_says_why(values: list[str], why: str) -> None:
    [row] = sheet(*(measured(value, 0.5) for value in values)).rows
    assert [cell.text for cell in row.cells[:2]] == ["genre", why]
    assert MOST_SHOWN == MOST_VALUES


def test_the_page_folds_it_and_stays_small(run: RunRecord) -> None:
    more = [measured(f"{i} {HOSTILE}", i / 20, name="kind") for i in range(1, MOST_VALUES + 1)]
    runs = (run, with_estimates(run, *run.estimates, *more))
    plain, grouped = (page(view_of([each])) for each in runs)
    assert 'data-sheet="groups"' in grouped
    assert HOSTILE not in grouped
    assert len(grouped) - len(plain) < 8_000


@pytest.mark.parametrize("name", ["glockner", "mccoy", "wang"])
def test_a_papers_table_has_every_suite(name: str) -> None:
    def figures(suite: str, value: float) -> list[Estimate]:
        label = "entailment"
        return [
            share(value, suite=suite, family="lexical", category="colors"),
            share(value, suite=suite, family="heuristics", heuristic="lexical_overlap", label=label),
            *(share(value, name=each, suite=suite, family="swap", label=label) for each in ("kept", "source")),
        ]

    one, two = (view_of([record_of(figures("first", 0.1) + more)]) for more in ([], figures("second", 0.9)))
    found = sheet_of(two, name)
    at = [column.name for column in found.columns].index("suite")
    assert {row.cells[at].text for row in found.rows} == {"first", "second"}
    assert {"10.0", "90.0"} <= {cell.text for row in found.rows for cell in row.cells}
    assert "second" in latex.table(found)
    assert "suite" not in [column.name for column in sheet_of(one, name).columns]


def test_buried_sentences_are_a_grid_of_lengths_and_depths() -> None:
    places = {"1024@0": 0.1, "128@100": 0.2, "128@0": 0.3, "1024@100": 0.4}
    figures = [share(value, family="burial", place=place) for place, value in places.items()]
    found = sheet_of(view_of([record_of(figures, suite=manifest())]), "burial")
    assert [column.name for column in found.columns] == ["model", "tokens", "0%", "100%", "cases"]
    assert [[cell.text for cell in row.cells[1:4]] for row in found.rows] == [
        ["128", "30.0", "20.0"],
        ["1,024", "10.0", "40.0"],
    ]
