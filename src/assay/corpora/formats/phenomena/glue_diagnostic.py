"""GLUE's diagnostic set with its labels (diagnostic-full.tsv)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.protocols import Row
from assay.corpora.formats.phenomena.by_columns import ByColumns

SLICES = ("lexical semantics", "predicate-argument structure", "logic", "knowledge", "domain")


class GlueDiagnostic(ByColumns):
    """Pairs by phenomenon, of four kinds, and by domain."""

    title: ClassVar = "GLUE's diagnostic set, tsv"
    columns: ClassVar = frozenset({"premise", "hypothesis", *SLICES})

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """The phenomena.

        >>> GlueDiagnostic().group({"logic": "Negation", "knowledge": ""}, Row(1, {}))
        {'logic': 'Negation'}
        """
        return {name.replace(" ", "-"): str(fields[name]) for name in SLICES if fields.get(name)}
