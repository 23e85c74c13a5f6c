"""The most telling examples in the terminal: the text with its edit marked, and each model's answer."""

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from assay.core.judgement import Example
from assay.core.label_space import THREE_LABELS, LabelSpace
from assay.reports.formatting import TextPiece, mark_edits
from assay.reports.headline import most_telling
from assay.reports.phrases import short_name
from assay.reports.terminal.terminal_tables import line

MARKS: Mapping[str, tuple[str, str, str]] = {
    "same": ("", "", ""),
    "old": ("[-", "-]", "red"),
    "new": ("{+", "+}", "bold green"),
}
"""The marks around a piece, so that it shows without colours too, and its style."""


def examples_shown(
    examples: Sequence[Example], *, models: Sequence[str] = (), space: LabelSpace = THREE_LABELS
) -> list[RenderableType]:
    """Each example with its edit, its label and the answers; only of some models, if they are named.

    Labels have the user's names for them, and are one of two if cases are judged by two.
    """
    shown: list[RenderableType] = []
    for number, example in enumerate(examples, 1):
        case, found = example.case, mark_edits(example.case)
        label = space.name(case.compared_with)
        right = f"right: {label}" if case.expects == "label" else f"right before: {label}, which should {case.expects}"
        shown += [
            line(f"{number}. {case.family}, {case.id} in {example.suite}", "bold"),
            side_line("premise", found.premise),
            side_line("hypothesis", found.hypothesis),
            *([indent(line(found.remark, "dim"))] if found.remark else []),
            indent(line(f"{right}; {_answers(example, models, space)}")),
        ]
    return shown


def example_section(examples: Sequence[Example], *, space: LabelSpace = THREE_LABELS) -> list[RenderableType]:
    """The block at the end of a full summary; nothing if no model fails."""
    few = most_telling(examples)
    if not few:
        return []
    return [line(""), line("Failures", "bold"), Group(*examples_shown(few, space=space)), *_legend(few)]


def failure_list(examples: Sequence[Example], *, space: LabelSpace = THREE_LABELS) -> RenderableType:
    return Group(*examples_shown(examples, space=space), *_legend(examples)) if examples else line("No failures.")


def _legend(examples: Sequence[Example]) -> list[RenderableType]:
    legend = []
    if any(span.kind != "same" for each in examples for side in mark_edits(each.case)[:2] for span in side):
        legend.append("[-removed-] and {+added+}: what the edit changed.")
    if any(answer.source is not None for each in examples for answer in each.answers.values()):
        legend.append("In brackets: the answer to the unmodified pair.")
    return [line(" ".join(legend), "dim")] if legend else []


def side_line(name: str, spans: Iterable[TextPiece]) -> RenderableType:
    text = Text(f"{name}: ", style="")
    for span in spans:
        before, after, style = MARKS[span.kind]
        text.append(f"{before}{span.text}{after}", style=style)
    return indent(text)


def indent(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 3), expand=False)


def _answers(example: Example, models: Sequence[str], space: LabelSpace) -> str:
    told = []
    for model, answer in example.answers.items():
        if not models or model in models:
            sure = f" {answer.confidence:.2f}" if answer.confidence is not None else ""
            before = f" ({space.name(answer.source)})" if answer.source is not None else ""
            told.append(f"{short_name(model)}: {space.name(answer.label)}{sure}{before}")
    return ", ".join(told)
