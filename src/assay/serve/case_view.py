"""A case as a page shows it: texts with the edit in them, and what each model said."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from assay.core.case import Case, Prediction
from assay.core.label import Label
from assay.core.pair import is_score
from assay.reports.formatting import MarkedTexts, marked_case
from assay.reports.page.html_page import UNSHOWN
from assay.reports.phrases import label_words
from assay.reports.view import ReportView, view_of
from assay.run.case_index.case_index import CaseIndex, IndexedCase
from assay.run.measure import proof_of

LONGEST = 4_000
"""Largest number of characters of a piece of text that are shown."""


class ShownProbability(NamedTuple):
    """A probability."""

    label: str
    value: float


class ShownAnswer(NamedTuple):
    """A model's answer."""

    model: str
    name: str
    """Its name for people."""
    answer: str
    sure: float | None
    """The probability of it."""
    failed: bool
    """True if that is not what the case expects."""
    held: bool
    """True if the model was right on the source pair."""
    shares: Sequence[ShownProbability]
    """All probabilities; empty if the model gives none."""
    note: str
    """Why it is a fallback."""


class ShownCase(NamedTuple):
    """A case on a page."""

    number: int
    """Its row in the index."""
    suite: str
    case: Case
    """The case itself."""
    texts: MarkedTexts
    """Its texts with the edit in them."""
    label: str
    """The label that answers are compared with, as it is shown."""
    groups: Sequence[tuple[str, str]]
    """Its groups, without those that only repeat the texts."""
    said: Sequence[ShownAnswer]
    """Every model's answer."""
    source: int | None
    """The row of its source pair."""
    why: str
    """Why the label is right."""

    def by(self, model: str) -> ShownAnswer | None:
        """The answer of one model."""
        return next((each for each in self.said if each.model == model), None)


def view_of_index(index: CaseIndex) -> ReportView:
    """The names of models and labels of an index; those of another run beside it come last."""
    view = view_of([index.record])
    return replace(view, models={**view.models, **index.models})


def shown_case(row: IndexedCase, view: ReportView) -> ShownCase:
    """A row of an index, for a page."""
    case = row.case
    return ShownCase(
        number=row.number,
        suite=row.suite,
        case=case,
        texts=marked_case(case, longest=LONGEST),
        label=view.label(case.compared_with.value, suite=row.suite),
        groups=[(name, value) for name, value in case.group.items() if name not in UNSHOWN and not is_score(value)],
        said=[_said(row, view, model, answer) for model, answer in row.answers.items()],
        source=row.source,
        why=label_words(case, proof_of(case)),
    )


def _said(row: IndexedCase, view: ReportView, model: str, answer: Prediction) -> ShownAnswer:
    shares = answer.probabilities or {}
    label = view.read(answer.label, row.suite)
    sure = shares.get(label)
    if sure is None and shares and label is Label.NON_ENTAILMENT:
        sure = sum(value for each, value in shares.items() if each is not Label.ENTAILMENT)
    return ShownAnswer(
        model=model,
        name=view.name(model),
        answer=view.label(answer.label.value, suite=row.suite),
        sure=sure,
        failed=row.failed[model],
        held=row.held[model],
        shares=[ShownProbability(view.label(each.value), shares[each]) for each in Label if each in shares],
        note=answer.note,
    )
