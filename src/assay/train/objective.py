"""What training makes small: the loss of a batch, from the system's scores."""

import numpy
from numpy.typing import NDArray
from torch import Tensor, nn

Rows = NDArray[numpy.int64]
"""(batch,): the numbers of a batch's pairs among all training pairs."""


class Objective(nn.Module):
    """Cross-entropy, as in ordinary training. What an objective learns itself is not part of the trained system."""

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:  # noqa: ARG002 - others look up the pairs
        """The loss of a batch; scores and right answers are (batch, labels)."""
        return cross_entropy(scores, right).mean()


def cross_entropy(scores: Tensor, right: Tensor) -> Tensor:
    """(batch,): the loss of each pair; if several answers are right, that of the sum of their probabilities."""
    of_right = scores.masked_fill(~right, -float("inf"))  # (batch, labels)
    return scores.logsumexp(-1) - of_right.logsumexp(-1)
