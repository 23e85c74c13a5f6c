"""What a verb shows in the terminal: a run, a score, a suite, a corpus."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from assay.core.estimate import Estimate
from assay.core.example import Example
from assay.core.run import RunRecord
from assay.core.suite import Manifest
from assay.reports.findings import findings, short_name, system_of, systems_of
from assay.reports.layout import line, table
from assay.reports.printable import printable
from assay.reports.published.beside import beside_table
from assay.reports.tables.figures import (
    FAMILY,
    ORIGINAL,
    accuracy_table,
    band_table,
    calibration_table,
    confusion_table,
    fallback_lines,
    group_table,
    severity_table,
    swap_table,
    two_way_lines,
)
from assay.reports.tables.side_by_side import MARK, accuracies, swaps, worst
from assay.reports.write.examples import example_section

FEW_MODELS = 3
"""So many have tables of their own in a summary; more stand side by side."""

MOST_REASONS = 6
"""Reasons why a case was not made that are shown; all are in the manifest."""

MOST_PROBLEMS = 10
"""Broken records that are shown; all are in the machine-readable output."""

MOST_VALUES = 80
"""A group with more values than this is left to the machine-readable output."""

NO_GROUP = (*FAMILY, "label", "answer", "note", "severity", "seeds")
"""Names of slices that are no groups of the corpus."""

LEGENDS: Mapping[str, Sequence[str]] = {
    "accuracy": (
        "Accuracy in per cent, of all cases and by gold label. Change: against the source pairs, in points.",
        "Both: right on the source pair and on its copy, where the label stays.",
    ),
    "seeds": ("Several seeds of one system: mean accuracy in per cent, lowest to highest, and the means by label.",),
    "swap": (
        "Swapped: how often the answer is still the pair's label. Difference: original - swapped, in points.",
        "p: McNemar's exact test, with Holm's correction over all labels of all families of a model.",
    ),
    "severity": ("Accuracy by strength, in per cent; area: the mean height of the curve.",),
    "calibration": ("Error: expected calibration error, in per cent. Brier: 0 is best, 2 worst.",),
    "confusion": ("Answers to the cases of each label, in per cent.",),
}
"""How to read each figure."""

LOST = f"Accuracy in per cent. {MARK}: less than on the source pairs, and more than chance explains."
SWAPPED = (
    "Swapped sides: how far the share of answers with the pair's label moves, in points.",
    f"Entailment should drop, the other labels hold. {MARK}: that is not so.",
)
IN_FULL = (
    "The others by label, with intervals: `assay show RUN --figure accuracy`.",
    "So too: --figure swap, published, findings, calibration, confusion.",
)
"""How to read many models side by side, and where the rest is."""

HEURISTIC = "heuristic"
"""The group that stands below its family in the tables of a run."""

FIGURES: Mapping[str, Callable[[list[Estimate]], Table]] = {
    "accuracy": partial(accuracy_table, within=HEURISTIC),
    "seeds": partial(band_table, within=HEURISTIC),
    "swap": swap_table,
    "severity": severity_table,
    "calibration": calibration_table,
    "confusion": confusion_table,
}
"""The tables of a suite, by name."""


def summary(record: RunRecord, examples: Sequence[Example] = ()) -> RenderableType:
    """What a run found, and a few of its telling examples; of many models what is read in a minute."""
    systems = systems_of(record.estimates)
    many = len({system_of(e.slice["model"], systems) for e in record.estimates}) > FEW_MODELS
    lines: list[RenderableType] = []
    for suite in dict.fromkeys(e.slice["suite"] for e in record.estimates):
        manifest = record.suites[suite]
        lines += [line(""), *_source_lines(manifest)] if lines else _source_lines(manifest)
        if left_out := sum(sum(reasons.values()) for reasons in manifest.skips.values()):
            told = f"  not made: {left_out:,} cases, for reasons that the suite's manifest counts"
            lines.append(line(told, "yellow"))
        here = [e for e in record.estimates if e.slice["suite"] == suite]
        lines += _side_by_side(here) if many else _figures(here, within=HEURISTIC)
    if not many:
        lines += beside_table(record.estimates, whole=False)
    lines += _findings(worst(record.estimates) if many else findings(record.estimates))
    lines += example_section(examples, brief=many)
    if many:
        lines += [line(""), *(line(each, "dim") for each in IN_FULL)]
    return Group(*lines)


def figure_summary(record: RunRecord, names: Sequence[str]) -> RenderableType:
    """Single figures of a run, suite by suite: those of `FIGURES`, `published` and `findings`."""
    shown: list[RenderableType] = []
    for suite in dict.fromkeys(e.slice["suite"] for e in record.estimates):
        here = [e for e in record.estimates if e.slice["suite"] == suite]
        for name in (name for name in names if name in FIGURES):
            made = FIGURES[name](here)
            legend = LEGENDS[name] if made.row_count else ("not measured",)
            title = line(f"{name}, {suite}: {record.suites[suite].source.name}", "bold")
            shown += [title, *([made] if made.row_count else []), *(line(each, "dim") for each in legend), line("")]
    if "published" in names:
        shown += beside_table(record.estimates, whole=True)
    if "findings" in names:
        shown += _findings(findings(record.estimates))
    return Group(*shown)


def score_summary(estimates: Iterable[Estimate]) -> RenderableType:
    """The figures of a file of answers: by family and label, then by every group."""
    found = list(estimates)
    parts = _figures(found)
    calibration = calibration_table(found)
    if calibration.row_count:
        parts += [line(""), calibration, *(line(each, "dim") for each in LEGENDS["calibration"])]
    for name in dict.fromkeys(name for e in found for name in e.slice if name not in NO_GROUP):
        values = len({e.slice[name] for e in found if name in e.slice})
        few = values <= MOST_VALUES
        said = line(f"{name}: {values:,} values; --json lists them all", "dim")
        parts += [line(""), group_table(found, name) if few else said]
    parts += [line(""), confusion_table(found), *(line(each, "dim") for each in LEGENDS["confusion"])]
    return Group(*parts, *beside_table(found, whole=True), *_findings(findings(found)))


def _findings(sentences: Iterable[str]) -> list[Text]:
    told = [line(f"  {each}") for each in sentences]
    legend = line("p: McNemar's exact test of the drop, with Holm's correction for each model.", "dim")
    return [line(""), line("Right for the wrong reasons?", "bold"), *told, legend] if told else []


def _side_by_side(estimates: list[Estimate]) -> list[RenderableType]:
    """The tables of one suite with a line a model."""
    shown: list[RenderableType] = []
    if any(e.name == "accuracy" for e in estimates):
        shown.append(accuracies(estimates))
    shown += [*two_way_lines(estimates), *fallback_lines(estimates)]
    if any(e.name == "drop" for e in estimates):
        shown.append(line(LOST, "dim"))
    if swapped := swaps(estimates):
        shown += [line(""), swapped, *(line(each, "dim") for each in SWAPPED)]
    if best := _best(estimates):
        systems = systems_of(estimates)
        own = [e for e in estimates if system_of(e.slice["model"], systems) == best]
        shown += [line(""), line(f"{short_name(best)}, the best on the source pairs, by label:", "bold")]
        shown += _figures(own, within=HEURISTIC)
    return shown


def _best(estimates: list[Estimate]) -> str:
    """The system that is right on most source pairs; empty where nobody was asked about them alone."""
    systems = systems_of(estimates)
    on_source = [
        e
        for e in estimates
        if e.name in ("accuracy", "band")
        and {*e.slice} - {"seeds"} == {*FAMILY}
        and e.slice["family"] == ORIGINAL
        and system_of(e.slice["model"], systems) == e.slice["model"]
    ]
    return max(on_source, key=lambda e: e.value or 0).slice["model"] if on_source else ""


def _figures(estimates: list[Estimate], *, within: str = "") -> list[RenderableType]:
    """The tables of one suite, without those that have nothing to show."""
    shown: list[RenderableType] = []
    alone = [e for e in estimates if system_of(e.slice["model"], systems_of(estimates)) == e.slice["model"]]
    if any(e.name == "accuracy" for e in alone):
        shown.append(accuracy_table(alone, within=within))
    if any(e.name == "band" for e in estimates):
        shown += [band_table(estimates, within=within), *(line(each, "dim") for each in LEGENDS["seeds"])]
    shown += [*two_way_lines(estimates), *fallback_lines(estimates)]
    if any(e.name == "consistency" for e in estimates):
        shown += [line(each, "dim") for each in LEGENDS["accuracy"]]
    for name in ("swap", "severity"):
        made = FIGURES[name](estimates)
        if made.row_count:
            shown += [line(""), made, *(line(each, "dim") for each in LEGENDS[name])]
    return shown


def suite_summary(manifest: Manifest) -> RenderableType:
    """What a build made, and what it could not make."""
    counted = table("family", ">cases", "by label")
    for family, labels in manifest.counts.items():
        told = ", ".join(f"{label} {n:,}" for label, n in labels.items())
        counted.add_row(line(family), f"{sum(labels.values()):,}", line(told))
    left_out: list[RenderableType] = []
    for name, reasons in manifest.skips.items():
        most = sorted(reasons.items(), key=lambda each: -each[1])
        if most:
            left_out.append(Text(f"Not made in {printable(name)}: {sum(reasons.values()):,}", style="yellow"))
        left_out += [Text(f"  {count:,} {printable(reason)}") for reason, count in most[:MOST_REASONS]]
        if rest := most[MOST_REASONS:]:
            reasons_left = f"{len(rest)} more reasons" if len(rest) > 1 else "one more reason"
            left_out.append(Text(f"  {sum(count for _, count in rest):,} for {reasons_left}, in the manifest"))
    return Group(*_source_lines(manifest), counted, *_slice_tables(manifest), *left_out)


def _slice_tables(manifest: Manifest) -> list[RenderableType]:
    """For families that have slices: what became of each."""
    made: list[RenderableType] = []
    for family, slices in (manifest.slices or {}).items():
        labels = manifest.counts.get(family, {})
        rows = table(family, ">cases", *(f">{label}" for label in labels), ">not made", ">of these", "because")
        for name, found in slices.items():
            reason, count = max(found.skips.items(), key=lambda each: each[1], default=("", 0))
            told = reason.removeprefix("not proven: ")
            if not reason and not found.cases:
                told = f"not drawn of {found.not_drawn:,} pairs"
            rows.add_row(
                line(name),
                f"{sum(found.cases.values()):,}",
                *(f"{found.cases.get(label, 0):,}" for label in labels),
                f"{sum(found.skips.values()):,}",
                f"{count:,}" if reason else "",
                line(told),
            )
        made += [Text(""), rows]
    return made


def inspection(found: Mapping[str, Any]) -> RenderableType:
    """What `assay data inspect` found."""
    head = f"{found['name']}: {found['rows']:,} rows, {found['pairs']:,} used, format {found['format']}"
    lines = [line(head, "bold")]
    lines += [line(f"  label {label}: {count:,}") for label, count in found["labels"].items()]
    lines += [line(f"  left out: {count:,}: {reason}", "yellow") for reason, count in found["skipped"].items()]
    lines += [line(f"  note: {note}", "yellow") for note in found["notes"]]
    problems = found["problems"]
    lines += [line(f"  {_problem(p)}", "red") for p in problems[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        lines.append(line(f"  ... and {len(problems) - MOST_PROBLEMS:,} more; --json lists them all", "red"))
    for example in found["examples"]:
        lines.append(line(""))
        lines += [line(f"  {name}: {_clip(value)}") for name, value in example.items()]
    return Group(*lines)


def plain_table(rows: Sequence[Mapping[str, str]]) -> Table:
    """Rows of text under their names."""
    made = table(*rows[0])
    for row in rows:
        made.add_row(*map(line, row.values()))
    return made


def _source_lines(manifest: Manifest) -> list[Text]:
    source = manifest.source
    lines = [line(f"{source.pairs:,} pairs of {source.name}, {manifest.cases:,} cases, seed {manifest.seed}")]
    for reason, count in source.skipped.items():
        lines.append(line(f"  left out: {count:,} of {source.rows:,} records: {reason}", "yellow"))
    lines += [line(f"  note: {note}", "yellow") for note in source.notes]
    return lines


def _problem(problem: Mapping[str, str]) -> str:
    detail = f": {problem['detail']}" if problem["detail"] else ""
    return f"{problem['where']}: {problem['reason']}{detail}"


def _clip(value: Any, most: int = 200) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}..."
