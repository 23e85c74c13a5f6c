"""The diagnosis of a run: everything about each model, and how models compare."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec
import numpy

from assay.core.judgement import Diagnosis, ErrorAgreement, Moves, Profile, Shift
from assay.core.label_space import LABELS, NO_ANSWER, LabelNames
from assay.evaluate.accuracy import ANSWERS
from assay.evaluate.case_columns import Bools, Ints
from assay.evaluate.diagnose.diagnosis_evidence import Evidence
from assay.evaluate.diagnose.diagnosis_headline import headline, seeds_headline
from assay.evaluate.diagnose.error_regression import regress_errors
from assay.evaluate.diagnose.planting import unseen_shortcuts
from assay.evaluate.diagnose.shortcut_effects import measure_effects
from assay.evaluate.diagnose.shortcut_rules import score_p
from assay.evaluate.intervals import Z95
from assay.evaluate.losses import is_clear
from assay.evaluate.paired import PairedShares, difference_intervals, holm
from assay.evaluate.seeds import split_seed
from assay.evaluate.slice_sums import PairedTally, make_cells
from assay.evaluate.verdict import UNUSABLE


def compare_errors(evidence: Evidence) -> tuple[ErrorAgreement, ...]:
    """Every pair of models, on labelled cases; none if there are no such cases."""
    if not evidence.claims.any():
        return ()
    wrong, cluster = ~evidence.right[:, evidence.claims], evidence.cluster[evidence.claims]
    pairs = list(combinations(range(len(evidence.models)), 2))
    kappas = [kappa(wrong[one], wrong[other], cluster) for one, other in pairs]
    adjusted = iter(holm([each[-1] for each in kappas if each]))
    found = []
    for (one, other), each in zip(pairs, kappas, strict=True):
        value, low, high, _ = each or (None, None, None, None)
        found.append(
            ErrorAgreement(
                first=evidence.models[one],
                second=evidence.models[other],
                n=len(cluster),
                both_wrong=int((wrong[one] & wrong[other]).sum()),
                only_first=int((~wrong[one] & wrong[other]).sum()),
                only_second=int((wrong[one] & ~wrong[other]).sum()),
                kappa=value,
                low=low,
                high=high,
                p=next(adjusted) if each else None,
            )
        )
    return tuple(found)


def kappa(one: Bools, other: Bools, cluster: Ints) -> tuple[float, float, float, float] | None:
    """Cohen's kappa of two yes-or-no columns, its clustered interval, and the p of a score test.

    There is none if a column never varies.
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
    return value, max(-1.0, value - Z95 * error), min(1.0, value + Z95 * error), p


def answer_moves(evidence: Evidence) -> list[list[Moves]]:
    """For each model, its matrices: one for each suite, family and label of source pairs whose label stays."""
    rows = numpy.flatnonzero((evidence.source >= 0) & evidence.stays)
    if not len(rows):
        return [[] for _ in evidence.models]
    place = evidence.suite[rows] * len(evidence.families) + evidence.family[rows]
    place = place * len(LABELS) + evidence.label[rows]  # (copies,)
    answers = numpy.where(evidence.judged, evidence.answers, NO_ANSWER)
    before, after = answers[:, evidence.source[rows]], answers[:, rows]  # (models, copies)
    found = make_cells(place, evidence.cluster[rows])
    tallies = [PairedTally(len(evidence.models)) for _ in ANSWERS]
    for answer, tally in enumerate(tallies):
        first, second = ((each == answer).astype(numpy.int64) for each in (before, after))
        tally.add(found, first, second, found.met)
    return [
        list(_of_model(evidence, rows, place, (before[model], after[model]), [each.shares(model) for each in tallies]))
        for model in range(len(evidence.models))
    ]


def _of_model(
    evidence: Evidence,
    rows: Ints,
    place_of: Ints,
    answers: tuple[Ints, Ints],
    shares: Sequence[dict[int, PairedShares]],
) -> Iterator[Moves]:
    """The matrices of a model, from its answers before and after the edit, and the shares of each answer."""
    before, after = answers
    there = [answer for answer in range(len(ANSWERS)) if (before == answer).any() or (after == answer).any()]
    places: list[int] = numpy.unique(place_of).tolist()
    shifts = iter(_correct_shifts([(answer, shares[answer][place]) for place in places for answer in there]))
    for place in places:
        here = place_of == place
        counts = numpy.zeros((len(ANSWERS), len(ANSWERS)), dtype=int)
        numpy.add.at(counts, (before[here], after[here]), 1)
        rest, label = divmod(place, len(LABELS))
        suite, family = divmod(rest, len(evidence.families))
        holds = bool(evidence.claims[rows[here]].all())
        own = {answer: next(shifts) for answer in there}
        if holds and label in own:  # a right answer is lost if it is even where all unknown answers were right
            shift, unknown = own[label], float((after[here] == NO_ANSWER).mean())
            lost = shift.after + unknown < shift.before and is_clear(shift.p)
            own[label] = msgspec.structs.replace(shift, lost=lost)
        yield Moves(
            suite=evidence.suites[suite],
            family=evidence.families[family],
            label=LABELS[label].value,
            holds=holds,
            n=int(here.sum()),
            answers=tuple(ANSWERS[answer] for answer in there),
            counts=tuple(tuple(row) for row in counts[numpy.ix_(there, there)].tolist()),
            shifts=tuple(own.values()),
        )


def _correct_shifts(found: Sequence[tuple[int, PairedShares]]) -> Iterator[Shift]:
    """The shifts of one model, with their p-values corrected together."""
    shares = [each for _, each in found]
    tests = holm([each.p for each in shares])
    for (answer, each), (low, high), p in zip(found, difference_intervals(shares), tests, strict=True):
        yield Shift(answer=ANSWERS[answer], before=each.first, after=each.second, low=-high, high=-low, p=p)


def diagnose_models(evidence: Evidence, names: LabelNames) -> Diagnosis:
    """Diagnose every model; `names` are the user's names for labels."""
    measured = measure_effects(evidence)
    is_decided = all(any(each.follows or each.possible for each in found) for found in measured)
    unseen = () if is_decided else unseen_shortcuts(evidence)
    parts = zip(
        evidence.models, evidence.judged, measured, answer_moves(evidence), regress_errors(evidence), strict=True
    )
    profiles = []
    for model, judged, found, moved, errors in parts:
        fallbacks = int((~judged).sum())
        words = f"gave no usable answer to {fallbacks:,} of {len(judged):,} cases"
        if not len(judged) or fallbacks / len(judged) < UNUSABLE:
            words = headline(found, moved, names, unseen=unseen)
        profile = Profile(model=model, headline=words, effects=tuple(found), moves=tuple(moved), regression=errors)
        profiles.append(profile)
    right = evidence.right[:, evidence.claims]
    alone = (right & (right.sum(axis=0) == 1)).sum(axis=1).tolist()
    seeds: dict[str, list[Profile]] = {}
    for each in profiles:
        system, seed = split_seed(each.model)
        if seed:
            seeds.setdefault(system, []).append(each)
    return Diagnosis(
        n=int(evidence.claims.sum()),
        profiles=tuple(profiles),
        versus=compare_errors(evidence),
        all_wrong=int((~right).all(axis=0).sum()),
        only_right=dict(zip(evidence.models, alone, strict=True)),
        unseen=unseen,
        systems={system: seeds_headline(own, names) for system, own in seeds.items() if len(own) > 1},
    )
