"""A suite's file of cases while it is written: JSON lines first, then the storage that was asked for."""

import hashlib
from collections.abc import Iterator, Set
from itertools import count, islice
from pathlib import Path

import msgspec

from assay.core.case import Case
from assay.core.manifest import Storage
from assay.storage.files import connect, write_errors
from assay.storage.suite import NESTED

LARGE = 1_000_000
"""More cases than this are stored in parts, unless the user says how."""

PART = 100_000
"""The most cases in a part."""

LONGEST = 1 << 30
"""The most bytes of a case's line in a table; records of a corpus have a much lower limit."""


class CaseFile:
    """Cases that arrive in parts; some may have to be removed once all are known."""

    def __init__(self, folder: Path, storage: Storage | None, *, large: int = LARGE, part: int = PART) -> None:
        self.storage: Storage = storage or "jsonl"
        """Their storage; without the user's choice, their number decides."""
        self._large = None if storage else large
        self._part = part
        self._folder = folder
        self._lines = folder / "cases.jsonl"
        self._hash = hashlib.sha256()
        self._count = 0

    @property
    def path(self) -> Path:
        """The file, or the folder of parts."""
        return self._folder / f"cases.{self.storage}"

    def __enter__(self) -> "CaseFile":
        with write_errors(self.path):
            self._file = self._lines.open("wb")
        return self

    def write(self, data: bytes) -> None:
        """Add lines."""
        self._hash.update(data)
        self._count += data.count(b"\n")
        with write_errors(self.path):
            self._file.write(data)

    def leave_out(self, numbers: Set[int]) -> None:
        """Remove lines by their numbers, from 0."""
        if not numbers:
            return
        with write_errors(self.path):
            self._file.close()
            whole = self._lines.with_suffix(".whole")
            self._lines.rename(whole)
            self._hash, self._count = hashlib.sha256(), 0
            self._file = self._lines.open("wb")
            with whole.open("rb") as lines:
                for number, line in enumerate(lines):
                    if number not in numbers:
                        self.write(line)
            whole.unlink()

    def cases(self) -> Iterator[Case]:
        """The cases so far."""
        with write_errors(self.path):
            self._file.flush()
        decode = msgspec.json.Decoder(Case).decode
        with self._lines.open("rb") as lines:
            yield from map(decode, lines)

    @property
    def digest(self) -> str:
        """SHA-256 of all lines."""
        return self._hash.hexdigest()

    def __exit__(self, kind: object, *_: object) -> None:
        with write_errors(self.path):
            self._file.close()
        if kind is not None:
            return
        if self._large is not None and self._count > self._large:
            self.storage = "parts"
        match self.storage:
            case "jsonl":
                return
            case "jsonl.zst":
                _lines_to_zstd(self._lines, self.path)
            case "parquet":
                lines_to_parquet(self._lines, self.path)
            case "parts":
                _lines_to_parts(self._lines, self.path, self._part)
        self._lines.unlink()


def _lines_to_parts(lines: Path, out: Path, size: int) -> None:
    with write_errors(out):
        out.mkdir()
        some = out / "some.jsonl"
        with lines.open("rb") as source:
            for number in count():
                with some.open("wb") as file:
                    file.writelines(islice(source, size))
                if not some.stat().st_size and number:
                    break
                lines_to_parquet(some, out / f"{number:05d}.parquet")
        some.unlink()


def _lines_to_zstd(lines: Path, out: Path) -> None:
    import zstandard

    packer = zstandard.ZstdCompressor(level=6)
    with write_errors(out), lines.open("rb") as source, out.open("wb") as file:
        packer.copy_stream(source, file)


def lines_to_parquet(lines: Path, out: Path) -> None:
    """Store JSON lines of cases as a table; nested fields are JSON text there."""
    import duckdb

    types = ", ".join(f"'{name}': '{'JSON' if name in NESTED else 'VARCHAR'}'" for name in Case.__struct_fields__)
    select = ", ".join(f'"{name}"::VARCHAR AS "{name}"' for name in Case.__struct_fields__)
    # With one thread, the bytes are the same every time.
    with write_errors(out), connect(threads=1) as connection:
        try:
            connection.execute(
                f"COPY (SELECT {select} FROM read_json(?, format='newline_delimited', columns={{{types}}}, "  # noqa: S608 - our own column names
                f"maximum_object_size={LONGEST})) "
                f"TO '{str(out).replace(chr(39), chr(39) * 2)}' (FORMAT parquet, COMPRESSION zstd)",
                [str(lines)],
            )
        except duckdb.IOException as error:
            raise OSError(str(error)) from error
