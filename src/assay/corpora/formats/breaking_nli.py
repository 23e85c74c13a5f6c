"""Breaking NLI, JSON lines."""

from typing import ClassVar

import msgspec

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import group_of, snli_pair
from assay.language.text.changes import exchanged_words


class BreakingNli:
    """Pairs that differ in one word, by category, with three annotators' labels."""

    title: ClassVar = "Breaking NLI, jsonl"

    def recognise(self, sample: Sample) -> int:
        return (
            3 if {"gold_label", "sentence1", "sentence2", "category", "annotator_labels"} <= set(sample.columns) else 0
        )

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        found = snli_pair(row, label, group=group_of(row.fields, ("category",)))
        if isinstance(found, Skip):
            return found
        return msgspec.structs.replace(found, unit=exchanged_words(found.premise, found.hypothesis))
