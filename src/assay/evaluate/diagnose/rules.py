"""The shortcuts as rules: for each case the answer that it gives, or silence."""

from typing import NamedTuple

import numpy

from assay.core.label import Label
from assay.core.results.diagnosis import Shortcut
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.count.columns import LABELS, Bools, Ints
from assay.evaluate.diagnose.contrast import Trials
from assay.evaluate.diagnose.evidence import SILENT, Evidence, Words
from assay.evaluate.diagnose.learned import as_words, suggested

ENTAILMENT, NEUTRAL, CONTRADICTION, NON_ENTAILMENT = range(len(LABELS))
"""The codes of the labels."""

MOST = 0.6
"""The share of a hypothesis's words in the premise from which most of them are shared."""


class Rule(NamedTuple):
    """A shortcut, or a variant of one."""

    name: Shortcut
    """The shortcut."""
    words: str
    """When it gives its answer, in words."""
    says: Ints
    """(cases,) The code of its answer, or `SILENT`."""
    among: Bools
    """(cases,) The cases that it is measured on."""
    answer: str = ""
    """The label that it gives; empty if it is not always the same."""
    is_learned: bool = False
    """Whether it comes from answers or labels, so that it fits many models a little."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all other rules of a model."""
        return self.name, self.words, self.answer


def fixed_rules(evidence: Evidence) -> list[Rule]:
    """Rules that are the same for every model, the broader before the narrower."""
    seen = evidence.surface
    entailed: list[tuple[Shortcut, str, Bools]] = [
        ("overlap", f"at least {100 * MOST:.0f} % of the hypothesis's words are in the premise", seen.overlap >= MOST),
        ("overlap", "all words of the hypothesis are in the premise", seen.overlap == 1.0),
        ("subsequence", "the premise contains the hypothesis in one piece", seen.in_one_piece),
        ("constituent", "the hypothesis is a phrase of the premise", seen.is_phrase),
    ]
    rules = [_always(evidence, name, words, where, Label.ENTAILMENT) for name, words, where in entailed]
    rules += [
        _always(evidence, "negation", "the hypothesis has a negation word", seen.negated, label)
        for label in (Label.CONTRADICTION, Label.NON_ENTAILMENT)
        if label is Label.NON_ENTAILMENT or CONTRADICTION in evidence.label
    ]
    if seen.replaced.any():
        words = "something is replaced by something more general or more specific"
        rules.append(_always(evidence, "replacement", words, seen.replaced, Label.ENTAILMENT))
        words = "whether something is replaced by something more general, negated or not"
        says = numpy.where(seen.replaced, numpy.where(seen.generalised, ENTAILMENT, NEUTRAL), SILENT)
        rules.append(Rule("scope", words, says, evidence.claims & seen.replaced))
    if (seen.suggested != SILENT).any():
        words = "what the wording of the hypothesis suggests, by the labels of other pairs"
        rules.append(Rule("hypothesis", words, seen.suggested, evidence.claims, is_learned=True))
    return rules


def rules_of(evidence: Evidence, model: int) -> list[Rule]:
    """Rules that depend on a model's own answers."""
    answers, seen = evidence.answers[model], evidence.surface
    found = []
    if (teachers := evidence.claims & evidence.original & evidence.judged[model]).any():
        premise, hypothesis = seen.premise_words, seen.hypothesis_words
        suggesting: list[tuple[Shortcut, str, Words]] = [
            ("hypothesis", "the wording of the hypothesis", seen.words),
            ("length", "the length of the hypothesis", as_words(hypothesis)),
            ("length", "the length of the premise", as_words(premise)),
            ("length", "the difference in length", as_words(hypothesis - premise)),
        ]
        for name, what, features in suggesting:
            words = f"what {what} suggests, by the model's own answers to other pairs"
            says = suggested(features, answers, seen.fold, teachers)
            found.append(Rule(name, words, says, evidence.claims, is_learned=True))
    if evidence.drops.any():
        swapped = (evidence.source >= 0) & numpy.isin(evidence.family, evidence.family[evidence.drops])
        says = numpy.where(swapped & (answers[evidence.source] == ENTAILMENT), ENTAILMENT, SILENT)
        words = "the model says so before the sides are swapped"
        found.append(Rule("order", words, says, swapped, Label.ENTAILMENT.value, is_learned=True))
    return found


def trials_of(rule: Rule, evidence: Evidence, model: int, *, known: Ints, by_added: bool) -> Trials:
    """The cases where an answer of the rule would be wrong, and what the model says to them.

    Strata are made of the answer, the right answer, `known`, and whether something was added to the hypothesis.
    """
    answers, gold, strata = evidence.answers[model], evidence.right_answers, _alike(evidence)
    if by_added:
        strata = strata * 2 + evidence.surface.added
    strata = strata * (int(known.max(initial=0)) + 1) + known
    parts = []
    for answer in range(len(LABELS)):
        if (rule.says == answer).any():
            rows = numpy.flatnonzero(rule.among & evidence.judged[model] & ~RIGHT[answer, gold])
            parts.append(
                Trials(
                    row=rows,
                    fires=rule.says[rows] == answer,
                    given=RIGHT[answers[rows], answer],
                    stratum=strata[rows] * len(LABELS) + answer,
                    cluster=evidence.cluster[rows],
                )
            )
    if not parts:
        nothing = numpy.zeros(0, dtype=numpy.int64)
        return Trials(nothing, nothing.astype(bool), nothing.astype(bool), nothing, nothing)
    return Trials(*(numpy.concatenate(columns) for columns in zip(*parts, strict=True)))


def _always(evidence: Evidence, name: Shortcut, words: str, where: Bools, label: Label) -> Rule:
    says = numpy.where(where, LABELS.index(label), SILENT)
    return Rule(name, words, says, evidence.claims, label.value)


def _alike(evidence: Evidence) -> Ints:
    """Right answers that are compared with each other: non-entailment with neutral, if there is any.

    Models take neutral cases for entailed ones more often than contradictions, so this asks more of a shortcut.
    """
    gold = evidence.right_answers
    has_neutral = (gold[evidence.claims] == NEUTRAL).any()
    return numpy.where((gold == NON_ENTAILMENT) & has_neutral, NEUTRAL, gold)
