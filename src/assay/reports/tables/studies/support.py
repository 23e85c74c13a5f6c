"""What a corpus says about the heuristics, as a table with the published counts."""

from collections.abc import Mapping
from typing import Any

from assay.reports.published.figures import paper, table
from assay.reports.tables.sheet import Part, plain_sheet


def published_support() -> dict[str, Any]:
    """The paper's own counts.

    >>> published_support()["counts"]["subsequence"]
    {'support': 1274, 'contradict': 72}
    """
    source, counts = paper("mccoy2019"), table("mccoy2019", "section 2")
    return {
        "paper": f"{source.authors} ({source.year}), {source.title}",
        "table": counts.number,
        "corpus": "MultiNLI, all 392,702 training pairs",
        "definition": "released",
        "counts": {
            row.name.replace(" ", "_"): dict(zip(("support", "contradict"), row.values, strict=True))
            for row in counts.rows
        },
    }


def support_parts(found: Mapping[str, Any]) -> list[Part]:
    """Supporting and contradicting pairs by heuristic and definition; `found` is a study of support as plain data."""
    published = published_support()
    columns = {**found["counts"], "published": published["counts"]}
    rows = [
        {"": heuristic.replace("_", " ")} | {name: _figures(counts[heuristic]) for name, counts in columns.items()}
        for heuristic in published["counts"]
    ]
    source = found["source"]
    notes = [
        f"{source['pairs']:,} pairs of {source['name']}; {found['parsed']:,} of them have a parse tree of the premise.",
        *(f"note: {note}" for note in source["notes"]),
        "Pairs that support / contradict a heuristic, by definition:",
    ]
    after = [
        f"Published: {published['corpus']} ({published['paper']}, {published['table']}). "
        "Counts differ for another corpus, or a part of this one."
    ]
    if not found["parsed"]:
        after.insert(0, "Constituents were not counted: no pair has a binary parse tree of its premise.")
    elif found["parsed"] < source["pairs"]:
        after.insert(0, "Constituents were counted only in pairs with a parse tree.")
    return [*notes, plain_sheet(rows, figures=[*columns]), *after]


def _figures(share: Mapping[str, int] | None) -> str:
    return "not counted" if share is None else f"{share['support']:,} / {share['contradict']:,}"
