"""Copies compared with their source pairs: what is lost, and what stays consistent."""

from collections.abc import Iterator, Mapping, Sequence

import numpy

from assay.core.estimate import Estimate, Interval
from assay.evaluate.case_columns import SEVERITY, VARIANT, Bools, CaseColumns, Encoder
from assay.evaluate.paired import PairedShares, difference_intervals
from assay.evaluate.slice_sums import PairedTally, ShareTally, cells, label_slice, slice_of, with_labels

FACETS = (None, VARIANT, SEVERITY)
"""Facets by which copies are counted, besides their family."""


class AccuracyDrop:
    """Models' answers to cases and to their source pairs, which are next to each other in a suite.

    By family, variant and severity it gives: the accuracy on the `source` pairs; the `drop` from there to the cases,
    with its interval and a paired test; and, if the label stays, `consistency`, the share of copies that are
    answered correctly along with their source pair. If labels stay, the figures are also given by label.

    >>> AccuracyDrop(["m"], suite="s", encoder=Encoder()).estimates()
    [[]]
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._suite = suite
        self._encoder = encoder
        self._pairs = PairedTally(len(models))
        self._both = ShareTally(len(models))
        self._others: set[int] = set()
        """Slices with a copy whose label differs from the pair's, or is not claimed: they have no consistency."""

    def add(self, cases: CaseColumns, right: Bools) -> None:
        """Count answers that are right or not, (models, cases)."""
        facets = numpy.array([facet.name in FACETS for facet in self._encoder.facets])
        chosen = facets[cases.facet] & (cases.source[cases.facet_of] >= 0)
        rows = cases.facet_of[chosen]
        if not len(rows):
            return
        entries = with_labels(cases.facet[chosen], rows, cases.label, cases.stays[rows])
        found = cells(entries.codes, cases.cluster[entries.rows], cases.unit[entries.rows])
        met = entries.places[found.met]
        answers = right.astype(numpy.int64)
        before, after = answers[:, cases.source[entries.rows]], answers[:, entries.rows]  # (models, entries)
        self._pairs.add(found, before, after, met)
        self._both.add(found, before * after, met)
        is_same = cases.stays & cases.claims
        self._others.update(numpy.unique(entries.codes[~is_same[entries.rows]]).tolist())

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the figures of every slice, in order of appearance."""
        pairs = [self._pairs.shares(number) for number in range(len(self._models))]
        intervals = iter(difference_intervals([each for of_model in pairs for each in of_model.values()]))
        return [list(self._of_model(number, of_model, intervals)) for number, of_model in enumerate(pairs)]

    def _of_model(
        self, number: int, pairs: Mapping[int, PairedShares], intervals: Iterator[Interval | None]
    ) -> Iterator[Estimate]:
        both = self._both.shares(number)
        for code, shares in pairs.items():
            where = self._slice(code, self._models[number])
            yield from _drop(shares, next(intervals), where)
            if code not in self._others:
                low, high = both[code].interval or (None, None)
                value = both[code].value
                yield Estimate(name="consistency", value=value, low=low, high=high, n=shares.n, slice=where)

    def _slice(self, slice_code: int, model: str) -> dict[str, str]:
        code, label = slice_of(slice_code)
        return label_slice({"model": model, "suite": self._suite, **self._encoder.facets[code].slice}, label)


def _drop(shares: PairedShares, interval: Interval | None, where: dict[str, str]) -> Iterator[Estimate]:
    yield Estimate(name="source", value=shares.first, n=shares.n, slice=where)
    low, high = interval or (None, None)
    yield Estimate(name="drop", value=shares.difference, low=low, high=high, n=shares.n, slice=where)
    yield Estimate(name="mcnemar", value=shares.p, n=shares.n, slice=where)
