"""The parts that systems share. Each takes masks explicitly, so that padding never changes an answer."""

from itertools import pairwise

import torch
from torch import Tensor, nn


def masked_mean(states: Tensor, mask: Tensor) -> Tensor:
    """Mean over time."""
    weights = mask.unsqueeze(-1).to(states.dtype)  # (batch, time, 1)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)  # (batch, size)


def masked_max(states: Tensor, mask: Tensor) -> Tensor:
    """Maximum over time; 0 for a text without words."""
    hidden = states.masked_fill(~mask.unsqueeze(-1), torch.finfo(states.dtype).min)
    return hidden.max(1).values * mask.any(1, keepdim=True).to(states.dtype)  # (batch, size)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last dimension; all 0 if everything is masked."""
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
    return weights * mask.to(scores.dtype)


def matching(premise: Tensor, hypothesis: Tensor, *, signed: bool = False) -> Tensor:
    """Both vectors, their difference (absolute unless `signed`) and their product, side by side."""
    difference = premise - hypothesis
    parts = [premise, hypothesis, difference if signed else difference.abs(), premise * hypothesis]
    return torch.cat(parts, -1)  # (batch, 4 * size)


class BiLstm(nn.Module):
    """An LSTM in each direction; padding is never read.

    The backward LSTM reads each text reversed within its own length: plain gathers, which can be exported directly.
    """

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.ahead = nn.LSTM(size, hidden, batch_first=True)
        self.back = nn.LSTM(size, hidden, batch_first=True)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(states.shape[1], device=states.device).unsqueeze(0)  # (1, time)
        turned = torch.where(mask, mask.sum(1, keepdim=True) - 1 - places, places).unsqueeze(-1)  # (batch, time, 1)
        ahead, _ = self.ahead(states)  # (batch, time, hidden)
        back, _ = self.back(states.gather(1, turned.expand(-1, -1, states.shape[2])))
        back = back.gather(1, turned.expand(-1, -1, back.shape[2]))
        return torch.cat([ahead, back], -1) * mask.unsqueeze(-1).to(states.dtype)  # (batch, time, 2 * hidden)


class Aligned(nn.Module):
    """Dot-product attention from each text to the other."""

    def forward(
        self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor, *values: Tensor
    ) -> tuple[Tensor, Tensor]:
        """For each word, its partner in the other text; `values` are what is mixed, if not the compared states."""
        left, right = values or (premise, hypothesis)
        scores = premise @ hypothesis.transpose(1, 2)  # (batch, premise words, hypothesis words)
        to_hypothesis = masked_softmax(scores, hypothesis_mask.unsqueeze(1))
        to_premise = masked_softmax(scores.transpose(1, 2), premise_mask.unsqueeze(1))
        return to_hypothesis @ right, to_premise @ left  # (batch, words, size) each


def start_normal(*modules: nn.Module, spread: float) -> None:
    """Draw all weights and biases of modules again, with this standard deviation."""
    for weight in (weight for module in modules for weight in module.parameters()):
        nn.init.normal_(weight, std=spread)


def start_remembering(bias: Tensor) -> None:
    """Start the bias of an LSTM's forget gate at 1."""
    nn.init.ones_(bias.chunk(4)[1])


def dense(*sizes: int, dropout: float = 0.0) -> nn.Sequential:
    """Linear layers with ReLU and dropout after each."""
    layers: list[nn.Module] = []
    for here, there in pairwise(sizes):
        layers += [nn.Linear(here, there), nn.ReLU(), nn.Dropout(dropout)]
    return nn.Sequential(*layers)
