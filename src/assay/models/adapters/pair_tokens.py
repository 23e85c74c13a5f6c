"""Pairs to tokens, prompts and batches; texts that are too long are cut off and marked."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import BadInputError, UserError
from assay.core.protocols import Ready, Texts


class Tokens(NamedTuple):
    """A pair, or a text, as numbers."""

    ids: list[int]
    types: list[int]  # the index of the text to which each token belongs


class TokenTables:
    def __init__(self, *, longest: int, padding: int) -> None:
        self.longest = longest
        """Maximum number of tokens in a pair or a prompt."""
        self.padding = padding

    def arrays(self, batch: Sequence[Ready], width: int) -> dict[str, NDArray[np.int64]]:
        """Tokens as tables, each row padded to the width."""
        shape = (len(batch), width)
        ids = np.full(shape, self.padding, dtype=np.int64)  # (pairs, width), as all three
        mask, types = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for row, each in enumerate(batch):
            tokens: Tokens = each.content
            ids[row, : each.size] = tokens.ids
            mask[row, : each.size] = 1
            types[row, : each.size] = tokens.types
        return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


class PairTokens(TokenTables):
    """A tokenizer of the `tokenizers` library, with the limits of a model."""

    def __init__(self, tokenizer: Any, *, longest: int, padding: int) -> None:
        from tokenizers import Tokenizer

        super().__init__(longest=longest, padding=padding)
        written = tokenizer.to_str()
        self._whole, self._cutting = Tokenizer.from_str(written), Tokenizer.from_str(written)
        self._whole.no_truncation()
        self._whole.no_padding()
        self._cutting.no_padding()
        self._cutting.enable_truncation(longest, strategy="only_first")

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Pairs as tokens; if a pair is too long, the end of its premise is cut off."""
        encoded = self._whole.encode_batch_fast([tuple(pair) for pair in pairs])
        return [
            self._ready(each) if len(each) <= self.longest else self._cut(pair)
            for pair, each in zip(pairs, encoded, strict=True)
        ]

    def count(self, pairs: Sequence[Texts]) -> list[int]:
        """Number of tokens of each pair before truncation."""
        return [len(each) for each in self._whole.encode_batch_fast([tuple(pair) for pair in pairs])]

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Single texts as tokens; if a text is too long, its end is cut off."""
        encoded = self._whole.encode_batch_fast(list(texts))
        return [
            self._ready(each) if len(each) <= self.longest else self._ready(self._cutting.encode(text), truncated=True)
            for text, each in zip(texts, encoded, strict=True)
        ]

    def _cut(self, pair: Texts) -> Ready:
        try:
            return self._ready(self._cutting.encode(*pair), truncated=True)
        except Exception:  # noqa: BLE001 - the library has no error class for a hypothesis that leaves no room
            return Ready(Tokens([], []), 0, truncated=True, fits=False)

    def _ready(self, encoding: Any, *, truncated: bool = False) -> Ready:
        return Ready(Tokens(encoding.ids, encoding.type_ids), len(encoding), truncated)


PROMPT = """\
Evidence: {premise}
Claim: {hypothesis}
Does the evidence support the claim? Answer yes or no.
Answer:"""

PREMISE, HYPOTHESIS = "{premise}", "{hypothesis}"


def read_prompt(file: str) -> str:
    """The prompt in a file, without the final line break; the default prompt if there is no file."""
    if not file:
        return PROMPT
    try:
        text = Path(file).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"not a readable prompt: {error}", where=file) from error
    if text.count(PREMISE) != 1 or HYPOTHESIS not in text:
        raise BadInputError(f"a prompt must contain {PREMISE} once, and {HYPOTHESIS}", where=file)
    return text.rstrip("\n")


class PromptTokens(TokenTables):
    """A tokenizer of the `tokenizers` library and a prompt, with the limits of a model."""

    def __init__(self, tokenizer: Any, prompt: str, *, longest: int, padding: int, ending: int | None = None) -> None:
        from tokenizers import Tokenizer

        super().__init__(longest=longest, padding=padding)
        self.prompt = prompt
        self.ending = ending
        """A token that must not end a prompt, because the answer follows it."""
        self._tokenizer = Tokenizer.from_str(tokenizer.to_str())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Pairs as prompts; if one is too long, the end of its premise is cut off."""
        return [self._ready(pair) for pair in pairs]

    def count(self, pairs: Sequence[Texts]) -> list[int]:
        """Number of tokens of each prompt before truncation."""
        return [len(self._ids(pair)) for pair in pairs]

    def _ready(self, pair: Texts) -> Ready:
        ids = self._ids(pair)
        truncated = False
        while len(ids) > self.longest:
            pair = self._shorter(pair, by=len(ids) - self.longest)
            ids, truncated = self._ids(pair), True
        return Ready(Tokens(ids, [0] * len(ids)), len(ids), truncated)

    def _ids(self, pair: Texts) -> list[int]:
        """The tokens of a prompt. The premise is filled in last, so that nothing in it is taken for a placeholder."""
        before, after = (part.replace(HYPOTHESIS, pair.hypothesis) for part in self.prompt.split(PREMISE))
        ids: list[int] = self._tokenizer.encode(f"{before}{pair.premise}{after}").ids
        return ids[:-1] if ids and ids[-1] == self.ending else ids

    def _shorter(self, pair: Texts, *, by: int) -> Texts:
        """The pair with `by` tokens less in its premise."""
        ends = [end for _, end in self._tokenizer.encode(pair.premise, add_special_tokens=False).offsets]
        if len(ends) <= by:
            raise UserError(
                f"A hypothesis is longer than the {self.longest} tokens that the model takes, and only premises "
                f"are ever cut: {pair.hypothesis[:80]!r}...\n  Leave that case out of the suite."
            )
        return Texts(pair.premise[: ends[-by - 1]], pair.hypothesis)


class Batch(NamedTuple):
    """Rows that are run together."""

    rows: list[int]
    width: int  # the size of the largest row


def batches(sizes: Sequence[int], budget: int) -> list[Batch]:
    """Group rows of similar size, the largest first, so that a model that runs out of memory does so at once.

    >>> batches([3, 9, 4, 8], budget=18)
    [Batch(rows=[1, 3], width=9), Batch(rows=[2, 0], width=4)]
    >>> batches([50], budget=18)
    [Batch(rows=[0], width=50)]
    """
    planned: list[Batch] = []
    for row in sorted(range(len(sizes)), key=lambda row: -sizes[row]):
        if not planned or (len(planned[-1].rows) + 1) * planned[-1].width > budget:
            planned.append(Batch([], sizes[row]))
        planned[-1].rows.append(row)
    return planned


MOST_GROWTH = 64  # maximum growth of a text by a tokenizer; those in use stay below 10


class _TokenizerFile(msgspec.Struct):
    normalizer: Any = None


def refuse_text_growth(tokenizer: Path) -> None:
    """Refuse a tokenizer.json whose rules make a text many times as long, before a library applies them to anything.

    A file that can't be read is left to the library, whose error says more.
    """
    try:
        found = msgspec.json.decode(tokenizer.read_bytes(), type=_TokenizerFile)
    except (OSError, msgspec.DecodeError, RecursionError):
        return
    times = _growth(found.normalizer)
    if times > MOST_GROWTH:
        raise BadInputError(
            f"the normalizer can make a text {min(times, 10**9):,.0f} times as long; the limit is {MOST_GROWTH} times",
            where=str(tokenizer),
            hint="Use a tokenizer from somebody you trust.",
        )


def _growth(rule: Any) -> float:
    """Maximum growth of a text by a rule of a normalizer.

    >>> rule = {"type": "Replace", "pattern": {"String": "a"}, "content": "bbb"}
    >>> _growth({"type": "Sequence", "normalizers": [rule, rule]})
    9.0
    """
    if not isinstance(rule, dict):
        return 1.0
    if rule.get("type") == "Sequence":
        each = rule.get("normalizers")
        return math.prod(map(_growth, each)) if isinstance(each, list) else 1.0
    if rule.get("type") == "Prepend":
        return 1.0 + len(str(rule.get("prepend", "")))
    if rule.get("type") != "Replace":
        return 1.0
    pattern, content = rule.get("pattern"), len(str(rule.get("content", "")))
    if isinstance(pattern, dict) and (text := pattern.get("String")):
        return max(1.0, content / len(str(text)))
    return 1.0 + content  # an expression may match an empty text next to each character
