"""TaxiNLI, tab-separated."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.protocols import Row
from assay.corpora.formats.fields import group_of
from assay.corpora.formats.phenomena.by_columns import ByColumns

CATEGORIES = {
    "lexical_linguistic": "lexical",
    "syntactic_linguistic": "syntactic",
    "factivity_linguistic": "factivity",
    "negation_logic": "negation",
    "boolean_logic": "boolean",
    "quantifier_logic": "quantifier",
    "conditional_logic": "conditional",
    "comparative_logic": "comparative",
    "relational_reasoning": "relational",
    "spatial_reasoning": "spatial",
    "temporal_reasoning": "temporal",
    "causal_reasoning": "causal",
    "coreference_reasoning": "coreference",
    "world_knowledge": "world",
    "taxonomic_knowledge": "taxonomic",
}
"""What it takes to answer, by the column that holds 1 if it does."""


class TaxiNli(ByColumns):
    """Pairs of MultiNLI by what it takes to answer them. Pair ids repeat, so lines serve as ids."""

    title: ClassVar = "TaxiNLI, tsv"
    columns: ClassVar = frozenset({"prem", "hyp", "label", *CATEGORIES})
    names: ClassVar = {"prem": "premise", "hyp": "hypothesis"}

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """The genre, and each category that applies.

        >>> TaxiNli().group({"genre": "slate", "negation_logic": "1", "world_knowledge": "0"}, Row(1, {}))
        {'genre': 'slate', 'negation': 'yes'}
        """
        needed = {name: "yes" for column, name in CATEGORIES.items() if str(fields.get(column)) in ("1", "1.0")}
        return group_of(fields, ("genre",)) | needed
