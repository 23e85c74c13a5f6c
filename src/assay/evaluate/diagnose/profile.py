"""The diagnosis of a run: everything about each model, and about models beside each other."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy

from assay.core.judgement import Diagnosis, ErrorAgreement, Moves, Profile, Shift
from assay.core.label_space import LABELS, NO_ANSWER, LabelNames
from assay.evaluate.accuracy import ANSWERS
from assay.evaluate.case_columns import Bools, Ints
from assay.evaluate.diagnose.diagnosis_evidence import Evidence
from assay.evaluate.diagnose.diagnosis_headline import headline, seeds_headline, unusable
from assay.evaluate.diagnose.error_regression import regressions
from assay.evaluate.diagnose.planting import unseen_shortcuts
from assay.evaluate.diagnose.shortcut_effects import effects
from assay.evaluate.diagnose.shortcut_rules import score_p
from assay.evaluate.intervals import Z95
from assay.evaluate.losses import is_clear
from assay.evaluate.paired import PairedShares, difference_intervals, holm
from assay.evaluate.seeds import split_seed
from assay.evaluate.slice_sums import PairedTally, cells


class Kappa(NamedTuple):
    """Agreement beyond chance."""

    value: float
    low: float
    """Lower end of the 95% interval."""
    high: float
    p: float
    """The p of a score test."""


def versus(evidence: Evidence) -> tuple[ErrorAgreement, ...]:
    """Every pair of models, on cases that claim their label; none if there are no such cases."""
    if not evidence.claims.any():
        return ()
    wrong, cluster = ~evidence.right[:, evidence.claims], evidence.cluster[evidence.claims]
    pairs = list(combinations(range(len(evidence.models)), 2))
    kappas = [kappa(wrong[one], wrong[other], cluster) for one, other in pairs]
    adjusted = iter(holm([each.p for each in kappas if each]))
    found = []
    for (one, other), each in zip(pairs, kappas, strict=True):
        found.append(
            ErrorAgreement(
                first=evidence.models[one],
                second=evidence.models[other],
                n=len(cluster),
                both_wrong=int((wrong[one] & wrong[other]).sum()),
                only_first=int((~wrong[one] & wrong[other]).sum()),
                only_second=int((wrong[one] & ~wrong[other]).sum()),
                kappa=each.value if each else None,
                low=each.low if each else None,
                high=each.high if each else None,
                p=next(adjusted) if each else None,
            )
        )
    return tuple(found)


def kappa(one: Bools, other: Bools, cluster: Ints) -> Kappa | None:
    """Cohen's kappa of two yes-or-no columns, with a clustered interval; None if one of them never varies.

    >>> one = numpy.array([True, True, False, False] * 10)
    >>> kappa(one, one, numpy.arange(40)).value, kappa(one, numpy.ones(40, bool), numpy.arange(40)) is None
    (1.0, True)
    """
    first, second = float(one.mean()), float(other.mean())
    if not 0 < first < 1 or not 0 < second < 1:
        return None
    agree = one == other
    observed, expected = float(agree.mean()), first * second + (1 - first) * (1 - second)
    value = (observed - expected) / (1 - expected)
    # How far each case pulls kappa from where it is, by the derivatives of its parts.
    expectation = (2 * second - 1) * (one - first) + (2 * first - 1) * (other - second)
    pulls = ((agree - observed) - (1 - value) * expectation) / (1 - expected) / len(one)
    clusters = len(numpy.unique(cluster))
    sums = numpy.bincount(cluster, pulls)
    error = float(numpy.sqrt((sums**2).sum() * clusters / max(clusters - 1, 1)))
    p = score_p((one - first) * (other - second), cluster)
    return Kappa(value, max(-1.0, value - Z95 * error), min(1.0, value + Z95 * error), p)


def all_wrong(evidence: Evidence) -> int:
    """Cases that every model gets wrong."""
    return int((~evidence.right[:, evidence.claims]).all(axis=0).sum())


def only_right(evidence: Evidence) -> dict[str, int]:
    """Cases that one model alone gets right, by model."""
    right = evidence.right[:, evidence.claims]
    alone = right & (right.sum(axis=0) == 1)
    return dict(zip(evidence.models, alone.sum(axis=1).tolist(), strict=True))


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
    """True if one answer was given before and after, by model and place."""
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


def diagnose_models(evidence: Evidence, names: LabelNames) -> Diagnosis:
    """Diagnose every model; `names` are the user's names for labels."""
    measured = effects(evidence)
    is_decided = all(any(each.follows or each.possible for each in found) for found in measured)
    unseen = () if is_decided else unseen_shortcuts(evidence)
    parts = zip(evidence.models, evidence.judged, measured, moves(evidence), regressions(evidence), strict=True)
    profiles = tuple(
        Profile(
            model=model,
            headline=unusable(int((~judged).sum()), len(judged)) or headline(found, moved, names, unseen=unseen),
            effects=tuple(found),
            moves=tuple(moved),
            regression=errors,
        )
        for model, judged, found, moved, errors in parts
    )
    return Diagnosis(
        n=int(evidence.claims.sum()),
        profiles=profiles,
        versus=versus(evidence),
        all_wrong=all_wrong(evidence),
        only_right=only_right(evidence),
        unseen=unseen,
        systems=_systems(profiles, names),
    )


def _systems(profiles: Sequence[Profile], names: LabelNames) -> dict[str, str]:
    """The headlines of systems that have several seeds."""
    seeds: dict[str, list[Profile]] = {}
    for each in profiles:
        if (found := split_seed(each.model)).seed:
            seeds.setdefault(found.system, []).append(each)
    return {system: seeds_headline(own, names) for system, own in seeds.items() if len(own) > 1}
