"""The same models over several runs: accuracy by family, from the first run to the last."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.core.case import family_rank
from assay.core.results.estimate import Estimate
from assay.core.run import RunRecord
from assay.reports.tables.sheet import Cell, Row, Sheet, numbers, share, texts
from assay.reports.words import short_name


class Course(NamedTuple):
    """One model in one family, over the runs."""

    model: str
    """The model."""
    suite: str
    """The suite."""
    family: str
    """The family."""
    figures: Sequence[Estimate | None]
    """Its accuracy in each run, in the order of time; None in a run without it."""


def in_time(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """The runs from the first to the last."""
    return sorted(runs, key=lambda run: run.created)


def courses(runs: Sequence[RunRecord]) -> Iterator[Course]:
    """The models that at least two runs have, by family."""
    found = [run.find("accuracy", ("model", "suite", "family")) for run in in_time(runs)]
    places = dict.fromkeys(place for each in found for place in each)
    models = list(dict.fromkeys(place[0] for place in places))
    for place in sorted(places, key=lambda place: (models.index(place[0]), family_rank(place[2]))):
        figures = [each.get(place) for each in found]
        if sum(each is not None for each in figures) > 1:
            model, suite, family = place
            yield Course(model, suite, family, figures)


def trend_sheet(runs: Sequence[RunRecord]) -> Sheet:
    """A line for each model and family, a column for each run."""
    rows = [
        Row(each.model, (Cell(short_name(each.model)), Cell(each.suite), Cell(each.family), *map(share, each.figures)))
        for each in courses(runs)
    ]
    return Sheet(
        "trend",
        "Over the runs",
        "Accuracy in per cent, from the first run to the last.",
        (*texts("model", "suite", "family"), *numbers(*(run.id for run in in_time(runs)))),
        tuple(rows),
    )
