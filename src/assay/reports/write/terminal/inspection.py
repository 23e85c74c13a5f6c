"""What `assay data inspect` found, in the terminal."""

from collections.abc import Iterator, Mapping
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
    lines += [line(f"  {text}") for text in _lengths(found["lengths"])]
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


def _lengths(found: Mapping[str, Any] | None) -> Iterator[str]:
    """How long texts are, and what does not fit into models."""
    if not found:
        return
    for side in ("premise", "hypothesis"):
        yield f"words of a {side}: {_spread(found[side])}"
    for each in found["fits"]:
        yield f"tokens of a pair for {each['model']}, which takes {each['longest']:,}: {_spread(each['tokens'])}"
        if each["too_long"]:
            yield (
                f"  {each['too_long']:,} of {found['pairs']:,} pairs don't fit: the ends of their premises are cut "
                "off, unless you ask with --windows"
            )
        if each["refused"]:
            yield f"  {each['refused']:,} of {found['pairs']:,} pairs are left out: the hypothesis alone is too long"


def _spread(found: Mapping[str, int]) -> str:
    return f"median {found['median']:,}, 95 % up to {found['p95']:,}, longest {found['most']:,}"


def _problem(problem: Mapping[str, str]) -> str:
    detail = f": {problem['detail']}" if problem["detail"] else ""
    return f"{problem['where']}: {problem['reason']}{detail}"


def _clip(value: Any, most: int = 200) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}..."
