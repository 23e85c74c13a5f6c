"""Sets that test single phenomena, such as negation or monotonicity, known by their columns."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from assay.core.edit import Skip
from assay.core.label import Label, LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.pairs import UNLABELLED, group_of, id_of_line, id_of_texts, pair_or_skip, text_in

SNLI_NAMES = {"sentence1": "premise", "sentence2": "hypothesis", "gold_label": "label"}
"""The columns of SNLI and of sets that follow it."""

TWO_LABELS = "the set has two labels, so neutral was read as non-entailment; --input-format pairs keeps neutral"


class ByColumns:
    """A format with columns that no other one has; all names of columns are in lower case here."""

    title: ClassVar[str]
    needs: ClassVar[tuple[frozenset[str], ...]]
    names: ClassVar[Mapping[str, str]] = {}
    """Columns that hold a premise, hypothesis, label or id under another name; the last one that is there wins."""
    is_binary: ClassVar[bool] = False  # True if the set has only two labels, and calls one of them neutral
    numbered: ClassVar[bool] = False  # True if it is published with numbers for labels, those of SNLI

    def __init__(self) -> None:
        self.note = ""  # a note for the user on how labels were read

    def recognise(self, sample: Sample) -> int:
        return 4 if self.fits(fold_columns(sample.first), sample.container) else 0

    def fits(self, first: Mapping[str, Any], container: str) -> bool:  # noqa: ARG002 - for formats that need it
        """True if the first row, and the kind of file, are of this format too."""
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
            group=self.group(fields, row),
        )

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - for formats that need it
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

    title: ClassVar = "counterfactually revised NLI, tsv"
    needs: ClassVar = (frozenset(SNLI_NAMES),)
    names: ClassVar = SNLI_NAMES

    def fits(self, first: Mapping[str, Any], container: str) -> bool:
        return container == "tsv" and first.keys() == self.needs[0]

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

    title: ClassVar = "CURRICULUM, jsonl"
    needs: ClassVar = (frozenset({"premise", "hypothesis", "gold_label", "idx"}),)
    names: ClassVar = {"gold_label": "label", "idx": "id"}

    def fits(self, first: Mapping[str, Any], container: str) -> bool:
        return container == "jsonl" and first.keys() == self.needs[0]


SLICES = ("lexical semantics", "predicate-argument structure", "logic", "knowledge", "domain")


class GlueDiagnostic(ByColumns):
    """Pairs by phenomenon, of four kinds, and by domain."""

    title: ClassVar = "GLUE's diagnostic set, tsv"
    needs: ClassVar = (frozenset({"premise", "hypothesis", *SLICES}),)

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """The phenomena.

        >>> GlueDiagnostic().group({"logic": "Negation", "knowledge": ""}, Row(1, {}))
        {'logic': 'Negation'}
        """
        return {name.replace(" ", "-"): str(fields[name]) for name in SLICES if fields.get(name)}


IMPPRES_SLICES = ("uid", "trigger", "trigger1", "trigger2", "presupposition", "item_type", "spec_relation", "lexemes")
MISSING = "Not_In_Example"
"""The value in the hub's tables where a pair has no such field: control items have two triggers."""
BY_LOGIC = "labels are those of logic (gold_label_log); --columns label=gold_label_prag reads the pragmatic ones"


class Imppres(ByColumns):
    """Implicatures have two labels: the one of logic counts, and the pragmatic one becomes a slice."""

    title: ClassVar = "IMPPRES, jsonl and hub"
    needs: ClassVar = (frozenset({"gold_label_log", "gold_label_prag"}), frozenset({"gold_label", "uid", "paradigmid"}))
    names: ClassVar = {**SNLI_NAMES, "gold_label_log": "label"}
    numbered: ClassVar = True

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """The phenomenon, and a listener's reading of the pair.

        >>> Imppres().group({"item_type": "target", "gold_label_prag": "neutral"}, Row(1, {}))
        {'item_type': 'target', 'pragmatic': 'neutral'}
        """
        slices = group_of({name: value for name, value in fields.items() if value != MISSING}, IMPPRES_SLICES)
        if "gold_label_prag" in fields:
            self.note = BY_LOGIC
            slices["pragmatic"] = str(fields["gold_label_prag"])
        return slices


MONOTONE = "_monotone"


class Med(ByColumns):
    """Two-way pairs by monotonicity. Tags in the column of the genre tell it from MultiNLI."""

    title: ClassVar = "MED, tsv"
    needs: ClassVar = (frozenset({"index", "genre", *SNLI_NAMES}),)
    names: ClassVar = {**SNLI_NAMES, "index": "id"}
    is_binary: ClassVar = True

    def fits(self, first: Mapping[str, Any], container: str) -> bool:  # noqa: ARG002 - the row tells
        return MONOTONE in str(first.get("genre"))

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """The source of the pair, its direction, and the other tags.

        >>> Med().group({"genre": "crowd:downward_monotone:lexical_knowledge"}, Row(1, {}))
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

    title: ClassVar = "MoNLI, jsonl"
    needs: ClassVar = (frozenset({*SNLI_NAMES, "sentence1_lex", "sentence2_lex", "depth"}),)
    names: ClassVar = SNLI_NAMES
    is_binary: ClassVar = True

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:
        """The direction of the change, and the part of the set.

        >>> MoNli().group({"depth": -2}, Row(1, {}, "nmonli_test.jsonl"))
        {'change': 'specific', 'part': 'negated'}
        """
        slices = {"change": "specific" if str(fields.get("depth")).startswith("-") else "general"}
        part = PARTS.get(row.file[:6].lower())
        return slices | {"part": part} if part else slices


class NegationNli(ByColumns):
    """Pairs of RTE, SNLI and MultiNLI with a negation added to one text or to both."""

    title: ClassVar = "negation benchmarks of RTE, SNLI and MultiNLI, txt and tsv"
    needs: ClassVar = (frozenset({"index", "gold_label"}),)
    names: ClassVar = {**SNLI_NAMES, "text": "premise", "index": "id"}

    def fits(self, first: Mapping[str, Any], container: str) -> bool:
        clean = first.keys() >= {"text", "hypothesis"}
        return container == "tsv" and (clean or first.get("pairid") == "pairID")

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        # In the prepared files, unused columns hold their own name in every row: in that of SNLI, even the id.
        used = {name: value for name, value in row.fields.items() if str(value).lower() != name.strip().lower()}
        return super().record(Row(row.number, used, row.file), label)


class ScoNe(ByColumns):
    """Two-way pairs by the number and scope of negations, which the name of the file tells.

    Most files also hold the pair of MoNLI that each pair was made from: the texts of ScoNe are in the edited columns.
    """

    title: ClassVar = "ScoNe-NLI, csv"
    needs: ClassVar = (frozenset({"sentence1", "sentence2", "sentence1_lex", "sentence2_lex"}),)
    names: ClassVar = {**SNLI_NAMES, **{f"{column}_edited": name for column, name in SNLI_NAMES.items()}}
    is_binary: ClassVar = True

    def fits(self, first: Mapping[str, Any], container: str) -> bool:  # noqa: ARG002 - the row tells
        return "depth" not in first

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the file tells
        """The condition.

        >>> ScoNe().group({}, Row(1, {}, "two_scoped.csv"))
        {'condition': 'two_scoped'}
        """
        condition = row.file.rpartition(".")[0]
        return {"condition": condition} if condition else {}


CATEGORIES = (
    *("lexical_linguistic", "syntactic_linguistic", "factivity_linguistic", "negation_logic", "boolean_logic"),
    *("quantifier_logic", "conditional_logic", "comparative_logic", "relational_reasoning", "spatial_reasoning"),
    *("temporal_reasoning", "causal_reasoning", "coreference_reasoning", "world_knowledge", "taxonomic_knowledge"),
)
"""Columns that hold 1 if the answer takes this skill, which is the first word of the name."""


class TaxiNli(ByColumns):
    """Pairs of MultiNLI by what it takes to answer them. Pair ids repeat, so lines serve as ids."""

    title: ClassVar = "TaxiNLI, tsv"
    needs: ClassVar = (frozenset({"prem", "hyp", "label", *CATEGORIES}),)
    names: ClassVar = {"prem": "premise", "hyp": "hypothesis"}

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the row tells
        """The genre, and each category that applies.

        >>> TaxiNli().group({"genre": "slate", "negation_logic": "1", "world_knowledge": "0"}, Row(1, {}))
        {'genre': 'slate', 'negation': 'yes'}
        """
        needed = {column.partition("_")[0]: "yes" for column in CATEGORIES if str(fields.get(column)) in ("1", "1.0")}
        return group_of(fields, ("genre",)) | needed
