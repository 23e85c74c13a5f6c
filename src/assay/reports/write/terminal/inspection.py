"""What `assay data inspect` found, in the terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType

from assay.reports.write.terminal.tables import line

MOST_PROBLEMS = 10
"""How many broken records are shown; all are in the machine-readable output."""


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


def _problem(problem: Mapping[str, str]) -> str:
    detail = f": {problem['detail']}" if problem["detail"] else ""
    return f"{problem['where']}: {problem['reason']}{detail}"


def _clip(value: Any, most: int = 200) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}..."
