"""The formats of released data: NLI corpora, word problems, word vectors and labelled texts."""

from typing import ClassVar

import msgspec

from assay.core.edit import Skip
from assay.core.errors import BadRecordError
from assay.core.label import LabelReader
from assay.core.pair import LabelledText, Pair, Problem, WordVector
from assay.core.protocols import Row, Sample
from assay.corpora.formats.pairs import (
    UNLABELLED,
    gold_label,
    group_of,
    id_of_line,
    missing_column_error,
    pair_or_skip,
    parses_of,
    snli_annotators,
    snli_pair,
    text_in,
)
from assay.language.text.tokens import exchanged_words

SNLI_COLUMNS = frozenset({"gold_label", "sentence1", "sentence2"})


class SnliFormat:
    """Pairs with the columns of SNLI, and optional columns that become slices."""

    slices: ClassVar[tuple[str, ...]] = ()

    def recognise(self, sample: Sample) -> int:  # noqa: ARG002 - the columns tell
        return 3

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        return snli_pair(row, label, group=group_of(row.fields, self.slices))


class Snli(SnliFormat):
    """Pairs with parses and five annotators' labels."""

    title: ClassVar = "SNLI, jsonl and txt"
    needs: ClassVar = (SNLI_COLUMNS,)

    def recognise(self, sample: Sample) -> int:
        return 3 if "captionID" in sample.columns else 2 if "sentence1_binary_parse" in sample.columns else 1


class MultiNli(SnliFormat):
    """Pairs with genre, parses and annotators' labels."""

    title: ClassVar = "MultiNLI, jsonl and txt"
    needs: ClassVar = (SNLI_COLUMNS | {"genre"},)
    slices: ClassVar = ("genre",)

    def recognise(self, sample: Sample) -> int:
        return 3 if "promptID" in sample.columns else 2


class Hans(SnliFormat):
    """Two-way pairs by heuristic, subcase and template."""

    title: ClassVar = "HANS, txt and jsonl"
    needs: ClassVar = (SNLI_COLUMNS | {"heuristic", "subcase"},)
    slices: ClassVar = ("heuristic", "subcase", "template")


class BreakingNli(SnliFormat):
    """Pairs that differ in one word, by category, with three annotators' labels."""

    title: ClassVar = "Breaking NLI, jsonl"
    needs: ClassVar = (SNLI_COLUMNS | {"category", "annotator_labels"},)
    slices: ClassVar = ("category",)

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        pair = super().record(row, label)
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


class AquaRat:
    """Problems, not pairs: the numeracy tests take their premises from them."""

    title: ClassVar = "AQuA-RAT problems, json lines"
    needs: ClassVar = (frozenset({"question", "options", "correct"}),)

    def recognise(self, sample: Sample) -> int:  # noqa: ARG002 - the columns tell
        return 3

    def record(self, row: Row, label: LabelReader) -> Problem:  # noqa: ARG002 - a problem has no label
        options = row.fields.get("options")
        if not isinstance(options, list):
            raise BadRecordError("column 'options' is not a list", detail=repr(options)[:60])
        return Problem(
            id=id_of_line(row),
            question=text_in(row.fields, "question"),
            options=tuple(map(str, options)),
            rationale=str(row.fields.get("rationale") or ""),
            correct=text_in(row.fields, "correct"),
        )


class Glove:
    """Vectors, not pairs."""

    title: ClassVar = "GloVe word vectors, txt"
    needs: ClassVar = (frozenset({"word", "values"}),)

    def recognise(self, sample: Sample) -> int:
        return 3 if sample.container == "vectors" else 0

    def record(self, row: Row, label: LabelReader) -> WordVector:  # noqa: ARG002 - a vector has no label
        values = row.fields.get("values")
        if not isinstance(values, tuple):
            raise BadRecordError("not a word vector", detail=repr(values)[:60])
        return WordVector(id=text_in(row.fields, "word"), values=values)


class LabelledTexts:
    """Labelled texts, not pairs: `text_in` or `text_a` and `text_b`, and `label`."""

    title: ClassVar = "transfer tasks (MR, CR, SUBJ, MPQA, SST2, TREC, MRPC), jsonl"
    needs: ClassVar = (frozenset({"label", "text"}), frozenset({"label", "text_a", "text_b"}))

    def recognise(self, sample: Sample) -> int:  # noqa: ARG002 - the columns tell
        return 2

    def record(self, row: Row, label: LabelReader) -> LabelledText:  # noqa: ARG002 - these classes are not NLI labels
        fields = row.fields
        if "label" not in fields:
            raise missing_column_error(fields, "label")
        paired = "text_a" in fields
        return LabelledText(
            id=id_of_line(row),
            text=text_in(fields, "text_a" if paired else "text"),
            text_b=text_in(fields, "text_b") if paired else None,
            label=str(fields["label"]),
        )
