"""The checks that every request passes: session, permission, CSRF token and size of the body."""

import logging
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from assay.core.errors import AssayError, UnknownNameError, UserError
from assay.reports.page.html_page import Frame
from assay.serve.access_tokens import Role, TokenHolder, is_same
from assay.serve.background import PendingError
from assay.serve.html_pages import PageStep
from assay.serve.site import Site

RATE = 100.0  # requests per second that a visitor may keep up
BURST = 500.0  # requests that a visitor may make at once
VISITORS = 4096  # largest number of visitors that are remembered; those that were away longest are forgotten


class Buckets:
    """A token bucket for each visitor, which fills steadily; each request takes a token.

    >>> buckets = Buckets(rate=1, burst=2, clock=lambda: 0.0)
    >>> [buckets.take("ana") for _ in range(3)], buckets.take("ben")
    ([True, True, False], True)
    """

    def __init__(self, *, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, visitor: str) -> bool:
        """True if this visitor may send another request."""
        now = self._clock()
        left, since = self._left.pop(visitor, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        self._left[visitor] = (left - 1 if left >= 1 else left), now
        if len(self._left) > VISITORS:
            self._left.popitem(last=False)
        return left >= 1


class Limits:
    """Rate limit: visitors with a session count by session, all others by address."""

    def __init__(self, app: ASGIApp, *, who: Callable[[Scope], str], rate: float = RATE, burst: float = BURST) -> None:
        self._app = app
        self._who = who
        self._buckets = Buckets(rate=rate, burst=burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._buckets.take(self._who(scope)):
            refusal = PlainTextResponse("Too many requests. Wait a moment.\n", 429, headers={"retry-after": "1"})
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)


T = TypeVar("T")
LOG = logging.getLogger("assay.web")  # where errors of our own go; never an address, which may hold a token
BODY = 1 << 20  # bytes; the longest body that is read
FIELDS = 1000  # maximum number of fields of a form
TASK = "/task"  # where annotators find their task
API = "/api/"  # addresses for programs, which get JSON and no pages
SAFE = frozenset({"GET", "HEAD"})  # methods that change nothing
WRONG_TOKENS = Buckets(rate=0.2, burst=10)  # failed attempts with a token that are allowed for each address


class HttpError(Exception):
    """A request that is refused with an explanation."""

    def __init__(self, status: int, fact: str, hint: str = "") -> None:
        super().__init__(fact)
        self.status, self.fact, self.hint = status, fact, hint


@dataclass(frozen=True, kw_only=True)
class AuthorisedRequest:
    site: Site
    who: TokenHolder
    path: Mapping[str, str]  # the named parts of the address
    query: QueryParams
    body: bytes
    request: Request

    def form(self) -> dict[str, str]:
        """The fields of a form; the last value of each."""
        try:
            return dict(parse_qsl(self.body.decode(errors="replace"), keep_blank_values=True, max_num_fields=FIELDS))
        except ValueError as error:
            raise HttpError(413, f"At most {FIELDS:,} fields can be sent at once.") from error

    def json(self, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(self.body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise HttpError(422, f"The body can't be read: {error}") from error

    def asked_for(self, kind: type[T], *, several: Sequence[str] = ()) -> T:
        """The query as a struct; `several` names the fields that may be repeated."""
        given: dict[str, Any] = {name: self.query.getlist(name) for name in several if name in self.query}
        given |= {name: value for name, value in self.query.items() if name not in several}
        try:
            return msgspec.convert(given, kind, strict=False)
        except msgspec.ValidationError as error:
            raise HttpError(422, f"The address can't be read: {error}") from error

    def page(self, template: str, *, status: int = 200, **known: Any) -> Response:
        return self.site.pages.answer(template, who=self.who, status=status, path=self.request.url.path, **known)

    def part(self, template: str, **known: Any) -> Markup:
        return self.site.pages.part(template, csrf=self.who.csrf, is_bundle=self.site.pages.is_bundle, **known)

    def frame(self, *trail: PageStep, cases: str = "", labels: str = "") -> Frame:
        """The frame of a report page that is served here."""
        return self.site.pages.frame(who=self.who, path=self.request.url.path, trail=trail, cases=cases, labels=labels)


def json_response(thing: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(thing), status, media_type="application/json")


View = Callable[[AuthorisedRequest], Response]  # a view: it runs in a thread, so it may take its time


def routes_for(
    path: str, view: View, *, role: Role = Role.OWNER, methods: Sequence[str] = ("GET",), longest: int = BODY
) -> Route:
    """A route that people with this role may use; the owner may use all of them. `longest` limits the body."""

    async def endpoint(request: Request) -> Response:
        site: Site = request.app.state.site
        try:
            if "token" in request.query_params:
                return _signed_in(site, request)
            asked = await _asked(site, request, role, longest)
            return await run_in_threadpool(view, asked)
        except PendingError as pending:
            if request.url.path.startswith(API):
                return _explained(site, request, 503, f"{pending}.", f"{pending.share or 0:.0%} are done. Ask again.")
            known = {"title": pending.title, "share": pending.share, "run": pending.run}
            return site.pages.answer("wait.html", who=person(site, request), status=202, path=request.url.path, **known)
        except HttpError as refused:
            return _explained(site, request, refused.status, refused.fact, refused.hint)
        except AssayError as error:
            fact, _, hint = str(error).partition("\n")
            status = 404 if isinstance(error, UnknownNameError) else 422 if isinstance(error, UserError) else 500
            return _explained(site, request, status, fact, hint)
        except Exception:  # noqa: BLE001 - one broken page must not end the server, and its reader should know
            LOG.error("An error in Assay:\n%s", traceback.format_exc())
            return _explained(site, request, 500, "Something went wrong in Assay.", "The terminal says what.")

    made = Route(path, endpoint, methods=[*methods], name=f"{'/'.join(methods)} {path}")
    made.role = role  # type: ignore[attr-defined]  # a test goes through the routes of each role
    return made


async def _asked(site: Site, request: Request, role: Role, longest: int) -> AuthorisedRequest:
    who = person(site, request)
    if who is None:
        raise HttpError(
            401,
            "You are not signed in.",
            "Open the address that assay serve printed in its terminal, or ask the person who runs the server for it. "
            "After that, links open in this browser until the server is restarted with another token.",
        )
    if who.role not in (role, Role.OWNER):
        raise HttpError(
            403, "Only the owner may open this page.", "Your own task is behind the address that you were given."
        )
    body = await _body(request, longest)
    asked = AuthorisedRequest(
        site=site, who=who, path=request.path_params, query=request.query_params, body=body, request=request
    )
    if request.method not in SAFE and not is_same(_csrf(asked), who.csrf):
        raise HttpError(403, "This change did not come from a page of Assay.", "Reload the page, and try again.")
    return asked


def person(site: Site, request: Request) -> TokenHolder | None:
    """The person, by their cookie. Task pages have their own cookie, so that the owner can try an invitation."""
    is_task = f"{request.url.path}/".startswith((f"{TASK}/", f"/api{TASK}/"))
    own = site.access.by_session(request.cookies.get(site.task_cookie, "")) if is_task else None
    return own or site.access.by_session(request.cookies.get(site.cookie, ""))


async def _body(request: Request, longest: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > longest:
            raise HttpError(413, f"At most {longest:,} bytes can be sent at once.")
    return bytes(body)


def _csrf(asked: AuthorisedRequest) -> str:
    header = asked.request.headers.get("x-csrf")
    is_form = asked.request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    return header if header is not None else asked.form().get("csrf", "") if is_form else ""


def _signed_in(site: Site, request: Request) -> Response:
    """Replace the token in the address by a cookie, so that the address can be shared."""
    address = request.client.host if request.client else ""
    who = site.access.by_token(request.query_params["token"])
    if who is None:
        if not WRONG_TOKENS.take(address):
            raise HttpError(429, "Too many wrong tokens.", "Wait a few minutes.")
        raise HttpError(401, "This token is not known.", "Open the address that assay serve printed last.")
    clean = request.url.remove_query_params("token")
    answer = RedirectResponse(clean.path + (f"?{clean.query}" if clean.query else ""), status_code=303)
    answer.set_cookie(
        site.task_cookie if who.role is Role.ANNOTATOR else site.cookie,
        who.session,
        httponly=True,
        samesite="lax",
        path="/",
        secure=request.url.scheme == "https",
    )
    return answer


def _explained(site: Site, request: Request, status: int, fact: str, hint: str) -> Response:
    if request.url.path.startswith(API):
        return json_response({"error": fact, "hint": hint.strip()}, status)
    return site.pages.answer(
        "refused.html", who=person(site, request), status=status, path=request.url.path, fact=fact, hint=hint.strip()
    )
