"""Simulates models that guess: the share that is said to be below guessing, by the labels of the family."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy

from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY, Label
from assay.evaluate.intervals import clustered_share
from assay.evaluate.losses import below_chance
from calibrating.rate import Rate
from calibrating.simulated import draw_hits

NOMINAL = 0.05
LOST = 0.2  # a model that is right so much less often than a guess on one label should be found
WEIGHTS = {Label.ENTAILMENT: 8, Label.NEUTRAL: 1, Label.CONTRADICTION: 4, Label.NON_ENTAILMENT: 2}


class Family(NamedTuple):
    """Cases with labels from one space or from two, and a model that guesses from two labels or from three."""

    name: str
    labels: tuple[Label, ...]
    guessed: int

    def accuracy(self, label: Label) -> float:
        """The share of right guesses: neutral and contradiction are non-entailment, too."""
        return 2 / 3 if self.guessed == 3 and label is Label.NON_ENTAILMENT else 1 / self.guessed


BOTH = (Label.ENTAILMENT, Label.CONTRADICTION, Label.NON_ENTAILMENT)
FAMILIES = (
    Family("two labels", (Label.ENTAILMENT, Label.NON_ENTAILMENT), 2),
    Family("three labels", THREE_WAY, 3),
    Family("both kinds of labels", BOTH, 2),
    Family("both kinds of labels", BOTH, 3),
)
NOISES = ((1, 0.0, "beta"), (4, 0.3, "beta"), (4, 0.3, "whole"))  # size of clusters, correlation, kind of noise


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """The rows of the table."""
    rng = numpy.random.default_rng([seed, 41])
    for family in FAMILIES:
        for noise in NOISES:
            for even in (True, False):
                yield _guesser(rng, draws, family, noise, even=even)


def _guesser(
    rng: numpy.random.Generator, draws: int, family: Family, noise: tuple[int, float, str], *, even: bool
) -> Rate:
    width, alike, kind = noise
    clusters = {label: 20 if even else 10 * WEIGHTS[label] for label in family.labels}
    counts = {"s": {"f": {label.value: n * width for label, n in clusters.items()}}}
    wrong = found = 0
    for _ in range(draws):
        for lost in (0.0, LOST):
            estimates = []
            for label, n in clusters.items():
                trials = numpy.full(n, width)
                accuracy = family.accuracy(label) - lost * (label is family.labels[-1])
                hits = draw_hits(rng, trials, accuracy=accuracy, alike=alike, noise=kind)
                share = clustered_share(hits, trials)
                low, high = share.interval or (None, None)
                where = {"model": "m", "suite": "s", "family": "f", "label": label.value}
                estimates.append(
                    Estimate(name="accuracy", value=share.value, low=low, high=high, n=share.n, slice=where)
                )
            below = bool(below_chance(estimates, counts))
            wrong += below and not lost
            found += below and lost > 0
    clustered = f"clusters of {width}, correlation {alike} ({kind})" if alike else "no clusters"
    sizes = "labels equally often" if even else "labels 8:1:4:2"
    condition = f"{family.name}, guessed from {family.guessed}; {sizes}; {clustered}"
    return Rate("below guessing", condition, wrong, draws, NOMINAL, f"{found / draws:.2f} at {100 * LOST:.0f} points")
