"""How often one visitor may ask."""

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

RATE = 100.0
"""Requests per second that a visitor may keep up."""

BURST = 500.0
"""Requests that a visitor may make at once."""

VISITORS = 4096
"""How many visitors are remembered; those that were away longest are forgotten."""


class Buckets:
    """A bucket for each visitor, which fills steadily; a request takes something out.

    >>> buckets = Buckets(rate=1, burst=2, clock=lambda: 0.0)
    >>> [buckets.take("ana") for _ in range(3)], buckets.take("ben")
    ([True, True, False], True)
    """

    def __init__(self, *, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, visitor: str) -> bool:
        """Whether this visitor may go on."""
        now = self._clock()
        left, since = self._left.pop(visitor, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        self._left[visitor] = (left - 1 if left >= 1 else left), now
        if len(self._left) > VISITORS:
            self._left.popitem(last=False)
        return left >= 1


class Limits:
    """Refuses visitors that ask too often: a person with a session counts as one, everybody else by address."""

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
