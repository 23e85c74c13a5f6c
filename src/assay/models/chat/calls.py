"""Calls to one endpoint: retried while that can help, at a pace that it accepts; errors never show the key."""

import json
import random
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from assay.core.errors import ModelError, UserError
from assay.models.chat.http_calls import Caller, Reply
from assay.models.chat.pace import Pace
from assay.models.chat.replies import Choice, first_choice

TOO_MUCH = frozenset({429, 503, 529})
"""HTTP statuses of a server that has too much to do."""

TRY_AGAIN = frozenset({408, 409, 425, 500, 502, 504}) | TOO_MUCH
"""HTTP statuses after which it is worth asking again."""

REFUSED = frozenset({400, 422})
"""HTTP statuses of a question that the server does not take."""

LONGEST_WAIT = 60.0
"""The most seconds between two attempts."""


class Refused(NamedTuple):
    """The server does not take a question."""

    reply: Reply


class Calls:
    """Sends questions to an address; safe to use from several threads."""

    def __init__(
        self,
        model: str,
        url: str,
        *,
        key: str,
        variable: str,
        retries: int,
        timeout: float,
        pace: Pace,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._who = f"openai:{model} at {url}"
        self._address = f"{url}/chat/completions"
        self._key = key
        self._variable = variable
        self._retries = retries
        self._pace = pace
        self._sleep = sleep
        self._caller = Caller(timeout=timeout)
        self._has_replied = False

    def ask(self, question: Mapping[str, Any]) -> Choice | Refused:
        """The first choice of a reply, or the refusal of a question that the server does not take.

        Until the server has replied once, what a wrong address or a stopped server causes is not tried again.
        """
        data = json.dumps(question).encode()
        last = Reply(0, b"")
        for attempt in range(self._retries + 1):
            if attempt:
                self._sleep(_pause(attempt, last.wait))
            with self._pace.turn():
                last = self._send(data)
            if last.status == 200 and (choice := first_choice(last.body)) is not None:
                self._pace.good()
                self._has_replied = True
                return choice
            if last.status in REFUSED:
                return Refused(last)
            if last.status in TOO_MUCH:
                self._pace.too_much(None if last.wait is None else min(LONGEST_WAIT, last.wait))
            elif last.status not in TRY_AGAIN and last.status not in (0, 200):
                break
            if not self._has_replied and (not last.connected or (last.status == 200 and last.is_markup)):
                break
        raise self.failure(last, attempts=attempt + 1)

    def _send(self, data: bytes) -> Reply:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        return self._caller.post(self._address, data, headers)

    def failure(self, last: Reply, *, attempts: int = 1) -> Exception:
        """The error for a reply that no further attempt will mend."""
        who = self._who
        if last.status in (401, 403):
            return UserError(
                f"{who} refused the key (HTTP {last.status}).\n  Set it in the environment: export {self._variable}=..."
            )
        if last.status == 404:
            return UserError(f"{who}: no such model or address (HTTP 404): {self.safe(last.body)}")
        if 300 <= last.status < 400:
            return UserError(
                f"{who} redirects elsewhere (HTTP {last.status}), which is refused: a key must not be sent "
                "to another host.\n  Give the final address."
            )
        tried = f" {attempts} times" if attempts > 1 else ""
        if last.status == 0:
            said = f"did not answer{tried}: {self.safe(last.fault)}"
        elif last.status == 200:
            said = f"answered{tried} with something that is not a reply: {self.safe(last.body)}"
        else:
            said = f"answered{tried} with HTTP {last.status}: {self.safe(last.body)}"
        if self._has_replied:
            return ModelError(f"{who} {said}\n  The answers so far are kept: run the same command again to continue.")
        return ModelError(f"{who} {said}\n  Check the address, and that the server is running.")

    def safe(self, text: str | bytes) -> str:
        """A short text to show, without the key."""
        shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        if self._key:
            shown = shown.replace(self._key, "***")
        return " ".join(shown.split())[:200] or "nothing"


def _pause(attempt: int, asked: float | None) -> float:
    """Seconds before the next attempt: what the server asks, or twice as long each time, with random jitter."""
    longest = min(LONGEST_WAIT, 0.5 * 2**attempt)
    return min(LONGEST_WAIT, asked) + random.random() / 4 if asked is not None else random.random() * longest  # noqa: S311
