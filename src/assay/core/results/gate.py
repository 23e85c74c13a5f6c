"""The result of a gate: each rule with the figures that it is about, and the comparison with an earlier run."""

import msgspec

from assay.core.results.comparison import Compared, Comparison


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A rule and one figure that it is about."""

    rule: str
    """The rule as it was given."""
    figure: str
    """The name of the figure."""
    slice: dict[str, str]
    """The slice: model, suite, family, label, group."""
    value: float
    """What was measured."""
    low: float | None
    """Lower end of its 95 % interval, if it has one."""
    high: float | None
    """Upper end."""
    n: int
    """How many cases it is based on."""
    holds: bool
    """Whether the measured value keeps the rule."""


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a run may pass, and why.

    >>> Gate(run="one", baseline="", passed=True, rules=(), comparisons=(), notes=()).losses
    []
    """

    run: str
    """The run that is judged, by id."""
    baseline: str
    """The run that it must not be worse than, by id; empty if there is none."""
    passed: bool
    """Whether every rule holds and nothing is significantly worse."""
    rules: tuple[Checked, ...]
    """Every rule with every figure that it is about."""
    comparisons: tuple[Comparison, ...]
    """Each model against itself, or another, in the earlier run."""
    notes: tuple[str, ...]
    """What a careful reader should know."""
    two_way: tuple[str, ...] = ()
    """Suites in which neutral and contradiction count as one label."""
    names: dict[str, str] = {}
    """The user's own names for labels, each with our name."""

    @property
    def losses(self) -> list[tuple[Comparison, Compared]]:
        """Families where a model is significantly worse than in the earlier run."""
        return [(each, row) for each in self.comparisons for row in losses_of(each)]


def losses_of(comparison: Comparison) -> list[Compared]:
    """Whole families that are significantly worse. Single labels are left out: what one loses, another may gain."""
    return [row for row in comparison.slices if row.verdict == "worse" and "label" not in row.slice]
