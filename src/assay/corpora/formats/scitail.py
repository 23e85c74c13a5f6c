"""SciTail, in the formats of its release: SNLI-like and predictor JSON lines, tsv, and DGEM's tsv with a graph."""

from typing import ClassVar

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import gold, id_of_line, pair_or_skip, snli_pair, text


class SciTail:
    """Science questions as hypotheses; two labels, entails and neutral. Line numbers serve as ids."""

    title: ClassVar = "SciTail, snli, predictor, tsv and dgem formats"

    def recognise(self, sample: Sample) -> int:
        columns = set(sample.columns)
        if sample.container == "tsv" and columns in ({"0", "1", "2"}, {"0", "1", "2", "3"}):
            return 3
        if {"sentence1", "sentence2", "gold_label", "question", "answer"} <= columns:
            return 3
        if {"sentence1", "sentence2", "gold_label", "annotator_labels"} <= columns and not columns & {
            "pairID",
            "captionID",
        }:
            return 3 if "scitail" in sample.name.lower() or sample.first.get("gold_label") == "entails" else 1
        return 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        if "0" not in fields:
            return snli_pair(row, label, identity=id_of_line(row))
        return pair_or_skip(
            identity=id_of_line(row),
            premise=text(fields, "0"),
            hypothesis=text(fields, "1"),
            label=gold(fields, "2", label),
        )
