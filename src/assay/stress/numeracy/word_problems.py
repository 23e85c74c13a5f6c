"""Premises from problems in words (AQuA-RAT): the sentences that the paper's filters leave."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from assay.core.label import Label
from assay.core.pair import Pair, Problem
from assay.language.numbers.quantities import find_numbers
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import analyse
from assay.language.text.tokens import Token, find_sentences
from assay.language.words.proper_names import find_names

WORDS = load_words(__file__)

Rationale = Literal["3-sentences", "3-lines", "5-lines"]
Questions = Literal["drop", "keep"]
Actors = Literal["people", "names"]

LONG = "problem: the rationale is too long"
QUESTION = "sentence of a problem: it asks"

PERSONS = 18
"""WordNet's file of nouns for persons."""

_OPTION = re.compile(r"\s*([A-Z])\s?\)(.*)", re.DOTALL)
_CUT = re.compile(r"\bR[se]\s?\.$|\b(?:is|are|was|were|be)\s*:?-?$")
_ASKS = re.compile(
    r"\?|\bwhat (?:is|are|was|were|will)\b"
    r"|^\W*(?:what|which|who|whom|whose|when|where|why|how|find|calculate|determine|compute|solve|evaluate|simplify"
    r"|is|are|was|were|do|does|did|can|could|will|would)\b",
    re.IGNORECASE,
)


class PremiseSplitter:
    """Turns problems into pairs, and counts what it leaves out.

    `skips` counts problems and sentences by reason. A rationale that is not there lets a problem pass, and is noted.
    """

    def __init__(
        self, rationale: Rationale = "5-lines", questions: Questions = "drop", actors: Actors = "names"
    ) -> None:
        self.rationale = rationale
        self.questions = questions
        self.actors = actors
        self.skips: Counter[str] = Counter()
        self.unchecked = 0

    def told(self) -> tuple[str, ...]:
        """Notes on what passed without having been checked."""
        note = f"{self.unchecked:,} problems have an empty rationale, whose length can't be checked, so they pass"
        return (note,) if self.unchecked else ()

    def __call__(self, problem: Problem) -> Iterator[Pair]:
        """One pair a sentence: a sentence entails itself."""
        reason = self._unfit(problem)
        if reason:
            self.skips[reason] += 1
            return
        for number, (start, end) in enumerate(find_sentences(problem.question)):
            sentence = problem.question[start:end]
            reason = self._unfit_sentence(sentence)
            if reason:
                self.skips[reason] += 1
                continue
            yield Pair(id=f"{problem.id}#{number}", premise=sentence, hypothesis=sentence, label=Label.ENTAILMENT)

    def _unfit(self, problem: Problem) -> str:
        if not has_numeric_answer(problem):
            return "problem: the answer is not a number above 1"
        if not problem.rationale.strip():
            self.unchecked += 1
            return ""
        most, _, unit = self.rationale.partition("-")
        rationale = problem.rationale
        parts = rationale.split("\n") if unit == "lines" else find_sentences(rationale.replace("\n", "\n\n"))
        return LONG if len(parts) > int(most) else ""

    def _unfit_sentence(self, sentence: str) -> str:
        if self.questions == "drop" and _ASKS.search(sentence):
            return QUESTION
        if _CUT.search(sentence):
            return "sentence of a problem: it ends with a verb or a currency sign"
        if not find_numbers(sentence):
            return "sentence of a problem: no number"
        known = has_name(sentence) or (self.actors == "people" and has_person(sentence))
        return "" if known else "sentence of a problem: no person, place or organisation"


def has_numeric_answer(problem: Problem) -> bool:
    """True if the right option is a bare number above 1.

    >>> def with_answer(option):
    ...     return Problem(id="1", question="", options=("A)1", option), rationale="", correct="B")
    >>> [has_numeric_answer(with_answer(each)) for each in ("B)5", "B ) 5.5", "B)1", "B)5 km")]
    [True, True, False, False]
    """
    for option in problem.options:
        match = _OPTION.fullmatch(option)
        if match and match[1] == problem.correct.strip():
            try:
                return float(match[2]) > 1
            except ValueError:
                return False
    return False


def has_name(sentence: str) -> bool:
    """True if a person, place or organisation is named."""
    tokens = analyse(sentence)
    return bool(find_names([Token(each.text, each.start, each.end) for each in tokens], [each.tag for each in tokens]))


def has_person(sentence: str) -> bool:
    """True if somebody is mentioned: "a boy", "the farmer", "she"."""
    return any(
        token.text.lower() in WORDS["people"] or (token.tag in ("NN", "NNS") and _is_person(token.text.lower()))
        for token in analyse(sentence)
    )


def _is_person(noun: str) -> bool:
    senses = wordnet().synsets(noun, "n")
    return bool(senses) and senses[0].file == PERSONS
