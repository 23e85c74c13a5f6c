"""One pair in the terminal: the models' answers, the words that carry them, and how edits move them."""

from collections.abc import Iterable, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from assay.ask.pair_explanation import AskedPair, Edited, WordWeight, sureness
from assay.core.case import Answer
from assay.core.edit import Side
from assay.core.label import Label
from assay.evaluate.accuracy import is_right
from assay.reports.formatting import REMARKS, printable, split_edits
from assay.reports.phrases import short_name
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn, SheetRow, texts
from assay.reports.terminal.run_summary import indent, side_line
from assay.reports.terminal.terminal_tables import WRONG, line, sheet_shown


def answers_sheet(asked: AskedPair) -> Sheet:
    there = {label for answer in asked.answers.values() for label in answer.probabilities or {}}
    labels = [label for label in Label if label in there]
    rows = []
    for model, answer in asked.answers.items():
        shares = [(answer.probabilities or {}).get(label) for label in labels]
        cells = (SheetCell("-") if share is None else SheetCell(f"{share:.3f}", share) for share in shares)
        is_wrong = asked.label is not None and not is_right(answer.label, asked.label)
        said = f"{answer.label} (premise cut off)" if answer.truncated else answer.label
        rows.append(SheetRow("", (SheetCell(short_name(model)), SheetCell(said, marked=is_wrong), *cells)))
    columns = (*texts("", "answer"), *(SheetColumn(label, is_number=True) for label in labels))
    return Sheet("answers", "", "", columns, tuple(rows))


SHOWN = 0.05  # words that count less are not marked
STYLES = ((0.5, "bold red"), (0.2, "bold yellow"), (SHOWN, "yellow"), (-SHOWN, ""), (-2.0, "cyan"))
"""The style of a word, by the least weight that has it."""

LEGEND = (
    "[word 0.30]: without it, the probability of the answer falls by 0.30; below zero, it rises. "
    "-> label: without it, that is the answer."
)

EDITS = "[-removed-] and {+added+}: what the edit changed. A case that was made from one text has no earlier answer."


def pair_summary(asked: AskedPair) -> RenderableType:
    parts: list[RenderableType] = [
        line(f"premise: {asked.premise}"),
        line(f"hypothesis: {asked.hypothesis}"),
        *([line(f"right: {asked.label}")] if asked.label else []),
        line(""),
        *sheet_shown(answers_sheet(asked)),
    ]
    if asked.words:
        parts += [line(""), line("Words that carry the answer", "bold"), *_words(asked), line(LEGEND, "dim")]
    if asked.edited or asked.skipped:
        parts += [line(""), line("What the tests build from the pair", "bold"), *_edits(asked)]
    if any(each.case.provenance.edit.premise or each.case.provenance.edit.hypothesis for each in asked.edited):
        parts.append(line(EDITS, "dim"))
    parts += [line(f"Nothing in {family}: {reason}.", "dim") for family, reason in asked.skipped.items()]
    return Group(*parts)


def _words(asked: AskedPair) -> Iterable[RenderableType]:
    sides: Mapping[Side, str] = {"premise": asked.premise, "hypothesis": asked.hypothesis}
    for model, found in asked.words.items():
        answer = asked.answers[model]
        counts = any(_is_marked(each, answer) for each in found)
        nothing = "" if counts else ": no single word carries it"
        yield line(f"{short_name(model)}: {answer.label}{sureness(answer)}{nothing}")
        for side, text in sides.items() if counts else ():
            own = [each for each in found if each.side == side]
            yield indent(Text(f"{side}: ").append_text(mark_words(text, own, answer)))


def _is_marked(word: WordWeight, answer: Answer) -> bool:
    return abs(word.weight) >= SHOWN or word.label is not answer.label


def mark_words(text: str, found: Iterable[WordWeight], answer: Answer) -> Text:
    """A text in which the words that count are marked, with brackets and with colours."""
    shown, position = Text(), 0
    for each in found:
        shown.append(printable(text[position : each.start]))
        position = each.start + len(each.text)
        moved = f" -> {each.label}" if each.label is not answer.label else ""
        style = next(style for least, style in STYLES if each.weight >= least)
        word = printable(each.text)
        shown.append(f"[{word} {each.weight:.2f}{moved}]" if _is_marked(each, answer) else word, style=style)
    return shown.append(printable(text[position:]))


def _edits(asked: AskedPair) -> Iterable[RenderableType]:
    for each in asked.edited:
        case, edit = each.case, each.case.provenance.edit
        variant = f", {case.variant}" if case.variant else ""
        yield line(f"{case.family}{variant}: {_expected(asked, each)}", "bold")
        yield side_line("premise", split_edits(case.premise, edit.premise))
        yield side_line("hypothesis", split_edits(case.hypothesis, edit.hypothesis))
        if remark := REMARKS.get((edit.premise_from, edit.hypothesis_from)):
            yield indent(line(remark, "dim"))
        for model, answer in each.answers.items():
            yield indent(_moved(model, asked.answers[model], answer, each))


def _expected(asked: AskedPair, edited: Edited) -> str:
    """The expected answer, or what should happen to the answer."""
    if edited.label is not None:
        return f"right is {edited.label}"
    if edited.case.expects == "label":
        return "the right answer stays the same"
    return f"{asked.label or 'the answer'} should {edited.case.expects}"


def _moved(model: str, before: Answer, after: Answer, edited: Edited) -> Text:
    """The answer before and after; there is none before if both texts of the case come from the same text."""
    edit = edited.case.provenance.edit
    is_copy = edit.premise_from != edit.hypothesis_from
    said = f"{before.label}{sureness(before)} -> " if is_copy else ""
    said = f"{short_name(model)}: {said}{after.label}{sureness(after)}"
    if edited.label is not None:
        is_wrong = not is_right(after.label, edited.label)
        return line(f"{said}, wrong" if is_wrong else said, WRONG if is_wrong else "")
    has_moved = edited.case.expects != "drop" and after.label is not before.label
    is_wrong = has_moved and edited.case.expects == "label"  # a swapped case has no label
    return line(f"{said}, moved" if has_moved else said, WRONG if is_wrong else "")
