"""The sentence-embedding transfer tasks: one text or two, and a class."""

from typing import ClassVar

from assay.core.label import LabelReader
from assay.core.pair import LabelledText
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import id_of_line, missing, text


class Transfer:
    """Labelled texts, not pairs: `text` or `text_a` and `text_b`, and `label`."""

    title: ClassVar = "transfer tasks (MR, CR, SUBJ, MPQA, SST2, TREC, MRPC), jsonl"

    def recognise(self, sample: Sample) -> int:
        columns = set(sample.columns)
        return 2 if "label" in columns and ("text" in columns or {"text_a", "text_b"} <= columns) else 0

    def record(self, row: Row, label: LabelReader) -> LabelledText:  # noqa: ARG002 - these classes are not NLI labels
        fields = row.fields
        if "label" not in fields:
            raise missing(fields, "label")
        paired = "text_a" in fields
        return LabelledText(
            id=id_of_line(row),
            text=text(fields, "text_a" if paired else "text"),
            text_b=text(fields, "text_b") if paired else None,
            label=str(fields["label"]),
        )
