"""A run's record as a table in the terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.run import RunRecord
from assay.core.suite import Manifest
from assay.report.findings import findings, is_lost, short_name

MOST_PROBLEMS = 10
"""Broken records that are shown; all are in the machine-readable output."""


def accuracy_table(estimates: Iterable[Estimate]) -> Table:
    """Accuracy by model and family, with intervals, by label, and the change against the original pairs."""
    found = {frozenset(e.slice.items()): e for e in estimates if e.name == "accuracy"}
    pairs = list(dict.fromkeys((e.slice["model"], e.slice["family"]) for e in found.values()))
    labels = [label for label in Label if any(("label", label.value) in key for key in found)]
    table = _table("model", "family", *(f">{name}" for name in ("accuracy", "95 %", "change", *labels, "cases")))
    last = ""
    for model, family in pairs:
        here = {"model": model, "family": family}
        total = found[frozenset(here.items())]
        original = found.get(frozenset({"model": model, "family": "original"}.items()))
        by_label = [found.get(frozenset({**here, "label": label.value}.items())) for label in labels]
        if last and model != last:
            table.add_section()
        table.add_row(
            short_name(model) if model != last else "",
            family,
            percent(total),
            interval(total),
            _change(total, original if family != "original" else None),
            *(percent(e) for e in by_label),
            f"{total.n:,}",
        )
        last = model
    return table


def summary(record: RunRecord) -> RenderableType:
    """What a run found."""
    lines: list[RenderableType] = [*_source_lines(record.suite)]
    for family, reasons in record.suite.skips.items():
        lines += [
            Text(f"  no {family} case: {count:,} pairs: {reason}", style="yellow") for reason, count in reasons.items()
        ]
    lines.append(accuracy_table(record.estimates))
    lines.append(
        Text("Accuracy in per cent; change against the original pairs in points; by label on the right.", style="dim")
    )
    found = findings(record.estimates)
    if found:
        lines += [Text(""), Text("Right for the wrong reasons?", style="bold"), *(Text(f"  {each}") for each in found)]
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
    change = total.value - original.value
    style = "bold red" if is_lost(original, total) else ""
    return Text(f"{change * 100:+.1f}", style=style)


def suite_summary(manifest: Manifest) -> RenderableType:
    """What a build made, and what it could not make."""
    table = _table("family", ">cases", "by label", "pairs without a case")
    for family, labels in manifest.counts.items():
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in manifest.skips.get(family, {}).items())
        table.add_row(
            family,
            f"{sum(labels.values()):,}",
            ", ".join(f"{label} {n:,}" for label, n in labels.items()),
            reasons or "none",
        )
    return Group(*_source_lines(manifest), table)


def score_summary(estimates: Iterable[Estimate]) -> RenderableType:
    """The figures of a file of answers: by family and label, then by every group."""
    found = list(estimates)
    parts: list[RenderableType] = [accuracy_table(e for e in found if set(e.slice) <= {"model", "family", "label"})]
    for name in dict.fromkeys(name for e in found for name in e.slice if name not in ("model", "family", "label")):
        table = _table(name, "gold label", ">accuracy", ">95 %", ">cases")
        for e in found:
            if name in e.slice:
                table.add_row(Text(e.slice[name]), e.slice.get("label", "all"), percent(e), interval(e), f"{e.n:,}")
        parts.append(table)
    return Group(*parts)


def inspection(found: Mapping[str, Any]) -> RenderableType:
    """What `assay data inspect` found."""
    lines: list[RenderableType] = [
        Text(
            f"{found['name']}: {found['rows']:,} rows, {found['pairs']:,} used, format {found['format']}", style="bold"
        ),
    ]
    lines += [Text(f"  label {label}: {count:,}") for label, count in found["labels"].items()]
    lines += [Text(f"  left out: {count:,}: {reason}", style="yellow") for reason, count in found["skipped"].items()]
    lines += [Text(f"  note: {note}", style="yellow") for note in found["notes"]]
    problems = found["problems"]
    lines += [Text(f"  {_problem(p)}", style="red") for p in problems[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        lines.append(Text(f"  ... and {len(problems) - MOST_PROBLEMS:,} more; --json lists them all", style="red"))
    for example in found["examples"]:
        lines.append(Text(""))
        lines += [Text(f"  {name}: {_clip(value)}") for name, value in example.items()]
    return Group(*lines)


def plain_table(rows: Sequence[Mapping[str, str]]) -> Table:
    """Rows of text under their names."""
    table = _table(*rows[0])
    for row in rows:
        table.add_row(*(Text(value) for value in row.values()))
    return table


def _table(*columns: str) -> Table:
    """A plain table; `>` before a column's name puts it to the right, and the first column is never broken."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for position, name in enumerate(columns):
        table.add_column(
            name.removeprefix(">"), justify="right" if name.startswith(">") else "left", no_wrap=position == 0
        )
    return table


def _source_lines(manifest: Manifest) -> list[Text]:
    source = manifest.source
    lines = [Text(f"{source.pairs:,} pairs of {source.name}, {manifest.cases:,} cases, seed {manifest.seed}")]
    for reason, count in source.skipped.items():
        lines.append(Text(f"  left out: {count:,} of {source.rows:,} records: {reason}", style="yellow"))
    return lines


def _problem(problem: Mapping[str, str]) -> str:
    detail = f": {problem['detail']}" if problem["detail"] else ""
    return f"{problem['where']}: {problem['reason']}{detail}"


def _clip(value: Any, most: int = 200) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}..."
