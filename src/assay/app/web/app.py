"""The application: the routes of all views, inside everything that guards them."""

from collections.abc import Collection

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import ASGIApp, Scope

from assay.app.web.gate import person
from assay.app.web.guard.headers import SafeHeaders
from assay.app.web.guard.hosts import Hosts
from assay.app.web.guard.limits import BURST, RATE, Limits
from assay.app.web.show import files
from assay.app.web.site import Site
from assay.app.web.views import VIEWS


def application(site: Site, *, hosts: Collection[str]) -> ASGIApp:
    """Everything that is served. `hosts` are the names that a browser may call this server by."""
    site.pages.tabs = tuple(view.TAB for view in VIEWS if hasattr(view, "TAB"))
    inner = Starlette(routes=[files.ROUTE, *(each for view in VIEWS for each in view.ROUTES)])
    inner.state.site = site

    def who(scope: Scope) -> str:
        known = person(site, Request(scope))
        client = scope.get("client")
        return f"person {known.session}" if known else f"address {client[0] if client else ''}"

    return SafeHeaders(Hosts(Limits(inner, who=who, rate=RATE, burst=BURST), hosts=hosts))
