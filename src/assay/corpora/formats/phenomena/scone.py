"""ScoNe-NLI, csv: one file for each condition."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.protocols import Row, Sample
from assay.corpora.formats.phenomena.by_columns import SNLI_NAMES, ByColumns


class ScoNe(ByColumns):
    """Two-way pairs by the number and scope of negations, which the name of the file tells.

    Most files also hold the pair of MoNLI that each pair was made from: the texts of ScoNe are in the edited columns.
    """

    title: ClassVar = "ScoNe-NLI, csv"
    columns: ClassVar = frozenset({"sentence1", "sentence2", "sentence1_lex", "sentence2_lex"})
    names: ClassVar = {**SNLI_NAMES, **{f"{column}_edited": name for column, name in SNLI_NAMES.items()}}
    two_way: ClassVar = True

    def fits(self, first: Mapping[str, Any], sample: Sample) -> bool:  # noqa: ARG002 - the row tells
        return "depth" not in first

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:  # noqa: ARG002 - the file tells
        """The condition.

        >>> ScoNe().group({}, Row(1, {}, "two_scoped.csv"))
        {'condition': 'two_scoped'}
        """
        condition = row.file.rpartition(".")[0]
        return {"condition": condition} if condition else {}
