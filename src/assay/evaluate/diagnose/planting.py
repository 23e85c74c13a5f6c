"""Shortcuts planted into unbiased answers, to find out which ones the cases of a run can show."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec
import numpy

from assay.core.judgement import Shortcut
from assay.core.label_space import NO_ANSWER
from assay.evaluate.case_columns import IN_TWO, Ints
from assay.evaluate.diagnose.diagnosis_evidence import SILENT, Evidence
from assay.evaluate.diagnose.shortcut_effects import CONTAINED, MeasuredRule, measure_effects
from assay.evaluate.diagnose.shortcut_rules import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NON_ENTAILMENT,
    Ground,
    Learnable,
    ShortcutRule,
    compare_trials,
    fixed_rules,
    ground_of,
    learnable_rules,
    rules_of,
    trials_of,
)

RELIANCE = 0.5  # the fraction of cases that a model decides by a planted shortcut
ACCURACY = 0.75  # accuracy of a simulated honest model; its wrong answers are drawn evenly
DRAWS = 20  # number of times that each shortcut is planted
FOUND = 0.8  # a shortcut that would be found less often than this can't be ruled out
PLANTED: tuple[Shortcut, ...] = (
    *("overlap", "subsequence", "constituent", "few-shared", "negation", "number", "first-word", "last-word"),
    *("hypothesis", "premise"),
)
"""Shortcuts that are planted. A shortcut in a single text depends on one of its words."""


def honest_answers(ground: Ground, rng: numpy.random.Generator) -> Ints:
    """Answers with random errors that do not depend on the case: (cases,)."""
    n, binary = len(ground.gold), ground.binary
    gold = numpy.where(ground.gold == NON_ENTAILMENT, NEUTRAL, ground.gold)
    other = (gold + rng.integers(1, CONTRADICTION + 1, n)) % NON_ENTAILMENT
    wrong = numpy.where(binary & (gold != ENTAILMENT), ENTAILMENT, other)
    answers = numpy.where(rng.random(n) < ACCURACY, gold, wrong)
    return numpy.where(binary, IN_TWO[answers], answers)


def plant_rule(
    answers: Ints, rule: ShortcutRule, ground: Ground, rng: numpy.random.Generator, reliance: float = RELIANCE
) -> Ints:
    """Answers that follow a rule in a fraction of the cases where it applies: (cases,).

    Where the rule says non-entailment, a neutral or contradiction case gets its own label.
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
    """The fraction of draws in which a planted rule is found, when `tests` rules are tested.

    With a learner, the rule is unknown and has to be learned from the answers.
    """
    return sum(_finds(evidence, rule, tests=tests, learner=learner, reliance=reliance, draws=draws)) / draws


def _is_found(
    evidence: Evidence, rule: ShortcutRule, *, tests: int, learner: Learnable | None = None, draws: int = DRAWS
) -> bool:
    """True if `share_found` is at least `FOUND`; drawing stops when that is certain, which is soon with few cases."""
    finds = _finds(evidence, rule, tests=tests, learner=learner, reliance=RELIANCE, draws=draws)
    found = 0
    for drawn, is_found in enumerate(finds, start=1):
        found += is_found
        if found / draws >= FOUND or (found + draws - drawn) / draws < FOUND:
            break
    return found / draws >= FOUND


def _finds(
    evidence: Evidence, rule: ShortcutRule, *, tests: int, learner: Learnable | None, reliance: float, draws: int
) -> Iterator[bool]:
    """True for each draw in which a planted rule is found."""
    ground = ground_of(evidence)
    known = numpy.zeros(len(ground.gold), dtype=numpy.int64)
    one = evidence._replace(judged=numpy.ones((1, len(known)), dtype=bool))
    for draw in range(draws):
        rng = numpy.random.default_rng(draw)
        answers = plant_rule(honest_answers(ground, rng), rule, ground, rng, reliance)
        one = one._replace(answers=answers[None])
        searched = rules_of(one, 0, ground, [learner])[0] if learner else rule
        measured = compare_trials(trials_of(searched, one, 0, ground=ground, known=known), one.right[0])
        yield measured is not None and MeasuredRule(searched, measured, min(1.0, tests * measured.p)).is_clear


def unseen_shortcuts(evidence: Evidence) -> tuple[Shortcut, ...]:
    """Shortcuts that too few cases could show, even if a model followed them half of the time."""
    if not evidence.claims.any():
        return ()
    rules, learners = fixed_rules(evidence), learnable_rules(evidence)
    tests, seen = len(rules) + len(learners), dict.fromkeys(PLANTED, False)
    del seen["first-word"]  # few corpora have one word that begins many hypotheses, so it would nearly always be listed
    for rule in rules:
        if not seen.get(rule.name, True):
            seen[rule.name] = _is_found(evidence, rule, tests=tests)
    for learner in learners:
        if not seen.get(learner.name, True):
            rule = _rule_of_one_word(evidence, learner)
            seen[learner.name] = _is_found(evidence, rule, tests=tests, learner=learner, draws=DRAWS // 2)
    return tuple(name for name, is_seen in seen.items() if not is_seen)


def _rule_of_one_word(evidence: Evidence, learner: Learnable) -> ShortcutRule:
    """A rule on a single word: the one whose frequency is nearest to a quarter of the unmodified pairs."""
    features, claims = learner.features, evidence.claims
    among = claims & evidence.original if (claims & evidence.original).any() else claims
    says = numpy.full(len(claims), SILENT)
    if features.n:
        counts = numpy.bincount(features.number[among[features.case]], minlength=features.n)
        word = int(numpy.abs(numpy.log((counts + 0.5) / (among.sum() / 4))).argmin())
        says[features.case[features.number == word]] = CONTRADICTION
    share = float((says[claims] != SILENT).mean())
    return ShortcutRule(learner.name, f"it has a word that {share:.0%} of the cases have", says, claims)


class Sensitivity(msgspec.Struct, frozen=True, kw_only=True):
    """The weakest use of a shortcut that the diagnosis would have noticed."""

    shortcut: Shortcut
    rule: str  # the rule by which the planted shortcut answers
    weakest: float | None  # the smallest share that is noticed four times out of five; None if none is
    draws: int  # the number of models with a planted shortcut


STRENGTHS = (1.0, 0.6, 0.35, 0.15)  # shares of cases that the first planted models decide by a shortcut
TRIALS = 200  # models that are planted for each shortcut
BATCH = 10  # models that are planted at one share, until the limit is estimated again
NARROWER: Mapping[Shortcut, Collection[str]] = {
    "overlap": ("few-shared",),
    "few-shared": ("overlap",),
    "hypothesis": CONTAINED["hypothesis"],
    "premise": CONTAINED["premise"],
}
"""Names besides its own under which a planted shortcut counts as noticed: one word may be the last word, or negate."""


def measure_sensitivity(
    evidence: Evidence,
    on_progress: Callable[[], None] = lambda: None,
    *,
    shortcuts: Sequence[Shortcut] = PLANTED,
    trials: int = TRIALS,
) -> list[Sensitivity]:
    """For each shortcut, the weakest reliance that the whole diagnosis names four times out of five.

    Simulated models without other bias are diagnosed like any other. No model is run.
    """
    rules = planted_rules(evidence, shortcuts) if evidence.claims.any() else []
    found = []
    for rule in rules:
        found.append(_find_weakest(evidence, rule, trials))
        on_progress()
    return found


def planted_rules(evidence: Evidence, shortcuts: Sequence[Shortcut] = PLANTED) -> list[ShortcutRule]:
    """One rule for each shortcut that these cases can test: the variant that is wrong in most cases."""
    planted: dict[Shortcut, ShortcutRule] = {}
    most: dict[Shortcut, int] = {}
    for rule in fixed_rules(evidence):
        wrong = int(((rule.says != SILENT) & (rule.says != evidence.label) & evidence.claims).sum())
        if rule.name in shortcuts and wrong > most.get(rule.name, 0):
            planted[rule.name], most[rule.name] = rule, wrong
    for learner in learnable_rules(evidence):
        if learner.name in shortcuts and learner.name not in planted:
            planted[learner.name] = _rule_of_one_word(evidence, learner)
    return [planted[name] for name in shortcuts if name in planted]


def _find_weakest(evidence: Evidence, rule: ShortcutRule, trials: int) -> Sensitivity:
    """Plant batches of models, each at the current estimate of the strength that is found four times out of five."""
    strengths, named = list[float](), list[bool]()
    for strength in STRENGTHS:
        strengths += [strength] * (BATCH // 2)
        named += are_named(evidence, rule, strengths[-BATCH // 2 :], first=len(named))
    while len(named) < trials and any(named):
        strengths += [min(1.0, _found_from(strengths, named))] * BATCH
        named += are_named(evidence, rule, strengths[-BATCH:], first=len(named))
    weakest = round(_found_from(strengths, named), 2) if any(named) else 2.0
    return Sensitivity(shortcut=rule.name, rule=rule.words, weakest=weakest if weakest <= 1 else None, draws=len(named))


def _found_from(strengths: Sequence[float], named: Sequence[bool]) -> float:
    """The strength from which the diagnosis names a shortcut four times out of five; above 1 if it does not.

    It is the mean over logistic curves of different place, slope and highest share, each weighted by its likelihood.

    >>> round(_found_from([0.1, 0.2, 0.3, 0.4, 0.5] * 20, [False, False, True, True, True] * 20), 2)
    0.27
    """
    place, slope, most = numpy.meshgrid(numpy.arange(0.02, 1.3, 0.01), (6, 10, 16, 25, 40, 60), (0.85, 0.93, 1.0))
    start = numpy.log(FOUND / (most - FOUND))
    chance = most[..., None] / (1 + numpy.exp(-start[..., None] - slope[..., None] * (strengths - place[..., None])))
    chance = numpy.clip(chance, 0.002, 0.998)  # (slopes, places, highest shares, trials)
    fit = numpy.where(named, numpy.log(chance), numpy.log(1 - chance)).sum(axis=-1)
    weight = numpy.exp(fit - fit.max())
    return float((weight * place).sum() / weight.sum())


def are_named(evidence: Evidence, rule: ShortcutRule, strengths: Sequence[float], *, first: int = 0) -> list[bool]:
    """For each strength, plant the shortcut in one model, and check if the diagnosis names it."""
    kind = {rule.name, *NARROWER.get(rule.name, ())}
    ground, answers = ground_of(evidence), []
    for draw, reliance in enumerate(strengths, first):
        rng = numpy.random.default_rng(draw)
        answers.append(plant_rule(honest_answers(ground, rng), rule, ground, rng, reliance))
    models = numpy.stack(answers)
    planted = evidence._replace(
        answers=models, judged=numpy.ones(models.shape, dtype=bool), models=[str(draw) for draw in range(len(models))]
    )
    return [any(each.follows and each.name in kind for each in found) for found in measure_effects(planted)]
