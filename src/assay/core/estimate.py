"""A measured figure with its uncertainty."""

import msgspec


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, its interval and the slice that it was measured on.

    What was not measured is None, not zero.

    >>> Estimate(name="accuracy", value=None, n=0).value is None
    True
    """

    name: str
    """What was measured, such as accuracy."""
    value: float | None
    """The figure; None where nothing was measured."""
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    """Upper end of the 95 % interval."""
    n: int
    """How many cases it rests on."""
    slice: dict[str, str] = {}
    """On what: model, family, label, group."""
