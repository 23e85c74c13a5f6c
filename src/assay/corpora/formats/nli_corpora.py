"""The released NLI corpora: SNLI, MultiNLI, Breaking NLI, SciTail, SICK, GLUE's tasks and HANS."""

from typing import ClassVar

import msgspec

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.pairs import (
    UNLABELLED,
    gold_label,
    group_of,
    id_of_line,
    pair_or_skip,
    parses_of,
    snli_annotators,
    snli_pair,
    text_in,
)
from assay.language.text.tokens import exchanged_words

SNLI_COLUMNS = frozenset({"gold_label", "sentence1", "sentence2"})


class Snli:
    """Pairs with parses and five annotators' labels."""

    title: ClassVar = "SNLI, jsonl and txt"
    needs: ClassVar = (SNLI_COLUMNS,)

    def recognise(self, sample: Sample) -> int:
        return 3 if "captionID" in sample.columns else 2 if "sentence1_binary_parse" in sample.columns else 1

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        return snli_pair(row, label)


class MultiNli:
    """Pairs with genre, parses and annotators' labels."""

    title: ClassVar = "MultiNLI, jsonl and txt"
    needs: ClassVar = (SNLI_COLUMNS | {"genre"},)

    def recognise(self, sample: Sample) -> int:
        return 3 if "promptID" in sample.columns else 2

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        return snli_pair(row, label, group=group_of(row.fields, ("genre",)))


class BreakingNli:
    """Pairs that differ in one word, by category, with three annotators' labels."""

    title: ClassVar = "Breaking NLI, jsonl"
    needs: ClassVar = (SNLI_COLUMNS | {"category", "annotator_labels"},)

    def recognise(self, sample: Sample) -> int:  # noqa: ARG002 - the columns tell
        return 3

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        pair = snli_pair(row, label, group=group_of(row.fields, ("category",)))
        if isinstance(pair, Skip):
            return pair
        return msgspec.structs.replace(pair, unit=exchanged_words(pair.premise, pair.hypothesis))


class SciTail:
    """Science questions as hypotheses; two labels, entails and neutral. Line numbers serve as ids."""

    title: ClassVar = "SciTail, snli, predictor, tsv and dgem formats"
    needs: ClassVar = (SNLI_COLUMNS, frozenset({"0", "1", "2"}))

    def recognise(self, sample: Sample) -> int:
        columns = set(sample.columns)
        if sample.container == "tsv" and columns in ({"0", "1", "2"}, {"0", "1", "2", "3"}):
            return 3
        if {"sentence1", "sentence2", "gold_label", "question", "answer"} <= columns:
            return 3
        if {"sentence1", "sentence2", "gold_label", "annotator_labels"} <= columns and not columns & {
            "pairID",
            "captionID",
        }:
            return 3 if "scitail" in sample.name.lower() or sample.first.get("gold_label") == "entails" else 1
        return 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        if "0" not in fields:
            return snli_pair(row, label, identity=id_of_line(row))
        return pair_or_skip(
            identity=id_of_line(row),
            premise=text_in(fields, "0"),
            hypothesis=text_in(fields, "1"),
            label=gold_label(fields, "2", label),
        )


class Sick:
    """Compositional pairs; the relatedness score is kept as a slice."""

    title: ClassVar = "SICK, tab-separated txt"
    needs: ClassVar = (frozenset({"pair_ID", "sentence_A", "sentence_B"}),)

    def recognise(self, sample: Sample) -> int:  # noqa: ARG002 - the columns tell
        return 3

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        judgment = "entailment_label" if "entailment_label" in fields else "entailment_judgment"
        return pair_or_skip(
            identity=fields.get("pair_ID"),
            premise=text_in(fields, "sentence_A"),
            hypothesis=text_in(fields, "sentence_B"),
            label=gold_label(fields, judgment, label),
            group=group_of(fields, ("relatedness_score",)),
        )


class Glue:
    """Rows with an index; test files have no label column, and all their records are left out as unlabelled."""

    title: ClassVar = "GLUE MNLI and RTE, tsv"
    needs: ClassVar = (frozenset({"index", "sentence1", "sentence2"}),)

    def recognise(self, sample: Sample) -> int:
        return 3 if sample.container == "tsv" else 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        value = fields.get("gold_label", fields.get("label"))
        if value is None:
            return UNLABELLED
        return pair_or_skip(
            identity=fields.get("pairID") or fields.get("index"),
            premise=text_in(fields, "sentence1"),
            hypothesis=text_in(fields, "sentence2"),
            label=label(value),
            group=group_of(fields, ("genre",)),
            annotators=snli_annotators(fields),
            parses=parses_of(fields),
        )


class Hans:
    """Two-way pairs by heuristic, subcase and template."""

    title: ClassVar = "HANS, txt and jsonl"
    needs: ClassVar = (SNLI_COLUMNS | {"heuristic", "subcase"},)

    def recognise(self, sample: Sample) -> int:  # noqa: ARG002 - the columns tell
        return 3

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        return snli_pair(row, label, group=group_of(row.fields, ("heuristic", "subcase", "template")))
