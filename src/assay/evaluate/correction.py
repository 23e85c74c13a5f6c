"""Many tests at once: Holm's correction."""

from collections.abc import Iterable, Sequence

from assay.core.results.estimate import Estimate

FAMILY = {"model", "suite", "family"}


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p, corrected for the number of tests: if all below 0.05 count, one set of tests in twenty has a false alarm.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = reached
    return adjusted


def corrected(estimates: Iterable[Estimate]) -> list[Estimate]:
    """The tests of one model's answers to a suite, corrected together: `holm` for each `mcnemar`.

    Whole families are corrected for the number of families; separately, their labels are corrected for the number of
    labels in all families. Finer slices are not corrected: nothing is claimed about them.

    >>> def test(family: str, p: float) -> Estimate:
    ...     return Estimate(name="mcnemar", value=p, n=9, slice={"model": "m", "suite": "s", "family": family})
    >>> [(e.name, e.slice["family"], e.value) for e in corrected([test("negation", 0.04), test("spelling", 0.01)])]
    [('holm', 'negation', 0.04), ('holm', 'spelling', 0.02)]
    """
    tests = [e for e in estimates if e.name == "mcnemar"]
    found = []
    for names in (FAMILY, {*FAMILY, "label"}):
        own = [(e, e.value) for e in tests if set(e.slice) == names and e.value is not None]
        adjusted = holm([p for _, p in own])
        found += [Estimate(name="holm", value=p, n=e.n, slice=e.slice) for (e, _), p in zip(own, adjusted, strict=True)]
    return found
