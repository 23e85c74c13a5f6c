"""The papers' main tables with a place for every row: what is printed, and what was measured where training matches."""

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from cells import table
from measured import DATA, IS_THE_TEST, Measured

from assay.reports.published.published_results import NOT_PRINTED, PublishedTable, TableLine, figure
from assay.reports.published.published_results import PublishedFigure as Published
from assay.reports.published.published_results import table as published_table

TABLES = (("naik2018", "3"), ("glockner2018", "3"), ("glockner2018", "4"), ("wang2019", "1"), ("mccoy2019", "3"))
"""The tables that compare the papers' systems."""

SYSTEMS = {
    "cbow": ("CBOW, averaged",),
    "infersent": ("InferSent",),
    "rivercorners": ("RiverCorners",),
    "residual-stacked": ("residual-stacked encoder",),
    "shortcut-stacked": ("shortcut-stacked encoder",),
    "gated-attention": ("DGA",),
    "decomposable-attention": ("decomposable attention",),
    "esim": ("ESIM", "ESIM, AllenNLP"),
    "kim": ("KIM",),
    "spinn": ("SPINN",),
}
"""The published systems that each shipped model stands for, the most similar first. MiniLM, which is distilled, has
none: it is not BERT."""

CORPORA = {"snli": "SNLI", "mnli": "MultiNLI", "scitail": "SciTail"}
"""Folders of training files, and what papers call the corpora."""

TEXT = """Each cell is the figure of the paper in per cent, and after the slash what the shipped model of that system
reaches. A figure is measured only where the training set is the same: the shipped models learned from a part of SNLI
and MultiNLI together, and are smaller. `-` is a place that no shipped model can fill, because the paper's system was
trained on other data, or because no such model ships.
"""

Found = Mapping[str, Measured]


def paper_tables(found: Found) -> Iterator[str]:
    """The tables, each with its heading."""
    for paper, number in TABLES:
        printed = published_table(paper, number)
        yield f"### {paper}, Table {number}\n"
        yield f"{printed.title}. {printed.note}".strip() + "\n"
        yield table(["", *(column.name for column in printed.columns)], _rows(paper, printed, found))


def _rows(paper: str, printed: PublishedTable, found: Found) -> Iterator[list[str]]:
    for row in printed.rows:
        yield [row.name, *(_cell(paper, printed, row, column, found) for column in printed.columns)]


def _cell(paper: str, printed: PublishedTable, row: TableLine, column: TableLine, found: Found) -> str:
    if row.values[printed.columns.index(column)] == NOT_PRINTED:
        return "-"
    theirs = figure(paper, printed.number, row=row.name, column=column.name)
    ours = next(filter(None, (_measured(theirs, name, model) for name, model in found.items())), "-")
    return f"{100 * theirs.share:.1f} / {ours}" if theirs.share is not None else f"{theirs.printed} / -"


def _measured(theirs: Published, name: str, model: Measured) -> str:
    """What a shipped model has for a published figure of its system; empty if it was trained on other data."""
    if theirs.system not in SYSTEMS.get(name, ()) or trained_on(model) != theirs.trained or not theirs.slice:
        return ""
    where = {key: value for key, value in theirs.slice.items() if key not in ("family", "model")}
    for key, data in DATA.items():
        if data == theirs.data:
            family = "original" if IS_THE_TEST.get(key) == theirs.slice["family"] else theirs.slice["family"]
            own = model.find(key, family, name="kept" if family == "swap" else "accuracy", **where)
            if own and own.value is not None:
                return f"{100 * own.value:.1f}"
    return ""


def trained_on(model: Measured) -> str:
    """The corpora that a model was trained on, as the papers name them."""
    folders = [PurePath(each.source).parent.name for each in model.seeds[0].spec.sources]
    return " and ".join(sorted({CORPORA.get(each, each) for each in folders}))
