"""Shortcuts planted into honest answers, to find out which ones the cases of a run can show."""

from collections.abc import Callable, Sequence

import msgspec
import numpy

from assay.core.judgement import Shortcut
from assay.core.label_space import NO_ANSWER
from assay.evaluate.case_columns import IN_TWO, Ints
from assay.evaluate.diagnose.diagnosis_evidence import SILENT, Evidence
from assay.evaluate.diagnose.shortcut_effects import MeasuredRule, effects
from assay.evaluate.diagnose.shortcut_rules import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NON_ENTAILMENT,
    Ground,
    Learnable,
    ShortcutRule,
    contrast,
    fixed_rules,
    ground_of,
    learnable_rules,
    rules_of,
    trials_of,
)

RELIANCE = 0.5
"""The share of cases that a model decides by a planted shortcut."""

ACCURACY = 0.75
"""Accuracy of a simulated honest model; its wrong answers are drawn evenly."""

DRAWS = 20
"""Number of times that each shortcut is planted."""

FOUND = 0.8
"""A shortcut that would be found less often than this can't be ruled out."""

PLANTED: tuple[Shortcut, ...] = (
    "overlap",
    "subsequence",
    "constituent",
    "few-shared",
    "negation",
    "number",
    "last-word",
    "hypothesis",
    "premise",
)
"""Shortcuts that are planted. Those of a single text go by one of its words."""


def honest_answers(ground: Ground, rng: numpy.random.Generator, accuracy: float = ACCURACY) -> Ints:
    """Answers that are right by chance and wrong by chance, whatever the case looks like: (cases,)."""
    n, binary = len(ground.gold), ground.binary
    gold = numpy.where(ground.gold == NON_ENTAILMENT, NEUTRAL, ground.gold)
    other = (gold + rng.integers(1, CONTRADICTION + 1, n)) % NON_ENTAILMENT
    wrong = numpy.where(binary & (gold != ENTAILMENT), ENTAILMENT, other)
    answers = numpy.where(rng.random(n) < accuracy, gold, wrong)
    return numpy.where(binary, IN_TWO[answers], answers)


def plant(
    answers: Ints, rule: ShortcutRule, ground: Ground, rng: numpy.random.Generator, reliance: float = RELIANCE
) -> Ints:
    """The answers of somebody who decides a share of the cases by a rule, where it says something: (cases,).

    Of the two labels that are not entailment, a case gets its own if that is one of them.
    """
    says = numpy.where(rule.says == SILENT, NO_ANSWER, rule.says)
    says = numpy.where(ground.binary, IN_TWO[says], says)
    not_entailed = numpy.where(ground.gold == ENTAILMENT, NEUTRAL, ground.gold)
    says = numpy.where(~ground.binary & (says == NON_ENTAILMENT), not_entailed, says)
    return numpy.where((says != NO_ANSWER) & (rng.random(len(answers)) < reliance), says, answers)


def share_found(
    evidence: Evidence,
    rule: ShortcutRule,
    *,
    tests: int,
    learner: Learnable | None = None,
    reliance: float = RELIANCE,
    draws: int = DRAWS,
) -> float:
    """The share of draws in which a planted rule is found, if it is one of so many that are tested.

    With a learner, the rule is not known, but has to be learned from the answers.
    """
    ground, found = ground_of(evidence), 0
    known = numpy.zeros(len(ground.gold), dtype=numpy.int64)
    one = evidence._replace(judged=numpy.ones((1, len(known)), dtype=bool))
    for draw in range(draws):
        rng = numpy.random.default_rng(draw)
        answers = plant(honest_answers(ground, rng), rule, ground, rng, reliance)
        one = one._replace(answers=answers[None])
        searched = rules_of(one, 0, ground, [learner])[0] if learner else rule
        measured = contrast(trials_of(searched, one, 0, ground=ground, known=known), one.right[0])
        found += measured is not None and MeasuredRule(searched, measured, min(1.0, tests * measured.p)).is_clear
    return found / draws


def unseen_shortcuts(evidence: Evidence) -> tuple[Shortcut, ...]:
    """Shortcuts that too few cases could show, if a model followed them half of the time."""
    if not evidence.claims.any():
        return ()
    rules, learners = fixed_rules(evidence), learnable_rules(evidence)
    tests, best = len(rules) + len(learners), dict.fromkeys(PLANTED, 0.0)
    for rule in rules:
        if best.get(rule.name, 1.0) < FOUND:
            best[rule.name] = share_found(evidence, rule, tests=tests)
    for learner in learners:
        if best.get(learner.name, 1.0) < FOUND:
            rule = _rule_of_one_word(evidence, learner)
            best[learner.name] = share_found(evidence, rule, tests=tests, learner=learner, draws=DRAWS // 2)
    return tuple(name for name, share in best.items() if share < FOUND)


def _rule_of_one_word(evidence: Evidence, learner: Learnable) -> ShortcutRule:
    """A rule that goes by the one word that is nearest to being in a quarter of the texts."""
    features, n = learner.features, len(evidence.label)
    says = numpy.full(n, SILENT)
    if features.n:
        counts = numpy.bincount(features.number, minlength=features.n)
        word = int(numpy.abs(counts - n / 4).argmin())
        says[features.case[features.number == word]] = CONTRADICTION
    return ShortcutRule(learner.name, "one word", says, evidence.claims)


class Sensitivity(msgspec.Struct, frozen=True, kw_only=True):
    """The weakest use of a shortcut that a diagnosis of some cases would have noticed."""

    shortcut: Shortcut
    rule: str
    """When the planted shortcut gives its answer."""
    weakest: float | None
    """The smallest share of cases decided by it that is noticed four times out of five; None if none is."""
    found: float
    """How often it was noticed at that share, or if it decided all cases."""
    draws: int
    """Models that were planted at that share."""


STRENGTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""Shares of cases that a model decides by a planted shortcut."""

TRIALS = 10
"""Models that are planted at each share that is tried; as many again at the one that is reported."""


def measure_sensitivity(
    evidence: Evidence,
    on_progress: Callable[[], None] = lambda: None,
    *,
    shortcuts: Sequence[Shortcut] = PLANTED,
    trials: int = TRIALS,
) -> list[Sensitivity]:
    """For each shortcut, the weakest reliance that the whole diagnosis names four times out of five.

    Models that are honest but for the shortcut are diagnosed like any other. No model is run.
    """
    if not evidence.claims.any():
        return []
    planted: dict[Shortcut, ShortcutRule] = {}
    for rule in fixed_rules(evidence):  # of several rules, the one that speaks about most cases
        wrong = (rule.says != SILENT) & (rule.says != evidence.label) & evidence.claims
        best = planted.get(rule.name)
        if rule.name in shortcuts and (best is None or wrong.sum() > (best.says != SILENT).sum()):
            planted[rule.name] = rule
    for learner in learnable_rules(evidence):
        if learner.name in shortcuts and learner.name not in planted:
            planted[learner.name] = _rule_of_one_word(evidence, learner)
    found = []
    for name in (name for name in shortcuts if name in planted):
        found.append(_sensitivity(evidence, planted[name], trials))
        on_progress()
    return found


def _sensitivity(evidence: Evidence, rule: ShortcutRule, trials: int) -> Sensitivity:
    """Bisect the strengths, then plant more models at the weakest that seems to suffice, and go up until it does."""
    low, high = -1, len(STRENGTHS) - 1
    share = _share_named(evidence, rule, STRENGTHS[high], trials)
    if share < FOUND:
        return Sensitivity(shortcut=rule.name, rule=rule.words, weakest=None, found=share, draws=trials)
    while high - low > 1:
        middle = (low + high) // 2
        if _share_named(evidence, rule, STRENGTHS[middle], trials) >= FOUND:
            high = middle
        else:
            low = middle
    # The bisection stops at a lucky strength too often, so the one that is reported is tried again with new models.
    while (share := _share_named(evidence, rule, STRENGTHS[high], 2 * trials, first=trials)) < FOUND:
        if high == len(STRENGTHS) - 1:
            return Sensitivity(shortcut=rule.name, rule=rule.words, weakest=None, found=share, draws=2 * trials)
        high += 1
    return Sensitivity(shortcut=rule.name, rule=rule.words, weakest=STRENGTHS[high], found=share, draws=2 * trials)


def _share_named(evidence: Evidence, rule: ShortcutRule, reliance: float, draws: int, first: int = 0) -> float:
    """The share of planted models whose shortcut is named; many shared words and few of them are one."""
    kind = {"overlap", "few-shared"} if rule.name in {"overlap", "few-shared"} else {rule.name}
    ground, answers = ground_of(evidence), []
    for draw in range(first, first + draws):
        rng = numpy.random.default_rng(draw)
        answers.append(plant(honest_answers(ground, rng), rule, ground, rng, reliance))
    models = numpy.stack(answers)
    planted = evidence._replace(
        answers=models, judged=numpy.ones(models.shape, dtype=bool), models=[str(draw) for draw in range(draws)]
    )
    named = [any(each.follows and each.name in kind for each in found) for found in effects(planted)]
    return sum(named) / draws
