"""What the formats share: getting text, ids and labels out of a row."""

from collections.abc import Iterable, Mapping
from typing import Any

from assay.core.edit import Skip
from assay.core.errors import BadRecordError, did_you_mean
from assay.core.label import Label, LabelReader
from assay.core.pair import Pair, Parses
from assay.core.protocols import Row

UNLABELLED = Skip("no gold label")


def text(fields: Mapping[str, Any], column: str) -> str:
    """A column that must be there and be text."""
    value = fields.get(column)
    if isinstance(value, str):
        return value
    if value is None:
        raise BadRecordError(
            f"no column {column!r}",
            detail=f"there are {', '.join(map(repr, fields))}{did_you_mean(column, fields)}" if fields else "the row is empty",
            hint="Name the columns, for example --columns premise=text_a,hypothesis=text_b,label=y.",
        )
    raise BadRecordError(f"column {column!r} is no text", detail=repr(value)[:60])


def gold(fields: Mapping[str, Any], column: str, label: LabelReader) -> Label | None:
    """The gold label in a column that must be there."""
    try:
        return label(fields[column])
    except KeyError:
        text(fields, column)
        raise


def pair_or_skip(
    row: Row,
    *,
    id: object,
    premise: str,
    hypothesis: str,
    label: Label | None,
    group: dict[str, str] | None = None,
    annotators: Iterable[object] = (),
    parses: Parses | None = None,
) -> Pair | Skip:
    """The pair, unless it has no gold label or a text is empty."""
    if label is None:
        return UNLABELLED
    if not premise.strip() or not hypothesis.strip():
        return Skip("empty premise" if not premise.strip() else "empty hypothesis")
    return Pair(
        id=str(id) if id not in (None, "") else f"row-{row.number}",
        premise=premise,
        hypothesis=hypothesis,
        label=label,
        group=group or {},
        annotators=tuple(str(value) for value in annotators if value not in (None, "")),
        parses=parses,
    )


def snli_parses(fields: Mapping[str, Any]) -> Parses | None:
    """The four trees under the names that SNLI gave them and others took over."""
    premise, hypothesis = fields.get("sentence1_parse"), fields.get("sentence2_parse")
    premise_binary, hypothesis_binary = fields.get("sentence1_binary_parse"), fields.get("sentence2_binary_parse")
    if not (premise or hypothesis or premise_binary or hypothesis_binary):
        return None
    return Parses(
        premise=premise or None,
        hypothesis=hypothesis or None,
        premise_binary=premise_binary or None,
        hypothesis_binary=hypothesis_binary or None,
    )


def snli_annotators(fields: Mapping[str, Any]) -> Iterable[object]:
    """The annotators' labels: a list in JSON, columns label1 to label5 in text files."""
    listed = fields.get("annotator_labels")
    if isinstance(listed, list):
        return listed
    return [fields.get(f"label{i}") for i in range(1, 6)]


def snli_pair(row: Row, label: LabelReader, *, id: object = None, group: dict[str, str] | None = None) -> Pair | Skip:
    """A pair under the column names of SNLI, which MultiNLI, HANS and the stress tests share."""
    fields = row.fields
    return pair_or_skip(
        row,
        id=id if id is not None else fields.get("pairID"),
        premise=text(fields, "sentence1"),
        hypothesis=text(fields, "sentence2"),
        label=gold(fields, "gold_label", label),
        group=group,
        annotators=snli_annotators(fields),
        parses=snli_parses(fields),
    )


def group_of(fields: Mapping[str, Any], columns: Iterable[str]) -> dict[str, str]:
    """The named slices among the columns, where they hold anything."""
    return {column: str(value) for column in columns if (value := fields.get(column)) not in (None, "")}
