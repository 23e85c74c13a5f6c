"""Counterfactually revised NLI (Kaushik et al. 2020), tab-separated."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import id_of_texts
from assay.corpora.formats.phenomena.by_columns import SNLI_NAMES, ByColumns


class Counterfactual(ByColumns):
    """Pairs of SNLI and their revisions. Texts that contain quotation marks are quoted, unlike in other such files."""

    title: ClassVar = "counterfactually revised NLI, tsv"
    columns: ClassVar = frozenset(SNLI_NAMES)
    names: ClassVar = SNLI_NAMES

    def fits(self, first: Mapping[str, Any], sample: Sample) -> bool:
        return sample.container == "tsv" and first.keys() == self.columns

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        plain = {name: unquoted(value) if isinstance(value, str) else value for name, value in row.fields.items()}
        found = super().record(Row(row.number, plain, row.file), label)
        if isinstance(found, Skip):
            return found
        # Other people's files have the same three columns, and may be edited.
        return msgspec.structs.replace(found, id=id_of_texts(found.premise, found.hypothesis))


def unquoted(value: str) -> str:
    """A field without the quotation marks that were put around it and doubled inside it when it was written.

    >>> unquoted('"He said ""no"" twice."'), unquoted('"No," he said.'), unquoted('"Quoted whole."')
    ('He said "no" twice.', '"No," he said.', '"Quoted whole."')
    """
    inside = value[1:-1]
    written = value.startswith('"') and value.endswith('"') and '""' in inside and '"' not in inside.replace('""', "")
    return inside.replace('""', '"') if written else value
