"""Models whose reasons are known: honest ones, and one that follows each shortcut."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple
from zlib import crc32

from assay.core.case import Case, Prediction
from assay.core.label import Label
from assay.core.rng import rng_for
from assay.language.fragment.syntactic_heuristics import is_subsequence
from assay.language.text.tokens import folded_words
from assay.models.baselines.shortcut_baselines import is_constituent
from assay.run.diagnose_run import changed_words

E, N, C, OTHER = Label
THREE = (E, N, C)

NEGATION = re.compile(r"\b(not|no|never|nobody|nothing|none|neither|nor|without|cannot|nowhere)\b|n't\b")

QUALITIES = frozenset("old new last half only water red blue green yellow black white brown grey".split())  # noqa: SIM905
"""Frequent words of the bundled corpus, which has few colours."""

PERSONS = frozenset("he she her his i my we you its".split())  # noqa: SIM905

NUMBER = re.compile(
    r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|hundred)\b", re.I
)

Answer = Callable[[Case], Label]


class Rule(NamedTuple):
    """A model that gives the answer of a rule; the rule knows everything about the case, even its label."""

    answer: Answer

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case."""
        return [Prediction(id=case.id, label=self.answer(case)) for case in cases]


def truth(case: Case) -> Label:
    """The right answer, as one of three labels; swapped entailment is neutral."""
    if case.expects == "drop" or case.compared_with is OTHER:
        return N
    return case.compared_with


def chance(case: Case, key: str) -> float:
    """A number from 0 to 1 that only depends on the case."""
    return rng_for(0, transform=key, pair=case.id).random()


def mixed(share: float, rule: Answer, otherwise: Answer = truth) -> Answer:
    """The rule for a share of the cases, and something else for the rest."""
    return lambda case: rule(case) if chance(case, "mixed") < share else otherwise(case)


def guessed(case: Case) -> Label:
    """Any of three labels, by chance."""
    return THREE[int(3 * chance(case, "guessed"))]


def unsure(case: Case) -> Label:
    """Honest but weak: often neutral where it is not, and entailment or contradiction where it is neutral."""
    drawn, right = chance(case, "unsure"), truth(case)
    if right is N:
        return E if drawn < 0.2 else C if drawn > 0.8 else N
    return N if drawn < 0.3 else right


def words_shared(case: Case) -> Label:
    """Entailment if every word of the hypothesis is in the premise; else the truth."""
    return E if {*folded_words(case.hypothesis)} <= {*folded_words(case.premise)} else truth(case)


def in_one_piece(case: Case) -> Label:
    """Entailment if the premise contains the hypothesis; else the truth."""
    return E if is_subsequence(case.hypothesis, case.premise) else truth(case)


def phrase(case: Case) -> Label:
    """Entailment if the hypothesis is a phrase of the premise; else the truth."""
    return E if is_constituent(case.hypothesis, case.premise) else truth(case)


def negated(case: Case) -> bool:
    """Whether the hypothesis has a negation word."""
    return bool(NEGATION.search(case.hypothesis.lower()))


def negation(case: Case) -> Label:
    """Contradiction if there is a negation word; else the truth."""
    return C if negated(case) else truth(case)


def not_entailed(case: Case) -> Label:
    """Anything but entailment if there is a negation word; else the truth."""
    return N if negated(case) and truth(case) is E else truth(case)


def first_words(case: Case) -> Label:
    """Judged by common words of the hypothesis, which have nothing to do with the label."""
    words = {*folded_words(case.hypothesis)}
    return E if words & {"is", "are"} else C if words & {"was", "were", "had"} else N


def length(case: Case) -> Label:
    """Short hypotheses are entailed, long ones are not."""
    return E if len(folded_words(case.hypothesis)) <= 9 else N


def two_rules(case: Case) -> Label:
    """Entailment if every word is shared; contradiction if there is a negation word; else the truth."""
    return E if words_shared(case) is E else negation(case)


def either_side(case: Case) -> Label:
    """The truth, but swapped sides make no difference."""
    return E if case.expects == "drop" else truth(case)


def share_of_words(case: Case) -> float:
    """The share of the hypothesis's words that are in the premise."""
    words = {*folded_words(case.hypothesis)}
    return len(words & {*folded_words(case.premise)}) / max(len(words), 1)


def share_of_all(case: Case) -> float:
    """The share of all words that are in both texts."""
    one, other = {*folded_words(case.premise)}, {*folded_words(case.hypothesis)}
    return len(one & other) / max(len(one | other), 1)


def any_label(text: str) -> Label:
    """One of three labels, which only depends on the text."""
    return THREE[crc32(text.encode()) % 3]


def has(text: str, words: Collection[str]) -> bool:
    """Whether a text has one of these words."""
    return any(word in words for word in folded_words(text))


def word_at(text: str, place: int) -> str:
    """The first or the last word."""
    return next(iter(folded_words(text)[place:][:1]), "")


def by_colour_or_length(case: Case) -> Label:
    """Contradiction if the hypothesis has a colour or the like; else by its length."""
    return C if has(case.hypothesis, QUALITIES) else E if len(folded_words(case.hypothesis)) <= 7 else N


def by_changed_words(case: Case) -> Label:
    """Decided by the two changed words, if the texts are otherwise equal; else the truth."""
    found = changed_words(folded_words(case.premise), folded_words(case.hypothesis))
    return any_label(str(found)) if found else truth(case)


def same_last_word(case: Case) -> Label:
    """Entailment if both texts end in the same word; else neutral."""
    return E if word_at(case.premise, -1) == word_at(case.hypothesis, -1) else N


def by_form(text: str) -> Label:
    """Judged by the form of "to be" in one text."""
    return E if has(text, {"is", "are"}) else C if has(text, {"was", "were", "had"}) else N


HONEST: dict[str, Answer] = {
    "oracle": truth,
    "noisy": mixed(0.4, guessed),
    "very-noisy": mixed(0.8, guessed),
    "guesser": guessed,
    "unsure": unsure,
}
"""Models without a shortcut, right or not."""

SHORTCUTS: dict[str, tuple[Answer, str]] = {
    "always": (lambda _: C, "constant"),
    "shares-words": (words_shared, "overlap"),
    "finds-pieces": (in_one_piece, "subsequence"),
    "finds-phrases": (phrase, "constituent"),
    "negation": (negation, "negation"),
    "not-entailed": (not_entailed, "negation"),
    "first-words": (first_words, "hypothesis"),
    "length": (length, "length"),
    "either-side": (either_side, "order"),
    "prefers-neutral": (mixed(0.5, lambda _: N), "prior"),
}
"""Models by the shortcut that they follow."""

FOOLING: dict[str, tuple[Answer, Collection[str]]] = {
    "parity": (lambda case: E if len(folded_words(case.premise)) % 2 else C, {"length"}),
    "firstword": (lambda case: any_label(word_at(case.hypothesis, 0)), {"first-word"}),
    "lasthypothesis": (lambda case: any_label(word_at(case.hypothesis, -1)), {"last-word"}),
    "colour": (by_colour_or_length, {"hypothesis", "length"}),
    "hcolour": (lambda case: C if has(case.hypothesis, QUALITIES) else E, {"hypothesis"}),
    "premisecolour": (lambda case: C if has(case.premise, QUALITIES) else E, {"premise"}),
    "pfirst": (lambda case: any_label(word_at(case.premise, 0)), {"premise"}),
    "pman": (lambda case: E if has(case.premise, PERSONS) else N, {"premise"}),
    "comma": (lambda case: E if "," in case.premise else N, {"premise"}),
    "reverse": (lambda case: C if share_of_words(case) < 0.5 else E, {"few-shared", "overlap"}),
    "reverse-else-truth": (lambda case: C if share_of_words(case) < 0.5 else truth(case), {"few-shared"}),
    "jacc-reverse": (lambda case: C if share_of_all(case) >= 0.3 else N, {"overlap"}),
    "lastword": (same_last_word, {"last-word"}),
    "mostly-shared": (lambda case: E if share_of_words(case) >= 0.6 else N, {"overlap"}),
    "hypothesis-only": (lambda case: by_form(case.hypothesis), {"hypothesis"}),
    "premise-only": (lambda case: by_form(case.premise), {"premise"}),
    "number": (lambda case: C if NUMBER.search(case.hypothesis) else truth(case), {"number"}),
    "word-pair": (by_changed_words, {"word-pair"}),
}
"""More models by the shortcuts that describe them; each fooled an earlier diagnosis or resembles one that did."""

BASELINES = {
    "assay:majority": "constant",
    "assay:overlap": "overlap",
    "assay:subsequence": "subsequence",
    "assay:constituent": "constituent",
    "assay:hypothesis-words": "hypothesis",
}
"""Baselines of Assay by the shortcut that they follow."""
