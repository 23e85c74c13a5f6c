"""One model compared with another on the same cases, by family and label."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

import msgspec
import numpy

from assay.core.comparison import ComparedSlice, own_claims
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


def tested_together(slices: Sequence[Mapping[str, str]]) -> Iterator[list[int]]:
    """The places of the slices that are corrected together: a user's own claims, other families, and their labels.

    What is said about the claims must not depend on what else was tested.
    """
    claims = own_claims(slices)
    yield from claims
    own = {place for places in claims for place in places}
    for by_label in (False, True):
        yield [place for place, where in enumerate(slices) if ("label" in where) is by_label and place not in own]


def judge_systems(
    tests: Sequence[TrainingsTest], standings: Sequence[Standing], margin: float | None = None
) -> tuple[ComparedSlice, ...]:
    """Two systems over their training runs, with verdicts; Holm's correction as for two models."""
    adjusted: dict[int, float | None] = {}
    for places in tested_together([test.slice for test in tests]):
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
    """The rows; if there is a margin, a user's own claims and other whole families get the outcomes of their tests."""
    found = list(rows)
    *together, _ = tested_together([row.slice for row in rows])  # the last are labels of other families
    for places in together if margin else []:
        judged = judge_margin([rows[place] for place in places], [ps[place] for place in places], margin or 0.0)
        for place, row in zip(places, judged, strict=True):
            found[place] = row
    return tuple(found)


def judge_differences(rows: Sequence[ComparedSlice], margin: float | None = None) -> tuple[ComparedSlice, ...]:
    """The rows with their verdicts: Holm's correction over each group of slices that are tested together.

    With a margin, whole families and a user's own claims of each label are also tested for a loss smaller than the
    margin. The smallest difference that a row detects takes the number of tests into account.
    """
    found = list(rows)
    for places in tested_together([row.slice for row in rows]):
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
