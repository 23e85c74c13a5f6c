"""Search for unlisted shortcuts: features of cases that predict an answer, found on half of the premises."""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy

from assay.evaluate.case_columns import IN_TWO, Bools, Floats, Ints
from assay.evaluate.diagnose.diagnosis_evidence import SILENT, Evidence
from assay.evaluate.diagnose.shortcut_rules import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NON_ENTAILMENT,
    AnswerContrast,
    Ground,
    ShortcutRule,
    compare_trials,
    ground_of,
    matches_label,
    shift_p,
    trials_of,
)
from assay.evaluate.losses import is_clear
from assay.evaluate.paired import holm
from assay.evaluate.verdict import LARGE

FEWEST_CLUSTERS = 10  # a feature must be in this many clusters of either half, and absent from as many
NOTICED = 3.0  # standard errors from which a feature of the first half is worth a test on the second
TOGETHER = 1.0  # standard errors from which a feature is tried together with another
CLEARER = 1.0  # standard errors by which two features must be ahead of one
ALIKE = 0.3  # two patterns that share at least this fraction of their cases may be the same
MOST_ALIKE = 3  # other patterns that are tested in place of one, because new cases may tell them apart


class FeatureTable(NamedTuple):
    """A table of which cases have which features."""

    names: Sequence[str]
    holds: Bools
    """(cases, features)"""


class FoundPattern(NamedTuple):
    """One or two features that predict an answer, as tested on the second half."""

    features: tuple[str, ...]
    answer: int
    tested: AnswerContrast
    p: float  # the p value, corrected for all patterns of the model
    group: int  # patterns of one group are hard to tell apart; the clearest one comes first

    @property
    def is_clear(self) -> bool:
        """True if the answer is given clearly and much more often with the features."""
        enough = self.tested.clusters >= FEWEST_CLUSTERS and self.tested.difference >= LARGE
        return enough and is_clear(self.p)


def find_patterns(evidence: Evidence, model: int, table: FeatureTable) -> list[FoundPattern]:
    """Search half of the premises for patterns of a model's answers, and test these on the other half."""
    ground, known = ground_of(evidence), numpy.zeros(len(evidence.label), dtype=numpy.int64)
    among = evidence.claims & evidence.judged[model]
    searched = ~held_out(evidence)
    usable = usable_features(table, ground.cluster, among, searched)
    if not len(usable):
        return []
    right, holds, found = evidence.right[model], table.holds[:, usable], []
    for group in range(6):  # rules at most, each found beside those before it
        best = _best_patterns(evidence, model, holds, ground, among & searched, known)
        for columns, answer in best:
            says = numpy.where(holds[:, columns].all(axis=1), answer, SILENT)
            rule = ShortcutRule("unknown", "", says, among & ~searched)
            tested = compare_trials(trials_of(rule, evidence, model, ground=ground, known=known), right)
            if tested is not None:
                found.append((tuple(table.names[usable[column]] for column in columns), answer, tested, group))
        if not best:
            break
        known = numpy.unique(known * 2 + holds[:, best[0][0]].all(axis=1), return_inverse=True)[1]
    ps = holm([tested.p for _, _, tested, _ in found])
    return [FoundPattern(*each[:3], p, each[3]) for each, p in zip(found, ps, strict=True)]


def held_out(evidence: Evidence) -> Bools:
    """(cases,) True for cases whose premises were not used to search for patterns."""
    return numpy.asarray(evidence.surface.premise_number % 2 == 1)


def usable_features(table: FeatureTable, cluster: Ints, among: Bools, searched: Bools) -> Ints:
    """The features that enough clusters have and enough lack, in both halves."""
    enough = numpy.ones(len(table.names), dtype=bool)
    for half in (among & searched, among & ~searched):
        for holds in (table.holds[half], ~table.holds[half]):
            _, place = numpy.unique(cluster[half], return_inverse=True)
            order = numpy.argsort(place, kind="stable")
            starts = numpy.flatnonzero(numpy.diff(place[order], prepend=-1))
            if not len(starts):
                return numpy.zeros(0, dtype=numpy.int64)
            enough &= numpy.logical_or.reduceat(holds[order], starts).sum(axis=0) >= FEWEST_CLUSTERS
    return numpy.flatnonzero(enough)


def _best_patterns(
    evidence: Evidence, model: int, holds: Bools, ground: Ground, among: Bools, known: Ints
) -> list[tuple[list[int], int]]:
    """The one or two features that predict an answer most clearly, and features that may be confused with them."""
    shifts = [
        _AnswerShift(evidence.answers[model], answer, ground, numpy.flatnonzero(among), known)
        for answer in _possible_answers(evidence)
    ]
    singles = numpy.stack([shift.clearness(holds) for shift in shifts])  # (answers, features)
    # The six clearest are tried together with every other one.
    order = numpy.argsort(-singles, axis=None, kind="stable")[:6]
    first = [tuple(map(int, numpy.unravel_index(each, singles.shape))) for each in order]
    which, columns, clearest = first[0][0], [first[0][1]], float(singles[first[0]])
    for answer, feature in first:
        others = numpy.flatnonzero(singles[answer] >= TOGETHER)
        if not len(others):
            continue
        ahead = shifts[answer].clearness(holds[:, others] & holds[:, [feature]]) - CLEARER
        ahead = numpy.where(ahead > numpy.maximum(singles[answer, feature], singles[answer, others]), ahead, 0.0)
        if ahead.max() > clearest:
            which, columns, clearest = answer, [feature, int(others[ahead.argmax()])], float(ahead.max())
    if clearest < NOTICED:
        return []
    fires = numpy.asarray(holds[among][:, columns].all(axis=1))
    shared = (holds[among] & fires[:, None]).sum(axis=0)
    part = shared / numpy.maximum((holds[among] | fires[:, None]).sum(axis=0), 1)
    alike = numpy.where((part >= ALIKE) & (singles[which] >= NOTICED), singles[which], 0.0)
    alike[columns] = 0.0
    rivals = [[int(each)] for each in numpy.argsort(-alike, kind="stable")[:MOST_ALIKE] if alike[each] > 0]
    parts = [[column] for column in columns] if len(columns) > 1 else []
    found = [columns, *parts, *rivals][: 1 + MOST_ALIKE]
    return [(each, shifts[which].answer) for each in found]


def _possible_answers(evidence: Evidence) -> tuple[int, ...]:
    """The answers that a model may prefer: three, or two if no case distinguishes neutral from contradiction."""
    has_three = numpy.isin(evidence.label[evidence.claims], (CONTRADICTION, NEUTRAL)).any()
    return (ENTAILMENT, NEUTRAL, CONTRADICTION) if has_three else (ENTAILMENT, NON_ENTAILMENT)


class _AnswerShift:
    """The shift of answers towards one label with a feature, for many features at once; see `compare_trials`."""

    def __init__(self, answers: Ints, answer: int, ground: Ground, rows: Ints, known: Ints) -> None:
        self.answer = answer
        binary, gold = ground.binary[rows], ground.gold[rows]
        given = numpy.where(binary, IN_TWO[answers[rows]], answers[rows])
        own = numpy.where(binary, IN_TWO[answer], answer)
        right = numpy.where(own == NON_ENTAILMENT, gold != ENTAILMENT, gold == own)
        says = numpy.where(own == NON_ENTAILMENT, matches_label(given, NON_ENTAILMENT), given == own)
        other = ~right & (given == NON_ENTAILMENT - gold - own) & ~binary & (own != NON_ENTAILMENT)
        stratum = ground.stratum[rows] * (int(known.max(initial=0)) + 1) + known[rows]
        cluster = numpy.unique(ground.cluster[rows], return_inverse=True)[1]
        self._clusters = int(cluster.max(initial=0)) + 1
        values = says.astype(float) - other
        self._parts = [
            _StratifiedPart(rows[part], values[part], stratum[part], cluster[part])
            for part in (~right, right)
            if part.any()
        ]
        self._plain = _StratifiedPart(rows[~right], says[~right].astype(float), stratum[~right], cluster[~right])

    def clearness(self, holds: Bools) -> Floats:
        """(features,) The shift towards the answer in standard errors; the smaller of two tests."""
        pulls = [part.pulls(holds, self._clusters) for part in self._parts]  # (clusters, features) each
        clear = _in_errors(pulls[0])
        if len(pulls) > 1:
            clear = numpy.minimum(clear, _in_errors(pulls[0] + pulls[1]))
        return numpy.where(self._plain.difference(holds) >= LARGE, clear, 0.0)


def _in_errors(pulls: Floats) -> Floats:
    spread = numpy.sqrt((pulls**2).sum(axis=0))
    return numpy.asarray(numpy.where(spread > 0, pulls.sum(axis=0) / numpy.maximum(spread, 1e-12), 0.0))


class _StratifiedPart:
    """The cases in which the answer is right, or those in which it is wrong, sorted by stratum."""

    def __init__(self, rows: Ints, values: Floats, stratum: Ints, cluster: Ints) -> None:
        order = numpy.argsort(stratum, kind="stable")
        self._rows, self._cluster = rows[order], cluster[order]
        self._starts = numpy.flatnonzero(numpy.diff(stratum[order], prepend=-1))
        self._sizes = numpy.diff(numpy.append(self._starts, len(order)))
        self._values = values[order] - numpy.repeat(self._means(values[order, None]), self._sizes, axis=0)[:, 0]
        self._by_cluster = numpy.argsort(self._cluster, kind="stable")

    def _means(self, columns: numpy.ndarray) -> Floats:
        return numpy.asarray(numpy.add.reduceat(columns, self._starts) / self._sizes[:, None])

    def _centred(self, holds: Bools) -> numpy.ndarray:
        here = holds[self._rows].astype(numpy.float32)
        here -= numpy.repeat(self._means(here), self._sizes, axis=0).astype(numpy.float32)
        return here

    def difference(self, holds: Bools) -> Floats:
        """(features,) The difference between cases with and without a feature."""
        here = self._centred(holds)
        return numpy.asarray(self._values @ here / numpy.maximum((here**2).sum(axis=0), 1e-9))

    def pulls(self, holds: Bools, clusters: int) -> Floats:
        """(clusters, features) The contribution of each cluster to this difference."""
        here = self._centred(holds)
        size = (here**2).sum(axis=0)
        here *= self._values[:, None].astype(numpy.float32)
        ordered = here[self._by_cluster]
        starts = numpy.flatnonzero(numpy.diff(self._cluster[self._by_cluster], prepend=-1))
        found = numpy.zeros((clusters, holds.shape[1]))
        found[self._cluster[self._by_cluster][starts]] = numpy.add.reduceat(ordered, starts)
        return numpy.asarray(found / numpy.maximum(size, 1e-9))


class ArmAnswers(NamedTuple):
    """Answers to new cases that differ in one feature only; each is (pairs,)."""

    gold: Ints
    cluster: Ints
    treated: Ints  # the codes of the answers to cases with the features
    control: Ints  # the codes of the answers to cases without one of them


class Confirmation(NamedTuple):
    """The effect of features on new cases."""

    n: int  # pairs of new cases in which the pattern's answer is wrong
    treated: float  # the fraction of these cases that get the answer with the features
    control: float  # the fraction that get it without
    p: float  # the one-sided p of a shift towards the answer; the largest of several comparisons


FEWEST_NEW = 20  # with fewer new pairs in which the answer is wrong, nothing is decided


def confirm_pattern(arms: Sequence[ArmAnswers], answer: int, *, binary: bool) -> Confirmation | None:
    """Compare new cases with and without the features, in every arm; None if there are too few cases."""
    found = [_confirm_arm(arm, answer, binary=binary) for arm in arms]
    if not found or any(each is None for each in found):
        return None
    return max((each for each in found if each), key=lambda each: (each.p, each.control))


def _confirm_arm(arm: ArmAnswers, answer: int, *, binary: bool) -> Confirmation | None:
    own = int(IN_TWO[answer]) if binary else answer
    gold, treated, control = ((IN_TWO[each] if binary else each) for each in (arm.gold, arm.treated, arm.control))
    wrong = ~matches_label(gold, own)
    if wrong.sum() < FEWEST_NEW:
        return None
    third = numpy.full(len(gold), -1) if binary else NON_ENTAILMENT - gold - own
    gained = matches_label(treated, own).astype(float) - matches_label(control, own)
    leaned = gained - (treated == third) + (control == third)
    p = max(_signed_p(leaned[wrong], arm.cluster[wrong]), _signed_p(gained[wrong], arm.cluster[wrong]))
    if not wrong.all():  # difficulty takes away where the answer is right what it adds where that is wrong
        pulls = numpy.where(wrong, gained / wrong.sum(), gained / (~wrong).sum())
        spread = pulls - numpy.where(wrong, gained[wrong].mean() / wrong.sum(), gained[~wrong].mean() / (~wrong).sum())
        p = max(p, shift_p(float(pulls.sum()), spread, arm.cluster))
    with_all, without = (float(matches_label(each[wrong], own).mean()) for each in (treated, control))
    return Confirmation(int(wrong.sum()), with_all, without, p)


def _signed_p(change: Floats, cluster: Ints) -> float:
    """The p value of a rise, by its standard error; it is not below that of a sign test over clusters."""
    sums = numpy.bincount(cluster, change)
    ups, n = int((sums > 0).sum()), int((sums != 0).sum())
    coin: float = sum(comb(n, k) for k in range(ups, n + 1)) / 2**n
    return max(coin, shift_p(float(change.sum()), change - change.mean(), cluster))


def is_confirmed(found: Confirmation, p: float) -> bool:
    """True if the effect on new cases is large and clear; `p` is corrected for all patterns of the model."""
    return found.treated - found.control >= LARGE and is_clear(p)
