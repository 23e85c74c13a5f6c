"""Bytes to lines, with a limit on the length of a line."""

import codecs
from collections.abc import Iterator
from typing import Protocol

from assay.core.errors import BadRecordError, UserError
from assay.corpora.files.compression import DAMAGE, damage

LINE_LIMIT = 16 << 20
"""The most bytes in a line: a larger record is not a sentence pair."""

CHUNK = 1 << 18

INVALID = "assay-invalid"
"""What can't be decoded becomes a byte that is not UTF-8 either, so that the error is reported for its line."""

codecs.register_error(INVALID, lambda error: ("\udcff", getattr(error, "end", 0)))

TextLine = bytes | BadRecordError
"""A line without its line feed, or why it can't be read."""


class Readable(Protocol):
    """Where lines come from."""

    def read1(self, size: int, /) -> bytes:
        """Some bytes, at most `size`; none at the end."""


def lines(stream: Readable) -> Iterator[TextLine]:
    r"""The lines of a stream, one item per line; memory stays flat however long a line is.

    >>> import io
    >>> list(lines(io.BytesIO(b"a\nb")))
    [b'a', b'b']
    >>> list(lines(io.BytesIO(b"a\rb")))
    [b'a', b'b']
    """
    parts: list[bytes] = []
    size = 0
    end_of_line = b""
    while True:
        try:
            chunk = stream.read1(CHUNK)
        except DAMAGE as error:
            yield damage(error)
            return
        except UnicodeError as error:  # UTF-16 without a byte order mark
            yield BadRecordError("wrong encoding", detail=str(error), hint="Try another --encoding, such as utf-16-le.")
            return
        if not chunk:
            break
        if not end_of_line:  # files of old Macintosh programs have bare carriage returns
            end_of_line = b"\r" if b"\r" in chunk[:-1] and b"\n" not in chunk else b"\n"
        end, *others = chunk.split(end_of_line)
        size += len(end)
        if size <= LINE_LIMIT:
            parts.append(end)
        else:
            parts.clear()
        if others:
            yield _joined(parts, size)
            last = others.pop()
            if b"\0" in chunk:
                others = [_joined([line], len(line)) for line in others]  # type: ignore[misc]
            yield from others
            parts, size = [last], len(last)
    if size:
        yield _joined(parts, size)


class Recoded:
    """A stream in another encoding, converted to UTF-8."""

    def __init__(self, stream: Readable, encoding: str) -> None:
        self._stream = stream
        try:
            "a".encode(encoding)  # rejects codecs that are not for text
            self._decode = codecs.getincrementaldecoder(encoding)(INVALID).decode
        except (LookupError, ValueError) as error:
            raise UserError(
                f"--encoding {encoding}: no such encoding.\n  Use for example --encoding latin-1 or utf-16."
            ) from error

    def read1(self, size: int, /) -> bytes:
        """The next bytes; empty only at the end."""
        text = ""
        while not text and (chunk := self._stream.read1(size)):
            text = self._decode(chunk)
        return (text or self._decode(b"", True)).encode("utf-8", "surrogateescape")


def _joined(parts: list[bytes], size: int) -> TextLine:
    if size > LINE_LIMIT:
        return BadRecordError(
            f"line of more than {LINE_LIMIT >> 20} MiB",
            hint="Not a sentence pair. One record per line is expected: convert a JSON array with `jq -c '.[]'`.",
        )
    line = b"".join(parts)
    if b"\0" in line:
        return BadRecordError(
            "NUL byte in the line", hint="The file is binary, damaged or UTF-16; try --encoding utf-16."
        )
    return line
