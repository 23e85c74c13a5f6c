"""openai:MODEL@URL, any endpoint that speaks OpenAI's chat protocol: vLLM, llama.cpp, Ollama, or a hosted service."""

import hashlib
import json
import os
import random
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from assay.core.case import Case
from assay.core.errors import BadInputError, ModelError, UserError
from assay.core.guard.keys import read_key
from assay.core.label import NAMES, THREE_WAY
from assay.core.prediction import Answer, Prediction
from assay.core.protocols import Texts
from assay.models.adapters.chat_replies import (
    READ_FROM,
    WAYS,
    Way,
    first_choice,
    from_logprobs,
    from_text,
    has_logprobs,
)
from assay.models.adapters.http_calls import Caller, Reply

PROMPT = """\
Premise: {premise}
Hypothesis: {hypothesis}
If the premise is true, is the hypothesis true (entailment), false (contradiction), or can it not be told (neutral)?
Answer with one word: entailment, neutral or contradiction.
"""

PLACES = re.compile(r"\{(premise|hypothesis)\}")
"""The placeholders for the texts of a pair in a prompt."""

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""What the name of an environment variable looks like."""

OPENAI_KEY = "OPENAI_API_KEY"

SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "answer",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"label": {"type": "string", "enum": list(THREE_WAY)}},
            "required": ["label"],
            "additionalProperties": False,
        },
    },
}

TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""HTTP statuses after which it is worth asking again."""

LONGEST_WAIT = 60.0
"""The most seconds between two attempts."""

CHARACTERS_A_TOKEN = 4
"""A rule of thumb, for estimates only."""


class OpenAI(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint that speaks OpenAI's chat protocol: MODEL@URL, as in `qwen3@http://localhost:8000/v1`."""

    what: str
    """The model's name there, and the address up to and including `/v1`."""
    template: str = ""
    """A file with the prompt, which contains `{premise}` and `{hypothesis}`."""
    key: str = OPENAI_KEY
    """The environment variable that holds the key; if it is not set, no key is sent."""
    answers: Literal["auto", "logprobs", "schema", "text"] = "auto"
    """How to get the label; `auto` uses the best way that the endpoint offers."""
    unclear: str = ""
    """The label that a reply without one counts as; if empty, such a reply stops the run."""
    concurrency: int = 8
    """How many calls to make at once."""
    rate: float = 0.0
    """The most calls per minute; 0 for no limit."""
    retries: int = 6
    """How often to retry a call."""
    timeout: float = 60.0
    """How many seconds to wait for a complete reply."""

    def __post_init__(self) -> None:
        """Refuse what can't be used before the name is shown or stored anywhere: it may contain a secret by mistake."""
        model, url = self._parts()
        try:
            address = urlsplit(url)
        except ValueError:
            address = urlsplit("")  # its error would repeat the address
        if not model or not address.hostname:
            raise UserError("openai: give a model and an address, as in 'openai:qwen3@http://localhost:8000/v1'.")
        if address.username or address.password or address.query or address.fragment:
            raise UserError("An address must not have a user, password or query: the key comes from the environment.")
        self._check_key()
        if self.unclear and self.unclear.lower() not in NAMES:
            raise UserError(f"unclear={self.unclear}: that is not a label; use {', '.join(THREE_WAY)}.")
        if self.concurrency < 1 or self.timeout <= 0 or self.retries < 0 or self.rate < 0:
            raise UserError("concurrency and timeout must be more than 0, retries and rate at least 0.")

    def open(self, *, sleep: Callable[[float], None] = time.sleep) -> "ChatEndpoint":
        """Read the prompt and the key; nothing is sent yet. `sleep` waits between two attempts."""
        return ChatEndpoint(*self._parts(), self._prompt(), self, sleep=sleep)

    def _parts(self) -> tuple[str, str]:
        """The model's name and the address; empty if there is none."""
        model, found, rest = self.what.partition("@http")
        return model, f"http{rest}".rstrip("/") if found else ""

    def _check_key(self) -> None:
        """The error does not repeat what was given, because it may be the key itself."""
        named = VARIABLE.fullmatch(self.key) and (self.key == OPENAI_KEY or self.key in os.environ)
        if not named:
            raise UserError(
                "The option key must be the name of an environment variable that is set and holds the key, "
                "never the key itself.\n  export MY_KEY=..., and then openai:MODEL@URL?key=MY_KEY"
            )
        read_key(self.key)

    def _prompt(self) -> str:
        if not self.template:
            return PROMPT
        try:
            text = Path(self.template).expanduser().read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInputError(f"not a readable template: {error}", where=self.template) from error
        if "{premise}" not in text or "{hypothesis}" not in text:
            raise BadInputError("a template must contain {premise} and {hypothesis}", where=self.template)
        return text


class ChatEndpoint:
    """Asks one pair per call; safe to use from several threads."""

    def __init__(
        self, model: str, url: str, prompt: str, settings: OpenAI, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.model, self.url, self.prompt, self.settings = model, url, prompt, settings
        self._key = read_key(settings.key)
        self._way: Way = WAYS[0] if settings.answers == "auto" else settings.answers
        self._lock = threading.Lock()
        self._next_call = 0.0
        self._sleep = sleep
        self._caller = Caller(timeout=settings.timeout)

    @property
    def identity(self) -> str:
        """Model, address, prompt and the way of asking; what is behind the address can't be known."""
        said = ("openai", self.model, self.url, self.prompt, self.settings.answers, self.settings.unclear)
        return hashlib.sha256(repr(said).encode()).hexdigest()

    @property
    def concurrency(self) -> int:
        """How many calls to make at once."""
        return self.settings.concurrency

    def estimate(self, calls: int, characters: int) -> str:
        """What this number of calls will cost, as far as it can be known in advance."""
        tokens = calls * len(self.prompt) // CHARACTERS_A_TOKEN + characters // CHARACTERS_A_TOKEN
        text = f"openai:{self.model}: {calls:,} calls, about {tokens:,} tokens of prompts and {calls * 8:,} of replies"
        if self.settings.rate:
            taken = _duration(60 * calls / self.settings.rate)
            return f"{text}; at least {taken} at {self.settings.rate:g} calls per minute."
        seconds = calls / self.concurrency
        return f"{text}; {_duration(seconds)} if each of {self.concurrency} calls at once takes a second."

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case, in order, one after the other."""
        return [self.answer_one(Texts(case.premise, case.hypothesis)).to(case.id) for case in cases]

    def answer_one(self, pair: Texts) -> Answer:
        """Ask until there is an answer."""
        asked = PLACES.sub(lambda place: str(getattr(pair, place[1])), self.prompt)
        while True:
            way = self._way
            message = self._call(asked, way)
            if message is None or (way == "logprobs" and not has_logprobs(message)):
                self._give_up(way)  # the endpoint does not offer this way
                continue
            return self._answer(message, way)

    def _give_up(self, way: Way) -> None:
        if self.settings.answers != "auto" or way == WAYS[-1]:
            raise ModelError(f"openai:{self.model} at {self.url} does not offer answers={way}.")
        with self._lock:
            if self._way == way:
                self._way = WAYS[WAYS.index(way) + 1]

    def _answer(self, choice: Mapping[str, Any], way: Way) -> Answer:
        if way == "logprobs" and (found := from_logprobs(choice)):
            return found
        text = str((choice.get("message") or {}).get("content") or "")
        read_from = READ_FROM["schema" if way == "schema" else "text"]
        if label := from_text(text):
            return Answer(label=label, read_from=read_from)
        if self.settings.unclear:
            label = NAMES[self.settings.unclear.lower()]
            return Answer(label=label, note=f"no label in the reply; counted as {label.value}")
        raise ModelError(
            f"openai:{self.model} replied without a label: {self._safe(text)!r}\n"
            "  Write a clearer prompt (option template=FILE), or say what such a reply counts as: unclear=neutral."
        )

    def _call(self, prompt: str, way: Way) -> Mapping[str, Any] | None:
        """The first choice of a reply; None if the endpoint refuses this way of asking."""
        data = json.dumps(self._question(prompt, way)).encode()
        last = Reply(0, b"")
        for attempt in range(self.settings.retries + 1):
            if attempt:
                self._sleep(_pause(attempt, last.wait))
            self._wait_for_turn()
            last = self._send(data)
            if last.status == 200 and (choice := first_choice(last.body)) is not None:
                return choice
            if last.status in (400, 422) and way != "text":
                return None
            if last.status not in TRY_AGAIN and last.status not in (0, 200):
                break
        raise self._failure(last)

    def _question(self, prompt: str, way: Way) -> dict[str, Any]:
        question: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": 16,
        }
        if way == "logprobs":
            question |= {"logprobs": True, "top_logprobs": 20}
        if way == "schema":
            question["response_format"] = SCHEMA
        return question

    def _send(self, data: bytes) -> Reply:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        return self._caller.post(f"{self.url}/chat/completions", data, headers)

    def _failure(self, last: Reply) -> Exception:
        who = f"openai:{self.model} at {self.url}"
        if last.status in (401, 403):
            return UserError(
                f"{who} refused the key (HTTP {last.status}).\n"
                f"  Set it in the environment: export {self.settings.key}=..."
            )
        if last.status == 404:
            return UserError(f"{who}: no such model or address (HTTP 404): {self._safe(last.body)}")
        if 300 <= last.status < 400:
            return UserError(
                f"{who} redirects elsewhere (HTTP {last.status}), which is refused: a key must not be sent "
                "to another host.\n  Give the final address."
            )
        tried = f" {self.settings.retries + 1} times" if last.status in TRY_AGAIN or last.status in (0, 200) else ""
        if last.status == 0:
            said = f"did not answer{tried}: {self._safe(last.fault)}"
        elif last.status == 200:
            said = f"answered{tried} with something that is not a reply: {self._safe(last.body)}"
        else:
            said = f"answered{tried} with HTTP {last.status}: {self._safe(last.body)}"
        return ModelError(f"{who} {said}\n  The answers so far are kept: run the same command again to continue.")

    def _safe(self, text: str | bytes) -> str:
        """A short text to show, without the key."""
        shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        if self._key:
            shown = shown.replace(self._key, "***")
        return " ".join(shown.split())[:200] or "nothing"

    def _wait_for_turn(self) -> None:
        if not self.settings.rate:
            return
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next_call)
            self._next_call = turn + 60 / self.settings.rate
        self._sleep(max(0.0, turn - now))


def _pause(attempt: int, asked: float | None) -> float:
    """Seconds before the next attempt: what the server asks, or twice as long each time, with random jitter."""
    longest = min(LONGEST_WAIT, 0.5 * 2**attempt)
    return min(LONGEST_WAIT, asked) + random.random() / 4 if asked is not None else random.random() * longest  # noqa: S311


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
