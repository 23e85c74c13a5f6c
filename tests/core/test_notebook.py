"""Suites, runs and comparisons in a notebook, and suites as data frames."""

import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import case

import assay
from assay.core.comparison import Band, Banded, Comparisons
from assay.core.dataframes import FEW, FIELDS, MOST, columns, html_table, text_table
from assay.core.errors import MissingExtraError


class Table(HTMLParser):
    """The rows of a table, and every tag in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.caption = ""
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        self._in = tag
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self._in == "caption":
            self.caption += data
        else:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[assay.Suite, assay.RunRecord, Comparisons]:
    folder = tmp_path_factory.mktemp("made")
    suite = assay.build(["original", "negation"], assay.read("bundled", limit=30), out=folder / "suite")
    models = ["assay:majority", "assay:overlap"]
    record = assay.run(suites=[suite.folder], models=models, out=folder)
    return suite, record, assay.compare(folder / record.id, models=["majority", "overlap"])


def test_a_suite_shows_its_counts(made: tuple[assay.Suite, assay.RunRecord, Comparisons]) -> None:
    suite = made[0]
    table = Table(suite._repr_html_())
    assert f"{len(suite)} cases of 30 pairs of bundled" in table.caption
    assert sum(int(row[-1]) for row in table.rows[1:]) == len(suite)


def test_a_run_shows_its_accuracies(made: tuple[assay.Suite, assay.RunRecord, Comparisons]) -> None:
    record = made[1]
    table = Table(record._repr_html_())
    head, *rows, verdicts = table.rows
    assert head == ["suite", "family", "assay:majority/v1 (baseline)", "assay:overlap/v1 (baseline)", "cases"]
    assert "baseline: shown for comparison" in table.caption
    assert verdicts[2:4] == [each.outcome for each in record.judgement.verdicts]
    models = [name.removesuffix(" (baseline)") for name in head]
    shown = {(row[1], models[place]): row[place] for row in rows for place in (2, 3)}
    found = record.find("accuracy", by=("family", "model"))
    lost = [each.slice for each in record.judgement.losses]
    assert shown == {key: f"{(e.value or 0) * 100:.1f}{'*' if e.slice in lost else ''}" for key, e in found.items()}


def test_a_comparison_shows_its_verdicts(made: tuple[assay.Suite, assay.RunRecord, Comparisons]) -> None:
    table = Table(made[2]._repr_html_())
    assert len(table.rows) == 1 + len(made[2].comparisons[0].slices)
    assert {row[7] for row in table.rows[1:]} == {row.verdict for row in made[2].comparisons[0].slices}


def test_a_prompt_shows_whole_families(made: tuple[assay.Suite, assay.RunRecord, Comparisons]) -> None:
    caption, _, *rows = repr(made[2]).splitlines()
    assert "assay:overlap/v1" in caption
    assert [(row.split()[1], row.split()[-1]) for row in rows] == [("original", "30"), ("negation", "30")]


def test_a_score_and_a_gate_are_small_tables(made: tuple[assay.Suite, assay.RunRecord, Comparisons]) -> None:
    score = assay.score(made[0].folder, assay.FakeModel(assay.Label.NEUTRAL))
    assert [row.split()[1] for row in repr(score).splitlines()[2:]] == ["original", "negation"]
    assert [row[-1] for row in Table(score._repr_html_()).rows[1:]] == ["30", "30"]
    gate = assay.gate(made[1], rules=["negation.accuracy>=0.99"])
    assert "does not pass" in repr(gate).splitlines()[0]
    assert {row[1] for row in Table(gate._repr_html_()).rows[1:]} == {"broken"}


def test_many_rows_are_counted() -> None:
    assert text_table("", ["n"], [[n] for n in range(FEW + 5)]).splitlines()[-1] == "  ... and 5 more"
    assert text_table("nothing", ["n"], []).splitlines() == ["nothing", "  n"]


def test_bands_are_shown_where_nothing_else_is() -> None:
    band = Band(mean=0.5, low=0.4, high=0.6, deviation=0.1, n=3)
    one = Banded(system="x", slice={"suite": "s", "family": "negation"}, band=band)
    table = Table(Comparisons(runs=("a",), comparisons=(), bands=(one,), notes=())._repr_html_())
    assert table.rows[1] == ["x", "s, negation", "50.0", "40.0", "60.0", "3"]


@given(st.text(), st.text())
def test_hostile_text_is_shown_and_not_obeyed(caption: str, cell: str) -> None:
    table = Table(html_table(caption, ["<script>alert(1)</script>"], [[f"<img src=x onerror=1>{cell}"]]))
    assert table.tags == {"table", "caption", "thead", "tr", "th", "tbody", "td"}
    assert table.rows[1][0].startswith("<img src=x onerror=1>")


def test_a_long_table_is_cut_and_that_is_said() -> None:
    table = Table(html_table("", ["n"], [[n] for n in range(MOST + 5)]))
    assert len(table.rows) == MOST + 2
    assert table.rows[-1] == ["... and 5 more"]


def test_frames_hold_every_case(made: tuple[assay.Suite, assay.RunRecord, Comparisons]) -> None:
    suite = made[0]
    cases = list(suite)
    frame = suite.to_pandas()
    assert list(frame.columns[: len(FIELDS)]) == list(FIELDS)
    assert list(frame["id"]) == [case.id for case in cases]
    assert list(frame["label"]) == [case.compared_with.value for case in cases]
    genres = [case.group.get("genre") for case in cases]
    assert [None if each != each else each for each in frame["group.genre"]] == genres
    hub = suite.to_hf()
    assert hub["hypothesis"][:] == [case.hypothesis for case in cases]
    assert hub.column_names == list(frame.columns)


def test_polars_has_the_same(made: tuple[assay.Suite, assay.RunRecord, Comparisons]) -> None:
    pytest.importorskip("polars", reason="polars is not installed")
    suite = made[0]
    frame = suite.to_polars()
    assert frame["premise"].to_list() == [case.premise for case in suite]
    assert frame["group.genre"].to_list() == [case.group.get("genre") for case in suite]


@pytest.mark.parametrize("groups", [[{}, {"a": "1"}, {}], [{"a": "1"}, {"b": "2"}], []])
def test_a_group_that_only_some_cases_have(groups: list[dict[str, str]]) -> None:
    found = columns([case(number, group=group) for number, group in enumerate(groups)])
    assert {len(column) for column in found.values()} == {len(groups)}
    for name in ("a", "b"):
        assert found.get(f"group.{name}", [None] * len(groups)) == [group.get(name) for group in groups]


@pytest.mark.parametrize(
    ("call", "library", "extra"),
    [("to_pandas", "pandas", "pandas"), ("to_polars", "polars", "polars"), ("to_hf", "datasets", "hf")],
)
def test_a_missing_library_is_told_with_the_command(
    made: tuple[assay.Suite, assay.RunRecord, Comparisons],
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    library: str,
    extra: str,
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=rf"pip install '\.\[{extra}\]'"):
        getattr(made[0], call)()
