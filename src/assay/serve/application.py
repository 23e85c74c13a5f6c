"""The application: the routes of all views, inside safe headers and allowed hosts."""

import asyncio
from collections.abc import Collection

import h11
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from assay.serve import addresses
from assay.serve.auth import BURST, RATE, Limits, person
from assay.serve.site import Site
from assay.serve.views import VIEWS

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Only files of this server, and no script or style inside a page."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""On every answer, also on errors."""


class SafeHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


LOOPBACK = ("127.0.0.1", "localhost", "[::1]")  # the names of this machine for itself


class Hosts:
    """Refuses a Host that is not ours (DNS rebinding), and an Origin that is not the Host (another site's page)."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts:
            refusal = PlainTextResponse(
                "This name is not known here. Open the address that assay serve printed, "
                "or start it with --set names=NAME.\n",
                status_code=421,
            )
            await refusal(scope, receive, send)
        elif origin is not None and origin.partition("://")[2] != host:
            await PlainTextResponse("Requests from other sites are refused.\n", status_code=403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def allowed_hosts(host: str, port: int, names: Collection[str] = ()) -> frozenset[str]:
    """Host names that a browser may use: those of this machine, the address that we listen on, and given names.

    >>> sorted(allowed_hosts("127.0.0.1", 8000))
    ['127.0.0.1:8000', '[::1]:8000', 'localhost:8000']
    """
    own = f"[{host}]" if ":" in host else host
    return frozenset(f"{name}:{port}" for name in (*LOOPBACK, own, *names))


def make_application(site: Site, *, hosts: Collection[str]) -> ASGIApp:
    """Everything that is served. `hosts` are the names by which a browser may address this server."""
    site.pages.tabs = tuple(view.TAB for view in VIEWS if hasattr(view, "TAB"))
    inner = Starlette(routes=[addresses.ROUTE, *(each for view in VIEWS for each in view.ROUTES)])
    inner.state.site = site

    def who(scope: Scope) -> str:
        known = person(site, Request(scope))
        client = scope.get("client")
        return f"person {known.session}" if known else f"address {client[0] if client else ''}"

    return SafeHeaders(Hosts(Limits(inner, who=who, rate=RATE, burst=BURST), hosts=hosts))


PATIENCE = 20.0
"""Seconds that a connection may take to send a request, from its first byte, or from its start, to its last."""

MOST_CONNECTIONS = 500  # how many there may be at once; more are closed at once


class TimedProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it. Uvicorn itself limits only the time between two requests."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait, if there is room."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._waiting = self.loop.call_later(PATIENCE, transport.close)

    def data_received(self, data: bytes) -> None:
        """Wait until the request is complete."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(PATIENCE, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
