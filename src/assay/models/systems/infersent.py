"""InferSent: one BiLSTM for both sides, maximum over time (Conneau et al. 2017)."""

import torch
from torch import Tensor, nn

from assay.models.systems.config import WordConfig
from assay.models.systems.layers import BiLstm, masked_max, matching
from assay.models.systems.system import SentenceSystem


class InfersentConfig(WordConfig, frozen=True, kw_only=True):
    """Switches of InferSent."""

    ends: bool = True
    drop_unknown: bool = True
    hidden: int = 2048
    """States in each direction."""
    classifier: int = 512
    """Size of the classifier's two hidden layers."""
    nonlinear: bool = False
    """Put tanh and dropout between the classifier's layers; the original's default has nothing between them."""
    dropout: float = 0.0
    """The share that dropout between them drops."""
    padding_in_max: bool = False
    """Quirk of the first version: zeros of padding take part in the maximum, so the rest of a batch changes answers."""


class Infersent(SentenceSystem):
    """A sentence encoder: each text is encoded separately."""

    Config = InfersentConfig
    config: InfersentConfig

    def build(self, size: int, labels: int) -> None:
        hidden, classifier = self.config.hidden, self.config.classifier
        between: list[nn.Module] = [nn.Tanh(), nn.Dropout(self.config.dropout)] if self.config.nonlinear else []
        self.encoder = BiLstm(size, hidden)
        self.classifier = nn.Sequential(
            nn.Linear(8 * hidden, classifier), *between, nn.Linear(classifier, classifier), *between,
            nn.Linear(classifier, labels),
        )  # fmt: skip

    def text(self, numbers: Tensor, mask: Tensor, *_: Tensor) -> Tensor:
        states = self.encoder(self.embedding(numbers), mask)  # (batch, words, 2 * hidden)
        return masked_max(states, torch.ones_like(mask) if self.config.padding_in_max else mask)  # (batch, 2 * hidden)

    def judge(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        scores: Tensor = self.classifier(matching(premise, hypothesis))  # (batch, labels)
        return scores
