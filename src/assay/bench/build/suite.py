"""Building a suite: pairs through transforms into a folder that is either complete or absent."""

import hashlib
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import IO, cast

import msgspec

from assay.bench.build.make import Tally, make_cases, refuse_unprovable
from assay.bench.build.problems import Problems
from assay.bench.build.recipes import prepare, transform_of
from assay.bench.shards import Crew, Work, pair_batches, parts
from assay.bench.stages import Stage, quiet
from assay.core.case import Case, Recipe
from assay.core.errors import UserError
from assay.core.files import Kind, digest, folder_aside, to_json, write_errors, write_whole
from assay.core.guard.duck import connect
from assay.core.protocols import Corpus, Sliced
from assay.core.suite import NESTED, Manifest, Slice, Storage, Suite
from assay.corpora.reading import CorpusReader
from assay.version import __version__

PROBLEMS = "problems.jsonl"
"""The file of broken records that were left out."""

SUITE = Kind("a suite", lambda folder: ("manifest.json", Suite.open(folder).cases_file.name, PROBLEMS))

LONGEST = 1 << 30
"""The most bytes of a case's line in a table; records of a corpus have a much lower limit."""


def refuse_twice(names: Sequence[str]) -> None:
    """Stop if a name is given twice: ids and files are named after it."""
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise UserError(f"The same name twice: {', '.join(twice)}.")


def build_suite(
    corpus: Corpus,
    recipes: Sequence[Recipe],
    out: Path,
    *,
    crew: Crew,
    storage: Storage = "jsonl",
    overwrite: bool = False,
    stage: Stage = quiet,
) -> Suite:
    """Build a suite of all recipes over a corpus."""
    if not recipes:
        raise UserError("No family to build; `assay list families` shows them.")
    refuse_twice([f"{recipe.transform} {recipe.options}" for recipe in recipes])
    refuse_unprovable(recipes)
    resources = prepare(recipes)
    place = corpus_file(corpus)
    if place.is_file() and place.is_relative_to(out.absolute()):
        raise UserError(f"The corpus is in {out}, which the suite would replace.\n  Choose another --out.")
    with folder_aside(out, over=SUITE if overwrite else None, resumes=True) as aside:
        part_folder = aside / "parts"
        for stale in aside.iterdir():  # an interrupted command may have used another storage
            if stale.is_dir() and stale != part_folder:
                shutil.rmtree(stale)
            elif stale != part_folder:
                stale.unlink()
        work = Work(
            make_cases, (tuple(recipes),), key=f"{__version__} {resources} {msgspec.json.encode(recipes).decode()}"
        )
        tally, problems, made = Tally(), Problems(recipes), 0
        progress = stage("Building the suite", None)
        with _CaseFile(aside, storage) as file:
            batches = pair_batches(corpus.as_pairs(problems), crew.batch)
            for part in parts(work, batches, folder=part_folder, crew=crew):
                cases, pairs = tally.add(part)
                file.write(cases)
                progress(pairs)
                made += pairs
        source = corpus.summary()
        # a problem is not a pair: its sentences may become pairs
        notes = source.notes + problems.count(tally) + tally.told()
        source = msgspec.structs.replace(source, pairs=made, notes=notes)
        manifest = Manifest(
            source=source,
            recipes=tuple(recipes),
            seed=recipes[0].seed,
            storage=storage,
            cases=tally.cases,
            counts={family: dict(sorted(labels.items())) for family, labels in tally.counts.items()},
            skips={family: dict(sorted(reasons.items())) for family, reasons in tally.skips.items()},
            slices=_slices(recipes, tally, source.pairs),
            digest=file.digest,
            file_digest=digest(file.path),
            versions={"assay": __version__, **resources},
        ).sealed()
        if corpus.problems:
            write_whole(aside / PROBLEMS, b"".join(msgspec.json.encode(p) + b"\n" for p in corpus.problems))
        write_whole(aside / "manifest.json", to_json(manifest))
        shutil.rmtree(part_folder, ignore_errors=True)
    return Suite(out, manifest)


def corpus_file(corpus: Corpus) -> Path:
    """The path of the corpus, if it is a file."""
    return Path(corpus.reading.source if isinstance(corpus, CorpusReader) else "").absolute()


def _slices(recipes: Sequence[Recipe], tally: Tally, pairs: int) -> dict[str, dict[str, Slice]] | msgspec.UnsetType:
    sliced = (each for each in map(transform_of, recipes) if isinstance(each, Sliced))
    return {each.family: tally.slices.of(each, pairs=pairs) for each in sliced} or msgspec.UNSET


class _CaseFile:
    """The suite's file of cases, written as JSON lines and stored as asked."""

    def __init__(self, folder: Path, storage: Storage) -> None:
        self.path = folder / f"cases.{storage}"
        self._storage = storage
        self._lines = folder / "cases.jsonl" if storage == "parquet" else self.path
        self._hash = hashlib.sha256()

    def __enter__(self) -> "_CaseFile":
        with write_errors(self.path):
            self._file = self._lines.open("wb")
        self._out: IO[bytes] = self._file
        if self._storage == "jsonl.zst":
            import zstandard

            self._out = cast("IO[bytes]", zstandard.ZstdCompressor(level=6).stream_writer(self._file))
        return self

    def write(self, data: bytes) -> None:
        self._hash.update(data)
        with write_errors(self.path):
            self._out.write(data)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def __exit__(self, kind: object, *_: object) -> None:
        with write_errors(self.path):
            self._out.close()
            self._file.close()
        if kind is None and self._storage == "parquet":
            lines_to_parquet(self._lines, self.path)
            self._lines.unlink()


def lines_to_parquet(lines: Path, out: Path) -> None:
    """Store JSON lines of cases as a table; nested fields are JSON text there."""
    import duckdb

    types = ", ".join(f"'{name}': '{'JSON' if name in NESTED else 'VARCHAR'}'" for name in Case.__struct_fields__)
    select = ", ".join(f'"{name}"::VARCHAR AS "{name}"' for name in Case.__struct_fields__)
    # One thread: the same bytes every time.
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
