"""How often something happened in simulated data, with the interval that the number of draws allows."""

from typing import NamedTuple

from assay.evaluate.intervals import wilson


class Rate(NamedTuple):
    """One row of the calibration table."""

    verdict: str
    """The verdict or interval, in the words in which Assay prints it, such as "95% interval of accuracy"."""

    condition: str
    """The simulated data, such as "25 clusters of 8, intraclass correlation .5, accuracy .1"."""

    wrong: int
    """In how many draws the verdict was wrong."""

    draws: int

    nominal: float
    """How often it may be wrong."""

    power: str = ""
    """How often a true effect was found and how large it was, such as ".81 at 10 points"."""

    why: str = ""
    """Why the verdict is wrong more seldom than it may be, if that can't be changed."""

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.wrong / self.draws, self.draws)

    @property
    def holds(self) -> bool:
        """The rate is not clearly above what is promised: at most 7% for a nominal 5%, in proportion for other levels.

        >>> Rate("loss", "no loss", wrong=52, draws=1000, nominal=0.05).holds
        True
        >>> Rate("loss", "no loss", wrong=120, draws=1000, nominal=0.05).holds
        False
        """
        return self.wrong / self.draws <= 1.4 * self.nominal
