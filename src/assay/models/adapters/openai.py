"""openai:MODEL@URL, any endpoint that speaks OpenAI's chat protocol: vLLM, llama.cpp, Ollama, or a hosted service."""

import json
import os
import re
import time
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from assay.core.errors import UserError
from assay.core.label import NAMES, THREE_WAY, Label
from assay.models.adapters.answer_parsing import Threshold
from assay.models.chat.endpoint import ChatEndpoint, How, Prices, tokenizer_of
from assay.models.chat.http_client import Calls, RateLimit, Server
from assay.models.chat.prompt import Prompt, read_prompt
from assay.storage.remote import read_key, secret_field

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # pattern of an environment variable's name

OPENAI_KEY = "OPENAI_API_KEY"

OURS = ("messages", "stream", "n")  # fields of a question that nobody else may set


class OpenAI(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint that speaks OpenAI's chat protocol: MODEL@URL, as in `qwen3@http://localhost:8000/v1`."""

    what: str
    """The model's name at the endpoint, and the address up to and including `/v1`."""
    template: str = ""
    """A file with the prompt: a text with `{premise}` and `{hypothesis}`, or TOML with labels and examples too."""
    system: str = ""
    """The system message."""
    key: str = OPENAI_KEY
    """The environment variable that holds the key; if it is not set, no key is sent."""
    answers: Literal["auto", "logprobs", "schema", "tools", "text"] = "auto"
    """Way to get the label; `auto` tries them once and uses the best that the endpoint offers."""
    unclear: str = "neutral"
    """The label that a reply without one counts as, after two requests; `stop` stops the run."""
    threshold: Threshold | None = None
    """For prompts with two words: the probability of entailment from which it is the answer."""
    max_tokens: int = 0
    """Maximum number of tokens of a reply; 0 starts with few and allows more where a reply is cut."""
    temperature: float = 0.0
    """Sampling temperature."""
    seed: int | None = None
    """The seed of the sampling, if the server takes one."""
    extra: str = ""
    """Further fields of a request, as JSON, such as `{"reasoning_effort": "low"}`."""
    concurrency: int = 8
    """Maximum number of calls to make at once; fewer are made while the server says that it is too much."""
    rate: float = 0.0
    """Maximum number of calls per minute; 0 for no limit."""
    retries: int = 6
    """Maximum number of retries of a call."""
    timeout: float = 120.0
    """Seconds to wait for a complete reply."""
    price_in: float = 0.0
    """Price of a million prompt tokens."""
    price_out: float = 0.0
    """Price of a million reply tokens."""
    tokenizer: str = ""
    """A tokenizer.json to count tokens with; by default the word pieces of `assay:minilm`."""

    def __post_init__(self) -> None:
        """Refuse invalid options before the name, which may contain a secret by mistake, is shown or stored."""
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
        if self.unclear.lower() not in (*NAMES, "stop"):
            raise UserError(f"unclear={self.unclear}: that is not a label; use {', '.join(THREE_WAY)}, or stop.")
        if self.concurrency < 1 or self.timeout <= 0 or self.retries < 0 or self.rate < 0:
            raise UserError("concurrency and timeout must be more than 0, retries and rate at least 0.")
        if min(self.max_tokens, self.temperature, self.price_in, self.price_out) < 0:
            raise UserError("max_tokens, temperature, price_in and price_out must be at least 0.")
        self._extra_fields()

    def open(
        self, *, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> ChatEndpoint:
        """Read the prompt and the key; nothing is sent yet. `sleep` and `clock` can be replaced in tests."""
        return self.open_with(self.prompt(), sleep=sleep, clock=clock)

    def open_with(
        self,
        prompt: Prompt,
        *,
        again: int = 0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> ChatEndpoint:
        """The same endpoint with another prompt, or for another run without cached answers."""
        model, url = self._parts()
        if self.tokenizer:
            tokenizer_of(self.tokenizer)  # a wrong path is an error now, not after the suites are built
        labels = [*prompt.words.values()]
        if self.threshold is not None and {*labels} != {Label.ENTAILMENT, Label.NON_ENTAILMENT}:
            raise UserError(
                f"threshold={self.threshold:g}: a threshold needs a prompt with two labels, not {', '.join(labels)}.\n"
                '  Give one (template=prompt.toml) with yes = "entailment" and no = "non-entailment" under [labels].'
            )
        how = How(
            model=model,
            url=url,
            prompt=prompt,
            answers=self.answers,
            unclear=self.unclear,
            temperature=self.temperature,
            seed=self.seed,
            max_tokens=self.max_tokens,
            extra=self._extra_fields(),
            threshold=msgspec.UNSET if self.threshold is None else self.threshold,
            again=again,
        )
        calls = Calls(
            Server(model, url, read_key(self.key), self.key, self.retries),
            timeout=self.timeout,
            pace=RateLimit(most=self.concurrency, rate=self.rate, sleep=sleep, clock=clock),
            sleep=sleep,
        )
        prices = Prices(self.price_in, self.price_out, self.tokenizer)
        return ChatEndpoint(how, calls, concurrency=self.concurrency, rate=self.rate, prices=prices)

    def prompt(self) -> Prompt:
        prompt = read_prompt(self.template) if self.template else Prompt()
        return msgspec.structs.replace(prompt, system=self.system) if self.system else prompt

    def _parts(self) -> tuple[str, str]:
        """The model's name and the address; empty if there is none."""
        model, found, rest = self.what.partition("@http")
        return model, f"http{rest}".rstrip("/") if found else ""

    def _check_key(self) -> None:
        """The error does not repeat the given text, because it may be the key itself."""
        named = VARIABLE.fullmatch(self.key) and (self.key == OPENAI_KEY or self.key in os.environ)
        if not named:
            raise UserError(
                "The option key must be the name of an environment variable that is set and holds the key, "
                "never the key itself.\n  export MY_KEY=..., and then openai:MODEL@URL?key=MY_KEY"
            )
        read_key(self.key)

    def _extra_fields(self) -> dict[str, Any]:
        try:
            found = json.loads(self.extra or "{}")
        except ValueError:
            found = None
        if not isinstance(found, dict) or any(field in found for field in OURS):
            raise UserError(
                'The option extra must be a JSON object, as in extra={"reasoning_effort": "low"}, '
                f"without {', '.join(OURS)}."
            )
        if field := secret_field(found):
            raise UserError(
                f"The option extra has a field {field!r}, which holds a key: it would be stored and shown.\n"
                "  Put the key into an environment variable, and name the variable: "
                "export MY_KEY=..., and then openai:MODEL@URL?key=MY_KEY"
            )
        return found
