"""What all methods have in common: for each training pair, what a biased model expects."""

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor

from assay.train.objective import Objective, Rows

LEAST = 1e-6
"""No label is less probable than this to a biased model: a certain mistake would make the loss infinite."""


class Biased(Objective):
    """A loss that looks at the probabilities of a biased model, which stay as they are."""

    def __init__(self, bias: NDArray[numpy.floating]) -> None:
        """Bias is (training pairs, labels)."""
        super().__init__()
        self._bias = torch.from_numpy(numpy.asarray(bias, dtype=numpy.float32))

    def bias(self, rows: Rows) -> Tensor:
        """(batch, labels): what the biased model expects."""
        return self._bias[rows]

    def log_bias(self, rows: Rows) -> Tensor:
        """(batch, labels): the same in logarithms."""
        return self.bias(rows).clamp(min=LEAST).log()

    def certainty(self, right: Tensor, rows: Rows) -> Tensor:
        """(batch,): the probability that the biased model gives to what is right."""
        return (self.bias(rows) * right).sum(-1).clamp(max=1.0)
