"""What annotators are asked about a case, and how their answers are read."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

import msgspec

from assay.core.errors import BadRecordError
from assay.core.label import Label, LabelReader
from assay.core.tables import guarded

LayoutName = Literal["events", "label", "check", "errors", "notes"]
"""The layouts, by name."""

YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")

Answers = Mapping[str, str]
"""What one annotator says about a case, by the question's column; unanswered questions are left out."""


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A case that was drawn for annotators, including what they must not see: a line of the key file."""

    key: str
    """The case's name in the annotators' files, which reveals nothing about it."""
    id: str
    """The case."""
    premise: str
    """The first sentence."""
    hypothesis: str
    """The second sentence."""
    label: Label
    """The label from the builder or the corpus."""
    group: dict[str, str]
    """Its slices, with the family and variant."""
    layout: LayoutName = "events"
    """What annotators are asked."""
    two_way: bool = False
    """Whether there are only two labels, entailment and non-entailment."""
    names: dict[str, str] = {}
    """The user's own names for labels, each with our name."""
    answer: Label | None = None
    """A model's wrong answer, if its errors are sorted."""


class Question(NamedTuple):
    """A column of an annotator's file."""

    column: str
    """Its name."""
    text: str
    """The question."""
    choices: Sequence[str] = ()
    """The answers to choose from; empty if the answer is a label or free text."""
    free: bool = False
    """Whether the answer is free text."""


class Layout(NamedTuple):
    """What annotators are asked, and how their answers give a label."""

    name: LayoutName
    """The name by which it is chosen."""
    paper: str
    """The paper whose human check it follows; empty if there is none."""
    about: str
    """What annotators have to do, in full sentences."""
    questions: Sequence[Question]
    """In the order of the columns."""
    may_be_open: Callable[[Answers], set[str]]
    """The questions that the answers so far make pointless."""
    label_of: Callable[[Answers, LabelReader], Label | None]
    """The label that answers give; None if they give none."""
    shows_labels: bool = False
    """Whether annotators see the right label and a model's answer, because they sort its errors."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of an annotator's file."""
        shown = ("label", "answer") if self.shows_labels else ()
        return ("id", "premise", "hypothesis", *shown, *(each.column for each in self.questions))


class Answered(NamedTuple):
    """What one annotator says about a case."""

    id: str
    """The case."""
    answers: dict[str, str]
    """By column."""
    label: Label | None
    """The label that they give; None if they give none, for example because a sentence is incorrect."""


class OpenQuestionError(BadRecordError):
    """A required question that is not answered."""


def answered(
    fields: Mapping[str, Any], drawn: Mapping[str, Drawn], layout: Layout, *, may_be_open: bool = False
) -> Answered | None:
    """The answer in a row of an annotator's file; None if nothing is answered yet, or not all if that is allowed."""
    for column in ("id", *(each.column for each in layout.questions)):
        if column not in fields:
            raise BadRecordError(f"no column {column!r}", hint=f"The columns are {', '.join(layout.columns)}.")
    case = drawn.get(str(fields["id"]))
    if case is None:
        raise BadRecordError(
            f"the id {str(fields['id'])!r} is not in the sample", hint="Use the file that was made for this sample."
        )
    for column, text in (("premise", case.premise), ("hypothesis", case.hypothesis)):
        if column in fields and _words(str(fields[column] or "")) not in (_words(text), _words(guarded(text))):
            raise BadRecordError(
                f"the {column} of {case.key!r} differs from the one that was drawn", hint="Don't change the texts."
            )
    if all(fields[each.column] in (None, "") for each in layout.questions):
        return None
    try:
        return _answered(fields, case, layout)
    except OpenQuestionError:
        if may_be_open:
            return None
        raise


def label_reader(case: Drawn) -> LabelReader:
    """Reads labels as annotators write them: with our names or the user's own."""
    return LabelReader(case.names, needed=True)


def _answered(fields: Mapping[str, Any], case: Drawn, layout: Layout) -> Answered:
    read = label_reader(case)
    found: dict[str, str] = {}
    for question in layout.questions:
        with suppress(OpenQuestionError):
            found[question.column] = _answer(fields[question.column], question, case, read)
    needed = {each.column: each for each in layout.questions if each.column not in layout.may_be_open(found)}
    for column, question in needed.items():
        if column not in found:
            raise _open(question, case)
    label = layout.label_of(found, read)
    return Answered(case.id, found, label.two_way if label and case.two_way else label)


def _answer(value: Any, question: Question, case: Drawn, read: LabelReader) -> str:
    said = "" if value is None else str(value).strip()
    if not said:
        raise _open(question, case)
    if question.free:
        return said
    if not question.choices:
        return _label(said, question, case, read)
    folded = " ".join(said.lower().replace("_", " ").split())
    if set(question.choices) == {"yes", "no"} and folded in (*YES, *NO):
        return "yes" if folded in YES else "no"
    if folded not in question.choices:
        raise BadRecordError(f"the answer to {question.column} of {case.key!r} is {said!r}", hint=_hint(question))
    return folded


def _label(said: str, question: Question, case: Drawn, read: LabelReader) -> str:
    try:
        label = read(said)
    except BadRecordError as error:
        raise BadRecordError(
            f"the answer to {question.column} of {case.key!r} is {said!r}", hint=f"Answer with a label: {question.text}"
        ) from error
    if label is None:
        raise _open(question, case)
    return (label.two_way if case.two_way else label).value


def _open(question: Question, case: Drawn) -> OpenQuestionError:
    return OpenQuestionError(f"no answer to {question.column} of {case.key!r}", hint=_hint(question))


def _hint(question: Question) -> str:
    *most, last = question.choices or ("a text" if question.free else "a label",)
    return f"Answer with {', '.join(most)}{' or ' if most else ''}{last}: {question.text}"


def _words(text: str) -> list[str]:
    """A text in the form that is compared: spreadsheets may change line breaks and spaces."""
    return text.split()
