"""Several seeds of one system: a band, not a point."""

from collections.abc import Sequence
from math import fsum, sqrt

import msgspec


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """What several runs of one system gave."""

    mean: float
    """Their mean."""
    low: float
    """The lowest."""
    high: float
    """The highest."""
    deviation: float | None
    """Their standard deviation; None for one run alone."""
    n: int
    """How many there were."""


def band(values: Sequence[float]) -> Band | None:
    """The band of several values; None of none.

    >>> band([0.25, 0.5, 0.75])
    Band(mean=0.5, low=0.25, high=0.75, deviation=0.25, n=3)
    """
    if not values:
        return None
    # Rounding must not push the mean past its ends.
    mean = min(max(values), max(min(values), fsum(values) / len(values)))
    squares = fsum((value - mean) ** 2 for value in values)
    deviation = sqrt(squares / (len(values) - 1)) if len(values) > 1 else None
    return Band(mean=mean, low=min(values), high=max(values), deviation=deviation, n=len(values))


def seeded(model: str) -> tuple[str, str | None]:
    """A model's name and its seed, where it is written `NAME@SEED`.

    >>> seeded("assay:esim@7"), seeded("assay:esim"), seeded("openai:m@http://host")
    (('assay:esim', '7'), ('assay:esim', None), ('openai:m@http://host', None))
    """
    name, at, seed = model.rpartition("@")
    return (name, seed) if at and seed.isalnum() else (model, None)
