"""Quantifiers in real sentences: the determiner of the subject is replaced."""

from functools import cache
from typing import ClassVar

from assay.core.edit import Replacement, Skip
from assay.language.polarity.phrase_bounds import Sentence, sentence_of
from assay.language.resources.data import load_words
from assay.language.text.analysis import analyse
from assay.language.words.inflection import capitals_of
from assay.stress.logic.from_corpus.corpus_family import (
    CorpusForm,
    CorpusLogic,
    OfferedCase,
    SentenceChange,
    load_weights,
)
from assay.stress.logic.natural_logic import quantity_label
from assay.stress.logic.operators import NUMBERS

WORDS = load_words(__file__)

OLD = WORDS["parts"] | {*NUMBERS[2:]}
"""Determiners that are replaced, at the beginning of a text."""


class QuantifiersFromCorpus(CorpusLogic, frozen=True, kw_only=True):
    """Replaces the determiner of a real sentence's subject with another.

    Parts (all, most, few) are not compared with numbers: whether all doctors are more than three depends on how many
    there are, which logic does not know but readers do. `QuantifiersFromCorpus()(pair, rng)` for the premise "Two men
    are singing." may make "No men are singing." its hypothesis, which contradicts it.
    """

    family: ClassVar[str] = "quantifiers"
    nothing: ClassVar[Skip] = Skip("no sentence that begins with a determiner and a plural")

    def offers(self, text: str) -> list[OfferedCase] | Skip:
        """All pairs of determiners that can begin a text."""
        tokens = analyse(text)
        if not tokens or tokens[-1].sentence > 0 or not is_counted(sentence_of(tokens)):
            return self.nothing
        old = tokens[0].text
        number = NUMBERS.index(old.lower()) if old.lower() in NUMBERS else 0
        tables = [("parts", 0), *([("numbers", number)] if 1 < number < len(NUMBERS) - 1 else [])]
        return [_make_offer(old, *each) for each in tables]


def _make_offer(old: str, table: str, number: int) -> OfferedCase:
    forms = determiner_forms(table, number)
    names = dict.fromkeys(name for form in forms for name in (form.premise, form.hypothesis))
    texts = {name: () if name == old.lower() else (Replacement(0, old, capitals_of(old, name)),) for name in names}
    return OfferedCase(SentenceChange("determiner", (), 0), texts, forms)


@cache
def determiner_forms(table: str, number: int) -> tuple[CorpusForm, ...]:
    """The pairs of determiners in a table that have a label, for a number N and the next one, M."""
    words = {"N": NUMBERS[number], "M": NUMBERS[number + 1]}
    forms = []
    for premise, hypotheses in load_weights()[table].items():
        for hypothesis, weight in hypotheses.items():
            one, other = ([words.get(word, word) for word in each.split()] for each in (premise, hypothesis))
            if label := quantity_label(one, other):
                forms.append(CorpusForm(" ".join(one), " ".join(other), label, weight))
    return tuple(forms)


def is_counted(sentence: Sentence) -> bool:
    """True if a sentence begins with a determiner and a plural, and no other operator changes its meaning."""
    low, tags = sentence.low, sentence.tags
    if (
        len(low) < 4
        or low[0] not in OLD
        or tags[1] in ("CD", "DT", "PRP$")
        or WORDS["unsettling"].intersection(low[1:])
        or WORDS["larger"].intersection(low[1:3])
        or "MD" in tags
    ):
        return False
    end = sentence.phrase_end(1)
    if end < 2 or tags[end - 1] != "NNS" or low[-1] == "?":
        return False
    return sentence.main_verb(end) == end and low[end] not in WORDS["singular"] and tags[end] != "VBZ"
