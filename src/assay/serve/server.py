"""The server: a socket, and one line with the address. Requests are not logged, because they hold tokens."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from assay.core.errors import ExternalError, MissingExtraError, UserError
from assay.core.option_fields import SET, OptionInfo

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

LOOPBACK = "127.0.0.1"  # where we listen unless told otherwise
PORT = 8765  # the port that is tried first
SHORTEST = 20  # characters of a token that a person chose


class ServeOptions(msgspec.Struct, frozen=True, kw_only=True):
    show: Annotated[bool, OptionInfo("Open the browser.", "--open")] = False
    port: Annotated[
        int | None, OptionInfo("The port.", default="8765, or another that is free", at_least=0, at_most=65535)
    ] = None
    host: Annotated[str, OptionInfo("The address to listen on.")] = LOOPBACK
    names: Annotated[
        tuple[str, ...], OptionInfo("host names under which browsers may reach this server, joined by +.", SET)
    ] = ()
    token_file: Annotated[
        Path | None, OptionInfo("A file with the owner's token. Without it, each start makes a new one.", path="file")
    ] = None
    models: Annotated[
        tuple[str, ...],
        OptionInfo(
            "A model that may be run from the browser; may be repeated.", "--model", many=True, completes="models"
        ),
    ] = ()


def serve(folder: Path, options: ServeOptions, *, ready: Callable[[str], None]) -> None:
    """Serve a folder until stopped; `ready` is given the address, which contains the owner's token."""
    host, token = options.host, _token(options.token_file)
    with _extra():
        from assay.serve.access_tokens import Role, new_token
        from assay.serve.application import allowed_hosts, make_application
        from assay.serve.site import Site
    _must_be_there(folder)
    if not is_loopback(host) and token is None:
        raise UserError(
            f"Other machines can reach {host}, so choose a token yourself and keep it in a file that only you can read."
            "\n  Add --token-file FILE."
        )
    listening = _socket(host, options.port)
    number = listening.getsockname()[1]
    site = Site(folder, models=options.models, port=number)
    key = token or new_token()
    site.access.admit(key, "owner", Role.OWNER)
    app = make_application(site, hosts=allowed_hosts(host, number, options.names))
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{number}/?token={key}")
    try:
        http_server(app).run(sockets=[listening])
    finally:
        site.close()


def _token(path: Path | None) -> str | None:
    """The token in a file, which must be too long to guess."""
    if path is None:
        return None
    token = path.read_text(encoding="utf-8").strip()
    if len(token) < SHORTEST:
        raise UserError(f"{path}: a token needs {SHORTEST} characters or more.")
    return token


def http_server(app: "ASGIApp") -> "uvicorn.Server":
    import uvicorn

    from assay.serve.application import TimedProtocol

    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # anybody can send them, and be another visitor with each request
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,  # pages that watch a run stay connected
    )
    return uvicorn.Server(config)


def bundle_pages(folder: Path, out: Path) -> int:
    """Write the pages of a folder to another folder, and return their number."""
    with _extra():
        from assay.serve.bundle import write_bundle
    _must_be_there(folder)
    return write_bundle(folder, out)


@contextmanager
def _extra() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError("web", needed_for="The web application") from error


def _must_be_there(folder: Path) -> None:
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}.\n  `assay run` makes the folder `runs`; or name another.")


def is_loopback(host: str) -> bool:
    """True if only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _socket(host: str, port: int | None) -> socket.socket:
    """A socket at the named port, or else at the usual port or any free one."""
    failure: OSError | None = None
    for each in (PORT, 0) if port is None else (port,):
        try:
            made = socket.create_server((host, each), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
            # Otherwise the end of each answer waits until the browser has confirmed its beginning: about 40 ms.
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return made
        except OSError as error:
            failure = error
    raise ExternalError(f"Can't listen on {host}, port {port or 'any'}: {failure}.\n  Choose another --port.")
