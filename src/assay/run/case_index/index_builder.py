"""Building the index of a run: one pass over cases and answers, with little memory."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import numpy
from numpy.lib.format import open_memmap

from assay.core.label_space import LABELS
from assay.core.run_record import RunRecord
from assay.core.serialise import to_json
from assay.evaluate.case_columns import EXPECTATIONS, MOST_CLUSTERS, CaseColumns, Encoder, Ints
from assay.run.case_index.case_index import (
    FAILED,
    HELD,
    MOST_VALUES,
    RIGHT,
    Description,
    copy_name,
    index_folder,
    index_is_there,
    keep_common,
    kinds_of,
)
from assay.run.measure import judged_answers, labels_read
from assay.run.stored_run import JoinedAnswers, Run, StoredRun, open_run, run_folder
from assay.run.workers.pool import ahead
from assay.storage.files import folder_aside, write_whole
from assay.storage.suite import Suite

AT_ONCE = 1 << 22  # bytes of a file in which line ends are looked for at once
HASHED = 64 << 20  # bytes of words that SQLite collects before it writes: its own megabyte takes twice as long
ANSWER = {"answer": "u1", "flags": "u1", "confidence": "f4", "shares": "f4", "line": "i8"}

NO_ANSWER_NAME = "no answer"


class _IndexedTexts(msgspec.Struct, frozen=True, gc=False):
    """The searchable texts and the facets of a case."""

    premise: str
    hypothesis: str
    family: str
    variant: str
    group: dict[str, str]


class Names:
    """The values of a facet in order of appearance; a value's code is its index.

    >>> names = Names(["a"])
    >>> names.codes(["b", "a", "b"]), names.values
    ([1, 0, 1], ['a', 'b'])
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self.values = [*values]
        self._codes = {value: code for code, value in enumerate(self.values)}

    @property
    def are_many(self) -> bool:
        """True if a group has too many values to be a facet."""
        return len(self.values) > MOST_VALUES

    def codes(self, values: Sequence[str]) -> list[int]:
        """The codes of values, which are new or known."""
        for value in dict.fromkeys(values):
            if value not in self._codes:
                self._codes[value] = len(self.values)
                self.values.append(value)
        return [self._codes[value] for value in values]


def build_index(run: Run, tell: Callable[[float], None] = lambda _: None) -> Path:
    """The folder of a run's index, built if it is missing; `tell` is called with the share done."""
    record, folder = open_run(run), run_folder(run)
    target = index_folder(record)
    if not index_is_there(record):
        with folder_aside(target) as aside:
            _Builder(aside, folder, record).build(tell)
    return target


class _Builder:
    """The columns while they are filled."""

    def __init__(self, out: Path, folder: Path, record: RunRecord) -> None:
        self._out, self._folder, self._record = out, folder, record
        self._cases = sum(manifest.cases for manifest in record.suites.values())
        self._columns: dict[str, Any] = {}
        self._names = {
            "suite": Names(record.suites),
            "family": Names(),
            "variant": Names([""]),
            "label": Names(LABELS),
            "expects": Names(EXPECTATIONS),
        }
        self._codes = {name: self._empty() for name in self._names}
        self._pairs = 0

    def _empty(self) -> Any:
        return numpy.zeros(self._cases, dtype=numpy.uint32)

    def build(self, tell: Callable[[float], None]) -> None:
        run = StoredRun.of(self._folder, self._record)
        with closing(sqlite3.connect(self._out / "words.db")) as words:
            _prepare_words(words)
            start = 0
            for number, name in enumerate(self._record.suites):
                row = start
                # SQLite does not need the interpreter, so the next cases are read while it adds words.
                for each, labels in ahead(self._read(run, name)):
                    self._add_cases(row, each.cases, number)
                    self._add_answers(row, each, labels)
                    texts = msgspec.json.Decoder(_IndexedTexts).decode_lines(b"\n".join(each.lines))
                    self._add_facets(row, texts)
                    _add_words(words, row, texts)
                    row += len(each.lines)
                    tell(row / max(1, self._cases))
                self._place_lines(start, number, name, run.suites[name])
                start = row
            words.execute("INSERT INTO words(words) VALUES ('optimize')")
            words.commit()
            keep_common(words, self._out, self._cases)
        facets = [name for name, names in self._names.items() if not (name.startswith("group.") and names.are_many)]
        of_cases, table = kinds_of([self._codes[name] for name in facets])
        numpy.save(self._out / "kind.npy", of_cases)
        numpy.save(self._out / "kinds.npy", table)
        for column in self._columns.values():
            column.flush()
        described = Description(
            run=self._record.id,
            cases=self._cases,
            models=tuple(each.model for each in self._record.models),
            values={name: tuple(self._names[name].values) for name in facets} | {"answer": (*LABELS, NO_ANSWER_NAME)},
            facets=tuple(facets),
        )
        write_whole(self._out / "index.json", to_json(described))

    def _read(self, run: StoredRun, suite: str) -> Iterator[tuple[JoinedAnswers, Ints]]:
        """The cases of a suite with the answers, chunk by chunk, and the codes of the answers."""
        encoder = Encoder(self._record.label_space)
        for each in run.joined(suite, encoder):
            yield each, labels_read(each, encoder, self._record.suites[suite])

    def _put(self, name: str, kind: str, row: int, values: Any) -> None:
        """Fill part of a column; the rest stays zero."""
        if name not in self._columns:
            shape = (self._cases, *numpy.shape(values)[1:])
            self._columns[name] = open_memmap(self._out / f"{name}.npy", "w+", dtype=numpy.dtype(kind), shape=shape)
        self._columns[name][row : row + len(values)] = values

    def _note(self, facet: str, row: int, codes: Any) -> None:
        """Fill part of a facet; the rest stays empty."""
        self._codes.setdefault(facet, self._empty())[row : row + len(codes)] = codes

    def _add_cases(self, row: int, cases: CaseColumns, suite: int) -> None:
        size = len(cases.ids)
        self._put("source", "i4", row, numpy.where(cases.source >= 0, cases.source + row, -1))
        self._put("pair", "i4", row, cases.pair + self._pairs)
        self._put("cluster", "i4", row, cases.cluster + suite * MOST_CLUSTERS)
        self._put("unit", "i4", row, cases.unit + suite * MOST_CLUSTERS)
        self._note("suite", row, numpy.full(size, suite))
        self._note("label", row, cases.label)
        self._note("expects", row, cases.expects)
        self._pairs += int(cases.pair[-1]) + 1 if size else 0

    def _add_answers(self, row: int, each: JoinedAnswers, labels: Any) -> None:
        judged = judged_answers(each, labels)
        flags = judged.failed * FAILED + (judged.right & each.cases.claims) * RIGHT + judged.held * HELD
        columns = {
            "answer": judged.label,
            "flags": flags,
            "confidence": judged.confidence,
            "shares": _sure_shares(each.answers.probabilities, judged.label),
        }
        for model in range(len(self._record.models)):
            for name, column in columns.items():
                self._put(f"{name}-{model}", ANSWER[name], row, column[model])

    def _add_facets(self, row: int, texts: Sequence[_IndexedTexts]) -> None:
        self._note("family", row, self._names["family"].codes([each.family for each in texts]))
        self._note("variant", row, self._names["variant"].codes([each.variant for each in texts]))
        for name in dict.fromkeys(name for each in texts for name in each.group):
            known = self._names.setdefault(f"group.{name}", Names([""]))
            if not known.are_many:
                self._note(f"group.{name}", row, known.codes([each.group.get(name, "") for each in texts]))

    def _place_lines(self, start: int, number: int, name: str, suite: Suite) -> None:
        """Store where each case and answer begins in its file."""
        copy = None
        if suite.manifest.storage != "jsonl":  # has no lines to go to: the index keeps its own copy
            copy = self._out / copy_name(number)
            with copy.open("wb") as file:
                file.writelines(line + b"\n" for line in suite.lines())
        self._put("line", "i8", start, line_starts(suite.cases_file if copy is None else copy))
        for model, each in enumerate(self._record.models):
            self._put(f"line-{model}", ANSWER["line"], start, line_starts(self._folder / each.files[name].file))


def _add_words(words: sqlite3.Connection, row: int, texts: Sequence[_IndexedTexts]) -> None:
    words.executemany(
        "INSERT INTO words(rowid, premise, hypothesis) VALUES (?, ?, ?)",
        ((row + place, each.premise, each.hypothesis) for place, each in enumerate(texts)),
    )


def _sure_shares(probabilities: Any, answers: Any) -> Any:
    """The probabilities by model, case and label; answers without probabilities count as certain."""
    shares = numpy.nan_to_num(probabilities, nan=0.0)
    silent = numpy.nonzero((shares.sum(axis=2) == 0) & (answers < shares.shape[2]))
    shares[(*silent, answers[silent])] = 1.0
    return shares


def _prepare_words(words: sqlite3.Connection) -> None:
    """Create the word index, which stores only words, because the run has the texts."""
    words.execute("PRAGMA journal_mode = OFF")
    words.execute("PRAGMA synchronous = OFF")
    words.execute("CREATE VIRTUAL TABLE words USING fts5(premise, hypothesis, content='', columnsize=0)")
    words.execute("INSERT INTO words(words, rank) VALUES ('hashsize', ?)", [HASHED])


def line_starts(path: Path) -> Any:
    """The offset of each line of a file."""
    ends = []
    position = 0
    with path.open("rb") as file:
        while chunk := file.read(AT_ONCE):
            ends.append(numpy.flatnonzero(numpy.frombuffer(chunk, dtype="u1") == ord("\n")) + position + 1)
            position += len(chunk)
    found = numpy.concatenate([[0], *ends]) if ends else numpy.zeros(1, dtype="i8")
    return found[:-1] if found[-1] == position else found
