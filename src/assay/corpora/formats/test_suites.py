"""Built test sets as corpora: the released stress tests of Naik et al., and suites of Assay."""

import json
import re
from typing import Any, ClassVar

import msgspec

from assay.core.case import ORIGINAL, Case
from assay.core.edit import Skip
from assay.core.errors import BadRecordError
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.pairs import group_of, pair_or_skip, snli_pair, text_in

RELEASED_FILES = {
    "antonym": ("antonymy", ""),
    "length_mismatch": ("length-mismatch", ""),
    "negation": ("negation", ""),
    "quant_hard": ("numeracy", ""),
    "quant_test": ("numeracy", ""),
    "taut2": ("word-overlap", ""),
    "dev_gram_contentword_swap_perturbed": ("spelling", "content-word"),
    "dev_gram_functionword_swap_perturbed": ("spelling", "function-word"),
    "dev_gram_keyboard": ("spelling", "keyboard"),
    "dev_gram_swap": ("spelling", "adjacent-swap"),
}
"""Family and variant by the stem of the released file, between the prefix and the split."""

SOURCE = re.compile(r"(?P<stem>.+?)(?:_(?P<split>matched|mismatched))?")
IN_SUBMISSIONS = {**RELEASED_FILES, "mnli_dev": (ORIGINAL, ""), "wordoverlap": ("word-overlap", "")}
"""Family and variant, by the names that the stress tests' evaluator uses."""

NAME = re.compile(r"multinli_0\.9_(?P<stem>.+?)(?:_(?P<split>matched|mismatched))?\.(?:jsonl|txt)")


def released_test(source: str) -> tuple[str, str] | None:
    """Family and variant of a source that a submission names; None if it is not a released test.

    >>> released_test("negation_matched"), released_test("mnli_dev_mismatched"), released_test("my_test")
    (('negation', ''), ('original', ''), None)
    """
    name = SOURCE.fullmatch(source)
    return IN_SUBMISSIONS.get(name["stem"]) if name else None


class StressTests:
    """MultiNLI records in files with the released names. Pair ids repeat there, so the file and line serve as ids."""

    title: ClassVar = "released stress tests, archive or file, jsonl and txt"
    needs: ClassVar = (frozenset({"gold_label"}),)

    def recognise(self, sample: Sample) -> int:
        name = NAME.fullmatch(sample.name)
        return 4 if name and name["stem"] in RELEASED_FILES else 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        stem = row.file.rpartition(".")[0]
        group = group_of(row.fields, ("genre", "source"))
        if (name := NAME.fullmatch(row.file)) and name["stem"] in RELEASED_FILES:
            family, variant = RELEASED_FILES[name["stem"]]
            released = {"family": family, "variant": variant, "split": name["split"]}
            group |= group_of(released, released)
        return snli_pair(row, label, identity=f"{stem}:{row.number}", group=group)


NO_LABEL = Skip("a case without a label")


class AssaySuite:
    """Cases keep their ids; family and variant become slices."""

    title: ClassVar = "a suite of Assay: its folder, or its file of cases"
    needs: ClassVar = (frozenset(Case.__struct_fields__),)

    def recognise(self, sample: Sample) -> int:  # noqa: ARG002 - the columns tell
        return 3

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        provenance = _read_nested(fields.get("provenance"))
        edit = provenance.get("edit")
        if isinstance(edit, dict) and edit.get("expects", "label") != "label":
            return NO_LABEL
        nested = _read_nested(fields.get("group"))
        pair = pair_or_skip(
            identity=fields.get("id"),
            premise=text_in(fields, "premise"),
            hypothesis=text_in(fields, "hypothesis"),
            label=label(fields.get("label")),
            group=group_of(nested, nested) | group_of(fields, ("family", "variant")),
        )
        root = str(provenance.get("root") or fields.get("origin") or "")
        unit = str(provenance.get("unit") or "")
        return msgspec.structs.replace(pair, root=root, unit=unit) if isinstance(pair, Pair) else pair


def _read_nested(value: Any) -> dict[str, Any]:
    """A nested field, which a table stores as text."""
    try:
        nested = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return {}
    except RecursionError as error:
        raise BadRecordError("nested too deeply", detail=repr(value)[:60]) from error
    return nested if isinstance(nested, dict) else {}
