"""Comparisons in the terminal."""

from typing import Literal

from tests.fixtures.reports import OBEYED_BY_TERMINALS as HOSTILE
from tests.fixtures.reports import drawn

from assay.compare.comparison_summary import comparison_summary
from assay.core.comparison import Band, Banded, ComparedSlice, Comparison, Comparisons
from assay.reports.charts.comparison_charts import difference_chart
from assay.reports.formatting import FEWEST_SHOWN


def compared(*rows: ComparedSlice, test: Literal["paired", "seeds"] = "paired") -> Comparison:
    return Comparison(
        candidate="assay:new/v1",
        candidate_run="r2",
        baseline="assay:old/v1",
        baseline_run="r1",
        test=test,
        slices=rows,
    )


def row(family: str, label: str = "", **more: object) -> ComparedSlice:
    where = {"suite": "s", "family": family, **({"label": label} if label else {})}
    values = {"n": 9, "candidate": 0.5, "baseline": 0.25, "difference": 0.25, "p": 0.2, "adjusted": 0.4}
    return ComparedSlice(slice=where, verdict="not significant", only_candidate=3, **{**values, **more})  # type: ignore[arg-type]


def shown(*comparisons: Comparison, bands: tuple[Banded, ...] = (), notes: tuple[str, ...] = ()) -> str:
    return drawn(comparison_summary(Comparisons(runs=("r",), comparisons=comparisons, bands=bands, notes=notes)))


def test_labels_stand_below_their_family_in_their_usual_order() -> None:
    said = shown(compared(row("a"), row("b"), row("a", "neutral"), row("a", "entailment")))
    lines = [line.split()[0] for line in said.splitlines() if line.startswith("  ")]
    assert [each for each in lines if each in ("a", "b", "neutral", "entailment")] == [
        "a",
        "entailment",
        "neutral",
        "b",
    ]
    assert "new in r2 against old in r1" in said


def test_bands_and_notes_are_shown() -> None:
    band = Band(mean=0.5, low=0.25, high=0.75, deviation=0.25, n=3)
    seeds = compared(row("a", candidate_band=band, baseline_band=band), test="seeds")
    said = shown(
        seeds, bands=(Banded(system="assay:x", slice={"suite": "s", "family": "f"}, band=band),), notes=("mind",)
    )
    assert "50.0 (25.0-75.0, n=3)" in said
    assert "note: mind" in said
    assert "25.0-75.0" in said.partition("Seeds of one system")[2]


def test_text_from_runs_is_shown_not_obeyed() -> None:
    assert "\x1b" not in shown(compared(row(HOSTILE)), notes=(HOSTILE,))


def test_families_with_few_cases_are_only_in_the_table() -> None:
    small, large = row("roles", n=FEWEST_SHOWN - 1), row("negation", n=FEWEST_SHOWN)
    chart = difference_chart(compared(small, large), "difference")
    assert [each["place"] for each in chart.spec["data"]["values"]] == ["negation"]
    assert "only in the table" in chart.told
    alone = difference_chart(compared(small), "difference", names=("new", "old"))
    assert [each["place"] for each in alone.spec["data"]["values"]] == ["roles"], "not if there are no others"
    assert alone.told.startswith("new minus old")
    assert "only in the table" not in alone.told
