"""Where bytes come from: a path, standard input, a folder, a zip; gzip and zstandard are opened on the way."""

import codecs
import gzip
import io
import os
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple, cast

from assay.core.errors import BadInputError

DATA_ENDINGS = (".jsonl", ".json", ".txt", ".tsv", ".csv", ".parquet")
COMPRESSED_ENDINGS = (".gz", ".zst")
NO_DATA = ("readme", "license", "licence", "manifest.json", "record.json", ".", "__macosx")

STDIN = "-"


class Stream(NamedTuple):
    """One file to read, wherever it lies."""

    name: str
    """Its own name, without folders and compression."""
    where: str
    """How to name it to the user."""
    open: Callable[[], IO[bytes]]
    """Opens the raw bytes."""


def streams(path: str) -> list[Stream]:
    """The files behind what the user named, in order.

    A path may go on inside of a zip: `snli_1.0.zip/snli_1.0/snli_1.0_dev.jsonl`.
    """
    if path == STDIN:
        return [Stream("standard input", "standard input", lambda: sys.stdin.buffer)]
    archive, inner = _split_at_zip(path)
    if archive is not None:
        return _zip_members(archive, inner)
    place = Path(path)
    if place.is_dir():
        found = sorted(p for p in place.rglob("*") if p.is_file() and _is_data(p.relative_to(place).as_posix()))
        if not found:
            raise BadInputError("no data file in this folder", where=path, hint=f"Expected {', '.join(DATA_ENDINGS)}.")
        return _prefer_json_lines([_file(p) for p in found])
    if not place.exists():
        raise BadInputError("no such file", where=path, hint="Check the path; `-` reads standard input.")
    return [_file(place)]


@contextmanager
def decompressed(stream: Stream) -> Iterator[IO[bytes]]:
    """The stream's bytes, with gzip and zstandard taken off, whatever the file is called."""
    try:
        raw = stream.open()
    except (OSError, RuntimeError, NotImplementedError) as error:  # the last two: an encrypted or exotic zip member
        raise BadInputError(f"can't be opened: {error}", where=stream.where) from error
    buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", raw))
    try:
        magic = buffered.peek(4)[:4]
        if magic[:2] == b"\x1f\x8b":
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=buffered))
        elif magic == b"\x28\xb5\x2f\xfd":
            import zstandard

            yield cast("IO[bytes]", zstandard.ZstdDecompressor().stream_reader(buffered, read_across_frames=True))
        else:
            yield buffered
    finally:
        if raw is not sys.stdin.buffer:
            buffered.close()


class Recoded:
    """A stream of another encoding, read as UTF-8."""

    def __init__(self, stream: IO[bytes], encoding: str, *, where: str) -> None:
        self._stream = stream
        self._where = where
        try:
            self._decoder = codecs.getincrementaldecoder(encoding)()
        except LookupError as error:
            raise BadInputError(f"no encoding {encoding!r}", where=where, hint="For example --encoding latin-1, or utf-16.") from error

    def read(self, size: int) -> bytes:
        """The next bytes; empty only at the end."""
        while chunk := self._stream.read(size):
            if text := self._decode(chunk):
                return text.encode()
        return self._decode(b"", final=True).encode()

    def _decode(self, chunk: bytes, *, final: bool = False) -> str:
        try:
            return self._decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            raise BadInputError(f"not {error.encoding} text: {error.reason}", where=self._where, hint="Try another --encoding.") from error


def damage(error: Exception) -> str | None:
    """What is wrong with a compressed file, if the error says that it is damaged."""
    if isinstance(error, EOFError):
        return "the compressed file is cut off"
    if isinstance(error, gzip.BadGzipFile | zlib.error | zipfile.BadZipFile):
        return f"the compressed file is damaged ({error})"
    if type(error).__name__ == "ZstdError":
        return f"the compressed file is damaged ({error})"
    return None


@contextmanager
def as_path(stream: Stream) -> Iterator[Path]:
    """A file on disk with the stream's decompressed bytes, for readers that need to seek."""
    with decompressed(stream) as file:
        if isinstance(file, io.BufferedReader) and isinstance(file.raw, io.FileIO) and os.path.isfile(stream.where):
            yield Path(stream.where)
            return
        with tempfile.NamedTemporaryFile() as spool:
            while chunk := file.read(1 << 20):
                spool.write(chunk)
            spool.flush()
            yield Path(spool.name)


def own_name(path: str) -> str:
    """A file's name without folders and compression.

    >>> own_name("data/dev.jsonl.gz")
    'dev.jsonl'
    """
    name = PurePosixPath(path.replace("\\", "/")).name
    for ending in COMPRESSED_ENDINGS:
        name = name.removesuffix(ending)
    return name


def _file(path: Path) -> Stream:
    return Stream(own_name(path.name), str(path), lambda: path.open("rb"))


def _is_data(name: str) -> bool:
    parts = name.lower().split("/")
    return own_name(parts[-1]).endswith(DATA_ENDINGS) and not any(part.startswith(NO_DATA) for part in parts)


def _prefer_json_lines(found: list[Stream]) -> list[Stream]:
    """Leave out a text or csv copy of what is there as JSON lines too, as the releases have it."""
    stems = {s.where.removesuffix(".jsonl") for s in found if s.where.endswith(".jsonl")}
    return [s for s in found if s.where.endswith(".jsonl") or os.path.splitext(s.where)[0] not in stems]


def _split_at_zip(path: str) -> tuple[Path | None, str]:
    place = Path(path)
    for candidate in (place, *place.parents):
        if candidate.is_file():
            if not zipfile.is_zipfile(candidate):
                return None, ""
            return candidate, place.relative_to(candidate).as_posix() if candidate != place else ""
    return None, ""


def _zip_members(archive: Path, inner: str) -> list[Stream]:
    try:
        with zipfile.ZipFile(archive) as file:
            names = [info.filename for info in file.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        raise BadInputError(f"not a readable zip: {error}", where=str(archive)) from error
    for name in names:
        parts = PurePosixPath(name.replace("\\", "/"))
        if parts.is_absolute() or ".." in parts.parts or ":" in parts.parts[0]:
            raise BadInputError(
                f"the zip has a member whose path leaves the folder: {name!r}",
                where=str(archive),
                hint="Don't trust this archive; get it again from its source.",
            )
    if inner and inner not in names:
        names = [name for name in names if name.startswith(inner.rstrip("/") + "/")]
        if not names:
            raise BadInputError(f"no member {inner!r} in the zip", where=str(archive), hint="`unzip -l` lists the members.")
    elif inner:
        return [_member(archive, inner)]
    found = [_member(archive, name) for name in sorted(names) if _is_data(name)]
    if not found:
        raise BadInputError("no data file in the zip", where=str(archive), hint=f"Expected {', '.join(DATA_ENDINGS)}.")
    return _prefer_json_lines(found)


def _member(archive: Path, name: str) -> Stream:
    def open_member() -> IO[bytes]:
        return zipfile.ZipFile(archive).open(name)

    return Stream(own_name(name), f"{archive}/{name}", open_member)
