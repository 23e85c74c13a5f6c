"""MoNLI, JSON lines."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.protocols import Row
from assay.corpora.formats.phenomena.by_columns import SNLI_NAMES, ByColumns

PARTS = {"pmonli": "positive", "nmonli": "negated"}
"""The parts of the set, by how the names of their files begin."""


class MoNli(ByColumns):
    """Two-way pairs with one word replaced; the change and the part of the set become slices."""

    title: ClassVar = "MoNLI, jsonl"
    columns: ClassVar = frozenset({*SNLI_NAMES, "sentence1_lex", "sentence2_lex", "depth"})
    names: ClassVar = SNLI_NAMES
    two_way: ClassVar = True

    def group(self, fields: Mapping[str, Any], row: Row) -> dict[str, str]:
        """Whether the new word is more general, and which part of the set it is.

        >>> MoNli().group({"depth": -2}, Row(1, {}, "nmonli_test.jsonl"))
        {'change': 'specific', 'part': 'negated'}
        """
        found = {"change": "specific" if str(fields.get("depth")).startswith("-") else "general"}
        part = PARTS.get(row.file[:6].lower())
        return found | {"part": part} if part else found
