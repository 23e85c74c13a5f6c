"""Models that err for no reason that words or lengths could give: each draws its errors in another way."""

from collections.abc import Callable, Mapping

import numpy

from assay.evaluate.case_columns import Bools, Floats, Ints
from assay.evaluate.diagnose.diagnosis_evidence import Evidence
from assay.evaluate.diagnose.shortcut_rules import CONTRADICTION, ENTAILMENT, NEUTRAL, NON_ENTAILMENT

Errors = Callable[["Honest"], Ints]
"""The answers of a model: (cases,)."""


class Honest:
    """The cases of a run, and what models that err at random can be made of."""

    def __init__(self, evidence: Evidence, rng: numpy.random.Generator) -> None:
        self.rng, self.seen = rng, evidence.surface
        gold = evidence.right_answers
        self.two_way = numpy.isin(evidence.family, evidence.family[gold == NON_ENTAILMENT])
        self.truth: Ints = numpy.where(gold == NON_ENTAILMENT, NEUTRAL, gold)
        self.family, self.families = evidence.family, len(evidence.families)
        self.cluster = evidence.cluster
        self.is_natural: Bools = evidence.original | (evidence.source >= 0) & evidence.stays
        self.is_source: Bools = evidence.original
        self.n = len(gold)

    def even(self) -> Floats:
        """A number from 0 to 1 for each case."""
        return self.rng.random(self.n)

    def alike(self) -> Floats:
        """A number from 0 to 1 for each source pair, given to all of its cases."""
        return self.rng.random(int(self.cluster.max()) + 1)[self.cluster]

    def guess(self) -> Ints:
        """Any of three labels."""
        return self.rng.integers(0, 3, self.n)

    def err(self, rate: float | Floats, *, skew: float = 0.5) -> Ints:
        """The truth, but as often as the rate says one of the wrong labels; with two labels there is only one."""
        other = (self.truth + 1 + (self.even() < skew)) % 3
        wrong = numpy.where(self.two_way & (self.truth != ENTAILMENT), ENTAILMENT, other)
        return numpy.where(self.even() < rate, wrong, self.truth)

    def rank(self, amount: Ints | Floats) -> Floats:
        """Amounts as shares, from the smallest at 0 to the largest at 1."""
        return amount.argsort(kind="stable").argsort(kind="stable") / self.n

    def of_family(self) -> Floats:
        """An error rate of up to 60% for each family."""
        return 0.6 * self.rng.random(self.families)[self.family]


def _consistent(m: Honest) -> Ints:
    wrong = (m.truth + 1 + (m.alike() < 0.5)) % 3
    wrong = numpy.where(m.two_way, numpy.where(m.truth == ENTAILMENT, NEUTRAL, ENTAILMENT), wrong)
    return numpy.where(m.alike() < 0.4, wrong, m.truth)


def _skewed_by_label(m: Honest) -> Ints:
    usual, other = numpy.array([NEUTRAL, ENTAILMENT, NEUTRAL]), numpy.array([CONTRADICTION, CONTRADICTION, ENTAILMENT])
    wrong = numpy.where(m.even() < 0.85, usual[m.truth], other[m.truth])
    return numpy.where(m.even() < 0.4, wrong, m.truth)


def _by_family_and_label(m: Honest) -> Ints:
    return m.err(0.6 * m.rng.random((m.families, 3))[m.family, m.truth])


def _guesses_two_way(m: Honest) -> Ints:
    guessed = numpy.where(m.two_way, m.rng.integers(0, 2, m.n), m.guess())
    return numpy.where(m.even() < 0.5, guessed, m.truth)


def _unsure(m: Honest) -> Ints:
    of_neutral = numpy.where(m.even() < 0.5, ENTAILMENT, CONTRADICTION)
    of_others = numpy.where(m.even() < 0.3, NEUTRAL, m.truth)
    return numpy.where(m.truth == NEUTRAL, numpy.where(m.even() < 0.4, of_neutral, NEUTRAL), of_others)


def _mixed(m: Honest) -> Ints:
    often = numpy.clip(m.of_family() / 2 + 0.3 * m.rank(m.seen.premise_words), 0, 0.7)
    return numpy.where(m.alike() < 0.15, (m.truth + 1) % 3, m.err(often, skew=0.7))


def _inverted(m: Honest) -> Ints:
    turned = numpy.where(m.truth == ENTAILMENT, NEUTRAL, ENTAILMENT)
    return numpy.where(m.two_way, numpy.where(m.even() < 0.7, turned, m.truth), m.err(0.2))


HONEST: Mapping[str, Errors] = {
    "knows 40%, guesses elsewhere": lambda m: numpy.where(m.even() < 0.4, m.truth, m.guess()),
    "guesses": lambda m: m.guess(),
    "wrong on 10%": lambda m: m.err(0.1),
    "wrong on 20%": lambda m: m.err(0.2),
    "wrong on 30%": lambda m: m.err(0.3),
    "wrong on 40%": lambda m: m.err(0.4),
    "wrong on 40%, wrong labels skewed": lambda m: m.err(0.4, skew=0.85),
    "wrong on 40%, the same within source pairs": _consistent,
    "knows copies, guesses other families": lambda m: numpy.where(m.is_natural, m.truth, m.guess()),
    "knows 50%, guesses two-way families": lambda m: numpy.where(m.two_way | (m.even() < 0.5), m.guess(), m.truth),
    "wrong on 25% of source pairs, 50% of edited ones": lambda m: m.err(numpy.where(m.is_source, 0.25, 0.5)),
    "harder if the premise is long": lambda m: m.err(0.1 + 0.5 * m.rank(m.seen.premise_words)),
    "harder if few words are shared": lambda m: m.err(0.6 - 0.5 * m.seen.overlap),
    "harder if many words are shared": lambda m: m.err(0.1 + 0.5 * m.seen.overlap),
    "harder if the hypothesis is long": lambda m: m.err(0.1 + 0.5 * m.rank(m.seen.hypothesis_words)),
    "harder by family": lambda m: m.err(m.of_family()),
    "harder by label": lambda m: m.err(0.6 * m.rng.random(3)[m.truth]),
    "harder by family and label": _by_family_and_label,
    "wrong labels skewed by the right one": _skewed_by_label,
    "guesses one of two labels in two-way families": _guesses_two_way,
    "harder if a word is rare": lambda m: m.err(0.5 + 0.4 * m.seen.rarity / max(-m.seen.rarity.min(), 1)),
    "unsure of neutral": _unsure,
    "harder with a number": lambda m: m.err(numpy.where(m.seen.has_number, 0.6, 0.15)),
    "harder with a negation word": lambda m: m.err(numpy.where(m.seen.negated, 0.6, 0.15)),
    "a mix": _mixed,
    "guesses once for a source pair": lambda m: numpy.where(
        m.alike() < 0.5, m.truth, (3 * m.alike()).astype(numpy.int64)
    ),
    "guesses if the premise is long": lambda m: numpy.where(
        m.even() < m.rank(m.seen.premise_words), m.guess(), m.truth
    ),
    "mostly wrong on two-way families": _inverted,
}
"""Models that follow no shortcut, by what makes them err."""
