"""Numbers of an analysis as a grid: a row for each slice, a column for each model, and published numbers."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from assay.core.case import ORIGINAL
from assay.core.estimate import Estimate
from assay.reports.formatting import interval, percent
from assay.reports.phrases import group_name, short_name
from assay.reports.published.published_results import data_of, figures
from assay.reports.tables.sheet import Sheet, SheetCell, SheetRow, count, numbers, texts
from assay.studies.analyses.analysis_result import Analysis

PUBLISHED = "published"

METRIC = "name of the number"  # stands for the key of a slice if a table has a column for each name of a number

Show = Callable[[Estimate], SheetCell]


def share_cell(estimate: Estimate) -> SheetCell:
    if estimate.value is None:
        return SheetCell("-")
    ends = f" ({interval(estimate)})" if estimate.low is not None else ""
    return SheetCell(f"{percent(estimate.value)}{ends}", estimate.value)


def plain_share(estimate: Estimate) -> SheetCell:
    """A share without its interval, for tables with many shares."""
    return SheetCell(percent(estimate.value), estimate.value)


def number_cell(estimate: Estimate) -> SheetCell:
    """A number that is not a share, such as a count."""
    value = estimate.value
    if value is None:
        return SheetCell("-")
    return SheetCell(f"{value:,.0f}" if value == int(value) else f"{value:,.1f}", value)


def decimal_cell(estimate: Estimate) -> SheetCell:
    """A number with three decimals and its interval, such as a correlation."""
    if estimate.value is None:
        return SheetCell("-")
    ends = "" if estimate.low is None else f" ({estimate.low:.3f} to {estimate.high:.3f})"
    return SheetCell(f"{estimate.value:.3f}{ends}", estimate.value)


class AnalysisTable(NamedTuple):
    name: str
    title: str
    note: str
    by: tuple[str, ...]  # keys of slices, one for each column at the left; a key with one value everywhere is left out
    across: str = "model"  # the key of slices that has a column for each of its values, or `METRIC`
    show: Show = share_cell
    n: str = ""  # name of a column with the number of cases; empty for none
    after: Mapping[str, Show] = {}  # further columns, made from the first number of each row

    def sheet(self, found: Iterable[Estimate]) -> Sheet:
        estimates = list(found)
        seen = {key: {each.slice.get(key, "") for each in estimates} for key in self.by}
        heads = [key for key in self.by if len(seen[key]) > 1] or [key for key in self.by if seen[key] != {""}][-1:]
        columns = list(dict.fromkeys(map(self._column, estimates)))
        by_row: dict[tuple[str, ...], dict[str, Estimate]] = {}
        for estimate in estimates:
            row_key = tuple(estimate.slice.get(head, "") for head in heads)
            by_row.setdefault(row_key, {})[self._column(estimate)] = estimate
        after = {**({self.n: lambda each: count(each.n)} if self.n else {}), **self.after}
        rows = []
        for row_key, row in by_row.items():
            names = [
                SheetCell(short_name(value) if head == "model" else group_name(head, value))
                for head, value in zip(heads, row_key, strict=True)
            ]
            cells = [self.show(row[column]) if column in row else SheetCell("-") for column in columns]
            first = next(iter(row.values()))
            more = [make(first) for make in after.values()]
            rows.append(SheetRow(first.slice["model"] if "model" in heads else "", (*names, *cells, *more)))
        shown = [short_name(column) if self.across == "model" else column for column in columns]
        return Sheet(self.name, self.title, self.note, (*texts(*heads), *numbers(*shown, *after)), tuple(rows))

    def _column(self, estimate: Estimate) -> str:
        return estimate.name if self.across == METRIC else estimate.slice[self.across]

    def beside_published(
        self, analysis: Analysis, found: Iterable[Estimate], measures: str, *, as_family: str = ""
    ) -> Sheet:
        """The table with a last column of published numbers; without it if nothing is published for any row."""
        column = _published_column(analysis, measures, as_family)
        sheet = self._replace(after={**self.after, PUBLISHED: column}).sheet(found)
        if any(row.cells[-1].text != "-" for row in sheet.rows):
            return sheet
        rows = tuple(row._replace(cells=row.cells[:-1]) for row in sheet.rows)
        return sheet._replace(columns=sheet.columns[:-1], rows=rows)


def model_names(analysis: Analysis) -> str:
    """The models that were compared, for people."""
    return ", ".join(map(short_name, analysis.settings["models"].split(", ")))


def _published_column(analysis: Analysis, measures: str, as_family: str) -> Show:
    """A column with the numbers that papers print for the same slice on the same corpus, split and fidelity.

    `as_family` is what the papers' slices call a corpus that is itself a test.
    """
    known = [each for each in figures() if each.measures == measures and each.slice and each.share is not None]

    def cell(estimate: Estimate) -> SheetCell:
        where = {name: value for name, value in estimate.slice.items() if name not in ("model", "suite")}
        source = analysis.suites.get(estimate.slice.get("suite", ""))
        data = data_of(source, where["family"]) if source else None
        if as_family and where["family"] == ORIGINAL:
            where["family"] = as_family
        whole = {name: value for name, value in where.items() if name != "label"}  # a subcase has only one label
        same = [each for each in known if each.slice in (where, whole) and each.data == data]
        shares = [each.share for each in same if each.share is not None]
        if not shares:
            return SheetCell("-")
        systems = len({each.model for each in same})
        low, high = percent(min(shares)), percent(max(shares))
        text = f"{low} ({same[0].model})" if systems == 1 else f"{low}-{high} ({systems} systems)"
        return SheetCell(text, shares[0] if len(shares) == 1 else None)

    return cell
