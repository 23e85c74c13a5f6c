"""One model compared with another on the same cases, by family and label."""

from collections.abc import Sequence
from math import ceil

import msgspec
import numpy

from assay.core.comparison import ComparedSlice
from assay.evaluate.case_columns import Bools, CaseColumns, Encoder, Ints
from assay.evaluate.intervals import Z95, student_95
from assay.evaluate.losses import outcome_of
from assay.evaluate.margin import judge_margin, noninferiority_p
from assay.evaluate.paired import PairedShares, cases_for_difference, holm, smallest_difference
from assay.evaluate.seeds import band
from assay.evaluate.slice_sums import PairedTally, label_slice, make_cells, slice_of, with_labels
from assay.evaluate.trainings import Standing, TrainingsTest, adjust_tests, is_at_chance, judge_trainings


class PairedCounts:
    """Counts which labelled cases of a suite each of two models gets right."""

    def __init__(self, *, suite: str, encoder: Encoder) -> None:
        self._suite, self._encoder, self._pairs = suite, encoder, PairedTally(1)

    def add(self, cases: CaseColumns, rows: Ints, *, candidate: Bools, baseline: Bools) -> None:
        """Count cases; each argument, of shape (rows,), says which cases one of the two models got right."""
        if not len(rows):
            return
        place = numpy.arange(len(rows))
        entries = with_labels(cases.family[rows], place, cases.label[rows])
        found = make_cells(entries.codes, *(each[rows][entries.rows] for each in (cases.cluster, cases.unit)))
        first, second = (right.astype(numpy.int64)[None, entries.rows] for right in (candidate, baseline))
        self._pairs.add(found, first, second, entries.places[found.met])

    def rows(self) -> list[ComparedSlice]:
        """Every slice, without a verdict: a family, then its labels."""
        found = []
        for slice_code, shares in self._pairs.shares(0).items():
            code, label = slice_of(slice_code)
            where = label_slice({"suite": self._suite, "family": self._encoder.families[code]}, label)
            found.append(compared_shares(where, shares))
        return found


def compared_shares(where: dict[str, str], shares: PairedShares) -> ComparedSlice:
    """Two models on one slice, without a verdict."""
    low, high = shares.interval
    return ComparedSlice(
        slice=where,
        n=shares.n,
        candidate=shares.first,
        baseline=shares.second,
        difference=shares.first - shares.second,
        low=low,
        high=high,
        only_candidate=shares.only_first,
        only_baseline=shares.only_second,
        p=shares.p,
        adjusted=shares.p,
        independent=shares.independent_cases * (Z95 / student_95(shares.effect.freedom)) ** 2,
        clusters=shares.clusters,
        typical=shares.typical,
        verdict="not significant",
    )


def judge_systems(
    tests: Sequence[TrainingsTest], standings: Sequence[Standing], margin: float | None = None
) -> tuple[ComparedSlice, ...]:
    """Two systems over their training runs, with verdicts; Holm's correction as for two models."""
    adjusted: dict[int, float | None] = {}
    for by_label in (False, True):
        places = [place for place, test in enumerate(tests) if ("label" in test.slice) is by_label]
        adjusted |= zip(
            places, adjust_tests([(tests[place].p, tests[place].exchange) for place in places]), strict=True
        )
    rows = []
    for place, test in enumerate(tests):
        bands = band(test.candidate), band(test.baseline)
        value, at_chance = test.difference.value, is_at_chance(test.slice, standings)
        rows.append(
            ComparedSlice(
                slice=test.slice,
                n=test.n,
                candidate=bands[0].mean,
                baseline=bands[1].mean,
                difference=value,
                low=test.difference.low,
                high=test.difference.high,
                p=test.p,
                adjusted=adjusted[place],
                verdict=judge_trainings(value, adjusted[place], test.trainings, at_chance=at_chance),
                candidate_band=bands[0],
                baseline_band=bands[1],
            )
        )
    ps = [test.noninferiority_p(margin) if margin else 1.0 for test in tests]
    return _with_margin(rows, ps, margin)


def _with_margin(rows: Sequence[ComparedSlice], ps: Sequence[float], margin: float | None) -> tuple[ComparedSlice, ...]:
    """The rows; if there is a margin, whole families get the outcome of their margin tests."""
    found = list(rows)
    whole = [place for place, row in enumerate(rows) if "label" not in row.slice] if margin else []
    judged = judge_margin([rows[place] for place in whole], [ps[place] for place in whole], margin or 0.0)
    for place, row in zip(whole, judged, strict=True):
        found[place] = row
    return tuple(found)


def judge_differences(rows: Sequence[ComparedSlice], margin: float | None = None) -> tuple[ComparedSlice, ...]:
    """The rows with their verdicts: Holm's correction over all families, and over all labels of all families.

    With a margin, whole families are also tested for a loss smaller than the margin. The smallest difference that a row
    detects takes the number of tests into account.
    """
    found = list(rows)
    for by_label in (False, True):
        places = [place for place, row in enumerate(rows) if ("label" in row.slice) is by_label]
        for place, p in zip(places, holm([p for place in places if (p := rows[place].p) is not None]), strict=True):
            row, smallest, more = rows[place], None, None
            verdict = outcome_of(row.difference, p)
            if row.independent is not None:
                disagreement = (row.only_candidate + row.only_baseline) / row.n
                smallest = smallest_difference(row.independent, disagreement, tests=len(places))
                needed = cases_for_difference(row.difference, disagreement, tests=len(places))
                if needed and verdict == "not significant":
                    more = max(1, ceil(needed * row.n / row.independent) - row.n)
            found[place] = msgspec.structs.replace(row, adjusted=p, verdict=verdict, smallest=smallest, more_cases=more)
    return _with_margin(found, [noninferiority_p(row, margin) if margin else 1.0 for row in found], margin)
