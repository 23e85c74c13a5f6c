"""Heatmaps as plain data: families by gold label, subcases and categories by model. Pages and pictures draw them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from assay.core.estimate import FAMILY, Estimate, key_of
from assay.core.label import Label
from assay.reports.charts.vegalite import HEAT
from assay.reports.formatting import FEWEST_SHOWN, interval, percent
from assay.reports.headline import order_models
from assay.reports.phrases import LOST, group_name
from assay.reports.tables.sheet import labels_of, values_seen
from assay.reports.view import ReportView

BURIED = "place"  # the group of buried sentences: length and depth, joined by @
INITIALS = {"entailment": "E", "neutral": "N", "contradiction": "C", "non-entailment": "not E"}
"""Labels for narrow places."""


class Heat(NamedTuple):
    where: Mapping[str, str]
    value: float | None
    ends: str
    n: int
    lost: bool = False  # True if it is a loss compared with the unmodified pairs
    span: int = 1

    @property
    def is_small(self) -> bool:
        """True if there are so few cases that the cell is hatched, without a number."""
        return self.value is not None and self.n < FEWEST_SHOWN

    @property
    def text(self) -> str:
        """The share in whole per cent; empty if nothing was measured, or on too few cases."""
        return "" if self.value is None or self.is_small else f"{self.value * 100:.0f}"

    @property
    def exact(self) -> str:
        """The share in %, with its interval and number of cases."""
        around = "" if self.ends == "-" else f" (95%: {self.ends})"
        return "" if self.value is None else f"{percent(self.value)}% right{around}, {self.n:,} cases"


class HeatmapRow(NamedTuple):
    name: str
    cells: Sequence[Heat]


class Grid(NamedTuple):
    """A heatmap: rows by models, each of which has one column or one for each label."""

    name: str
    title: str
    told: str
    models: Sequence[str]
    columns: Sequence[str]  # the columns of each model; empty if it has a single one
    lines: Sequence[HeatmapRow]
    grey: frozenset[str] = frozenset()


def family_grid(view: ReportView) -> Grid | None:
    """Accuracy by family and gold label, for each model."""
    found = view.find("accuracy", "label")
    there = labels_of(found.values())
    columns = [each for each in there if each != Label.NON_ENTAILMENT or {*there} <= {*TWO}]
    if not found:
        return None
    lines = []
    models = _models(view, found)
    for suite, family in dict.fromkeys((e.slice["suite"], e.slice["family"]) for e in found.values()):
        own = [each for model in models for each in _by_label(view, found, (model, suite, family), columns)]
        lines.append(HeatmapRow(f"{family} ({suite})" if view.repeats else family, own))
    names = [view.label(each) for each in columns]
    told = "Right answers in %, by family and right label."
    dots = f" Dot: {LOST}." if any(cell.lost for line in lines for cell in line.cells) else ""
    told += dots + hatched(line.cells for line in lines)
    return Grid("heatmap", "Right answers by family and label", told, models, names, lines, _grey(view))


TWO = (Label.ENTAILMENT, Label.NON_ENTAILMENT)


def _by_label(
    view: ReportView, found: Mapping[tuple[str, ...], Estimate], place: tuple[str, str, str], columns: Sequence[str]
) -> Iterable[Heat]:
    """A family's cells for one model; non-entailment covers the columns of neutral and contradiction."""
    model, suite, family = place
    where = {"model": model, "suite": suite, "family": family}
    merged = found.get((*place, Label.NON_ENTAILMENT)) if Label.NON_ENTAILMENT not in columns else None
    for label in columns if merged is None else TWO:
        each = found.get((*place, label))
        span = len(columns) - 1 if merged is not None and label == Label.NON_ENTAILMENT else 1
        yield heat(view, each, {**where, "label": str(label)})._replace(span=span)


def heat(view: ReportView, each: Estimate | None, where: Mapping[str, str]) -> Heat:
    if each is None:
        return Heat(where, None, "", 0)
    return Heat(where, each.value, interval(each), each.n, key_of(each.slice) in view.lost)


def _models(view: ReportView, found: Mapping[tuple[str, ...], Estimate]) -> list[str]:
    return order_models(view, [each for each in values_seen(found.values(), "model") if each in view.models])


def _cells(
    view: ReportView, found: Mapping[tuple[str, ...], Estimate], group: str, keys: Iterable[tuple[str, ...]]
) -> list[Heat]:
    """The cells of a row, by model, suite, family and value of the group."""
    return [heat(view, found.get(key), dict(zip((*FAMILY, group), key, strict=True))) for key in keys]


def _grey(view: ReportView) -> frozenset[str]:
    return frozenset(model for model in view.models if view.is_baseline(model))


def hatched(lines: Iterable[Sequence[Heat]]) -> str:
    """A sentence about hatched cells, if rows have any."""
    is_hatched = any(cell.is_small for cells in lines for cell in cells)
    return f" Hatched: fewer than {FEWEST_SHOWN} cases." if is_hatched else ""


def group_grid(view: ReportView, group: str, title: str) -> Grid | None:
    """Accuracy by the values of a group, for each model."""
    found = view.find("accuracy", group)
    if not found:
        return None
    models = _models(view, found)
    places = dict.fromkeys(place[1:] for place in found)
    several = len({place[:2] for place in places}) > 1
    lines = []
    for suite, family, value in places:
        own = _cells(view, found, group, [(model, suite, family, value) for model in models])
        name = group_name(group, value)
        lines.append(
            HeatmapRow(f"{name} ({family if suite == family else f'{suite}, {family}'})" if several else name, own)
        )
    name = f"{group}s".replace("ys", "ies")
    return Grid(
        name,
        title,
        f"{title}: right answers in %.{hatched(line.cells for line in lines)}",
        models,
        (),
        lines,
        _grey(view),
    )


def burial_grid(view: ReportView) -> Grid | None:
    """Accuracy by the length of the premise and the depth of the sentence that decides, for each model."""
    found = view.find("accuracy", BURIED)
    if not found:
        return None
    models = _models(view, found)
    places = dict.fromkeys(place[1:3] for place in found)
    cells = {tuple(map(int, place[3].split("@"))) for place in found}  # (length, depth)
    depths = sorted({depth for _, depth in cells})
    lines = []
    for suite, family in places:
        for length in sorted({length for length, _ in cells}):
            keys = [(model, suite, family, f"{length}@{depth}") for model in models for depth in depths]
            own = _cells(view, found, BURIED, keys)
            lines.append(HeatmapRow(f"{length:,} tokens ({suite})" if len(places) > 1 else f"{length:,} tokens", own))
    told = (
        "Right answers in %, by the length of the premise and by how much of it comes before the sentence that "
        "decides. A model that reads everything is equally accurate everywhere."
    ) + hatched(line.cells for line in lines)
    title = "Right answers by length and depth"
    return Grid("burial", title, told, models, [f"{depth}%" for depth in depths], lines, _grey(view))


def grids(view: ReportView) -> list[Grid]:
    made = (
        family_grid(view),
        group_grid(view, "subcase", "Subcases"),
        group_grid(view, "category", "Lexical categories"),
        burial_grid(view),
    )
    return [each for each in made if each is not None]


STEPS = 20  # number of steps from never right to always right
DARK, LIGHT = "#000000", "#ffffff"
"""Text on light and on dark cells: one of the two has a contrast of 4.5 or more with any colour."""


def step(value: float) -> int:
    """The step of a share.

    >>> step(0.0), step(0.52), step(1.0)
    (0, 10, 20)
    """
    return round(value * STEPS)


def fill(value: float) -> str:
    """The colour of a share.

    >>> fill(0.0), fill(0.5), fill(1.0)
    ('#a8410b', '#f6efe4', '#14589c')
    """
    place = min(max(value, 0.0), 1.0) * (len(HEAT) - 1)
    first = min(int(place), len(HEAT) - 2)
    return _mix_colours(HEAT[first], HEAT[first + 1], place - first)


def grey(value: float) -> str:
    """The colour of a baseline's accuracy: the more often right, the darker."""
    return _mix_colours("#ffffff", "#b9bcc2", value)


def ink(colour: str) -> str:
    """Dark or light text, whichever can be read better on a colour.

    >>> ink("#f6efe4"), ink("#14589c")
    ('#000000', '#ffffff')
    """
    return max((DARK, LIGHT), key=lambda text: contrast(text, colour))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as the Web Content Accessibility Guidelines define it.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def heat_style() -> str:
    """The rules of a style sheet: a class for each step, and for baselines the same in grey."""
    rules = []
    for number in range(STEPS + 1):
        colour = fill(number / STEPS)
        rules.append(f".scale .h{number},.grid .h{number}{{background:{colour};color:{ink(colour)}}}")
        rules.append(f".grid .ref.h{number}{{background:color-mix(in srgb,var(--soft) {number * 1.5:g}%,var(--card))}}")
    return "\n".join([*rules, ".grid .ref[class]{color:var(--ink)}"])


def _mix_colours(one: str, other: str, share: float) -> str:
    parts = (round(a + (b - a) * share) for a, b in zip(_channels(one), _channels(other), strict=True))
    return "#" + "".join(f"{each:02x}" for each in parts)


def _channels(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def _luminance(colour: str) -> float:
    shares = [each / 255 for each in _channels(colour)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
