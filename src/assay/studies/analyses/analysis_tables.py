"""Numbers of an analysis as a grid: a row for each slice, a column for each model, published numbers beside them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from assay.core.case import ORIGINAL
from assay.core.estimate import Estimate
from assay.reports.formatting import interval, percent
from assay.reports.phrases import group_name, short_name
from assay.reports.published.published_results import Data, PublishedFigure, data_of, figures
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn, SheetRow, count, numbers, texts
from assay.studies.analyses.analysis_result import Analysis

PUBLISHED = "published"
"""The column of published numbers."""

WHICH = "which"
"""The name under which a slice says which column it belongs to."""

Show = Callable[[Estimate], SheetCell]


def share_cell(estimate: Estimate) -> SheetCell:
    """A share with its interval."""
    if estimate.value is None:
        return SheetCell("-")
    ends = f" ({interval(estimate)})" if estimate.low is not None else ""
    return SheetCell(f"{percent(estimate.value)}{ends}", estimate.value)


def plain_share(estimate: Estimate) -> SheetCell:
    """A share without its interval, where a table has many."""
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


def select_estimates(analysis: Analysis, name: str, *by: str) -> list[Estimate]:
    """The numbers of one name whose slices have all of these names."""
    return [each for each in analysis.estimates if each.name == name and {*by} <= {*each.slice}]


def with_column(estimate: Estimate, which: str) -> Estimate:
    """The number in a column of this name."""
    return msgspec.structs.replace(estimate, slice={**estimate.slice, WHICH: which})


class Heading(NamedTuple):
    """The head of a table."""

    name: str
    title: str
    note: str


def grid(
    found: Iterable[Estimate],
    by: Sequence[str],
    heading: Heading,
    *,
    across: str = "model",
    show: Show = share_cell,
    after: Mapping[str, Callable[[Estimate], SheetCell]] | None = None,
) -> Sheet:
    """A table with a row for each combination of `by`, and a column for each value of `across`.

    Names of `by` that have one value everywhere are left out. `after` are further columns, made from the first number
    of each row.
    """
    estimates = list(found)
    seen = {name: {each.slice.get(name, "") for each in estimates} for name in by}
    heads = [name for name in by if len(seen[name]) > 1] or [name for name in by if seen[name] != {""}][-1:]
    values = list(dict.fromkeys(each.slice[across] for each in estimates))
    by_row: dict[tuple[str, ...], dict[str, Estimate]] = {}
    for estimate in estimates:
        key = tuple(estimate.slice.get(head, "") for head in heads)
        by_row.setdefault(key, {})[estimate.slice[across]] = estimate
    rows = []
    for key, row in by_row.items():
        names = [SheetCell(_show_value(head, value)) for head, value in zip(heads, key, strict=True)]
        cells = [show(row[value]) if value in row else SheetCell("-") for value in values]
        first = next(iter(row.values()))
        more = [make(first) for make in (after or {}).values()]
        rows.append(SheetRow(first.slice["model"] if "model" in heads else "", (*names, *cells, *more)))
    across_names = [short_name(value) if across == "model" else value for value in values]
    columns = (*texts(*heads), *numbers(*across_names), *(SheetColumn(head, is_number=True) for head in after or {}))
    return Sheet(*heading, columns, tuple(rows))


def _show_value(head: str, value: str) -> str:
    return short_name(value) if head == "model" else group_name(head, value)


def model_names(analysis: Analysis) -> str:
    """The models that were compared, for people."""
    return ", ".join(map(short_name, analysis.settings["models"].split(", ")))


def cases(estimate: Estimate) -> SheetCell:
    """The number of cases behind a number."""
    return count(estimate.n)


def published_column(analysis: Analysis, measures: str, *, as_family: str = "") -> Callable[[Estimate], SheetCell]:
    """A column with the numbers that papers print for the same slice on the same corpus, split and fidelity.

    `as_family` is what the papers' slices call a corpus that is itself a test.
    """
    known = [each for each in figures() if each.measures == measures and each.slice and each.share is not None]

    def cell(estimate: Estimate) -> SheetCell:
        where = {name: value for name, value in estimate.slice.items() if name not in ("model", "suite")}
        data = _find_data(analysis, estimate.slice)
        if as_family and where["family"] == ORIGINAL:
            where["family"] = as_family
        whole = {name: value for name, value in where.items() if name != "label"}  # a subcase has only one label
        same = [each for each in known if each.slice in (where, whole) and each.data == data]
        return SheetCell(_format_span(same), same[0].share if len(same) == 1 else None)

    return cell


def drop_empty_published(sheet: Sheet) -> Sheet:
    """The sheet, without its last column if nothing is published for any row."""
    if any(row.cells[-1].text != "-" for row in sheet.rows):
        return sheet
    rows = tuple(row._replace(cells=row.cells[:-1]) for row in sheet.rows)
    return sheet._replace(columns=sheet.columns[:-1], rows=rows)


def _find_data(analysis: Analysis, where: Mapping[str, str]) -> Data | None:
    asked = analysis.suites.get(where.get("suite", ""))
    return data_of(asked, where["family"]) if asked else None


def _format_span(same: Sequence[PublishedFigure]) -> str:
    shares = [each.share for each in same if each.share is not None]
    if not shares:
        return "-"
    systems = len({each.model for each in same})
    low, high = percent(min(shares)), percent(max(shares))
    return f"{low} ({same[0].model})" if systems == 1 else f"{low}-{high} ({systems} systems)"
