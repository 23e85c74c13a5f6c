"""Pages from templates. All text is escaped, and invisible characters are written out, as in the report."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from jinja2 import PackageLoader
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from assay.reports.charts.heatmap import INITIALS, STEPS, step
from assay.reports.formatting import printable_lines
from assay.reports.page.html_page import MARK, Frame, as_data, templates
from assay.run.build.recipes import family_words
from assay.serve.access_tokens import Role, TokenHolder
from assay.serve.addresses import address, cases_link, run_link, slice_link, threshold_link
from assay.version import __version__


class Tab(NamedTuple):
    name: str
    path: str
    role: Role = Role.OWNER  # the role that sees it; the owner sees all

    def is_open(self, path: str) -> bool:
        """True if the page at an address belongs to this view."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))


SHARED: Mapping[str, Any] = {
    "file": address,
    "run_link": run_link,
    "slice_link": slice_link,
    "cases_link": cases_link,
    "threshold_link": threshold_link,
    "family_words": family_words,
    "version": __version__,
    "step": step,
    "steps": range(0, STEPS + 1, 2),
    "initials": INITIALS,
    "mark": MARK,
}
"""Variables of every template."""


class PageStep(NamedTuple):
    name: str
    path: str = ""  # its address; empty for the page itself


class Pages:
    """The templates, with the data that every page needs."""

    def __init__(self) -> None:
        self.tabs: tuple[Tab, ...] = ()  # the views in the bar on top
        self.is_bundle = False  # True if pages are files, which can't receive anything

    def frame(
        self, *, who: TokenHolder, path: str, trail: Sequence[PageStep] = (), cases: str = "", labels: str = ""
    ) -> Frame:
        """The frame of a report page that is served here: the bar on top, the path to it, and linked files.

        `cases` is where the cells of its heatmaps lead, and `labels` our names of labels that are shown by others.
        """
        top = self.part(
            "top.html",
            tabs=self._tabs(who),
            path=path,
            trail=trail,
            cases=cases,
            labels=labels,
            is_bundle=self.is_bundle,
        )
        return Frame(
            styles=[address("report.css"), address("app.css")],
            scripts=[address("vega.js"), address("report.js"), address("app.js"), address("live.js")],
            top=top,
        )

    def part(self, template: str, **known: Any) -> Markup:
        return Markup(_environment().get_template(template).render(**SHARED, **known))  # noqa: S704 - it escapes

    def _tabs(self, who: TokenHolder | None) -> list[Tab]:
        role = who.role if who else None
        return [tab for tab in self.tabs if role in (tab.role, Role.OWNER)]

    def answer(
        self, template: str, *, who: TokenHolder | None, path: str, status: int = 200, data: Any = None, **known: Any
    ) -> HTMLResponse:
        shared = {"who": who, "csrf": who.csrf if who else "", "tabs": self._tabs(who), "path": path}
        shown = None if data is None else as_data(data)
        made = self.part(template, **shared, is_bundle=self.is_bundle, data=shown, **known)
        return HTMLResponse(made, status_code=status)


@cache
def _environment() -> Any:
    made = templates(PackageLoader("assay.serve", "templates"))
    made.filters["lines"] = lambda text: escape(printable_lines(text))
    return made
