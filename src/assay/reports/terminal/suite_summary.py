"""A suite in the terminal: what a build made, and what it could not make."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from assay.core.label_space import LabelNames
from assay.core.manifest import Manifest
from assay.reports.formatting import percent
from assay.reports.phrases import two_way_words
from assay.reports.tables.sheet import Part, plain_sheet
from assay.reports.terminal.terminal_tables import line, show_parts, skip_lines

MOST_REASONS = 6  # largest number of reasons for skips that are shown; all are in the manifest


def suite_summary(manifest: Manifest) -> RenderableType:
    """The cases of a build, and the reasons for skips."""
    names = LabelNames(manifest.names)
    counts = manifest.label_space.count(manifest.counts)
    judged = [line(two_way_words(names))] if manifest.label_space.is_binary else []
    counted = [
        {
            "family": family,
            "cases": f"{sum(labels.values()):,}",
            "by label": ", ".join(f"{names(label)} {n:,}" for label, n in labels.items()),
        }
        for family, labels in counts.items()
    ]
    left_out: list[Text] = []
    for name, reasons in manifest.skips.items():
        most = sorted(reasons.items(), key=lambda each: -each[1])
        if most:
            left_out.append(line(f"Skipped in {name}: {sum(reasons.values()):,}", "yellow"))
        left_out += [line(f"  {count:,} {reason}") for reason, count in most[:MOST_REASONS]]
        if rest := most[MOST_REASONS:]:
            reasons_left = f"{len(rest)} more reasons" if len(rest) > 1 else "one more reason"
            left_out.append(line(f"  {sum(count for _, count in rest):,} for {reasons_left}, in the manifest"))
    tables = show_parts([plain_sheet(counted, figures=["cases"]), *_slices(manifest), *_shortcuts(manifest)])
    return Group(*source_lines(manifest), *judged, tables, *left_out)


def source_lines(manifest: Manifest) -> list[Text]:
    source = manifest.source
    lines = [line(f"{source.pairs:,} pairs of {source.name}, {manifest.cases:,} cases, seed {manifest.seed}")]
    lines += skip_lines(source, indent="  ")
    lines += [line(f"  note: {note}", "yellow") for note in source.notes]
    return lines


def _slices(manifest: Manifest) -> list[Part]:
    """The counts for each slice, for families that have slices."""
    made: list[Part] = []
    for family, slices in (manifest.slices or {}).items():
        labels = manifest.counts.get(family, {})
        rows = []
        for name, found in slices.items():
            reason, count = max(found.skips.items(), key=lambda each: each[1], default=("", 0))
            because = reason.removeprefix("not verified: ")
            if not reason and not found.cases:
                because = f"not drawn from {found.not_drawn:,} pairs"
            rows.append(
                {
                    family: name,
                    "cases": f"{sum(found.cases.values()):,}",
                    **{label: f"{found.cases.get(label, 0):,}" for label in labels},
                    "skipped": f"{sum(found.skips.values()):,}",
                    "of these": f"{count:,}" if reason else "",
                    "because": because,
                }
            )
        made += ["", plain_sheet(rows, figures=["cases", *labels, "skipped", "of these"])]
    return made


def _shortcuts(manifest: Manifest) -> list[Part]:
    """The accuracy of guessing labels from surface features alone."""
    rows = [
        {
            "% right from the surface": family,
            "cases": f"{found.n:,}",
            "most frequent label": percent(found.majority),
            "hypothesis words": percent(found.hypothesis_words),
            "edited words": percent(found.edited_words),
            "length": percent(found.lengths),
            "overlap": percent(found.overlap),
        }
        for family, found in (manifest.shortcuts or {}).items()
    ]
    return ["", plain_sheet(rows, figures=list(rows[0])[1:])] if rows else []


LONGEST = 200  # characters of an example's field that are shown
MOST_PROBLEMS = 10  # largest number of broken records that are shown; all are in the machine-readable output


def inspection_summary(found: Mapping[str, Any]) -> RenderableType:
    """The result of inspecting a data file."""
    head = f"{found['name']}: {found['rows']:,} rows, {found['pairs']:,} used, format {found['format']}"
    lines = [line(head, "bold")]
    lines += [line(f"  label {label}: {count:,}") for label, count in found["labels"].items()]
    lines += [line(f"  {text}") for text in _lengths(found["lengths"])]
    lines += [line(f"  skipped: {count:,}: {reason}", "yellow") for reason, count in found["skipped"].items()]
    lines += [line(f"  note: {note}", "yellow") for note in found["notes"]]
    problems = found["problems"]
    for problem in problems[:MOST_PROBLEMS]:
        detail = f": {problem['detail']}" if problem["detail"] else ""
        lines.append(line(f"  {problem['where']}: {problem['reason']}{detail}", "red"))
    if len(problems) > MOST_PROBLEMS:
        lines.append(line(f"  ... and {len(problems) - MOST_PROBLEMS:,} more; --json lists them all", "red"))
    for example in found["examples"]:
        lines.append(line(""))
        texts = {name: str(value) for name, value in example.items()}
        shown = {name: text if len(text) <= LONGEST else f"{text[:LONGEST]}..." for name, text in texts.items()}
        lines += [line(f"  {name}: {text}") for name, text in shown.items()]
    if commands := found.get("commands"):
        lines += [line(""), line("Next:"), *(line(f"  {command}") for command in commands)]
    return Group(*lines)


def _lengths(found: Mapping[str, Any] | None) -> Iterator[str]:
    """Lengths of texts, and how many pairs are too long for the models."""
    if not found:
        return
    for side in ("premise", "hypothesis"):
        yield f"words of a {side}: {_spread(found[side])}"
    for each in found["fits"]:
        yield f"tokens of a pair for {each['model']}, which takes {each['longest']:,}: {_spread(each['tokens'])}"
        if each["too_long"]:
            yield (
                f"  {each['too_long']:,} of {found['pairs']:,} pairs don't fit: the ends of their premises are cut "
                "off, unless you add --windows max"
            )
        if each["refused"]:
            yield f"  {each['refused']:,} of {found['pairs']:,} pairs are skipped: the hypothesis alone is too long"


def _spread(found: Mapping[str, int]) -> str:
    return f"median {found['median']:,}, 95% up to {found['p95']:,}, longest {found['most']:,}"
