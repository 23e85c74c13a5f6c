"""Replies of the chat protocol: the text without the reasoning, and the label in it."""

import json
import math
import re
from bisect import bisect
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from assay.core.case import DECIMALS
from assay.core.label import Label

ENOUGH = 0.5  # the fraction of a token's probability that labels must have
HARDLY_MORE = 0.001  # the largest logarithm of a probability, which is 0 but for rounding

TAG = re.compile(r"(?i)<(/?)(think|thinking|thought|reasoning)>")
"""The beginning or end of reasoning that a server leaves in the reply."""
REASONING_ENDS = re.compile(r"(?i)</(?:think|thinking|thought|reasoning)>|<\|channel\|>final<\|message\|>")
REASONING_BEGINS = re.compile(r"(?i)<(?:think|thinking|thought|reasoning)>|<\|channel\|>(?!final)")
"""Marks where reasoning that began in the prompt ends, and where truncated reasoning begins."""

FIELD = re.compile(r'"(?:label|answer|verdict)"\s*:\s*"([^"]*)"')  # a label as a field of JSON
AT_THE_END = r"(?:answer|label|verdict)\W{1,6}(?:is\W{1,3})?(?P<label>%s)\W*$"  # a label that a longer reply ends with
Words = Mapping[str, Label]  # the words to choose from, each with its label


class Usage(NamedTuple):
    """The tokens of one call, as the server counts them."""

    prompt: int = 0
    reply: int = 0


class ReplyChoice(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    is_cut: bool  # true if it was cut off at the limit of tokens
    tokens: tuple[Mapping[str, Any], ...] = ()  # its tokens with their most probable alternatives, if the server tells
    is_call: bool = False  # true if it calls the tool that takes the label
    usage: Usage = Usage()


def first_choice(body: bytes) -> ReplyChoice | None:
    try:
        reply = json.loads(body)
        choice = reply["choices"][0]
        message = choice["message"]
        whole = message.get("content") or ""
        calls = message.get("tool_calls") or []
        usage = reply.get("usage") or {}
        if not isinstance(whole, str):  # some servers reply in parts
            whole = "".join(part.get("text", "") for part in whole)
        text = without_reasoning(whole)
        return ReplyChoice(
            text=str(calls[0]["function"]["arguments"]) if calls else text,
            is_cut=choice.get("finish_reason") == "length",
            tokens=() if calls else _tokens(choice),
            is_call=bool(calls),
            usage=Usage(int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)),
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return None


def without_reasoning(text: str) -> str:
    """A reply without the model's reasoning.

    >>> without_reasoning("<think>It rains, so it is wet.</think> entailment"), without_reasoning("<think>It rai")
    ('entailment', '')
    """
    text = _without_whole(text)
    text = text[max((end.end() for end in REASONING_ENDS.finditer(text)), default=0) :]
    cut = REASONING_BEGINS.search(text)
    return (text[: cut.start()] if cut else text).strip()


def _without_whole(text: str) -> str:
    """A reply without complete blocks of reasoning; a regular expression for this would take quadratic time."""
    tags = [*TAG.finditer(text)]
    ends: dict[str, list[int]] = {}
    for tag in tags:
        if tag[1]:
            ends.setdefault(tag[2].casefold(), []).append(tag.end())
    kept, done = [], 0
    for tag in tags:
        later = ends.get(tag[2].casefold(), [])
        if not tag[1] and tag.start() >= done and (place := bisect(later, tag.end())) < len(later):
            kept.append(text[done : tag.start()])
            done = later[place]
    return "".join([*kept, text[done:]])


def _tokens(choice: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    content = [each for each in (choice.get("logprobs") or {}).get("content") or [] if isinstance(each, dict)]
    lists = [(each, each.get("top_logprobs")) for each in content]
    return tuple(each for each, top in lists if isinstance(top, list) and all(isinstance(one, dict) for one in top))


def from_logprobs(choice: ReplyChoice, words: Words, *, only_labels: bool = False) -> dict[Label, float] | None:
    """Probabilities of the labels, at the start of the reply or where its label begins.

    None if most of the probability is elsewhere; that does not matter if the server allows `only_labels`.
    """
    chosen = from_text(choice.text, words)
    for token in _places(choice, words, chosen):
        found = _shares(token, words, only_labels=only_labels)
        if found and (chosen is None or max(found, key=lambda label: found[label]) is chosen):
            return found
    return None


def _places(choice: ReplyChoice, words: Words, chosen: Label | None) -> Iterator[Mapping[str, Any]]:
    """The tokens at which a label may begin: the first token, and the one where the label in the text begins."""
    written = [str(token.get("token", "")) for token in choice.tokens]
    whole = "".join(written).lower()  # with reasoning, and with marks that a server does not pass on
    begins = [whole.rfind(choice.text.lower())] if choice.text else []
    begins += [whole.rfind(word.lower()) for word, label in words.items() if label is chosen]
    ends = [*accumulate(map(len, written))]
    for begin in dict.fromkeys(begins):
        if begin >= 0 and (place := bisect(ends, begin)) < len(ends):
            yield choice.tokens[place]


def _shares(token: Mapping[str, Any], words: Words, *, only_labels: bool) -> dict[Label, float] | None:
    shares = dict.fromkeys(words.values(), 0.0)
    for each in token["top_logprobs"]:
        start = str(each.get("token", "")).strip().strip("\"'*:").strip().lower()
        begun = [label for word, label in words.items() if start and word.lower().startswith(start)]
        if len(begun) == 1:
            logprob = each.get("logprob")  # if it is none, or not a number, it counts as if the server had not told
            is_known = isinstance(logprob, int | float) and logprob <= HARDLY_MORE
            shares[begun[0]] += math.exp(logprob) if is_known else 0.0
    total = sum(shares.values())
    if total < ENOUGH and not (only_labels and all(shares.values())):
        return None
    return {label: round(share / total, DECIMALS) for label, share in shares.items()}


def from_text(text: str, words: Words) -> Label | None:
    """The only label that a text names without negating it.

    >>> words = {"supported": Label.ENTAILMENT, "not supported": Label.NON_ENTAILMENT}
    >>> from_text('{"label": "supported"}', words), from_text("It is not supported.", words)
    (<Label.ENTAILMENT: 'entailment'>, <Label.NON_ENTAILMENT: 'non-entailment'>)
    >>> from_text("It is not an entailment.", {"entailment": Label.ENTAILMENT, "neutral": Label.NEUTRAL}) is None
    True
    """
    folded = {word.lower(): label for word, label in words.items()}
    text = text.lower()
    if (field := FIELD.search(text)) and (label := folded.get(field[1].strip())):
        return label
    named, at_the_end = _patterns(tuple(folded))
    if last := at_the_end.search(text.rstrip()):
        return folded[last["label"]]
    found = {(found["denied"] is not None, found["denied"] or found["label"]) for found in named.finditer(text)}
    if len(found) != 1:
        return None
    ((denied, word),) = found
    return None if denied else folded[word]


def begins_with(text: str, words: Words) -> bool:
    """True if a text begins with a label.

    >>> begins_with("**Neutral**, because", {"neutral": Label.NEUTRAL}), begins_with("Is it neutral", {"neutral": None})
    (True, False)
    """
    start = text.lower().lstrip(" \n\"'*`{[(")
    return any(re.match(rf"{re.escape(word.lower())}\b", start) for word in words)


@lru_cache(maxsize=32)
def _patterns(words: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for labels in a text, for negated ones, and for a label at its end; long labels are tried first."""
    longest = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    denied = rf"\b(?:not|no|non|neither|nor)\b\W*(?:an?\W+)?\b(?P<denied>{longest})\b"
    return re.compile(rf"\b(?P<label>{longest})\b|{denied}"), re.compile(AT_THE_END % longest)
