"""SPINN-PI-NT: words joined by a TreeLSTM along given binary trees (Bowman et al. 2016)."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from assay.models.systems.layers import matching
from assay.models.systems.system import SentenceSystem
from assay.models.systems.system_card import ParsedConfig
from assay.models.systems.word_readers import ParsedReader


def join_states(words: Tensor, left: Tensor, right: Tensor, counts: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """(1 + words + parts, 2 * hidden): states of nothing, words and parts; the parts of a level are joined at once.

    This version consists of steps that can be exported. It copies all states once per level, so `Joined` is faster.
    """
    hidden = words.shape[1] // 2
    states = torch.cat([torch.zeros_like(words[:1].sum(0, keepdim=True)), words])
    start = 0
    for level in range(counts.shape[0]):
        end = start + int(counts[level])
        below_left, below_right = states[left[start:end]], states[right[start:end]]  # (parts, 2 * hidden)
        outputs = torch.cat([below_left[:, :hidden], below_right[:, :hidden]], 1)
        gates = torch.nn.functional.linear(outputs, weight, bias)  # (parts, 5 * hidden)
        opened = torch.sigmoid(gates[:, : 4 * hidden])
        memory = (
            opened[:, :hidden] * torch.tanh(gates[:, 4 * hidden :])
            + opened[:, hidden : 2 * hidden] * below_left[:, hidden:]
            + opened[:, 2 * hidden : 3 * hidden] * below_right[:, hidden:]
        )
        output = opened[:, 3 * hidden :] * torch.tanh(memory)
        states = torch.cat([states, torch.cat([output, memory], 1)])
        start = end
    return states


class JoinParts(torch.autograd.Function):
    """The same as `joined`, in place, with its gradient: all states stay where they are first written."""

    @staticmethod
    def forward(
        ctx: Any, words: Tensor, left: Tensor, right: Tensor, counts: Tensor, weight: Tensor, bias: Tensor
    ) -> Tensor:
        hidden, first = words.shape[1] // 2, 1 + len(words)
        states = torch.cat([words.new_zeros(1, 2 * hidden), words, words.new_empty(len(left), 2 * hidden)])
        outputs, memories = (words.new_empty(len(left), 2 * hidden) for _ in range(2))  # of left and right parts
        gates = words.new_empty(len(left), 5 * hidden)
        for level in _levels(counts):
            below_left, below_right = states[left[level]], states[right[level]]  # (parts, 2 * hidden)
            torch.cat([below_left[:, :hidden], below_right[:, :hidden]], 1, out=outputs[level])
            torch.cat([below_left[:, hidden:], below_right[:, hidden:]], 1, out=memories[level])
            torch.addmm(bias, outputs[level], weight.t(), out=gates[level])
            gates[level, : 4 * hidden].sigmoid_()
            gates[level, 4 * hidden :].tanh_()
            take, keep_left, keep_right, show, new = gates[level].chunk(5, 1)  # (parts, hidden) each
            memory_left, memory_right = memories[level].chunk(2, 1)
            output, memory = states[first:][level].chunk(2, 1)
            torch.mul(take, new, out=memory).addcmul_(keep_left, memory_left).addcmul_(keep_right, memory_right)
            torch.tanh(memory, out=output).mul_(show)
        ctx.save_for_backward(states, outputs, memories, gates, left, right, counts, weight)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, of_states: Tensor) -> tuple[Tensor | None, ...]:
        states, outputs, memories, gates, left, right, counts, weight = ctx.saved_tensors
        hidden, first = states.shape[1] // 2, len(states) - len(left)
        slopes = of_states.clone()  # of states, complete for a level once those above it are done
        of_gates = torch.empty_like(gates)  # before sigmoid and tanh
        for level in reversed(_levels(counts)):
            take, keep_left, keep_right, show, new = gates[level].chunk(5, 1)  # (parts, hidden) each
            memory_left, memory_right = memories[level].chunk(2, 1)
            of_output, of_memory = slopes[first:][level].chunk(2, 1)
            shown = states[first:][level, hidden:].tanh()
            of_memory = torch.addcmul(of_memory, of_output * show, 1 - shown.square())
            factors = (of_memory * new, of_memory * memory_left, of_memory * memory_right, of_output * shown)
            opened = gates[level, : 4 * hidden]
            torch.mul(torch.cat(factors, 1), opened * (1 - opened), out=of_gates[level, : 4 * hidden])
            torch.mul(of_memory * take, 1 - new.square(), out=of_gates[level, 4 * hidden :])
            of_left, of_right = (of_gates[level] @ weight).chunk(2, 1)
            slopes.index_add_(0, left[level], torch.cat([of_left, of_memory * keep_left], 1))
            slopes.index_add_(0, right[level], torch.cat([of_right, of_memory * keep_right], 1))
        return slopes[1:first], None, None, None, of_gates.t() @ outputs, of_gates.sum(0)


def _levels(counts: Tensor) -> list[slice]:
    """Indices of the parts of each level."""
    ends = counts.cumsum(0).tolist()
    return [slice(end - count, end) for count, end in zip(counts.tolist(), ends, strict=True)]


class SpinnConfig(ParsedConfig, frozen=True, kw_only=True):
    hidden: int = 300  # states of a part
    classifier: int = 1024  # size of the two hidden layers
    word_dropout: float = 0.1715  # dropout rate for the encoded words
    dropout: float = 0.0563  # dropout rate for the inputs and outputs of the hidden layers
    padding_in_norm: bool = False  # Quirk of the original: padding counts in mean and spread of words in training


class Spinn(SentenceSystem):
    """A sentence encoder: two parts of a text are joined at a time, until one is left."""

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
        join: Callable[..., Tensor] = (
            torch.jit.script(join_states) if torch.onnx.is_in_onnx_export() else JoinParts.apply
        )
        parts = join(words, left, right, counts, self.join.weight, self.join.bias)
        return parts[root][:, : self.config.hidden]  # (batch, hidden)

    def judge(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        return self.output(self.classifier(matching(premise, hypothesis, signed=True)))  # (batch, labels)


class Norm(nn.BatchNorm1d):
    """Batch normalisation; a single row, which has no variance, is scaled by the running statistics."""

    def forward(self, rows: Tensor) -> Tensor:
        if self.training and len(rows) < 2:
            mean, spread = self.running_mean, self.running_var
            return nn.functional.batch_norm(rows, mean, spread, self.weight, self.bias, eps=self.eps)
        return super().forward(rows)
