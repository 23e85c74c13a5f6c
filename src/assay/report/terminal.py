"""A run's record as a table in the terminal."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.run import RunRecord
from assay.core.suite import Manifest
from assay.report.findings import findings, is_lost, short_name
from assay.report.printable import printable

MOST_REASONS = 6
"""Reasons why a case was not made that are shown; all are in the manifest."""

MOST_PROBLEMS = 10
"""Broken records that are shown; all are in the machine-readable output."""

FAMILY = ("model", "suite", "family")
"""What the slice of a whole family names."""

MOST_VALUES = 40
"""A group with more values than this is left to the machine-readable output."""


def accuracy_table(estimates: Iterable[Estimate], *, within: str = "") -> Table:
    """Accuracy by model and family, with intervals, by label, and the change against the original pairs.

    Under a family that has a group called `within`, its values have lines of their own.
    """
    found = _by_slice(estimates)
    labels = _labels(found)
    rows = [e for e in found.values() if {*FAMILY} <= {*e.slice} <= {*FAMILY, within}]
    compared = any(e.slice["family"] == "original" for e in rows)
    change = [">change"] if compared else []
    table = _table("", ">all", ">95 %", *change, *(f">{label}" for label in labels), ">cases")
    for model in dict.fromkeys(e.slice["model"] for e in rows):
        table.add_section()
        table.add_row(_line(short_name(model), "bold"))
        for total in sorted((e for e in rows if e.slice["model"] == model), key=lambda e: within in e.slice):
            name = f"    {total.slice[within]}" if within in total.slice else f"  {total.slice['family']}"
            original = found.get(_key({**total.slice, "family": "original"}))
            by_label = [percent(found.get(_key({**total.slice, "label": label}))) for label in labels]
            points = [_change(total, original)] if compared else []
            table.add_row(_line(name), percent(total), interval(total), *points, *by_label, f"{total.n:,}")
    return table


def fallback_lines(estimates: Iterable[Estimate]) -> list[RenderableType]:
    """How often a model could not judge a case and fell back on a fixed answer, and why."""
    counted: dict[str, dict[str, int]] = {}
    for each in estimates:
        if each.name == "fallback" and each.value is not None:
            notes = counted.setdefault(each.slice["model"], {})
            notes[each.slice["note"]] = notes.get(each.slice["note"], 0) + round(each.value * each.n)
    return [
        _line(
            f"  {short_name(model)} could not judge {sum(notes.values()):,} cases and fell back: "
            + ", ".join(f"{note} ({count:,})" for note, count in sorted(notes.items(), key=lambda each: -each[1])),
            "yellow",
        )
        for model, notes in counted.items()
    ]


def group_table(estimates: Iterable[Estimate], name: str) -> Table:
    """Accuracy by the values of one group, such as genre."""
    found = _by_slice(e for e in estimates if name in e.slice)
    labels = _labels(found)
    families = len({e.slice["family"] for e in found.values()}) > 1
    table = _table(
        *(["family"] if families else []), name, ">all", ">95 %", *(f">{label}" for label in labels), ">cases"
    )
    for total in found.values():
        if "label" not in total.slice:
            family = [_line(total.slice["family"])] if families else []
            by_label = [percent(found.get(_key({**total.slice, "label": label}))) for label in labels]
            table.add_row(*family, _line(total.slice[name]), percent(total), interval(total), *by_label, f"{total.n:,}")
    return table


def summary(record: RunRecord) -> RenderableType:
    """What a run found."""
    lines: list[RenderableType] = []
    for suite in dict.fromkeys(e.slice["suite"] for e in record.estimates):
        manifest = record.suites[suite]
        lines += [_line(""), *_source_lines(manifest)] if lines else _source_lines(manifest)
        if left_out := sum(sum(reasons.values()) for reasons in manifest.skips.values()):
            told = f"  not made: {left_out:,} cases, for reasons that the suite's manifest counts"
            lines.append(_line(told, "yellow"))
        lines.append(accuracy_table((e for e in record.estimates if e.slice["suite"] == suite), within="heuristic"))
        lines += fallback_lines(e for e in record.estimates if e.slice["suite"] == suite)
    lines.append(
        _line(
            "Accuracy in per cent, of all cases and by gold label; change against the original pairs in points.", "dim"
        )
    )
    found = findings(record.estimates)
    if found:
        lines += [_line(""), _line("Right for the wrong reasons?", "bold"), *(_line(f"  {each}") for each in found)]
    return Group(*lines)


def percent(estimate: Estimate | None) -> str:
    """A share in per cent; a dash where nothing was measured.

    >>> percent(Estimate(name="accuracy", value=0.5, n=2)), percent(None)
    ('50.0', '-')
    """
    return "-" if estimate is None or estimate.value is None else f"{estimate.value * 100:.1f}"


def interval(estimate: Estimate) -> str:
    """The ends of an interval in per cent."""
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.low * 100:.1f}-{estimate.high * 100:.1f}"


def _change(total: Estimate, original: Estimate | None) -> Text:
    if original is None or original.value is None or total.value is None:
        return Text("")
    if total.slice["family"] == "original":
        return Text("")
    change = total.value - original.value
    style = "bold red" if is_lost(original, total) else ""
    return Text(f"{change * 100:+.1f}", style=style)


def suite_summary(manifest: Manifest) -> RenderableType:
    """What a build made, and what it could not make."""
    table = _table("family", ">cases", "by label")
    for family, labels in manifest.counts.items():
        told = ", ".join(f"{label} {n:,}" for label, n in labels.items())
        table.add_row(_line(family), f"{sum(labels.values()):,}", _line(told))
    left_out: list[RenderableType] = []
    for name, reasons in manifest.skips.items():
        most = sorted(reasons.items(), key=lambda each: -each[1])
        if most:
            left_out.append(Text(f"Not made in {printable(name)}: {sum(reasons.values()):,}", style="yellow"))
        left_out += [Text(f"  {count:,} {printable(reason)}") for reason, count in most[:MOST_REASONS]]
        if rest := most[MOST_REASONS:]:
            left_out.append(
                Text(f"  {sum(count for _, count in rest):,} for {len(rest)} more reasons, in the manifest")
            )
    return Group(*_source_lines(manifest), table, *left_out)


def score_summary(estimates: Iterable[Estimate]) -> RenderableType:
    """The figures of a file of answers: by family and label, then by every group."""
    found = list(estimates)
    parts: list[RenderableType] = [accuracy_table(e for e in found if {*e.slice} <= {*FAMILY, "label"})]
    for name in dict.fromkeys(name for e in found for name in e.slice if name not in (*FAMILY, "label")):
        values = len({e.slice[name] for e in found if name in e.slice})
        few = values <= MOST_VALUES
        said = _line(f"{name}: {values:,} values; --json lists them all", "dim")
        parts += [_line(""), group_table(found, name) if few else said]
    return Group(*parts)


def inspection(found: Mapping[str, Any]) -> RenderableType:
    """What `assay data inspect` found."""
    head = f"{found['name']}: {found['rows']:,} rows, {found['pairs']:,} used, format {found['format']}"
    lines = [_line(head, "bold")]
    lines += [_line(f"  label {label}: {count:,}") for label, count in found["labels"].items()]
    lines += [_line(f"  left out: {count:,}: {reason}", "yellow") for reason, count in found["skipped"].items()]
    lines += [_line(f"  note: {note}", "yellow") for note in found["notes"]]
    problems = found["problems"]
    lines += [_line(f"  {_problem(p)}", "red") for p in problems[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        lines.append(_line(f"  ... and {len(problems) - MOST_PROBLEMS:,} more; --json lists them all", "red"))
    for example in found["examples"]:
        lines.append(_line(""))
        lines += [_line(f"  {name}: {_clip(value)}") for name, value in example.items()]
    return Group(*lines)


def plain_table(rows: Sequence[Mapping[str, str]]) -> Table:
    """Rows of text under their names."""
    table = _table(*rows[0])
    for row in rows:
        table.add_row(*map(_line, row.values()))
    return table


class _Table(Table):
    """A table that moves its columns together where there is little room."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.__rich_measure__(console, options.update(max_width=sys.maxsize)).minimum > options.max_width:
            self.padding = 0
        return super().__rich_console__(console, options)


def _table(*columns: str) -> Table:
    """A plain table; figures (`>` before the name) stand to the right and are never broken, text is folded."""
    table = _Table(box=SIMPLE_HEAD, show_edge=False, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for name in columns:
        if name.startswith(">"):
            table.add_column(_line(name.removeprefix(">")), justify="right", no_wrap=True)
        else:
            table.add_column(_line(name), overflow="fold")
    return table


Key = frozenset[tuple[str, str]]


def _key(where: Mapping[str, str]) -> Key:
    return frozenset(where.items())


def _by_slice(estimates: Iterable[Estimate]) -> dict[Key, Estimate]:
    return {_key(e.slice): e for e in estimates if e.name == "accuracy"}


def _labels(found: Iterable[Key]) -> list[str]:
    """The labels that occur, in their usual order."""
    there = {value for key in found for name, value in key if name == "label"}
    return [label.value for label in Label if label.value in there]


def _line(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style)


def _source_lines(manifest: Manifest) -> list[Text]:
    source = manifest.source
    lines = [_line(f"{source.pairs:,} pairs of {source.name}, {manifest.cases:,} cases, seed {manifest.seed}")]
    for reason, count in source.skipped.items():
        lines.append(_line(f"  left out: {count:,} of {source.rows:,} records: {reason}", "yellow"))
    lines += [_line(f"  note: {note}", "yellow") for note in source.notes]
    return lines


def _problem(problem: Mapping[str, str]) -> str:
    detail = f": {problem['detail']}" if problem["detail"] else ""
    return f"{problem['where']}: {problem['reason']}{detail}"


def _clip(value: Any, most: int = 200) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}..."
