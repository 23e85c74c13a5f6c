"""Encoders on the transfer tasks, as a table next to the published figures."""

from collections.abc import Mapping
from typing import Any

import msgspec

from assay.core.results.estimate import Estimate
from assay.reports.published.figures import Figure, figures, paper
from assay.reports.tables.sheet import Cell, Column, Part, Row, Sheet

PAPER, TABLE, UNSWAPPED = "wang2019", "3", "0 %"

MEASURES = {"accuracy": "", "f1": "F1", "pearson": "Pearson", "spearman": "Spearman"}
"""What follows a task's name in the table."""

CORRELATIONS = ("pearson", "spearman")


def published_transfer(row: str = UNSWAPPED) -> dict[tuple[str, str], Figure]:
    """The published figures of InferSent by task and measure, for a share of swapped training pairs.

    >>> published_transfer()["SICK-R", "pearson"].printed, published_transfer()["MRPC", "f1"].printed
    ('0.859', '82.45')
    """
    found = {}
    for each in figures():
        if (each.paper, each.table, each.row) == (PAPER, TABLE, row):
            task, _, said = each.column.partition(" ")
            found[task, said.lower() or ("pearson" if task == "SICK-R" else "accuracy")] = each
    return found


def transfer_parts(found: Mapping[str, Any]) -> list[Part]:
    """Figures by task and encoder; `found` is a study of transfer as plain data."""
    rows = [msgspec.convert(figure, Estimate) for each in found["measured"] for figure in each["estimates"]]
    bands = [msgspec.convert(each, Estimate) for each in found["bands"]]
    seeds = {each.slice["model"]: each.slice["seeds"] for each in bands}
    shown = [*bands, *(each for each in rows if each.slice["model"].rpartition("@")[0] not in seeds)]
    by_place = {(e.slice["model"], e.slice["task"], e.name): e for e in shown}
    models = list(dict.fromkeys(each.slice["model"] for each in shown))
    places = list(dict.fromkeys((each.slice["task"], each.name, each.n) for each in rows))
    published = published_transfer()
    theirs = paper(PAPER)
    columns = (
        Column("task"),
        Column("n", is_number=True, is_detail=True),
        *(Column(model, is_number=True, model=model) for model in models),
        Column("InferSent, published", is_number=True),
    )
    lines = []
    for task, name, n in places:
        ours = [_figure(by_place.get((model, task, name))) for model in models]
        lines.append(Row("", (Cell(_name(task, name)), Cell(f"{n:,}"), *ours, _theirs(published, task, name))))
    notes = [
        "Accuracy in per cent, F1 in per cent, or a correlation, with its 95 % interval; n: rows that were tested.",
        *(f"{system}: mean over {n} seeds, with the lowest and the highest." for system, n in seeds.items()),
        f"Published: {theirs.authors} ({theirs.year}), Table {TABLE}, {UNSWAPPED} swapped. What its encoder was "
        "trained on is not stated; it has 4,096 dimensions if the original settings were used.",
    ]
    return [*_about(found), Sheet("transfer", "Transfer tasks", "", columns, tuple(lines)), *notes]


def _about(found: Mapping[str, Any]) -> list[str]:
    """A line for each encoder."""
    lines = []
    for model, notes in found["notes"].items():
        its = [each for each in found["measured"] if each["model"] == model]
        cut = sum(each["truncated"] for each in its)
        told = [f"{its[0]['dimensions']:,} dimensions", *notes, *([f"{cut:,} texts were cut off"] if cut else [])]
        lines.append(f"{model}: {'; '.join(told)}.")
    return lines


def _name(task: str, measure: str) -> str:
    return f"{task} {MEASURES[measure]}".strip()


def _figure(estimate: Estimate | None) -> Cell:
    if estimate is None or estimate.value is None:
        return Cell("-")
    scale, digits = (1, 3) if estimate.name in CORRELATIONS else (100, 1)
    text = f"{scale * estimate.value:.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return Cell(text, estimate.value)
    return Cell(f"{text} ({scale * estimate.low:.{digits}f}-{scale * estimate.high:.{digits}f})", estimate.value)


def _theirs(published: Mapping[tuple[str, str], Figure], task: str, measure: str) -> Cell:
    figure = published.get((task, measure))
    return Cell("-") if figure is None else Cell(figure.printed, figure.value)
