"""ESIM (Chen et al. 2017), and KIM, which also knows how WordNet relates the words (Chen et al. 2018)."""

from typing import Literal

import torch
from torch import Tensor, nn

from assay.language.words.wordnet_relations import FEATURES, VECTORS
from assay.models.systems.layers import (
    BiLstm,
    DotAttention,
    attention,
    masked_max,
    masked_mean,
    masked_softmax,
    start_remembering,
)
from assay.models.systems.system import WordSystem
from assay.models.systems.system_card import WordConfig
from assay.models.systems.word_readers import RelatedReader


class EsimConfig(WordConfig, frozen=True, kw_only=True):
    ends: bool = True
    hidden: int = 300  # states in each direction, and the size of projection and hidden layer
    dropout: float = 0.5  # dropout rate for the word vectors, projection, pooled vector and hidden layer
    same_for_all_words: bool = False  # drop the same values in all words of a text (AllenNLP's version)
    activation: Literal["tanh", "relu"] = "tanh"  # activation of the hidden layer; AllenNLP's version has relu
    start: Literal["original", "allennlp"] = "original"  # initial weights: as in the original code, or as in AllenNLP's


class Esim(WordSystem):
    """Each word is compared with its partners in the other text."""

    Config = EsimConfig
    config: EsimConfig

    def build(self, size: int, labels: int) -> None:
        self.make(size, labels)

    def make(self, size: int, labels: int, *, known: int = 0, known_again: int = 0, poolings: int = 2) -> None:
        """Make the layers; `known` and `known_again` are extra values per word for comparing and composing."""
        hidden = self.config.hidden
        self.dropout = nn.Dropout(self.config.dropout)
        self.read = BiLstm(size, hidden)
        self.align = DotAttention()
        self.project = nn.Sequential(nn.Linear(8 * hidden + known, hidden), nn.ReLU())
        self.compose = BiLstm(hidden + known_again, hidden)
        self.hidden = nn.Linear(poolings * 4 * hidden, hidden)
        self.activation = nn.Tanh() if self.config.activation == "tanh" else nn.ReLU()
        self.output = nn.Linear(hidden, labels)
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
        sides = [self._pool(left, for_left, premise_mask), self._pool(right, for_right, hypothesis_mask)]
        return self.score_labels(torch.cat(sides, -1))  # of (batch, 8 * hidden)

    def states(self, words: Tensor, mask: Tensor) -> Tensor:
        """(batch, words, 2 * hidden): the states of the first BiLSTM."""
        return self.read(self.drop_states(self.embedding(words)), mask)

    def compare_words(self, words: Tensor, partners: Tensor) -> Tensor:
        """(batch, words, 8 * hidden): each word's state combined with that of its aligned words."""
        return torch.cat([words, partners, words * partners, words - partners], -1)

    def score_labels(self, pooled: Tensor) -> Tensor:
        """(batch, labels): scores from the pooled states."""
        hidden = self.dropout(self.activation(self.hidden(self.dropout(pooled))))  # (batch, hidden)
        return self.output(hidden)

    def _pool(self, words: Tensor, partners: Tensor, mask: Tensor) -> Tensor:
        projected = self.project(self.compare_words(words, partners))  # (batch, words, hidden)
        composed = self.compose(self.drop_states(projected), mask)  # (batch, words, 2 * hidden)
        return torch.cat([masked_mean(composed, mask), masked_max(composed, mask)], -1)

    def drop_states(self, states: Tensor) -> Tensor:
        if not (self.config.same_for_all_words and self.training):
            return self.dropout(states)
        kept: Tensor = self.dropout(torch.ones_like(states[:, :1]))  # (batch, 1, size)
        return states * kept


TURNED = [1, 0, 2, 3, 4]
"""The relations seen from the other word: what is above it for the one is below it for the other."""


class KimConfig(EsimConfig, frozen=True, kw_only=True):
    """Switches of KIM: the published form, of which the original code's defaults leave out two parts."""

    attention: float = 1.0
    """Weight of a relation in the attention between two words; the paper searched 0.1 to 50, the code has 0."""
    inference: bool = True
    """Combine words with their relations to the words they are aligned with."""
    composition: bool = True
    """Pool words by their relations too; the code does not."""
    inference_twice: bool = False
    """Also append relations to the result of the comparison, as the code does."""
    senses: Literal["nearest", "last"] = "nearest"
    """Which distance counts if several senses have one: the shortest; in the original code, the last sense's."""
    keep_case: bool = False
    """Look up words in WordNet with their capitals, as the original does."""


class Kim(Esim):
    """ESIM that also compares words by their WordNet relations."""

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
        of_left = word_knowledge(to_right, codes, self.relations)  # (batch, premise words, 5)
        of_right = word_knowledge(to_left, codes.transpose(1, 2), self.turned_relations)
        sides = [
            self._compose(left, to_right @ right, of_left, premise_mask),
            self._compose(right, to_left @ left, of_right, hypothesis_mask),
        ]
        return self.score_labels(torch.cat(sides, -1))  # of (batch, 12 * hidden)

    def _compose(self, words: Tensor, partners: Tensor, relations: Tensor, mask: Tensor) -> Tensor:
        compared = self.compare_words(words, partners)  # (batch, words, 8 * hidden)
        if self.config.inference:
            compared = torch.cat([compared, relations], -1)
        projected = self.project(compared)  # (batch, words, hidden)
        if self.config.inference_twice:
            projected = torch.cat([projected, relations], -1)
        composed = self.compose(self.drop_states(projected), mask)  # (batch, words, 2 * hidden)
        pooled = [masked_mean(composed, mask), masked_max(composed, mask)]
        if self.config.composition:
            weights = masked_softmax(torch.relu(self.weight(relations)).squeeze(-1), mask)  # (batch, words)
            pooled.append((weights.unsqueeze(-1) * composed).sum(1))
        return torch.cat(pooled, -1)


def word_knowledge(weights: Tensor, codes: Tensor, relations: Tensor) -> Tensor:
    """(batch, words, 5): the relations of each word to those that it attends to."""
    vectors = nn.functional.embedding(codes, relations)  # (batch, words, words of the other, 5)
    return (weights.unsqueeze(2) @ vectors).squeeze(2)
