"""Quirks of endpoints: refused fields, and ways to get a label."""

import re
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Literal

LIMITS = ("max_tokens", "max_completion_tokens")
"""Names for the maximum tokens of a reply; newer servers refuse the first."""

MAY_GO = ("temperature", "seed", "top_logprobs", "logprobs")
"""Fields that may be left out if a server refuses them. Leaving out the first two changes answers, so it is noted."""

REFUSAL = re.compile(
    r"unsupported|not supported|does not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|"
    r"extra inputs|extra fields|deprecated|not available|cannot be used|can't be used"
)


class ServerQuirks:
    """Adapts questions to one endpoint; safe to use from several threads."""

    def __init__(self) -> None:
        self._limit = 0
        self._left_out: dict[str, None] = {}
        self._lock = threading.Lock()

    def write_question(self, question: Mapping[str, Any], *, most: int) -> dict[str, Any]:
        """The request without refused fields, and with the field name that the endpoint takes for the token limit."""
        kept = {name: value for name, value in question.items() if name not in self._left_out}
        return kept if self._limit >= len(LIMITS) else {LIMITS[self._limit]: most, **kept}

    def learn(self, asked: Mapping[str, Any], refusal: str, *, keep: frozenset[str] = frozenset()) -> bool:
        """Learn from a refusal; True if the request can be repeated without the refused field.

        >>> dialect = ServerQuirks()
        >>> asked = dialect.write_question({"temperature": 0}, most=64)
        >>> dialect.learn(asked, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        True
        >>> dialect.write_question({"temperature": 0}, most=64)
        {'max_completion_tokens': 64, 'temperature': 0}
        """
        text = refusal.lower()
        if not REFUSAL.search(text):
            return False
        with self._lock:
            for place, name in enumerate(LIMITS):
                if name in asked and re.search(rf"\b{name}\b", text):
                    self._limit = max(self._limit, place + 1)
                    return True
            for name in MAY_GO:
                if name in asked and name not in keep and re.search(rf"\b{name}\b", text):
                    self._left_out[name] = None
                    return True
        return False

    def leave_out(self, *names: str) -> None:
        with self._lock:
            self._left_out.update(dict.fromkeys(names))

    @property
    def notes(self) -> list[str]:
        found = [name for name in ("temperature", "seed") if name in self._left_out]
        return [f"the endpoint refuses {name}, so its own default holds" for name in found]


Way = Literal["logprobs", "schema", "tools", "text"]
WAYS: tuple[Way, ...] = ("logprobs", "schema", "tools", "text")  # the ways, in the order in which they are tried

READ_FROM: dict[Way, str] = {
    "logprobs": "the label words' probabilities",
    "schema": "text under a schema",
    "tools": "a tool call",
    "text": "plain text",
}
"""Part of the reply with the label, by way."""

PROBABILITIES = {"logprobs": True, "top_logprobs": 20}

TOOL = "answer"


def fields_of(way: Way, words: Iterable[str]) -> dict[str, Any]:
    """Fields of a request beyond its messages; structured output asks for probabilities too."""
    schema = {
        "type": "object",
        "properties": {"label": {"type": "string", "enum": list(words)}},
        "required": ["label"],
        "additionalProperties": False,
    }
    if way == "logprobs":
        return dict(PROBABILITIES)
    if way == "schema":
        described = {"type": "json_schema", "json_schema": {"name": TOOL, "strict": True, "schema": schema}}
        return {"response_format": described, **PROBABILITIES}
    if way == "tools":
        tool = {"name": TOOL, "description": "Give the answer.", "parameters": schema}
        choice = {"type": "function", "function": {"name": TOOL}}
        return {"tools": [{"type": "function", "function": tool}], "tool_choice": choice}
    return {}
