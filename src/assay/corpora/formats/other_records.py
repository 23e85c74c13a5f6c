"""Formats whose rows are not pairs: word problems, word vectors, labelled texts."""

from typing import ClassVar

from assay.core.errors import BadRecordError
from assay.core.label import LabelReader
from assay.core.pair import LabelledText, Problem, WordVector
from assay.core.protocols import Row, Sample
from assay.corpora.formats.pairs import id_of_line, missing_column_error, text_in


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
