"""A run in the terminal: its tables, its findings, and a few telling examples."""

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from assay.core.estimate import Estimate
from assay.core.judgement import Diagnosis, Example
from assay.core.label_space import THREE_LABELS, LabelSpace
from assay.core.run_record import RunRecord
from assay.reports.formatting import TextPiece, mark_edits
from assay.reports.headline import most_telling
from assay.reports.phrases import finding_sentence, short_name
from assay.reports.tables.accuracy_tables import thresholds
from assay.reports.tables.diagnosis_tables import DIAGNOSIS
from assay.reports.tables.report_tables import OVERVIEW, REPORT, add_notes, published_sheet, related_sheet, sheet_of
from assay.reports.terminal.suite_summary import source_lines
from assay.reports.terminal.terminal_tables import SheetTable, line, sheet_shown
from assay.reports.view import ReportView, view_of


def diagnosis_summary(record: RunRecord, found: Diagnosis) -> RenderableType:
    """The headlines, and a table for each part of the diagnosis."""
    view = view_of([record.diagnosed(found)])
    lines = headline_section(view, [each.model for each in found.profiles])
    for make in DIAGNOSIS.values():
        sheet = add_notes(view, make(view))
        if sheet.rows:
            lines += [line(""), *sheet_shown(sheet)]
    return Group(*lines[1:])


def headline_section(view: ReportView, models: Sequence[str]) -> list[RenderableType]:
    """The shortcuts of each model, in a sentence."""
    found = {model: view.diagnosis.headline(model) for model in models} if view.diagnosis else {}
    lines = [line(f"  {view.name(model)} {said}.") for model, said in found.items() if said]
    return [line(""), line("Shortcuts", "bold"), *lines] if lines else []


FIGURES = (*REPORT, *OVERVIEW, "findings")  # tables that can be shown by name


def full_summary(record: RunRecord, *, slices: Sequence[Estimate] = ()) -> RenderableType:
    """Everything that a run found: each suite by test and label, shortcuts, findings and examples."""
    view = view_of([record], slices={record.id: slices})
    lines = _judged(view)
    for suite, manifest in view.suites.items():
        lines += [line(""), *source_lines(manifest)] if lines else source_lines(manifest)
        if left_out := sum(sum(reasons.values()) for reasons in manifest.skips.values()):
            lines.append(line(f"  skipped: {left_out:,} edits; `--table skips` counts the reasons", "yellow"))
        own = view.only(suite=suite)
        alone = tables_shown(_without_seeds(own), ("accuracy", "heuristics"))
        rest = tables_shown(own, ("seeds", "fallbacks", "swap", "severity"))
        lines += [*alone, *([line("")] if alone and rest else []), *rest]
        scores = add_notes(own, thresholds(own, brief=True))
        if scores.rows:
            more = line("Every family: `assay show RUN --table thresholds`.", "dim")
            lines += [line(""), SheetTable(scores), more]
    if view.slices:
        lines += [line(""), *tables_shown(view, ["slices"])]
    lines += published_section(_without_seeds(view), brief=True)
    lines += headline_section(view, view.judged_models)
    lines += findings_section(view)
    lines += example_section(view.examples, space=record.label_space)
    return Group(*lines)


def figure_summary(record: RunRecord, names: Sequence[str], *, slices: Sequence[Estimate] = ()) -> RenderableType:
    view = view_of([record], slices={record.id: slices})
    parts = _judged(view)
    for name in (name for name in names if name != "findings"):
        sheet = sheet_of(view, name)
        shown = SheetTable(sheet) if sheet.rows else line(_why_empty(view, name), "dim")
        parts += [line(name, "bold"), shown, line("")]
    if "findings" in names:
        parts += findings_section(view)
    return Group(*parts)


def _why_empty(view: ReportView, name: str) -> str:
    """The words in place of a table without rows."""
    if name not in ("thresholds", "certified"):
        return "not measured"
    if view.binary_suites >= {*view.suites}:
        return "not measured: thresholds need a model that gives scores or probabilities"
    return (
        "not measured: thresholds need two labels. Run again with --two-way; neutral and contradiction then count as "
        "not supported."
    )


def _judged(view: ReportView) -> list[RenderableType]:
    return [line(view.judged())] if view.judged() else []


def findings_section(view: ReportView) -> list[RenderableType]:
    """Findings about judged models, in sentences."""
    judged = view.judged_models
    found = [finding_sentence(each, view.names) for each in view.judgement.findings if each.model in judged]
    legend = "p: paired test of the drop, with Holm's correction for each model."
    explained = [line(legend, "dim")] if any("(p " in each for each in found) else []
    lines = [line(f"  {each}") for each in found]
    return [line(""), line("Findings", "bold"), *lines, *explained] if lines else []


def published_section(view: ReportView, *, brief: bool = False) -> list[RenderableType]:
    """Published numbers for the same tests on the same data, and the command that shows related ones."""
    sheet = add_notes(view, published_sheet(view, brief=brief))
    others = related_sheet(view).rows
    more = f"Published for related tests on other data: {len(others)} rows, with `assay show RUN --table related`."
    lines = sheet_shown(sheet) if sheet.rows else []
    said = [*lines, *([line(more, "dim")] if others and brief else [])]
    return [line(""), *said] if said else []


def tables_shown(view: ReportView, names: Iterable[str]) -> list[RenderableType]:
    """The tables that have something to show, with their legends and a line between them."""
    made: list[RenderableType] = []
    for sheet in (sheet_of(view, name) for name in names):
        if sheet.rows:
            made += [*([line("")] if made else []), SheetTable(sheet)]
    return made


def _without_seeds(view: ReportView) -> ReportView:
    return view.only(
        models={e.slice["model"] for e in view.estimates if view.system(e.slice["model"]) == e.slice["model"]}
    )


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
