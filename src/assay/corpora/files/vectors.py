"""Word vectors in a text file to rows."""

from collections.abc import Iterable, Iterator

from assay.core.errors import BadRecordError
from assay.core.protocols import Row
from assay.corpora.files.lines import TextLine
from assay.corpora.files.table import Fault, Table, table

MIN_DIMENSIONS = 10
"""A line with a word and fewer numbers than this is not a word vector."""


def is_vector(line: bytes) -> bool:
    """Whether a line is a word and its numbers.

    >>> is_vector(b"dog " + b" ".join([b"0.1"] * 50)), is_vector(b"a dog barks")
    (True, False)
    """
    word, *values = line.split(b" ")
    if len(values) < MIN_DIMENSIONS or not word:
        return False
    try:
        return all(float(value) is not None for value in values)
    except ValueError:
        return False


def vector_table(name: str, source: Iterable[TextLine], *, width: int) -> Table:
    """A word and `width` numbers per line; the word itself may contain blanks."""
    return table(name, "vectors", _rows(name, source, width))


def _rows(name: str, source: Iterable[TextLine], width: int) -> Iterator[Row | Fault]:
    for number, line in enumerate(source, 1):
        try:
            if isinstance(line, BadRecordError):
                raise line
            word, *values = line.rstrip().rsplit(b" ", width)
            if len(values) == width:
                yield Row(number, {"word": word.decode(), "values": tuple(map(float, values))}, name)
            elif line.strip():
                raise BadRecordError(
                    "wrong number of dimensions", detail=f"{len(values)}, but the first line has {width}"
                )
        except BadRecordError as error:
            yield Fault(number, error)
        except ValueError as error:
            yield Fault(number, BadRecordError("not a word vector", detail=str(error)))
