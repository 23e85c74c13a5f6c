"""One run in every format: each shows the same figures, and marks the same ones."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from html import unescape
from itertools import pairwise
from typing import NamedTuple

import msgspec
import pytest
from tests.fixtures.reports import drawn

import assay
from assay.core.estimate import Estimate, by_slice, key_of
from assay.core.judgement import Judgement, Loss, SwapVerdict
from assay.core.run_record import RunRecord
from assay.reports.formatting import percent, points
from assay.reports.phrases import short_name
from assay.reports.terminal.run_summary import figure_summary
from assay.reports.view import view_of
from assay.reports.write.output_formats import Format, write_report

MODELS = ("majority", "hypothesis-words", "overlap", "constituent")
SHOWN = tuple(f"{model} (baseline)" for model in MODELS)
"""Their names in tables: all of them are baselines."""
FAMILIES = ("original", "negation", "word-overlap", "lexical", "antonymy")
LABELS = ("entailment", "neutral", "contradiction")
WIDE = 300


class Cell(NamedTuple):
    """What a figure is about."""

    model: str
    family: str
    label: str = ""


class Shown(NamedTuple):
    """A figure as it is shown."""

    text: str
    marked: bool


Cells = dict[Cell, Shown]
Table = list[dict[str, Shown]]

WHOLE = [Cell(model, family) for model in SHOWN for family in FAMILIES]
NOT_MADE = {("antonymy", "entailment"), ("antonymy", "neutral"), ("lexical", "neutral")}
"""Antonyms make contradictions only, and these few pairs give no narrower word."""
BY_LABEL = [
    Cell(model, family, label)
    for model in SHOWN
    for family in FAMILIES
    for label in LABELS
    if (family, label) not in NOT_MADE
]
SWAPPED = [Cell(model, "swap", label) for model in SHOWN for label in LABELS]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    """A run in which the corrected test and the uncorrected interval disagree about some cells."""
    return assay.run(
        assay.read("bundled", limit=150),
        families=[*FAMILIES[1:], "swap"],
        models=[f"assay:{model}" for model in MODELS],
        out=tmp_path_factory.mktemp("runs"),
        cache=False,
    )


def name_in_tables(model: str) -> str:
    return f"{short_name(model)} (baseline)"


def decided(record: RunRecord) -> Cells:
    """What the record says: accuracies and which are losses, changes of swapped labels and which are unexpected."""
    lost = {key_of(each.slice) for each in record.judgement.losses}
    strange = {key_of(each.slice) for each in record.judgement.swaps if not each.is_expected}
    cells = {}
    for by in (["model", "family"], ["model", "family", "label"]):
        for (model, *where), e in record.find("accuracy", by).items():
            cells[Cell(name_in_tables(model), *where)] = Shown(percent(e.value), key_of(e.slice) in lost)
    for (model, label), e in record.find("drop", ["model", "label"], family="swap").items():
        cells[Cell(name_in_tables(model), "swap", label)] = Shown(points(-(e.value or 0.0)), key_of(e.slice) in strange)
    return cells


def in_terminal(record: RunRecord) -> Cells:
    """The table by family and label."""
    return labelled(terminal_table(drawn(figure_summary(record, ["accuracy"]), width=WIDE), "family "))


def in_page(record: RunRecord) -> Cells:
    text = document(record, "html")
    swap = html_table(text, "swap")
    moved = {Cell(row["model"].text, "swap", row["label"].text): change(row, row["verdict"].marked) for row in swap}
    return {**labelled(html_table(text, "accuracy")), **moved}


def in_markdown(record: RunRecord) -> Cells:
    text = document(record, "md")
    return {
        **labelled(markdown_table(text, "Accuracy by family")),
        **swapped(markdown_table(text, "Swapped sides")),
    }


def in_markdown_papers(record: RunRecord) -> Cells:
    """The papers' own tables in the same document."""
    text = document(record, "md")
    return {
        **matrix(markdown_table(text, "Accuracy by model and family")),
        **wang(markdown_table(text, "Swapped pairs, as in Wang et al. (2019)")),
    }


def in_latex(record: RunRecord) -> Cells:
    text = document(record, "latex")
    return {**matrix(latex_table(text, "naik")), **wang(latex_table(text, "wang"))}


def in_csv(record: RunRecord) -> Cells:
    rows = list(csv.DictReader(io.StringIO(document(record, "csv"))))
    named = {"figure", "model", "suite", "family", "label", "value", "low", "high", "n", "reference", "two_way", "mark"}
    named |= {"low_and_high"}
    plain = [row for row in rows if not any(row[name] for name in row.keys() - named)]
    found = {(row["figure"], Cell(name_in_tables(row["model"]), row["family"], row["label"])): row for row in plain}
    cells = {}
    for (name, cell), row in found.items():
        if name == "accuracy":
            cells[cell] = Shown(percent(float(row["value"])), row["mark"] == "loss")
        elif name == "kept" and cell.label:
            cells[cell] = Shown(points(-float(found["drop", cell]["value"])), row["mark"] == "unexpected")
    return cells


def in_json(record: RunRecord) -> Cells:
    found = json.loads(document(record, "json"))
    estimates = msgspec.convert(found["estimates"], tuple[Estimate, ...])
    judgement = msgspec.convert(found["judgement"], Judgement)
    return decided(msgspec.structs.replace(record, estimates=estimates, judgement=judgement))


def in_notebook(record: RunRecord) -> Cells:
    rows = html_rows(record._repr_html_())
    names = [name for name in rows[0] if name.startswith("assay:")]
    return {
        Cell(name_in_tables(name.removesuffix(" (baseline)")), row["family"].text): row[name]
        for row in rows
        if row["family"].text  # the last row has the verdicts
        for name in names
    }


class Writer(NamedTuple):
    """A format: how it is read, and which cells it must show."""

    read: Callable[[RunRecord], Cells]
    cells: list[Cell]


WRITERS: Mapping[str, Writer] = {
    "terminal": Writer(in_terminal, [*WHOLE, *BY_LABEL]),
    "page": Writer(in_page, [*WHOLE, *BY_LABEL, *SWAPPED]),
    "markdown": Writer(in_markdown, [*WHOLE, *BY_LABEL, *SWAPPED]),
    "markdown-papers": Writer(in_markdown_papers, [*WHOLE, *SWAPPED]),
    "latex": Writer(in_latex, [*WHOLE, *SWAPPED]),
    "csv": Writer(in_csv, [*WHOLE, *BY_LABEL, *SWAPPED]),
    "json": Writer(in_json, [*WHOLE, *BY_LABEL, *SWAPPED]),
    "notebook": Writer(in_notebook, WHOLE),
}


@pytest.fixture(scope="module")
def everywhere(record: RunRecord) -> dict[str, Cells]:
    """What each format shows."""
    return {name: writer.read(record) for name, writer in WRITERS.items()}


@pytest.mark.parametrize("cell", [*WHOLE, *BY_LABEL, *SWAPPED], ids=lambda cell: "-".join(filter(None, cell)))
def test_a_cell_is_the_same_everywhere(record: RunRecord, everywhere: dict[str, Cells], cell: Cell) -> None:
    wanted = {name for name, writer in WRITERS.items() if cell in writer.cells}
    assert {name: everywhere[name].get(cell) for name in wanted} == dict.fromkeys(wanted, decided(record)[cell])


@pytest.mark.parametrize("name", WRITERS)
def test_a_format_shows_its_cells_and_no_others(everywhere: dict[str, Cells], name: str) -> None:
    assert sorted(everywhere[name]) == sorted(WRITERS[name].cells)


def test_the_run_can_tell_rules_apart(record: RunRecord) -> None:
    """There are losses, cells that only the uncorrected interval marks, and labels that move as they should not."""
    lost = {
        Cell(name_in_tables(e.slice["model"]), e.slice["family"]) for e in record.judgement.losses if len(e.slice) == 3
    }
    uncorrected = {Cell(name_in_tables(e["model"]), e["family"]) for e in by_interval(record) if len(e) == 3}
    assert lost < uncorrected
    assert any(not each.is_expected for each in record.judgement.swaps)
    assert any(each.is_expected for each in record.judgement.swaps)


@pytest.mark.parametrize("name", WRITERS)
def test_a_format_with_another_rule_for_losses_is_caught(record: RunRecord, name: str) -> None:
    other = [Loss(slice=where, drop=0.1, p=0.01) for where in by_interval(record)]
    judgement = msgspec.structs.replace(record.judgement, losses=tuple(other))
    shown = WRITERS[name].read(msgspec.structs.replace(record, judgement=judgement))
    assert shown != {cell: decided(record)[cell] for cell in WRITERS[name].cells}


@pytest.mark.parametrize("name", [name for name in WRITERS if SWAPPED[0] in WRITERS[name].cells])
def test_a_format_with_another_rule_for_swapped_labels_is_caught(record: RunRecord, name: str) -> None:
    other = [SwapVerdict(slice=each.slice, outcome="holds") for each in record.judgement.swaps]
    judgement = msgspec.structs.replace(record.judgement, swaps=tuple(other))
    shown = WRITERS[name].read(msgspec.structs.replace(record, judgement=judgement))
    assert shown != {cell: decided(record)[cell] for cell in WRITERS[name].cells}


def by_interval(record: RunRecord) -> list[dict[str, str]]:
    """The slices whose drop is above zero by its own interval, uncorrected."""
    drops, tests = by_slice(record.estimates, "drop"), by_slice(record.estimates, "holm")
    measured = by_slice(record.estimates)
    return [drop.slice for key, drop in drops.items() if key in tests and key in measured and (drop.low or 0.0) > 0]


def document(record: RunRecord, to: Format) -> str:
    (content,) = write_report(view_of([record]), to).values()
    return content.decode()


def figure(text: str) -> Shown:
    """A figure as text formats have it."""
    return Shown(text.removesuffix("*"), text.endswith("*"))


def matrix(table: Table) -> Cells:
    """A row for each model, a column for each family."""
    return {
        Cell(row["model"].text, name): shown
        for row in table
        for name, shown in row.items()
        if name != "model" and row["model"].text != "cases"
    }


def swapped(table: Table) -> Cells:
    """A row for each model, a column for each label."""
    return {Cell(model, "swap", label): shown for (model, label, _), shown in matrix(table).items()}


def labelled(table: Table) -> Cells:
    """A row for each model and family: what is marked is the change, and the shares of labels."""
    cells = {}
    for row in table:
        place = (row["model"].text, row["family"].text)
        cells[Cell(*place)] = Shown(row["accuracy"].text, row["change"].marked)
        cells |= {Cell(*place, label): row[label] for label in LABELS if row[label].text != "-"}
    return cells


def wang(table: Table) -> Cells:
    """A row for each model and label, with the difference."""
    return {Cell(row["model"].text, "swap", row["label"].text): change(row, row["difference"].marked) for row in table}


def change(row: dict[str, Shown], marked: bool) -> Shown:
    """A difference between before and after as a change."""
    return Shown(points(-float(row["difference"].text) / 100), marked)


def terminal_table(text: str, head: str) -> Table:
    """The table whose head begins so; its cells end where the names of their columns do, or are marked there."""
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if re.match(head, line))
    names = list(re.finditer(r"\S+(?: \S+)*", lines[start]))
    ends = [0, *(names[1].start() if number == 0 else name.end() + 1 for number, name in enumerate(names))]
    rows: Table = []
    model = ""
    for line in lines[start + 2 :]:
        cells = [line[low:high].strip() for low, high in pairwise(ends)]
        if not any(cells[1:]):
            model = cells[0] or model
            continue
        if not re.match(r"[-+0-9.,]+[*]?$", cells[-1]):
            break
        row = {name.group(): figure(cell) for name, cell in zip(names, cells, strict=True)}
        rows.append({"model": Shown(model, marked=False), **row})
    return rows


def html_table(text: str, sheet: str) -> Table:
    start = text.index(f'<table data-sheet="{sheet}">')
    return html_rows(text[start : text.index("</table>", start)])


def html_rows(text: str) -> Table:
    lines = [
        re.findall(r"<t[hd]([^>]*)>(.*?)</t[hd]>", row, re.DOTALL) for row in re.findall("<tr.*?</tr>", text, re.DOTALL)
    ]
    names = [unescape(name) for _, name in lines[0]]
    return [{name: marked_html(*cell) for name, cell in zip(names, row, strict=True)} for row in lines[1:]]


def marked_html(attributes: str, text: str) -> Shown:
    """The page marks with its style, a notebook with text."""
    shown = figure(unescape(text))
    return Shown(shown.text, shown.marked or re.search(r'class="[^"]*\bbad\b', attributes) is not None)


def markdown_table(text: str, title: str) -> Table:
    _, _, below = text.partition(f"\n## {title}\n")
    lines = [line for line in below.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    rows = [[re.sub(r"\\(.)", r"\1", cell) for cell in line[2:-2].split(" | ")] for line in lines]
    return [{name: figure(cell) for name, cell in zip(rows[0], row, strict=True)} for row in rows[2:]]


def latex_table(text: str, name: str) -> Table:
    """A table of LaTeX; names of columns may be stacked, the best figures bold, and a model is named once."""
    _, _, below = text.partition(rf"\label{{tab:assay-{name}}}")
    lines = [line.removesuffix(r" \\") for line in below.partition(r"\end{table")[0].splitlines()]
    rows = [[plain_latex(cell) for cell in line.split(" & ")] for line in lines if " & " in line]
    for above, row in pairwise(rows):
        row[0] = row[0] or above[0]
    return [{name: figure(cell) for name, cell in zip(rows[0], row, strict=True)} for row in rows[1:]]


def plain_latex(cell: str) -> str:
    stacked = re.sub(
        r"\\shortstack\[.\]\{(.*)\}", lambda found: found[1].replace("-\\\\", "-").replace("\\\\", " "), cell
    )
    return re.sub(r"\\textbf\{(.*)\}", r"\1", stacked).replace("$-$", "-")
