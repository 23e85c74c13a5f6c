"""The style sheets and scripts: the report's own, and those of the application. Each is served from memory."""

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from assay.reports.write.page.document import SCRIPTS, asset, page_style

FOREVER = "public, max-age=31536000, immutable"
"""An address names the content, so it never changes."""

KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
"""What a browser must know about a file."""


def _own(name: str) -> str:
    return (files("assay.app.web") / "static" / name).read_text("utf-8")


FILES: Mapping[str, Callable[[], str]] = {
    "report.css": page_style,
    "report.js": lambda: "\n".join(map(asset, SCRIPTS)),
    "vega.js": lambda: asset("vega.js"),
    "app.css": lambda: _own("app.css"),
    "app.js": lambda: _own("app.js"),
    "annotate.css": lambda: _own("annotate.css"),
    "annotate.js": lambda: _own("annotate.js"),
    "board.js": lambda: _own("board.js"),
    "live.js": lambda: _own("live.js"),
    "bundle.js": lambda: _own("bundle.js"),
}
"""What there is, by name. Nothing else can be asked for."""

BUNDLED = ("report.css", "report.js", "vega.js", "app.css", "app.js", "live.js", "bundle.js")
"""What the pages of a bundle need."""


@cache
def content(name: str) -> bytes:
    """What a file holds."""
    return FILES[name]().encode()


@cache
def address(name: str) -> str:
    """Where a file is; the address changes with its content, so that browsers may keep it."""
    return f"/static/{sha256(content(name)).hexdigest()[:12]}/{name}"


async def _serve(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        return PlainTextResponse("There is no such file.\n", status_code=404)
    kind = KINDS[name.rpartition(".")[2]]
    return Response(content(name), media_type=kind, headers={"cache-control": FOREVER})


ROUTE = Route("/static/{digest}/{name}", _serve)
"""Files hold nothing that is anybody's, so the page that asks people to sign in can use them."""
