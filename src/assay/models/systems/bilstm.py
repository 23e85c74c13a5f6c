"""A BiLSTM for each side, averaged over time (Williams et al. 2018, baseline of MultiNLI)."""

import math
from typing import Literal

from torch import Tensor, nn

from assay.models.systems.config import WordConfig
from assay.models.systems.layers import (
    BiLstm,
    dense,
    masked_mean,
    matching,
    start_normal,
    start_remembering,
)
from assay.models.systems.system import WordSystem


class BilstmConfig(WordConfig, frozen=True, kw_only=True):
    """Switches of the BiLSTM baseline."""

    hidden: int = 300
    """States in each direction, and the size of the hidden layer."""
    dropout: float = 0.5
    """Share of vector values and of the hidden layer that training drops."""
    start: Literal["pytorch", "multinli"] = "pytorch"
    """Initial weights: PyTorch's, or as in MultiNLI's code (normal with a deviation of 0.1, including biases)."""


class Bilstm(WordSystem):
    """Premise and hypothesis each have their own encoder."""

    Config = BilstmConfig
    config: BilstmConfig

    def build(self, size: int, labels: int) -> None:
        hidden = self.config.hidden
        self.dropout = nn.Dropout(self.config.dropout)
        self.premise = BiLstm(size, hidden)
        self.hypothesis = BiLstm(size, hidden)
        self.hidden = dense(8 * hidden, hidden)
        self.output = nn.Linear(hidden, labels)
        if self.config.start == "multinli":
            start_normal(self.hidden, self.output, spread=0.1)
            # TensorFlow draws both weights of an LSTM as one matrix: (input and states) by (four gates).
            end = math.sqrt(6 / (size + 5 * hidden))
            for name, weight in (*self.premise.named_parameters(), *self.hypothesis.named_parameters()):
                if "weight" in name:
                    nn.init.uniform_(weight, -end, end)
                else:
                    nn.init.zeros_(weight)
                if "bias_hh" in name:
                    start_remembering(weight)

    def text(self, numbers: Tensor, mask: Tensor) -> Tensor:
        """(batch, 2 * hidden): texts as vectors, by the premise's encoder."""
        return masked_mean(self.premise(self.dropout(self.embedding(numbers)), mask), mask)

    def forward(self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor) -> Tensor:
        left = self.text(premise, premise_mask)
        right = masked_mean(
            self.hypothesis(self.dropout(self.embedding(hypothesis)), hypothesis_mask), hypothesis_mask
        )  # (batch, 2 * hidden)
        hidden = self.hidden(matching(left, right, signed=True))  # (batch, hidden)
        scores: Tensor = self.output(self.dropout(hidden))  # (batch, labels)
        return scores
