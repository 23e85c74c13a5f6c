"""How much of Breaking NLI is reproduced, as tables."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.reports.tables.sheet import Part, Sheet, plain_sheet


def lexical_parts(study: Mapping[str, Any]) -> list[Part]:
    """What the study found: by category, where labels differ from the usual one, and what each filter leaves."""
    total = study["total"]
    others = total["pairs"] - total["made"]
    with_usual = total["agree"] + total["constant"] - total["constant_of_made"]
    parts: list[Part] = [
        f"{study['source']}: {total['pairs']:,} pairs from {study['premises']:,} premises; we make {study['cases']:,}",
        _categories(study),
        f"Always giving the category's usual label is right on {_share(total['constant'], total['pairs'])} % of pairs. "
        f"Giving our label if there is one, and the usual label for the other {others:,}, is right on "
        f"{_share(with_usual, total['pairs'])} %.",
    ]
    parts += [_different(study)] if study["different"] else []
    return parts + ([_filters(study)] if study["filters"] else [])


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}" if whole else "-"


def _categories(study: Mapping[str, Any]) -> Sheet:
    return plain_sheet(
        [
            {
                "category": name,
                "pairs": f"{row['pairs']:,}",
                "usual label": row["usual"],
                "built %": _share(row["built"], row["pairs"]),
                "made %": _share(row["made"], row["pairs"]),
                "agree %": _share(row["agree"], row["made"]),
                "usual %": _share(row["constant_of_made"], row["made"]),
            }
            for name, row in [*study["categories"].items(), ("all", study["total"])]
        ],
        figures=["pairs", "built %", "made %", "agree %", "usual %"],
    )


def _different(study: Mapping[str, Any]) -> Sheet:
    counts = Counter((each["category"], each["gold"], each["ours"] or "not made") for each in study["different"])
    return plain_sheet(
        [
            {"category": category, "gold, not the usual label": gold, "ours": ours, "pairs": f"{count:,}"}
            for (category, gold, ours), count in sorted(counts.items())
        ],
        figures=["pairs"],
    )


def _filters(study: Mapping[str, Any]) -> Sheet:
    return plain_sheet(
        [
            {
                "filter": each["name"],
                "cases left": f"{each['cases']:,}",
                "%": _share(each["cases"], study["cases"]),
                "released pairs left": f"{each['pairs']:,}",
                "% ": _share(each["pairs"], study["total"]["made"]),
            }
            for each in study["filters"]
        ],
        figures=["cases left", "%", "released pairs left", "% "],
    )
