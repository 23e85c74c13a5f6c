"""IMPPRES, JSON lines and tables of the hub: presuppositions and scalar implicatures."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import group_of
from assay.corpora.formats.phenomena.by_columns import SNLI_NAMES, ByColumns

IMPLICATURE = frozenset({"gold_label_log", "gold_label_prag"})
PRESUPPOSITION = frozenset({"gold_label", "uid", "paradigmid"})
SLICES = ("uid", "trigger", "trigger1", "trigger2", "presupposition", "item_type", "spec_relation", "lexemes")
MISSING = "Not_In_Example"
"""What the tables of the hub hold where a pair has no such field: control items have two triggers."""
BY_LOGIC = "labels are those of logic (gold_label_log); --columns label=gold_label_prag reads the pragmatic ones"


class Imppres(ByColumns):
    """Implicatures have two labels: the one of logic counts, and the pragmatic one becomes a slice."""

    title: ClassVar = "IMPPRES, jsonl and hub"
    names: ClassVar = {**SNLI_NAMES, "gold_label_log": "label"}
    numbered: ClassVar = True

    def fits(self, first: Mapping[str, Any], sample: Sample) -> bool:  # noqa: ARG002 - the row tells
        return first.keys() >= IMPLICATURE or first.keys() >= PRESUPPOSITION

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """What the pair tests, and how a listener would take it.

        >>> Imppres().group({"item_type": "target", "gold_label_prag": "neutral"}, Row(1, {}))
        {'item_type': 'target', 'pragmatic': 'neutral'}
        """
        found = group_of({name: value for name, value in fields.items() if value != MISSING}, SLICES)
        if "gold_label_prag" in fields:
            self.note = BY_LOGIC
            found["pragmatic"] = str(fields["gold_label_prag"])
        return found
