"""MED, tab-separated in the columns of GLUE's MultiNLI."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.protocols import Row, Sample
from assay.corpora.formats.phenomena.by_columns import SNLI_NAMES, ByColumns

MONOTONE = "_monotone"


class Med(ByColumns):
    """Two-way pairs by monotonicity. Tags in the column of the genre tell it from MultiNLI."""

    title: ClassVar = "MED, tsv"
    columns: ClassVar = frozenset({"index", "genre", *SNLI_NAMES})
    names: ClassVar = {**SNLI_NAMES, "index": "id"}
    two_way: ClassVar = True

    def fits(self, first: Mapping[str, Any], sample: Sample) -> bool:  # noqa: ARG002 - the row tells
        return MONOTONE in str(first.get("genre"))

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """Where the pair is from, its direction, and the other tags.

        >>> Med().group({"genre": "crowd:downward_monotone:lexical_knowledge"}, Row(1, {}))
        {'source': 'crowd', 'monotonicity': 'downward', 'lexical-knowledge': 'yes'}
        """
        source, *tags = str(fields.get("genre", "")).split(":")
        found = {"source": source}
        for tag in tags:
            if tag.endswith(MONOTONE):
                found["monotonicity"] = tag.removesuffix(MONOTONE)
            else:
                found[tag.strip().lower().replace("_", "-").replace(" ", "-")] = "yes"
        return found
