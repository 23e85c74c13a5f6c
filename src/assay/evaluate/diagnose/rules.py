"""The shortcuts as rules: for each case the answer that it gives, or silence."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy

from assay.core.label import Label
from assay.core.results.diagnosis import Shortcut
from assay.evaluate.count.columns import IN_TWO, LABELS, Bools, Ints
from assay.evaluate.diagnose.contrast import Trials
from assay.evaluate.diagnose.evidence import SILENT, Evidence, Surface, Words
from assay.evaluate.diagnose.learned import FARTHEST, Features, as_words, features_of, lessons, suggested

ENTAILMENT, NEUTRAL, CONTRADICTION, NON_ENTAILMENT = range(len(LABELS))
"""The codes of the labels."""

MOST = 0.6
"""The share of a hypothesis's words in the premise from which most of them are shared."""

FEW = 0.3
"""The share below which few are."""

STEPS = 20
"""Shares of words are told apart in this many steps."""

PLAIN, ONE_FEATURE, ALL_WORDS, EVERYTHING = range(4)
"""How much a rule may look at. A rule that looks at more has to explain clearly more."""


class Rule(NamedTuple):
    """A shortcut, or a variant of one."""

    name: Shortcut
    words: str
    """When it gives its answer, in words."""
    says: Ints
    """(cases,) The code of its answer, or `SILENT`."""
    among: Bools
    """(cases,) The cases that it is measured on."""
    answer: str = ""
    """The label that it gives; empty if it is not always the same."""
    breadth: int = PLAIN
    """How much it looks at."""

    @property
    def is_learned(self) -> bool:
        """Whether it comes from the model's own answers, so that it fits many models a little."""
        return self.breadth > PLAIN or self.name == "order"

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all other rules of a model."""
        return self.name, self.words, self.answer


class Ground(NamedTuple):
    """What answers are compared within, the same for all models; each is (cases,)."""

    gold: Ints
    """The code of the right answer; one of two, where only two are told apart."""
    two_way: Bools
    """Whether only two answers are told apart."""
    stratum: Ints
    """Cases that are compared with each other: of one family and one right answer.

    Copies that keep the label of their source pair are compared with it and with each other, whatever their family,
    because nothing else differs between them.
    """
    cluster: Ints
    """Cases that may depend on each other: of one premise, or with the same two words changed."""


def ground_of(evidence: Evidence) -> Ground:
    """The strata of a run."""
    gold = evidence.right_answers
    copies = evidence.original | (evidence.stays & (evidence.source >= 0) & evidence.claims)
    group = numpy.where(copies, 0, 1 + evidence.family)
    two_way = numpy.isin(evidence.family, evidence.family[gold == NON_ENTAILMENT])
    gold = numpy.where(two_way, IN_TWO[gold], gold)
    _, stratum = numpy.unique((group * 2 + two_way) * len(LABELS) + gold, return_inverse=True)
    seen = evidence.surface
    by_pair = seen.changed != SILENT
    cluster = numpy.where(by_pair, int(seen.premise_number.max(initial=0)) + 1 + seen.changed, seen.premise_number)
    return Ground(gold, two_way, stratum, numpy.unique(cluster, return_inverse=True)[1])


def fixed_rules(evidence: Evidence) -> list[Rule]:
    """Rules that are the same for every model, the broader before the narrower."""
    seen, claims = evidence.surface, evidence.claims
    three = [label for label in LABELS[:NON_ENTAILMENT] if (evidence.label[claims] == LABELS.index(label)).any()]
    other = [*three[1:], Label.NON_ENTAILMENT]

    def always(name: Shortcut, words: str, where: Bools, labels: list[Label]) -> Iterator[Rule]:
        for label in labels:
            yield Rule(name, words, numpy.where(where, LABELS.index(label), SILENT), claims, label.value)

    most = f"at least {100 * MOST:.0f}% of the hypothesis's words are in the premise"
    many = f"at least {100 * FEW:.0f}% of all words are in both texts"
    few = f"less than {100 * FEW:.0f}% of all words are in both texts"
    rules = [
        *always("overlap", most, seen.overlap >= MOST, three),
        *always("overlap", "all words of the hypothesis are in the premise", seen.overlap == 1.0, three),
        *always("overlap", many, seen.jaccard >= FEW, three),
        *always("subsequence", "the premise contains the hypothesis in one piece", seen.in_one_piece, three[:1]),
        *always("constituent", "the hypothesis is a phrase of the premise", seen.is_phrase, three[:1]),
        *always("few-shared", f"less than {100 * MOST:.0f}% of the words are shared", seen.overlap < MOST, other),
        *always("few-shared", few, seen.jaccard < FEW, other),
        *always("negation", "the hypothesis has a negation word", seen.negated, other),
        *always("number", "the hypothesis has a number", seen.claims_number, [*three, Label.NON_ENTAILMENT]),
        *always("last-word", "both texts have the same last word", seen.same_end, three),
    ]
    if seen.replaced.any():
        words = "something is replaced by something more general or more specific"
        rules += always("replacement", words, seen.replaced, [Label.ENTAILMENT])
        words = "whether something is replaced by something more general, negated or not"
        says = numpy.where(seen.replaced, numpy.where(seen.generalised, ENTAILMENT, NEUTRAL), SILENT)
        rules.append(Rule("scope", words, says, claims & seen.replaced))
    return rules


class Learnable(NamedTuple):
    """A rule that is to be learned from a model's answers."""

    name: Shortcut
    what: str
    features: Features
    breadth: int


def learnable_rules(evidence: Evidence) -> list[Learnable]:
    """Features that may suggest answers, the same for every model."""
    seen = evidence.surface
    premise, hypothesis = seen.premise_words, seen.hypothesis_words
    rows, changed = numpy.arange(len(premise)), numpy.flatnonzero(seen.changed != SILENT)
    amounts: list[tuple[Shortcut, str, Ints]] = [
        ("length", "the length of the hypothesis", hypothesis),
        ("length", "the length of the premise", premise),
        ("length", "the difference in length", hypothesis - premise),
        ("overlap", "the share of the hypothesis's words that are in the premise", _steps(seen.overlap)),
        ("overlap", "the share of all words that both texts have", _steps(seen.jaccard)),
    ]
    words: list[tuple[Shortcut, str, Words, int]] = [
        ("first-word", "the first word of the hypothesis", Words(seen.first_word, rows), ONE_FEATURE),
        ("last-word", "the last word of the hypothesis", Words(seen.last_word, rows), ONE_FEATURE),
        ("word-pair", "the two changed words", Words(seen.changed[changed], changed), ONE_FEATURE),
        ("hypothesis", "the wording of the hypothesis", seen.hypothesis, ALL_WORDS),
        ("premise", "the wording of the premise", seen.premise, ALL_WORDS),
        ("unknown", "everything on the surface", _everything(seen), EVERYTHING),
    ]
    return [
        *(
            Learnable(
                name,
                what,
                features_of(as_words(values), seen.premise_number, seen.changed, are_amounts=True),
                ONE_FEATURE,
            )
            for name, what, values in amounts
        ),
        *(
            Learnable(
                name,
                what,
                features_of(values, seen.premise_number, seen.changed, of_pairs=name == "word-pair"),
                breadth,
            )
            for name, what, values, breadth in words
        ),
    ]


def rules_of(evidence: Evidence, model: int, ground: Ground, learnable: Sequence[Learnable]) -> list[Rule]:
    """Rules that depend on a model's own answers."""
    answers, found = evidence.answers[model], []
    if (teachers := evidence.claims & evidence.judged[model]).any():
        learned = lessons(answers, ground.stratum, teachers)
        for name, what, features, breadth in learnable:
            words = f"what {what} would suggest, by the model's own answers to other pairs"
            found.append(Rule(name, words, suggested(features, learned), evidence.claims, breadth=breadth))
    if evidence.drops.any():
        swapped = (evidence.source >= 0) & numpy.isin(evidence.family, evidence.family[evidence.drops])
        before = evidence.drops & swapped & (answers[evidence.source] == ENTAILMENT)
        says = numpy.where(before, ENTAILMENT, SILENT)
        words = "the model says so before the sides are swapped"
        found.append(Rule("order", words, says, swapped, Label.ENTAILMENT.value))
    return found


def trials_of(rule: Rule, evidence: Evidence, model: int, *, ground: Ground, known: Ints) -> Trials:
    """Each answer of the rule with all cases that it could be given to, and what the model says to them.

    Strata are made of the answer, the cases that are compared with each other, and `known`.
    """
    answers = evidence.answers[model]
    rows = numpy.flatnonzero(rule.among & evidence.judged[model])
    two_way, gold = ground.two_way[rows], ground.gold[rows]
    given, says = (numpy.where(two_way, IN_TWO[each[rows]], each[rows]) for each in (answers, rule.says))
    says = numpy.where(rule.says[rows] == SILENT, SILENT, says)
    stratum = ground.stratum[rows] * (int(known.max(initial=0)) + 1) + known[rows]
    parts = []
    for answer in numpy.unique(says[says != SILENT]):
        possible = ~two_way | numpy.isin(answer, (ENTAILMENT, NON_ENTAILMENT))
        third = numpy.where(two_way | (answer == NON_ENTAILMENT), -2, NON_ENTAILMENT - gold - answer)
        holds = fits(gold, answer)
        everything = Trials(
            row=rows,
            fires=says == answer,
            given=fits(given, answer),
            other=(given == third) & ~holds if answer != NON_ENTAILMENT else (given == ENTAILMENT) & holds & ~two_way,
            holds=holds,
            stratum=stratum * len(LABELS) + answer,
            cluster=ground.cluster[rows],
        )
        parts.append(Trials._make(column[possible] for column in everything))
    if not parts:
        nothing = numpy.zeros(0, dtype=numpy.int64)
        no = nothing.astype(bool)
        return Trials(nothing, no, no, no, no, nothing, nothing)
    return Trials._make(numpy.concatenate(columns) for columns in zip(*parts, strict=True))


def fits(answers: Ints, label: int) -> Bools:
    """Whether answers are a label; neutral and contradiction are non-entailment, too."""
    if label == NON_ENTAILMENT:
        return numpy.isin(answers, (NEUTRAL, CONTRADICTION, NON_ENTAILMENT))
    return numpy.asarray(answers == label)


def _everything(seen: Surface) -> Words:
    """All features that rules look at, each with a number of its own."""
    rows = numpy.arange(len(seen.overlap))
    columns = [
        _steps(seen.overlap),
        _steps(seen.jaccard),
        seen.premise_words,
        seen.hypothesis_words,
        seen.hypothesis_words - seen.premise_words + FARTHEST,
        seen.same_end + 2 * seen.negated + 4 * seen.claims_number,
        seen.in_one_piece + 2 * seen.is_phrase,
    ]
    parts = [seen.hypothesis, seen.premise, *(Words(numpy.clip(each, 0, 2 * FARTHEST), rows) for each in columns)]
    starts = numpy.cumsum([0, *(int(each.number.max(initial=0)) + 1 for each in parts)])
    numbers = numpy.concatenate([each.number + start for each, start in zip(parts, starts[:-1], strict=True)])
    return Words(numbers, numpy.concatenate([each.case for each in parts]))


def _steps(share: numpy.ndarray) -> Ints:
    return numpy.asarray((share * STEPS).astype(numpy.int64))
