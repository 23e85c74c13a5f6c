"""The negation benchmarks of Hossain et al. 2020, tab-separated: clean, and prepared for GLUE's scripts."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.phenomena.by_columns import SNLI_NAMES, ByColumns


class NegationNli(ByColumns):
    """Pairs of RTE, SNLI and MultiNLI with a negation added to one text or to both."""

    title: ClassVar = "negation benchmarks of RTE, SNLI and MultiNLI, txt and tsv"
    columns: ClassVar = frozenset({"index", "gold_label"})
    names: ClassVar = {**SNLI_NAMES, "text": "premise", "index": "id"}

    def fits(self, first: Mapping[str, Any], sample: Sample) -> bool:
        clean = first.keys() >= {"text", "hypothesis"}
        return sample.container == "tsv" and (clean or first.get("pairid") == "pairID")

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        # In the prepared files, unused columns hold their own name in every row: in that of SNLI, even the id.
        used = {name: value for name, value in row.fields.items() if str(value).lower() != name.strip().lower()}
        return super().record(Row(row.number, used, row.file), label)
