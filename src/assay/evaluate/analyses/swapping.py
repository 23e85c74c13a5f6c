"""How much training with swapped pairs moves a system on each test, with an interval (Wang et al. 2019, Table 2)."""

from collections.abc import Mapping, Sequence

import numpy

from assay.core.results.estimate import Estimate
from assay.evaluate.bootstrap import Draws, bootstrap
from assay.evaluate.count.columns import BUCKETS, Bools, CaseColumns, Encoder, Floats
from assay.evaluate.deviation import LEFT_OUT

DEVIATIONS = ("deviation", "deviation as printed")
"""Over all shares, and without the one that the printed figures leave out."""


class Swapping:
    """Adds up the answers of one system, trained with several shares of swapped pairs, by family.

    `ratio` is the accuracy with some pairs swapped over that with none; `deviation` is the sum of squared distances of
    the ratios from 1. The interval resamples source pairs. A sum of squares is never below zero, so chance alone
    makes it positive: read the lower end.

    >>> Swapping([0, 50, 100], suite="s", encoder=Encoder()).estimates({})
    []
    """

    def __init__(self, shares: Sequence[int], *, suite: str, encoder: Encoder) -> None:
        self._shares = shares
        self._suite = suite
        self._encoder = encoder
        self._sums: dict[int, Floats] = {}  # by family: (buckets, shares and trials)

    def add(self, cases: CaseColumns, right: Bools) -> None:
        """Count right answers, (shares, cases), to cases that claim their label."""
        for family in numpy.unique(cases.family[cases.claims]).tolist():
            rows = numpy.flatnonzero(cases.claims & (cases.family == family))
            counts = [
                numpy.bincount(cases.bucket[rows], weights=weights, minlength=BUCKETS)
                for weights in (*right[:, rows], numpy.ones(len(rows)))
            ]
            sums = numpy.stack(counts, axis=-1).astype(numpy.float64)
            self._sums[family] = self._sums[family] + sums if family in self._sums else sums

    def estimates(self, where: Mapping[str, str]) -> list[Estimate]:
        """The accuracies, ratios and deviations of each family."""
        found = []
        swapped = [share for share in self._shares if share]
        names = [
            *(("accuracy", {"swapped": str(share)}) for share in self._shares),
            *(("ratio", {"swapped": str(share)}) for share in swapped),
            *((name, {}) for name in DEVIATIONS),
        ]
        for family, sums in self._sums.items():
            rows = sums[sums[:, -1] > 0]
            values = self._figures(rows.sum(axis=0, keepdims=True))[0].tolist()
            ends = bootstrap(rows, self._figures, Draws(self._suite)) if len(rows) > 1 else [None] * len(names)
            place = {**where, "suite": self._suite, "family": self._encoder.families[family]}
            for (name, own), value, interval in zip(names, values, ends, strict=True):
                low, high = interval or (None, None)
                n = int(rows[:, -1].sum())
                is_known = numpy.isfinite(value)
                found.append(
                    Estimate(
                        name=name, value=value if is_known else None, low=low, high=high, n=n, slice={**place, **own}
                    )
                )
        return found

    def _figures(self, totals: Floats) -> Floats:
        """Takes (draws, hits by share and trials), returns (draws, figures)."""
        scores = totals[:, :-1] / totals[:, -1:]
        none = self._shares.index(0)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            ratios = numpy.delete(scores, none, axis=1) / scores[:, none : none + 1]
        squares = (ratios - 1) ** 2
        printed = numpy.array([share != LEFT_OUT for share in self._shares if share])
        return numpy.concatenate(
            [
                scores,
                ratios,
                squares.sum(axis=1, keepdims=True),
                squares[:, printed].sum(axis=1, keepdims=True),
            ],
            axis=1,
        )
