"""Where bytes come from: a path, standard input, a folder, or members of a zip."""

import atexit
import io
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple, cast

from assay.core.errors import BadInputError
from assay.core.fetching import local
from assay.core.remote.address import is_address

DATA_ENDINGS = (".jsonl", ".json", ".txt", ".tsv", ".csv", ".parquet", ".arrow", ".feather", ".xlsx")
COMPRESSED_ENDINGS = (".gz", ".zst")
NO_DATA = ("readme", "license", "licence", "manifest.json", "record.json", "problems.jsonl", ".", "__macosx")

STDIN = "-"

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip begins; the second is an empty one."""


class Stream(NamedTuple):
    """One file to read, wherever it is."""

    name: str
    """Its name, without folders and compression suffix."""
    where: str
    """What to call it in messages."""
    open: Callable[[], IO[bytes]]
    """Opens the raw bytes as a stream that can be peeked at."""
    owned: bool = True
    """Whether we must close it."""
    size: int | None = None
    """How many bytes it takes where it is stored; None if that is not known."""


def streams(path: str) -> list[Stream]:
    """The files behind what the user named, in order; those at an address are fetched.

    A path may continue inside a zip: `snli_1.0.zip/snli_1.0/snli_1.0_dev.jsonl`.
    """
    if path == STDIN:
        return _standard_input()
    if is_address(path):
        copy = str(local(path))
        return [each._replace(where=each.where.replace(copy, path, 1)) for each in streams(copy)]
    place = Path(path)
    archive, inner = _split_at_zip(place)
    if archive is not None:
        return _zip_members(archive, inner, where=str(archive))
    if place.is_dir():
        found = sorted(p for p in place.rglob("*") if p.is_file() and _is_data(p.relative_to(place).as_posix()))
        if not found:
            raise BadInputError("no data file in this folder", where=path, hint=f"Expected {', '.join(DATA_ENDINGS)}.")
        return _prefer_json_lines([_file(p) for p in found])
    if not place.exists():
        raise BadInputError("no such file", where=path, hint="Check the path; `-` reads standard input.")
    return [_file(place)]


def own_name(path: str) -> str:
    """A file's name, without folders and compression suffix.

    >>> own_name("data/dev.jsonl.gz")
    'dev.jsonl'
    """
    name = PurePosixPath(path.replace("\\", "/")).name
    for ending in COMPRESSED_ENDINGS:
        name = name.removesuffix(ending)
    return name


def _file(path: Path) -> Stream:
    return Stream(own_name(path.name), str(path), lambda: path.open("rb"), size=path.stat().st_size)


def _is_data(name: str) -> bool:
    parts = name.lower().split("/")
    return own_name(parts[-1]).endswith(DATA_ENDINGS) and not any(part.startswith(NO_DATA) for part in parts)


def _prefer_json_lines(found: list[Stream]) -> list[Stream]:
    """Leave out text or csv copies of what is also there as JSON lines, as in the published data sets."""
    stems = {stem for stem, ending in map(_stem, found) if ending == ".jsonl"}
    return [s for s in found if _stem(s)[1] == ".jsonl" or _stem(s)[0] not in stems]


def _stem(stream: Stream) -> tuple[str, str]:
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
        if candidate.is_file() and not candidate.name.endswith(".xlsx"):  # a workbook is a zip too
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
        return [_member(archive, inner, where, sizes[inner])]
    if inner:
        sizes = {name: size for name, size in sizes.items() if name.startswith(inner + "/")}
        if not sizes:
            raise BadInputError(f"no member {inner!r} in the zip", where=where, hint="`unzip -l` lists the members.")
    found = [_member(archive, name, where, size) for name, size in sorted(sizes.items()) if _is_data(name)]
    if not found:
        raise BadInputError("no data file in the zip", where=where, hint=f"Expected {', '.join(DATA_ENDINGS)}.")
    return _prefer_json_lines(found)


def _member(archive: Path | IO[bytes], name: str, where: str, size: int) -> Stream:
    def open_member() -> IO[bytes]:
        with zipfile.ZipFile(archive) as file:
            return file.open(name)  # keeps the archive open until the member is closed

    return Stream(own_name(name), f"{where}/{name}", open_member, size=size)
