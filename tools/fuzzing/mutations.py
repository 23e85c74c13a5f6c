"""Inputs that nobody would write: good ones, changed at places drawn from a seed."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

LONGEST = 20_000
"""The most bytes of an input, but for the huge ones."""
HUGE = 2_000_000
"""The most bytes of a huge input, which one in a thousand is."""

TEXTS = (
    *("\0", "\ufeff", "\u2028", "\u202e", "\r", "\n", "\r\n", "\t", "\\", "'", '"', '"""', "`", ",", ";", ":", "="),
    *("#", "|", "&", "%", "?", "@", "{", "}", "[", "]", "(", ")", "<", ">", "{}", "[]", "null", "true", "NaN"),
    *("0", "-0", "-1", "1e999", "1e-999", "0x10", "9" * 400, "1/0", "2.5", "\u0663", "\xb2", "\uff11", "1,000,000"),
    *("\x1b[31m", "\x1b]0;x\x07", "\x9b2J", "../../x", "/etc/passwd", "C:\\x", "~", "*", "- ", "&a", "*a", "!!", "$"),
    *("<think>", "</think>", "entailment", "neutral", "not", "label", "premise", "hypothesis", "answer is ", "half"),
    *("\u0130", "ß", "\u017f", "e\u0301", "👩‍👩‍👧", "ﬁ", "שלום", "two", "dozens of", "the", "not only", "a", "U.S."),
    *("...", "1st", "-Infinity"),
)  # fmt: skip
TOKENS = (*(text.encode() for text in TEXTS), b"", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xff\xfe")
"""Pieces that readers stumble over."""

SCALARS = (None, True, False, 0, -1, 1 << 80, 1e308, -0.0, "", " ", "\0", "neutral", "-", "2", [], {}, [[]], "\ud800")
"""Values of other kinds than expected."""


def changed(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """The input with up to six changes."""
    for _ in range(rng.randint(1, 6)):
        place = rng.randint(0, len(data))
        end = min(len(data), place + rng.choice((1, 1, 2, 5, 20, 200)))
        match rng.randrange(8):
            case 0:
                data = data[:place] + data[end:]
            case 1:
                data = data[:place] + data[place:end] * rng.choice((2, 3, 50, 1000)) + data[end:]
            case 2 if place < len(data):
                data = data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]
            case 3:
                data = data[:place]
            case 4:
                other = rng.choice(others)
                cut = rng.randint(0, len(other))
                data = data[:place] + other[cut : cut + rng.choice((3, 30, 3000))] + data[end:]
            case 5:
                data = data[:place] + rng.choice(TOKENS) * rng.choice((1, 1, 1, 2, 30, 3000)) + data[end:]
            case _:
                data = data[:place] + rng.choice(TOKENS) + data[end:]
        data = data[:LONGEST]
    if rng.random() < 0.001 and data:
        place = rng.randrange(len(data))
        piece = data[place : place + rng.choice((1, 2, 10, 100))]
        data = data[:place] + piece * (HUGE // len(piece)) + data[place:]
    return data


def changed_json(value: Any, rng: Random, others: Sequence[bytes]) -> Any:
    """A value of JSON with something else in one place."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice([*value])
        if rng.random() < 0.1:
            return {other: each for other, each in value.items() if other != name}
        return {**value, name: changed_json(value[name], rng, others)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        return [*value[:place], changed_json(value[place], rng, others), *value[place + 1 :]]
    if isinstance(value, str) and rng.random() < 0.7:
        return changed(value.encode("utf-8", "replace"), rng, others).decode("utf-8", "replace")
    if isinstance(value, int | float) and rng.random() < 0.5:
        return value * rng.choice((-1, 0, 2, 10**6, 0.1)) + rng.choice((0, 1, -1))
    return rng.choice(SCALARS)


def changed_as_json(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """An input of JSON that stays JSON, with up to four other values; now and then, any bytes."""
    if rng.random() < 0.1:
        return changed(data, rng, others)
    value = json.loads(data)
    for _ in range(rng.randint(1, 4)):
        value = changed_json(value, rng, others)
    return json.dumps(value).encode()
