"""Word vectors in GloVe's text format: a word and its numbers, separated by blanks."""

from typing import ClassVar

from assay.core.errors import BadRecordError
from assay.core.label import LabelReader
from assay.core.pair import WordVector
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import text


class Glove:
    """Vectors, not pairs."""

    title: ClassVar = "GloVe word vectors, txt"

    def recognise(self, sample: Sample) -> int:
        return 3 if sample.container == "vectors" else 0

    def record(self, row: Row, label: LabelReader) -> WordVector:  # noqa: ARG002 - a vector has no label
        values = row.fields.get("values")
        if not isinstance(values, tuple):
            raise BadRecordError("not a word vector", detail=repr(values)[:60])
        return WordVector(id=text(row.fields, "word"), values=values)
