"""Only requests to an address that we were told about, from our own pages: no other site's name may point here."""

from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine for itself."""


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
                "or start it with --name and this name.\n",
                status_code=421,
            )
            await refusal(scope, receive, send)
        elif origin is not None and origin.partition("://")[2] != host:
            await PlainTextResponse("Requests from other sites are refused.\n", status_code=403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def allowed_hosts(host: str, port: int, names: Collection[str] = ()) -> frozenset[str]:
    """What a browser may call us: the names of this machine, the address that we listen on, and names that were given.

    >>> sorted(allowed_hosts("127.0.0.1", 8000))
    ['127.0.0.1:8000', '[::1]:8000', 'localhost:8000']
    """
    own = f"[{host}]" if ":" in host else host
    return frozenset(f"{name}:{port}" for name in (*LOOPBACK, own, *names))
