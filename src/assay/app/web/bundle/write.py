"""Writing a bundle: the views that only show something, as a folder of pages."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from assay.app.web.background import Background
from assay.app.web.bundle.data import scripts
from assay.app.web.bundle.links import Files
from assay.app.web.gate import Asked, View
from assay.app.web.guard.access import Person, Role
from assay.app.web.indexes import size_of
from assay.app.web.runs import Found
from assay.app.web.show import files
from assay.app.web.show.links import compare_link, run_link
from assay.app.web.site import Site
from assay.app.web.views import cases, compare, run, runs, studies
from assay.bench.browse.index import CaseIndex
from assay.core.errors import OutputExistsError, UserError
from assay.core.files import folder_aside, write_whole

T = TypeVar("T")

MOST = 100_000
"""How many cases a run of a bundle may have: a browser holds their columns in memory."""

READER = Person("reader", Role.OWNER, session="", csrf="")
"""Who looks at a bundle."""


class AtOnce(Background):
    """What a server does in the background is done before a bundle is written."""

    def result(self, key: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        """What the function returns."""
        return self.at_once(key, function, *arguments)


class Sheet(NamedTuple):
    """A page of the bundle."""

    address: str
    """Where a server has it."""
    file: str
    """Where the bundle has it."""
    view: View
    """What makes it."""
    path: Mapping[str, str] = {}
    """The named parts of the address."""


def write_bundle(folder: Path, out: Path) -> int:
    """Write all pages of a folder of runs to a new folder, and say how many there are."""
    if out.exists():
        raise OutputExistsError(f"{out} already exists.\n  Choose another folder for --bundle, or delete this one.")
    site = Site(folder, background=AtOnce())
    site.pages.tabs = (runs.TAB, compare.TAB, studies.TAB)
    site.pages.is_bundle = True
    found = site.runs.readable()
    for each in found:
        if size_of(each.record) > MOST:
            raise UserError(
                f"{each.record.id} has {size_of(each.record):,} cases, and a bundle takes runs of at most {MOST:,}.\n"
                "  Bundle a folder without it; `assay serve` shows runs of any size."
            )
    sheets = [*_sheets(site, found)]
    links = Files({sheet.address: sheet.file for sheet in sheets})
    with folder_aside(out) as aside:
        for sheet in sheets:
            page = links.relinked(bytes(_asked(site, sheet).body).decode(), sheet.file)
            _write(aside / sheet.file, page.encode())
        for number, each in enumerate(found, 1):
            index = site.indexes.get(each)
            assert isinstance(index, CaseIndex), "nothing is built in the background"
            for name, script in scripts(index):
                _write(aside / _of_run(number, name), script)
        for name in files.BUNDLED:
            _write(aside / "static" / name, files.content(name))
    return len(sheets)


def _sheets(site: Site, found: list[Found]) -> Iterator[Sheet]:
    yield Sheet("/", "index.html", runs.show)
    yield Sheet("/?labels=1", "by-label.html", runs.show)
    for number, each in enumerate(found, 1):
        link, where = run_link(each.record.id), {"run": each.record.id}
        yield Sheet(link, _of_run(number, "index.html"), run.show, where)
        yield Sheet(f"{link}/cases", _of_run(number, "cases.html"), cases.show, where)
    yield Sheet("/compare", "compare.html", compare.show)
    for number, (one, other) in enumerate(compare.comparable(found), 1):
        yield Sheet(compare_link(one, other), f"compare/{number}.html", compare.show)
    yield Sheet("/studies", "studies.html", studies.show)
    for number, name in enumerate(studies.study_folders(site), 1):
        yield Sheet(f"/studies/{quote(name)}", f"studies/{number}.html", studies.study, {"study": name})
    for number, name in enumerate(studies.suite_folders(site), 1):
        yield Sheet(f"/audits/{quote(name)}", f"audits/{number}.html", studies.show_audit, {"suite": name})


def _of_run(number: int, name: str) -> str:
    return f"runs/{number}/{name}"


def _asked(site: Site, sheet: Sheet) -> Response:
    """What a server would answer."""
    path, _, query = sheet.address.partition("?")
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []}
    scope |= {"scheme": "http", "server": ("bundle", 80)}
    return sheet.view(
        Asked(site=site, who=READER, path=sheet.path, query=QueryParams(query), body=b"", request=Request(scope))
    )


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)
