"""Words to vectors: ready ones from a file, learned ones for words that the file lacks."""

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assay.models.systems.reading.vocabulary import PAD, SPECIAL, Vocabulary

SPREAD = 0.1
"""Standard deviation of randomly initialised vectors, about that of GloVe's."""


class WordEmbedding(nn.Module):
    """A table of learned vectors, and one of ready vectors that stay as they are unless `tuned`."""

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
        found: NDArray[numpy.float32] = self.ready.detach()[1:].numpy()
        return found

    def forward(self, numbers: Tensor) -> Tensor:
        ready = nn.functional.embedding((numbers - self.first_ready + 1).clamp(min=0), self.ready)
        is_learned = numbers < self.first_ready
        learned = self.learned(numbers * is_learned)  # the others map to padding, which is zero
        vectors: Tensor = ready * (~is_learned).unsqueeze(-1).to(ready.dtype) + learned  # (batch, time, size)
        return vectors
