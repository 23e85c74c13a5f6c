"""The most telling examples in the terminal: the text with its edit marked, and what each model said."""

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from assay.core.results.example import Example
from assay.reports.edits import Span, marked
from assay.reports.words import short_name
from assay.reports.write.terminal.tables import line

MARKS: Mapping[str, tuple[str, str, str]] = {
    "same": ("", "", ""),
    "old": ("[-", "-]", "red"),
    "new": ("{+", "+}", "bold green"),
}
"""The marks around a piece, so that it shows without colours too, and its style."""

FEW = 3
"""Examples at the end of a run."""


def most_telling(examples: Iterable[Example], most: int = FEW) -> list[Example]:
    """The most telling few: right before the edit and wrong after it, for many models, each in another family."""
    left = sorted(examples, key=_weight, reverse=True)
    chosen: list[Example] = []
    while left and len(chosen) < most:
        seen = {each.case.family for each in chosen}
        best = next((each for each in left if each.case.family not in seen), left[0])
        left.remove(best)
        chosen.append(best)
    return chosen


def examples_shown(
    examples: Sequence[Example], *, models: Sequence[str] = (), brief: bool = False
) -> list[RenderableType]:
    """Each example with its edit, its label and the answers; only of some models, if they are named.

    In `brief`, models with the same answer are listed together.
    """
    shown: list[RenderableType] = []
    for number, example in enumerate(examples, 1):
        case, found = example.case, marked(example)
        shown += [
            line(f"{number}. {case.family}, {case.id} in {example.suite}", "bold"),
            _side("premise", found.premise),
            _side("hypothesis", found.hypothesis),
            *([_indented(line(found.remark, "dim"))] if found.remark else []),
            _indented(line(f"{_expected(example)}; {_by_answer(example) if brief else _answers(example, models)}")),
        ]
    return shown


def example_section(examples: Sequence[Example], *, brief: bool = False) -> list[RenderableType]:
    """The block at the end of a run; nothing if no model fails."""
    few = most_telling(examples)
    if not few:
        return []
    shown = Group(*examples_shown(few, brief=brief))
    return [line(""), line("The most telling examples", "bold"), shown, *_legend(few, brief=brief)]


def failure_list(examples: Sequence[Example]) -> RenderableType:
    """Only the failures, or a line that there are none."""
    return Group(*examples_shown(examples), *_legend(examples)) if examples else line("No failures.")


def _legend(examples: Sequence[Example], *, brief: bool = False) -> list[RenderableType]:
    legend = []
    if any(span.kind != "same" for each in examples for side in marked(each)[:2] for span in side):
        legend.append("[-removed-] and {+added+}: what the edit changed.")
    if not brief and any(answer.source is not None for each in examples for answer in each.answers.values()):
        legend.append("In brackets: the answer to the source pair.")
    return [line(" ".join(legend), "dim")] if legend else []


def _weight(example: Example) -> tuple[int, int, int]:
    flips = sum(
        answer.failed and answer.source is not None and answer.source is example.source_label
        for answer in example.answers.values()
    )
    return flips, len(example.failing), -len(example.case.premise) - len(example.case.hypothesis)


def _side(name: str, spans: Iterable[Span]) -> RenderableType:
    text = Text(f"{name}: ", style="")
    for span in spans:
        before, after, style = MARKS[span.kind]
        text.append(f"{before}{span.text}{after}", style=style)
    return _indented(text)


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 3), expand=False)


def _expected(example: Example) -> str:
    if example.case.expects == "label":
        return f"right: {example.case.label}"
    return f"right before: {example.case.label}, which should {example.case.expects}"


def _by_answer(example: Example) -> str:
    named: dict[str, list[str]] = {}
    for model, answer in example.answers.items():
        named.setdefault(answer.label, []).append(short_name(model))
    return "; ".join(f"{label}: {', '.join(models)}" for label, models in named.items())


def _answers(example: Example, models: Sequence[str]) -> str:
    told = []
    for model, answer in example.answers.items():
        if not models or model in models:
            sure = f" {answer.confidence:.2f}" if answer.confidence is not None else ""
            before = f" ({answer.source})" if answer.source is not None else ""
            told.append(f"{short_name(model)}: {answer.label}{sure}{before}")
    return ", ".join(told)
