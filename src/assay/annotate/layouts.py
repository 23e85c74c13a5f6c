"""The layouts: Glockner's three questions, labels, claims, Naik's check and categories of errors, notes, your own."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from assay.core.dataframes import guard_formula
from assay.core.errors import BadRecordError, UserError
from assay.core.label import Label, LabelReader
from assay.core.label_space import THREE_LABELS, LabelledRecord, LabelNames, LabelOptions
from assay.core.option_fields import SET, OptionInfo
from assay.evaluate.error_categories import CATEGORIES

LayoutName = Literal["events", "label", "claims", "check", "errors", "notes", "own"]

SheetStorage = Literal["csv", "jsonl"]

YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")

Answers = Mapping[str, str]
"""One annotator's answers to a case, by the question's column; unanswered questions are left out."""


class SampleOptions(LabelOptions, frozen=True, kw_only=True):
    size: Annotated[int, OptionInfo("How many cases to draw.", at_least=1)] = 100
    annotators: Annotated[
        tuple[str, ...], OptionInfo("Name of an annotator; may be repeated.", "--annotator", many=True)
    ] = ("a", "b", "c")
    by: Annotated[
        tuple[str, ...],
        OptionInfo(
            "Spread the sample evenly over this: family, variant, label, or a group such as category; may be repeated.",
            many=True,
        ),
    ] = ("family", "label")
    layout: Annotated[LayoutName, OptionInfo("What people are asked.")] = "events"
    question: Annotated[str, OptionInfo("own: the question that people answer.", SET)] = (
        "Which category fits this pair?"
    )
    choices: Annotated[tuple[str, ...], OptionInfo("own: the answers to choose from, joined by `+`.", SET)] = ()
    storage: Annotated[SheetStorage, OptionInfo("Format of the annotators' files.")] = "csv"
    seed: Annotated[int, OptionInfo("Seed for everything random.")] = 0

    def own_question(self) -> "AnnotationQuestion":
        """The question of the layout `own`; an error if there is nothing to choose from."""
        choices = tuple(dict.fromkeys(filter(None, map(_fold, self.choices))))
        if len(choices) < 2:
            raise UserError(
                "A question of your own needs two answers or more.\n"
                "  Name them: --set choices='supported+partly supported+not supported'"
            )
        return AnnotationQuestion(column="category", text=self.question.strip(), choices=choices)


class SampledCase(LabelledRecord, frozen=True, kw_only=True):
    """A sampled case with the fields that annotators must not see, as a line of the key file."""

    key: str  # the case's name in the annotators' files, which reveals nothing about it
    id: str
    premise: str
    hypothesis: str
    label: Label  # the label from the builder or the corpus
    group: dict[str, str]  # its slices, with the family and variant
    layout: LayoutName = "events"
    answer: Label | None = None  # a model's wrong answer, if its errors are sorted
    own: "AnnotationQuestion | msgspec.UnsetType" = msgspec.UNSET  # the question of the layout `own`

    @property
    def asked(self) -> "AnnotationLayout":
        """The layout, with the owner's own question if it has one."""
        layout = LAYOUTS[self.layout]
        return msgspec.structs.replace(layout, questions=(self.own,)) if self.own else layout

    @property
    def built_label(self) -> Label:
        """The label from the builder or the corpus; one of two if the set has two."""
        return self.label_space.read(self.label)


class AnnotationQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A column of an annotator's file."""

    column: str
    text: str
    choices: tuple[str, ...] = ()  # the answers to choose from; empty if the answer is a label or free text
    free: bool = False


class AnnotationLayout(msgspec.Struct, frozen=True, kw_only=True):
    """The questions to annotators, and the rule that turns answers into a label."""

    name: LayoutName
    paper: str = ""  # the paper whose human check it follows; empty if there is none
    asks: str  # what people give, in a few words
    about: str  # the annotators' task, in full sentences
    questions: tuple[AnnotationQuestion, ...]
    meanings: dict[Label, str]
    texts: tuple[str, str] = ("First sentence", "Second sentence")  # headings of premise and hypothesis

    @property
    def shows_labels(self) -> bool:
        """True if annotators see the right label and a model's answer, because they sort its errors."""
        return self.name == "errors"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of an annotator's file."""
        shown = ("label", "answer") if self.shows_labels else ()
        return ("id", "premise", "hypothesis", *shown, *(each.column for each in self.questions))

    def may_be_open(self, answers: Answers) -> set[str]:
        """The questions that need no answer, given the answers so far."""
        if answers.get("q3_incorrect") == "yes":
            return {"q1_same_event", "q2_adds_information"}
        return {"q2_adds_information"} if answers.get("q1_same_event") == "no" else set()

    def label_of(self, answers: Answers, read: LabelReader) -> Label | None:
        """The label that answers give; None if they give none."""
        if self.name != "events":
            return read(answers["label"]) if "label" in answers else None
        if answers["q3_incorrect"] == "yes":
            return None
        if answers["q1_same_event"] == "no":
            return Label.CONTRADICTION
        return Label.NEUTRAL if answers["q2_adds_information"] == "yes" else Label.ENTAILMENT


def _read_layouts() -> Iterator[AnnotationLayout]:
    stored = tomllib.loads((files("assay.annotate") / "layouts.toml").read_text("utf-8"))
    stored["layouts"]["errors"]["questions"][0]["choices"] = list(CATEGORIES)
    for name, layout in stored["layouts"].items():
        yield msgspec.convert({"name": name, "meanings": stored["meanings"], **layout}, AnnotationLayout)


LAYOUTS: Mapping[LayoutName, AnnotationLayout] = MappingProxyType({each.name: each for each in _read_layouts()})

CLAIM_LABELS = MappingProxyType({"supported": "entailment", "not supported": "non-entailment"})
"""Names of labels in the layout of claims, unless the user has others."""


class AnnotatorAnswer(NamedTuple):
    id: str
    answers: dict[str, str]
    label: Label | None  # the label that they give; None if they give none, for example because a sentence is incorrect


class OpenQuestionError(BadRecordError):
    """A required question that is not answered."""


def read_answer(
    fields: Mapping[str, Any], drawn: Mapping[str, SampledCase], layout: AnnotationLayout, *, may_be_open: bool = False
) -> AnnotatorAnswer | None:
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
        if column in fields and _words(str(fields[column] or "")) not in (_words(text), _words(guard_formula(text))):
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


def _answered(fields: Mapping[str, Any], case: SampledCase, layout: AnnotationLayout) -> AnnotatorAnswer:
    read = LabelReader(case.names, needed=True)  # our names of labels, or the user's own
    found: dict[str, str] = {}
    for question in layout.questions:
        with suppress(OpenQuestionError):
            found[question.column] = _answer(fields[question.column], question, case, read)
    needed = {each.column: each for each in layout.questions if each.column not in layout.may_be_open(found)}
    for column, question in needed.items():
        if column not in found:
            raise _open(question, case)
    label = layout.label_of(found, read)
    return AnnotatorAnswer(case.id, found, case.label_space.read(label) if label else None)


def _answer(value: Any, question: AnnotationQuestion, case: SampledCase, read: LabelReader) -> str:
    said = "" if value is None else str(value).strip()
    if not said:
        raise _open(question, case)
    if question.free:
        return said
    if not question.choices:
        return _label(said, question, case, read)
    folded = _fold(said)
    if set(question.choices) == {"yes", "no"} and folded in (*YES, *NO):
        return "yes" if folded in YES else "no"
    if folded not in question.choices:
        raise BadRecordError(f"the answer to {question.column} of {case.key!r} is {said!r}", hint=_hint(question))
    return folded


def _fold(said: str) -> str:
    return " ".join(said.lower().replace("_", " ").split())


def _label(said: str, question: AnnotationQuestion, case: SampledCase, read: LabelReader) -> str:
    try:
        label = read(said)
    except BadRecordError as error:
        raise BadRecordError(
            f"the answer to {question.column} of {case.key!r} is {said!r}", hint=f"Answer with a label: {question.text}"
        ) from error
    if label is None:
        raise _open(question, case)
    return case.label_space.read(label).value


def _open(question: AnnotationQuestion, case: SampledCase) -> OpenQuestionError:
    return OpenQuestionError(f"no answer to {question.column} of {case.key!r}", hint=_hint(question))


def _hint(question: AnnotationQuestion) -> str:
    *most, last = question.choices or ("a text" if question.free else "a label",)
    return f"Answer with {', '.join(most)}{' or ' if most else ''}{last}: {question.text}"


def _words(text: str) -> list[str]:
    """The words of a text, without line breaks and spaces, which spreadsheets may change."""
    return text.split()


def labels_asked(drawn: Iterable[SampledCase]) -> tuple[Label, ...]:
    """The labels to choose from; there are two if no case has three."""
    return THREE_LABELS.resize(all(each.label_space.is_binary for each in drawn)).labels


def instructions(layout: AnnotationLayout, drawn: Sequence[SampledCase]) -> str:
    """The text that an annotator reads before the first case."""
    names = LabelNames(drawn[0].names)
    lines = ["# Instructions", "", layout.about, ""]
    for question in layout.questions:
        if question.choices == tuple(CATEGORIES):
            lines += [f"- `{question.column}`: {question.text}"]
            lines += [f"  - `{name}`: {meaning}" for name, meaning in CATEGORIES.items()]
        elif question.free:
            lines.append(f"- `{question.column}`: {question.text}")
        elif question.choices:
            lines.append(f"- `{question.column}`: {question.text} Write {' or '.join(question.choices)}.")
        else:
            lines.append(f"- `{question.column}`: {question.text} Write one of these:")
            lines += [f"  - `{names(label)}`: {layout.meanings[label]}" for label in labels_asked(drawn)]
    lines += ["", "Don't change the ids or the sentences. Work alone, and don't look at other people's files.", ""]
    return "\n".join(lines)
