"""The focal loss: what is easy counts less (Lin et al. 2017; with a bias, Karimi Mahabadi et al. 2020)."""

import numpy
from numpy.typing import NDArray
from torch import Tensor

from assay.train.debias.biased import Biased
from assay.train.objective import Objective, Rows, cross_entropy


class Focal(Objective):
    """A pair weighs (1 - p(y))^gamma, where p(y) is the system's own probability of what is right."""

    def __init__(self, *, gamma: float) -> None:
        super().__init__()
        self.gamma = gamma

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:  # noqa: ARG002 - all is in the scores
        loss = cross_entropy(scores, right)  # (batch,)
        return ((1 - (-loss).exp()) ** self.gamma * loss).mean()


class DebiasedFocal(Biased):
    """A pair weighs (1 - b(y))^gamma, where b(y) is the bias's probability of what is right."""

    def __init__(self, bias: NDArray[numpy.floating], *, gamma: float) -> None:
        super().__init__(bias)
        self.gamma = gamma

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        weights = (1 - self.certainty(right, rows)) ** self.gamma  # (batch,)
        return (weights * cross_entropy(scores, right)).mean()
