"""What swapping premise and hypothesis shows about each label."""

from collections.abc import Iterable

from assay.core.label import Label
from assay.core.results.estimate import FAMILY, Estimate, find
from assay.core.results.judgement import Swap, SwapOutcome
from assay.evaluate.judge.loss import is_clear

MARGIN = 0.05
"""A share that moves by less than this holds."""


def swaps(estimates: Iterable[Estimate]) -> tuple[Swap, ...]:
    """What each label of each model does, if its source pairs were asked too."""
    given = list(estimates)
    by = (*FAMILY, "label")
    kept, sources, drops, tests = (find(given, name, by) for name in ("kept", "source", "drop", "holm"))
    return tuple(
        Swap(slice=each.slice, outcome=swap_outcome(sources[place], drops[place], tests.get(place)))
        for place, each in kept.items()
        if place in drops
    )


def swap_outcome(source: Estimate, drop: Estimate, test: Estimate | None) -> SwapOutcome:
    """Whether a label's share drops or holds as it should: entailment drops, every other label holds.

    `test` is the corrected p of the drop. Whether nothing moves is decided by the interval alone.

    >>> where = {"label": "entailment"}
    >>> source = Estimate(name="source", value=0.9, n=400, slice=where)
    >>> drop = Estimate(name="drop", value=0.0, low=-0.01, high=0.01, n=400, slice=where)
    >>> swap_outcome(source, drop, None)
    'does not drop'
    """
    if drop.value is None or drop.low is None or drop.high is None:
        return "not measured"
    clear = is_clear(test.value if test else None)
    if drop.slice["label"] == Label.ENTAILMENT:
        return _should_drop(bool(source.value), drop.value, (drop.low, drop.high), clear=clear)
    return _should_hold(bool(source.value), drop.value, (drop.low, drop.high), clear=clear)


def _should_drop(ever_right: bool, drop: float, ends: tuple[float, float], *, clear: bool) -> SwapOutcome:
    low, high = ends
    if not ever_right:
        return "never right"
    if low > MARGIN and clear:
        return "drops"
    if high < MARGIN:
        return "does not drop"
    return "drops a little" if clear and drop > 0 else "undecided"


def _should_hold(ever_right: bool, drop: float, ends: tuple[float, float], *, clear: bool) -> SwapOutcome:
    low, high = ends
    if not ever_right and not drop:
        return "never right"
    if low > -MARGIN and high < MARGIN:
        return "holds"
    if clear:
        return "falls" if drop > 0 else "rises"
    return "undecided"
