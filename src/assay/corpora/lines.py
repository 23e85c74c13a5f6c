"""Bytes to lines, with a bound on what one line may cost."""

from collections.abc import Iterator
from typing import IO, NamedTuple

from assay.core.errors import BadRecordError
from assay.corpora.source import damage

LINE_LIMIT = 16 << 20
"""Bytes in a line: a record larger than this is no sentence pair."""

CHUNK = 1 << 18


class Line(NamedTuple):
    """A line, or what is wrong with it."""

    number: int
    """From 1."""
    data: bytes
    """Without its end; empty where there is a fault."""
    fault: BadRecordError | None = None
    """Why it can't be read."""


def lines(stream: IO[bytes], *, limit: int = LINE_LIMIT) -> Iterator[Line]:
    r"""The lines of a stream; memory stays flat however long a line is.

    >>> import io
    >>> [line.data for line in lines(io.BytesIO(b"a\r\nb"))]
    [b'a', b'b']
    """
    number = 0
    carry = b""
    overlong = False
    first = True
    while True:
        try:
            chunk = stream.read(CHUNK)
        except Exception as error:
            fact = damage(error)
            if fact is None:
                raise
            yield Line(number + 1, b"", BadRecordError(fact, hint="Get the file again, or compress it again."))
            return
        if not chunk:
            break
        if first:
            chunk = chunk.removeprefix(b"\xef\xbb\xbf")
            first = False
        *whole, rest = chunk.split(b"\n")
        if not whole:
            carry += rest
        else:
            whole[0] = carry + whole[0]
            carry = rest
            for data in whole:
                number += 1
                if overlong:
                    overlong = False
                    yield _overlong(number, limit)
                elif len(data) > limit:
                    yield _overlong(number, limit)
                else:
                    yield _checked(number, data)
        if len(carry) > limit:
            overlong = True
            carry = b""
    if overlong:
        yield _overlong(number + 1, limit)
    elif carry:
        yield _checked(number + 1, carry)


def _checked(number: int, data: bytes) -> Line:
    if b"\0" in data:
        fault = BadRecordError("NUL byte in the line", hint="The file is binary, damaged or UTF-16; try --encoding utf-16.")
        return Line(number, b"", fault)
    return Line(number, data[:-1] if data.endswith(b"\r") else data)


def _overlong(number: int, limit: int) -> Line:
    fault = BadRecordError(
        f"line of more than {limit >> 20} MiB",
        hint="This is no sentence pair. One record a line is expected: convert a JSON array with `jq -c '.[]'`.",
    )
    return Line(number, b"", fault)
