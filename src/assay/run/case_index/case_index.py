"""The index of a run's cases: columns mapped from disk, kinds of cases, searchable words, and single cases."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import numpy

from assay.core.case import Case, Prediction
from assay.core.errors import UserError, check_known
from assay.core.run_record import RunRecord
from assay.core.serialise import from_json
from assay.evaluate.case_columns import Bools, Ints, renumber_clusters
from assay.storage.files import write_whole
from assay.storage.folders import cache_folder
from assay.storage.suite import Suite

LAYOUT = "cases-v3"  # the folder of all indexes; a new layout gets a new name, so an old index is never misread
MOST_VALUES = 200  # a group with more values than this, such as a score, can be searched for but is not a facet
FAILED, RIGHT, HELD = 1, 2, 4  # flags of an answer: unexpected; the label of the case; right on the source pair


class Description(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = 1
    run: str
    cases: int
    models: tuple[str, ...]
    values: dict[str, tuple[str, ...]]  # the values of each facet, and of answers, by code
    facets: tuple[str, ...]
    """The facets of cases, in the order of the table of kinds: suite, family, variant, label, expects, group.NAME."""


def index_folder(record: RunRecord) -> Path:
    """The folder of the index of a run: its name is the run's seal, so it can't be out of date."""
    return cache_folder(LAYOUT) / record.seal


def index_is_there(record: RunRecord) -> bool:
    """True if the index of a run was built."""
    return (index_folder(record) / "index.json").is_file()


def copy_name(suite: int) -> str:
    """The file with the cases of a suite that is not stored as lines."""
    return f"cases-{suite}.jsonl"


LARGEST = 1 << 62  # the largest number that codes are mixed into


def kinds_of(codes: Sequence[Any]) -> tuple[Any, Any]:
    """The kind of each case, by number, and the codes of each kind, a row for each facet.

    >>> of_cases, table = kinds_of([numpy.array([0, 1, 0, 1]), numpy.array([2, 2, 2, 0])])
    >>> of_cases.tolist(), table.tolist()
    ([0, 2, 0, 1], [[0, 1, 1], [2, 0, 2]])
    """
    mixed: Ints = numpy.zeros(len(codes[0]), dtype=numpy.int64)
    span = 1
    for column in codes:
        size = int(column.max(initial=0)) + 1
        if span * size > LARGEST:
            mixed = numpy.unique(mixed, return_inverse=True)[1]
            span = int(mixed.max(initial=0)) + 1
        mixed = mixed * size + column
        span *= size
    _, first, of_cases = numpy.unique(mixed, return_index=True, return_inverse=True)
    return of_cases.astype(numpy.uint32), numpy.array([column[first] for column in codes], dtype=numpy.uint32)


LEAST, RARE, MOST = 5_000, 100, 300  # frequent words: in more than LEAST cases and one in RARE; at most MOST words
PIECE = re.compile(r'"([^"]*)"|(\S+)')


def query_of(typed: str) -> str:
    """A search query: every word must occur, phrases in order; a word that ends in * is a prefix.

    >>> query_of('not "the old" trun*')
    '"not" "the old" "trun"*'
    >>> query_of("a NEAR(b OR")
    '"a" "NEAR(b" "OR"'
    """
    pieces = []
    for phrase, word in PIECE.findall(typed.replace("\0", " ")):
        text = phrase or word
        begins = bool(word) and word.endswith("*")
        quoted = (word.rstrip("*") if begins else text).replace('"', '""')
        if quoted.strip():
            pieces.append(f'"{quoted}"{"*" if begins else ""}')
    return " ".join(pieces)


def keep_common(connection: sqlite3.Connection, out: Path, cases: int) -> None:
    """Store which cases have each frequent word, as bits, because reading a million rows of a search takes long."""
    connection.execute("CREATE VIRTUAL TABLE temp.seen USING fts5vocab('main', 'words', 'row')")
    least = max(LEAST, cases // RARE)
    rows = connection.execute("SELECT term FROM temp.seen WHERE doc > ? ORDER BY doc DESC LIMIT ?", [least, MOST])
    terms = [term for (term,) in rows]
    bits = numpy.zeros((len(terms), -(-cases // 8)), dtype=numpy.uint8)
    for place, term in enumerate(terms):
        found = numpy.zeros(cases, dtype=bool)
        found[match_rows(connection, term)] = True
        bits[place] = numpy.packbits(found)
    numpy.save(out / "common.npy", bits)
    write_whole(out / "common.json", msgspec.json.encode(terms))


class Common:
    """The frequent words of an index."""

    def __init__(self, folder: Path, cases: int) -> None:
        terms: list[str] = msgspec.json.decode((folder / "common.json").read_bytes())
        self._places = {term: place for place, term in enumerate(terms)}
        self._bits = numpy.load(folder / "common.npy", mmap_mode="r") if terms else None
        self._cases = cases

    def get(self, typed: str) -> Bools | None:
        """The cases with all words, if each of them is frequent."""
        places = [self._places.get(word) for word in typed.lower().split()]
        if not places or None in places or self._bits is None:
            return None
        together = numpy.bitwise_and.reduce(self._bits[places])
        return numpy.unpackbits(together, count=self._cases).view(bool)


def match_rows(connection: sqlite3.Connection, typed: str) -> Ints:
    """The rows of the cases with these words. They arrive as one text, which is much faster than row by row."""
    query = query_of(typed)
    if not query:
        return numpy.zeros(0, dtype=numpy.int64)
    (rows,) = connection.execute("SELECT group_concat(rowid) FROM words WHERE words MATCH ?", [query]).fetchone()
    return numpy.fromstring(rows, dtype=numpy.int64, sep=",") if rows else numpy.zeros(0, dtype=numpy.int64)


SEARCHES = 32  # number of searches that are remembered: each page of a result, and each facet, needs the same one

ALL = slice(None)


class IndexedCase(NamedTuple):
    """A case with every model's answer."""

    number: int  # its row in the index, which never changes
    suite: str
    case: Case
    answers: dict[str, Prediction]  # each model's answer, as it is stored
    failed: dict[str, bool]
    held: dict[str, bool]  # True if the model was right on the source pair
    source: int | None  # the row of its source pair, if it was run


def same_cases(one: RunRecord, other: RunRecord) -> bool:
    """True if two runs have the same suites, judged by as many labels, so that their cases are the same row by row."""
    first, second = (
        (run.label_space.labels, [(name, manifest.digest) for name, manifest in run.suites.items()])
        for run in (one, other)
    )
    return first == second


class CaseIndex:
    """The cases of a run."""

    def __init__(self, folder: Path, run: Path, record: RunRecord) -> None:
        self.described = from_json(folder / "index.json", Description, newest=1)
        self.record = record
        self.models = {each.model: each for each in record.models}
        self._folder, self._run = folder, run
        self._beside: dict[str, tuple[CaseIndex, str]] = {}
        self._columns: dict[str, Any] = {}
        self._kinds = numpy.load(folder / "kinds.npy")
        self._common = Common(folder, self.described.cases)
        self.search = lru_cache(SEARCHES)(self._search)
        self.sizes = cache(self._sizes)
        self._places = cache(self._find_files)

    def __len__(self) -> int:
        return self.described.cases

    @property
    def facets(self) -> list[str]:
        """The facets that cases can be chosen by."""
        return [name for name in self.described.facets if name != "expects"]

    @property
    def groups(self) -> list[str]:
        """The facets that come from the corpus."""
        return [name for name in self.described.facets if name.startswith("group.")]

    @property
    def kinds(self) -> int:
        """Number of kinds of cases there are."""
        return int(self._kinds.shape[1])

    def of_kinds(self, facet: str) -> Ints:
        """The code of each kind of cases."""
        return numpy.asarray(self._kinds[self.described.facets.index(facet)])

    def codes(self, facet: str, rows: Any = ALL) -> Ints:
        """The code of each case, or of some."""
        return numpy.asarray(self.of_kinds(facet)[self.column("kind")[rows]])

    def column(self, name: str) -> Any:
        """A column, mapped from disk."""
        if name not in self._columns:
            mapped = numpy.load(self._folder / f"{name}.npy", mmap_mode="r")
            self._columns[name] = mapped.view(numpy.ndarray)  # the same memory, without a check of every slice
        return self._columns[name]

    def of_model(self, name: str, model: str) -> Any:
        """A column of a model: answer, flags, confidence or shares."""
        if model in self._beside:
            index, own = self._beside[model]
            return index.of_model(name, own)
        return self.column(f"{name}-{self.model(model)}")

    def model(self, name: str) -> int:
        known = self.described.models
        check_known(name, known, f"No model {name!r} in {self.described.run}")
        return known.index(name)

    def beside(self, other: "CaseIndex") -> "CaseIndex":
        """The same cases with the answers of another run added; its models are called MODEL in RUN."""
        if not same_cases(self.record, other.record):
            raise UserError(
                f"{self.record.id} and {other.record.id} have different suites, so their answers can't be compared."
                "\n  Run the models on the same suites: `assay run --suite FOLDER`."
            )
        both = copy(self)
        both._beside = {name_in(each, other.record): (other, each) for each in other.described.models}
        named = {name: other.models[own] for name, (_, own) in both._beside.items()}
        both.models = {**self.models, **named}
        both.described = msgspec.structs.replace(self.described, models=(*self.described.models, *named))
        both.sizes = cache(both._sizes)
        return both

    def flagged(self, model: str, flag: int) -> Bools:
        return numpy.asarray((self.of_model("flags", model) & flag) != 0)

    def _sizes(self, model: str) -> Ints:
        """Number of cases each kind has, or how many of them a model gets wrong."""
        kinds = self.column("kind")
        return numpy.bincount(
            numpy.compress(self.flagged(model, FAILED), kinds) if model else kinds, minlength=self.kinds
        )

    def _search(self, words: str) -> Bools:
        """The cases with these words."""
        if (frequent := self._common.get(words)) is not None:
            return frequent
        found = numpy.zeros(len(self), dtype=bool)
        with sqlite3.connect(f"file:{self._folder / 'words.db'}?mode=ro&immutable=1", uri=True) as connection:
            found[match_rows(connection, words)] = True
        connection.close()
        return found

    def row(self, number: int) -> IndexedCase:
        """A case with every model's answer."""
        with Lines() as lines:
            return self.read(number, lines)

    def rows(self, numbers: Iterable[int]) -> Iterator[IndexedCase]:
        """Cases with every model's answers, one after the other."""
        with Lines() as lines:
            for number in numbers:
                yield self.read(number, lines)

    def texts(self, numbers: Iterable[int]) -> list[tuple[str, str]]:
        """The premises and hypotheses of some cases."""
        found = []
        with Lines() as lines:
            for number in numbers:
                cases, _ = self._places(int(self.codes("suite", number)))
                case = msgspec.json.decode(lines.read(cases, int(self.column("line")[number])), type=Case)
                found.append((case.premise, case.hypothesis))
        return found

    def read(self, number: int, lines: "Lines") -> IndexedCase:
        """A case with every model's answer, from files that are open."""
        suite = int(self.codes("suite", number))
        cases, said = self._places(suite)
        answers, failed, held = {}, {}, {}
        for model, each in enumerate(self.record.models):
            flags = int(self.column(f"flags-{model}")[number])
            line = lines.read(said[model], int(self.column(f"line-{model}")[number]))
            answers[each.model] = msgspec.json.decode(line, type=Prediction)
            failed[each.model], held[each.model] = bool(flags & FAILED), bool(flags & HELD)
        for called, (other, own) in self._beside.items():
            row = other.read(number, lines)
            answers[called], failed[called], held[called] = row.answers[own], row.failed[own], row.held[own]
        source = int(self.column("source")[number])
        return IndexedCase(
            number=number,
            suite=self.described.values["suite"][suite],
            case=msgspec.json.decode(lines.read(cases, int(self.column("line")[number])), type=Case),
            answers=answers,
            failed=failed,
            held=held,
            source=None if source < 0 else source,
        )

    def _find_files(self, suite: int) -> tuple[Path, list[Path]]:
        """The places of a suite's cases and of each model's answers in their files."""
        name = self.described.values["suite"][suite]
        copy = self._folder / copy_name(suite)
        cases = copy if copy.is_file() else self._run / "suites" / name / "cases.jsonl"
        return cases, [self._run / each.files[name].file for each in self.record.models]

    def suite(self, name: str) -> Suite:
        return Suite(self._run / "suites" / name, self.record.suites[name])

    def siblings(self, number: int) -> list[int]:
        """The rows of the cases that come from the same source pair; they are next to each other."""
        pairs = self.column("pair")
        first = int(numpy.searchsorted(pairs, pairs[number], side="left"))
        last = int(numpy.searchsorted(pairs, pairs[number], side="right"))
        return [*range(first, last)]

    def clusters(self, rows: Ints) -> tuple[Ints, Ints]:
        """The indices of the premises and of the units of some cases, counted separately in each suite."""
        found = [numpy.asarray(self.column(name)[rows], dtype=numpy.int64) for name in ("cluster", "unit")]
        numbers = renumber_clusters(numpy.concatenate(found))
        return numbers[: len(rows)], numbers[len(rows) :]

    def right(self, model: str) -> Bools:
        """The cases that a model gets right, among those that have a label."""
        return self.flagged(model, RIGHT)

    def disagreement(self, one: str, other: str, rows: Any) -> Any:
        """The distance between two models' probabilities, as the share that would have to move.

        Answers without probabilities count as sure.
        """
        first, second = (self.of_model("shares", model)[rows] for model in (one, other))  # (rows, labels)
        apart = abs(first - second)
        is_binary = (first[:, -1] > 0) | (second[:, -1] > 0)
        return numpy.where(is_binary, apart[:, 0], (apart[:, 0] + apart[:, 1] + apart[:, 2]) / 2)


def name_in(model: str, run: RunRecord) -> str:
    """The name of a model of another run."""
    return f"{model} in {run.id}"


class Lines:
    """Files that are open for reading single lines."""

    def __init__(self) -> None:
        self._files: dict[Path, BinaryIO] = {}

    def read(self, path: Path, start: int) -> bytes:
        """The line that starts at an offset."""
        if path not in self._files:
            self._files[path] = path.open("rb")
        self._files[path].seek(start)
        return self._files[path].readline()

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            file.close()
