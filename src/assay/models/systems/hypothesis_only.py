"""InferSent's encoder on the hypothesis alone (Poliak et al. 2018): what can be done without the premise."""

from torch import Tensor, nn

from assay.models.systems.config import WordConfig
from assay.models.systems.layers import BiLstm, dense, masked_max
from assay.models.systems.system import WordSystem


class HypothesisOnlyConfig(WordConfig, frozen=True, kw_only=True):
    """Switches of the hypothesis-only system."""

    ends: bool = True
    hidden: int = 2048
    """States in each direction."""
    classifier: int = 512
    """Size of the hidden layer."""
    dropout: float = 0.0
    """Share of vector values and of the hidden layer that training drops."""


class HypothesisOnly(WordSystem):
    """It never sees the premise."""

    Config = HypothesisOnlyConfig
    config: HypothesisOnlyConfig

    def build(self, size: int, labels: int) -> None:
        self.dropout = nn.Dropout(self.config.dropout)
        self.encoder = BiLstm(size, self.config.hidden)
        self.hidden = dense(2 * self.config.hidden, self.config.classifier, dropout=self.config.dropout)
        self.output = nn.Linear(self.config.classifier, labels)

    def text(self, numbers: Tensor, mask: Tensor) -> Tensor:
        """(batch, 2 * hidden): texts as vectors."""
        return masked_max(self.encoder(self.dropout(self.embedding(numbers)), mask), mask)

    def forward(self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor) -> Tensor:  # noqa: ARG002
        scores: Tensor = self.output(self.hidden(self.text(hypothesis, hypothesis_mask)))  # (batch, labels)
        return scores
