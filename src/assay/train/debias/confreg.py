"""Confidence regularisation: less certain where the bias is right (Utama et al. 2020, "Mind the Trade-off")."""

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor

from assay.train.debias.biased import Biased
from assay.train.objective import Rows


class ConfidenceRegularisation(Biased):
    """The system learns the answers of a teacher, an ordinarily trained model, smoothed by how right the bias is."""

    def __init__(self, bias: NDArray[numpy.floating], teacher: NDArray[numpy.floating]) -> None:
        """Bias and the teacher's probabilities are (training pairs, labels)."""
        super().__init__(bias)
        self._teacher = torch.from_numpy(numpy.asarray(teacher, dtype=numpy.float32))

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        aim = smoothed(self._teacher[rows], self.certainty(right, rows))  # (batch, labels)
        return -(aim * scores.log_softmax(-1)).sum(-1).mean()


def smoothed(teacher: Tensor, certainty: Tensor) -> Tensor:
    """p^(1 - b) for the teacher's probabilities p, adding up to 1: even if the bias is certain of what is right.

    >>> smoothed(torch.tensor([[0.9, 0.1]]), torch.tensor([1.0])).tolist()
    [[0.5, 0.5]]
    """
    powers = teacher ** (1 - certainty)[:, None]
    return powers / powers.sum(-1, keepdim=True)
