"""Many tests at once: Holm's correction."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p as it must be read when so many tests were made: below 0.05 for all with one false alarm in twenty.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = reached
    return adjusted
