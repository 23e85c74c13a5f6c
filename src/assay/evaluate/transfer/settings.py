"""How classifiers are trained on frozen vectors: SentEval's settings, and its oddities as switches."""

from typing import Literal

import msgspec

SEED = 1111
"""The seed of SentEval."""


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """SentEval's default configuration (Conneau and Kiela 2018): logistic regression trained by Adam."""

    folds: int = 10
    """How many folds."""
    batch: int = 64
    """Rows in a batch."""
    rate: float = 0.001
    """Adam's learning rate."""
    l2: tuple[float, ...] = (1e-5, 1e-4, 1e-3, 1e-2)
    """Weight decays to choose from; Adam adds them to the gradient, for the bias as well."""
    passes: int = 4
    """Passes over the data between two looks at the validation rows."""
    tenacity: int = 5
    """Looks without a gain that are forgiven; one more ends the training."""
    most_passes: int = 200
    """The most passes; they are counted before each round, so that the last round may end beyond it."""
    held_out: float = 0.05
    """The share of the training rows that decides when the last training of a task with folds ends."""
    loss: Literal["sum", "mean"] = "sum"
    """How the losses of a batch are added up. SentEval asks for the sum, which PyTorch ignores since version 0.4.1. Adam
    hardly minds, but against a mean a weight decay is stronger by the size of the batch."""
    forgive: Literal["once", "anew"] = "once"
    """Whether looks without a gain are counted over the whole training, as SentEval does, or anew after each gain."""
    outer_seed: int | None = SEED
    """The seed of the folds of MR, CR, SUBJ and MPQA, which SentEval fixes whatever seed you give; None for yours."""
    related_passes: int = 50
    """SICK-R: passes between two looks."""
    related_tenacity: int = 3
    """SICK-R: looks without a gain that are forgiven."""
    related_most_passes: int = 1000
    """SICK-R: the most passes."""


SENTEVAL = Protocol()
