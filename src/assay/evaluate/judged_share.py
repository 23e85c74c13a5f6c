"""Rates that a fallible judge counted, corrected for the errors that it makes on cases with known labels."""

from math import sqrt

import msgspec

from assay.core.errors import UserError
from assay.core.estimate import Estimate, Interval
from assay.evaluate.intervals import Z95, wilson


class JudgedShare(msgspec.Struct, frozen=True, kw_only=True):
    """The fraction of texts that are supported, by a judge's count and after correction."""

    n: int
    """Texts that the judge decided about."""
    counted: float
    corrected: float
    low: float
    """Lower end of the corrected share's 95% interval, which counts what is not known about the judge."""
    high: float
    recall: float
    """The fraction of supported cases that the judge calls supported."""
    false_support: float
    """The fraction of other cases that the judge calls supported."""

    @property
    def sentence(self) -> str:
        """The result in words.

        >>> share = JudgedShare(
        ...     n=500, counted=0.8, corrected=0.75, low=0.68, high=0.82, recall=0.95, false_support=0.35
        ... )
        >>> share.sentence
        'The judge calls 80.0% of 500 supported. It misses 5.0% of what is, and passes 35.0% of what is not: corrected \
75.0% (95% interval 68.0 to 82.0).'
        """
        return (
            f"The judge calls {self.counted:.1%} of {self.n:,} supported. It misses {1 - self.recall:.1%} of what is, "
            f"and passes {self.false_support:.1%} of what is not: corrected {self.corrected:.1%} (95% interval "
            f"{100 * self.low:.1f} to {100 * self.high:.1f})."
        )


def correct_share(supported: int, n: int, recall: Estimate, specificity: Estimate) -> JudgedShare:
    """Correct a judged share by Rogan and Gladen's formula (1978), with the interval of Lang and Reiczigel (2014).

    `recall` and `specificity` are the judge's accuracies on supported and on other cases with known labels.

    >>> known = [Estimate(name="accuracy", value=value, n=200) for value in (0.9, 0.8)]
    >>> found = correct_share(600, 1000, *known)
    >>> round(found.corrected, 3), round(found.low, 3), round(found.high, 3)
    (0.571, 0.506, 0.637)
    >>> correct_share(600, 1000, *(Estimate(name="accuracy", value=0.5, n=200) for _ in range(2)))
    Traceback (most recent call last):
    ...
    assay.core.errors.UserError: This judge calls supported and unsupported cases supported equally often.
      No rate can be corrected for that. Use another judge, or test this one on more cases.
    """
    (sensitivity, n_first), (correct, n_second) = (_known(each) for each in (recall, specificity))
    if sensitivity + correct - 1 <= 0.05:
        raise UserError(
            "This judge calls supported and unsupported cases supported equally often.\n"
            "  No rate can be corrected for that. Use another judge, or test this one on more cases."
        )
    square = Z95 * Z95
    cases = n + square
    counted = (supported + square / 2) / cases
    first, second = (sensitivity * n_first + 1) / (n_first + 2), (correct * n_second + 1) / (n_second + 2)
    n_first, n_second = n_first + 2, n_second + 2
    gain = first + second - 1
    share = (counted + second - 1) / gain
    noise = counted * (1 - counted) / cases
    misses, passes = first * (1 - first) / n_first, second * (1 - second) / n_second
    shift = 2 * square * (share * misses - (1 - share) * passes)
    reach = Z95 * sqrt(noise + share * share * misses + (1 - share) ** 2 * passes) / gain
    if share + shift - reach >= 1 or share + shift + reach <= 0:
        raise UserError(
            f"The judge calls {supported / n:.1%} supported, but with the errors that are known it can only be from "
            f"{1 - correct:.1%} to {sensitivity:.1%}.\n"
            "  So the judge makes different errors on these texts. Test it on claims that resemble them."
        )
    return JudgedShare(
        n=n,
        counted=supported / n,
        corrected=min(1.0, max(0.0, (supported / n + correct - 1) / (sensitivity + correct - 1))),
        low=min(1.0, max(0.0, share + shift - reach)),
        high=min(1.0, max(0.0, share + shift + reach)),
        recall=sensitivity,
        false_support=1 - correct,
    )


def _known(accuracy: Estimate) -> tuple[float, float]:
    """An accuracy, and how many independent cases its interval is worth."""
    assert accuracy.value is not None
    value, n = accuracy.value, float(accuracy.n)
    if accuracy.low is None or accuracy.high is None:
        return value, n
    low, high = 1.0, n
    for _ in range(40):
        middle = (low + high) / 2
        ends: Interval = wilson(value, middle)
        low, high = (low, middle) if ends.high - ends.low < accuracy.high - accuracy.low else (middle, high)
    return value, high
