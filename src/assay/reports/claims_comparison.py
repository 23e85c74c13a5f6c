"""Two models of claims compared by what people decide on: unsupported claims that pass, and supported ones that do."""

from collections.abc import Collection, Mapping

import msgspec

from assay.core.case import ORIGINAL
from assay.core.comparison import ComparedSlice, Comparison
from assay.core.label import Label


def as_false_support(row: ComparedSlice) -> ComparedSlice:
    """The accuracy on unsupported claims as false support: lower is better, and the test and verdict are the same."""
    return msgspec.structs.replace(
        row,
        candidate=1 - row.candidate,
        baseline=1 - row.baseline,
        difference=-row.difference,
        low=None if row.high is None else -row.high,
        high=None if row.low is None else -row.low,
    )


def claims_rows(found: Comparison, binary_suites: Collection[str]) -> Mapping[str, ComparedSlice]:
    """False support and recall on the unmodified claims, by their names; empty without claims of both labels."""
    rows = {
        row.slice["label"]: row
        for row in found.slices
        if row.slice["family"] == ORIGINAL and "label" in row.slice and row.slice["suite"] in binary_suites
    }
    if rows.keys() != {Label.ENTAILMENT.value, Label.NON_ENTAILMENT.value}:
        return {}
    return {
        "false-support": as_false_support(rows[Label.NON_ENTAILMENT.value]),
        "recall": rows[Label.ENTAILMENT.value],
    }
