"""JSON lines to rows."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from assay.core.errors import BadRecordError
from assay.core.protocols import Row
from assay.corpora.files.lines import TextLine
from assay.corpora.files.table import Fault, Table, repeated, table, wrong_encoding

HINT = "One JSON object per line is expected."
ARRAY_HINT = "This looks like a JSON array: convert it to one object per line with `jq -c '.[]'`."


def json_table(name: str, source: Iterable[TextLine]) -> Table:
    """The objects of a file, one per line; blank lines are ignored."""
    return table(name, "jsonl", _rows(name, source))


def _rows(name: str, source: Iterable[TextLine]) -> Iterator[Row | Fault]:
    decode = msgspec.json.Decoder().decode
    for number, line in enumerate(source, 1):
        try:
            if isinstance(line, BadRecordError):
                raise line
            fields = decode(line)
            if type(fields) is not dict:
                raise BadRecordError("not a JSON object", detail=_start(line), hint=_hint(line))
            # Each key has a colon, so only a line with more colons than keys can have a duplicate key.
            if line.count(b":") != len(fields) and (fault := _repeated_key(line)):
                raise fault
        except BadRecordError as error:
            yield Fault(number, error)
        except UnicodeDecodeError as error:
            yield Fault(number, wrong_encoding(error))
        except RecursionError:
            yield Fault(number, BadRecordError("nested too deeply", detail=_start(line), hint=_hint(line)))  # type: ignore[arg-type]
        except msgspec.DecodeError as error:
            if line.strip():  # type: ignore[union-attr]
                yield Fault(number, BadRecordError("not JSON", detail=f"{error} in {_start(line)}", hint=_hint(line)))  # type: ignore[arg-type]
        else:
            yield Row(number, fields, name)


def _repeated_key(line: bytes) -> BadRecordError | None:
    def check(pairs: list[tuple[str, Any]]) -> None:
        if fault := repeated([key for key, _ in pairs]):
            raise fault

    try:
        json.loads(line, object_pairs_hook=check)
    except BadRecordError as fault:
        return fault
    return None


def _hint(line: bytes) -> str:
    return ARRAY_HINT if line.lstrip().startswith(b"[") else HINT


def _start(line: bytes) -> str:
    text = line[:60].decode("utf-8", "replace")
    return repr(text + ("..." if len(line) > 60 else ""))
