"""A suite: a folder of open files, `manifest.json` and the cases."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar, cast

import msgspec

from assay.core.case import Case, Provenance, Recipe
from assay.core.errors import BadInputError
from assay.core.fetching import local
from assay.core.guard.duck import connect
from assay.core.guard.seal import read_sealed, with_seal
from assay.core.label import are_two
from assay.core.notebook import html_table
from assay.core.sampling import Sampling
from assay.core.tables import columns, library

if TYPE_CHECKING:
    import datasets
    import pandas
    import polars

T = TypeVar("T")

MANIFEST_SCHEMA = 1
"""The version of `manifest.json`; a reader refuses a newer one."""

WAY_OUT = "Restore it from a copy, or build the suite again."

Storage = Literal["jsonl", "jsonl.zst", "parquet", "parts"]
"""How cases are stored: in one file, or in several parquet files in a folder."""

NESTED: dict[str, Any] = {"group": dict[str, str], "provenance": Provenance}
"""Fields that a table holds as JSON text."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """The corpus that a suite was built from, and what was read from it."""

    name: str
    """The name of the file or data set."""
    format: str
    """How it was read."""
    digest: str
    """SHA-256 of the file, or of in-memory pairs as JSON lines; empty if there is neither."""
    rows: int
    """How many records were read."""
    pairs: int
    """How many became pairs."""
    labels: dict[str, int]
    """Pairs by label."""
    skipped: dict[str, int]
    """Records left out, by reason."""
    sample: Sampling | msgspec.UnsetType = msgspec.UNSET
    """How the pairs were drawn; unset if all were used."""
    notes: tuple[str, ...] = ()
    """What a careful user should know, such as how numeric labels were read."""
    names: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """The user's own names for labels, each with our name; unset if there are none."""

    @property
    def own_names(self) -> dict[str, str]:
        """The user's own names for labels, each with our name."""
        return {} if self.names is msgspec.UNSET else self.names

    @property
    def two_way(self) -> bool:
        """Whether it has only two labels, entailment and non-entailment."""
        return are_two([*self.labels, *self.own_names.values()])


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """The cases and skips of one slice of a family, such as a category of words."""

    cases: dict[str, int]
    """Cases by label."""
    skips: dict[str, int]
    """Skips, by reason."""
    not_drawn: int = 0
    """Pairs that could have given a case but were not drawn."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where the cases that models were asked come from."""

    source: Source
    """The corpus."""
    recipes: tuple[Recipe, ...]
    """What was made from it."""


class Shortcuts(msgspec.Struct, frozen=True, kw_only=True):
    """How often the surface of a family's cases alone gives the label, as learned from other source pairs."""

    n: int
    """How many cases this was measured on."""
    majority: float
    """The share of the most frequent label, for comparison."""
    hypothesis_words: float
    """The share of right answers from the words of the hypothesis, without their order."""
    edited_words: float
    """The share from the words that were removed and added."""
    lengths: float
    """The share from the number of words in the hypothesis, and its difference from the premise."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a suite, how it was made, and the digests that show damage."""

    schema: int = MANIFEST_SCHEMA
    """Version of this manifest's shape."""
    source: Source
    """Where the pairs come from."""
    recipes: tuple[Recipe, ...]
    """The transforms, in the order in which they were applied to each pair."""
    seed: int
    """The seed that chance was keyed by."""
    storage: Storage
    """How the cases are stored."""
    cases: int
    """How many there are."""
    counts: dict[str, dict[str, int]]
    """Cases by family and label; swapped pairs, which have none, by that of the source pair."""
    skips: dict[str, dict[str, int]]
    """Pairs that gave no case, by family and reason."""
    slices: dict[str, dict[str, Slice]] | msgspec.UnsetType = msgspec.UNSET
    """Cases and skips by family and slice; unset if no family has slices."""
    shortcuts: dict[str, Shortcuts] | msgspec.UnsetType = msgspec.UNSET
    """How far the surface alone gets, by family; unset if it was not measured."""
    digest: str
    """SHA-256 of the cases as JSON lines, however they are stored."""
    file_digest: str
    """SHA-256 of the stored file; of parts, that of their names and digests."""
    versions: dict[str, str]
    """Of Assay."""
    seal: str = ""
    """SHA-256 of this manifest without its seal, so that a change of any field is noticed."""

    @property
    def two_way(self) -> bool:
        """Whether it is built from a corpus with two labels, so that by default all of it is judged by two.

        Generated pairs do not count as such a corpus: they have two labels anyway.
        """
        return self.source.two_way and self.source.format not in {recipe.transform for recipe in self.recipes}

    @property
    def names(self) -> dict[str, str]:
        """The user's own names for labels, each with our name."""
        return self.source.own_names

    def sealed(self) -> "Manifest":
        """The manifest with its seal."""
        return with_seal(self)


class Suite:
    """An open suite; cases are read from disk as they are needed.

    `len(suite)` and `suite.manifest` cost nothing; `for case in suite` streams.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

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
        decode = msgspec.json.Decoder(kind).decode
        for number, line in enumerate(self.lines(), 1):
            try:
                yield decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise BadInputError(f"not a case: {error}", where=f"{self.cases_file}:{number}") from error

    def lines(self) -> Iterator[bytes]:
        """The cases as JSON lines, without line ends."""
        path = self.cases_file
        if not path.exists():
            raise BadInputError("the suite's cases are missing", where=str(path))
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
        made = library("pandas", extra="pandas", needed_for="A pandas data frame")
        frame: pandas.DataFrame = made.DataFrame(columns(self))
        return frame

    def to_polars(self) -> "polars.DataFrame":
        """The cases as a polars data frame, with the same columns."""
        made = library("polars", extra="polars", needed_for="A polars data frame")
        found = columns(self)
        frame: polars.DataFrame = made.DataFrame(found, schema=dict.fromkeys(found, made.String))
        return frame

    def to_hf(self) -> "datasets.Dataset":
        """The cases as a data set for Hugging Face `datasets`, with the same columns."""
        made = library("datasets", extra="hf", needed_for="A Hugging Face data set")
        found = columns(self)
        features = made.Features({name: made.Value("string") for name in found})
        frame: datasets.Dataset = made.Dataset.from_dict(found, features=features)
        return frame

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
