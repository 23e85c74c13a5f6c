"""The figures of a study's tables: accuracies of seeds as bands, and how far conditions move a system."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from assay.core.results.estimate import Estimate
from assay.core.study.plan import TablePlan
from assay.core.study.record import StudyFigure
from assay.evaluate.band import band
from assay.evaluate.deviation import deviation

PLACE = ("suite", "family")
"""What every slice has beside the model."""

DEVIATIONS = {"all shares": False, "as printed": True}
"""The two definitions of the deviation: over all shares, and without 25 %."""


class Measured(NamedTuple):
    """The figures of one cell."""

    system: str
    """The system."""
    regime: str
    """The regime."""
    estimates: Sequence[Estimate]
    """Every figure of its run."""


def is_in(table: TablePlan, where: Mapping[str, str]) -> bool:
    """Whether a slice belongs in a table.

    >>> is_in(TablePlan(title="", by=("label",)), {"suite": "s", "family": "f", "label": "neutral"})
    True
    """
    return (
        where.keys() == {*PLACE, *table.by}
        and (not table.suites or where["suite"] in table.suites)
        and (not table.families or where["family"] in table.families)
        and all(where[name] in values for name, values in table.only.items())
    )


def is_measured(table: TablePlan, name: str) -> bool:
    """Whether a figure of this name belongs in a table.

    Swapped pairs have no label, so no accuracy. By label of the source pair, `kept` is the share that keep it.

    >>> is_measured(TablePlan(title="All"), "kept"), is_measured(TablePlan(title="By label", by=("label",)), "kept")
    (False, True)
    """
    return name == "accuracy" or (name == "kept" and "label" in table.by)


def shows_everything(table: TablePlan) -> bool:
    """Whether a table has the accuracy of every regime on every suite, with tests.

    >>> shows_everything(TablePlan(title="All")), shows_everything(TablePlan(title="By label", by=("label",)))
    (True, False)
    """
    return table == TablePlan(title=table.title, published=table.published)


def study_figures(table: TablePlan, cells: Iterable[Measured]) -> tuple[StudyFigure, ...]:
    """The figures of a table: each over the seeds that there are."""
    found: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Estimate]] = {}
    for cell in cells:
        for each in cell.estimates:
            where = {name: value for name, value in each.slice.items() if name != "model"}
            if is_measured(table, each.name) and each.value is not None and is_in(table, where):
                key = cell.system, cell.regime, tuple(sorted(where.items(), key=lambda part: _rank(table, part[0])))
                found.setdefault(key, []).append(each)
    made = [
        StudyFigure(
            system=system,
            regime=regime,
            slice=dict(where),
            measure="kept" if seeds[0].name == "kept" else "accuracy",
            band=band([each.value for each in seeds if each.value is not None]),
            values=tuple(each.value for each in seeds if each.value is not None),
            n=max(each.n for each in seeds),
            low=seeds[0].low if len(seeds) == 1 else None,
            high=seeds[0].high if len(seeds) == 1 else None,
        )
        for (system, regime, where), seeds in found.items()
        if not table.regimes or regime in table.regimes or not regime
    ]
    return tuple(made) if table.measure == "accuracy" else ()


def transfer_figures(cells: Iterable[Measured]) -> tuple[StudyFigure, ...]:
    """What tasks measured of each encoder, over its seeds."""
    found: dict[tuple[str, str, str, str], list[Estimate]] = {}
    for cell in cells:
        for each in cell.estimates:
            if each.value is not None and "task" in each.slice:
                found.setdefault((cell.system, cell.regime, each.slice["task"], each.name), []).append(each)
    return tuple(
        StudyFigure(
            system=system,
            regime=regime,
            slice={"task": task, "measure": name},
            band=band([each.value for each in seeds if each.value is not None]),
            values=tuple(each.value for each in seeds if each.value is not None),
            n=max(each.n for each in seeds),
        )
        for (system, regime, task, name), seeds in found.items()
    )


def deviation_figures(
    table: TablePlan, cells: Sequence[tuple[int, Measured]], swapped: Mapping[str, int]
) -> tuple[StudyFigure, ...]:
    """How far training with swapped pairs moves each system: the deviation over all suites, seed by seed.

    Cells come with their seeds; `swapped` is the percentage of each regime.
    """
    scores: dict[tuple[str, str, int], dict[str, dict[int, float]]] = {}
    sizes: dict[tuple[str, str], int] = {}
    for seed, cell in cells:
        for each in cell.estimates:
            where = {name: value for name, value in each.slice.items() if name != "model"}
            if each.name == "accuracy" and each.value is not None and is_in(table, where) and cell.regime in swapped:
                rows = scores.setdefault((cell.system, where["family"], seed), {})
                rows.setdefault(where["suite"], {})[swapped[cell.regime]] = each.value
                sizes[cell.system, where["family"]] = max(sizes.get((cell.system, where["family"]), 0), each.n)
    needed = set(swapped.values())
    values: dict[tuple[str, str, str], list[float]] = {}
    for (system, family, _), rows in scores.items():
        if all(row.keys() == needed and row[0] for row in rows.values()):
            for name, as_printed in DEVIATIONS.items():
                values.setdefault((system, family, name), []).append(deviation(rows.values(), as_printed=as_printed))
    return tuple(
        StudyFigure(
            system=system,
            regime=name,
            slice={"family": family},
            band=band(seeds),
            values=tuple(seeds),
            n=sizes[system, family],
        )
        for (system, family, name), seeds in values.items()
    )


def _rank(table: TablePlan, name: str) -> int:
    return [*PLACE, *table.by].index(name)
