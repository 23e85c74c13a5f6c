"""Files and folders that are either complete or absent, and DuckDB without a network."""

import errno
import hashlib
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from assay.core.errors import AssayError, BadInputError, ExternalError, OutputExistsError, UserError
from assay.core.serialise import to_json
from assay.storage.folders import lives, lock_folder
from assay.storage.remote import bring_back, is_sent, send_file, send_folder

if TYPE_CHECKING:
    import duckdb


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
"""Error numbers of the system for a disk that is full or fails."""

NO_READING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
"""Error numbers that only writing raises: they show what went wrong without a file name."""

SIGNED = (b'<meta name="generator" content="Assay ', b"% Tables of Assay", b"Drawn by Assay")
"""Marks of the files that Assay writes for people."""

PARQUET = b"PAR1"
CANT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # error numbers of a file system that can't sync
ASIDE = re.compile(r"\..+\.([0-9]+)\.aside(?:\.lines)?")  # files that are being written, with the number of the process
UNFINISHED = (".*.aside", ".tmp*")  # files that a command, or safetensors, was writing when it was killed

NOT_MISSED = re.compile(rf"\.DS_Store|Thumbs\.db|desktop\.ini|{ASIDE.pattern}")
"""Files that are safe to delete: a desktop made them, or a command of ours that was killed."""

MOST_NAMED = 3  # number of the user's files that an error lists


class Kind(NamedTuple):
    """A kind of folder that Assay makes. `--overwrite` only replaces a folder with one of the same kind."""

    name: str  # for people, such as "a suite"
    files: Callable[[Path], Collection[str]]
    """Lists the files of such a folder, as relative paths; a `UserError` if it is another kind of folder."""


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn the system's error about a full or read-only disk into one clear message."""
    try:
        yield
    except OSError as error:
        raise _explain_unwritable(path, error) from error


def write_whole(path: Path, data: bytes, *, over_any: bool = True) -> None:
    """Write a file that is never visible in part, even after a power failure."""
    with path_aside(path, over_any=over_any) as aside, write_errors(path):
        aside.write_bytes(data)


@contextmanager
def file_aside(path: Path, *, overwrite: bool = False, over_any: bool = False) -> Iterator[Callable[[bytes], None]]:
    """A file to write piece by piece. It gets its name only if all goes well; otherwise nothing is left behind."""
    refuse_existing(path, overwrite=overwrite)
    with path_aside(path, over_any=over_any) as aside:
        with write_errors(path):
            file = aside.open("wb")

        def write(data: bytes) -> None:
            with write_errors(path):
                file.write(data)

        try:
            yield write
        finally:
            with write_errors(path):
                file.close()


@contextmanager
def path_aside(path: Path, *, over_any: bool = True) -> Iterator[Path]:
    """A path to write a file to. It gets its name only if all goes well; otherwise nothing is left behind.

    Unless it may go `over_any` file, it only replaces one that looks like an earlier result of the same kind.
    """
    path = _follow_link(path)
    aside = path.with_name(f".{path.name}.{platform.node()}.{os.getpid()}.aside")
    try:
        with write_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        _delete_leftovers(path.parent)
        yield aside
        with write_errors(path):
            if not over_any and path.exists() and path.stat().st_size and _signature(path) != _signature(aside):
                raise OutputExistsError(
                    f"{path} does not look like an earlier result of this kind, and --overwrite replaces nothing "
                    "else.\n  Choose another --out."
                )
            _sync_path(aside)
            aside.replace(path)
        send_file(path)
    finally:
        with suppress(OSError):  # nothing is there, or the disk is read-only
            aside.unlink()


@cache  # once per process: a folder may hold very many files
def _delete_leftovers(folder: Path) -> None:
    """Delete unfinished files of killed processes of this machine; other processes may use the same folder."""
    with suppress(OSError):  # a disk that fails is named by whoever writes
        for entry in os.scandir(folder):
            found = ASIDE.fullmatch(entry.name)
            if found and f".{platform.node()}.{found[1]}." in entry.name and not lives(int(found[1])):
                Path(entry).unlink(missing_ok=True)


def refuse_existing(path: Path, *, overwrite: bool) -> None:
    """Stop before any work if a file would overwrite another file or a folder."""
    with write_errors(path):
        is_there, is_folder = path.exists() or is_sent(path), path.is_dir()
    if is_there and not overwrite:
        raise OutputExistsError(f"{path} already exists.\n  Choose another --out, or replace it with --overwrite.")
    if is_folder:
        raise OutputExistsError(f"{path} is a folder, which --overwrite does not replace.\n  Choose another --out.")


def _signature(path: Path) -> tuple[bytes, ...]:
    """A signature of one kind of file: our name in a page, a picture or TeX, and otherwise the first field names."""
    with path.open("rb") as file:
        head = file.read(4096)
        file.seek(max(0, path.stat().st_size - (1 << 16)))
        tail = file.read()
    for mark in SIGNED:
        if mark in head:
            return (mark,)
    if head.startswith(PARQUET):
        return (PARQUET, *re.findall(rb"premise|hypothesis|provenance", tail)[:1])
    line = head.partition(b"\n")[0].strip()
    if head.startswith(b"{"):
        return (b"{", *re.findall(rb'"(\w+)":', head)[:2])
    if b"\t" in line:
        return (b"\t", *[name for name in line.split(b"\t") if b" " not in name][:1])
    return tuple(re.split(rb"[, ]", line)[:3])


def refuse_folder(path: Path, *, over: Kind | None) -> None:
    """Stop early if writing here would destroy something.

    It may replace an empty folder, or one of its own kind that holds only what Assay wrote.
    """
    if over is not None:
        bring_back(path)
    with write_errors(path):
        if not path.exists() and not is_sent(path):
            return
        is_folder = path.is_dir()
        is_empty = is_folder and not any(path.iterdir())
    if over is None:
        raise OutputExistsError(f"{path} already exists.\n  Choose another --out, or replace it with --overwrite.")
    if is_empty:
        return
    if not is_folder:
        raise OutputExistsError(f"{path} is a file, which --overwrite does not replace.\n  Choose another --out.")
    try:
        known = over.files(path)
    except UserError as error:
        raise OutputExistsError(
            f"{path} is not {over.name} that Assay made, so --overwrite does not replace it:\n"
            f"    {str(error).splitlines()[0]}\n  Choose another --out, or delete it yourself."
        ) from error
    if others := _list_others(path, {*known}):
        more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
        raise OutputExistsError(
            f"{path} holds files that Assay did not write, and --overwrite does not replace them: "
            f"{', '.join(others[:MOST_NAMED])}{more}.\n  Move them elsewhere, or choose another --out."
        )


def _list_others(folder: Path, known: set[str]) -> list[str]:
    """Files of a folder apart from known ones. A subfolder with no known file is named once."""
    ours = {name.partition("/")[0] for name in known}
    others = (name.partition("/") for name in files_in(folder) if name not in known)
    return list(dict.fromkeys("".join(name) if name[0] in ours else f"{name[0]}{name[1]}" for name in others))


def files_in(folder: Path) -> list[str]:
    """All files of a folder as relative paths, except those that are safe to delete; a link counts as a file."""
    found = (Path(place, name) for place, folders, files in os.walk(folder) for name in (*folders, *files))
    files = (path for path in found if path.is_symlink() or not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in files if not NOT_MISSED.fullmatch(path.name))


@contextmanager
def folder_aside(
    target: Path, *, aside: Path | None = None, over: Kind | None = None, resumes: bool = False
) -> Iterator[Path]:
    """A folder to work in, which gets the target's name if all goes well; `over` is what it may replace.

    Wrong input leaves nothing behind. Nor does an interruption, unless the same command can resume the work: then the
    folder stays, with the finished parts.
    """
    target = _follow_link(target)
    restore(target)
    refuse_folder(target, over=over)
    aside = aside or folder_of_work(target)
    new = [folder for folder in aside.parents if not folder.exists()]
    with write_errors(target):
        aside.mkdir(parents=True, exist_ok=True)
    busy = f"Another command is working on {target}.\n  Wait until it has finished, or choose another --out."
    with lock_folder(aside, busy=busy):
        _clean_folder(aside, all_of_it=not resumes)
        try:
            yield aside
        except BaseException as error:
            if not resumes or isinstance(error, UserError):
                shutil.rmtree(aside, ignore_errors=True)
                for folder in new:
                    with suppress(OSError):  # somebody else is using it by now
                        folder.rmdir()
            if found := _disk_error(error, aside):
                raise _explain_unwritable(target, found) from error
            raise
        refuse_folder(target, over=over)
        with write_errors(target):
            sync_folder(aside)
        send_folder(aside, target)
        exchange(aside, target)


def folder_of_work(target: Path) -> Path:
    """The working folder of a command until its output is complete."""
    return target.with_name(f".{target.name}.partial")


def _clean_folder(folder: Path, *, all_of_it: bool) -> None:
    """Remove the leftovers of a killed command: unfinished files, or everything if nothing can be resumed."""
    with write_errors(folder):
        for path in folder.iterdir() if all_of_it else [each for name in UNFINISHED for each in folder.rglob(name)]:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def exchange(aside: Path, target: Path) -> None:
    """Put a folder in place of another, which is deleted. After a kill at any point, `restore` finishes the job."""
    with write_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            target.rename(_replaced_name(target))
        try:
            aside.rename(target)
        finally:
            restore(target)


def restore(target: Path) -> None:
    """Finish an exchange of folders: bring the old one back if the new one is missing, or else delete it."""
    old = _replaced_name(target)
    with write_errors(target):
        if not old.exists():
            return
        if not target.exists():
            old.rename(target)
            return
        _sync_path(target.parent)
        shutil.rmtree(old, ignore_errors=True)


def _replaced_name(target: Path) -> Path:
    return target.with_name(f".{target.name}.replaced")


def _follow_link(path: Path) -> Path:
    """The target of a link, so that the link itself stays; and the full path of a nameless path such as "."."""
    with write_errors(path):
        return Path(os.path.realpath(path)) if path.is_symlink() or path.name in ("", "..") else path


def sync_folder(folder: Path) -> None:
    for place, _, files in os.walk(folder):
        for name in files:
            _sync_path(Path(place, name))
        _sync_path(Path(place))


def _sync_path(path: Path) -> None:
    """Sync a file, or a folder's list of names, to disk: a name must never be there before its content."""
    if sys.platform == "win32":  # there, a file must be open for writing, and a folder can't be
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in CANT_SYNC:
            raise
    finally:
        os.close(handle)


def _explain_unwritable(path: Path, error: OSError) -> ExternalError:
    way_out = (
        "Free some space or choose another place with --out, then run the same command again: "
        "finished parts are stored, and no half-written file was left behind."
        if error.errno in FULL
        else "Choose another place with --out."
    )
    return ExternalError(f"Can't write {path}: {error.strerror or error}.\n  {way_out}")


def _disk_error(error: BaseException, folder: Path) -> OSError | None:
    """The system's disk error, if it is the cause of a library's error."""
    if isinstance(error, AssayError):
        return None
    if match := re.search(r"\(os error (\d+)\)", str(error)):  # as libraries written in Rust put it
        error = OSError(int(match[1]), os.strerror(int(match[1])))
    elif isinstance(error, OSError) and re.search(r"\d+ requested and \d+ written", str(error)):  # as NumPy puts it
        error = OSError(errno.ENOSPC, "Only part of the data was written")
    if not isinstance(error, OSError):
        return None
    is_ours = isinstance(error.filename, str) and Path(error.filename).absolute().is_relative_to(folder.absolute())
    return error if is_ours or error.errno in NO_READING else None


def digest(path: Path) -> str:
    """SHA-256 of a file, or of the names and digests of a folder's files."""
    if path.is_dir():
        return hashlib.sha256(
            b"".join(f"{name} {digest(path / name)}\n".encode() for name in files_in(path))
        ).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


DIGESTS_FILE = "digests.json"


def write_digests(folder: Path, files: list[str]) -> None:
    """Store the SHA-256 of files of a folder, which may have the digests of an attempt that was interrupted."""
    write_whole(folder / DIGESTS_FILE, to_json({name: digest(folder / name) for name in files if name != DIGESTS_FILE}))


def known_digests(folder: Path) -> dict[str, str]:
    """The digests of a folder's files as they were stored, there or one folder above; empty if none were stored."""
    for place in (folder, folder.parent):
        if (place / DIGESTS_FILE).is_file():
            try:
                found = msgspec.json.decode((place / DIGESTS_FILE).read_bytes(), type=dict[str, str])
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadInputError(f"damaged: {error}", where=str(place / DIGESTS_FILE)) from error
            return {os.path.relpath(place / name, folder): said for name, said in found.items()}
    return {}


def refuse_changed(path: Path, found: str, said: str | None) -> None:
    """Stop if a file is not what it was when its digest was stored."""
    if said not in (None, found):
        raise BadInputError(
            "damaged: it has been changed since it was made (SHA-256)",
            where=str(path),
            hint=f"Make it again. If you changed it on purpose, delete {DIGESTS_FILE} next to it.",
        )


def with_digest(data: bytes) -> bytes:
    """Bytes, preceded by a line that shows whether they are complete."""
    return _short_digest(data) + b"\n" + data


def if_whole(data: bytes) -> bytes | None:
    """The bytes that `with_digest` was given; None if any are missing or changed.

    >>> if_whole(with_digest(b"abc")), if_whole(with_digest(b"abc")[:-1]), if_whole(b"")
    (b'abc', None, None)
    """
    found, _, content = data.partition(b"\n")
    return content if found == _short_digest(content) else None


def _short_digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).hexdigest().encode()


def connect(**settings: str | int) -> "duckdb.DuckDBPyConnection":
    """An in-memory database. Without these settings, DuckDB downloads extensions that a file or query seems to need."""
    import duckdb

    return duckdb.connect(config={"autoinstall_known_extensions": "false", **settings})


SAFE_PATH = "PYTHONSAFEPATH"  # the environment variable that keeps Python from searching the working directory


_STARTING = RLock()
"""Held while the variable is set: of two threads, the second would otherwise restore what the first had set."""


@contextmanager
def safe_path() -> Iterator[str | None]:
    """While this lasts, a Python process that is started does not search the working directory for modules.

    It gives the value that the variable had before.
    """
    with _STARTING:
        before = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"
        try:
            yield before
        finally:
            _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value


class SafeProcess(SpawnProcess):
    """A process that starts without the working directory, and then has its parent's environment and search path."""

    def start(self) -> None:
        with safe_path() as self._before:
            super().start()

    def run(self) -> None:
        """Do the work, with the original environment for programs that it starts, such as a user's model."""
        _set_safe_path(self._before)
        super().run()


class SafeContext(SpawnContext):
    """Makes such processes, for pools too."""

    Process = SafeProcess


def spawn_context() -> SafeContext:
    """The context for processes that are not forked."""
    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with safe_path():  # it is a process too, and a queue would start it
            resource_tracker.ensure_running()
    return SafeContext()
