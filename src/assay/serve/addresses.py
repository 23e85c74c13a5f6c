"""Addresses of pages, style sheets and scripts."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from assay.reports.page.html_page import SCRIPTS, page_style, read_asset


def run_link(run: str) -> str:
    return f"/runs/{quote(run, safe='')}"


def cases_link(run: str, **where: str) -> str:
    """The address of a run's cases under a filter; empty values filter nothing.

    >>> cases_link("a b", family="negation", label="")
    '/runs/a%20b/cases?family=negation'
    """
    given = {name: value for name, value in where.items() if value}
    return f"{run_link(run)}/cases" + (f"?{urlencode(given)}" if given else "")


def slice_link(run: str, where: Mapping[str, str], *, show: str = "wrong") -> str:
    """The address of the cases behind a number: those that the model gets wrong, the worst first."""
    groups = {name: value for name, value in where.items() if name not in ("model", "suite", "family", "label")}
    known = {name: value for name, value in where.items() if name not in groups}
    named = {f"group.{name}": value for name, value in groups.items()}
    return cases_link(run, **known, **named, show=show, order="worst")


def threshold_link(run: str, model: str, **more: str) -> str:
    return f"{run_link(run)}/threshold?{urlencode({'model': model, **more})}"


def compare_link(one: str, other: str) -> str:
    """Two models side by side, each named RUN/MODEL."""
    return f"/compare?{urlencode([('of', one), ('of', other)])}"


def task_link(task: str) -> str:
    """The owner's page of an annotation task."""
    return f"/annotate/task/{quote(task)}"


def change_query(path: str, query: Iterable[tuple[str, str]], **changes: str | None) -> str:
    """The same address with parts of its query changed. None removes a part, and every change removes the page.

    >>> change_query("/c", [("family", "negation"), ("page", "3")], label="neutral")
    '/c?family=negation&label=neutral'
    """
    given = dict(query)
    given.pop("page", None)
    for name, value in changes.items():
        given.pop(name, None)
        if value:
            given[name] = value
    return f"{path}?{urlencode(given)}" if given else path


FOREVER = "public, max-age=31536000, immutable"  # an address names the content, so it never changes
KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}  # media types by file ending


FILES: Mapping[str, Callable[[], str]] = {
    "report.css": page_style,
    "report.js": lambda: "\n".join(map(read_asset, SCRIPTS)),
    "vega.js": lambda: read_asset("vega.js"),
    **{each.name: partial(each.read_text, "utf-8") for each in (files("assay.serve") / "static").iterdir()},
}
"""Every file that can be requested, by name."""

BUNDLED = ("report.css", "report.js", "vega.js", "app.css", "app.js", "live.js", "threshold.js", "bundle.js")
"""Files that the pages of a bundle need."""


@cache
def content(name: str) -> bytes:
    return FILES[name]().encode()


@cache
def address(name: str) -> str:
    """The address of a file; it changes with its content, so that browsers may keep it."""
    return f"/static/{sha256(content(name)).hexdigest()[:12]}/{name}"


async def _serve(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        return PlainTextResponse("There is no such file.\n", status_code=404)
    kind = KINDS[name.rpartition(".")[2]]
    return Response(content(name), media_type=kind, headers={"cache-control": FOREVER})


ROUTE = Route("/static/{digest}/{name}", _serve)
"""Files hold nothing that is anybody's, so the page that asks people to sign in can use them."""
