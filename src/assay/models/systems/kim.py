"""KIM: ESIM that knows how WordNet relates the words of both texts (Chen et al. 2018)."""

from typing import Literal

import torch
from torch import Tensor, nn

from assay.language.wordnet.relations import FEATURES, VECTORS
from assay.models.systems.esim import Esim, EsimConfig
from assay.models.systems.layers import attention, masked_max, masked_mean, masked_softmax
from assay.models.systems.reading.related import RelatedReader

TURNED = [1, 0, 2, 3, 4]
"""The relations seen from the other word: what is above it for the one is below it for the other."""


class KimConfig(EsimConfig, frozen=True, kw_only=True):
    """Switches of KIM: the published form, of which the original code's defaults leave out two parts."""

    attention: float = 1.0
    """What a relation adds to the attention between two words. The paper searched from 0.1 to 50; the code has 0."""
    inference: bool = True
    """Compare words with their relations to what they are aligned with."""
    composition: bool = True
    """Pool words by their relations too; the code does not."""
    inference_twice: bool = False
    """Put relations beside what comes of the comparison as well, as the code does."""
    senses: Literal["nearest", "last"] = "nearest"
    """Where several senses of two words give a distance: the shortest. Quirk of the original: the last sense's."""
    keep_case: bool = False
    """Look up words in WordNet with their capitals, as the original does."""


class Kim(Esim):
    """Each word is compared with its partners in the other text, and with what WordNet knows of them."""

    Reader = RelatedReader
    Config = KimConfig
    config: KimConfig
    relations: Tensor
    turned_relations: Tensor

    def build(self, size: int, labels: int) -> None:
        known = len(FEATURES) if self.config.inference else 0
        again = known if self.config.inference_twice else 0
        self.make(size, labels, known=known, known_again=again, poolings=2 + self.config.composition)
        self.register_buffer("relations", torch.from_numpy(VECTORS), persistent=False)
        self.register_buffer("turned_relations", torch.from_numpy(VECTORS[:, TURNED]), persistent=False)
        if self.config.composition:
            self.weight = nn.Linear(len(FEATURES), 1)
            # Positive, so that no relation starts behind the corner of ReLU, where nothing is learned.
            nn.init.uniform_(self.weight.weight, 0.0, 1.0)
            nn.init.zeros_(self.weight.bias)

    def forward(
        self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor, *more: Tensor
    ) -> Tensor:
        (codes,) = more  # (batch, premise words, hypothesis words)
        left, right = self.states(premise, premise_mask), self.states(hypothesis, hypothesis_mask)
        scores = left @ right.transpose(1, 2) + self.config.attention * (codes > 0).to(left.dtype)
        to_right, to_left = attention(scores, premise_mask, hypothesis_mask)
        of_left = known(to_right, codes, self.relations)  # (batch, premise words, 5)
        of_right = known(to_left, codes.transpose(1, 2), self.turned_relations)
        sides = [
            self._composed(left, to_right @ right, of_left, premise_mask),
            self._composed(right, to_left @ left, of_right, hypothesis_mask),
        ]
        return self.judged(torch.cat(sides, -1))  # of (batch, 12 * hidden)

    def _composed(self, words: Tensor, partners: Tensor, relations: Tensor, mask: Tensor) -> Tensor:
        compared = self.compared(words, partners)  # (batch, words, 8 * hidden)
        if self.config.inference:
            compared = torch.cat([compared, relations], -1)
        projected = self.project(compared)  # (batch, words, hidden)
        if self.config.inference_twice:
            projected = torch.cat([projected, relations], -1)
        composed = self.compose(self.dropped(projected), mask)  # (batch, words, 2 * hidden)
        pooled = [masked_mean(composed, mask), masked_max(composed, mask)]
        if self.config.composition:
            weights = masked_softmax(torch.relu(self.weight(relations)).squeeze(-1), mask)  # (batch, words)
            pooled.append((weights.unsqueeze(-1) * composed).sum(1))
        return torch.cat(pooled, -1)


def known(weights: Tensor, codes: Tensor, relations: Tensor) -> Tensor:
    """(batch, words, 5): the relations of each word to those that it attends to."""
    vectors = nn.functional.embedding(codes, relations)  # (batch, words, words of the other, 5)
    return (weights.unsqueeze(2) @ vectors).squeeze(2)
