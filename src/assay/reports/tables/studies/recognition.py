"""What the grammar says about a file of HANS-like pairs, as a table with remarks."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.reports.tables.sheet import Part, plain_sheet

MOST_REMARKS = 10
"""How many remarks are shown; more are in the machine-readable output, and all in the file of pairs."""


def recognition_parts(found: Mapping[str, Any]) -> list[Part]:
    """Pairs by subcase, and anything odd; `found` is a study of recognition as plain data."""
    source = found["source"]
    unknown = found["subcases"].get("", {"pairs": 0})["pairs"]
    head = [f"{source['pairs']:,} pairs of {source['name']}: {source['pairs'] - unknown:,} recognised"]
    head += [f"note: {note}" for note in source["notes"]]
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
    after = [f"{found['ambiguous']:,} pairs match several templates."]
    after += [f"  {remark['id']}: {remark['what']}" for remark in found["remarks"][:MOST_REMARKS]]
    if (rest := found["remarked"] - MOST_REMARKS) > 0:
        after.append(f"  ... and {rest:,} more remarks; --json lists the first of them, --pairs FILE lists all")
    return [*head, plain_sheet(rows, figures=["pairs", "label proven"]), *after]


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items(), key=lambda each: -each[1]))


def _kinds(counts: Mapping[str, int]) -> Counter[str]:
    """Conventions by kind: `factive: knew` and `factive: forgot` are one."""
    kinds: Counter[str] = Counter()
    for name, count in counts.items():
        kinds[name.partition(":")[0]] += count
    return kinds
