"""What edits do to answers: from the source pair's answer to the copy's, by family and right answer."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy

from assay.core.results.diagnosis import Moves, Shift
from assay.evaluate.confusion import ANSWERS
from assay.evaluate.correction import holm
from assay.evaluate.count.cells import cells
from assay.evaluate.count.columns import LABELS, NO_ANSWER, Bools, Ints
from assay.evaluate.count.tallies import PairedTally
from assay.evaluate.diagnose.evidence import Evidence
from assay.evaluate.judge.loss import is_clear
from assay.evaluate.paired import PairedShares, difference_intervals


class _Copies(NamedTuple):
    """Copies that keep the label of their source pair."""

    row: Ints
    """(copies,) Their rows."""
    place: Ints
    """(copies,) The code of suite, family and label."""
    before: Ints
    """(models, copies) The answers to the source pairs."""
    after: Ints
    """(models, copies) The answers to the copies."""


def moves(evidence: Evidence) -> list[list[Moves]]:
    """For each model, its matrices: one for each suite, family and label of source pairs whose label stays."""
    rows = numpy.flatnonzero((evidence.source >= 0) & evidence.stays)
    if not len(rows):
        return [[] for _ in evidence.models]
    where = evidence.suite[rows] * len(evidence.families) + evidence.family[rows]
    answers = numpy.where(evidence.judged, evidence.answers, NO_ANSWER)
    copies = _Copies(
        row=rows,
        place=where * len(LABELS) + evidence.label[rows],
        before=answers[:, evidence.source[rows]],
        after=answers[:, rows],
    )
    cluster = evidence.cluster[rows]
    shares = [
        _paired(copies.place, cluster, copies.before == answer, copies.after == answer)
        for answer in range(len(ANSWERS))
    ]
    return [
        list(_of_model(evidence, copies, model, [answer[model] for answer in shares]))
        for model in range(len(evidence.models))
    ]


def _paired(place: Ints, cluster: Ints, before: Bools, after: Bools) -> list[dict[int, PairedShares]]:
    """Whether one answer was given before and after, by model and place."""
    found = cells(place, cluster)
    tally = PairedTally(len(before))
    tally.add(found, before.astype(numpy.int64), after.astype(numpy.int64), found.met)
    return [tally.shares(model) for model in range(len(before))]


def _of_model(
    evidence: Evidence, copies: _Copies, model: int, shares: Sequence[dict[int, PairedShares]]
) -> Iterator[Moves]:
    before, after = copies.before[model], copies.after[model]
    there = [answer for answer in range(len(ANSWERS)) if (before == answer).any() or (after == answer).any()]
    places: list[int] = numpy.unique(copies.place).tolist()
    shifts = iter(_shifts([(answer, shares[answer][place]) for place in places for answer in there]))
    for place in places:
        here = copies.place == place
        counts = numpy.zeros((len(ANSWERS), len(ANSWERS)), dtype=int)
        numpy.add.at(counts, (before[here], after[here]), 1)
        rest, label = divmod(place, len(LABELS))
        suite, family = divmod(rest, len(evidence.families))
        holds = bool(evidence.claims[copies.row[here]].all())
        yield Moves(
            suite=evidence.suites[suite],
            family=evidence.families[family],
            label=LABELS[label].value,
            holds=holds,
            n=int(here.sum()),
            answers=tuple(ANSWERS[answer] for answer in there),
            counts=tuple(tuple(row) for row in counts[numpy.ix_(there, there)].tolist()),
            shifts=tuple(
                _judged(next(shifts), right=holds and answer == label, unknown=float((after[here] == NO_ANSWER).mean()))
                for answer in there
            ),
        )


def _judged(shift: Shift, *, right: bool, unknown: float) -> Shift:
    """The shift, with whether a right answer is lost, even if all unknown answers were right."""
    lost = right and shift.after + unknown < shift.before and is_clear(shift.p)
    return msgspec.structs.replace(shift, lost=lost)


def _shifts(found: Sequence[tuple[int, PairedShares]]) -> Iterator[Shift]:
    """The shifts of one model, whose p are corrected together."""
    shares = [each for _, each in found]
    tests = holm([1.0 if each.p is None else each.p for each in shares])
    for (answer, each), interval, p in zip(found, difference_intervals(shares), tests, strict=True):
        assert interval is not None  # every place has copies
        yield Shift(
            answer=ANSWERS[answer],
            before=each.first or 0.0,
            after=each.second or 0.0,
            low=-interval.high,
            high=-interval.low,
            p=p,
        )
