"""The layouts: Glockner's three questions, McCoy's label, Naik's check and categories of errors, and free notes."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from assay.bench.annotation.questions import Answers, Drawn, Layout, LayoutName, Question
from assay.core.label import THREE_WAY, Label, LabelNames, LabelReader

YES_NO = ("yes", "no")

LABEL = Question("label", "What does the first sentence say about the second?")

CATEGORIES: Mapping[str, str] = MappingProxyType(
    {
        "word overlap": "The sentences share many words and were taken for entailment, or share few and were not.",
        "negation": "A strong negation word such as no or not was taken for a contradiction.",
        "antonymy": "One sentence has a word, the other its opposite, and the contradiction was missed.",
        "numerical reasoning": "The answer needs reasoning about numbers or quantifiers.",
        "length mismatch": "The first sentence is much longer, and its irrelevant parts may have distracted the model.",
        "grammaticality": "A sentence is ill-formed: a spelling error, or a verb that does not agree.",
        "real-world knowledge": "The answer needs knowledge of the world that is not in the sentences.",
        "ambiguity": "The right answer is unclear to people too.",
        "unknown": "No source of the error is apparent.",
    }
)
"""The sources of errors in Naik et al. (2018), section 2, in the paper's order, explained in our words."""


MEANINGS: Mapping[Label, str] = MappingProxyType(
    {
        Label.ENTAILMENT: "the second sentence must be true",
        Label.NEUTRAL: "the second sentence may be true or false",
        Label.CONTRADICTION: "the second sentence can't be true",
        Label.NON_ENTAILMENT: "the second sentence may or must be false",
    }
)
"""What labels mean to an annotator."""


def _of_events(answers: Answers, _read: LabelReader) -> Label | None:
    if answers["q3_incorrect"] == "yes":
        return None
    if answers["q1_same_event"] == "no":
        return Label.CONTRADICTION
    return Label.NEUTRAL if answers["q2_adds_information"] == "yes" else Label.ENTAILMENT


def _open_events(answers: Answers) -> set[str]:
    if answers.get("q3_incorrect") == "yes":
        return {"q1_same_event", "q2_adds_information"}
    return {"q2_adds_information"} if answers.get("q1_same_event") == "no" else set()


def _given_label(answers: Answers, read: LabelReader) -> Label | None:
    return read(answers["label"])


def _no_label(_answers: Answers, _read: LabelReader) -> Label | None:
    return None


def _none_open(_answers: Answers) -> set[str]:
    return set()


EVENTS = Layout(
    name="events",
    paper="Glockner et al. (2018), section 3.2",
    about="Assume that the two sentences describe the same event, and answer three questions about each pair. If your "
    "first answer is no, you can leave the second question open. If your third answer is yes, you can leave the first "
    "two open.",
    questions=(
        Question("q1_same_event", "Do the two sentences describe the same event?", YES_NO),
        Question("q2_adds_information", "Does the second sentence add information to the first?", YES_NO),
        Question("q3_incorrect", "Is a sentence incorrect or ungrammatical?", YES_NO),
    ),
    may_be_open=_open_events,
    label_of=_of_events,
)

DIRECT = Layout(
    name="label",
    paper="McCoy et al. (2019), section 6",
    about="Assume that the first sentence is true, and give each pair one label.",
    questions=(LABEL,),
    may_be_open=_none_open,
    label_of=_given_label,
)

CHECK = Layout(
    name="check",
    paper="Naik et al. (2018), section 3",
    about="Assume that the first sentence is true, and give each pair one label. Then say whether both sentences are "
    "grammatical, and whether the pair is easy for a person.",
    questions=(
        LABEL,
        Question("grammatical", "Are both sentences grammatical?", YES_NO),
        Question("easy", "Is the label obvious to a person?", YES_NO),
    ),
    may_be_open=_none_open,
    label_of=_given_label,
)

ERRORS = Layout(
    name="errors",
    paper="Naik et al. (2018), section 2",
    about="A model got each of these pairs wrong: `label` is the right label, `answer` is what the model said. Name "
    "the most likely source of the error.",
    questions=(Question("category", "What is the most likely source of the error?", tuple(CATEGORIES)),),
    may_be_open=_none_open,
    label_of=_no_label,
    shows_labels=True,
)

NOTES = Layout(
    name="notes",
    paper="",
    about="Write down what you notice about each pair, in your own words: an unclear word, a label that you doubt, "
    "something that only an expert would know. If you notice nothing, write a dash.",
    questions=(Question("note", "What do you notice about this pair?", free=True),),
    may_be_open=_none_open,
    label_of=_no_label,
)

LAYOUTS: Mapping[LayoutName, Layout] = MappingProxyType(
    {layout.name: layout for layout in (EVENTS, DIRECT, CHECK, ERRORS, NOTES)}
)
"""The layouts, by name."""


def labels_asked(drawn: Iterable[Drawn]) -> tuple[Label, ...]:
    """The labels to choose from; there are two if no case has three."""
    return (Label.ENTAILMENT, Label.NON_ENTAILMENT) if all(each.two_way for each in drawn) else THREE_WAY


def instructions(layout: Layout, drawn: Sequence[Drawn]) -> str:
    """What an annotator reads before the first case."""
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
            lines += [f"  - `{names(label)}`: {MEANINGS[label]}" for label in labels_asked(drawn)]
    lines += ["", "Don't change the ids or the sentences. Work alone, and don't look at other people's files.", ""]
    return "\n".join(lines)
