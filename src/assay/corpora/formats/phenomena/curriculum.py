"""CURRICULUM, JSON lines: one folder for each phenomenon."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.protocols import Sample
from assay.corpora.formats.phenomena.by_columns import ByColumns


class Curriculum(ByColumns):
    """Pairs with two labels or three, depending on the phenomenon."""

    title: ClassVar = "CURRICULUM, jsonl"
    columns: ClassVar = frozenset({"premise", "hypothesis", "gold_label", "idx"})
    names: ClassVar = {"gold_label": "label", "idx": "id"}

    def fits(self, first: Mapping[str, Any], sample: Sample) -> bool:
        return sample.container == "jsonl" and first.keys() == self.columns
