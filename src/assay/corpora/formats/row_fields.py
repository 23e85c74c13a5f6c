"""Columns of a row: finding them, and reading text, ids and labels from them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from assay.core.case import text_digest
from assay.core.edit import Skip
from assay.core.errors import BadRecordError, did_you_mean
from assay.core.label import THREE_WAY, ColumnQuestion, Label, LabelReader, question_in
from assay.core.pair import Pair, Parses
from assay.core.protocols import Row

UNLABELLED = Skip("no gold label")
EMPTY_PREMISE = Skip("empty premise")
EMPTY_HYPOTHESIS = Skip("empty hypothesis")

NO_GROUP: dict[str, str] = {}
"""Shared by pairs without slices; pairs are never changed."""

NO_PARSES = Parses()

ANNOTATORS = tuple(f"label{i}" for i in range(1, 6))


def text_in(fields: Mapping[str, Any], column: str) -> str:
    """The text in a required column."""
    value = fields.get(column)
    if isinstance(value, str):
        return value
    if column in fields:
        raise BadRecordError(f"column {column!r} is not text", detail=repr(value)[:60])
    raise missing_column_error(fields, column)


def missing_column_error(columns: Collection[str], column: str) -> BadRecordError:
    """The error for a row that lacks a column."""
    return BadRecordError(
        f"no column {column!r}",
        detail=f"there are {', '.join(map(repr, columns))}{did_you_mean(column, columns)}"
        if columns
        else "the row is empty",
        hint="Name the columns, for example --columns premise=text_a,hypothesis=text_b,label=y.",
    )


def gold_label(fields: Mapping[str, Any], column: str, label: LabelReader) -> Label | None:
    """The gold label in a required column."""
    if column not in fields:
        raise missing_column_error(fields, column)
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
        written = fields.get(column)
        return written if written and isinstance(written, str) else None

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
        premise=text_in(fields, "sentence1"),
        hypothesis=text_in(fields, "sentence2"),
        label=gold_label(fields, "gold_label", label),
        group=group,
        annotators=snli_annotators(fields),
        parses=parses_of(fields),
    )


def group_of(fields: Mapping[str, Any], columns: Iterable[str]) -> dict[str, str]:
    """The columns that are named slices, if they are not empty."""
    return {column: str(value) for column in columns if (value := fields.get(column)) not in (None, "")}


USUAL: Mapping[str, tuple[str, ...]] = {
    "premise": ("premise", "sentence1", "sentence_A"),
    "hypothesis": ("hypothesis", "sentence2", "sentence_B"),
    "label": ("gold_label", "label", "gold", "entailment_judgment"),
    "id": ("id", "uid", "pairID", "pair_ID", "idx", "index", "guid"),
}
"""Names that mean a field wherever they occur; the first one that is there wins."""

CLAIMS = ("claim", "answer", "statement")
"""Names of a hypothesis in data sets of claims, which number their labels in several orders."""

LOOSE: Mapping[str, tuple[str, ...]] = {
    "premise": ("prem", "context", "evidence", "text", "document", "passage"),
    "hypothesis": ("hyp", *CLAIMS),
    "label": ("labels", "verdict", "gold_label_*"),
    "id": (),
}
"""Names that often mean a field: a single match is taken and noted; several are refused."""


class FoundColumn(NamedTuple):
    """The column of a field."""

    column: str
    """Its name in the table; empty if there is none."""
    told: str = ""
    """A note for the user on the choice; empty if it is plain."""


@lru_cache(maxsize=256)
def usual_column(columns: tuple[str, ...], field: str) -> FoundColumn:
    """The column of a field, whatever its case; two that are equally likely are refused.

    >>> usual_column(("Premise", "hyp", "label"), "premise").column
    'Premise'
    >>> usual_column(("evidence", "claim", "label"), "premise")
    FoundColumn(column='evidence', told='premise=evidence')
    """
    named = named_columns(columns, USUAL[field])
    if named:
        if len({column.lower() for column in named}) < len(named) and named[0] not in USUAL[field]:
            raise _ambiguous_error(field, named)
        return FoundColumn(named[0])
    likely = named_columns(columns, LOOSE[field])
    if field == "label" and len(named_columns(columns, [label.value for label in THREE_WAY])) < 2:  # else probabilities
        likely += [column for column in columns if question_in(column).supports is not None]
    if len(likely) > 1:
        raise _ambiguous_error(field, likely)
    return FoundColumn(likely[0], f"{field}={likely[0]}") if likely else FoundColumn("")


def question_of(column: str) -> ColumnQuestion | None:
    """The question of a column of labels; None if it is named as a label, so that yes is as good as supported.

    >>> question_of("Gold_Label"), question_of("unsupported")
    (None, ColumnQuestion(column='unsupported', supports=False))
    """
    return None if named_columns([column], (*USUAL["label"], *LOOSE["label"])) else question_in(column)


def named_columns(columns: Iterable[str], names: Sequence[str]) -> list[str]:
    """The columns that have one of these names, in the order of the names; the exact spelling comes first.

    A name that ends in * stands for all that begin so.
    """
    columns = list(columns)
    matching: list[str] = []
    for name in names:
        folded = name.lower()
        if name.endswith("*"):
            fits = [column for column in columns if column.lower().startswith(folded[:-1])]
        else:
            fits = [column for column in columns if column.lower().strip() == folded]
        matching += sorted((column for column in fits if column not in matching), key=lambda column: column != name)
    return matching


def _ambiguous_error(field: str, columns: list[str]) -> BadRecordError:
    options = " or ".join(f"--columns {field}={column}" for column in columns)
    return BadRecordError(
        f"{len(columns)} columns could be the {field}",
        detail=", ".join(map(repr, columns)),
        hint=f"Choose one: {options}.",
    )
