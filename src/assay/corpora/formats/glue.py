"""The NLI tasks of GLUE (MNLI, RTE, and the diagnostics' shape), tab-separated."""

from typing import ClassVar

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import UNLABELLED, group_of, pair_or_skip, parses_of, snli_annotators, text


class Glue:
    """Rows with an index; test files have no label column, and all their records are left out as unlabelled."""

    title: ClassVar = "GLUE MNLI and RTE, tsv"

    def recognise(self, sample: Sample) -> int:
        return 3 if sample.container == "tsv" and {"index", "sentence1", "sentence2"} <= set(sample.columns) else 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        value = fields.get("gold_label", fields.get("label"))
        if value is None:
            return UNLABELLED
        return pair_or_skip(
            identity=fields.get("pairID") or fields.get("index"),
            premise=text(fields, "sentence1"),
            hypothesis=text(fields, "sentence2"),
            label=label(value),
            group=group_of(fields, ("genre",)),
            annotators=snli_annotators(fields),
            parses=parses_of(fields),
        )
