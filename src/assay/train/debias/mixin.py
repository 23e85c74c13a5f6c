"""The learned mixin with its entropy term (Clark et al. 2019, "Learned-Mixin +H")."""

from typing import Any

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import softplus

from assay.core.errors import UserError
from assay.models.systems.system import System
from assay.train.debias.biased import Biased
from assay.train.objective import Rows, cross_entropy


class LearnedMixin(Biased):
    """A product of experts that learns how far to trust the bias in each pair: softmax(log p + g log b).

    g = softplus(w h), from the last hidden vector h of the system. The entropy of softmax(g log b) is added to the
    loss, because the system could otherwise learn to ignore the bias.
    """

    def __init__(self, system: System, bias: NDArray[numpy.floating], *, entropy: float) -> None:
        super().__init__(bias)
        self.entropy = entropy
        last = last_layer(system)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)  # nothing else that is drawn depends on the method
            self.trust = nn.Linear(last.in_features, 1)
        self._hidden: Tensor | None = None
        last.register_forward_pre_hook(self._listen)

    def _listen(self, layer: nn.Module, given: tuple[Any, ...]) -> None:
        if layer.training:
            self._hidden = given[0]  # (batch, hidden)

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        assert self._hidden is not None
        factor = softplus(self.trust(self._hidden))  # (batch, 1)
        return mixed(scores, right, factor * self.log_bias(rows), entropy=self.entropy)


def mixed(scores: Tensor, right: Tensor, trusted: Tensor, *, entropy: float) -> Tensor:
    """The loss of answers together with a bias as far as it is trusted, g log b: (batch, labels)."""
    together = scores.log_softmax(-1) + trusted
    of_bias = trusted.log_softmax(-1)
    spread = -(of_bias.exp() * of_bias).sum(-1)  # (batch,)
    return (cross_entropy(together, right) + entropy * spread).mean()


def last_layer(system: System) -> nn.Linear:
    """The layer that gives the scores."""
    layers = [each for each in system.modules() if isinstance(each, nn.Linear)]
    found = [each for each in layers if each.out_features == len(system.labels)]
    if not found:
        raise UserError(
            f"--debias mixin needs a linear layer that scores the labels, and {type(system).__name__} has none.\n"
            "  Use --debias poe, which needs no hidden vector."
        )
    return found[-1]
