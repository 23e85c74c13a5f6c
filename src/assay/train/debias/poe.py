"""A product of experts (Clark et al. 2019, "Bias Product"; He et al. 2019, "DRiFt")."""

from torch import Tensor

from assay.train.debias.biased import Biased
from assay.train.objective import Rows, cross_entropy


class ProductOfExperts(Biased):
    """System and bias answer together, softmax(log p + log b), so the system learns what the bias lacks."""

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        together = scores.log_softmax(-1) + self.log_bias(rows)  # (batch, labels)
        return cross_entropy(together, right).mean()
