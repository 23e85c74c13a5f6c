"""What formats share that are known by their columns, whatever the case of the names."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.edit import Skip
from assay.core.label import Label, LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import UNLABELLED, id_of_line, pair_or_skip, text

SNLI_NAMES = {"sentence1": "premise", "sentence2": "hypothesis", "gold_label": "label"}
"""The columns of SNLI and of sets that follow it."""

TWO_LABELS = "the set has two labels, so neutral was read as non-entailment; --input-format pairs keeps neutral"


class ByColumns:
    """A format with columns that no other one has; all names of columns are in lower case here."""

    title: ClassVar[str]
    columns: ClassVar[frozenset[str]] = frozenset()
    """The columns that identify it."""
    names: ClassVar[Mapping[str, str]] = {}
    """Columns that hold a premise, hypothesis, label or id under another name; the last one that is there wins."""
    two_way: ClassVar[bool] = False
    """Whether the set has only two labels, and calls one of them neutral."""
    numbered: ClassVar[bool] = False
    """Whether it is published with numbers for labels, those of SNLI."""

    def __init__(self) -> None:
        self.note = ""
        """What the user should know about how labels were read."""

    def recognise(self, sample: Sample) -> int:
        there = folded(dict.fromkeys(sample.columns)).keys()
        return 4 if there >= self.columns and self.fits(folded(sample.first), sample) else 0

    def fits(self, first: Mapping[str, Any], sample: Sample) -> bool:  # noqa: ARG002 - for formats that need it
        """Whether the first row is of this format too."""
        return True

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = folded(row.fields)
        for own, name in self.names.items():
            if own in fields:
                fields[name] = fields[own]
        if "label" not in fields:
            return UNLABELLED
        return pair_or_skip(
            identity=id_of_line(row) if fields.get("id") in (None, "") else fields["id"],
            premise=text(fields, "premise"),
            hypothesis=text(fields, "hypothesis"),
            label=self._label(fields["label"], label),
            group=self.group(fields, row),
        )

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - for formats that need it
        """The slices of a row."""
        return {}

    def _label(self, value: object, label: LabelReader) -> Label | None:
        found = label(value)
        if self.two_way and found is Label.NEUTRAL and not label.own:
            self.note = TWO_LABELS
            return Label.NON_ENTAILMENT
        return found


def folded(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Values by the names of their columns in lower case.

    >>> folded({"Premise": "It rains."})
    {'premise': 'It rains.'}
    """
    return {name.strip().lower(): value for name, value in fields.items()}
