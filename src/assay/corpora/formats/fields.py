"""What the formats share: getting text, ids and labels out of a row."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from assay.core.case import text_digest
from assay.core.edit import Skip
from assay.core.errors import BadRecordError, did_you_mean
from assay.core.label import Label, LabelReader
from assay.core.pair import Pair, Parses
from assay.core.protocols import Row

UNLABELLED = Skip("no gold label")
EMPTY_PREMISE = Skip("empty premise")
EMPTY_HYPOTHESIS = Skip("empty hypothesis")

NO_GROUP: dict[str, str] = {}
"""Shared by pairs without slices; pairs are never changed."""

NO_PARSES = Parses()

ANNOTATORS = tuple(f"label{i}" for i in range(1, 6))


def text(fields: Mapping[str, Any], column: str) -> str:
    """The text in a required column."""
    value = fields.get(column)
    if isinstance(value, str):
        return value
    if column in fields:
        raise BadRecordError(f"column {column!r} is not text", detail=repr(value)[:60])
    raise missing(fields, column)


def missing(columns: Collection[str], column: str) -> BadRecordError:
    """The error for a row that lacks a column."""
    return BadRecordError(
        f"no column {column!r}",
        detail=f"there are {', '.join(map(repr, columns))}{did_you_mean(column, columns)}"
        if columns
        else "the row is empty",
        hint="Name the columns, for example --columns premise=text_a,hypothesis=text_b,label=y.",
    )


def gold(fields: Mapping[str, Any], column: str, label: LabelReader) -> Label | None:
    """The gold label in a required column."""
    if column not in fields:
        raise missing(fields, column)
    return label(fields[column])


def id_of_texts(premise: str, hypothesis: str) -> str:
    """The id of a pair that has none of its own: the same in every file that has the pair, wherever it stands there.

    >>> id_of_texts("It rains.", "It is wet.")
    'text-872c9b18b651a13d'
    """
    return f"text-{text_digest(premise, hypothesis)}"


def id_of_line(row: Row) -> str:
    """The id of a row in a published file without ids, which nobody inserts rows into.

    >>> id_of_line(Row(7, {}))
    'row-7'
    """
    return f"row-{row.number}"


def pair_or_skip(
    *,
    identity: object,
    premise: str,
    hypothesis: str,
    label: Label | None,
    group: dict[str, str] = NO_GROUP,
    annotators: tuple[str, ...] = (),
    parses: Parses | None = None,
) -> Pair | Skip:
    """The pair, unless it has no gold label or a text is empty; a pair without an id is named by its texts."""
    if label is None:
        return UNLABELLED
    if not premise or premise.isspace():
        return EMPTY_PREMISE
    if not hypothesis or hypothesis.isspace():
        return EMPTY_HYPOTHESIS
    return Pair(
        id=id_of_texts(premise, hypothesis) if identity is None or identity == "" else str(identity),
        premise=premise,
        hypothesis=hypothesis,
        label=label,
        group=group,
        annotators=annotators,
        parses=parses,
    )


def parses_of(fields: Mapping[str, Any], premise: str = "sentence1", hypothesis: str = "sentence2") -> Parses | None:
    """The trees in the columns next to the two texts, under SNLI's names."""

    def tree(column: str) -> str | None:
        found = fields.get(column)
        return found if found and isinstance(found, str) else None

    parses = Parses(
        premise=tree(f"{premise}_parse"),
        hypothesis=tree(f"{hypothesis}_parse"),
        premise_binary=tree(f"{premise}_binary_parse"),
        hypothesis_binary=tree(f"{hypothesis}_binary_parse"),
    )
    return None if parses == NO_PARSES else parses


def snli_annotators(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The annotators' labels: a list in JSON, columns label1 to label5 in text files."""
    listed = fields.get("annotator_labels")
    if not isinstance(listed, list):
        listed = [fields.get(column) for column in ANNOTATORS] if "label1" in fields else ()
    return tuple(str(value) for value in listed if value not in (None, ""))


def snli_pair(
    row: Row, label: LabelReader, *, identity: object = None, group: dict[str, str] = NO_GROUP
) -> Pair | Skip:
    """A pair with the column names of SNLI, which MultiNLI, HANS and the stress tests share."""
    fields = row.fields
    return pair_or_skip(
        identity=fields.get("pairID") if identity is None else identity,
        premise=text(fields, "sentence1"),
        hypothesis=text(fields, "sentence2"),
        label=gold(fields, "gold_label", label),
        group=group,
        annotators=snli_annotators(fields),
        parses=parses_of(fields),
    )


def group_of(fields: Mapping[str, Any], columns: Iterable[str]) -> dict[str, str]:
    """The columns that are named slices, if they are not empty."""
    return {column: str(value) for column in columns if (value := fields.get(column)) not in (None, "")}
