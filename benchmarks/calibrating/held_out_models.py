"""Models of kinds that the diagnosis was not tuned on: honest ones, and ones that follow a known shortcut."""

from collections.abc import Callable, Collection, Mapping
from itertools import pairwise
from zlib import crc32

import numpy
from tests.evaluate.honest_models import Errors, Honest
from tests.run.diagnosed_models import (
    NUMBER,
    C,
    E,
    N,
    by_changed_words,
    either_side,
    guessed,
    in_one_piece,
    mixed,
    negated,
    negation,
    phrase,
    share_of_all,
    truth,
    word_at,
    words_shared,
)

from assay.core.case import Case
from assay.core.label import Label
from assay.evaluate.case_columns import Floats, Ints
from assay.evaluate.diagnose.shortcut_rules import CONTRADICTION, ENTAILMENT, NEUTRAL
from assay.language.text.tokens import folded_words

Answer = Callable[[Case], Label]

SCALE = numpy.array([1.0, 0.0, -1.0])
"""Entailment, neutral and contradiction on a scale, from which answers are read by two thresholds."""


def _ordinal(m: Honest, spread: float, threshold: float = 0.5) -> Ints:
    """Judges how far a hypothesis is supported, with noise: errors are mostly to the neighbouring label."""
    place = SCALE[m.truth] + m.rng.normal(0, spread, m.n)
    found = numpy.where(place > threshold, ENTAILMENT, numpy.where(place < -threshold, CONTRADICTION, NEUTRAL))
    return numpy.asarray(found)


def _by_difficulty(m: Honest) -> Ints:
    """Premise and case decide how hard a case is; hard ones are answered with a neighbouring label."""
    hard = 0.7 * m.rng.normal(size=int(m.cluster.max()) + 1)[m.cluster] + 0.7 * m.rng.normal(size=m.n)
    place = SCALE[m.truth] + 0.4 * numpy.exp(hard) * m.rng.choice([-1, 1], m.n)
    return numpy.where(place > 0.5, ENTAILMENT, numpy.where(place < -0.5, CONTRADICTION, NEUTRAL))


def _voters(m: Honest) -> Ints:
    """The majority of three who are each wrong on 35%; where they all differ, any of them."""
    first, second, third = (m.err(0.35) for _ in range(3))
    return numpy.where(second == third, second, first)


def _confused(m: Honest, *, by_family: bool) -> Ints:
    """Labels are confused with each other, more or less often, whatever the texts."""
    often = m.rng.dirichlet((1.0, 1.0), (m.families if by_family else 1, 3)) * 0.4  # (families, labels, others)
    family = m.family if by_family else numpy.zeros(m.n, dtype=numpy.int64)
    drawn, (one, two) = m.even(), often[family, m.truth].T
    step = numpy.where(drawn < one, 1, numpy.where(drawn < one + two, 2, 0))
    found = (m.truth + step) % 3
    return numpy.where(m.two_way & (m.truth != ENTAILMENT) & (step > 0), ENTAILMENT, found)


def _by_premise(m: Honest) -> Floats:
    """A number from 0 to 1 for each premise."""
    number = m.seen.premise_number
    return m.rng.random(int(number.max()) + 1)[number]


def _remembers(m: Honest) -> Ints:
    """Knows seven of ten premises, and guesses elsewhere."""
    return numpy.where(_by_premise(m) < 0.7, m.truth, m.guess())


def _one_family(m: Honest) -> Ints:
    """Guesses in one family, and is wrong on 15% elsewhere."""
    return numpy.where(m.family == m.rng.integers(m.families), m.guess(), m.err(0.15))


def _hard_in_the_middle(amount: Floats) -> Floats:
    return 0.1 + 0.5 * (1 - numpy.abs(2 * amount - 1))


def _gives_up(m: Honest) -> Ints:
    """Answers neutral to three of ten premises, and to a tenth of the other cases."""
    return numpy.where((_by_premise(m) < 0.3) | (m.even() < 0.1), NEUTRAL, m.truth)


def _longer_than_premise(m: Honest) -> Ints:
    return m.err(numpy.where(m.seen.hypothesis_words >= m.seen.premise_words, 0.5, 0.15))


HELD_OUT_HONEST: Mapping[str, Errors] = {
    "reads a scale with noise": lambda m: _ordinal(m, 0.5),
    "reads a scale with much noise": lambda m: _ordinal(m, 1.0),
    "reads a scale, prefers neutral": lambda m: _ordinal(m, 0.6, 0.8),
    "hard premises, neighbouring labels": _by_difficulty,
    "majority of three noisy readers": _voters,
    "confuses labels at random": lambda m: _confused(m, by_family=False),
    "confuses labels in each family in another way": lambda m: _confused(m, by_family=True),
    "knows seven of ten premises": _remembers,
    "guesses in one family": _one_family,
    "harder with a middling share of words": lambda m: m.err(_hard_in_the_middle(m.seen.overlap)),
    "harder with a middling hypothesis": lambda m: m.err(_hard_in_the_middle(m.rank(m.seen.hypothesis_words))),
    "gives up on three of ten premises": _gives_up,
    "harder if the hypothesis is longer": _longer_than_premise,
    "guesses if a word is rare": lambda m: numpy.where(m.even() < m.rank(m.seen.rarity), m.guess(), m.truth),
    "guesses with a negation word": lambda m: numpy.where(m.seen.negated, m.guess(), m.err(0.15)),
    "wrong on half of the typos": lambda m: m.err(numpy.where(m.seen.has_typo, 0.5, 0.15)),
}


def _bigrams(text: str) -> set[tuple[str, str]]:
    words = folded_words(text)
    return {*pairwise(words)}


def _shares_bigrams(case: Case) -> Label:
    own = _bigrams(case.hypothesis)
    return E if len(own & _bigrams(case.premise)) >= 0.5 * max(len(own), 1) else N


def _shares_long_words(case: Case) -> Label:
    long = {word for word in folded_words(case.hypothesis) if len(word) > 3}
    return E if long <= {*folded_words(case.premise)} else truth(case)


def _by_weights(text: str) -> Label:
    """Each word has a weight of its own; the sum decides."""
    total = sum(crc32(f"weight {word}".encode()) % 2001 - 1000 for word in {*folded_words(text)})
    return E if total > 600 else C if total < -600 else N


def _relative_length(case: Case) -> Label:
    return E if len(folded_words(case.hypothesis)) < 0.6 * len(folded_words(case.premise)) else C


def _noisy(share: float, rule: Answer) -> Answer:
    return mixed(share, rule, guessed)


HELD_OUT_PLANTED: Mapping[str, tuple[Answer, Collection[str]]] = {
    "half of the word pairs shared": (_shares_bigrams, {"overlap", "subsequence"}),
    "long words shared": (_shares_long_words, {"overlap"}),
    "all words shared, seven of ten": (mixed(0.7, words_shared), {"overlap"}),
    "all words shared, guesses a fifth": (_noisy(0.8, words_shared), {"overlap"}),
    "negation word, seven of ten": (mixed(0.7, negation), {"negation"}),
    "negation word means neutral": (lambda case: N if negated(case) else truth(case), {"negation"}),
    "piece of the premise, eight of ten": (mixed(0.8, in_one_piece), {"subsequence"}),
    "phrase of the premise, eight of ten": (mixed(0.8, phrase), {"constituent"}),
    "weights of the hypothesis": (lambda case: _by_weights(case.hypothesis), {"hypothesis"}),
    "weights of the premise": (lambda case: _by_weights(case.premise), {"premise"}),
    "length against the premise": (_relative_length, {"length"}),
    "long hypothesis is neutral": (
        lambda case: N if len(folded_words(case.hypothesis)) > 12 else truth(case),
        {"length"},
    ),
    "number is neutral": (lambda case: N if NUMBER.search(case.hypothesis) else truth(case), {"number"}),
    "same last word, else the truth": (
        lambda case: E if word_at(case.premise, -1) == word_at(case.hypothesis, -1) else truth(case),
        {"last-word"},
    ),
    "few shared of all words": (lambda case: N if share_of_all(case) < 0.2 else truth(case), {"few-shared"}),
    "article first": (
        lambda case: C if word_at(case.hypothesis, 0) in {"the", "a", "an"} else truth(case),
        {"first-word", "hypothesis"},
    ),
    "changed words, eight of ten": (mixed(0.8, by_changed_words), {"word-pair"}),
    "either side, eight of ten": (mixed(0.8, either_side), {"order"}),
}
