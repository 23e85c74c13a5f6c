"""Decomposable attention: align words, compare each with its partner, add up (Parikh et al. 2016)."""

import torch
from torch import Tensor, nn

from assay.models.systems.layers import DotAttention, dense
from assay.models.systems.system import WordSystem
from assay.models.systems.system_card import WordConfig


class DecomposableAttentionConfig(WordConfig, frozen=True, kw_only=True):
    lowercase: bool = True
    nothing: bool = True
    hidden: int = 200  # size of the projection and of every layer
    dropout: float = 0.2  # dropout rate of the layers
    unit: bool = False  # give all vectors the same length (the paper; AllenNLP's version does not)


class DecomposableAttention(WordSystem):
    """It does not see the order of words."""

    Config = DecomposableAttentionConfig
    config: DecomposableAttentionConfig

    def build(self, size: int, labels: int) -> None:
        hidden, dropout = self.config.hidden, self.config.dropout
        self.projection = nn.Linear(size, hidden, bias=False)
        self.attend = dense(hidden, hidden, hidden, dropout=dropout)
        self.align = DotAttention()
        self.compare = dense(2 * hidden, hidden, hidden, dropout=dropout)
        self.aggregate = dense(2 * hidden, hidden, dropout=dropout)
        self.output = nn.Linear(hidden, labels)
        for name, weight in self.named_parameters():
            if weight.dim() == 2 and not name.startswith("embedding"):
                nn.init.xavier_normal_(weight)

    def forward(self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor) -> Tensor:
        left, right = self._project(premise), self._project(hypothesis)  # (batch, words, hidden) each
        for_left, for_right = self.align(
            self.attend(left), premise_mask, self.attend(right), hypothesis_mask, left, right
        )
        compared = [self._compare(left, for_left, premise_mask), self._compare(right, for_right, hypothesis_mask)]
        return self.output(self.aggregate(torch.cat(compared, -1)))  # (batch, labels)

    def _project(self, words: Tensor) -> Tensor:
        vectors = self.embedding(words)
        return self.projection(nn.functional.normalize(vectors, dim=-1) if self.config.unit else vectors)

    def _compare(self, words: Tensor, partners: Tensor, mask: Tensor) -> Tensor:
        compared: Tensor = self.compare(torch.cat([words, partners], -1))  # (batch, words, hidden)
        return (compared * mask.unsqueeze(-1).to(compared.dtype)).sum(1)
