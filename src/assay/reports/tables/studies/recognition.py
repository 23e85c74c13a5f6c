"""What was recognised in a file of pairs, as tables with remarks."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.core.label import THREE_WAY
from assay.reports.tables.sheet import Part, plain_sheet

LABELS = tuple(label.value for label in THREE_WAY)

MOST_REMARKS = 10
"""How many remarks are shown; more are in the machine-readable output, and all in the file of pairs."""


def recognition_parts(found: Mapping[str, Any]) -> list[Part]:
    """Pairs by subcase or by what differs, and anything odd; `found` is a study of recognition as plain data."""
    source = found["source"]
    read = sum(each["pairs"] for name, each in found["subcases"].items() if name)
    read += sum(each["pairs"] for each in found["changes"].values())
    parts: list[Part] = [
        f"{source['pairs']:,} pairs of {source['name']}: {read:,} recognised{_share(read, source['pairs'])}"
    ]
    parts += [f"note: {note}" for note in source["notes"]]
    if found["subcases"]:
        parts += [_subcases(found), f"{found['ambiguous']:,} pairs match several templates."]
    if found["changes"]:
        parts += [_changes(found), f"Labels: {'entailment or not' if found['two_way'] else 'all three'}."]
    if found["unread"]:
        parts.append(f"{sum(found['unread'].values()):,} pairs were not read:")
        parts += [f"  {count:,}: {reason}" for reason, count in found["unread"].items()]
    if found["remarks"]:
        parts.append("Remarks:")
    parts += [f"  {remark['id']}: {remark['what']}" for remark in found["remarks"][:MOST_REMARKS]]
    if (rest := found["remarked"] - MOST_REMARKS) > 0:
        parts.append(f"  ... and {rest:,} more remarks; --json lists the first of them, --pairs FILE lists all")
    return parts


def _subcases(found: Mapping[str, Any]) -> Part:
    rows = [
        {
            "subcase": name or "(no template)",
            "pairs": f"{each['pairs']:,}",
            "label proven": f"{each['proven']:,}",
            "templates": _counted(each["templates"]),
            "conventions and quirks": _counted(_kinds({**each["conventions"], **each["quirks"]})),
        }
        for name, each in found["subcases"].items()
    ]
    return plain_sheet(rows, figures=["pairs", "label proven"])


def _changes(found: Mapping[str, Any]) -> Part:
    pairs = sum(each["pairs"] for each in found["changes"].values())
    equal = sum(each["equal"] for each in found["changes"].values())
    labels = sum((Counter(each["labels"]) for each in found["changes"].values()), Counter())
    everything = {"all": {"pairs": pairs, "equal": equal, "labels": labels}}
    rows = [
        {
            "what differs": name,
            "pairs": f"{each['pairs']:,}",
            **{label: f"{each['labels'].get(label, 0):,}" for label in LABELS},
            "as in the file": f"{each['equal']:,}",
            "share": f"{100 * each['equal'] / each['pairs']:.1f} %",
        }
        for name, each in {**found["changes"], **everything}.items()
    ]
    return plain_sheet(rows, figures=["pairs", *LABELS, "as in the file", "share"])


def _share(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.1f} %)" if whole else ""


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items(), key=lambda each: -each[1]))


def _kinds(counts: Mapping[str, int]) -> Counter[str]:
    """Conventions by kind: `factive: knew` and `factive: forgot` are one."""
    kinds: Counter[str] = Counter()
    for name, count in counts.items():
        kinds[name.partition(":")[0]] += count
    return kinds
