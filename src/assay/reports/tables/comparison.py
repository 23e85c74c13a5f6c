"""Comparisons as tables in the terminal."""

from collections.abc import Callable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from assay.core.comparison import Band, Banded, Compared, Comparison, Comparisons
from assay.core.label import Label
from assay.reports.findings import short_name
from assay.reports.printable import printable
from assay.reports.write.terminal import plain_table

PAIRED = (
    "Accuracy in per cent, differences in points, on the same cases. p: McNemar's exact test with Holm's correction. "
    "shows: the smallest true difference that so many cases show four times in five."
)
SEEDS = "Mean accuracy in per cent, with range and number of seeds. p: seeds exchanged between the systems, corrected."


def comparison_summary(found: Comparisons) -> RenderableType:
    """Each pair of models as a table with verdicts, then the bands, then what to know."""
    parts: list[RenderableType] = []
    for each in found.comparisons:
        parts.append(_line(_title(each), "bold"))
        if each.test == "paired" and not any(row.only_candidate or row.only_baseline for row in each.slices):
            cases = sum(row.n for row in each.slices if "label" not in row.slice)
            parts += [_line(f"Right and wrong on the same cases, all {cases:,} of them."), _line("")]
            continue
        explained = PAIRED if each.test == "paired" else SEEDS
        parts += [plain_table(_rows(each)), *map(_line, _verdicts(each)), _line(explained, "dim"), _line("")]
    if found.bands:
        parts += [_line("Seeds of one system, accuracy in per cent", "bold"), plain_table(_band_rows(found.bands))]
    return Group(*parts, *(_line(f"note: {note}", "yellow") for note in found.notes))


def _title(each: Comparison) -> str:
    one, other = short_name(each.candidate), short_name(each.baseline)
    if each.candidate_run == each.baseline_run:
        return f"{one} against {other} in {each.candidate_run}"
    return f"{one} in {each.candidate_run} against {other} in {each.baseline_run}"


def _rows(each: Comparison) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    suite = None
    for row in sorted(each.slices, key=_order(each.slices)):
        cells = _cells(row, paired=each.test == "paired")
        if row.slice["suite"] != suite:
            suite = row.slice["suite"]
            rows.append({name: suite if name == "" else "" for name in cells})
        rows.append(cells)
    return rows


def _cells(row: Compared, *, paired: bool) -> dict[str, str]:
    cells = {
        "": f"    {row.slice['label']}" if "label" in row.slice else f"  {row.slice['family']}",
        ">candidate": _accuracy(row.candidate, row.candidate_band),
        ">baseline": _accuracy(row.baseline, row.baseline_band),
        ">difference": _points(row.difference),
    }
    if paired:
        cells[">95 %"] = "-" if row.low is None or row.high is None else f"{_points(row.low)} {_points(row.high)}"
    cells[">p"] = _p(row.adjusted)
    if paired:
        cells[">shows"] = "-" if row.smallest is None else f"{row.smallest * 100:.1f}"
        cells[">cases"] = f"{row.n:,}"
    return {**cells, "verdict": row.verdict}


def _order(rows: Sequence[Compared]) -> Callable[[Compared], tuple[int, int, int]]:
    """Suites and families as they came up, labels below their family and in their usual order."""
    suites = list(dict.fromkeys(row.slice["suite"] for row in rows))
    families = list(dict.fromkeys(row.slice["family"] for row in rows))
    labels = ["", *Label]

    def key(row: Compared) -> tuple[int, int, int]:
        where = row.slice
        return suites.index(where["suite"]), families.index(where["family"]), labels.index(where.get("label", ""))

    return key


def _verdicts(each: Comparison) -> list[str]:
    """The verdicts on whole families, in words."""
    lines = []
    for verdict in ("better", "worse", "undecided"):
        there = [row.slice["family"] for row in each.slices if row.verdict == verdict and "label" not in row.slice]
        if there:
            lines.append(f"{verdict.capitalize()}: {', '.join(dict.fromkeys(there))}.")
    return lines


def _band_rows(bands: Sequence[Banded]) -> list[dict[str, str]]:
    return [
        {
            "system": short_name(each.system),
            "suite": each.slice["suite"],
            "family": each.slice["family"],
            "label": each.slice.get("label", "all"),
            ">mean": f"{each.band.mean * 100:.1f}",
            ">range": _range(each.band),
            ">seeds": str(each.band.n),
        }
        for each in bands
    ]


def _accuracy(value: float, band: Band | None) -> str:
    return f"{value * 100:.1f}" + (f" ({_range(band)}, n={band.n})" if band else "")


def _range(band: Band) -> str:
    return f"{band.low * 100:.1f}-{band.high * 100:.1f}"


def _points(share: float) -> str:
    return f"{share * 100:+.1f}"


def _p(value: float) -> str:
    """A p for people.

    >>> _p(0.00001), _p(0.0421)
    ('<0.001', '0.042')
    """
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _line(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style)
