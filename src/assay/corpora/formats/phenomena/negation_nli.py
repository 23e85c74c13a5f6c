"""The negation benchmarks of Hossain et al. 2020, tab-separated: clean, and prepared for GLUE's scripts."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.protocols import Sample
from assay.corpora.formats.phenomena.by_columns import SNLI_NAMES, ByColumns


class NegationNli(ByColumns):
    """Pairs of RTE, SNLI and MultiNLI with a negation added to one text or to both."""

    title: ClassVar = "negation benchmarks of RTE, SNLI and MultiNLI, txt and tsv"
    columns: ClassVar = frozenset({"index", "gold_label"})
    names: ClassVar = {**SNLI_NAMES, "text": "premise", "index": "id"}

    def fits(self, first: Mapping[str, Any], sample: Sample) -> bool:
        # In the prepared file of MultiNLI, columns that are not used hold their own name in every row.
        clean = first.keys() >= {"text", "hypothesis"}
        return sample.container == "tsv" and (clean or first.get("pairid") == "pairID")
