"""Decompressing gzip and zstandard streams, and noticing damage."""

import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from assay.core.errors import BadInputError, BadRecordError
from assay.core.scratch import scratch
from assay.corpora.files.source import Stream

GZIP = b"\x1f\x8b"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
PARQUET = b"PAR1"

MOST_UNPACKED = 256 << 20
"""How many bytes any file may unpack to."""
MOST_TIMES = 250
"""How many times its size a file may unpack to beyond that: HANS has 10, a million rows with one premise 130."""

DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
"""What reading a damaged file raises."""


def damage(error: Exception) -> BadRecordError:
    """Say in one sentence that a file ends too early or can't be read further."""
    fact = "the compressed file is truncated" if isinstance(error, EOFError) else f"the file is damaged ({error})"
    return BadRecordError(fact, hint="Download the file again, or compress it again.")


@contextmanager
def decompressed(stream: Stream) -> Iterator[io.BufferedReader]:
    """The stream's bytes, decompressed if they are gzip or zstandard, whatever the file's name."""
    with ExitStack() as stack:
        try:
            raw = stream.open()
            if stream.owned:
                stack.callback(raw.close)
            file = _unpacked(raw, stream)
        except (*DAMAGE, RuntimeError, NotImplementedError) as error:  # the last two: an encrypted or exotic zip member
            hint = "Check that it is complete, not encrypted, and that you have permission to read it."
            raise BadInputError(f"can't be opened: {error}", where=stream.where, hint=hint) from error
        yield file


def starts_as_parquet(file: io.BufferedReader) -> bool:
    """Whether the bytes are those of a parquet file."""
    try:
        return file.peek(4)[:4] == PARQUET
    except DAMAGE:
        return False  # reading it will say what is wrong


@contextmanager
def on_disk(file: io.BufferedReader, stream: Stream) -> Iterator[Path]:
    """The decompressed bytes as a file, for a reader that needs to seek."""
    if isinstance(file, io.BufferedReader) and isinstance(file.raw, io.FileIO) and isinstance(file.name, str):
        yield Path(file.name)
        return
    with scratch() as folder, (folder / "corpus").open("wb") as spool:
        try:
            while chunk := file.read1(1 << 20):
                spool.write(chunk)
        except DAMAGE as error:
            fault = damage(error)
            raise BadInputError(str(fault), where=stream.where, hint=fault.hint) from error
        spool.flush()
        yield folder / "corpus"


def _unpacked(raw: IO[bytes], stream: Stream) -> io.BufferedReader:
    file = cast("io.BufferedReader", raw)
    magic = file.peek(4)[:4]
    if magic.startswith(GZIP):
        packed = _Counted(file)
        return io.BufferedReader(Bounded(gzip.GzipFile(fileobj=cast("IO[bytes]", packed)), stream, packed))
    if magic == ZSTANDARD:
        packed = _Counted(file)
        return io.BufferedReader(Bounded(io.BufferedReader(Zstandard(packed)), stream, packed))
    if isinstance(raw, zipfile.ZipExtFile):
        return io.BufferedReader(Bounded(raw, stream))
    return file


class _Counted:
    """A packed file of which we know how much was read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.count = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self.count += len(data)
        return data


class Bounded(io.RawIOBase):
    """Unpacked bytes. A file that unpacks to far more than a corpus can is refused."""

    def __init__(self, file: io.BufferedIOBase, stream: Stream, packed: _Counted | None = None) -> None:
        self._file = file
        self._stream = stream
        self._packed = packed
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """Fill as much of the target as there is."""
        data = self._file.read1(len(target))
        self._count += len(data)
        stored = self._packed.count if self._stream.size is None and self._packed else self._stream.size or 0
        if self._count > max(MOST_UNPACKED, MOST_TIMES * stored):
            raise BadInputError(
                f"it unpacks to more than {MOST_TIMES} times its size, and to more than {MOST_UNPACKED >> 20} MiB",
                where=self._stream.where,
                hint="No corpus packs so well: it may be made to fill the memory. If you trust it, unpack it first.",
            )
        target[: len(data)] = data
        return len(data)


class Zstandard(io.RawIOBase):
    """Decompressed zstandard frames. A truncated one is an error; the library's own reader ignores it."""

    STEP = 1 << 10
    """Compressed bytes to read at a time: one byte can expand to 32 KiB."""

    def __init__(self, file: _Counted) -> None:
        import zstandard

        self._file = file
        self._library = zstandard
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._begun = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """Fill as much of the target as one step allows."""
        while not self._ready:
            if self._frame.eof:
                packed = self._frame.unused_data or self._file.read(self.STEP)
                self._frame = self._library.ZstdDecompressor().decompressobj()
                self._begun = False
            else:
                packed = self._file.read(self.STEP)
            if not packed:
                if self._begun:
                    raise EOFError
                return 0
            self._begun = True
            try:
                self._ready = memoryview(self._frame.decompress(packed))
            except self._library.ZstdError as error:
                raise OSError(str(error)) from error
        size = min(len(target), len(self._ready))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
