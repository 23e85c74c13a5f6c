"""Trained systems as encoders of single texts."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor

from assay.core.protocols import Ready
from assay.models.adapters.hf import BUDGETS
from assay.models.adapters.pair_classifier import INPUTS, longest_input, own_length
from assay.models.adapters.pair_tokens import PairTokens
from assay.models.adapters.trained import BUDGET
from assay.models.encoders.token_pooling import EncoderNetwork
from assay.models.systems.system import WordSystem
from assay.models.systems.transformer import Transformer
from assay.models.systems.vocabulary import Ragged


@runtime_checkable
class SentenceEncoderSystem(Protocol):
    """A system that turns each text into a vector."""

    def text(self, *inputs: Tensor) -> Tensor:
        """(batch, dimensions), from all that its reader takes of texts."""


class SystemTexts:
    """A system over words; one whose sides differ reads every text as a premise."""

    budget: int = BUDGET

    def __init__(self, system: WordSystem, identity: str) -> None:
        assert isinstance(system, SentenceEncoderSystem)
        self.system = system.eval()
        self._text = system.text
        self.identity = identity

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Words to numbers."""
        return [Ready(each, max(1, len(each))) for each in self.system.reader.read(texts)]

    @torch.inference_mode()
    def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[numpy.float32]:  # noqa: ARG002 - masks make the width irrelevant
        """(texts, dimensions)."""
        texts = Ragged.of(each.content for each in batch).padded(range(len(batch)))
        found: NDArray[numpy.float32] = self._text(*map(torch.from_numpy, self.system.reader.of_text(texts))).numpy()
        return found


def transformer(system: Transformer) -> EncoderNetwork:
    """A trained transformer without its classifier."""
    config: dict[str, Any] = system.encoder.config.to_dict()
    inside = system.encoder.base_model.eval()
    takes = set(system.tokenizer.model_input_names) & {*INPUTS}

    def forward(tables: Mapping[str, NDArray[numpy.int64]]) -> NDArray[numpy.float32]:
        with torch.inference_mode():
            given = {name: torch.from_numpy(table) for name, table in tables.items() if name in takes}
            vectors: NDArray[numpy.float32] = inside(**given).last_hidden_state.numpy()  # (texts, width, dimensions)
            return vectors

    tokens = PairTokens(
        system.tokenizer.backend_tokenizer,
        longest=longest_input(config, None, own_length(system.tokenizer.model_max_length)),
        padding=system.tokenizer.pad_token_id or 0,
    )
    return EncoderNetwork(tokens, forward, BUDGETS["cpu"])
