"""What a server may reply: reasoning in any state, and probabilities that are none."""

import json
from typing import Any

import pytest

from assay.core.label import Label
from assay.models.chat.reply import first_choice, from_logprobs, without_reasoning

WORDS = {"entailment": Label.ENTAILMENT, "neutral": Label.NEUTRAL}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think> neutral", "neutral"),
        ("neutral <THINK>a</think> or <thought>b</thought> not", "neutral  or  not"),
        ("begun in the prompt </think> neutral", "neutral"),
        ("<think>a <think>b</think> neutral", "neutral"),
        ("<think>a</thought> neutral", "neutral"),
        ("neutral <reasoning>cut off", "neutral"),
        ("<think>one</think><thinking>two</thinking>three<think>four", "three"),
        ("<|channel|>analysis<|message|>hm<|channel|>final<|message|>neutral", "neutral"),
        ("<|channel|>analysis<|message|>cut off", ""),
    ],
)
def test_reasoning_is_left_out_however_it_begins_and_ends(text: str, left: str) -> None:
    assert without_reasoning(text) == left


def test_four_megabytes_of_broken_reasoning_are_read() -> None:
    """The work grows with the text: its square would take hours."""
    for piece in ("<think>", "</think>", "x", "<thought></think>"):
        assert without_reasoning(piece * (4_000_000 // len(piece))) in ("", "x" * 4_000_000)


def reply(*logprobs: Any) -> bytes:
    top = [{"token": token, "logprob": each} for token, each in zip(("neutral", "entailment"), logprobs, strict=True)]
    tokens = {"content": [{"token": "neutral", "top_logprobs": top}]}
    return json.dumps({"choices": [{"message": {"content": "neutral"}, "logprobs": tokens}]}).encode()


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 5, 1e308, "much", None, {}, 10**400])
def test_a_logarithm_that_is_none_counts_as_not_told(bad: Any) -> None:
    choice = first_choice(reply(-0.1, bad))
    assert choice is not None
    assert from_logprobs(choice, WORDS) == {Label.ENTAILMENT: 0.0, Label.NEUTRAL: 1.0}
    choice = first_choice(reply(bad, bad))
    assert choice is not None
    assert from_logprobs(choice, WORDS) is None


@pytest.mark.parametrize("alternatives", [["neutral"], [None], {"token": "neutral"}, 3])
def test_alternatives_that_are_none_are_left_out(alternatives: Any) -> None:
    tokens = {"content": [{"token": "neutral", "top_logprobs": alternatives}]}
    choice = first_choice(json.dumps({"choices": [{"message": {"content": "neutral"}, "logprobs": tokens}]}).encode())
    assert choice is not None
    assert not choice.tokens
