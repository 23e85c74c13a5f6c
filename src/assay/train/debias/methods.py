"""The methods by name."""

import numpy
from numpy.typing import NDArray

from assay.models.systems.system import System
from assay.train.debias.confreg import ConfidenceRegularisation
from assay.train.debias.focal import DebiasedFocal, Focal
from assay.train.debias.mixin import LearnedMixin
from assay.train.debias.poe import ProductOfExperts
from assay.train.debias.reweight import Reweight
from assay.train.objective import Objective
from assay.train.plan import Debias, Method

Shares = NDArray[numpy.floating]
"""(training pairs, labels): probabilities."""


def objective_for(
    method: Method, settings: Debias, system: System, *, bias: Shares | None, teacher: Shares | None
) -> Objective:
    """The loss of a method; what it needs must be there."""
    if bias is None:
        assert method == "focal"
        return Focal(gamma=settings.gamma)
    match method:
        case "reweight":
            return Reweight(bias)
        case "poe":
            return ProductOfExperts(bias)
        case "mixin":
            return LearnedMixin(system, bias, entropy=settings.entropy)
        case "confreg":
            assert teacher is not None
            return ConfidenceRegularisation(bias, teacher)
        case "focal":
            return DebiasedFocal(bias, gamma=settings.gamma)
        case "draw":
            return Objective()
