"""Pairs to tokens; what is too long is cut off and marked."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.protocols import Ready, Texts


class Tokens(NamedTuple):
    """A pair, or a text, as numbers."""

    ids: list[int]
    """What each token is."""
    types: list[int]
    """Which of the two texts each token belongs to."""


def padded(batch: Sequence[Ready], width: int, padding: int) -> dict[str, NDArray[np.int64]]:
    """Tokens as tables, each row padded to the width."""
    shape = (len(batch), width)
    ids = np.full(shape, padding, dtype=np.int64)  # (pairs, width), as all three
    mask, types = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for row, each in enumerate(batch):
        tokens: Tokens = each.content
        ids[row, : each.size] = tokens.ids
        mask[row, : each.size] = 1
        types[row, : each.size] = tokens.types
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


class PairTokens:
    """A tokenizer of the `tokenizers` library, and what a model takes."""

    def __init__(self, tokenizer: Any, *, longest: int, padding: int) -> None:
        from tokenizers import Tokenizer

        self.longest = longest
        """The most tokens in a pair."""
        self.padding = padding
        """The padding token."""
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
        """How many tokens each pair has, before anything is cut off."""
        return [len(each) for each in self._whole.encode_batch_fast([tuple(pair) for pair in pairs])]

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Single texts as tokens; if a text is too long, its end is cut off."""
        encoded = self._whole.encode_batch_fast(list(texts))
        return [
            self._ready(each) if len(each) <= self.longest else self._ready(self._cutting.encode(text), truncated=True)
            for text, each in zip(texts, encoded, strict=True)
        ]

    def arrays(self, batch: Sequence[Ready], width: int) -> dict[str, NDArray[np.int64]]:
        """Tokens as tables, each row padded to the width."""
        return padded(batch, width, self.padding)

    def _cut(self, pair: Texts) -> Ready:
        try:
            return self._ready(self._cutting.encode(*pair), truncated=True)
        except Exception:  # noqa: BLE001 - the library has no error class for a hypothesis that leaves no room
            return Ready(Tokens([], []), 0, truncated=True, fits=False)

    def _ready(self, encoding: Any, *, truncated: bool = False) -> Ready:
        return Ready(Tokens(encoding.ids, encoding.type_ids), len(encoding), truncated)
