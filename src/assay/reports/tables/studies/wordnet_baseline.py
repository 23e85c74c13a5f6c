"""The WordNet baseline with the published figures."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from assay.reports.published.figures import figure, table
from assay.reports.tables.sheet import Part, plain_sheet

PAPER, TABLE, COLUMN = "glockner2018", "4", "WordNet Baseline"
TOTAL = "all"


class Line(NamedTuple):
    """A category, and shares in per cent."""

    category: str
    pairs: int
    published: str
    literal: float
    best: float


def published_shares() -> dict[str, float]:
    """What the paper prints for the baseline, by category.

    >>> published_shares()["planets"]
    1.0
    """
    found = (figure(PAPER, TABLE, row=row.name, column=COLUMN) for row in table(PAPER, TABLE).rows)
    return {each.row: each.share for each in found if each.share is not None and each.row != TOTAL}


def study_parts(found: Mapping[str, Any]) -> list[Part]:
    """Accuracy by category; `found` is a study as plain data."""
    rows = [
        {
            "category": line.category,
            "pairs": f"{line.pairs:,}",
            "published": line.published,
            "literal": f"{line.literal:.1f}",
            "nearest": f"{line.best:.1f}",
            "apart": f"{_apart(line):+.1f}",
        }
        for line in _lines(found)
    ]
    return [plain_sheet(rows, figures=["pairs", "published", "literal", "nearest", "apart"]), *_notes(found)]


def _apart(line: Line) -> float:
    return line.best - float(line.published)


def _lines(found: Mapping[str, Any]) -> Iterator[Line]:
    for row in table(PAPER, TABLE).rows:
        printed = figure(PAPER, TABLE, row=row.name, column=COLUMN).printed
        shares = [
            found[which]["accuracy"] if row.name == TOTAL else found[which]["categories"].get(row.name)
            for which in ("literal", "best")
        ]
        if None not in shares:
            pairs = sum(found["pairs"].values()) if row.name == TOTAL else found["pairs"][row.name]
            yield Line(row.name, pairs, printed, 100 * shares[0], 100 * shares[1])


def _notes(found: Mapping[str, Any]) -> list[str]:
    literal, best = found["literal"], found["best"]
    reasons = ", ".join(f"{why} ({count:,})" for why, count in found["fallbacks"].items())
    return [
        f"literal: {literal['model']}, {100 * literal['distance']:.2f} points from the published figures on average, "
        "weighting each category by its pairs",
        f"nearest of {found['tried']:,} settings: {best['model']}, {100 * best['distance']:.2f} points",
        f"pairs that the literal reading can't judge, counted as wrong: {reasons or 'none'}",
    ]
