"""The choice of the shortcut that explains a model's answers better than every rival."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple, get_args

import numpy

from assay.core.judgement import Effect, Shortcut
from assay.core.label import Label
from assay.core.label_space import LABELS
from assay.evaluate.case_columns import Bools, Floats, Ints
from assay.evaluate.diagnose.diagnosis_evidence import SILENT, Evidence
from assay.evaluate.diagnose.shortcut_rules import (
    CONSTANT,
    EVEN,
    EVERYTHING,
    FOLDS,
    PLAIN,
    AnswerContrast,
    Ground,
    Lean,
    ShortcutRule,
    compare_trials,
    find_preferred_label,
    fixed_rules,
    ground_of,
    learnable_rules,
    rules_of,
    trials_of,
)
from assay.evaluate.losses import is_clear
from assay.evaluate.paired import holm
from assay.evaluate.verdict import LARGE

LARGE_IF_LEARNED = 2 * LARGE  # the least difference for a learned rule, or for a second one
ENOUGH = 20  # fewer clusters on either side of a comparison decide nothing
BETTER = 1.645  # standard errors by which a rule must be ahead of another to explain answers better
MOSTLY = 0.5  # a shortcut that explains less than this fraction of the explainable answers is not the reason
SHARED: tuple[Shortcut, ...] = ("overlap", "subsequence", "constituent", "few-shared", "last-word")
"""Shortcuts that depend on what both texts share. A headline names one of them."""

CONTAINED: Mapping[Shortcut, Collection[str]] = defaultdict(
    tuple,
    {
        "overlap": SHARED,
        "hypothesis": ("negation", "number", "first-word", "last-word", "length"),
        "premise": ("length",),
        "unknown": get_args(Shortcut),
    },
)
"""Shortcuts that use some features of another, which can imitate them."""

PRIOR_WEIGHT = 2.0  # cases of its stratum that a cell is worth before it has any of its own


class MeasuredRule(NamedTuple):
    """A rule, and how closely a model follows it."""

    rule: ShortcutRule
    found: AnswerContrast
    p: float

    @property
    def is_rival(self) -> bool:
        """True if neither chance nor difficulty explains the difference, large or small."""
        return self.found.clusters >= ENOUGH and self.found.difference > 0 and is_clear(self.p)

    @property
    def is_clear(self) -> bool:
        """True if the difference is large, too.

        A learned rule fits most models a little, so the model must follow it more often than it is right.
        """
        found = self.found
        must_lead = self.rule.is_learned or self.rule.answer == Label.NON_ENTAILMENT.value
        if not self.is_rival or (must_lead and found.followed <= found.right):
            return False
        return found.difference >= (LARGE_IF_LEARNED if self.rule.is_learned else LARGE)


class Choice(NamedTuple):
    followed: Sequence[MeasuredRule] = ()
    rivals: Sequence[Shortcut] = ()  # indistinguishable shortcuts, one of which the model follows


def measure_effects(evidence: Evidence) -> list[list[Effect]]:
    """For each model, its shortcuts: those that it follows first, by the number of wrong answers that they explain."""
    ground, fixed, learnable = ground_of(evidence), fixed_rules(evidence), learnable_rules(evidence)
    right = evidence.right
    return [
        _effects_of_model(
            evidence, model, ground, [*fixed, *rules_of(evidence, model, ground, learnable)], right[model]
        )
        for model in range(len(evidence.models))
    ]


def _effects_of_model(
    evidence: Evidence, model: int, ground: Ground, rules: Sequence[ShortcutRule], right: Bools
) -> list[Effect]:
    leaning = find_preferred_label(evidence, model)
    nothing = numpy.zeros(len(right), dtype=numpy.int64)
    first, last = _measure_rules(evidence, model, rules, right, ground, nothing, leaning.p if leaning else 1.0)
    choice = (
        Choice() if leaning and leaning.overall >= CONSTANT else _choose_rules(evidence, model, first, right, ground)
    )
    names = {each.rule.name for each in choice.followed}
    found = [_effect(each, follows=True) for each in choice.followed]
    for name in dict.fromkeys(each.rule.name for each in first if each.rule.name not in names):
        own = [each for each in first if each.rule.name == name]
        best = min(own, key=lambda each: (not each.is_clear, each.p, -each.found.difference))
        explained = tuple(each.rule.name for each in choice.followed) if best.is_clear else ()
        found.append(_effect(best, explained_by=explained, is_rival=name in choice.rivals))
    return [
        *found,
        *([_preference_effect(leaning, last, alone=not choice.followed and not choice.rivals)] if leaning else []),
    ]


def _measure_rules(
    evidence: Evidence,
    model: int,
    rules: Sequence[ShortcutRule],
    right: Bools,
    ground: Ground,
    known: Ints,
    extra: float,
) -> tuple[list[MeasuredRule], float]:
    """Measure rules within strata of `known`, and correct their p values together with the `extra` one."""
    found = []
    for rule in rules:
        trials = trials_of(rule, evidence, model, ground=ground, known=known)
        if trials.fires.any():
            within = compare_trials(trials, right)
            if within is None:
                continue
            found.append((rule, within))
            # Families in which the shortcut always applies only count beside others that show it.
            is_plain = not rule.is_learned and rule.answer == Label.ENTAILMENT.value
            if is_plain and within.difference > 0 and is_clear(within.p):
                both = compare_trials(trials, right, with_even=True)
                found += [(rule, both)] if both and both != within else []
    *ps, last = holm([*(each.p for _, each in found), extra])
    return [MeasuredRule(*each, p) for each, p in zip(found, ps, strict=True)], last


def _choose_rules(
    evidence: Evidence, model: int, first: Sequence[MeasuredRule], right: Bools, ground: Ground
) -> Choice:
    """The rule that explains the answers better than its rivals, and perhaps a second, independent one."""
    clear = {each.rule.key: each for each in first if each.is_clear}
    swapped = [each for each in clear.values() if each.rule.name == "order"]
    rules = list({each.rule.key: each.rule for each in first if each.is_rival and each.rule.name != "order"}.values())
    if all(each.rule.name == "order" for each in clear.values()):
        return Choice(swapped)
    gains = _Gains(evidence, model, ground, rules)
    best = _best_rule(rules, gains, clear)
    if best is None or best.key not in clear or not gains.is_better(best):
        # Answers that clearly fit the surface are systematic, even if no single rule foretells them.
        is_systematic = any(gains.is_better(rule) for rule in rules) or any(key[0] == "unknown" for key in clear)
        return Choice(rivals=["unknown"] if is_systematic else ())
    rivals = [each for each in rules if not _is_same_kind(best, each) and not _imitates(each, best)]
    level = [
        each.name
        for each in rivals
        if not gains.is_better(best, each)
        and not (gains.is_same(best, each) and {best.name, each.name} <= {*SHARED})
        and not _holds_beside(evidence, model, best, each, right, ground)
    ]
    if level:
        return Choice(rivals=[best.name, *dict.fromkeys(level)])
    chosen = clear[best.key]
    if best.breadth > PLAIN:
        return Choice([chosen])
    known = _strata([each for each in rules if each.name == best.name and each.breadth == PLAIN], len(right))
    alike = SHARED if best.name in SHARED else (best.name,)
    others = [each.rule for each in clear.values() if each.rule.name not in alike and not each.rule.breadth]
    again, _ = _measure_rules(evidence, model, others, right, ground, known, 1.0)
    strong = [each for each in again if each.found.difference >= LARGE_IF_LEARNED and each.found.followed >= EVEN]
    second = [each for each in strong if each.is_clear]
    both = [chosen, *[clear[each.rule.key] for each in sorted(second, key=lambda each: each.p)[:1]]]
    return Choice(sorted(both, key=lambda each: -each.found.n * each.found.difference))


def _holds_beside(
    evidence: Evidence, model: int, rule: ShortcutRule, other: ShortcutRule, right: Bools, ground: Ground
) -> bool:
    """True if a rule makes a clear difference among cases for which another rule suggests the same answer."""
    if rule.breadth > PLAIN:
        return False
    found, _ = _measure_rules(evidence, model, [rule], right, ground, _strata([other], len(right)), 1.0)
    return any(each.is_clear for each in found)


class _Gains:
    """The log-likelihood that rules add to strata alone; each case is predicted from other premises."""

    def __init__(self, evidence: Evidence, model: int, ground: Ground, rules: Sequence[ShortcutRule]) -> None:
        rows = numpy.flatnonzero(evidence.claims & evidence.judged[model])
        self._cluster = ground.cluster[rows]
        fold, stratum = evidence.surface.premise_number[rows] % FOLDS, ground.stratum[rows]
        answers = evidence.answers[model][rows]
        nothing = numpy.full(len(rows), SILENT)
        without = _log_likelihood(answers, stratum, nothing, fold)
        self._gain: Mapping[tuple[str, str, str], Floats] = {
            rule.key: _log_likelihood(answers, stratum, rule.says[rows], fold) - without for rule in rules
        }

    def __getitem__(self, rule: ShortcutRule) -> float:
        return float(self._gain[rule.key].sum())

    def is_better(self, one: ShortcutRule, other: ShortcutRule | None = None) -> bool:
        """True if a rule explains clearly more than another rule, or than strata alone."""
        ahead = self._gain[one.key] - (self._gain[other.key] if other else 0.0)
        sums = numpy.bincount(self._cluster, ahead)
        spread = sqrt(float((sums**2).sum()))
        return spread > 0 and float(ahead.sum()) / spread > BETTER

    def is_same(self, one: ShortcutRule, other: ShortcutRule) -> bool:
        """True if two rules can't be told apart, because they divide cases in the same way."""
        return bool(numpy.abs(self._gain[one.key] - self._gain[other.key]).max() < 1e-9)


def _is_same_kind(one: ShortcutRule, other: ShortcutRule) -> bool:
    """True if two rules have the same name, or are about many and about few shared words."""
    return one.name == other.name or {one.name, other.name} == {"overlap", "few-shared"}


def _imitates(broader: ShortcutRule, rule: ShortcutRule) -> bool:
    """True if a rule uses every feature that another rule uses."""
    return broader.breadth > rule.breadth and rule.name in CONTAINED[broader.name]


def _best_rule(
    rules: Sequence[ShortcutRule], gains: _Gains, clear: Collection[tuple[str, str, str]]
) -> ShortcutRule | None:
    """The simplest rule that no broader one clearly beats; None if it explains too little.

    A broader rule that only imitates a simpler one must be clear itself.
    """
    best: ShortcutRule | None = None
    for breadth in range(EVERYTHING):
        own = [rule for rule in rules if rule.breadth == breadth]
        if best is not None:
            own = [rule for rule in own if rule.key in clear or not _imitates(rule, best)]
        leader = max(own, key=lambda rule: round(gains[rule], 6), default=None)
        if leader and (best is None or gains.is_better(leader, best)):
            best = leader
    own = [
        rule
        for rule in rules
        if rule is best or (best is not None and _imitates(rule, best) and rule.breadth < EVERYTHING)
    ]
    explained = max((gains[rule] for rule in own), default=0.0)
    for rule in rules:
        if rule.breadth == EVERYTHING and (best is None or gains.is_better(rule, best)):
            best = best if explained >= MOSTLY * gains[rule] else None
    return best


def _log_likelihood(answers: Ints, stratum: Ints, says: Ints, fold: Ints) -> Floats:
    """(cases,) The log of each answer's share in the stratum, among cases with the same suggestion."""
    folds, strata, width = int(fold.max()) + 1, int(stratum.max()) + 1, len(LABELS) + 1
    shape = (folds, strata, width, width)
    cell = ((fold * strata + stratum) * width + says - SILENT) * width + answers
    counts = numpy.bincount(cell, minlength=int(numpy.prod(shape))).reshape(shape)
    elsewhere = (counts.sum(axis=0) - counts).astype(float)  # (folds, strata, says, answers)
    whole = elsewhere.sum(axis=2, keepdims=True)
    usual = (whole + 1 / width) / (whole.sum(axis=3, keepdims=True) + 1)
    shares = (elsewhere + PRIOR_WEIGHT * usual) / (elsewhere.sum(axis=3, keepdims=True) + PRIOR_WEIGHT)
    return numpy.asarray(numpy.log(shares.reshape(-1)[cell]))


def _strata(known: Sequence[ShortcutRule], n: int) -> Ints:
    """Number the strata: cases for which all known rules suggest the same answers share a number."""
    code = numpy.zeros(n, dtype=numpy.int64)
    for rule in known:
        code = code * (int(rule.says.max()) + 2) + rule.says - SILENT
        code = numpy.unique(code, return_inverse=True)[1]
    return code


def _effect(
    each: MeasuredRule, *, follows: bool = False, explained_by: tuple[Shortcut, ...] = (), is_rival: bool = False
) -> Effect:
    rule, found = each.rule, each.found
    return Effect(
        name=rule.name,
        rule=rule.words,
        answer=rule.answer,
        n=found.n,
        followed=found.followed,
        right=found.right,
        others=found.others,
        base=found.base,
        difference=found.difference,
        low=found.interval.low,
        high=found.interval.high,
        p=each.p,
        follows=follows,
        possible=is_rival,
        explained_by=explained_by,
    )


def _preference_effect(found: Lean, p: float, *, alone: bool) -> Effect:
    """The preferred label as an effect. It is a diagnosis only if no rule is: each rule has a default answer."""
    common: dict[str, Any] = {"rule": "in every case", "answer": found.answer, "base": found.even, "p": p}
    if found.overall >= CONSTANT:
        return Effect(name="constant", n=found.cases, followed=found.overall, follows=True, **common)
    return Effect(
        name="prior",
        n=found.n,
        followed=found.share,
        difference=found.share - found.even,
        low=found.interval.low - found.even,
        high=found.interval.high - found.even,
        follows=alone and found.share - found.even >= LARGE and is_clear(p),
        **common,
    )
