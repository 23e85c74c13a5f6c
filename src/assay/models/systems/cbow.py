"""Continuous bag of words: a text is the sum or the mean of its words (Williams et al. 2018, baseline of MultiNLI)."""

from typing import Literal

from torch import Tensor, nn

from assay.models.systems.layers import dense, masked_mean, matching, start_normal
from assay.models.systems.system import SentenceSystem
from assay.models.systems.system_card import WordConfig


class CbowConfig(WordConfig, frozen=True, kw_only=True):
    """Switches of CBOW."""

    hidden: int = 300
    """Size of the three hidden layers."""
    dropout: float = 0.5
    """Dropout rate for the word vectors and the last hidden layer."""
    start: Literal["pytorch", "multinli"] = "pytorch"
    """Initial weights: PyTorch's, or as in MultiNLI's code (normal with a deviation of 0.1, including biases)."""
    pooling: Literal["sum", "mean"] = "sum"
    """Pooling of words into a text: the code adds them up, a later paper says mean."""


class Cbow(SentenceSystem):
    """Word vectors, added up or averaged, compared by a network."""

    Config = CbowConfig
    config: CbowConfig

    def build(self, size: int, labels: int) -> None:
        hidden = self.config.hidden
        self.dropout = nn.Dropout(self.config.dropout)
        self.hidden = dense(4 * size, hidden, hidden, hidden)
        self.output = nn.Linear(hidden, labels)
        if self.config.start == "multinli":
            start_normal(self.hidden, self.output, spread=0.1)

    def text(self, numbers: Tensor, mask: Tensor, *_: Tensor) -> Tensor:
        vectors = self.dropout(self.embedding(numbers))  # (batch, words, size)
        if self.config.pooling == "mean":
            return masked_mean(vectors, mask)
        return (vectors * mask.unsqueeze(-1).to(vectors.dtype)).sum(1)  # (batch, size)

    def judge(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        hidden = self.hidden(matching(premise, hypothesis, signed=True))  # (batch, hidden)
        return self.output(self.dropout(hidden))  # (batch, labels)
