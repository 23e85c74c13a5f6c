"""How much training with swapped pairs moves a model: the ratios and the deviation of Wang et al. (2019)."""

from collections.abc import Iterable, Mapping

LEFT_OUT = 25
"""The percentage of swapped pairs that the printed deviations leave out, contrary to the text."""


def ratio(swapped: float, unswapped: float) -> float:
    """A score after training with some pairs swapped, relative to training with none."""
    return swapped / unswapped


def deviation(rows: Iterable[Mapping[int, float]], *, as_printed: bool = False) -> float:
    """The sum of squared distances of all ratios from 1.

    Each row has the scores of one test set by the percentage of training pairs that were swapped, including 0. The text
    sums over all of them; the printed numbers only come out if 25 % is left out (`as_printed`).

    >>> rows = [{0: 0.5, 25: 0.25, 50: 0.5, 100: 1.0}]
    >>> deviation(rows), deviation(rows, as_printed=True)
    (1.25, 1.0)
    """
    return sum(
        (ratio(score, row[0]) - 1) ** 2
        for row in rows
        for swapped, score in row.items()
        if swapped and not (as_printed and swapped == LEFT_OUT)
    )
