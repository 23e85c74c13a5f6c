"""ESIM: read, align, compare, read again, pool (Chen et al. 2017)."""

from typing import Literal

import torch
from torch import Tensor, nn

from assay.models.systems.config import WordConfig
from assay.models.systems.layers import Aligned, BiLstm, masked_max, masked_mean, start_remembering
from assay.models.systems.system import WordSystem


class EsimConfig(WordConfig, frozen=True, kw_only=True):
    """Switches of ESIM."""

    ends: bool = True
    hidden: int = 300
    """States in each direction, and the size of projection and hidden layer."""
    dropout: float = 0.5
    """The share of vectors, projection, pooled vector and hidden layer that training drops."""
    same_for_all_words: bool = False
    """Drop the same values in all words of a text (AllenNLP's version)."""
    activation: Literal["tanh", "relu"] = "tanh"
    """Activation of the hidden layer; AllenNLP's version has relu."""
    start: Literal["original", "allennlp"] = "original"
    """Initial weights: as in the original code, or as in AllenNLP's."""


class Esim(WordSystem):
    """Each word is compared with its partners in the other text."""

    Config = EsimConfig
    config: EsimConfig

    def build(self, size: int, labels: int) -> None:
        self.make(size, labels)

    def make(self, size: int, labels: int, *, known: int = 0, known_again: int = 0, poolings: int = 2) -> None:
        """Make the layers; `known` are more values of each word that are compared, `known_again` that are composed."""
        hidden = self.config.hidden
        self.dropout = nn.Dropout(self.config.dropout)
        self.read = BiLstm(size, hidden)
        self.align = Aligned()
        self.project = nn.Sequential(nn.Linear(8 * hidden + known, hidden), nn.ReLU())
        self.compose = BiLstm(hidden + known_again, hidden)
        self.hidden = nn.Linear(poolings * 4 * hidden, hidden)
        self.activation = nn.Tanh() if self.config.activation == "tanh" else nn.ReLU()
        self.output = nn.Linear(hidden, labels)
        self._start()

    def _start(self) -> None:
        allennlp = self.config.start == "allennlp"
        for name, weight in self.named_parameters():
            if "weight_hh" in name:
                for part in weight.chunk(1 if allennlp else 4):
                    nn.init.orthogonal_(part)
            elif "weight_ih" in name:
                nn.init.xavier_uniform_(weight) if allennlp else nn.init.normal_(weight, std=0.01)
            elif "bias_" in name:
                nn.init.zeros_(weight)
                if allennlp and "bias_hh" in name:
                    start_remembering(weight)
            elif allennlp and not name.startswith("embedding"):
                nn.init.xavier_uniform_(weight) if weight.dim() > 1 else nn.init.zeros_(weight)

    def forward(
        self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor, *_: Tensor
    ) -> Tensor:
        left, right = self.states(premise, premise_mask), self.states(hypothesis, hypothesis_mask)
        for_left, for_right = self.align(left, premise_mask, right, hypothesis_mask)
        sides = [self._pooled(left, for_left, premise_mask), self._pooled(right, for_right, hypothesis_mask)]
        return self.judged(torch.cat(sides, -1))  # of (batch, 8 * hidden)

    def states(self, words: Tensor, mask: Tensor) -> Tensor:
        """(batch, words, 2 * hidden): words as they are read."""
        read: Tensor = self.read(self.dropped(self.embedding(words)), mask)
        return read

    def compared(self, words: Tensor, partners: Tensor) -> Tensor:
        """(batch, words, 8 * hidden): words next to what they are aligned with in the other text."""
        return torch.cat([words, partners, words * partners, words - partners], -1)

    def judged(self, pooled: Tensor) -> Tensor:
        """(batch, labels): scores from all that was pooled."""
        hidden = self.dropout(self.activation(self.hidden(self.dropout(pooled))))  # (batch, hidden)
        scores: Tensor = self.output(hidden)
        return scores

    def _pooled(self, words: Tensor, partners: Tensor, mask: Tensor) -> Tensor:
        projected = self.project(self.compared(words, partners))  # (batch, words, hidden)
        composed = self.compose(self.dropped(projected), mask)  # (batch, words, 2 * hidden)
        return torch.cat([masked_mean(composed, mask), masked_max(composed, mask)], -1)

    def dropped(self, states: Tensor) -> Tensor:
        """States of words without what training drops of them."""
        if not (self.config.same_for_all_words and self.training):
            dropped: Tensor = self.dropout(states)
            return dropped
        kept: Tensor = self.dropout(torch.ones_like(states[:, :1]))  # (batch, 1, size)
        return states * kept
