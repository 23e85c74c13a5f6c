"""An open index: its columns, mapped from disk, and single cases with their answers, read where they are stored."""

import sqlite3
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import numpy

from assay.core.case import Case, Prediction
from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.run_record import RunRecord
from assay.core.serialise import from_json
from assay.evaluate.case_columns import Bools, Ints, renumber_clusters
from assay.run.case_index.index_layout import FAILED, HELD, RIGHT, Common, Description, copy_name, match_rows
from assay.storage.suite import Suite

SEARCHES = 32
"""Number of searches that are remembered: each page of a result, and each facet, needs the same one."""


ALL = slice(None)


class IndexedCase(NamedTuple):
    """A case with every model's answer."""

    number: int
    """Its row in the index, which never changes."""
    suite: str
    case: Case
    answers: dict[str, Prediction]
    """Each model's answer, as it is stored."""
    failed: dict[str, bool]
    """True if that is not what the case expects."""
    held: dict[str, bool]
    """True if the model was right on the source pair."""
    source: int | None
    """The row of its source pair, if it was run."""


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
        self._files = cache(self._files_of)

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
        """The number of a model."""
        known = self.described.models
        if name not in known:
            raise UnknownNameError(
                f"No model {name!r} in {self.described.run}{did_you_mean(name, known)} Choose from {', '.join(known)}."
            )
        return known.index(name)

    def beside(self, other: "CaseIndex") -> "CaseIndex":
        """The same cases with the answers of another run beside this run's; its models are called MODEL in RUN."""
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
        """The cases whose answer has a flag."""
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

    def read(self, number: int, lines: "Lines") -> IndexedCase:
        """A case with every model's answer, from files that are open."""
        suite = int(self.codes("suite", number))
        cases, said = self._files(suite)
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

    def _files_of(self, suite: int) -> tuple[Path, list[Path]]:
        """The places of a suite's cases and of each model's answers in their files."""
        name = self.described.values["suite"][suite]
        copy = self._folder / copy_name(suite)
        cases = copy if copy.is_file() else self._run / "suites" / name / "cases.jsonl"
        return cases, [self._run / each.files[name].file for each in self.record.models]

    def suite(self, name: str) -> Suite:
        """A suite of the run."""
        return Suite(self._run / "suites" / name, self.record.suites[name])

    def siblings(self, number: int) -> list[int]:
        """The rows of the cases that come from the same source pair; they are next to each other."""
        pairs = self.column("pair")
        first = int(numpy.searchsorted(pairs, pairs[number], side="left"))
        last = int(numpy.searchsorted(pairs, pairs[number], side="right"))
        return [*range(first, last)]

    def clusters(self, rows: Ints) -> tuple[Ints, Ints]:
        """The numbers of the premises and of the units of some cases, told apart within their suites."""
        found = [numpy.asarray(self.column(name)[rows], dtype=numpy.int64) for name in ("cluster", "unit")]
        numbers = renumber_clusters(numpy.concatenate(found))
        return numbers[: len(rows)], numbers[len(rows) :]

    def right(self, model: str) -> Bools:
        """The cases that a model gets right, among those that claim a label."""
        return self.flagged(model, RIGHT)

    def disagreement(self, one: str, other: str, rows: Any) -> Any:
        """The distance between two models' probabilities: the share that would have to move.

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
