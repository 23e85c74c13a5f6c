"""What a bounded quantity means: the set of numbers that it allows."""

from decimal import Decimal
from typing import NamedTuple

from assay.language.numbers.quantities import Quantity, numbers

INFINITY = Decimal("Infinity")


class Interval(NamedTuple):
    """The numbers between two ends, which are included unless they are open.

    >>> interval("more than 3").disjoint_from(interval("3")), interval("3").subset_of(interval("at least 3"))
    (True, True)
    """

    low: Decimal
    """The lower end."""
    high: Decimal
    """The upper end."""
    low_open: bool = False
    """Whether the lower end is excluded."""
    high_open: bool = False
    """Whether the upper end is excluded."""

    def subset_of(self, other: "Interval") -> bool:
        """Whether all of its numbers are in the other."""
        above = self.low > other.low or (self.low == other.low and self.low_open >= other.low_open)
        below = self.high < other.high or (self.high == other.high and self.high_open >= other.high_open)
        return above and below

    def disjoint_from(self, other: "Interval") -> bool:
        """Whether they share no number."""
        first, second = sorted((self, other), key=lambda each: (each.high, not each.high_open))
        apart = first.high < second.low
        return apart or (first.high == second.low and (first.high_open or second.low_open))


def interval(of: Quantity | str) -> Interval | None:
    """The numbers that a quantity can mean, with the words that limit it; None if they are vague or negated.

    >>> interval("fewer than 40 men")
    Interval(low=Decimal('-Infinity'), high=Decimal('40'), low_open=True, high_open=True)
    >>> interval("about 40 men")
    """
    if isinstance(of, str):
        found = numbers(of)
        if len(found) != 1 or not isinstance(found[0], Quantity):
            raise ValueError(f"not one quantity: {of!r}")
        of = found[0]
    match of.bound:
        case "more":
            return Interval(of.value, INFINITY, True, True)
        case "less":
            return Interval(-INFINITY, of.value, True, True)
        case "least":
            return Interval(of.value, INFINITY, False, True)
        case "most":
            return Interval(-INFINITY, of.value, True, False)
        case "bare" | "exactly":
            return Interval(of.value, of.value)
        case _:
            return None
