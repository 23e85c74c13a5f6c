"""One call over HTTP: limited in time and size, and never redirected to another host."""

import http.client
import io
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, NamedTuple

LARGEST = 4 * 2**20
"""The most bytes in a reply; a label with its probabilities takes a few thousand."""

CONNECTING = 10.0
"""The most seconds until there is a connection; the reply itself may take as long as the user allows."""


class Reply(NamedTuple):
    """The result of one call."""

    status: int
    """The HTTP status; 0 if there was no response at all."""
    body: bytes
    """What was sent."""
    wait: float | None = None
    """How many seconds the server asks to wait."""
    fault: str = ""
    """What went wrong with the connection."""
    connected: bool = True
    """Whether there was a connection at all."""

    @property
    def is_markup(self) -> bool:
        """Whether it is a page for a browser, such as a login page."""
        return self.body.lstrip().startswith(b"<")


class Caller:
    """Makes calls, each with a time limit."""

    def __init__(self, *, timeout: float) -> None:
        self.timeout = timeout
        self._opener = urllib.request.build_opener(_Http, _Https, _NoRedirect)

    def post(self, url: str, data: bytes, headers: Mapping[str, str]) -> Reply:
        """Send data to an address; errors are part of the reply."""
        request = urllib.request.Request(url, data, dict(headers))  # noqa: S310 - the caller checks that it is http
        try:
            with self._opener.open(request, timeout=self.timeout) as reply:
                return Reply(reply.status, _body(reply))
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, _rest(error), seconds_asked(error.headers.get("Retry-After")))
        except urllib.error.URLError as error:  # raised only until the request is sent
            return Reply(0, b"", fault=str(error.reason), connected=False)
        except (OSError, http.client.HTTPException) as error:
            return Reply(0, b"", fault=str(error) or type(error).__name__)


def seconds_asked(text: str | None) -> float | None:
    """How long a server asks to wait, in seconds or until a date.

    >>> seconds_asked("7"), seconds_asked("Wed, 21 Oct 2015 07:28:00 GMT"), seconds_asked("soon")
    (7.0, 0.0, None)
    """
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _body(reply: http.client.HTTPResponse) -> bytes:
    body = reply.read(LARGEST + 1)
    if len(body) > LARGEST:
        raise OSError(f"it sent more than {LARGEST // 2**20} MB")
    if reply.length:  # a bounded read does not raise this
        raise http.client.IncompleteRead(body, reply.length)
    return body


def _rest(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read(LARGEST)
    except (OSError, http.client.HTTPException):
        return b""


class _Punctual(io.RawIOBase):
    """A connection's bytes until a deadline: a server that sends a byte now and then gets no extra time."""

    def __init__(self, sock: Any, raw: Any, *, deadline: float) -> None:
        self._sock, self._raw, self._deadline = sock, raw, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._sock.settimeout(left)
        count: int | None = self._raw.readinto(buffer)
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: Any, *args: Any, deadline: float, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Punctual(sock, self.fp.detach(), deadline=deadline))


def _timed(kind: Any, host: str, *, timeout: float, **settings: Any) -> Any:
    """A connection with a deadline that counts from when it is made."""
    connection = kind(host, timeout=min(timeout, CONNECTING), **settings)
    connection.response_class = partial(_Response, deadline=time.monotonic() + timeout)
    return connection


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_timed, http.client.HTTPConnection), req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_timed, http.client.HTTPSConnection), req)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None: a redirect is an error, because a key must not be sent to another host."""
