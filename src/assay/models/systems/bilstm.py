"""A BiLSTM for each side, averaged over time (Williams et al. 2018, baseline of MultiNLI)."""

from torch import Tensor, nn

from assay.models.systems.config import WordConfig
from assay.models.systems.layers import BiLstm, dense, masked_mean, matching
from assay.models.systems.system import WordSystem


class BilstmConfig(WordConfig, frozen=True, kw_only=True):
    """Switches of the BiLSTM baseline."""

    hidden: int = 300
    """States in each direction, and the size of the hidden layer."""
    dropout: float = 0.5
    """Share of vector values and of the hidden layer that training drops."""


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

    def forward(self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor) -> Tensor:
        left = masked_mean(self.premise(self.dropout(self.embedding(premise)), premise_mask), premise_mask)
        right = masked_mean(
            self.hypothesis(self.dropout(self.embedding(hypothesis)), hypothesis_mask), hypothesis_mask
        )  # (batch, 2 * hidden)
        hidden = self.hidden(matching(left, right, signed=True))  # (batch, hidden)
        scores: Tensor = self.output(self.dropout(hidden))  # (batch, labels)
        return scores
