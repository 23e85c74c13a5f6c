"""How a system is trained, as data."""

from typing import Literal

import msgspec


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that decides the weights, beside the system, the data and the seed."""

    epochs: int
    """Passes over the data at the most."""
    batch: int = 32
    """Pairs a step."""
    optimiser: Literal["adam", "adamw", "adagrad", "sgd"] = "adam"
    """Which one."""
    rate: float
    """Learning rate at the start."""
    decay: float = 0.0
    """Weight decay; biases and layer norms are left out."""
    clip_norm: float | None = None
    """Scale the gradient down to this norm."""
    clip_value: float | None = None
    """Cut each value of the gradient to this size."""
    schedule: Literal["constant", "linear", "halve", "halve-every-second", "infersent"] = "constant"
    """Linear: warm up, then down to nothing. Halve: when a check brings no gain, halve the rate and go back to the
    best weights. Halve-every-second: halve it after every second epoch. InferSent: times .99 an epoch, a fifth when a
    check brings no gain."""
    warm_up: float = 0.0
    """Share of all steps over which a linear schedule rises."""
    patience: int | None = None
    """Stop after so many checks in a row without a gain."""
    gain: float = 0.0
    """What counts as a gain: this share of the best accuracy more than the best."""
    check_every: int | tuple[int, ...] | None = None
    """Steps between checks on the development pairs, or one number per epoch of which the last one stays; None for once
    an epoch."""
    buckets: bool = True
    """Put pairs of like length into one batch."""
    vector_words_at_least: int = 2
    """How often a word without a ready vector must stand in training texts to get one of its own."""

    def checks_every(self, epoch: int) -> int | None:
        """Steps between checks in an epoch, which is counted from 0.

        >>> plan = Plan(epochs=6, rate=1.0, check_every=(9000, 100))
        >>> [plan.checks_every(epoch) for epoch in range(3)]
        [9000, 100, 100]
        """
        if not isinstance(self.check_every, tuple):
            return self.check_every
        return self.check_every[min(epoch, len(self.check_every) - 1)]
