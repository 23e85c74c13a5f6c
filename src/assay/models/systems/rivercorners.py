"""Rivercorners: a shared BiLSTM, with inner attention guided by each text's mean (Balazs et al. 2017)."""

from pathlib import Path
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn

from assay.core.errors import UserError
from assay.core.label import Label
from assay.models.systems.layers import BiLstm, dense, masked_mean, masked_softmax, matching
from assay.models.systems.system import WordSystem
from assay.models.systems.system_card import WordConfig


class RivercornersConfig(WordConfig, frozen=True, kw_only=True):
    lowercase: bool = True
    numerals: Literal["words", "one", "unknown"] = "one"
    hidden: int = 300
    """States in each direction."""
    classifier: int = 2000
    """Size of the two hidden layers."""
    dropout: float = 0.25
    """Dropout rate for the hidden layers."""
    attention_over: Literal["time", "batch"] = "time"
    """Dimension over which attention sums to 1. Quirk of the original code: over the batch, so that answers depend on
    batch mates; such a system can be trained and checked, but not run afterwards."""


class Rivercorners(WordSystem):
    """Both texts are read by one BiLSTM, and pooled with separate attention parameters."""

    Config = RivercornersConfig
    config: RivercornersConfig

    def build(self, size: int, labels: int) -> None:
        hidden, classifier = self.config.hidden, self.config.classifier
        self.read = BiLstm(size, hidden)
        self.premise = InnerAttention(2 * hidden, over=self.config.attention_over)
        self.hypothesis = InnerAttention(2 * hidden, over=self.config.attention_over)
        self.hidden = dense(8 * hidden, classifier, classifier, dropout=self.config.dropout)
        self.output = nn.Linear(classifier, labels)

    def text(self, numbers: Tensor, mask: Tensor) -> Tensor:
        """(batch, 2 * hidden): texts as vectors, with the premise's attention."""
        return self.premise(self.read(self.embedding(numbers), mask), mask)

    def forward(self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor) -> Tensor:
        left = self.text(premise, premise_mask)
        right = self.hypothesis(self.read(self.embedding(hypothesis), hypothesis_mask), hypothesis_mask)
        return self.output(self.hidden(matching(left, right)))  # (batch, labels)

    @classmethod
    def from_parts(cls, folder: Path, config: Any, labels: tuple[Label, ...]) -> Self:
        if config.attention_over == "batch":
            raise UserError(
                f"The system in {folder} was trained with attention_over=batch, so answers depend on the other pairs.\n"
                "  Train it without that switch to test it."
            )
        return super().from_parts(folder, config, labels)


class InnerAttention(nn.Module):
    """Weighs states by their similarity to the mean of all states."""

    def __init__(self, size: int, *, over: Literal["time", "batch"]) -> None:
        super().__init__()
        self.state = nn.Linear(size, size, bias=False)
        self.mean = nn.Linear(size, size, bias=False)
        self.weight = nn.Linear(size, 1, bias=False)
        self.over = over

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        guided = torch.tanh(self.state(states) + self.mean(masked_mean(states, mask)).unsqueeze(1))
        scores = self.weight(guided).squeeze(-1)  # (batch, time)
        weights = masked_softmax(scores, mask) if self.over == "time" else scores.softmax(0)
        return (weights.unsqueeze(-1) * states).sum(1)  # (batch, size)
