"""What a reply of the chat protocol says: its first choice, and the label in it."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Literal

from assay.core.label import THREE_WAY, Label
from assay.core.prediction import DECIMALS, Answer

Way = Literal["logprobs", "schema", "text"]
WAYS: tuple[Way, ...] = ("logprobs", "schema", "text")
"""The ways to get a label, the best first."""

READ_FROM: dict[Way, str] = {
    "logprobs": "the first token's probabilities",
    "schema": "text under a schema",
    "text": "plain text",
}
"""What the label is read from in each way."""

ENOUGH = 0.5
"""The share of the first token's probability that labels must have."""

NAMED = re.compile(r"(?P<denied>\b(?:not|no|non)\b\W*(?:an?\W+)?)?\b(?P<label>entailment|neutral|contradiction)\b")
"""A label in a text, and whether it is negated."""


def first_choice(body: bytes) -> Mapping[str, Any] | None:
    """The first choice of a reply, if it has one."""
    try:
        reply = json.loads(body)
        choice = reply["choices"][0]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return None
    return choice if isinstance(choice, dict) and isinstance(choice.get("message"), dict) else None


def _tokens(choice: Mapping[str, Any]) -> list[Any]:
    content = (choice.get("logprobs") or {}).get("content") or [{}]
    found = content[0].get("top_logprobs") if isinstance(content[0], dict) else None
    return found if isinstance(found, list) else []


def has_logprobs(choice: Mapping[str, Any]) -> bool:
    return bool(_tokens(choice))


def from_logprobs(choice: Mapping[str, Any]) -> Answer | None:
    """Probabilities of the labels that the first token can begin; None if most of the probability is elsewhere."""
    shares = dict.fromkeys(THREE_WAY, 0.0)
    for each in _tokens(choice):
        token = str(each.get("token", "")).strip().strip("\"'*").lower()
        begun = [label for label in THREE_WAY if token and label.startswith(token)]
        if len(begun) == 1:
            shares[begun[0]] += math.exp(float(each.get("logprob", -math.inf)))
    total = sum(shares.values())
    if total < ENOUGH:
        return None
    probabilities = {label: round(share / total, DECIMALS) for label, share in shares.items()}
    best = max(shares, key=lambda label: shares[label])
    return Answer(label=best, probabilities=probabilities, read_from=READ_FROM["logprobs"])


def from_text(text: str) -> Label | None:
    """The one label that a text names and does not negate.

    >>> from_text('{"label": "neutral"}'), from_text("This is not entailment.")
    (<Label.NEUTRAL: 'neutral'>, None)
    """
    named = {(bool(found["denied"]), found["label"]) for found in NAMED.finditer(text.lower())}
    if len(named) != 1:
        return None
    ((denied, label),) = named
    return None if denied else Label(label)
