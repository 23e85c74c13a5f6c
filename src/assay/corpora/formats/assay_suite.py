"""The cases of a suite as pairs, so that further tests can be built from them."""

import json
from typing import Any, ClassVar

import msgspec

from assay.core.case import Case
from assay.core.edit import Skip
from assay.core.errors import BadRecordError
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Sample
from assay.corpora.formats.fields import group_of, pair_or_skip, text

NO_LABEL = Skip("a case that claims no label")


class AssaySuite:
    """Cases keep their ids; family and variant become slices."""

    title: ClassVar = "a suite of Assay: its folder, or its file of cases"

    def recognise(self, sample: Sample) -> int:
        return 3 if set(Case.__struct_fields__) <= set(sample.columns) else 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        fields = row.fields
        provenance = _nested(fields.get("provenance"))
        edit = provenance.get("edit")
        if isinstance(edit, dict) and edit.get("expects", "label") != "label":
            return NO_LABEL
        nested = _nested(fields.get("group"))
        found = pair_or_skip(
            identity=fields.get("id"),
            premise=text(fields, "premise"),
            hypothesis=text(fields, "hypothesis"),
            label=label(fields.get("label")),
            group=group_of(nested, nested) | group_of(fields, ("family", "variant")),
        )
        root = str(provenance.get("root") or fields.get("origin") or "")
        unit = str(provenance.get("unit") or "")
        return msgspec.structs.replace(found, root=root, unit=unit) if isinstance(found, Pair) else found


def _nested(value: Any) -> dict[str, Any]:
    """A nested field, which a table stores as text."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return {}
    except RecursionError as error:
        raise BadRecordError("nested too deeply", detail=repr(value)[:60]) from error
    return found if isinstance(found, dict) else {}
