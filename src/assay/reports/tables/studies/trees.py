"""What trees of several origins do to a model, as a table."""

from collections.abc import Mapping
from typing import Any

from assay.reports.numbers import p_value
from assay.reports.tables.sheet import Part, plain_sheet

NAMES = {"own": "the pairs' own", "parser": "the parser's", "right": "right-branching"}


def tree_parts(found: Mapping[str, Any]) -> list[Part]:
    """Accuracy by origin; `found` is a study of trees as plain data."""
    rows = [
        {
            "trees": NAMES[origin],
            "F1": "" if each["f1"] is None else f"{each['f1']:.3f}",
            "accuracy": f"{100 * each['accuracy']:.1f}",
            "difference": "" if origin == "own" else f"{100 * each['gain']:+.1f}",
            "95 % interval": "" if origin == "own" else f"{100 * each['low']:+.1f} to {100 * each['high']:+.1f}",
            "p": "" if origin == "own" else p_value(each["p"]),
            "answers changed": "" if origin == "own" else f"{100 * each['changed']:.1f} %",
        }
        for origin, each in found["trees"].items()
    ]
    return [
        f"{found['model']} on {found['pairs']:,} pairs of {found['source']['name']}",
        plain_sheet(rows, figures=["F1", "accuracy", "difference", "95 % interval", "p", "answers changed"]),
        "Accuracy in per cent, differences in points. p: McNemar's exact test by premise, against own trees.",
        "F1: the share of the parts of the pairs' own trees that are found, without single words and whole texts.",
        "A model knows the trees that it was trained with; one trained with others (`--set trees=`) may lose less.",
    ]
