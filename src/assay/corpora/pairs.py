"""The generic reader: any table with a premise, a hypothesis and a label under known or given names."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.edit import Skip
from assay.core.errors import BadRecordError, UserError
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.fields import group_of, pair_or_skip, snli_parses, text

USUAL: Mapping[str, tuple[str, ...]] = {
    "premise": ("premise", "sentence1", "sentence_A", "context"),
    "hypothesis": ("hypothesis", "sentence2", "sentence_B"),
    "label": ("label", "gold_label", "gold", "entailment_judgment"),
    "id": ("id", "uid", "pairID", "pair_ID", "idx", "index", "guid"),
}
"""Column names of the field, the first that is there wins."""

GROUPS = ("genre", "category", "heuristic", "subcase", "template")


class Pairs:
    """Columns by their usual names, or as `--columns` says; further names there become slices."""

    title: ClassVar = "any jsonl, csv, tsv or parquet with premise, hypothesis and label"

    def __init__(self, columns: Mapping[str, str] | None = None) -> None:
        self.columns = columns or {}
        self._slices = {name: column for name, column in self.columns.items() if name not in USUAL}

    def recognise(self, sample: Sample) -> int:
        present = set(sample.columns)
        return 1 if all(present & set(USUAL[field]) for field in ("premise", "hypothesis")) else 0

    def check(self, sample: Sample) -> None:
        """Complain before the first record if the given columns are not there."""
        for name, column in self.columns.items():
            if sample.columns and column not in sample.columns:
                there = ", ".join(map(repr, sample.columns))
                raise UserError(f"--columns {name}={column}: no such column in {sample.name}; there are {there}.")

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        value = self._get(fields, "label")
        nested = fields.get("group")
        group = {str(k): str(v) for k, v in nested.items()} if isinstance(nested, dict) else group_of(fields, GROUPS)
        if self._slices:
            group |= {name: str(fields[column]) for name, column in self._slices.items() if fields.get(column) not in (None, "")}
        annotators = fields.get("annotator_labels")
        identity = self._get(fields, "id", required=False)
        return pair_or_skip(
            row,
            id=identity,
            premise=self._text(fields, "premise"),
            hypothesis=self._text(fields, "hypothesis"),
            label=label(value),
            group=group,
            annotators=annotators if isinstance(annotators, list) else (),
            parses=snli_parses(fields),
        )

    def _text(self, fields: Mapping[str, Any], name: str) -> str:
        value = self._get(fields, name)
        if isinstance(value, str):
            return value
        raise BadRecordError(f"the {name} is no text", detail=repr(value)[:60])

    def _get(self, fields: Mapping[str, Any], name: str, *, required: bool = True) -> Any:
        if name in self.columns:
            if self.columns[name] in fields:
                return fields[self.columns[name]]
            return text(fields, self.columns[name])
        for column in USUAL[name]:
            if column in fields:
                return fields[column]
        return text(fields, name) if required else None
