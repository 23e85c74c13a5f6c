"""Writing a bundle: the read-only views as a folder of pages."""

import posixpath
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from html import escape, unescape
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category, normalize
from urllib.parse import quote

import msgspec
import numpy
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from assay.core.case import family_rank
from assay.core.errors import OutputExistsError, UserError
from assay.reports.formatting import printable
from assay.run.case_index.case_index import FAILED, HELD, RIGHT, CaseIndex
from assay.serve import addresses
from assay.serve.access_tokens import Role, TokenHolder
from assay.serve.addresses import compare_link, run_link, threshold_link
from assay.serve.auth import AuthorisedRequest, View
from assay.serve.background import Background, size_of
from assay.serve.case_view import ShownCase, shown_case
from assay.serve.facet_words import facet_words, suite_words, value_words
from assay.serve.run_view import ServedView, is_about_claims, run_view
from assay.serve.served_runs import RunOverview
from assay.serve.site import Site
from assay.serve.views import case_browser, compare_models, run_list, run_page, study_pages, threshold_view
from assay.serve.views.case_browser import FEW, FIRST, PAGE, SHOWS
from assay.storage.files import folder_aside, write_whole

CHUNK = 250  # cases in one file of texts

TYPES = {"uint8": "u1", "uint16": "u2", "uint32": "u4", "int32": "i4", "float32": "f4"}
"""The types of columns that a script can read."""


class _Kept(dict[int, int | None]):
    """Translation of characters for searching: letters and digits stay, accents vanish, all else becomes a blank."""

    def __missing__(self, code: int) -> int | None:
        kind = category(chr(code))
        self[code] = code if kind[0] in "LN" or kind == "Co" else None if kind[0] == "M" else ord(" ")
        return self[code]


_KEPT = _Kept()


def search_words(text: str) -> str:
    """The words of a text as the server's index has them, without case and accents, with blanks around each.

    >>> search_words("Café-Bar No. 7!")
    ' cafe bar no 7 '
    """
    return f" {' '.join(normalize('NFD', text).translate(_KEPT).lower().split())} "


def scripts(index: CaseIndex, run: RunOverview) -> Iterator[tuple[str, bytes]]:
    """The files of a run: its columns, the probabilities, its texts in parts, and what is searched."""
    view = run_view(index.record)
    searched: dict[str, int] = {}  # cases that share a text share its words
    sides: dict[str, list[int]] = {"premise": [], "hypothesis": []}
    yield "columns.js", _script("columns", _columns(index, view, run))
    shares = [_column(index.of_model("shares", model).reshape(-1)) for model in index.described.models]
    yield "shares.js", _script("shares", shares)
    for number, start in enumerate(range(0, len(index), CHUNK)):
        rows = range(start, min(start + CHUNK, len(index)))
        cases = []
        for row in index.rows(rows):
            cases.append(_case(shown_case(row, view)))
            for side, places in sides.items():
                places.append(searched.setdefault(search_words(getattr(row.case, side)), len(searched)))
        yield f"texts-{number}.js", _script("texts", {"number": number, "cases": cases})
    # All texts joined, because a browser reads one long text much faster than many; and the texts of each case.
    columns = {side: _column(numpy.array(places, dtype="u4")) for side, places in sides.items()}
    yield "words.js", _script("words", {"texts": "\n".join(searched), **columns})


def _script(name: str, value: Any) -> bytes:
    """A script that calls a function of the page with a value."""
    return b"ASSAY." + name.encode() + b"(" + msgspec.json.encode(value) + b");\n"


def _columns(index: CaseIndex, view: ServedView, run: RunOverview) -> dict[str, Any]:
    described = index.described
    shown = [name for name in FIRST if name != "answer"]
    return {
        "cases": len(index),
        "chunk": CHUNK,
        "page": PAGE,
        "few": FEW,
        "flags": {"failed": FAILED, "right": RIGHT, "held": HELD},
        "shows": SHOWS,
        "binary": index.record.label_space.is_binary,
        "claims": is_about_claims(index.record),
        "about": {note.family: note.title for note in run.families},
        "suites": {each: [value_words(view, "suite", each), suite_words(view, each)] for each in view.suites}
        if len(view.suites) > 1
        else {},
        "models": [{"id": model, "name": printable(view.name(model))} for model in described.models],
        "facets": [
            {
                "name": name,
                **_words(name),
                **_values(index, view, name),
            }
            for name in [*shown, *index.groups]
        ],
        "answers": {**_words("answer"), **_values(index, view, "answer")},
        "kind": _column(index.column("kind")),
        "pair": _column(index.column("pair")),
        "edited": _column((index.column("source") >= 0).view("u1")),
        "length": _column(numpy.diff(index.column("line"), append=index.column("line")[-1:]).astype("i4")),
        "answer": [_column(index.of_model("answer", model)) for model in described.models],
        "flag": [_column(index.of_model("flags", model)) for model in described.models],
        "confidence": [_column(index.of_model("confidence", model)) for model in described.models],
    }


def _words(facet: str) -> dict[str, str]:
    return {name: printable(text) for name, text in facet_words(facet)._asdict().items()}


def _values(index: CaseIndex, view: ServedView, facet: str) -> dict[str, Any]:
    """The values of a facet, how they are shown, in which order, and the code of each kind of cases."""
    values = index.described.values[facet]
    is_label = facet in ("label", "answer")
    by_name = sorted(range(len(values)), key=lambda code: values[code])
    ordered = sorted(range(len(values)), key=lambda code: (family_rank(values[code]), values[code]))
    return {
        "values": values,
        "shown": [printable(value_words(view, facet, value)) for value in values],
        "ranks": [by_name.index(code) for code in range(len(values))],
        "order": ordered if facet == "family" else [*range(len(values))] if is_label or facet == "suite" else None,
        "kinds": [] if facet == "answer" else index.of_kinds(facet).tolist(),
    }


def _column(values: Any) -> dict[str, str]:
    """A column, as text that a script can turn into an array."""
    values = numpy.ascontiguousarray(values)
    kind = TYPES[values.dtype.name]
    return {"type": kind, "data": b64encode(values.astype(f"<{kind}").tobytes()).decode()}


def _case(shown: ShownCase) -> dict[str, Any]:
    """A case without its answers, which are columns."""
    case = shown.case
    recipe = case.provenance.recipe
    options = "".join(f", {name} {value}" for name, value in recipe.options.items())
    severity = f", severity {recipe.severity}" if recipe.severity is not None else ""
    labelled = f", labelled {case.provenance.label.value}" if case.provenance.label else ""
    facts = {
        "id": case.id,
        "suite": shown.suite,
        "recipe": f"{recipe.transform}{options}, seed {recipe.seed}{severity}",
        "source pair": f"{case.origin}{labelled}, digest {case.provenance.source}",
        **case.provenance.edit.facts,
        **case.group,
    }
    return {
        "family": printable(shown.family),
        "groups": printable(", ".join(value for _, value in shown.groups)),
        "of": case.family,
        "folds": [[fold.kind, fold.sentences, [*map(list, fold.pieces)]] for fold in shown.folds],
        "hypothesis": [*map(list, shown.texts.hypothesis)],
        "remark": shown.texts.remark,
        "expects": case.expects,
        "label": shown.label,
        "why": printable(shown.why),
        "facts": [[printable(name), printable(str(value))] for name, value in facts.items()],
        "notes": {said.model: printable(said.note) for said in shown.said if said.note},
    }


LINK = re.compile(r'\b(href|src|action|data-cases)="(/[^"]*)"')
"""An address in a page. Text can't look like one, because its quotes are escaped."""

CASE = re.compile(r"(/runs/[^/?]+/cases)/(\d+)(\?.*)?")
STATIC = re.compile(r"/static/\w+/([\w.]+)")  # the address of a style sheet or script


class Files:
    """The file of each page.

    >>> files = Files({"/": "index.html", "/runs/a/cases": "runs/1/cases.html"})
    >>> files.relinked('<a href="/runs/a/cases?family=x&amp;label=y">', "compare/1.html")
    '<a href="../runs/1/cases.html?family=x&amp;label=y">'
    >>> files.relinked('<a href="/runs/a/cases/7?family=x">', "runs/1/cases.html")
    '<a href="cases.html?case=7&amp;family=x">'
    """

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages

    def relinked(self, page: str, file: str) -> str:
        """The page with links that work inside the folder."""

        def replaced(found: re.Match[str]) -> str:
            path, mark, query = self._target(unescape(found[2])).partition("?")
            near = quote(posixpath.relpath(path, posixpath.dirname(file)))
            return f'{found[1]}="{escape(near + mark + query)}"'

        return LINK.sub(replaced, page)

    def _target(self, address: str) -> str:
        if static := STATIC.fullmatch(address):
            return f"static/{static[1]}"
        if address in self._pages:
            return self._pages[address]
        if case := CASE.fullmatch(address):
            path, query = case[1], f"case={case[2]}" + (f"&{case[3][1:]}" if case[3] else "")
        else:
            path, _, query = address.partition("?")
        return f"{self._pages[path]}?{query}"


MOST = 100_000  # largest number of cases a run of a bundle may have: a browser holds their columns in memory
READER = TokenHolder("reader", Role.OWNER)  # the token holder for whom a bundle is written


class BundlePage(NamedTuple):
    address: str
    file: str
    view: View
    path: Mapping[str, str] = {}


def write_bundle(folder: Path, out: Path) -> int:
    """Write all pages of a folder of runs to a new folder, and say how many there are."""
    if out.exists():
        raise OutputExistsError(f"{out} already exists.\n  Choose another folder for --bundle, or delete this one.")
    site = Site(folder, background=Background(at_once=True))
    site.pages.tabs = (run_list.TAB, compare_models.TAB, study_pages.TAB)
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
            for name, script in scripts(site.indexes.get(each), each):
                _write(aside / _of_run(number, name), script)
        for name in addresses.BUNDLED:
            _write(aside / "static" / name, addresses.content(name))
    return len(sheets)


def _sheets(site: Site, found: list[RunOverview]) -> Iterator[BundlePage]:
    yield BundlePage("/", "index.html", run_list.show)
    yield BundlePage("/?labels=1", "by-label.html", run_list.show)
    for number, each in enumerate(found, 1):
        link, where = run_link(each.record.id), {"run": each.record.id}
        yield BundlePage(link, _of_run(number, "index.html"), run_page.show, where)
        yield BundlePage(f"{link}/cases", _of_run(number, "cases.html"), case_browser.show, where)
        for place, model in enumerate(threshold_view.curves_of(site.runs.whole(each.id)), 1):
            address = threshold_link(each.id, model)
            yield BundlePage(address, _of_run(number, f"threshold-{place}.html"), threshold_view.show, where)
    yield BundlePage("/compare", "compare.html", compare_models.show)
    for number, (one, other) in enumerate(compare_models.comparable(found), 1):
        yield BundlePage(compare_link(one, other), f"compare/{number}.html", compare_models.show)
    yield BundlePage("/studies", "studies.html", study_pages.show)
    for number, name in enumerate(study_pages.study_folders(site), 1):
        yield BundlePage(f"/studies/{quote(name)}", f"studies/{number}.html", study_pages.study, {"study": name})
    for number, name in enumerate(study_pages.suite_folders(site), 1):
        yield BundlePage(f"/audits/{quote(name)}", f"audits/{number}.html", study_pages.show_audit, {"suite": name})


def _of_run(number: int, name: str) -> str:
    return f"runs/{number}/{name}"


def _asked(site: Site, sheet: BundlePage) -> Response:
    """The answer of a server."""
    path, _, query = sheet.address.partition("?")
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []}
    scope |= {"scheme": "http", "server": ("bundle", 80)}
    return sheet.view(
        AuthorisedRequest(
            site=site, who=READER, path=sheet.path, query=QueryParams(query), body=b"", request=Request(scope)
        )
    )


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)
