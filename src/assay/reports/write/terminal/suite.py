"""A suite in the terminal: what a build made, and what it could not make."""

from rich.console import Group, RenderableType
from rich.text import Text

from assay.core.label import LabelNames, in_two
from assay.core.suite import Manifest
from assay.reports.numbers import percent
from assay.reports.tables.sheet import Part, plain_sheet
from assay.reports.words import two_way_words
from assay.reports.write.terminal.tables import line, shown

MOST_REASONS = 6
"""How many reasons for skips are shown; all are in the manifest."""


def suite_summary(manifest: Manifest) -> RenderableType:
    """What a build made, and what it could not make."""
    names = LabelNames(manifest.names)
    counts = in_two(manifest.counts) if manifest.two_way else manifest.counts
    judged = [line(two_way_words(names))] if manifest.two_way else []
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
            left_out.append(line(f"Not made in {name}: {sum(reasons.values()):,}", "yellow"))
        left_out += [line(f"  {count:,} {reason}") for reason, count in most[:MOST_REASONS]]
        if rest := most[MOST_REASONS:]:
            reasons_left = f"{len(rest)} more reasons" if len(rest) > 1 else "one more reason"
            left_out.append(line(f"  {sum(count for _, count in rest):,} for {reasons_left}, in the manifest"))
    tables = shown([plain_sheet(counted, figures=["cases"]), *_slices(manifest), *_shortcuts(manifest)])
    return Group(*source_lines(manifest), *judged, tables, *left_out)


def source_lines(manifest: Manifest) -> list[Text]:
    """What a suite was built from."""
    source = manifest.source
    lines = [line(f"{source.pairs:,} pairs of {source.name}, {manifest.cases:,} cases, seed {manifest.seed}")]
    for reason, count in source.skipped.items():
        lines.append(line(f"  left out: {count:,} of {source.rows:,} records: {reason}", "yellow"))
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
            because = reason.removeprefix("not proven: ")
            if not reason and not found.cases:
                because = f"not drawn from {found.not_drawn:,} pairs"
            rows.append(
                {
                    family: name,
                    "cases": f"{sum(found.cases.values()):,}",
                    **{label: f"{found.cases.get(label, 0):,}" for label in labels},
                    "not made": f"{sum(found.skips.values()):,}",
                    "of these": f"{count:,}" if reason else "",
                    "because": because,
                }
            )
        made += ["", plain_sheet(rows, figures=["cases", *labels, "not made", "of these"])]
    return made


def _shortcuts(manifest: Manifest) -> list[Part]:
    """How far the surface of the cases gets."""
    rows = [
        {
            "% right from the surface": family,
            "cases": f"{found.n:,}",
            "most frequent label": percent(found.majority),
            "hypothesis words": percent(found.hypothesis_words),
            "edited words": percent(found.edited_words),
            "length": percent(found.lengths),
        }
        for family, found in (manifest.shortcuts or {}).items()
    ]
    return ["", plain_sheet(rows, figures=list(rows[0])[1:])] if rows else []
