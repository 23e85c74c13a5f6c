"""Systems of several seeds: their means are in every table and chart, and their range is not called an interval."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pytest
from scipy import stats

import assay
from assay.core.estimate import Estimate, Interval, SeedRange
from assay.core.label_space import TWO_LABELS
from assay.core.run_record import RunRecord
from assay.reports.charts.report_charts import charts
from assay.reports.tables.comparison_tables import comparison_rows
from assay.reports.tables.overview_table import overview
from assay.reports.tables.report_tables import OVERVIEW, PAPERS, sheet_of, sheets
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn, SheetRow, texts
from assay.reports.view import ReportView, view_of
from assay.reports.write.latex import Style, table
from assay.reports.write.output_formats import write_report


class Guesser:
    """Answers by the length of the hypothesis, turned by its seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, pairs: list[tuple[str, str]]) -> list[str]:
        labels = ("entailment", "neutral", "contradiction")
        return [labels[(len(hypothesis) // 5 + self.seed * (len(premise) % 2)) % 3] for premise, hypothesis in pairs]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    """Two systems of two seeds each, and baselines."""
    models: dict[str, Any] = {"base": "assay:majority", "words": "assay:overlap"}
    for name, shift in (("one", 0), ("two", 1)):
        models |= {f"{name}@{seed}": Guesser(seed + shift) for seed in (1, 2)}
    return assay.run(
        assay.read("bundled", limit=60),
        families=["lexical", "swap", "heuristics"],
        per_subcase=1,
        models=models,
        out=tmp_path_factory.mktemp("runs"),
        cache=False,
    )


@pytest.fixture(scope="module")
def view(record: RunRecord) -> ReportView:
    return view_of([record])


ORDER = [
    *("object:one", "object:one@1", "object:one@2", "object:two", "object:two@1", "object:two@2"),
    *("assay:majority/v1", "assay:overlap/v1"),
]


def test_the_papers_tables_have_means_and_baselines_come_last(view: ReportView) -> None:
    found = {sheet.name: sheet for sheet in sheets(view, PAPERS)}
    assert {*found} == {"naik", "glockner", "wang", "mccoy"}
    for sheet in found.values():
        there = [*(row.model for row in sheet.rows), *(column.model for column in sheet.columns)]
        assert list(dict.fromkeys(filter(None, there))) == ORDER, sheet.name
        assert "the mean over its seeds" in sheet.note


def test_the_overview_has_systems_in_the_place_of_seeds_and_baselines_last(record: RunRecord, view: ReportView) -> None:
    systems = [name for name in ORDER if "@" not in name]
    without = view.only(models={*systems})
    for sheet in sheets(without, OVERVIEW):
        assert list(dict.fromkeys(row.model for row in sheet.rows if row.model)) == systems, sheet.name
    models = [row.model for row in overview(view).rows if row.model]
    assert {*models} == {name for name in systems if not name.startswith("assay:majority")}
    assert models[-1] == "assay:overlap/v1"


def test_the_mean_of_swapped_pairs_is_that_of_the_seeds(view: ReportView) -> None:
    found = view.find_with_means("kept", "label")
    for (model, suite, family, label), e in found.items():
        if model in view.systems:
            seeds = [found[f"{model}@{seed}", suite, family, label].value or 0.0 for seed in (1, 2)]
            assert e.value == pytest.approx(sum(seeds) / 2)
            assert e.ends == SeedRange(min(seeds), max(seeds))
    assert {"object:one", "object:two"} <= {row.model for row in sheet_of(view, "swap").rows}


def test_charts_have_means(view: ReportView) -> None:
    for chart in charts(view):
        if chart.name.startswith(("changes", "swap", "heuristics")):
            assert {"object:one", "object:two"} <= {row["model"] for row in chart.spec["data"]["values"]}, chart.name
        if chart.name.startswith(("changes", "heuristics")):
            assert "of a mean over seeds, the lowest and the highest seed" in chart.told


def test_a_range_of_seeds_is_not_called_an_interval(view: ReportView) -> None:
    text = write_report(view, "latex", style=Style(["naik"], intervals=True))["report.tex"].decode()
    assert r"Below: 95\% interval; of a mean over seeds, the lowest and the highest seed." in text
    only = view.only(models={"object:one", "object:two"})
    text = write_report(only, "latex", style=Style(["naik"], intervals=True))["report.tex"].decode()
    assert r"95\% interval" not in text
    assert "Below: of a mean over seeds, the lowest and the highest seed." in text


def test_a_single_seed_beside_the_mean_is_never_bold(view: ReportView) -> None:
    text = write_report(view, "latex")["report.tex"].decode()
    bold = [line.split("&")[0].strip() for line in text.splitlines() if r"\textbf" in line and "@" in line]
    assert not bold
    assert r"\textbf" in text


def test_nothing_is_bold_where_all_are_equal() -> None:
    columns = (*texts("category"), *(SheetColumn(name, True, model=name) for name in ("a", "b")))
    zeros = SheetRow("", (SheetCell("drinks"), SheetCell("0.0", 0.0), SheetCell("0.0", 0.0)))
    assert r"\textbf" not in table(Sheet("glockner", "T", "N.", columns, (zeros,)))


def test_a_caption_names_a_paper_only_over_its_own_columns(view: ReportView) -> None:
    titles = {sheet.name: sheet.title for sheet in sheets(view, PAPERS)}
    assert "Naik" not in titles["naik"]
    assert "McCoy" in titles["mccoy"]
    theirs = view.only(suite="stress")
    own = [e for e in theirs.estimates if e.slice["family"] in ("original", "negation")]
    (naik,) = (sheet for sheet in sheets(replace(theirs, estimates=own), PAPERS) if sheet.name == "naik")
    assert naik.title.endswith("as in Naik et al. (2018)")


def test_an_estimate_says_what_its_ends_are() -> None:
    one = Estimate(name="accuracy", value=0.5, low=0.4, high=0.6, n=9, slice={"model": "esim@1"})
    assert one.ends == Interval(0.4, 0.6)
    assert Estimate(name="accuracy", value=None, n=0).ends is None


def test_a_caption_says_how_its_own_suites_are_judged(tmp_path: Path) -> None:
    record = assay.run(
        assay.read("bundled", limit=30),
        families=["swap", "heuristics"],
        per_subcase=1,
        models={"mine": Guesser(0)},
        out=tmp_path,
    )
    view = replace(view_of([record]), spaces={"heuristics": TWO_LABELS})
    text = write_report(view, "latex")["report.tex"].decode()
    captions = {line for line in text.splitlines() if r"\caption" in line}
    assert [line for line in captions if "Swapped pairs" in line and "Judged by two" not in line]
    assert [line for line in captions if "McCoy" in line and "heuristics: Judged by two labels" in line]


def test_a_mean_over_seeds_says_what_its_interval_is(record: RunRecord, view: ReportView) -> None:
    rows = list(comparison_rows(assay.compare(record)))
    accuracies = record.find("accuracy", by=("model", "suite", "family"))
    assert {row["candidate"] for row in rows} == {"object:one", "object:two"}
    for row in (row for row in rows if "label" not in row):
        place = str(row["suite"]), str(row["family"])
        seeds = [accuracies[f"{row['candidate']}@{seed}", *place].value or 0.0 for seed in (1, 2)]
        low, high = stats.t.interval(0.95, 1, numpy.mean(seeds), stats.sem(seeds)) if len({*seeds}) > 1 else seeds
        assert (row["low"], row["high"]) == (pytest.approx(max(0, low)), pytest.approx(min(1, high)))
        assert row["interval"] == "95% of the mean over other training runs on these cases"
        assert [row["lowest_seed"], row["highest_seed"]] == sorted(seeds)
    lines = list(csv.DictReader(write_report(view, "csv")["report.csv"].decode().splitlines()))
    told = {(line["figure"], line["low_and_high"]) for line in lines if line["low"]}
    assert ("band", "lowest and highest seed") in told
    assert ("accuracy", "95% interval") in told
    assert ("band", "95% interval") not in told
