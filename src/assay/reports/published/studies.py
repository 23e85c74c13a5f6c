"""Published figures for the figures of a study, as its plan says which belong together."""

from collections.abc import Iterator, Mapping

from assay.core.study.plan import Published
from assay.core.study.record import StudyFigure, StudyTable
from assay.evaluate.study.effects import Matched
from assay.reports.published.figures import Figure, figures

ONE_WAY = ("variant", "swapped")
"""What published slices say where ours need not: a suite has one variant, and the regime says what was swapped."""


def matched(table: StudyTable) -> list[Matched]:
    """Every figure of the table that has a published one."""
    found = []
    for each in table.figures:
        for published in table.plan.published:
            for theirs in _figures(published):
                if _is_same(published, theirs, each):
                    value = _comparable(theirs, table.plan.measure)
                    cell = f"{theirs.paper}, Table {theirs.table}: {theirs.row}, {theirs.column}"
                    found.append(Matched(each, value, cell, theirs.doubt))
    return found


def _comparable(theirs: Figure, measure: str) -> float:
    """The published figure in our unit: a share, or as it is printed; transfer prints per cent beside correlations."""
    if theirs.share is not None:
        return theirs.share
    return theirs.value / 100 if measure == "transfer" and theirs.value > 1 else theirs.value


def _figures(published: Published) -> Iterator[Figure]:
    return (each for each in figures() if (each.paper, each.table) == (published.paper, published.table))


def _is_same(published: Published, theirs: Figure, ours: StudyFigure) -> bool:
    where = dict(ours.slice)
    suite = where.pop("suite", "")
    called = {**where, **({"family": published.families[suite]} if suite in published.families else {})}
    regime = published.regimes.get(ours.regime)
    return (
        theirs.model == published.systems.get(ours.system)
        and not (published.regimes and regime is None)
        and all(getattr(theirs, name) == value for name, value in (regime or {}).items())
        and not (suite and published.suites.get(suite) != theirs.data.split)
        and _is_same_slice(published, theirs, called, where)
    )


def _is_same_slice(published: Published, theirs: Figure, called: Mapping[str, str], where: Mapping[str, str]) -> bool:
    if published.rows:
        named = published.rows.get(theirs.row) or published.rows.get(theirs.column)
        return named is not None and {**{k: v for k, v in where.items() if k == "family"}, **named} == where
    own = {name: value for name, value in theirs.slice.items() if name not in ONE_WAY or name in called}
    return own == called
