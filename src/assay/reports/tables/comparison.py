"""Comparisons of models as tables."""

from collections.abc import Callable, Collection, Sequence
from typing import get_args

from assay.core.case import family_rank
from assay.core.label import Label, LabelNames
from assay.core.notebook import REFERENCE
from assay.core.results.comparison import Band, Banded, Compared, Comparison, Comparisons, Outcome
from assay.evaluate.trainings import FEWEST
from assay.reports.numbers import ends, p_value, percent, points
from assay.reports.tables.sheet import Cell, Part, Row, Sheet, count, numbers, texts
from assay.reports.words import KNOWN, PLAIN, short_name, two_way_words

PAIRED = (
    "Accuracy in per cent, differences in points, on the same cases. p: McNemar's exact test with Holm's correction. "
    "shows: the smallest true difference that this number of cases would detect four times out of five, before the "
    "correction."
)
SEEDS = (
    "Mean accuracy in per cent, with range and number of seeds. Interval and p: other trainings and other cases, with "
    "Holm's correction."
)

IDENTICAL = "no case differs"
"""The verdict where both models are right and wrong on the same cases."""


def comparison_parts(found: Comparisons) -> list[Part]:
    """Each pair of models as a table with its outcome, then the bands."""
    names = LabelNames(found.names)
    parts: list[Part] = []
    for each in found.comparisons:
        if _is_same(each):
            parts += [title_of(each, found.references), *outcome_words(each), ""]
        else:
            parts += [comparison_sheet(each, names, references=found.references), *outcome_words(each), ""]
    judged = [two_way_words(names, found.two_way)] if found.two_way else []
    return [*judged, *parts, *([band_sheet(found.bands, names)] if found.bands else [])]


def comparison_sheet(each: Comparison, names: LabelNames = PLAIN, *, references: Collection[str] = ()) -> Sheet:
    """Two models by family, with the labels below each family; references are marked."""
    paired = each.test == "paired"
    rows: list[Row] = []
    suite = None
    for row in sorted(each.slices, key=_order(each.slices)):
        cells = _cells(row, names, paired=paired)
        if row.slice["suite"] != suite:
            suite = row.slice["suite"]
            rows.append(Row("", (Cell(suite), *(Cell("") for _ in cells[1:]))))
        rows.append(Row("", cells))
    size = numbers("shows", "cases") if paired else ()
    figures = (*numbers("candidate", "baseline", "difference", "95 %", "p"), *size)
    marked = f" {REFERENCE.capitalize()}: {KNOWN}" if {each.candidate, each.baseline} & set(references) else ""
    note = (PAIRED if paired else SEEDS) + marked
    return Sheet("comparison", title_of(each, references), note, (*texts(""), *figures, *texts("verdict")), tuple(rows))


def band_sheet(bands: Sequence[Banded], names: LabelNames = PLAIN) -> Sheet:
    """The seeds of each system."""
    rows = []
    for each in bands:
        where = (each.slice["suite"], each.slice["family"], names(each.slice.get("label", "all")))
        figures = (Cell(percent(each.band.mean), each.band.mean), Cell(_range(each.band)), count(each.band.n))
        rows.append(Row("", (Cell(short_name(each.system)), *map(Cell, where), *figures)))
    columns = (*texts("system", "suite", "family", "label"), *numbers("mean", "range", "seeds"))
    return Sheet("bands", "Seeds of one system, accuracy in per cent", "", columns, tuple(rows))


def title_of(each: Comparison, references: Collection[str] = ()) -> str:
    """Who is compared with whom; references are marked."""
    one, other = (
        f"{short_name(name)} ({REFERENCE})" if name in references else short_name(name)
        for name in (each.candidate, each.baseline)
    )
    if each.candidate_run == each.baseline_run:
        return f"{one} against {other} in {each.candidate_run}"
    return f"{one} in {each.candidate_run} against {other} in {each.baseline_run}"


def _cells(row: Compared, names: LabelNames, *, paired: bool) -> tuple[Cell, ...]:
    name = f"    {names(row.slice['label'])}" if "label" in row.slice else f"  {row.slice['family']}"
    is_same = paired and _is_identical(row)
    cells = [
        Cell(name),
        Cell(_accuracy(row.candidate, row.candidate_band), row.candidate),
        Cell(_accuracy(row.baseline, row.baseline_band), row.baseline),
        Cell(points(row.difference), row.difference),
        Cell("-" if row.low is None or row.high is None or is_same else f"{points(row.low)} {points(row.high)}"),
        Cell(p_value(row.adjusted), row.adjusted),
    ]
    if paired:
        cells += [Cell(percent(row.smallest), row.smallest), count(row.n)]
    verdict = IDENTICAL if is_same else row.verdict
    return (*cells, Cell(verdict, marked=row.verdict == "worse"))


def _is_identical(row: Compared) -> bool:
    """Whether both models are right and wrong on the same cases, so that there is no difference to estimate."""
    return not row.only_candidate and not row.only_baseline


def _order(rows: Sequence[Compared]) -> Callable[[Compared], tuple[int, int, int]]:
    """Suites in order of appearance, families in their usual order, labels below their family in the usual order."""
    suites = list(dict.fromkeys(row.slice["suite"] for row in rows))
    families = sorted(dict.fromkeys(row.slice["family"] for row in rows), key=family_rank)
    labels = ["", *Label]

    def key(row: Compared) -> tuple[int, int, int]:
        where = row.slice
        return suites.index(where["suite"]), families.index(where["family"]), labels.index(where.get("label", ""))

    return key


def outcome_words(each: Comparison) -> list[str]:
    """The outcome for whole families, in words."""
    if _is_same(each):
        cases = sum(row.n for row in each.slices if "label" not in row.slice)
        return [f"No difference: right and wrong on the same cases, in all {cases:,}."]
    lines = []
    for outcome in get_args(Outcome):
        there = [row.slice["family"] for row in each.slices if row.verdict == outcome and "label" not in row.slice]
        if there:
            lines.append(f"{outcome.capitalize()}: {', '.join(sorted(dict.fromkeys(there), key=family_rank))}.")
    if few := _few_trainings(each):
        lines.append(few)
    return lines


def _few_trainings(each: Comparison) -> str:
    """Why the number of seeds allows no verdict; empty if it does."""
    bands = [(row.candidate_band, row.baseline_band) for row in each.slices]
    for ours, theirs in bands:
        if ours and theirs and min(ours.n, theirs.n) < FEWEST:
            return (
                f"{ours.n} against {theirs.n} trainings can't show a difference, however large: "
                f"a verdict needs {FEWEST} of each."
            )
    return ""


def _is_same(each: Comparison) -> bool:
    """Whether both models are right and wrong on the same cases."""
    return each.test == "paired" and all(map(_is_identical, each.slices))


def _accuracy(value: float, band: Band | None) -> str:
    return percent(value) + (f" ({_range(band)}, n={band.n})" if band else "")


def _range(band: Band) -> str:
    return ends(band.low, band.high)
