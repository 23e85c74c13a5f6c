"""Which shortcuts a model follows: one after the other, each where those before it say the same."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from assay.core.results.diagnosis import Effect, Shortcut
from assay.evaluate.correction import holm
from assay.evaluate.count.columns import Bools, Ints
from assay.evaluate.diagnose.contrast import Contrast, contrast
from assay.evaluate.diagnose.evidence import SILENT, Evidence
from assay.evaluate.diagnose.prior import CONSTANT, Lean, lean
from assay.evaluate.diagnose.rules import Rule, fixed_rules, rules_of, trials_of
from assay.evaluate.judge.findings import LARGE
from assay.evaluate.judge.loss import is_clear

LARGE_IF_LEARNED = 2 * LARGE
"""How much more often a model must give the answer of a learned rule."""


ENOUGH = 20
"""Fewer cases on either side of a comparison decide nothing."""


class Measured(NamedTuple):
    """A rule, and how closely a model follows it."""

    rule: Rule
    """The rule."""
    found: Contrast
    """What was measured."""
    p: float
    """The p, corrected for all rules that were measured with it."""

    @property
    def is_clear(self) -> bool:
        """Whether the difference is large, and chance does not explain it.

        A learned rule fits most models a little, so the model must follow it more often than it is right.
        """
        found = self.found
        if min(found.n, found.others) < ENOUGH or (self.rule.is_learned and found.followed <= found.right):
            return False
        return found.difference >= (LARGE_IF_LEARNED if self.rule.is_learned else LARGE) and is_clear(self.p)


def effects(evidence: Evidence) -> list[list[Effect]]:
    """For each model, its shortcuts: first those that it follows, in the order in which they were found."""
    fixed, right = fixed_rules(evidence), evidence.right
    return [_effects(evidence, number, fixed, right[number]) for number in range(len(evidence.models))]


def _effects(evidence: Evidence, model: int, fixed: Sequence[Rule], right: Bools) -> list[Effect]:
    rules = [*fixed, *rules_of(evidence, model)]
    leaning = lean(evidence, model)
    alone = _measured(evidence, model, rules, right, ())
    *ps, last = holm([*(each.p for _, each in alone), leaning.p if leaning else 1.0])
    first = [Measured(*each, p) for each, p in zip(alone, ps, strict=True)]
    by_rule = {each.rule.key: each for each in first}
    followed = [by_rule[rule.key] for rule in _followed(evidence, model, first, right)]
    names = {each.rule.name for each in followed}
    found = [_effect(each, follows=True) for each in followed]
    for name in dict.fromkeys(each.rule.name for each in first if each.rule.name not in names):
        best = max((each for each in first if each.rule.name == name), key=_gain)
        found.append(_effect(best, explained_by=_explaining(best, followed) if best.is_clear else ()))
    return [*found, *([_leaning(leaning, last, alone=not followed)] if leaning else [])]


def _followed(evidence: Evidence, model: int, first: Sequence[Measured], right: Bools) -> list[Rule]:
    """The rules that a model follows, each measured where those before it say the same; the best comes first."""
    clear = {each.rule.name for each in first if each.is_clear}
    found: list[Rule] = []
    left = first
    while best := max((each for each in left if each.is_clear and each.rule.name in clear), key=_gain, default=None):
        found.append(best.rule)
        names = {rule.name for rule in found}
        known = [each.rule for each in first if each.rule.name in names]
        others = [each.rule for each in first if each.rule.name not in names]
        again = _measured(evidence, model, others, right, known)
        left = [Measured(*each, p) for each, p in zip(again, holm([each.p for _, each in again]), strict=True)]
    return found


def _explaining(each: Measured, followed: Sequence[Measured]) -> tuple[Shortcut, ...]:
    """Those that the model follows and that give the same answer to some of the same cases."""
    says, speaks = each.rule.says, each.rule.says != SILENT
    return tuple(other.rule.name for other in followed if (speaks & (other.rule.says == says)).any())


def _gain(each: Measured) -> float:
    """How much a rule explains; of equals the first, which is the broadest, is taken."""
    return round(each.found.explained, 6)


def _measured(
    evidence: Evidence, model: int, rules: Sequence[Rule], right: Bools, known: Sequence[Rule]
) -> list[tuple[Rule, Contrast]]:
    """Every rule that can be measured where the known rules say the same."""
    strata = _strata(known, len(right))
    found = []
    for rule in rules:
        fires = 0
        for by_added in (True, False):
            # Something added is compared with something else added, unless that leaves too little.
            trials = trials_of(rule, evidence, model, known=strata, by_added=by_added)
            fires = fires or int(trials.fires.sum())
            measured = contrast(trials, right) if fires else None
            if measured and (2 * measured.n >= fires or not by_added):
                found.append((rule, measured))
                break
    return found


def _strata(known: Sequence[Rule], n: int) -> Ints:
    """Cases to which the known rules give the same answers have the same number."""
    code = numpy.zeros(n, dtype=numpy.int64)
    for rule in known:
        code = code * (int(rule.says.max()) + 2) + rule.says - SILENT
        code = numpy.unique(code, return_inverse=True)[1]
    return code


def _effect(each: Measured, *, follows: bool = False, explained_by: tuple[Shortcut, ...] = ()) -> Effect:
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
        explained_by=explained_by,
    )


def _leaning(found: Lean, p: float, *, alone: bool) -> Effect:
    """The label that a model prefers. It is only a diagnosis if nothing else is: every rule has a default answer."""
    if alone and found.overall >= CONSTANT:
        return Effect(
            name="constant",
            rule="whatever is asked",
            answer=found.answer,
            n=found.cases,
            followed=found.overall,
            base=found.even,
            p=p,
            follows=True,
        )
    return Effect(
        name="prior",
        rule="whatever is asked",
        answer=found.answer,
        n=found.n,
        followed=found.share,
        base=found.even,
        difference=found.share - found.even,
        low=found.interval.low - found.even,
        high=found.interval.high - found.even,
        p=p,
        follows=alone and found.share - found.even >= LARGE and is_clear(p),
    )
