"""MultiNLI, as JSON lines and as text."""

from typing import ClassVar

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import group_of, snli_pair


class MultiNli:
    """Pairs with genre, parses and annotators' labels."""

    title: ClassVar = "MultiNLI, jsonl and txt"

    def recognise(self, sample: Sample) -> int:
        columns = set(sample.columns)
        if not {"gold_label", "sentence1", "sentence2", "genre"} <= columns:
            return 0
        return 3 if "promptID" in columns else 2

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        return snli_pair(row, label, group=group_of(row.fields, ("genre",)))
