"""A suite on disk: a folder with `manifest.json` and the cases."""

import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from assay.core.case import Case, Provenance
from assay.core.dataframes import columns, frame_library, html_table
from assay.core.errors import BadInputError, UserError
from assay.core.manifest import MANIFEST_SCHEMA, Manifest
from assay.core.serialise import decode_lines, read_sealed
from assay.storage.files import connect, digest
from assay.storage.remote import is_address, local, name_of

if TYPE_CHECKING:
    import datasets
    import pandas
    import polars

T = TypeVar("T")


WAY_OUT = "Restore it from a copy, or build the suite again."
NESTED: dict[str, Any] = {"group": dict[str, str], "provenance": Provenance}  # fields that a table holds as JSON text


class Suite:
    """An open suite; cases are read from disk as they are needed.

    `len(suite)` and `suite.manifest` cost nothing; `for case in suite` streams.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._is_checked = False

    @classmethod
    def open(cls, folder: str | Path) -> "Suite":
        """Open a suite's folder, or a copy of the one at an address such as s3://bucket/suite, if it is unchanged."""
        folder = local(folder)
        if not (folder / "manifest.json").is_file():
            raise BadInputError(
                "not a suite: there is no manifest.json", where=str(folder), hint="`assay build` makes one."
            )
        manifest = read_sealed(
            folder / "manifest.json", Manifest, made="the suite was built", hint=WAY_OUT, newest=MANIFEST_SCHEMA
        )
        return cls(folder, manifest)

    @property
    def cases_file(self) -> Path:
        """The file that holds the cases, or the folder of several."""
        return self.folder / f"cases.{self.manifest.storage}"

    def __len__(self) -> int:
        return self.manifest.cases

    def __iter__(self) -> Iterator[Case]:
        return self.decoded(Case)

    def decoded(self, kind: type[T]) -> Iterator[T]:
        """The cases as structs of this kind; one with few fields is decoded several times as fast as `Case`."""
        return decode_lines(self.lines(), kind, self.cases_file, "a case")

    def check(self) -> None:
        """Stop if the stored cases are not those of the manifest. They are checked once, before they are first read."""
        if self._is_checked:
            return
        path = self.cases_file
        if not path.exists():
            raise BadInputError("damaged: the suite's cases are missing", where=str(path), hint=WAY_OUT)
        if digest(path) != self.manifest.file_digest:
            raise BadInputError(
                "damaged: it has been changed since the suite was built (SHA-256 differs from the manifest's)",
                where=str(path),
                hint=WAY_OUT,
            )
        self._is_checked = True

    def lines(self, *, unchecked: bool = False) -> Iterator[bytes]:
        """The cases as JSON lines, without line ends. Only a search for damage reads them unchecked."""
        if not unchecked:
            self.check()
        path = self.cases_file
        if self.manifest.storage == "parts":
            for part in sorted(path.glob("*.parquet")):
                yield from _parquet_lines(part)
            return
        if self.manifest.storage == "parquet":
            yield from _parquet_lines(path)
            return
        with path.open("rb") as file:
            for line in _zstd(file) if self.manifest.storage == "jsonl.zst" else file:
                yield line.rstrip(b"\n")

    def to_pandas(self) -> "pandas.DataFrame":
        """The cases as a pandas data frame: one row per case, one column per field or group."""
        return cast("pandas.DataFrame", frame_library("pandas").DataFrame(columns(self)))

    def to_polars(self) -> "polars.DataFrame":
        """The cases as a polars data frame, with the same columns."""
        made, found = frame_library("polars"), columns(self)
        return cast("polars.DataFrame", made.DataFrame(found, schema=dict.fromkeys(found, made.String)))

    def to_hf(self) -> "datasets.Dataset":
        """The cases as a data set for Hugging Face `datasets`, with the same columns."""
        made, found = frame_library("datasets"), columns(self)
        features = made.Features({name: made.Value("string") for name in found})
        return cast("datasets.Dataset", made.Dataset.from_dict(found, features=features))

    def _repr_html_(self) -> str:
        counts, source = self.manifest.counts, self.manifest.source
        labels = list(dict.fromkeys(label for family in counts.values() for label in family))
        rows = [
            [name, *(family.get(label, 0) for label in labels), sum(family.values())] for name, family in counts.items()
        ]
        caption = f"{self.folder}: {len(self):,} cases of {source.pairs:,} pairs of {source.name}"
        return html_table(caption, ["family", *labels, "cases"], rows)

    def __repr__(self) -> str:
        return f"Suite({str(self.folder)!r}, {len(self)} cases of {', '.join(self.manifest.counts)})"


class _StoredCase(Case, frozen=True):
    """A case with the label that its file gives it, so that its digest stays the same."""

    def __post_init__(self) -> None:
        pass


def _zstd(file: IO[bytes]) -> Iterator[bytes]:
    import zstandard

    try:
        yield from io.BufferedReader(cast("io.RawIOBase", zstandard.ZstdDecompressor().stream_reader(file)))
    except zstandard.ZstdError as error:
        raise BadInputError(f"not readable as zstandard: {error}", where=file.name) from error


def _parquet_lines(path: Path) -> Iterator[bytes]:
    import duckdb

    encode = msgspec.json.Encoder(order="deterministic").encode
    columns = Case.__struct_fields__
    quoted = ", ".join(f'"{column}"' for column in columns)
    with connect() as connection:
        try:
            result = connection.execute(f"SELECT {quoted} FROM read_parquet(?)", [str(path)])  # noqa: S608 - our own column names
            while rows := result.fetchmany(4096):
                for row in rows:
                    fields = dict(zip(columns, row, strict=True))
                    for name, kind in NESTED.items():  # decoded, because a table may write the same JSON differently
                        fields[name] = msgspec.json.decode(str(fields[name]), type=kind)
                    yield encode(_StoredCase(**fields))
        except (duckdb.Error, msgspec.MsgspecError, RecursionError) as error:
            raise BadInputError(f"not a readable parquet file of cases: {error}", where=str(path)) from error


def named_suites(given: "OneSuite | Iterable[OneSuite] | Mapping[str, OneSuite]") -> dict[str, str]:
    """Folders of suites by name: the key of a mapping, the NAME of `NAME=FOLDER`, or the name of the folder.

    >>> named_suites(["work/My suite", "hans=work/heuristics"])
    {'my-suite': 'work/My suite', 'hans': 'work/heuristics'}
    """
    if isinstance(given, Mapping):
        return {name: _folder(each) for name, each in given.items()}
    found: dict[str, str] = {}
    for each in map(_folder, [given] if isinstance(given, OneSuite) else given):
        name, named, folder = each.partition("=")
        path = folder if named and not is_address(each) and not Path(each).exists() else each
        name = slug(name if path == folder else name_of(path) if is_address(path) else Path(path).absolute().name)
        if name in found:
            raise UserError(f"Two suites are called {name!r}: {found[name]} and {path}.\n  Name one: NAME=FOLDER.")
        found[name] = path
    return found


OneSuite = str | Path | Suite  # a suite, or its folder


def _folder(suite: OneSuite) -> str:
    return str(suite.folder if isinstance(suite, Suite) else suite)


def slug(text: str) -> str:
    """A short name for a source, without folders, endings and punctuation."""
    name = Path(text).name if "/" in text and ":" not in text else text
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.partition(".")[0].lower())
    return "-".join(part for part in kept.split("-") if part) or "input"
