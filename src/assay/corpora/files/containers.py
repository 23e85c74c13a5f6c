"""How a file stores its rows: detected from its bytes, then from its name."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat

from assay.core.errors import BadRecordError
from assay.corpora.files.compression import decompressed, on_disk, starts_as_parquet
from assay.corpora.files.delimited import delimited_table
from assay.corpora.files.frames import ENDINGS, frame_table
from assay.corpora.files.json_lines import json_table
from assay.corpora.files.lines import Recoded, TextLine, lines
from assay.corpora.files.parquet import parquet_table
from assay.corpora.files.source import Stream
from assay.corpora.files.table import LOOK, Table
from assay.corpora.files.vectors import is_vector, vector_table

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@contextmanager
def opened(stream: Stream, *, encoding: str) -> Iterator[Table | None]:
    """The table in a file, or None if the file is empty."""
    with decompressed(stream) as file:
        if stream.name.endswith(".parquet") or starts_as_parquet(file):
            with on_disk(file, stream) as path:
                yield parquet_table(stream.name, path, where=stream.where)
        elif stream.name.endswith(ENDINGS):
            with on_disk(file, stream) as path:
                yield frame_table(stream.name, path, where=stream.where)
        else:
            utf8 = encoding.lower() in ("utf-8", "utf8")
            yield text_table(stream.name, lines(file if utf8 else Recoded(file, encoding)), where=stream.where)


def text_table(name: str, source: Iterable[TextLine], *, where: str) -> Table | None:
    """Detect how a text file stores its rows from the first readable line."""
    source = iter(source)
    early: list[Iterable[TextLine]] = []
    first = b""
    blank = faults = 0
    for number, line in enumerate(source, 1):
        if isinstance(line, BadRecordError):
            faults += 1
        else:
            line = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
            first = line.strip()
            if not first:
                blank += 1
                continue
        # Blank lines are counted but not kept: a small compressed file can begin with a hundred million of them.
        early += (repeat(b"", blank), (line,))
        blank = 0
        if first or faults == LOOK:
            break
    every = chain(*early, source)
    if not (first or faults):
        return None
    if first.startswith((b"{", b"[")) or name.endswith((".jsonl", ".json")):
        return json_table(name, every)
    if is_vector(first):
        return vector_table(name, every, width=first.count(b" "))
    return delimited_table(name, every, where=where)
