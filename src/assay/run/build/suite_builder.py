"""Building a suite: pairs through transforms into a folder that is never half-written."""

import hashlib
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import msgspec

from assay.core import registry
from assay.core.case import Case, Recipe
from assay.core.errors import UserError
from assay.core.manifest import Manifest, Storage
from assay.core.pair import Pair, Problem
from assay.core.protocols import Corpus, Sliced, Splitter, Splitting
from assay.core.serialise import to_json
from assay.corpora.reader import BUNDLED, CorpusReader, bundled_path
from assay.evaluate.surface_shortcuts import measure_shortcuts
from assay.language.words.word_forms import is_foreign_corpus
from assay.run.build.case_builder import Tally, describe_slices, make_cases, refuse_unprovable
from assay.run.build.recipes import prepare, recipes_for, traits_of, transform_of
from assay.run.workers.pool import Stage, Work, WorkerPool, pair_batches, parts, quiet
from assay.storage.files import Kind, connect, digest, folder_aside, folder_of_work, write_errors, write_whole
from assay.storage.suite import NESTED, Suite
from assay.stress.heuristics.build import GeneratedPairs
from assay.stress.heuristics.grammar import load_grammar, read_text
from assay.stress.logic.build import LogicPairs
from assay.stress.logic.pair_forms import LOGIC_FAMILIES
from assay.stress.logic.template_family import logic_family
from assay.stress.template_pairs import Split
from assay.version import __version__

LOOKED_AT = 200  # number of pairs that decide in which language a corpus is
PARTS = "parts"
PROBLEMS = "problems.jsonl"  # the file of broken records that were left out


def _list_files(folder: Path) -> list[str]:
    cases = Suite.open(folder).cases_file
    parts = [f"{cases.name}/{path.name}" for path in cases.glob("[0-9]*.parquet")]
    return ["manifest.json", PROBLEMS, *(parts or [cases.name])]


SUITE = Kind("a suite", _list_files)


def refuse_twice(names: Sequence[str]) -> None:
    """Stop if a name is given twice: ids and files are named after it."""
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise UserError(f"The same name twice: {', '.join(twice)}.")


def build_suite(
    corpus: Corpus,
    recipes: Sequence[Recipe],
    out: Path,
    *,
    pool: WorkerPool,
    storage: Storage | None = None,
    overwrite: bool = False,
    stage: Stage = quiet,
) -> Suite:
    """Build a suite of all recipes over a corpus; without a storage, a large one is stored in parts."""
    work, resources = planned_work(recipes)
    place = corpus_file(corpus)
    if place.is_file() and place.is_relative_to(out.absolute()):
        raise UserError(f"The corpus is in {out}, which the suite would replace.\n  Choose another --out.")
    with folder_aside(out, over=SUITE if overwrite else None, resumes=True) as aside:
        part_folder = aside / PARTS
        for stale in aside.iterdir():  # an interrupted command may have used another storage
            if stale.is_dir() and stale != part_folder:
                shutil.rmtree(stale)
            elif stale != part_folder:
                stale.unlink()
        tally, problems, made = Tally(), Problems(recipes), 0
        progress = stage(f"Building {out.name}", _expect_pairs(corpus))
        with CaseFile(aside, storage) as file:
            work, pairs_read = look_at_language(work, corpus.as_pairs(problems))
            batches = pair_batches(pairs_read, pool.batch)
            for part in parts(work, batches, folder=part_folder, pool=pool):
                cases, pairs = tally.add(part)
                file.write(cases)
                progress(pairs)
                made += pairs
            file.leave_out(tally.limit(recipes))
            source = corpus.summary()
            file.leave_out(tally.balance(recipes, file.cases(), source.label_space))
            shortcuts = measure_shortcuts(file.cases(), source.label_space)
        # a problem is not a pair: its sentences may become pairs
        notes = source.notes + problems.count(tally) + tally.told()
        source = msgspec.structs.replace(source, pairs=made, notes=notes)
        sliced = [each for each in map(transform_of, recipes) if isinstance(each, Sliced)]
        manifest = Manifest(
            source=source,
            recipes=tuple(recipes),
            seed=recipes[0].seed,
            storage=file.storage,
            cases=tally.cases,
            counts={family: dict(sorted(labels.items())) for family, labels in tally.counts.items()},
            skips={family: dict(sorted(reasons.items())) for family, reasons in tally.skips.items()},
            slices={each.family: describe_slices(tally.slices, each, pairs=made) for each in sliced} or msgspec.UNSET,
            shortcuts=shortcuts,
            digest=file.digest,
            file_digest=digest(file.path),
            versions={"assay": __version__, **resources},
        ).sealed()
        if corpus.problems:
            write_whole(aside / PROBLEMS, b"".join(msgspec.json.encode(p) + b"\n" for p in corpus.problems))
        write_whole(aside / "manifest.json", to_json(manifest))
        shutil.rmtree(part_folder, ignore_errors=True)
    return Suite(out, manifest)


class Problems:
    """Splits word problems into pairs, with a family of the build, or otherwise with any registered family that can.

    It is looked up when the first problem is read, because most corpora have none.
    """

    def __init__(self, recipes: Sequence[Recipe]) -> None:
        self._recipes = recipes
        self._splitter: Splitter | None = None
        self._family = ""

    def __call__(self, problem: Problem) -> Iterable[Pair]:
        """The pairs made from a problem."""
        if self._splitter is None:
            others = (Recipe(transform=name, seed=0) for name in registry.transforms.newest())
            for recipe in (*self._recipes, *others):
                kind = registry.transforms.get(recipe.transform)
                if isinstance(kind, type) and issubclass(kind, Splitting):
                    transform: Any = transform_of(recipe)
                    self._family, self._splitter = traits_of(recipe.transform).family, transform.splitter()
                    break
            else:
                raise UserError("The corpus holds word problems, and no installed family makes pairs from them.")
        return self._splitter(problem)

    def count(self, tally: Tally) -> tuple[str, ...]:
        """Count the skipped problems under the family that split them, and add its notes."""
        if self._splitter is None:
            return ()
        if self._splitter.skips:
            tally.skips[self._family].update(self._splitter.skips)
        return self._splitter.told()


def planned_work(recipes: Sequence[Recipe]) -> tuple[Work, dict[str, str]]:
    """The work of a build, which depends only on its recipes; recipes that can't be built are refused."""
    if not recipes:
        raise UserError("No family to build; `assay list families` shows them.")
    refuse_twice([f"{recipe.transform} {recipe.options}" for recipe in recipes])
    refuse_unprovable(recipes)
    resources = prepare(recipes)
    key = f"{__version__} {resources} {msgspec.json.encode(recipes).decode()}"
    return (Work(make_cases, (tuple(recipes),), key=key), resources)


def look_at_language(work: Work, pairs: Iterator[Pair]) -> tuple[Work, Iterator[Pair]]:
    """All pairs, and the work, which is marked if the first pairs together are clearly not English."""
    first = list(islice(pairs, LOOKED_AT))
    if is_foreign_corpus(f"{pair.premise} {pair.hypothesis}" for pair in first):
        work = work._replace(arguments=(*work.arguments, True), key=f"{work.key} in_foreign")
    return work, chain(first, pairs)


def parts_of(out: Path) -> Path:
    """The folder of the parts of this suite until it is complete."""
    return folder_of_work(out) / PARTS


def corpus_file(corpus: Corpus) -> Path:
    """The path of the corpus, if it is a file."""
    return Path(corpus.reading.source if isinstance(corpus, CorpusReader) else "").absolute()


def _expect_pairs(corpus: Corpus) -> int | None:
    """The approximate number of pairs, by the lines of the file; None if that is unknown before reading."""
    if not isinstance(corpus, CorpusReader):
        return None
    path = bundled_path() if corpus.reading.source == BUNDLED else corpus_file(corpus)
    if not path.is_file() or path.suffix not in (".jsonl", ".csv", ".tsv") or path.stat().st_size > COUNTED:
        return None
    lines = path.read_bytes().count(b"\n") - (path.suffix != ".jsonl")  # a table has a header
    drawn = corpus.reading.sample
    return max(0, min(lines, corpus.reading.limit or lines, lines if isinstance(drawn, msgspec.UnsetType) else drawn.n))


COUNTED = 1 << 26  # bytes of the largest file whose lines are counted before it is read
HEURISTICS = "heuristics"


def generated(
    per_subcase: int = 1000,
    *,
    family: str = HEURISTICS,
    split: Split = "evaluation",
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    grammar: str | Path | None = None,
    subcases: Collection[str] | None = None,
) -> GeneratedPairs | LogicPairs:
    """Pairs from the templates of a family, as a corpus to build from: `per_subcase` for each (given) subcase.

    The switches of heuristics are `fidelity` and `quirks`, that of the logic families is `extra`; `grammar` is your own
    file of words and templates, which is checked.

    >>> len(list(generated(2, split="training", subcases=["cn_adverb"])))
    2
    >>> len(list(generated(5, family="scope", subcases=["two-in"])))
    5
    """
    name = family.partition("/")[0]
    options: dict[str, Any] = dict(recipes_for([family], seed=seed, switches=switches)[0].options)
    if name in LOGIC_FAMILIES:
        if grammar:
            options["templates"] = read_text(grammar)
            logic_family(name, options["templates"], file=str(grammar))  # so that errors name the file
        return LogicPairs(name, per_subcase, split=split, seed=seed, subcases=subcases, **options)
    if name != HEURISTICS:
        raise UserError(f"{family} has no templates; those that have are {HEURISTICS}, {', '.join(LOGIC_FAMILIES)}.")
    if grammar:
        options["grammar"] = read_text(grammar)
        load_grammar(options["grammar"], name=str(grammar))
    return GeneratedPairs(per_subcase, split=split, seed=seed, subcases=subcases, **options)


def subcases_of(family: str) -> list[str]:
    if family in LOGIC_FAMILIES:
        return list(dict.fromkeys(each.subcase for each in logic_family(family).templates))
    return [each.name for each in load_grammar().subcases]


LARGE = 1_000_000  # more cases than this are stored in parts, unless the user says how
PART = 100_000

LONGEST = 1 << 30  # maximum number of bytes of a case's line in a table; records of a corpus have a much lower limit


class CaseFile:
    """Cases that arrive in parts; some may have to be removed once all are known."""

    def __init__(self, folder: Path, storage: Storage | None, *, large: int = LARGE, part: int = PART) -> None:
        self.storage: Storage = storage or "jsonl"  # their storage; without the user's choice, their number decides
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
                import zstandard

                with write_errors(self.path), self._lines.open("rb") as source, self.path.open("wb") as file:
                    zstandard.ZstdCompressor(level=6).copy_stream(source, file)
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
