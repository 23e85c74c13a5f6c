"""What a model's support scores amount to at every threshold, and what they are worth as probabilities."""

import msgspec

CHOSEN = "chosen"
"""The value of a slice whose threshold was chosen on one half of the source pairs."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A figure along a curve; None where it is not defined, such as the precision of no answers."""

    value: tuple[float | None, ...]
    """The figure at each point."""
    low: tuple[float | None, ...]
    """Lower ends of its 95 % intervals."""
    high: tuple[float | None, ...]
    """Upper ends."""


class ScoreBin(msgspec.Struct, frozen=True, kw_only=True):
    """Cases with similar scores."""

    score: float
    """Their mean score."""
    supported: float
    """The share of them that is supported; in a calibrated model, the same as the mean score."""
    low: float | None
    """Lower end of the share's 95 % interval."""
    high: float | None
    """Upper end."""
    n: int
    """How many there are."""


class SupportCurve(msgspec.Struct, frozen=True, kw_only=True):
    """A model's support scores in one family."""

    slice: dict[str, str]
    """Model, suite and family."""
    n: int
    """How many cases have a score."""
    supported: int
    """How many of them are supported: their label is entailment."""
    threshold: float
    """The score from which the model says entailment."""
    chosen: float | None
    """The threshold that was chosen on one half of the source pairs; None if that half lacks one of the labels."""
    thresholds: tuple[float, ...]
    """The thresholds of the lines."""
    lines: dict[str, Line]
    """Recall, precision and f1 of supported cases, balanced accuracy and false support, by name."""
    reliability: tuple[ScoreBin, ...]
    """Scores compared with what is supported, in bins of equal width; empty bins are left out."""
    coverage: tuple[float, ...]
    """Shares of the cases that are answered, the surest first."""
    risk: Line
    """The share of wrong answers among them, with 95 % intervals."""
