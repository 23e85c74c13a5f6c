"""SICK, tab-separated: the SemEval files and the whole release."""

from typing import ClassVar

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import gold, group_of, pair_or_skip, text


class Sick:
    """Compositional pairs; the relatedness score is kept as a slice."""

    title: ClassVar = "SICK, tab-separated txt"

    def recognise(self, sample: Sample) -> int:
        return 3 if {"pair_ID", "sentence_A", "sentence_B"} <= set(sample.columns) else 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        judgment = "entailment_label" if "entailment_label" in fields else "entailment_judgment"
        return pair_or_skip(
            identity=fields.get("pair_ID"),
            premise=text(fields, "sentence_A"),
            hypothesis=text(fields, "sentence_B"),
            label=gold(fields, judgment, label),
            group=group_of(fields, ("relatedness_score",)),
        )
