"""Heatmaps as plain data: families by gold label, subcases and categories by model. Pages and pictures draw them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from assay.core.label import Label
from assay.core.results.estimate import Estimate, key_of
from assay.reports.leading import is_grey, ordered
from assay.reports.numbers import interval, percent
from assay.reports.tables.sheet import labels_of, seen
from assay.reports.view import View
from assay.reports.words import LOST, group_name

BURIED = "place"
"""The group of buried sentences: length and depth, joined by @."""

INITIALS = {"entailment": "E", "neutral": "N", "contradiction": "C", "non-entailment": "not E"}
"""Labels for narrow places."""


class Heat(NamedTuple):
    """A cell of a heatmap."""

    where: Mapping[str, str]
    """Its slice."""
    value: float | None
    """The share of right answers; None if nothing was measured."""
    ends: str
    """Its interval in per cent."""
    n: int
    """How many cases it is based on."""
    lost: bool = False
    """Whether it is a loss compared with the source pairs."""
    span: int = 1
    """How many columns it covers."""

    @property
    def text(self) -> str:
        """The share in whole per cent."""
        return "" if self.value is None else f"{self.value * 100:.0f}"

    @property
    def exact(self) -> str:
        """The share in per cent, with its interval and number of cases."""
        around = "" if self.ends == "-" else f" (95 %: {self.ends})"
        return "" if self.value is None else f"{percent(self.value)} % right{around}, {self.n:,} cases"


class Line(NamedTuple):
    """A row of a heatmap."""

    name: str
    """What its cells have in common."""
    cells: Sequence[Heat]
    """One after the other, by model."""


class Grid(NamedTuple):
    """A heatmap: rows by models, each of which has one column or one for each label."""

    name: str
    """Short, for files and addresses."""
    title: str
    """What it shows."""
    told: str
    """How to read it."""
    models: Sequence[str]
    """The models, from left to right."""
    columns: Sequence[str]
    """The columns of each model; empty if it has a single one."""
    lines: Sequence[Line]
    """The rows."""
    grey: frozenset[str] = frozenset()
    """The models that are only there to compare others with."""


def family_grid(view: View) -> Grid | None:
    """Accuracy by family and gold label, for each model."""
    found = view.find("accuracy", "label")
    there = labels_of(found.values())
    columns = [each for each in there if each != Label.NON_ENTAILMENT or {*there} <= {*TWO}]
    if not found:
        return None
    lines = []
    models = ordered(view, [each for each in seen(found.values(), "model") if each in view.models])
    for suite, family in dict.fromkeys((e.slice["suite"], e.slice["family"]) for e in found.values()):
        own = [each for model in models for each in _by_label(view, found, (model, suite, family), columns)]
        lines.append(Line(f"{family} ({suite})" if view.repeats else family, own))
    names = [view.label(each) for each in columns]
    told = "Right answers in per cent, by family and right label."
    return Grid("heatmap", "Right answers by family and label", told + _dots(lines), models, names, lines, _grey(view))


TWO = (Label.ENTAILMENT, Label.NON_ENTAILMENT)


def _by_label(
    view: View, found: Mapping[tuple[str, ...], Estimate], place: tuple[str, str, str], columns: Sequence[str]
) -> Iterable[Heat]:
    """A family's cells for one model; non-entailment covers the columns of the labels that it stands for."""
    model, suite, family = place
    where = {"model": model, "suite": suite, "family": family}
    merged = found.get((*place, Label.NON_ENTAILMENT)) if Label.NON_ENTAILMENT not in columns else None
    for label in columns if merged is None else TWO:
        each = found.get((*place, label))
        span = len(columns) - 1 if merged is not None and label == Label.NON_ENTAILMENT else 1
        yield heat(view, each, {**where, "label": str(label)})._replace(span=span)


def heat(view: View, each: Estimate | None, where: Mapping[str, str]) -> Heat:
    """A figure as a cell."""
    if each is None:
        return Heat(where, None, "", 0)
    return Heat(where, each.value, interval(each), each.n, key_of(each.slice) in view.lost)


def _grey(view: View) -> frozenset[str]:
    return frozenset(model for model in view.models if is_grey(view, model))


def _dots(lines: Sequence[Line]) -> str:
    return f" Dot: {LOST}." if any(cell.lost for line in lines for cell in line.cells) else ""


def group_grid(view: View, group: str, title: str) -> Grid | None:
    """Accuracy by the values of a group, for each model."""
    found = view.find("accuracy", group)
    if not found:
        return None
    models = ordered(view, [each for each in seen(found.values(), "model") if each in view.models])
    places = dict.fromkeys(place[1:] for place in found)
    several = len({place[:2] for place in places}) > 1
    lines = []
    for suite, family, value in places:
        where = {"suite": suite, "family": family, group: value}
        own = [heat(view, found.get((m, suite, family, value)), {"model": m, **where}) for m in models]
        name = group_name(group, value)
        lines.append(Line(f"{name} ({family if suite == family else f'{suite}, {family}'})" if several else name, own))
    name = f"{group}s".replace("ys", "ies")
    return Grid(name, title, f"{title}: right answers in per cent.", models, (), lines, _grey(view))


def burial_grid(view: View) -> Grid | None:
    """Accuracy by the length of the premise and the depth of the sentence that decides, for each model."""
    found = view.find("accuracy", BURIED)
    if not found:
        return None
    models = ordered(view, [each for each in seen(found.values(), "model") if each in view.models])
    places = dict.fromkeys(place[1:3] for place in found)
    cells = {tuple(map(int, place[3].split("@"))) for place in found}  # (length, depth)
    depths = sorted({depth for _, depth in cells})
    lines = []
    for suite, family in places:
        for length in sorted({length for length, _ in cells}):
            keys = [(model, suite, family, f"{length}@{depth}") for model in models for depth in depths]
            wheres = [dict(zip(("model", "suite", "family", BURIED), key, strict=True)) for key in keys]
            own = [heat(view, found.get(key), where) for key, where in zip(keys, wheres, strict=True)]
            lines.append(Line(f"{length:,} tokens ({suite})" if len(places) > 1 else f"{length:,} tokens", own))
    told = (
        "Right answers in per cent, by the length of the premise and by how much of it comes before the sentence that "
        "decides. A model that reads everything is equally right everywhere."
    )
    title = "Right answers by length and depth"
    return Grid("burial", title, told, models, [f"{depth} %" for depth in depths], lines, _grey(view))


def grids(view: View) -> list[Grid]:
    """Every heatmap that has something to show."""
    made = (
        family_grid(view),
        group_grid(view, "subcase", "Subcases"),
        group_grid(view, "category", "Lexical categories"),
        burial_grid(view),
    )
    return [each for each in made if each is not None]
