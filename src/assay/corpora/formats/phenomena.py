"""Sets that test single phenomena, such as negation or monotonicity, known by the columns in `phenomena.toml`."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, ClassVar

import msgspec

from assay.core.edit import Skip
from assay.core.label import Label, LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.pairs import UNLABELLED, group_of, id_of_line, id_of_texts, pair_or_skip, text_in

_SETS: dict[str, Any] = tomllib.loads((files("assay.corpora") / "formats" / "phenomena.toml").read_text("utf-8"))

TWO_LABELS = "the set has two labels, so neutral was read as non-entailment; --input-format pairs keeps neutral"


class ByColumns:
    """A format with columns that no other one has; all names of columns are in lower case here."""

    title: ClassVar[str]
    needs: ClassVar[tuple[frozenset[str], ...]]
    container: ClassVar[str]  # empty if any will do
    is_exact: ClassVar[bool]  # True if further columns make it another format
    names: ClassVar[Mapping[str, str]]
    slices: ClassVar[tuple[str, ...]]
    is_binary: ClassVar[bool]  # True if the set has only two labels, and calls one of them neutral
    numbered: ClassVar[bool]  # True if it is published with numbers for labels, those of SNLI

    def __init_subclass__(cls) -> None:
        known = _SETS[cls.__name__]
        cls.title, cls.needs = known["title"], tuple(map(frozenset, known["needs"]))
        cls.container, cls.is_exact = known.get("container", ""), known.get("is_exact", False)
        cls.names, cls.slices = known.get("names", {}), tuple(known.get("slices", ()))
        cls.is_binary, cls.numbered = known.get("is_binary", False), known.get("numbered", False)

    def __init__(self) -> None:
        self.note = ""  # for the user, on how labels were read

    def recognise(self, sample: Sample) -> int:
        first = fold_columns(sample.first)
        if self.container not in ("", sample.container) or (self.is_exact and first.keys() != self.needs[0]):
            return 0
        return 4 if self.fits(first) else 0

    def fits(self, first: Mapping[str, Any]) -> bool:  # noqa: ARG002 - for formats that need it
        """True if the first row is of this format too."""
        return True

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = fold_columns(row.fields)
        for own, name in self.names.items():
            if own in fields:
                fields[name] = fields[own]
        if "label" not in fields:
            return UNLABELLED
        return pair_or_skip(
            identity=id_of_line(row) if fields.get("id") in (None, "") else fields["id"],
            premise=text_in(fields, "premise"),
            hypothesis=text_in(fields, "hypothesis"),
            label=self._label(fields["label"], label),
            group=self.group(fields, row.file),
        )

    def group(self, fields: Mapping[str, Any], file: str) -> dict[str, str]:  # noqa: ARG002 - for formats that need it
        return {}

    def _label(self, value: object, label: LabelReader) -> Label | None:
        gold = label(value)
        if self.is_binary and gold is Label.NEUTRAL and not label.own:
            self.note = TWO_LABELS
            return Label.NON_ENTAILMENT
        return gold


def fold_columns(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Values by the names of their columns in lower case.

    >>> fold_columns({"Premise": "It rains."})
    {'premise': 'It rains.'}
    """
    return {name.strip().lower(): value for name, value in fields.items()}


class Counterfactual(ByColumns):
    """Pairs of SNLI and their revisions. Texts that contain quotation marks are quoted, unlike in other such files."""

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        plain = {name: unquote(value) if isinstance(value, str) else value for name, value in row.fields.items()}
        pair = super().record(Row(row.number, plain, row.file), label)
        if isinstance(pair, Skip):
            return pair
        # Other people's files have the same three columns, and may be edited.
        return msgspec.structs.replace(pair, id=id_of_texts(pair.premise, pair.hypothesis))


def unquote(value: str) -> str:
    """A field without the quotation marks that were put around it and doubled inside it when it was written.

    >>> unquote('"He said ""no"" twice."'), unquote('"No," he said.'), unquote('"Quoted whole."')
    ('He said "no" twice.', '"No," he said.', '"Quoted whole."')
    """
    inside = value[1:-1]
    written = value.startswith('"') and value.endswith('"') and '""' in inside and '"' not in inside.replace('""', "")
    return inside.replace('""', '"') if written else value


class Curriculum(ByColumns):
    """Pairs with two labels or three, depending on the phenomenon."""


class GlueDiagnostic(ByColumns):
    """Pairs by phenomenon, of four kinds, and by domain."""

    def group(self, fields: Mapping[str, Any], file: str) -> dict[str, str]:  # noqa: ARG002 - the row tells
        return {name.replace(" ", "-"): str(fields[name]) for name in self.slices if fields.get(name)}


MISSING = "Not_In_Example"
"""The value in the hub's tables where a pair has no such field: control items have two triggers."""
BY_LOGIC = "labels are those of logic (gold_label_log); --columns label=gold_label_prag reads the pragmatic ones"


class Imppres(ByColumns):
    """Implicatures have two labels: the one of logic counts, and the pragmatic one becomes a slice."""

    def group(self, fields: Mapping[str, Any], file: str) -> dict[str, str]:  # noqa: ARG002 - the row tells
        slices = group_of({name: value for name, value in fields.items() if value != MISSING}, self.slices)
        if "gold_label_prag" in fields:
            self.note = BY_LOGIC
            slices["pragmatic"] = str(fields["gold_label_prag"])
        return slices


MONOTONE = "_monotone"


class Med(ByColumns):
    """Two-way pairs by monotonicity. Tags in the column of the genre tell it from MultiNLI."""

    def fits(self, first: Mapping[str, Any]) -> bool:
        return MONOTONE in str(first.get("genre"))

    def group(self, fields: Mapping[str, Any], file: str) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """The source of the pair, its direction, and the other tags.

        >>> Med().group({"genre": "crowd:downward_monotone:lexical_knowledge"}, "MED.tsv")
        {'source': 'crowd', 'monotonicity': 'downward', 'lexical-knowledge': 'yes'}
        """
        source, *tags = str(fields.get("genre", "")).split(":")
        slices = {"source": source}
        for tag in tags:
            if tag.endswith(MONOTONE):
                slices["monotonicity"] = tag.removesuffix(MONOTONE)
            else:
                slices[tag.strip().lower().replace("_", "-").replace(" ", "-")] = "yes"
        return slices


PARTS = {"pmonli": "positive", "nmonli": "negated"}  # the parts of the set, by how the names of their files begin


class MoNli(ByColumns):
    """Two-way pairs with one word replaced; the change and the part of the set become slices."""

    def group(self, fields: Mapping[str, Any], file: str) -> dict[str, str]:
        slices = {"change": "specific" if str(fields.get("depth")).startswith("-") else "general"}
        part = PARTS.get(file[:6].lower())
        return slices | {"part": part} if part else slices


class NegationNli(ByColumns):
    """Pairs of RTE, SNLI and MultiNLI with a negation added to one text or to both."""

    def fits(self, first: Mapping[str, Any]) -> bool:
        return first.keys() >= {"text", "hypothesis"} or first.get("pairid") == "pairID"

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        # In the prepared files, unused columns hold their own name in every row: in that of SNLI, even the id.
        used = {name: value for name, value in row.fields.items() if str(value).lower() != name.strip().lower()}
        return super().record(Row(row.number, used, row.file), label)


class ScoNe(ByColumns):
    """Two-way pairs by the number and scope of negations, which the name of the file tells.

    Most files also hold the pair of MoNLI that each pair was made from: the texts of ScoNe are in the edited columns.
    """

    def fits(self, first: Mapping[str, Any]) -> bool:
        return "depth" not in first

    def group(self, fields: Mapping[str, Any], file: str) -> dict[str, str]:  # noqa: ARG002 - the file tells
        condition = file.rpartition(".")[0]
        return {"condition": condition} if condition else {}


class TaxiNli(ByColumns):
    """Pairs of MultiNLI by what it takes to answer them. Pair ids repeat, so lines serve as ids."""

    def group(self, fields: Mapping[str, Any], file: str) -> dict[str, str]:  # noqa: ARG002 - the row tells
        needed = {column.partition("_")[0]: "yes" for column in self.slices if str(fields.get(column)) in ("1", "1.0")}
        return group_of(fields, ("genre",)) | needed
