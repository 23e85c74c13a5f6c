"""Calls to one endpoint over HTTP: limited, retried, and at a rate that the server accepts."""

import http.client
import io
import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, NamedTuple

from assay.core.errors import ModelError, UserError
from assay.models.chat.reply import ReplyChoice, first_choice

LARGEST = 4 * 2**20  # maximum number of bytes in a reply; a label with its probabilities takes a few thousand

CONNECTING = 10.0
"""Maximum number of seconds until there is a connection; the reply itself may take as long as the user allows."""


class Reply(NamedTuple):
    status: int  # the HTTP status; 0 if there was no response at all
    body: bytes
    wait: float | None = None  # seconds that the server asks to wait
    fault: str = ""
    connected: bool = True  # true if there was a connection at all

    @property
    def is_markup(self) -> bool:
        """True if it is a page for a browser, such as a login page."""
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
    """The number of seconds that a server asks to wait, from seconds or a date.

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
    """A connection with a deadline: a server that sends a byte now and then gets no extra time."""

    def __init__(self, sock: Any, raw: Any, *, deadline: float) -> None:
        self._sock, self._raw, self._deadline = sock, raw, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: Any, *args: Any, deadline: float, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Punctual(sock, self.fp.detach(), deadline=deadline))


def _open_timed(kind: Any, host: str, *, timeout: float, **settings: Any) -> Any:
    """A connection with a deadline that counts from when it is made."""
    connection = kind(host, timeout=min(timeout, CONNECTING), **settings)
    connection.response_class = partial(_Response, deadline=time.monotonic() + timeout)
    return connection


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_open_timed, http.client.HTTPConnection), req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_open_timed, http.client.HTTPSConnection), req)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None: a redirect is an error, because a key must not be sent to another host."""


GROWS_AFTER = 10  # successful replies in a row, per parallel call, after which one more parallel call is allowed


class RateLimit:
    """Lets calls through; safe to use from several threads.

    >>> pace = RateLimit(most=8)
    >>> pace.too_much(None)
    >>> pace.at_once
    4
    """

    def __init__(
        self,
        *,
        most: int,
        rate: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.at_once = most
        self._most = most
        self._rate = rate
        self._sleep = sleep
        self._clock = clock
        self._open = 0
        self._good = 0
        self._resumes = 0.0
        self._next_call = 0.0
        self._free = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until another call may be made, and count it as open."""
        with self._free:
            self._free.wait_for(lambda: self._open < self.at_once)
            self._open += 1
            now = self._clock()
            turn = max(now, self._resumes, self._next_call)
            if self._rate:
                self._next_call = turn + 60 / self._rate
        try:
            if turn > now:
                self._sleep(turn - now)
            yield
        finally:
            with self._free:
                self._open -= 1
                self._free.notify_all()

    def too_much(self, wait: float | None) -> None:
        """The server got too many calls: halve the number of open calls, and wait as long as it asks."""
        with self._free:
            self.at_once = max(1, self.at_once // 2)
            self._good = 0
            self._resumes = max(self._resumes, self._clock() + (wait or 0.0))

    def good(self) -> None:
        with self._free:
            self._good += 1
            if self.at_once < self._most and self._good >= GROWS_AFTER * self.at_once:
                self.at_once += 1
                self._good = 0
                self._free.notify_all()


TOO_MUCH = frozenset({429, 503, 529})  # HTTP statuses of a server that has too much to do
TRY_AGAIN = frozenset({408, 409, 425, 500, 502, 504}) | TOO_MUCH  # HTTP statuses after which it is worth asking again
REFUSED = frozenset({400, 422})  # HTTP statuses of a question that the server does not take
LONGEST_WAIT = 60.0  # maximum number of seconds between two attempts


class Server(NamedTuple):
    model: str
    url: str
    key: str
    variable: str  # the environment variable that holds the key
    retries: int


class Calls:
    """Sends questions to an address; safe to use from several threads."""

    def __init__(
        self, server: Server, *, timeout: float, pace: RateLimit, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._server = server
        self._who = f"openai:{server.model} at {server.url}"
        self._pace = pace
        self._sleep = sleep
        self._caller = Caller(timeout=timeout)
        self._has_replied = False

    def ask(self, question: Mapping[str, Any]) -> ReplyChoice | Reply:
        """The first choice of a reply, or the server's refusal of the question.

        Until the server has replied once, what a wrong address or a stopped server causes is not tried again.
        """
        data, headers = json.dumps(question).encode(), {"Content-Type": "application/json"}
        if self._server.key:
            headers["Authorization"] = f"Bearer {self._server.key}"
        last = Reply(0, b"")
        for attempt in range(self._server.retries + 1):
            if attempt:
                jitter = random.random()  # noqa: S311
                # What the server asks for, or twice as long each time.
                doubled = jitter * min(LONGEST_WAIT, 0.5 * 2**attempt)
                self._sleep(doubled if last.wait is None else min(LONGEST_WAIT, last.wait) + jitter / 4)
            with self._pace.turn():
                last = self._caller.post(f"{self._server.url}/chat/completions", data, headers)
            if last.status == 200 and (choice := first_choice(last.body)) is not None:
                self._pace.good()
                self._has_replied = True
                return choice
            if last.status in REFUSED:
                return last
            if last.status in TOO_MUCH:
                self._pace.too_much(None if last.wait is None else min(LONGEST_WAIT, last.wait))
            elif last.status not in TRY_AGAIN and last.status not in (0, 200):
                break
            if not self._has_replied and (not last.connected or (last.status == 200 and last.is_markup)):
                break
        raise self.failure(last, attempts=attempt + 1)

    def failure(self, last: Reply, *, attempts: int = 1) -> Exception:
        """The error for a reply that another attempt would not change."""
        who = self._who
        if last.status in (401, 403):
            return UserError(
                f"{who} refused the key (HTTP {last.status}).\n"
                f"  Set it in the environment: export {self._server.variable}=..."
            )
        if last.status == 404:
            return UserError(f"{who}: no such model or address (HTTP 404): {self.safe(last.body)}")
        if 300 <= last.status < 400:
            return UserError(
                f"{who} redirects to another address (HTTP {last.status}). Assay does not follow it: a key must not "
                "be sent to another host.\n  Give the final address."
            )
        tried = f" {attempts} times" if attempts > 1 else ""
        if last.status == 0:
            said = f"did not answer{tried}: {self.safe(last.fault)}"
        elif last.status == 200:
            said = f"answered{tried} with something that is not a reply: {self.safe(last.body)}"
        else:
            said = f"answered{tried} with HTTP {last.status}: {self.safe(last.body)}"
        if self._has_replied:
            return ModelError(f"{who} {said}\n  The answers so far are stored: run the same command again to continue.")
        return ModelError(f"{who} {said}\n  Check the address, and that the server is running.")

    def safe(self, text: str | bytes) -> str:
        """A short text to show, without the key."""
        shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        if self._server.key:
            shown = shown.replace(self._server.key, "***")
        return " ".join(shown.split())[:200] or "nothing"
