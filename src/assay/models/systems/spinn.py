"""SPINN-PI-NT: words joined by a TreeLSTM along given binary trees (Bowman et al. 2016)."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from assay.models.systems.config import ParsedConfig
from assay.models.systems.joining import Joined, joined
from assay.models.systems.layers import matching
from assay.models.systems.reading.parsed import ParsedReader
from assay.models.systems.system import SentenceSystem


class SpinnConfig(ParsedConfig, frozen=True, kw_only=True):
    """Switches of SPINN."""

    hidden: int = 300
    """States of a part."""
    classifier: int = 1024
    """Size of the two hidden layers."""
    word_dropout: float = 0.1715
    """Share of what comes of words that training drops."""
    dropout: float = 0.0563
    """Share of what the hidden layers read and return that training drops."""
    padding_in_norm: bool = False
    """Quirk of the original: padding counts in the mean and the spread of words that training keeps."""


class Spinn(SentenceSystem):
    """A sentence encoder: two parts of a text are joined after the other, until one is left."""

    Reader = ParsedReader
    Config = SpinnConfig
    config: SpinnConfig

    def build(self, size: int, labels: int) -> None:
        hidden, classifier = self.config.hidden, self.config.classifier
        self.project = nn.Linear(size, 2 * hidden)
        self.norm = Norm(2 * hidden)
        self.word_dropout = nn.Dropout(self.config.word_dropout)
        self.join = nn.Linear(2 * hidden, 5 * hidden)
        self.classifier = nn.Sequential(
            Norm(4 * hidden), nn.Dropout(self.config.dropout),
            nn.Linear(4 * hidden, classifier), nn.ReLU(), Norm(classifier), nn.Dropout(self.config.dropout),
            nn.Linear(classifier, classifier), nn.ReLU(), Norm(classifier), nn.Dropout(self.config.dropout),
        )  # fmt: skip
        self.output = nn.Linear(classifier, labels)
        for layer in (module for module in self.modules() if isinstance(module, nn.Linear)):
            nn.init.normal_(layer.weight, std=(4 / sum(layer.weight.shape)) ** 0.5)
            nn.init.zeros_(layer.bias)
        nn.init.ones_(self.join.bias[hidden : 3 * hidden])  # both forget gates
        nn.init.uniform_(self.output.weight, -0.005, 0.005)

    def text(self, numbers: Tensor, mask: Tensor, *more: Tensor) -> Tensor:
        left, right, counts, root = more
        vectors = self.embedding(numbers)  # (batch, words, size)
        if self.config.padding_in_norm and self.training:
            words = self.norm(self.project(vectors.flatten(0, 1)))[mask.flatten()]
        else:
            words = self.norm(self.project(vectors[mask]))
        words = self.word_dropout(words)  # (all words, 2 * hidden)
        # An exported graph must keep the loop, which tracing would unroll.
        join: Callable[..., Tensor] = torch.jit.script(joined) if torch.onnx.is_in_onnx_export() else Joined.apply
        parts = join(words, left, right, counts, self.join.weight, self.join.bias)
        return parts[root][:, : self.config.hidden]  # (batch, hidden)

    def judge(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        scores: Tensor = self.output(self.classifier(matching(premise, hypothesis, signed=True)))  # (batch, labels)
        return scores


class Norm(nn.BatchNorm1d):
    """Batch normalisation; a single row has no spread, and is put on the scale of those before it."""

    def forward(self, rows: Tensor) -> Tensor:
        if self.training and len(rows) < 2:
            mean, spread = self.running_mean, self.running_var
            return nn.functional.batch_norm(rows, mean, spread, self.weight, self.bias, eps=self.eps)
        return super().forward(rows)
