"""Files of the formats, as bytes."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple


class Example(NamedTuple):
    """A file of a format, and what its first record must become."""

    file: str
    format: str
    data: bytes
    first: Mapping[str, Any]
    rows: int = 2
    unlabelled: int = 1


def jsonl(*rows: Mapping[str, object]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def tsv(*rows: Mapping[str, str], end: str = "\n") -> bytes:
    return (
        end.join("\t".join(line) for line in [list(rows[0]), *(list(row.values()) for row in rows)]).encode()
        + end.encode()
    )
