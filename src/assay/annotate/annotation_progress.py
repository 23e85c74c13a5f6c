"""Progress, agreement and disagreements of annotators, for the owner of a sample."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assay.annotate.agreement import krippendorff_alpha
from assay.annotate.answer_rows import AnswerState
from assay.annotate.answer_store import AnswerStore
from assay.annotate.gold import AnnotatedPair, Given, LabelledCases, decide_gold
from assay.annotate.layouts import AnnotationLayout, AnnotatorAnswer
from assay.annotate.sample import ADJUDICATION
from assay.core.errors import UnknownNameError
from assay.evaluate.error_categories import NO_GOLD, SortedError

BUILT = "key"  # the axis of the labels that cases were built with; no annotator can have this name
INCORRECT = "incorrect"  # the answer of somebody who finds a sentence incorrect


class AnnotatorProgress(NamedTuple):
    name: str
    done: int
    total: int
    at: str  # when they answered last; empty if they have not begun


class Agreed(NamedTuple):
    column: str
    cases: int  # cases with answers from two people or more
    unanimous: int
    alpha: float | None  # Krippendorff's alpha; None if there is nothing to agree about yet


class Matrix(NamedTuple):
    """One annotator's answers against another's."""

    column: str
    one: str  # whose answers are the rows
    other: str  # whose answers are the columns
    values: Sequence[str]
    keys: Mapping[tuple[str, str], Sequence[str]]  # the cases in each cell


class AnnotationProgress:
    """All answers to a sample, as of now."""

    def __init__(self, store: AnswerStore) -> None:
        self._store = store
        self.names = [each.name for each in store.people()]  # all annotators of the sample
        self._states = {name: store.states(store.person(name)) for name in (*self.names, ADJUDICATION)}
        self._given = {name: _given(store, states) for name, states in self._states.items()}

    def standings(self) -> list[AnnotatorProgress]:
        found = []
        for name in self.names:
            states = self._states[name].values()
            last = max((each.at for each in states), default="")
            found.append(AnnotatorProgress(name, sum(each.done for each in states), len(self._store.drawn), last))
        return found

    def decided(self) -> set[str]:
        """The cases that were decided by adjudication."""
        return {key for key, state in self._states[ADJUDICATION].items() if state.done}

    def settled(self) -> LabelledCases:
        """The gold labels so far, and the numbers of the layout's paper, as `assay annotate merge` makes them."""
        answers = {name: self._given[name] for name in self.names}
        return decide_gold(list(self._store.drawn.values()), answers, self._given[ADJUDICATION])

    def agreement(self) -> list[Agreed]:
        """Agreement on each question, over all cases with two answers or more."""
        return [self._agreed(column) for column in columns_of(self._store.layout)]

    def _agreed(self, column: str) -> Agreed:
        said = [self.axis(column, name) for name in self.names]
        counts = [Counter(each[key] for each in said if key in each) for key in self._store.drawn]
        several = [count for count in counts if count.total() > 1]
        unanimous = sum(len(count) == 1 for count in several)
        return Agreed(column, len(several), unanimous, krippendorff_alpha(several))

    def matrix(self, column: str, one: str, other: str) -> Matrix:
        """A matrix of cases by the answers of two sources, which may be people, the key or the adjudication."""
        rows, columns = self.axis(column, one), self.axis(column, other)
        keys: dict[tuple[str, str], list[str]] = {}
        for key in self._store.drawn:
            if key in rows and key in columns:
                keys.setdefault((rows[key], columns[key]), []).append(key)
        there = {value for cell in keys for value in cell}
        choices = next((each.choices for each in self._store.layout.questions if each.column == column), ())
        values = choices or ("entailment", "neutral", "contradiction", "non-entailment", INCORRECT)
        return Matrix(column, one, other, [value for value in values if value in there], keys)

    def disputed(self, column: str) -> list[str]:
        """The cases that people answer differently and that were not decided."""
        said = [self.axis(column, name) for name in self.names]
        done = self.decided()
        return [
            key for key in self._store.drawn if key not in done and len({each[key] for each in said if key in each}) > 1
        ]

    def axis(self, column: str, who: str) -> dict[str, str]:
        """The answers of a person, of the key or of the gold label, by case."""
        if who == BUILT:
            return {key: case.built_label.value for key, case in self._store.drawn.items()} if column == "label" else {}
        if who == ADJUDICATION:
            return self._gold(column)
        if who not in self._given:
            raise UnknownNameError(f"This sample has no annotator called {who!r}.")
        by_case = self._given[who]
        return {
            key: value_of(by_case[case.id], column) for key, case in self._store.drawn.items() if case.id in by_case
        }

    def _gold(self, column: str) -> dict[str, str]:
        """The majority's or the adjudicated answer, if the question determines the gold label."""
        keys = {case.id: key for key, case in self._store.drawn.items()}
        found = {}
        for each in self.settled().outcomes:
            if isinstance(each, AnnotatedPair) and column == "label" and each.gold_label != NO_GOLD:
                found[keys[each.id]] = str(each.gold_label)
            if isinstance(each, SortedError) and column == "category" and each.category != NO_GOLD:
                found[keys[each.id]] = each.category
        return found


def columns_of(layout: AnnotationLayout) -> tuple[str, ...]:
    """The columns on which people can agree: the questions, or the label that the three questions about events give."""
    if layout.name == "events":
        return ("label",)
    return tuple(each.column for each in layout.questions if not each.free)


def value_of(answer: AnnotatorAnswer, column: str) -> str:
    if column in answer.answers:
        return answer.answers[column]
    return answer.label.value if answer.label else INCORRECT


def _given(store: AnswerStore, states: Mapping[str, AnswerState]) -> Given:
    read = (store.read(key, state.said) for key, state in states.items())
    return {answer.id: answer for answer in read if answer}
