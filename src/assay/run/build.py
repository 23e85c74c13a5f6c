"""Building a suite: pairs through transforms into a folder that is whole or not there."""

import hashlib
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar, cast

import msgspec

from assay.core import registry
from assay.core.case import Case, Option, Recipe, case_from
from assay.core.chance import KeyedRandom
from assay.core.edit import Skip
from assay.core.errors import AssayError, ExternalError, UserError
from assay.core.files import digest, folder_aside, to_json, write_errors, write_whole
from assay.core.pair import Pair
from assay.core.suite import NESTED, Manifest, Source, Storage, Suite
from assay.run.shards import BATCH, Crew, Work, parts
from assay.version import __version__

T = TypeVar("T")

LONGEST = 1 << 30
"""Bytes of a case's line that a table takes; a record of a corpus is bounded long before."""

Progress = Callable[[int], None]
"""Told how many records were finished since the last time."""

Stage = Callable[[str, int | None], Progress]
"""Called when a part of the work begins, with its name and size; returns where to report what is done."""


class Readable(Protocol):
    """A corpus that can say what was read of it."""

    problems: list[Skip]

    def __iter__(self) -> Iterator[Pair]: ...

    def summary(self) -> Source: ...


def quiet(_name: str, _total: int | None) -> Progress:
    """A stage that shows nothing."""
    return lambda _: None


def recipe_for(name: str, *, seed: int, options: dict[str, Option] | None = None) -> Recipe:
    """The recipe of a registered transform; wrong options are refused at once."""
    versioned = registry.transforms.resolve(name)
    recipe = Recipe(transform=versioned, options=options or {}, seed=seed)
    _transform(recipe)
    return recipe


def refuse_twice(names: Sequence[str]) -> None:
    """Stop when a name is given twice: ids and files are named by it."""
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise UserError(f"The same name twice: {', '.join(twice)}.")


def build_suite(
    corpus: Readable,
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
    refuse_twice([recipe.transform for recipe in recipes])
    with folder_aside(out, overwrite=overwrite) as aside:
        part_folder = aside / "parts"
        for stale in aside.iterdir():  # an interrupted build may have stored in another way
            if stale != part_folder:
                stale.unlink()
        work = Work(make_cases, (tuple(recipes),), key=f"{__version__} {msgspec.json.encode(recipes).decode()}")
        tally = Tally()
        progress = stage("Building the suite", None)
        with _CaseFile(aside, storage) as file:
            batches = (msgspec.json.encode(batch) for batch in in_batches(corpus, BATCH))
            for path in parts(work, batches, folder=part_folder, crew=crew):
                summary, _, cases = path.read_bytes().partition(b"\n")
                file.write(cases)
                progress(tally.add(msgspec.json.decode(summary, type=PartSummary)))
        source = corpus.summary()
        manifest = Manifest(
            source=source,
            recipes=tuple(recipes),
            seed=recipes[0].seed,
            storage=storage,
            cases=tally.cases,
            counts={family: dict(sorted(labels.items())) for family, labels in tally.counts.items()},
            skips={family: dict(sorted(reasons.items())) for family, reasons in tally.skips.items()},
            digest=file.digest,
            file_digest=digest(file.path),
            versions={"assay": __version__},
        )
        if corpus.problems:
            write_whole(aside / "problems.jsonl", b"".join(msgspec.json.encode(p) + b"\n" for p in corpus.problems))
        write_whole(aside / "manifest.json", to_json(manifest))
        shutil.rmtree(part_folder, ignore_errors=True)
    return Suite(out, manifest)


class PartSummary(msgspec.Struct, kw_only=True):
    """What one part of a build holds."""

    pairs: int
    """Pairs that were looked at."""
    counts: dict[str, dict[str, int]]
    """Cases by family and label."""
    skips: dict[str, dict[str, int]]
    """Skips by family and reason."""


class Tally:
    """The parts' counts, added up."""

    def __init__(self) -> None:
        self.cases = 0
        self.counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.skips: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, part: PartSummary) -> int:
        for family, labels in part.counts.items():
            self.counts[family].update(labels)
            self.cases += sum(labels.values())
        for family, reasons in part.skips.items():
            self.skips[family].update(reasons)
        return part.pairs


def make_cases(batch: bytes, recipes: tuple[Recipe, ...]) -> bytes:
    """The cases of a batch of pairs as JSON lines, under a line that counts them; runs in a worker."""
    pairs = msgspec.json.decode(batch, type=list[Pair])
    encode = msgspec.json.Encoder(order="deterministic").encode
    steps = [(recipe, _transform(recipe), KeyedRandom(recipe.seed, transform=recipe.transform)) for recipe in recipes]
    counts: dict[str, Counter[str]] = {transform.family: Counter() for _, transform, _ in steps}
    skips: dict[str, Counter[str]] = {transform.family: Counter() for _, transform, _ in steps}
    made = []
    for pair in pairs:
        for recipe, transform, rng in steps:
            try:
                edits = transform(pair, rng.keyed(pair.id))
                if isinstance(edits, Skip):
                    skips[transform.family][edits.reason] += 1
                    continue
                for number, edit in enumerate(edits):
                    case = case_from(pair, edit, family=transform.family, recipe=recipe, number=number)
                    counts[transform.family][case.label] += 1
                    made.append(encode(case))
            except AssayError:
                raise
            except Exception as error:  # somebody else's transform may fail in any way
                raise ExternalError(
                    f"{recipe.transform} failed on pair {pair.id!r}: {type(error).__name__}: {error}\n"
                    "  See it whole with --debug."
                ) from error
    summary = PartSummary(
        pairs=len(pairs),
        counts={family: dict(labels) for family, labels in counts.items()},
        skips={family: dict(reasons) for family, reasons in skips.items()},
    )
    return b"\n".join([msgspec.json.encode(summary), *made, b""])


def in_batches(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of so many, the last one shorter.

    >>> list(in_batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    iterator = iter(things)
    while batch := list(islice(iterator, size)):
        yield batch


def _transform(recipe: Recipe) -> Any:
    kind: Any = registry.transforms.get(recipe.transform)
    try:
        return kind(**recipe.options)
    except TypeError as error:
        raise UserError(f"{recipe.transform} does not take these options: {error}.") from error


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
    with write_errors(out), duckdb.connect(config={"threads": 1}) as connection:
        try:
            connection.execute(
                f"COPY (SELECT {select} FROM read_json(?, format='newline_delimited', columns={{{types}}}, "  # noqa: S608 - our own column names
                f"maximum_object_size={LONGEST})) "
                f"TO '{str(out).replace(chr(39), chr(39) * 2)}' (FORMAT parquet, COMPRESSION zstd)",
                [str(lines)],
            )
        except duckdb.IOException as error:
            raise OSError(str(error)) from error
