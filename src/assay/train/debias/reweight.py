"""Reweighting: what the bias gets right counts less (Clark et al. 2019, "Reweighting")."""

from torch import Tensor

from assay.train.debias.biased import Biased
from assay.train.objective import Rows, cross_entropy

LEAST_WEIGHT = 1e-6
"""Of a batch, so that one in which the bias knows everything teaches nothing instead of dividing by zero."""


class Reweight(Biased):
    """A pair weighs 1 - b(y), where b(y) is the bias's probability of what is right; a batch's weights add up to 1."""

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        weights = 1 - self.certainty(right, rows)  # (batch,)
        return (weights * cross_entropy(scores, right)).sum() / weights.sum().clamp(min=LEAST_WEIGHT)
