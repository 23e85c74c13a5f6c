"""A report in each of its formats, as the contents of files."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from assay.reports.view import View

if TYPE_CHECKING:
    from assay.reports.write.latex import Style

Format = Literal["html", "md", "latex", "csv", "json", "png", "svg", "card"]


def written(view: View, to: Format, *, style: "Style | None" = None) -> dict[str, bytes]:
    """The files of a report, by name; `style` is about LaTeX."""
    return _latex(view, style) if to == "latex" else WRITERS[to](view)


def _html(view: View) -> dict[str, bytes]:
    from assay.reports.write.page.document import page

    return {"report.html": page(view).encode()}


def _markdown(view: View) -> dict[str, bytes]:
    from assay.reports.write.markdown import document

    return {"report.md": document(view).encode()}


def _latex(view: View, style: "Style | None" = None) -> dict[str, bytes]:
    from assay.reports.write.latex import PLAIN, document

    return {"report.tex": document(view, style or PLAIN).encode()}


def _csv(view: View) -> dict[str, bytes]:
    from assay.reports.write.data import as_csv

    return {"report.csv": as_csv(view)}


def _json(view: View) -> dict[str, bytes]:
    from assay.reports.write.data import as_json

    return {"report.json": as_json(view)}


def _png(view: View) -> dict[str, bytes]:
    from assay.reports.write.pictures import as_png

    return as_png(view)


def _svg(view: View) -> dict[str, bytes]:
    from assay.reports.write.pictures import as_svg

    return as_svg(view)


def _card(view: View) -> dict[str, bytes]:
    from assay.reports.write.card import as_card

    return as_card(view)


WRITERS: Mapping[Format, Callable[[View], dict[str, bytes]]] = {
    "html": _html,
    "md": _markdown,
    "latex": _latex,
    "csv": _csv,
    "json": _json,
    "png": _png,
    "svg": _svg,
    "card": _card,
}
"""The writer of each format; nothing is imported before it is needed."""
