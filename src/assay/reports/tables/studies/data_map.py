"""A data map as a table."""

from collections.abc import Mapping
from typing import Any

from assay.reports.tables.sheet import Part, plain_sheet


def map_parts(found: Mapping[str, Any]) -> list[Part]:
    """How pairs were learned by label; `found` is a study of a data map as plain data."""
    rows = [
        {
            "label": name,
            "pairs": f"{each['pairs']:,}",
            "confidence": f"{each['confidence']:.3f}",
            "variability": f"{each['variability']:.3f}",
            "correctness": f"{100 * each['correctness']:.1f} %",
            "forgotten": f"{each['forgotten']:,}",
        }
        for name, each in found["labels"].items()
    ]
    return [
        f"How {found['folder']} learned its training pairs",
        plain_sheet(rows, figures=["pairs", "confidence", "variability", "correctness", "forgotten"]),
        "Confidence: mean probability of what is right, over the epochs. Variability: its standard deviation.",
        "Correctness: share of epochs with the right answer. Forgotten: right and wrong later, or never right.",
    ]
