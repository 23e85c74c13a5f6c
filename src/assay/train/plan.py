"""How a system is trained, as data."""

from typing import Literal

import msgspec


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides the weights, apart from the system, the data and the seed."""

    epochs: int
    """The most passes over the data."""
    batch: int = 32
    """Pairs per step."""
    optimiser: Literal["adam", "adamw", "adagrad", "sgd"] = "adam"
    """Which optimiser."""
    rate: float
    """Learning rate at the start."""
    epsilon: float | None = None
    """What keeps the optimiser from dividing by zero; None for PyTorch's default."""
    decay: float = 0.0
    """Weight decay; biases and layer norms are left out."""
    clip_norm: float | None = None
    """Scale larger gradients down to this norm."""
    clip_value: float | None = None
    """Cut each value of the gradient to this size."""
    schedule: Literal["constant", "linear", "halve", "plateau", "infersent"] = "constant"
    """Linear: warm up, then fall to zero. Halve: when a check brings no gain, halve the rate and go back to the best
    weights. Plateau: halve the rate, but keep the weights. InferSent: multiply by .99 each epoch, and divide by five
    when a check brings no gain."""
    warm_up: float = 0.0
    """Share of all steps over which a linear schedule rises."""
    patience: int | None = None
    """Stop after this many checks in a row without a gain."""
    gain: float = 0.0
    """What counts as a gain: more than the best accuracy by this share of it."""
    check_every: int | None = None
    """Steps between checks on the development pairs; None for one check per epoch."""
    buckets: bool = True
    """Put pairs of similar length into one batch."""
    vector_words_at_least: int = 2
    """How often a word without a ready vector must occur in the training texts to get a learned one; 0 for none."""
