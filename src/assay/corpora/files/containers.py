"""How a file stores its rows: told from its bytes, then from its name."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain

from assay.core.errors import BadRecordError
from assay.corpora.files.compression import decompressed, on_disk, starts_as_parquet
from assay.corpora.files.delimited import delimited_table
from assay.corpora.files.json_lines import json_table
from assay.corpora.files.lines import Recoded, TextLine, lines
from assay.corpora.files.parquet import parquet_table
from assay.corpora.files.source import Stream
from assay.corpora.files.table import LOOK, Table
from assay.corpora.files.vectors import is_vector, vector_table

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@contextmanager
def opened(stream: Stream, *, encoding: str) -> Iterator[Table | None]:
    """The table in a file, or None if there is no line in it."""
    with decompressed(stream) as file:
        if stream.name.endswith(".parquet") or starts_as_parquet(file):
            with on_disk(file, stream) as path:
                yield parquet_table(stream.name, path, where=stream.where)
        else:
            utf8 = encoding.lower() in ("utf-8", "utf8")
            yield text_table(stream.name, lines(file if utf8 else Recoded(file, encoding)), where=stream.where)


def text_table(name: str, source: Iterable[TextLine], *, where: str) -> Table | None:
    """Look at the first line that can be read to see how a text file stores its rows."""
    source = iter(source)
    early: list[TextLine] = []
    first = b""
    faults = 0
    for line in source:
        if isinstance(line, BadRecordError):
            faults += 1
        elif not early:
            line = line.removeprefix(BYTE_ORDER_MARK)
        early.append(line)
        if faults == LOOK or (isinstance(line, bytes) and (first := line.strip())):
            break
    every = chain(early, source)
    if not (first or faults):
        return None
    if first.startswith((b"{", b"[")) or name.endswith((".jsonl", ".json")):
        return json_table(name, every)
    if is_vector(first):
        return vector_table(name, every, width=first.count(b" "))
    return delimited_table(name, every, where=where)
