"""A report as Markdown, LaTeX, CSV, JSON and pictures."""

import csv
import io
import json
import shutil
import struct
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import altair
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.fixtures.reports import OBEYED_BY_DOCUMENTS as HOSTILE
from tests.fixtures.reports import with_estimates
from tests.reports.test_page import renamed

from assay.core.estimate import Estimate
from assay.core.judgement import Loss
from assay.core.run_record import RunRecord
from assay.reports.charts.heatmap import Grid, Heat, HeatmapRow, grids
from assay.reports.charts.report_charts import charts
from assay.reports.tables.report_tables import OVERVIEW, PAPERS, sheets
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn, SheetRow, numbers, texts
from assay.reports.view import ReportView, view_of
from assay.reports.write.latex import Style, escape_tex, table
from assay.reports.write.markdown import table as markdown_table
from assay.reports.write.output_formats import write_report
from assay.reports.write.pictures import card_svg, draw_heatmap


def test_every_chart_is_vega_lite(view: ReportView) -> None:
    found = charts(view)
    assert len({chart.name for chart in found}) == len(found)
    for chart in found:
        altair.Chart.from_dict(chart.spec, validate=True)


def test_csv_has_every_figure_as_it_is(view: ReportView) -> None:
    rows = list(csv.DictReader(io.StringIO(write_report(view, "csv")["report.csv"].decode())))
    assert len(rows) == len(view.estimates)
    for row, e in zip(rows, view.estimates, strict=True):
        assert row["figure"] == e.name
        assert {name: row[name] for name in e.slice} == e.slice
        assert (float(row["value"]) if row["value"] else None) == e.value
        assert (float(row["low"]) if row["low"] else None) == e.low
        assert int(row["n"]) == e.n


def test_csv_quotes_every_line_break(view: ReportView) -> None:
    first = view.estimates[0]
    odd = msgspec.structs.replace(first, slice={**first.slice, "label": "a\rb", "family": "=1", "=g": "\nc"})
    text = write_report(replace(view, estimates=[odd]), "csv")["report.csv"].decode()
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert (row["label"], row["family"], row["'=g"]) == ("a\rb", "'=1", "'\nc")


def test_json_has_verdicts_figures_and_examples(view: ReportView) -> None:
    found = json.loads(write_report(view, "json")["report.json"])
    assert len(found["estimates"]) == len(view.estimates)
    assert len(found["verdicts"]) == len(view.models)
    assert len(found["examples"]) == len(view.examples)


def test_markdown_has_every_table(view: ReportView) -> None:
    text = write_report(view, "md")["report.md"].decode()
    for sheet in (*sheets(view), *sheets(view, OVERVIEW), *sheets(view, PAPERS)):
        assert f"## {sheet.title}\n" in text
        assert markdown_table(sheet) in text


def markup(text: str) -> list[str]:
    """All that a reader of Markdown takes for markup."""
    blocks = MarkdownIt("commonmark").enable("table").parse(text)
    return [each.type for block in blocks for each in (block, *(block.children or ())) if "text" not in each.type]


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("a|b")
@example("*a* <b> [c](d) `e`")
def test_a_markdown_table_keeps_its_shape(text: str) -> None:
    def shown(text: str) -> str:
        return markdown_table(
            Sheet("s", "S", "", (*texts(text), *numbers(text)), (SheetRow("", (SheetCell(text), SheetCell("1"))),))
        )

    assert len(shown(text).split("\n")) == 3
    assert markup(shown(text)) == markup(shown("x"))


def test_no_name_is_markup_in_markdown(run: RunRecord) -> None:
    name = "- # a|b\n\n* *c* _d_ <img src=x onerror=alert(1)> [e](https://f.g) ![h](i) `j` &amp; ~~~ \\"

    def document(name: str) -> str:
        def odd(e: Estimate) -> Estimate:
            changed = {each: f"{name}{e.slice[each]}" for each in ("model", "suite", "family")}
            return msgspec.structs.replace(e, slice={**e.slice, **changed})

        suites = {
            f"{name}{suite}": msgspec.structs.replace(
                manifest, counts={f"{name}{family}": labels for family, labels in manifest.counts.items()}
            )
            for suite, manifest in run.suites.items()
        }
        models = tuple(
            msgspec.structs.replace(
                m, model=f"{name}{m.model}", files={f"{name}{suite}": file for suite, file in m.files.items()}
            )
            for m in run.models
        )
        other = msgspec.structs.replace(run, suites=suites, models=models, examples=(), cards={}, about={})
        return write_report(view_of([with_estimates(other, *map(odd, run.estimates))]), "md")["report.md"].decode()

    assert "table_open" in markup(document("x"))
    assert markup(document(name)) == markup(document("x"))


def test_the_papers_tables_have_the_records_figures(view: ReportView) -> None:
    found = {sheet.name: sheet for sheet in sheets(view, PAPERS)}
    assert set(found) == {"naik", "glockner", "wang", "mccoy"}
    columns = [column.name for column in found["naik"].columns]
    for (model, _, family), e in view.find("accuracy").items():
        (row,) = (row for row in found["naik"].rows if row.model == model)
        assert row.cells[columns.index(family)].value == e.value
    assert found["mccoy"].columns[1].name == "entailment: lexical overlap"
    assert [cell.text for cell in found["wang"].rows[0].cells[:2]] == ["majority (baseline)", "entailment"]


def test_hostile_text_is_set_and_never_obeyed() -> None:
    text = escape_tex(HOSTILE)
    assert "\\input{" not in text
    assert text.isascii()


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no TeX here (apt-get install texlive-latex-recommended)")
@pytest.mark.parametrize("style", [Style(), Style(intervals=True, marks=False)], ids=["plain", "intervals"])
def test_the_tables_compile_and_fit_into_two_columns(view: ReportView, tmp_path: Path, style: Style) -> None:
    (tmp_path / "report.tex").write_bytes(write_report(view, "latex", style=style)["report.tex"])
    row = SheetRow("", (SheetCell(HOSTILE), SheetCell("-1.5")))
    (tmp_path / "hostile.tex").write_text(
        table(Sheet("h", HOSTILE, HOSTILE, (*texts(HOSTILE), *numbers(HOSTILE)), (row,)))
    )
    (tmp_path / "article.tex").write_text(
        "\\documentclass[twocolumn]{article}\\usepackage{booktabs}\n"
        "\\usepackage[a4paper,textwidth=455pt,columnsep=17pt]{geometry}\n"  # as wide as the ACL's style
        "\\begin{document}\\input{report}\\typeout{ours end here}\\input{hostile}\\end{document}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "article.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "article.pdf").stat().st_size > 1000
    assert "Overfull" not in done.stdout.partition("ours end here")[0]


def many_models(count: int) -> Sheet:
    columns = (*texts("category"), *(SheetColumn(f"a-long-model-name-{n}", True, model=f"m{n}") for n in range(count)))
    return Sheet(
        "glockner",
        "T",
        "N.",
        columns,
        (SheetRow("", (SheetCell("colours"), *(SheetCell(f"{n}.0", n) for n in range(count)))),),
    )


def test_a_table_too_wide_for_a_page_comes_in_parts() -> None:
    narrow, wide = table(many_models(2)), table(many_models(24))
    assert narrow.count(r"\begin{table}") == 1
    assert wide.count(r"\begin{table*}") > 1
    assert r"\label{tab:assay-glockner-2}" in wide
    for n in range(24):
        assert wide.count(f" {n}.0 ") + wide.count(f"{{{n}.0}}") == 1


def test_a_table_too_tall_for_a_page_comes_in_parts_that_begin_with_a_family() -> None:
    names = [f"  family-{n}" if n % 4 == 0 else "    neutral" for n in range(120)]
    rows = tuple(SheetRow("", (SheetCell(name), SheetCell(f"{n}.0", n))) for n, name in enumerate(names))
    parts = table(Sheet("comparison", "T", "N.", (*texts(""), *numbers("p")), rows)).split(r"\midrule")[1:]
    assert len(parts) == 3
    assert all(part.lstrip().startswith(r"\quad family-") for part in parts)
    assert sum(part.count(r"\quad \quad neutral") for part in parts) == 90


def test_the_best_model_is_bold_but_never_a_reference() -> None:
    text = table(many_models(3), plain=frozenset({"m2"}))
    assert r"\textbf{1.0}" in text
    assert r"\textbf{2.0}" not in text


def test_latex_has_the_tables_and_marks_that_were_asked_for(view: ReportView) -> None:
    lost = next(e.slice for e in view.estimates if e.name == "consistency" and len(e.slice) == 3)
    judgement = msgspec.structs.replace(view.judgement, losses=(Loss(slice=lost, drop=0.2, p=0.001),))
    view = replace(view, judgement=judgement)

    def tables(style: Style) -> str:
        return write_report(view, "latex", style=style)["report.tex"].decode()

    one = tables(Style(["mccoy"]))
    assert one.count(r"\label{") == 1
    assert r"\multicolumn{3}{c}{entailment}" in one
    assert "*" in tables(Style(["naik"])).partition(r"\midrule")[2].replace("table*", "")
    assert "*" not in tables(Style(["naik"], marks=False)).partition(r"\midrule")[2].replace("table*", "")
    assert r"\tiny" in tables(Style(intervals=True))


def test_pictures_are_drawn_of_every_chart(run: RunRecord) -> None:
    labels = run.find("accuracy", ["model", "suite", "family", "label"]).values()
    few = view_of([with_estimates(run, *run.find("accuracy").values(), *labels, *run.find("drop").values())])
    drawn = write_report(few, "svg")
    assert set(drawn) == {
        f"{name}.svg" for name in [*(each.name for each in charts(few)), *(each.name for each in grids(few))]
    }
    assert all(picture.startswith(b"<svg") for picture in drawn.values())
    assert b"currentColor" not in drawn["heatmap.svg"]
    assert write_report(few, "png")["heatmap.png"].startswith(b"\x89PNG")


def test_a_card_has_the_size_that_links_are_shown_with(view: ReportView) -> None:
    picture = write_report(view, "card")["card.png"]
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    shown = card_svg(view)
    assert "overlap" in shown
    assert ElementTree.fromstring(shown).tag.endswith("svg")


def test_a_cell_with_few_cases_is_hatched_and_has_no_colour() -> None:
    cells = [Heat({"model": "x"}, 0.5, "-", n) for n in (20, 19)]
    grid = Grid("grid", "Grid", "", ["x"], ("entailment", "neutral"), [HeatmapRow("negation", cells)])
    drawn = draw_heatmap(grid, name=str)
    assert (drawn.count('rx="4"'), drawn.count("<path ")) == (1, 1)


def test_no_name_is_markup_on_a_card(run: RunRecord) -> None:
    plain, hostile = (ElementTree.fromstring(card_svg(renamed(run, text))) for text in ("x", HOSTILE))
    assert {each.tag for each in hostile.iter()} == {each.tag for each in plain.iter()}
