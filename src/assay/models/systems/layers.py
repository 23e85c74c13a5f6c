"""The parts that systems share. Each takes masks explicitly, so that padding never changes an answer."""

from itertools import pairwise

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assay.models.systems.vocabulary import PAD, SPECIAL, Vocabulary


def masked_mean(states: Tensor, mask: Tensor) -> Tensor:
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
        ahead, _ = self.ahead(states)  # (batch, time, hidden)
        back, _ = self.back(reverse_texts(states, mask))
        return torch.cat([ahead, reverse_texts(back, mask)], -1) * mask.unsqueeze(-1).to(
            states.dtype
        )  # (..., 2 * hidden)

    def gates(self, states: Tensor, mask: Tensor, read: Tensor) -> Tensor:
        """(batch, time, 2 * hidden): the input gates of both directions, from the inputs and outputs of the LSTM.

        PyTorch's LSTM does not return its gates. But a gate is a function of the input and of the output before it, so
        all of them are found at once when the outputs are there, which is much faster than a loop over time.
        """
        ahead, back = read.chunk(2, -1)
        found = [
            input_gates(self.ahead, states, ahead),
            reverse_texts(input_gates(self.back, reverse_texts(states, mask), reverse_texts(back, mask)), mask),
        ]
        return torch.cat(found, -1)


def reverse_texts(states: Tensor, mask: Tensor) -> Tensor:
    """Each text from its last word to its first; padding stays where it is."""
    places = torch.arange(states.shape[1], device=states.device).unsqueeze(0)  # (1, time)
    others = torch.where(mask, mask.sum(1, keepdim=True) - 1 - places, places)  # (batch, time)
    return states.gather(1, others.unsqueeze(-1).expand(-1, -1, states.shape[2]))


def input_gates(lstm: nn.LSTM, inputs: Tensor, outputs: Tensor) -> Tensor:
    """(batch, time, hidden): the input gates with which an LSTM of one direction made its outputs."""
    before = torch.cat([torch.zeros_like(outputs[:, :1]), outputs[:, :-1]], 1)
    weights = [weight[: lstm.hidden_size] for weight in lstm.all_weights[0]]  # of four gates, the first
    of_inputs = nn.functional.linear(inputs, weights[0], weights[2])
    return torch.sigmoid(of_inputs + nn.functional.linear(before, weights[1], weights[3]))


class DotAttention(nn.Module):
    """Dot-product attention from each text to the other."""

    def forward(
        self, premise: Tensor, premise_mask: Tensor, hypothesis: Tensor, hypothesis_mask: Tensor, *values: Tensor
    ) -> tuple[Tensor, Tensor]:
        """For each word, its aligned vector in the other text, a mean of `values` or else of the compared states."""
        left, right = values or (premise, hypothesis)
        scores = premise @ hypothesis.transpose(1, 2)  # (batch, premise words, hypothesis words)
        to_hypothesis, to_premise = attention(scores, premise_mask, hypothesis_mask)
        return to_hypothesis @ right, to_premise @ left  # (batch, words, size) each


def attention(scores: Tensor, premise_mask: Tensor, hypothesis_mask: Tensor) -> tuple[Tensor, Tensor]:
    """The attention of each text to the other, from scores (batch, premise words, hypothesis words)."""
    to_hypothesis = masked_softmax(scores, hypothesis_mask.unsqueeze(1))
    to_premise = masked_softmax(scores.transpose(1, 2), premise_mask.unsqueeze(1))
    return to_hypothesis, to_premise  # (batch, words, words of the other) each


def dense(*sizes: int, dropout: float = 0.0) -> nn.Sequential:
    layers: list[nn.Module] = []
    for here, there in pairwise(sizes):
        layers += [nn.Linear(here, there), nn.ReLU(), nn.Dropout(dropout)]
    return nn.Sequential(*layers)


def start_normal(*modules: nn.Module, spread: float) -> None:
    """Initialise all weights and biases of modules from a normal distribution with this deviation."""
    for weight in (weight for module in modules for weight in module.parameters()):
        nn.init.normal_(weight, std=spread)


def start_remembering(bias: Tensor) -> None:
    """Start the bias of an LSTM's forget gate at 1."""
    nn.init.ones_(bias.chunk(4)[1])


SPREAD = 0.1  # standard deviation of randomly initialised vectors, about that of GloVe's


class WordEmbedding(nn.Module):
    """A table of learned vectors, and one of ready vectors that are frozen unless `tuned`."""

    def __init__(self, vocabulary: Vocabulary, vectors: NDArray[numpy.float32], *, tuned: bool) -> None:
        super().__init__()
        if len(vectors) != len(vocabulary.ready):
            raise ValueError(f"{len(vectors)} vectors for {len(vocabulary.ready)} words")
        self.first_ready = SPECIAL + len(vocabulary.learned)
        self.size = vectors.shape[1]
        self.learned = nn.Embedding(self.first_ready, self.size, padding_idx=PAD)
        nn.init.normal_(self.learned.weight, std=SPREAD)
        with torch.no_grad():
            self.learned.weight[PAD].zero_()
        # The first row, of zeros, is for every word that is learned.
        table = torch.from_numpy(numpy.concatenate([numpy.zeros_like(vectors, shape=(1, self.size)), vectors]))
        self.tuned = tuned
        if tuned:
            self.ready = nn.Parameter(table)
        else:
            self.register_buffer("ready", table, persistent=False)  # kept once, next to the weights

    @property
    def vectors(self) -> NDArray[numpy.float32]:
        """(ready words, size)."""
        return self.ready.detach()[1:].numpy()

    def forward(self, numbers: Tensor) -> Tensor:
        ready = nn.functional.embedding((numbers - self.first_ready + 1).clamp(min=0), self.ready)
        is_learned = numbers < self.first_ready
        learned = self.learned(numbers * is_learned)  # the others map to padding, which is zero
        return ready * (~is_learned).unsqueeze(-1).to(ready.dtype) + learned  # (batch, time, size)
