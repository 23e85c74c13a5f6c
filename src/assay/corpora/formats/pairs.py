"""The generic reader: any table with a premise, a hypothesis and a label under known or given names."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from assay.core.edit import Skip
from assay.core.errors import BadRecordError, UserError, did_you_mean
from assay.core.label import ColumnQuestion, LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.row_fields import (
    CLAIMS,
    NO_GROUP,
    USUAL,
    group_of,
    missing_column_error,
    named_columns,
    pair_or_skip,
    parses_of,
    question_of,
    snli_annotators,
    text_in,
    usual_column,
)

NEEDED = ("premise", "hypothesis", "label")

SLICES = ("genre", "category", "heuristic", "subcase", "template", "family", "variant")


class ColumnLayout(NamedTuple):
    """The columns of a table, by what they hold."""

    columns: tuple[str, ...]
    premise: str
    hypothesis: str
    label: str
    """The column of the gold label."""
    question: ColumnQuestion | None
    """The question of that column, if yes and no are answers in it."""
    id: str
    """The column of the id, which need not exist."""
    slices: tuple[str, ...]
    """The columns that become slices of the same name."""
    rich: bool
    """True if there are parses, annotators' labels or a group of slices."""


class Pairs:
    """Columns by their usual names, or as `--columns` says; further names there become slices."""

    title: ClassVar = "any jsonl, csv, tsv, parquet, Arrow or xlsx with premise, hypothesis and label"

    def __init__(self, columns: Mapping[str, str] | None = None) -> None:
        self.columns = columns or {}
        self._own_slices = [(name, column) for name, column in self.columns.items() if name not in USUAL]
        self._layout: ColumnLayout | None = None
        self.notes: dict[str, None] = {}
        """Columns that were found under a name that is less than plain, in order."""

    @property
    def label_column(self) -> str:
        """The column of the labels of the last record."""
        return self._layout.label if self._layout else ""

    @property
    def of_claims(self) -> bool:
        """True if the last record has a claim as its hypothesis."""
        return self._layout is not None and bool(named_columns([self._layout.hypothesis], CLAIMS))

    def recognise(self, sample: Sample) -> int:
        try:
            return int(all(usual_column(sample.columns, field).column for field in ("premise", "hypothesis")))
        except BadRecordError:  # it is of this format, and reading the first record says what is unclear
            return 1

    def check(self, sample: Sample) -> None:
        """Raise before the first record if a given column does not exist; JSON lines report it line by line."""
        for name, column in self.columns.items():
            if column not in sample.columns and not (sample.container == "jsonl" and name in NEEDED):
                there = ", ".join(map(repr, sample.columns))
                guess = did_you_mean(column, sample.columns)
                raise UserError(f"--columns {name}={column}: no such column in {sample.name}{guess} There are {there}.")

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        columns = tuple(fields)
        layout = self._layout
        if layout is None or layout.columns != columns:
            layout = self._layout = self._layout_of(columns)
        return pair_or_skip(
            identity=fields.get(layout.id),
            premise=text_in(fields, layout.premise),
            hypothesis=text_in(fields, layout.hypothesis),
            label=label(fields[layout.label], layout.question),
            group=self._group(fields, layout) if layout.slices or layout.rich or self._own_slices else NO_GROUP,
            annotators=snli_annotators(fields) if layout.rich else (),
            parses=parses_of(fields, layout.premise, layout.hypothesis) if layout.rich else None,
        )

    def _layout_of(self, columns: tuple[str, ...]) -> ColumnLayout:
        def find(name: str) -> str:
            if name in self.columns:
                found, told = self.columns[name] if self.columns[name] in columns else "", ""
            else:
                found, told = usual_column(columns, name)
            if not found and name != "id":
                raise missing_column_error(columns, self.columns.get(name, name if name != "label" else USUAL[name][0]))
            if told:
                self.notes[told] = None
            return found

        premise, hypothesis, label = map(find, NEEDED)
        return ColumnLayout(
            columns,
            premise=premise,
            hypothesis=hypothesis,
            label=label,
            question=question_of(label),
            id=find("id"),
            slices=tuple(column for column in SLICES if column in columns),
            rich=any(
                column.endswith("_parse") or column in ("annotator_labels", "label1", "group") for column in columns
            ),
        )

    def _group(self, fields: Mapping[str, Any], layout: ColumnLayout) -> dict[str, str]:
        nested = fields.get("group")
        group = group_of(nested, nested) if isinstance(nested, dict) else {}
        group |= group_of(fields, layout.slices)
        return group | {
            name: str(fields[column]) for name, column in self._own_slices if fields.get(column) not in (None, "")
        }
