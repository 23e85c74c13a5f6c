"""AQuA-RAT: algebra word problems, raw or tokenised, as JSON lines."""

from typing import ClassVar

from assay.core.errors import BadRecordError
from assay.core.label import LabelReader
from assay.core.pair import Problem
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import id_of_line, text


class AquaRat:
    """Problems, not pairs: the numeracy tests take their premises from them."""

    title: ClassVar = "AQuA-RAT problems, json lines"

    def recognise(self, sample: Sample) -> int:
        return 3 if {"question", "options", "correct"} <= set(sample.columns) else 0

    def record(self, row: Row, label: LabelReader) -> Problem:  # noqa: ARG002 - a problem has no label
        options = row.fields.get("options")
        if not isinstance(options, list):
            raise BadRecordError("column 'options' is not a list", detail=repr(options)[:60])
        return Problem(
            id=id_of_line(row),
            question=text(row.fields, "question"),
            options=tuple(map(str, options)),
            rationale=str(row.fields.get("rationale") or ""),
            correct=text(row.fields, "correct"),
        )
