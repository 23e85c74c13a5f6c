"""The ways to get a label from an endpoint, and what each adds to a question."""

from collections.abc import Iterable
from typing import Any, Literal

Way = Literal["logprobs", "schema", "tools", "text"]
WAYS: tuple[Way, ...] = ("logprobs", "schema", "tools", "text")
"""The ways, in the order in which they are tried."""

READ_FROM: dict[Way, str] = {
    "logprobs": "the label words' probabilities",
    "schema": "text under a schema",
    "tools": "a tool call",
    "text": "plain text",
}
"""What the label is read from in each way."""

PROBABILITIES = {"logprobs": True, "top_logprobs": 20}
"""Asks for the probabilities of tokens."""

TOOL = "answer"


def fields_of(way: Way, words: Iterable[str]) -> dict[str, Any]:
    """What a question has beyond its messages; structured output asks for probabilities too."""
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
