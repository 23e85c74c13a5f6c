"""Sentence encoders: bags of words, and one BiLSTM or several on top of each other.

CBOW and the BiLSTM are the baselines of MultiNLI (Williams et al. 2018), InferSent is by Conneau et al. (2017), and the
stacked encoders are by Nie and Bansal (2017).
"""

import math
from typing import Literal

import torch
from torch import Tensor, nn

from assay.models.systems.layers import (
    BiLstm,
    dense,
    masked_max,
    masked_mean,
    matching,
    start_normal,
    start_remembering,
)
from assay.models.systems.system import SentenceSystem, WordSystem
from assay.models.systems.system_card import WordConfig


class CbowConfig(WordConfig, frozen=True, kw_only=True):
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


class BilstmConfig(WordConfig, frozen=True, kw_only=True):
    hidden: int = 300
    """States in each direction, and the size of the hidden layer."""
    dropout: float = 0.5
    """Dropout rate for the word vectors and the hidden layer."""
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
        return self.output(self.dropout(hidden))  # (batch, labels)


class InfersentConfig(WordConfig, frozen=True, kw_only=True):
    ends: bool = True
    drop_unknown: bool = True
    hidden: int = 2048  # states in each direction
    classifier: int = 512  # size of the classifier's two hidden layers
    nonlinear: bool = False  # put tanh and dropout between the classifier's layers; the original has nothing there
    dropout: float = 0.0  # dropout rate between the classifier's layers
    padding_in_max: bool = False  # Quirk of the first version: zeros of padding are in the maximum, so batches matter


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
        return self.classifier(matching(premise, hypothesis))  # (batch, labels)


class HypothesisOnlyConfig(WordConfig, frozen=True, kw_only=True):
    ends: bool = True
    hidden: int = 2048  # states in each direction
    classifier: int = 512  # size of the hidden layer
    dropout: float = 0.0  # dropout rate for the word vectors and the hidden layer


class HypothesisOnly(WordSystem):
    """A classifier that never sees the premise."""

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
        return self.output(self.hidden(self.text(hypothesis, hypothesis_mask)))  # (batch, labels)


class ShortcutStackedConfig(WordConfig, frozen=True, kw_only=True):
    hidden: int = 512  # states of the lowest layer in each direction; every further layer has twice as many
    layers: int = 3  # BiLSTMs on top of each other
    classifier: int = 1600  # size of the two hidden layers
    dropout: float = 0.1  # dropout rate for the hidden layers


class ShortcutStacked(SentenceSystem):
    """A sentence encoder: each text is encoded alone, as the maximum over time of the top layer."""

    Config = ShortcutStackedConfig
    config: ShortcutStackedConfig

    def build(self, size: int, labels: int) -> None:
        hidden, classifier = self.config.hidden, self.config.classifier
        self.layers = nn.ModuleList()
        for _ in range(self.config.layers):
            self.layers.append(BiLstm(size, hidden))
            size, top, hidden = size + 2 * hidden, 2 * hidden, 2 * hidden
        self.hidden = dense(4 * top, classifier, classifier, dropout=self.config.dropout)
        self.output = nn.Linear(classifier, labels)

    def text(self, numbers: Tensor, mask: Tensor, *_: Tensor) -> Tensor:
        states = self.embedding(numbers)  # (batch, words, size)
        for layer in self.layers:
            top = layer(states, mask)  # (batch, words, 2 * the layer's states)
            states = torch.cat([states, top], -1)  # what the next layer reads
        return masked_max(top, mask)

    def judge(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        return self.output(self.hidden(matching(premise, hypothesis)))  # (batch, labels)


class ResidualStackedConfig(ShortcutStackedConfig, frozen=True, kw_only=True):
    hidden: int = 600  # states of every layer in each direction
    classifier: int = 800  # size of the hidden layer


class ResidualStacked(ShortcutStacked):
    """A sentence encoder: each text is encoded alone, as the maximum over time of the top layer."""

    Config = ResidualStackedConfig

    def build(self, size: int, labels: int) -> None:
        hidden, classifier = self.config.hidden, self.config.classifier
        inputs = [size] + [size + 2 * hidden] * (self.config.layers - 1)
        self.layers = nn.ModuleList(BiLstm(each, hidden) for each in inputs)
        self.hidden = dense(8 * hidden, classifier, dropout=self.config.dropout)
        self.output = nn.Linear(classifier, labels)

    def text(self, numbers: Tensor, mask: Tensor, *_: Tensor) -> Tensor:
        words = self.embedding(numbers)  # (batch, words, size)
        first, *higher = self.layers
        top = total = first(words, mask)  # (batch, words, 2 * hidden)
        for layer in higher:
            top = layer(torch.cat([words, total], -1), mask)
            total = total + top
        return masked_max(top, mask)
