"""Stacked BiLSTM encoders with shortcut or residual connections (Nie and Bansal 2017)."""

import torch
from torch import Tensor, nn

from assay.models.systems.layers import BiLstm, dense, masked_max, matching
from assay.models.systems.system import SentenceSystem
from assay.models.systems.system_card import WordConfig


class ShortcutStackedConfig(WordConfig, frozen=True, kw_only=True):
    """Switches of the shortcut-stacked encoder."""

    hidden: int = 512
    """States of the lowest layer in each direction; every further layer has twice as many."""
    layers: int = 3
    """BiLSTMs on top of each other."""
    classifier: int = 1600
    """Size of the two hidden layers."""
    dropout: float = 0.1
    """Dropout rate for the hidden layers."""


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


class ResidualStackedConfig(WordConfig, frozen=True, kw_only=True):
    """Switches of the residual-stacked encoder."""

    hidden: int = 600
    """States of every layer in each direction."""
    layers: int = 3
    """BiLSTMs on top of each other."""
    classifier: int = 800
    """Size of the hidden layer."""
    dropout: float = 0.1
    """Dropout rate for the hidden layer."""


class ResidualStacked(SentenceSystem):
    """A sentence encoder: each text is encoded alone, as the maximum over time of the top layer."""

    Config = ResidualStackedConfig
    config: ResidualStackedConfig

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

    def judge(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        return self.output(self.hidden(matching(premise, hypothesis)))  # (batch, labels)
