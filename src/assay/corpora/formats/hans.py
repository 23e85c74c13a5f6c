"""HANS, as tab-separated text and as JSON lines."""

from typing import ClassVar

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import group_of, snli_pair


class Hans:
    """Two-way pairs by heuristic, subcase and template."""

    title: ClassVar = "HANS, txt and jsonl"

    def recognise(self, sample: Sample) -> int:
        return 3 if {"gold_label", "sentence1", "sentence2", "heuristic", "subcase"} <= set(sample.columns) else 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        return snli_pair(row, label, group=group_of(row.fields, ("heuristic", "subcase", "template")))
