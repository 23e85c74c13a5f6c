"""A report in each of its formats: the contents of its files, and writing them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast, get_args

import msgspec

from assay.core.comparison import Comparisons
from assay.core.dataframes import csv_line, guard_formula
from assay.core.errors import UserError, check_known, did_you_mean
from assay.core.label_space import TWO_WAY_KEY, merged_names
from assay.core.registry import convert_option, report_formats
from assay.core.run_record import RunRecord
from assay.core.serialise import to_json
from assay.reports.phrases import finding_words
from assay.reports.published.comparable_results import related_tests, same_tests
from assay.reports.tables.comparison_tables import CSV_COLUMNS, comparison_parts, comparison_rows
from assay.reports.tables.report_tables import ARTICLE, every_figure
from assay.reports.tables.sheet import Sheet
from assay.reports.view import ReportView, view_of
from assay.reports.write import latex, markdown, pictures
from assay.reports.write.latex import PLAIN, Style
from assay.run.case_index.saved_slices import slice_accuracies
from assay.run.execute import close_run
from assay.run.stored_run import Run, open_run, run_folder
from assay.storage.files import refuse_existing, write_whole

Format = Literal["html", "md", "latex", "csv", "json", "png", "svg", "card"]


def write_report(view: ReportView, to: Format, *, style: Style = PLAIN) -> dict[str, bytes]:
    """The files of a report, by name; `style` is for LaTeX. A format's packages are imported only for that format."""
    match to:
        case "html":
            from assay.reports.page.html_page import page

            return {"report.html": page(view).encode()}
        case "md":
            return {"report.md": markdown.document(view).encode()}
        case "latex":
            return {"report.tex": latex.document(view, style).encode()}
        case "csv":
            return {"report.csv": as_csv(view)}
        case "json":
            return {"report.json": as_json(view)}
        case "card":
            return pictures.as_card(view)
        case _:
            return pictures.draw_report(view, to)


def as_csv(view: ReportView) -> bytes:
    """One line per number: name, slice, value, interval, cases, reference, two-way model, how it is judged, mark."""
    sheet = every_figure(view)
    lines = [csv_line(guard_formula(column.name) for column in sheet.columns)]
    for row in sheet.rows:
        pairs = zip(sheet.columns, row.cells, strict=True)
        lines.append(csv_line(cell.text if column.is_number else guard_formula(cell.text) for column, cell in pairs))
    return "".join(lines).encode()


def as_json(view: ReportView) -> bytes:
    """The verdicts in words, all judgements, every number, published and related numbers, and the examples."""
    return to_json(
        {
            "runs": [run.id for run in view.runs],
            "verdicts": [
                {
                    "model": verdict.model,
                    **view.said(verdict)._asdict(),
                    "findings": [
                        {**msgspec.to_builtins(each), "words": finding_words(each, view.names)}
                        for each in view.findings(verdict.model)
                    ],
                }
                for verdict in view.judgement.verdicts
            ],
            "references": sorted(view.references),
            TWO_WAY_KEY: sorted(view.two_label_models),
            "judged_two_way": sorted(view.binary_suites),
            "names": merged_names(run.own_names for run in view.runs),
            "judgement": view.judgement,
            "diagnosis": view.diagnosis,
            "estimates": view.estimates,
            "support": view.curves,
            "published": same_tests(view, view.origins),
            "related": related_tests(view, view.origins),
            "examples": view.examples,
        }
    )


def output_formats() -> tuple[str, ...]:
    """The names of all formats, with those of entry points."""
    return (*get_args(Format), *(name.partition("/")[0] for name in report_formats.newest()))


def read_settings(to: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a format, converted to their types."""
    if to in get_args(Format):
        known: dict[str, Any] = {"intervals": bool, "marks": bool} if to == "latex" else {}
    else:
        known = {field.name: field.type for field in msgspec.structs.fields(cast("Any", report_formats.get(to)))}
    given: dict[str, Any] = {}
    for name, value in settings.items():
        if name not in known:
            there = ", ".join(known) or "none"
            raise UserError(f"The format {to} has no setting {name!r}{did_you_mean(name, known)} It has: {there}.")
        given[name] = convert_option(value, known[name], f"The setting {name}")
    return given


def report(
    runs: Run | Sequence[Run],
    *,
    to: Format | str = "html",
    out: str | Path | None = None,
    overwrite: bool = False,
    tables: str | Sequence[str] = (),
    **settings: Any,
) -> Path:
    """Write a report of a stored run, or of several together, and return its path.

    A run is a record, its folder, or a folder of runs, which means the newest. Without `out`, the report is written to
    the run's folder and replaces an older one; a report of several runs is written to the current folder.

    The other keywords are settings of a format. For LaTeX, `tables` names the papers' tables to write, and `intervals`
    and `marks` say what they show. `dataset` names the data set on the Hub for eval-results, and `organization` and
    `relationship` say who evaluated for every-eval-ever.

    >>> import assay; import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = assay.run(assay.read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     path = report(record, to="md")
    ...     path.name, path.read_text().startswith("# Right for the right reasons?")
    ('report.md', True)
    """
    check_known(to, output_formats(), f"No report format {to!r}")
    records = [open_run(each) for each in ([runs] if isinstance(runs, str | Path | RunRecord) else runs)]
    if not records:
        raise UserError("Name a stored run. `assay list runs` shows them.")
    given = read_settings(to, settings)
    if to in get_args(Format):
        names = [tables] if isinstance(tables, str) else list(tables)
        for name in names:
            check_known(name, ARTICLE, f"No table {name!r}")
        files = write_report(_view_with_slices(records), cast("Format", to), style=Style(names, **given))
    else:
        files = report_formats.get(to)(**given)(_view_with_slices(records))
    home = run_folder(records[0]) if len(records) == 1 else Path()
    first, slash, _ = next(iter(files)).partition("/")
    folder = "charts" if to in ("png", "svg") else first if slash else ""
    place = Path(out) if out else home / (folder or first)
    targets = {place / name.removeprefix(f"{folder}/") if folder else place: text for name, text in files.items()}
    for path in targets if out else ():
        refuse_existing(path, overwrite=overwrite)
    for path, content in targets.items():
        write_whole(path, content, over_any=not out)
    if to == "html" and not out and len(records) == 1:
        close_run(home)
    return place


def _view_with_slices(records: Sequence[RunRecord]) -> ReportView:
    return view_of(records, slices={each.id: slice_accuracies(each) for each in records})


def write_page(record: RunRecord) -> None:
    """The page of a run, in its folder."""
    folder = run_folder(record)
    for name, content in write_report(_view_with_slices([record]), "html").items():
        write_whole(folder / name, content)
    close_run(folder)


ComparisonFormat = Literal["html", "latex", "csv"]


def comparison_text(found: Comparisons, runs: Sequence[RunRecord], to: ComparisonFormat) -> str:
    """A comparison as a page, as tables for an article, or as lines of csv with every number."""
    if to == "html":
        from assay.reports.page.html_page import comparison_page

        return comparison_page(found, runs)
    if to == "csv":
        rows = ([row.get(name) for name in CSV_COLUMNS] for row in comparison_rows(found))
        return "".join(
            csv_line(guard_formula(each) if isinstance(each, str) else each for each in row)
            for row in (CSV_COLUMNS, *rows)
        )
    parts = [
        latex.table(part._replace(name=f"{part.name}-{place}")) if isinstance(part, Sheet) else f"% {part}"
        for place, part in enumerate(comparison_parts(found), 1)
        if part
    ]
    return "\n".join([latex.HEAD, *parts, ""])
