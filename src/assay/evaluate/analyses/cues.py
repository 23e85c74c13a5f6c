"""How often errors show a cue that could explain them, and how often cases with the cue are errors."""

from collections.abc import Mapping, Sequence

import numpy

from assay.core.results.estimate import Estimate
from assay.evaluate.analyses.shares import NOWHERE, Shares, estimate_of
from assay.evaluate.count.columns import Bools, Ints

UNKNOWN = "unknown"
"""What an error without any cue is called, as in the paper."""


class Cues:
    """Counts one model's errors by cue; an error can have several.

    `explained` is the share of errors that have a cue; of the cases with a cue, `with` is the share of errors, and of
    those without it, `without`.

    >>> cues = Cues(["negation"])
    >>> has = numpy.array([[True, False, False]])
    >>> cues.add(has, has, wrong=numpy.array([True, True, False]), clusters=numpy.arange(3))
    >>> [(each.name, each.slice["cue"], each.value) for each in cues.estimates({})]  # doctest: +NORMALIZE_WHITESPACE
    [('explained', 'negation', 0.5), ('with', 'negation', 1.0), ('without', 'negation', 0.5),
     ('explained', 'unknown', 0.5)]
    """

    def __init__(self, cues: Sequence[str]) -> None:
        self._cues = cues
        self._explained = [Shares() for _ in (*cues, UNKNOWN)]
        self._with = [Shares() for _ in cues]
        self._without = [Shares() for _ in cues]

    def add(self, present: Bools, fits: Bools, *, wrong: Bools, clusters: Ints, units: Ints | None = None) -> None:
        """Count cases, (cues, cases): whether a cue is present, and whether it fits the error that the model makes."""
        errors = numpy.where(wrong, 0, NOWHERE)
        for number in range(len(self._cues)):
            self._explained[number].add(errors, clusters, fits[number], units)
            self._with[number].add(numpy.where(present[number], 0, NOWHERE), clusters, wrong, units)
            self._without[number].add(numpy.where(present[number], NOWHERE, 0), clusters, wrong, units)
        self._explained[-1].add(errors, clusters, numpy.asarray(~fits.any(axis=0)), units)

    def estimates(self, where: Mapping[str, str]) -> list[Estimate]:
        """The figures of every cue, then the errors without one."""
        found = []
        for number, cue in enumerate((*self._cues, UNKNOWN)):
            counted = {"explained": self._explained[number]}
            if cue != UNKNOWN:
                counted |= {"with": self._with[number], "without": self._without[number]}
            for name, shares in counted.items():
                found += [estimate_of(name, share, {**where, "cue": cue}) for share in shares.found().values()]
        return found
