"""What annotators are asked about a pair, and what their answers mean (Glockner et al. 2018, section 3.2)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from assay.core.errors import BadRecordError
from assay.core.label import Label
from assay.core.tables import guarded

QUESTIONS = {
    "q1_same_event": "Do the two sentences describe the same event?",
    "q2_adds_information": "Does the second sentence add information to the first?",
    "q3_incorrect": "Is a sentence incorrect or ungrammatical?",
}
"""Columns, and the question of each. The second may be left open if the first is answered with no."""

COLUMNS = ("id", "premise", "hypothesis", *QUESTIONS)

YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A case that was drawn for annotators, including what they must not see."""

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


class Answered(NamedTuple):
    """What one annotator says about a case."""

    id: str
    """The case."""
    label: Label | None
    """The label; None if a sentence is incorrect."""


class OpenQuestionError(BadRecordError):
    """A required question that is not answered."""


def answered(fields: Mapping[str, Any], drawn: Mapping[str, Drawn], *, may_be_open: bool = False) -> Answered | None:
    """The answer in a row of an annotator's file; None if nothing is answered yet, or not all if that is allowed.

    >>> case = Drawn(id="7", premise="a", hypothesis="b", label=Label.NEUTRAL, group={})
    >>> answered({"id": 7, "q1_same_event": "yes", "q2_adds_information": "No", "q3_incorrect": "no"}, {"7": case})
    Answered(id='7', label=<Label.ENTAILMENT: 'entailment'>)
    """
    for column in ("id", *QUESTIONS):
        if column not in fields:
            raise BadRecordError(f"no column {column!r}", hint=f"The columns are {', '.join(COLUMNS)}.")
    name = str(fields["id"])
    case = drawn.get(name) or (drawn.get(name[1:]) if guarded(name[1:]) == name else None)
    if case is None:
        raise BadRecordError(
            f"the id {str(fields['id'])!r} is not in the sample", hint="Use the file that was made for this sample."
        )
    for column, text in (("premise", case.premise), ("hypothesis", case.hypothesis)):
        if column in fields and _words(str(fields[column] or "")) not in (_words(text), _words(guarded(text))):
            raise BadRecordError(
                f"the {column} of {case.id!r} differs from the one that was drawn", hint="Don't change the texts."
            )
    if all(fields[column] in (None, "") for column in QUESTIONS):
        return None
    try:
        return Answered(case.id, _label(fields, case.id))
    except OpenQuestionError:
        if may_be_open:
            return None
        raise


def _words(text: str) -> list[str]:
    """A text as it is compared: spreadsheets may change line breaks and blanks."""
    return text.split()


def _label(fields: Mapping[str, Any], case: str) -> Label | None:
    if _yes(fields, "q3_incorrect", case):
        return None
    if not _yes(fields, "q1_same_event", case):
        return Label.CONTRADICTION
    return Label.NEUTRAL if _yes(fields, "q2_adds_information", case) else Label.ENTAILMENT


def _yes(fields: Mapping[str, Any], column: str, case: str) -> bool:
    value = fields[column]
    said = "" if value is None else str(value).strip().lower()
    if said in YES or said in NO:
        return said in YES
    hint = f"Answer with yes or no: {QUESTIONS[column]}"
    if not said:
        raise OpenQuestionError(f"no answer to {column} of {case!r}", hint=hint)
    raise BadRecordError(f"the answer to {column} of {case!r} is {said!r}", hint=hint)
