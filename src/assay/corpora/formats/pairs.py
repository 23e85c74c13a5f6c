"""The generic reader: any table with a premise, a hypothesis and a label under known or given names."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from assay.core.case import text_digest
from assay.core.edit import Skip
from assay.core.errors import BadRecordError, UserError, did_you_mean
from assay.core.label import THREE_WAY, ColumnQuestion, Label, LabelReader, question_in
from assay.core.pair import Pair, Parses
from assay.core.protocols import Row, Sample

UNLABELLED = Skip("no gold label")
EMPTY_PREMISE = Skip("empty premise")
EMPTY_HYPOTHESIS = Skip("empty hypothesis")
NO_GROUP: dict[str, str] = {}  # shared by pairs without slices; pairs are never changed
NO_PARSES = Parses()

ANNOTATORS = tuple(f"label{i}" for i in range(1, 6))


def text_in(fields: Mapping[str, Any], column: str) -> str:
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
    if column not in fields:
        raise missing_column_error(fields, column)
    return label(fields[column])


def id_of_texts(premise: str, hypothesis: str) -> str:
    """The id of a pair that has none of its own: the same in every file that has the pair, wherever it is in the file.

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
    column: str  # its name in the table; empty if there is none
    told: str = ""  # a note for the user on the choice; empty if it is plain


@lru_cache(maxsize=256)
def usual_column(columns: tuple[str, ...], field: str) -> FoundColumn:
    """The column of a field, in upper or lower case; an error if two columns are equally likely.

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

    A name that ends in * matches all names with that beginning.
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


NEEDED = ("premise", "hypothesis", "label")

SLICES = ("genre", "category", "heuristic", "subcase", "template", "family", "variant")


MOST_GROUPS = 30  # a column with more values than this hardly divides a corpus into groups

TOLD_APART = ("annotator", "group", "label", "pred", "prob", "score")
"""Beginnings of the names of columns that are no groups: they are read otherwise, or hold a model's answers."""


class ColumnLayout(NamedTuple):
    columns: tuple[str, ...]
    premise: str
    hypothesis: str
    label: str
    question: ColumnQuestion | None  # the question of that column, if yes and no are answers in it
    id: str  # the column of the id, which need not exist
    slices: tuple[str, ...]  # the columns that become slices of the same name
    unread: tuple[str, ...]  # the other columns, which may divide the corpus into groups
    rich: bool  # True if there are parses, annotators' labels or a group of slices


class Pairs:
    """Columns by their usual names, or as `--columns` says; further names there become slices."""

    title: ClassVar = "any jsonl, csv, tsv, parquet, Arrow or xlsx with premise, hypothesis and label"

    def __init__(self, columns: Mapping[str, str] | None = None) -> None:
        self.columns = columns or {}
        self._own_slices = [(name, column) for name, column in self.columns.items() if name not in USUAL]
        self._layout: ColumnLayout | None = None
        self._rows = 0
        self._unread: dict[str, set[str]] = {}  # the values of each column that is not read, until they are too many
        self.notes: dict[str, None] = {}  # columns that were found under a name that is less than plain, in order

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
                raise UserError(
                    f"--columns {name}={column}: no such column in {sample.name}{guess} Choose from {there}."
                )

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        columns = tuple(fields)
        layout = self._layout
        if layout is None or layout.columns != columns:
            layout = self._layout = self._layout_of(columns)
        self._rows += 1
        for column in layout.unread:
            values = self._unread.setdefault(column, set())
            if len(values) <= MOST_GROUPS and isinstance(value := fields[column], str | int | bool) and value != "":
                values.add(str(value))
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
        identity = find("id")
        read = {premise, hypothesis, label, identity, *SLICES, *self.columns.values()}
        return ColumnLayout(
            columns,
            premise=premise,
            hypothesis=hypothesis,
            label=label,
            question=question_of(label),
            id=identity,
            slices=tuple(column for column in SLICES if column in columns),
            unread=tuple(
                column
                for column in columns
                if column not in read and not column.lower().startswith(TOLD_APART) and not {*column} & {*",="}
            ),
            rich=any(
                column.endswith("_parse") or column in ("annotator_labels", "label1", "group") for column in columns
            ),
        )

    def unread_groups(self) -> dict[str, int]:
        """Columns that were not read although they divide the records into groups, with their numbers of values."""
        sizes = {column: len(values) for column, values in self._unread.items()}
        return {column: n for column, n in sizes.items() if 2 <= n <= min(MOST_GROUPS, self._rows // 2)}

    def _group(self, fields: Mapping[str, Any], layout: ColumnLayout) -> dict[str, str]:
        nested = fields.get("group")
        group = group_of(nested, nested) if isinstance(nested, dict) else {}
        group |= group_of(fields, layout.slices)
        return group | {
            name: str(fields[column]) for name, column in self._own_slices if fields.get(column) not in (None, "")
        }
