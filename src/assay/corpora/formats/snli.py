"""SNLI 1.0, as JSON lines and as text."""

from typing import ClassVar

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import snli_pair


class Snli:
    """Pairs with parses and five annotators' labels."""

    title: ClassVar = "SNLI, jsonl and txt"

    def recognise(self, sample: Sample) -> int:
        columns = set(sample.columns)
        if not {"gold_label", "sentence1", "sentence2"} <= columns:
            return 0
        return 3 if "captionID" in columns else 2 if "sentence1_binary_parse" in columns else 1

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        return snli_pair(row, label)
