"""A system trained in two ways, compared on the same cases over all seeds, by any slice."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy

from assay.core.study.record import StudyTest
from assay.evaluate.correction import holm
from assay.evaluate.count.cells import cells, named, slice_of, with_labels
from assay.evaluate.count.columns import Bools, CaseColumns, Encoder
from assay.evaluate.count.tallies import PairedTally
from assay.evaluate.judge.loss import outcome_of
from assay.evaluate.paired import difference_intervals


class Pairing(NamedTuple):
    """Which trainings are compared."""

    system: str
    """The system."""
    regime: str
    """The regime that is judged."""
    baseline: str
    """What it is compared with."""
    seeds: int
    """Seeds that both have."""


class Regimes:
    """Adds up what the seeds of two regimes got right on the cases of a suite that claim their label.

    All cases of a premise or a word pair, with all seeds, are one cluster: seeds that answer the same case are no new
    evidence about other cases.

    >>> Regimes(Pairing("esim", "50 %", "0 %", 3), suite="s", encoder=Encoder()).tests()
    []
    """

    def __init__(self, pairing: Pairing, *, suite: str, encoder: Encoder) -> None:
        self._pairing = pairing
        self._suite = suite
        self._encoder = encoder
        self._all = PairedTally(1)
        self._by_seed = PairedTally(pairing.seeds)

    def add(self, cases: CaseColumns, *, candidate: Bools, baseline: Bools) -> None:
        """Count a chunk of cases: whether each seed got them right, each (seeds, cases)."""
        own = numpy.flatnonzero(cases.claims[cases.facet_of])
        if not len(own):
            return
        entries = with_labels(cases.facet[own], cases.facet_of[own], cases.label)
        clusters, units = cases.cluster[entries.rows], cases.unit[entries.rows]
        first, second = (right.astype(numpy.int64)[:, entries.rows] for right in (candidate, baseline))
        found = cells(entries.codes, clusters, units)
        self._by_seed.add(found, first, second, entries.places[found.met])
        seeds = self._pairing.seeds
        repeated = (entries.codes, clusters, units, entries.places)
        codes, clusters, units, places = (numpy.repeat(each, seeds) for each in repeated)
        found = cells(codes, clusters, units)
        self._all.add(found, first.T.reshape(1, -1), second.T.reshape(1, -1), places[found.met])

    def tests(self) -> list[StudyTest]:
        """Every slice, without a verdict."""
        found = self._all.shares(0)
        by_seed = [self._by_seed.shares(seed) for seed in range(self._pairing.seeds)]
        intervals = difference_intervals(list(found.values()))
        made = []
        for (code, shares), interval in zip(found.items(), intervals, strict=True):
            assert shares.difference is not None
            assert shares.p is not None
            moved = [each[code].difference or 0.0 for each in by_seed]
            made.append(
                StudyTest(
                    system=self._pairing.system,
                    regime=self._pairing.regime,
                    baseline=self._pairing.baseline,
                    slice=self._slice(code),
                    n=shares.n // self._pairing.seeds,
                    seeds=self._pairing.seeds,
                    difference=shares.difference,
                    low=interval.low if interval else None,
                    high=interval.high if interval else None,
                    p=shares.p,
                    adjusted=shares.p,
                    agree=sum(each * shares.difference > 0 for each in moved),
                    verdict="undecided",
                )
            )
        return made

    def _slice(self, slice_code: int) -> dict[str, str]:
        code, label = slice_of(slice_code)
        return named({"suite": self._suite, **self._encoder.facets[code].slice}, label)


def judged_tests(tests: Iterable[StudyTest]) -> tuple[StudyTest, ...]:
    """The tests of a table with their verdicts: Holm's correction over all of them, and all seeds on the same side."""
    rows: Sequence[StudyTest] = list(tests)
    adjusted = holm([row.p for row in rows])
    return tuple(
        msgspec.structs.replace(
            row,
            adjusted=p,
            verdict=outcome_of(row.difference, p) if row.agree == row.seeds else "undecided",
        )
        for row, p in zip(rows, adjusted, strict=True)
    )
