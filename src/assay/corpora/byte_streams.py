"""From a path, standard input, a folder or a zip to lines of text."""

import atexit
import codecs
import gzip
import io
import lzma
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple, Protocol, cast

from assay.core.errors import BadInputError, BadRecordError, UserError
from assay.storage.folders import scratch
from assay.storage.remote import is_address, local

DATA_ENDINGS = (".jsonl", ".json", ".txt", ".tsv", ".csv", ".parquet", ".arrow", ".feather", ".xlsx")
COMPRESSED_ENDINGS = (".gz", ".zst")
NO_DATA = ("readme", "license", "licence", "manifest.json", "record.json", "problems.jsonl", ".", "__macosx")

STDIN = "-"
ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # the first bytes of a zip; the second is an empty one


class Stream(NamedTuple):
    """One file to read, wherever it is."""

    name: str  # its name, without folders and compression suffix
    where: str
    open: Callable[[], IO[bytes]]  # opens the raw bytes as a stream that can be peeked at
    owned: bool = True  # True if we must close it
    size: int | None = None  # its size in bytes where it is stored; None if that is not known


def open_streams(path: str) -> list[Stream]:
    """The files that a path or address means, in order; remote files are downloaded.

    A path may continue inside a zip: `snli_1.0.zip/snli_1.0/snli_1.0_dev.jsonl`.
    """
    if path == STDIN:
        return _standard_input()
    if is_address(path):
        copy = str(local(path))
        return [each._replace(where=each.where.replace(copy, path, 1)) for each in open_streams(copy)]
    place = Path(path)
    archive, inner = _split_at_zip(place)
    if archive is not None:
        return _zip_members(archive, inner, where=str(archive))
    if place.is_dir():
        paths = sorted(p for p in place.rglob("*") if p.is_file() and _is_data(p.relative_to(place).as_posix()))
        if not paths:
            raise BadInputError("no data file in this folder", where=path, hint=f"Expected {', '.join(DATA_ENDINGS)}.")
        return _drop_results(_prefer_json_lines([_open_file(p) for p in paths]))
    if not place.exists():
        raise BadInputError("no such file", where=path, hint="Check the path; `-` reads standard input.")
    return [_open_file(place)]


def own_name(path: str) -> str:
    """A file's name, without folders and compression suffix.

    >>> own_name("data/dev.jsonl.gz")
    'dev.jsonl'
    """
    name = PurePosixPath(path.replace("\\", "/")).name
    for ending in COMPRESSED_ENDINGS:
        name = name.removesuffix(ending)
    return name


def _open_file(path: Path) -> Stream:
    return Stream(own_name(path.name), str(path), lambda: path.open("rb"), size=path.stat().st_size)


def _is_data(name: str) -> bool:
    parts = name.lower().split("/")
    return own_name(parts[-1]).endswith(DATA_ENDINGS) and not any(part.startswith(NO_DATA) for part in parts)


def _prefer_json_lines(found: list[Stream]) -> list[Stream]:
    """Leave out text or csv copies of JSON lines files, which published data sets contain."""
    stems = {stem for stem, ending in map(_split_stem, found) if ending == ".jsonl"}
    return [s for s in found if _split_stem(s)[1] == ".jsonl" or _split_stem(s)[0] not in stems]


SAMPLES, RESULTS = "samples_", "results_"  # files of lm-evaluation-harness: samples of each task, and all metrics


def _drop_results(found: list[Stream]) -> list[Stream]:
    """Leave out metrics that are stored next to samples."""
    folders = {Path(each.where).parent for each in found if each.name.startswith(SAMPLES)}
    return [each for each in found if Path(each.where).parent not in folders or not each.name.startswith(RESULTS)]


def _split_stem(stream: Stream) -> tuple[str, str]:
    name = Path(stream.name)
    return f"{Path(stream.where).parent}/{name.stem}", name.suffix


def _standard_input() -> list[Stream]:
    where = "standard input"
    file = cast("io.BufferedReader", sys.stdin.buffer)
    if not file.peek(4).startswith(ZIP):
        return [Stream(where, where, lambda: file, owned=False)]
    # A zip is read from its end, so it must be on disk; a process has one standard input, and so one spool.
    spool = tempfile.TemporaryFile()  # noqa: SIM115
    atexit.register(spool.close)
    shutil.copyfileobj(file, spool)
    return _zip_members(spool, "", where=where)


def _split_at_zip(place: Path) -> tuple[Path | None, str]:
    for candidate in (place, *place.parents):
        if candidate.is_file() and not candidate.name.endswith((".xlsx", ".eval")):  # these are zips too
            try:
                with candidate.open("rb") as file:
                    is_zip = file.read(4) in ZIP
            except OSError:
                return None, ""  # opening it to read it will say why
            return (
                (candidate, "" if candidate == place else place.relative_to(candidate).as_posix())
                if is_zip
                else (None, "")
            )
    return None, ""


def _zip_members(archive: Path | IO[bytes], inner: str, *, where: str) -> list[Stream]:
    try:
        with zipfile.ZipFile(archive) as file:
            sizes = {info.filename: info.compress_size for info in file.infolist() if not info.is_dir()}
    except Exception as error:  # the library raises a dozen kinds of error for a damaged directory
        raise BadInputError(
            f"not a readable zip: {error}", where=where, hint="Download the file again, or pack it again."
        ) from error
    for name in sizes:
        parts = PurePosixPath(name.replace("\\", "/"))
        if parts.is_absolute() or ".." in parts.parts or ":" in parts.parts[0]:
            raise BadInputError(
                f"the zip has a member whose path leaves the folder: {name!r}",
                where=where,
                hint="Don't trust this archive; download it again from its source.",
            )
    if inner in sizes:
        return [_open_member(archive, inner, where, sizes[inner])]
    if inner:
        sizes = {name: size for name, size in sizes.items() if name.startswith(inner + "/")}
        if not sizes:
            raise BadInputError(f"no member {inner!r} in the zip", where=where, hint="`unzip -l` lists the members.")
    members = [_open_member(archive, name, where, size) for name, size in sorted(sizes.items()) if _is_data(name)]
    if not members:
        raise BadInputError("no data file in the zip", where=where, hint=f"Expected {', '.join(DATA_ENDINGS)}.")
    return _prefer_json_lines(members)


def _open_member(archive: Path | IO[bytes], name: str, where: str, size: int) -> Stream:
    def open_member() -> IO[bytes]:
        with zipfile.ZipFile(archive) as file:
            return file.open(name)  # keeps the archive open until the member is closed

    return Stream(own_name(name), f"{where}/{name}", open_member, size=size)


GZIP = b"\x1f\x8b"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
PARQUET = b"PAR1"
MOST_UNPACKED = 256 << 20  # the number of bytes that any file may unpack to
MOST_TIMES = 250
"""The highest ratio of unpacked to packed bytes beyond that: HANS has 10, a million rows with one premise 130."""

DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
"""The exceptions that reading a damaged file raises."""


def damage_error(error: Exception) -> BadRecordError:
    """The error for a file that ends too early or can't be read further."""
    fact = "the compressed file is truncated" if isinstance(error, EOFError) else f"the file is damaged ({error})"
    return BadRecordError(fact, hint="Download the file again, or compress it again.")


@contextmanager
def decompress(stream: Stream) -> Iterator[io.BufferedReader]:
    """The stream's bytes, decompressed if they are gzip or zstandard, whatever the file's name."""
    with ExitStack() as stack:
        try:
            raw = stream.open()
            if stream.owned:
                stack.callback(raw.close)
            file = _unpack(raw, stream)
        except (*DAMAGE, RuntimeError, NotImplementedError) as error:  # the last two: an encrypted or exotic zip member
            hint = "Check that it is complete, not encrypted, and that you have permission to read it."
            raise BadInputError(f"can't be opened: {error}", where=stream.where, hint=hint) from error
        yield file


def starts_as_parquet(file: io.BufferedReader) -> bool:
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
            fault = damage_error(error)
            raise BadInputError(str(fault), where=stream.where, hint=fault.hint) from error
        spool.flush()
        yield folder / "corpus"


def _unpack(raw: IO[bytes], stream: Stream) -> io.BufferedReader:
    file = cast("io.BufferedReader", raw)
    magic = file.peek(4)[:4]
    if magic.startswith(GZIP):
        packed = _CountedStream(file)
        return io.BufferedReader(BoundedStream(gzip.GzipFile(fileobj=cast("IO[bytes]", packed)), stream, packed))
    if magic == ZSTANDARD:
        packed = _CountedStream(file)
        return io.BufferedReader(BoundedStream(io.BufferedReader(Zstandard(packed)), stream, packed))
    if isinstance(raw, zipfile.ZipExtFile):
        return io.BufferedReader(BoundedStream(raw, stream))
    return file


class _CountedStream:
    """A packed file that counts the bytes read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.count = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self.count += len(data)
        return data


class BoundedStream(io.RawIOBase):
    """Unpacked bytes. A file that unpacks to far more than a corpus can is refused."""

    def __init__(self, file: io.BufferedIOBase, stream: Stream, packed: _CountedStream | None = None) -> None:
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
                hint="The file may be meant to exhaust the memory. If you trust it, unpack it first.",
            )
        target[: len(data)] = data
        return len(data)


class Zstandard(io.RawIOBase):
    """Decompressed zstandard frames. A truncated one is an error; the library's own reader ignores it."""

    STEP = 1 << 10  # compressed bytes to read at a time: one byte can expand to 32 KiB

    def __init__(self, file: _CountedStream) -> None:
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


LINE_LIMIT = 16 << 20  # maximum number of bytes in a line: a larger record is not a sentence pair
CHUNK = 1 << 18

INVALID = "assay-invalid"
"""An error handler: an undecodable byte becomes one that is not UTF-8 either, so that its line is reported."""

codecs.register_error(INVALID, lambda error: ("\udcff", getattr(error, "end", 0)))

TextLine = bytes | BadRecordError  # a line without its line feed, or why it can't be read


class ReadableStream(Protocol):
    def read1(self, size: int, /) -> bytes:
        """Some bytes, at most `size`; none at the end."""


def read_lines(stream: ReadableStream) -> Iterator[TextLine]:
    r"""The lines of a stream, one item per line; memory stays flat however long a line is.

    >>> import io
    >>> list(read_lines(io.BytesIO(b"a\nb")))
    [b'a', b'b']
    >>> list(read_lines(io.BytesIO(b"a\rb")))
    [b'a', b'b']
    """
    parts: list[bytes] = []
    size = 0
    end_of_line = b""
    while True:
        try:
            chunk = stream.read1(CHUNK)
        except DAMAGE as error:
            yield damage_error(error)
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
            yield _join_chunks(parts, size)
            last = others.pop()
            if b"\0" in chunk:
                others = [_join_chunks([line], len(line)) for line in others]  # type: ignore[misc]
            yield from others
            parts, size = [last], len(last)
    if size:
        yield _join_chunks(parts, size)


class RecodedStream:
    """A stream in another encoding, converted to UTF-8."""

    def __init__(self, stream: ReadableStream, encoding: str) -> None:
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


def _join_chunks(parts: list[bytes], size: int) -> TextLine:
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
