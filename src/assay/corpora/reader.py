"""Reading a corpus: detection, counting what is left out, and errors that name the file and the line."""

import copy
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib.resources import files
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack, overload

import msgspec

from assay.core import registry
from assay.core.edit import Skip
from assay.core.errors import BadInputError, BadRecordError, UnknownLabelError, UserError
from assay.core.label import LabelReader, written_option
from assay.core.label_space import LabelSpace
from assay.core.manifest import NOT_DRAWN, Sampling, Source
from assay.core.pair import LabelledText, Pair, Problem, Record
from assay.core.protocols import Corpus, Format, Row, Sample
from assay.core.run_record import CorpusReading
from assay.corpora.byte_streams import Stream, open_streams, own_name
from assay.corpora.formats.pairs import CLAIMS, UNLABELLED, Pairs, id_of_texts, named_columns
from assay.corpora.formats.phenomena import ByColumns
from assay.corpora.in_memory import NAME, PairsInMemory, RepeatedPairs, SeenIds, one_class
from assay.corpora.sampling import draw_pairs
from assay.corpora.table_files import ROWS, hub_table, is_frame, memory_table, open_table
from assay.corpora.text_tables import Fault, RowTable
from assay.storage.files import digest
from assay.storage.remote import is_address, local

SHOWN = 12  # the number of labels that are listed: a column with more of them is hardly one of labels


def with_all_unknown(
    first: UnknownLabelError, rest: Iterable[Row | Fault], meaning: Callable[[Row], object]
) -> BadRecordError:
    """The error for the first unknown label of a file, with those of the rows that follow."""
    labels = Counter([first.label.strip()])
    for row in rest:
        if isinstance(row, Row):
            try:
                meaning(row)
            except UnknownLabelError as error:
                labels[error.label.strip()] += 1
            except BadRecordError:
                continue
    if len(labels) == 1:
        return first
    listed = ", ".join(f"{label[:60]!r} ({count:,})" for label, count in labels.most_common(SHOWN))
    more = f" and {len(labels) - SHOWN:,} more" if len(labels) > SHOWN else ""
    option = written_option(first.option, dict.fromkeys(labels, "LABEL"))
    return BadRecordError(
        first.reason,
        detail=f"{first.label[:60]!r}, the first of {len(labels):,}: {listed}{more}",
        hint="If this is the wrong column, name the right one: --columns label=COLUMN."
        if more
        else f"Say what they mean: {option}, where LABEL is {first.possible}.",
    )


STANDARD_INPUT = "-"
BUNDLED = "bundled"  # the name of the corpus that comes with Assay
PARTS = "cases.parts"  # the folder of a suite that holds its cases, if they are stored in parts
FIRST = 1000  # the number of records that decide what kind of corpus it is
SKIP_HINT = "Fix it, or skip and report such records with --on-error skip."
DUPLICATE_HINT = "Make the ids unique, or leave them out: then ids are made from the texts."
NOTHING_HINT = "Nothing can be scored without gold labels: choose another split, or map its labels with --labels."


class RecordReader:
    """The shared part of the readers of files and of tables in memory: tables to records, counted and checked."""

    labels_option: ClassVar[str]
    """The option by which a user says what labels mean; {} is a label and LABEL its meaning."""

    def __init__(self, reading: CorpusReading, *, name: str) -> None:
        self.reading = reading
        self.name = name
        self.format = ""
        self._start()

    def __repr__(self) -> str:
        if not self.rows:
            return f"<{type(self).__name__} {self.name}: not read yet, iterate over it to get its pairs>"
        labels = ", ".join(f"{label} {count:,}" for label, count in sorted(self.labels.items()))
        skipped = f", {self.skipped.total():,} left out" if self.skipped else ""
        return f"<{type(self).__name__} {self.name}: {self.pairs:,} pairs ({labels}){skipped}, format {self.format}>"

    def _start(self) -> None:
        self.rows = 0
        self.pairs = 0
        """Records that were converted to what the format holds."""
        self.labels: Counter[str] = Counter()
        """Pairs by label; classes of labelled texts."""
        self.skipped: Counter[str] = Counter()
        self.problems: list[Skip] = []
        """Every broken record that `on_error="skip"` left out."""
        self.reader = LabelReader(self.reading.labels, option=self.labels_option, usual=True)
        self.noted_columns: dict[str, None] = {}
        """Columns that were found under a name that is less than plain, as FIELD=COLUMN."""
        self.of_claims = False
        """True if the hypotheses are in a column that is named for claims."""
        self.unread_groups: dict[str, int] = {}
        """Columns that are not read although they divide the corpus into groups, with their numbers of values."""
        self._told: dict[str, None] = {}
        self._seen = SeenIds()
        self._repeated = RepeatedPairs()
        self._same_id: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Pair]:
        return self.as_pairs()

    def as_pairs(self, split: Callable[[Problem], Iterable[Pair]] | None = None) -> Iterator[Pair]:
        """The pairs, and those that problems are split into.

        A corpus without usable records is refused, because nothing can be measured on it.
        """
        for record in self.records():
            if isinstance(record, Pair):
                yield record
            elif isinstance(record, Problem) and split:
                yield from split(record)
            else:
                raise UserError(
                    f"{self.name} holds {type(record).__name__}s ({self.format}), but pairs are needed here."
                )
        if not self.pairs:
            unlabelled = max(self.skipped, key=lambda reason: self.skipped[reason], default="") == UNLABELLED.reason
            raise BadInputError(
                self._nothing(), where=self.reading.source, hint=NOTHING_HINT if unlabelled else "Fix the records."
            )

    def records(self) -> Iterator[Record]:
        """Pairs, or whatever the format holds; a corpus without usable records is still read to its end and counted."""
        self._start()
        sampling = self.reading.sample
        return self._all() if sampling is msgspec.UNSET else self._sample(sampling)

    def _sample(self, sampling: Sampling) -> Iterator[Record]:
        drawn = draw_pairs(self._all(), sampling, name=self.name)
        if rest := self.pairs - len(drawn):
            self.skipped[NOT_DRAWN] += rest
        self.pairs = len(drawn)
        self.labels = Counter(record.label for record in drawn if isinstance(record, (Pair, LabelledText)))
        yield from drawn

    def _all(self) -> Iterator[Record]:
        reader, stop = self.reader, self.reading.limit
        unclear: BadRecordError | None = None
        for where, table in self._tables():
            form = self._format(table.sample, where)
            for row in islice(table.rows, None if stop is None else stop - self.rows):
                self.rows += 1
                try:
                    if isinstance(row, Fault):
                        raise row.error
                    record = form.record(row, reader)
                    if isinstance(record, Skip):
                        self.skipped[record.reason] += 1
                        continue
                    record = self._with_own_id(record)
                except UnknownLabelError as error:
                    fault: BadRecordError = error
                    if self.reading.on_error == "stop":
                        fault = with_all_unknown(error, table.rows, partial(form.record, label=reader))
                    self._report_broken(fault, f"{where}:{row.number}")
                    continue
                except BadRecordError as error:
                    self._report_broken(error, f"{where}:{row.number}")
                    continue
                self.pairs += 1
                if isinstance(record, (Pair, LabelledText)):
                    self.labels[record.label] += 1
                if isinstance(record, Pair):
                    self._repeated.add(record, row.number)
                yield record
            if isinstance(form, Pairs):
                self.noted_columns |= form.notes
                self.of_claims |= form.of_claims
                self.unread_groups |= form.unread_groups()
                unclear = reader.ambiguity(f"in the column {form.label_column!r}", of_claims=form.of_claims)
            elif isinstance(form, ByColumns):
                self._told |= dict.fromkeys(filter(None, [form.note]))
                unclear = None if form.numbered else reader.ambiguity("of its labels")
            else:
                unclear = reader.ambiguity("of its labels")
            if self.rows == stop:
                break
        if unclear:
            raise BadInputError(str(unclear), where=self.reading.source, hint=unclear.hint)
        if not self.rows:
            raise BadInputError(
                "empty: it has no records", where=self.reading.source, hint="Check that it is the right file."
            )

    def _with_own_id(self, record: Record) -> Record:
        """The record; if its id was made from texts that occurred before, with a number behind it."""
        if self._seen.add(record.id):
            return record
        if not isinstance(record, Pair) or record.id != id_of_texts(record.premise, record.hypothesis):
            raise BadRecordError("duplicate id", detail=repr(record.id), hint=DUPLICATE_HINT)
        self._same_id[record.id] += 1
        return msgspec.structs.replace(record, id=f"{record.id}-{self._same_id[record.id] + 1}")

    def summary(self) -> Source:
        return Source(
            name=self.name,
            format=self.format,
            digest=self._digest(),
            rows=self.rows,
            pairs=self.pairs,
            labels=dict(sorted(self.labels.items())),
            skipped=dict(sorted(self.skipped.items())),
            sample=self.reading.sample,
            notes=tuple(self.notes()),
            names=self.reader.names or msgspec.UNSET,
        )

    def notes(self) -> list[str]:
        """Notes on how labels and columns were read."""
        texts = [] if self.pairs or not self.rows else [self._nothing()]
        sampling = self.reading.sample
        if sampling is not msgspec.UNSET and NOT_DRAWN not in self.skipped:
            texts.append(f"all {self.pairs:,} pairs are used: --sample {sampling.n:,} asks for that many or more")
        if self.noted_columns:
            field = next(iter(self.noted_columns)).partition("=")[0]
            texts.append(f"columns were read as {', '.join(self.noted_columns)}; --columns {field}=COLUMN overrides")
        texts += [
            f"column {column!r} is not read: {n} values; --columns {column}={column} splits results by it"
            for column, n in self.unread_groups.items()
        ]
        texts += [*self._told, *self._repeated.notes(), *one_class(self.labels)]
        if self.reader.note:
            texts.append(self.reader.note)
        return texts

    def _tables(self) -> Iterator[tuple[str, RowTable]]:
        """The tables to read, each with what messages call it."""
        raise NotImplementedError

    def _digest(self) -> str:
        """SHA-256 of what was read; empty if it is not known."""
        raise NotImplementedError

    def _format(self, sample: Sample, where: str) -> Format:
        wanted = self.reading.input_format
        if self.reading.columns and wanted in (None, "pairs", "pairs/v1"):
            form = Pairs(self.reading.columns)
            form.check(sample)
            self.format = "pairs/v1"
            return form
        if self.reading.columns:
            raise UserError(f"--columns works with the generic format only, not with --input-format {wanted}.")
        if wanted:
            self.format = registry.formats.resolve(wanted)
            return registry.formats.get(wanted)()
        kinds = {name: registry.formats.get(name) for name in registry.formats.names()}
        scores = {name: kind().recognise(sample) for name, kind in kinds.items() if _has_columns(kind, sample)}
        best = max(scores, key=lambda name: scores[name])
        # JSON lines have no header: missing columns are reported line by line.
        if not scores[best] and sample.container != "jsonl":
            raise BadInputError(
                f"no known format has the columns {', '.join(map(repr, sample.columns))}",
                where=where,
                hint="Name them: --columns premise=COLUMN,hypothesis=COLUMN,label=COLUMN. See `assay list formats`.",
            )
        self.format = best if scores[best] else "pairs/v1"
        return registry.formats.get(self.format)()

    def _report_broken(self, error: BadRecordError, where: str) -> None:
        if self.reading.on_error == "stop":
            raise BadInputError(str(error), where=where, hint=f"{error.hint} {SKIP_HINT}".strip()) from error
        self.skipped[error.reason] += 1
        self.problems.append(Skip(error.reason, error.detail, where))

    def _nothing(self) -> str:
        reasons = ", ".join(f"{reason} ({count})" for reason, count in self.skipped.most_common())
        first = f"; the first problem is at {self.problems[0].where}" if self.problems else ""
        return f"none of its {self.rows} records can be used: {reasons}{first}"


def _has_columns(kind: type[Format], sample: Sample) -> bool:
    """True if a file has all columns of one of the sets that a format needs."""
    needs: tuple[frozenset[str], ...] = getattr(kind, "needs", (frozenset(),))
    folds = issubclass(kind, ByColumns)
    there = {column.strip().lower() if folds else column for column in sample.columns}
    return any(columns <= there for columns in needs)


class CorpusReader(RecordReader):
    """A corpus in a file or on the hub: iterate over its pairs, then look at the counts.

    >>> corpus = read("bundled", limit=3)
    >>> [pair.label.value for pair in corpus]
    ['entailment', 'neutral', 'contradiction']
    >>> corpus
    <CorpusReader bundled: 3 pairs (contradiction 1, entailment 1, neutral 1), format pairs/v1>
    """

    labels_option = "--labels {}=LABEL"

    def __init__(self, reading: CorpusReading) -> None:
        super().__init__(reading, name=reading.source if is_on_hub(reading.source) else own_name(reading.source))

    def _tables(self) -> Iterator[tuple[str, RowTable]]:
        source = self.reading.source
        if is_on_hub(source):
            yield source, hub_table(source.removeprefix("hf:"))
            return
        opened = open_streams(str(bundled_path()) if source == BUNDLED else source)
        if len(opened) > 1 and not all(Path(each.where).parent.name == PARTS for each in opened):
            self._refuse_mixture(opened)
        for stream in opened:
            with open_table(stream, encoding=self.reading.encoding) as table:
                if table:
                    yield stream.where, table

    def _refuse_mixture(self, found: list[Stream]) -> None:
        form = registry.formats.get("stress-tests")()
        strays = [s for s in found if not form.recognise(Sample(s.name, "jsonl", ("gold_label",), {}))]
        if strays:
            listed = "\n    ".join(s.where for s in found[:12])
            raise BadInputError(
                f"{len(found)} data files", where=self.reading.source, hint=f"Name the one to read:\n    {listed}"
            )

    def _digest(self) -> str:
        source = self.reading.source
        path = bundled_path() if source == BUNDLED else local(source)
        return digest(path) if path.is_file() else ""


class TableReader(RecordReader):
    """A table that a program holds, read like a file with the same columns.

    >>> rows = [("It rains.", "It is wet.", "entailment"), ("It rains.", "It is dry.", "contradiction")]
    >>> [pair.label.value for pair in TableReader(rows, CorpusReading(source="list"))]
    ['entailment', 'contradiction']
    """

    labels_option = 'assay.read(..., labels={"{}": "LABEL"})'

    def __init__(self, data: object, reading: CorpusReading) -> None:
        self._data = data
        self._hash = hashlib.sha256()
        super().__init__(reading, name=NAME)

    def records(self) -> Iterator[Record]:
        self._hash = hashlib.sha256()
        for record in super().records():
            self._hash.update(msgspec.json.encode(record, order="deterministic") + b"\n")
            yield record

    def _tables(self) -> Iterator[tuple[str, RowTable]]:
        yield self.reading.source, memory_table(self._data)

    def _digest(self) -> str:
        return self._hash.hexdigest()


class ReadingOptions(TypedDict, total=False):
    input_format: str | None
    columns: Mapping[str, str] | None
    labels: Mapping[str, str] | None
    limit: int | None
    sample: int | None
    seed: int
    on_error: str
    encoding: str


@overload
def read(source: str | Path = BUNDLED, **options: Unpack[ReadingOptions]) -> CorpusReader: ...


@overload
def read(source: Iterable[Any], **options: Unpack[ReadingOptions]) -> TableReader: ...


def read(source: str | Path | Iterable[Any] = BUNDLED, **options: Unpack[ReadingOptions]) -> CorpusReader | TableReader:
    """Open a corpus: a file in any known format, a folder, a zip, an address, `-`, `hf:NAME`, or the bundled one.

    A DataFrame of pandas or polars, a `datasets.Dataset`, and a list of dicts or of (premise, hypothesis, label) are
    read like a file with the same columns.
    The keywords are `input_format`, `columns`, `labels`, `encoding`, `on_error` ("stop" or "skip"), `limit`, which
    takes the first records, and `sample`, which draws so many pairs of the whole corpus, by `seed`, with each label and
    genre in its share.

    >>> next(iter(read("bundled"))).group["genre"]
    'fiction'
    """
    if unknown := options.keys() - ReadingOptions.__annotations__.keys():
        raise TypeError(f"read() has no option {min(unknown)!r}")
    in_memory = not isinstance(source, str | Path)
    if not in_memory and not str(source):
        raise UserError("The name of the corpus is empty. Is a shell variable unset?")
    on_error, limit, sample = options.get("on_error", "stop"), options.get("limit"), options.get("sample")
    if on_error not in ("stop", "skip"):
        raise UserError(f"on_error must be 'stop' or 'skip', not {on_error!r}.")
    if limit is not None and limit < 1:
        raise UserError(f"--limit {limit}: a limit must be 1 or more.")
    if sample is not None and sample < 1:
        raise UserError(f"--sample {sample}: a sample must have 1 pair or more.")
    if sample is not None and limit is not None:
        raise UserError("--sample draws from the whole corpus, --limit takes its first records: use only one of them.")
    reading = CorpusReading(
        source=type(source).__name__ if in_memory else str(source),
        input_format=options.get("input_format"),
        columns=dict(options.get("columns") or {}),
        labels={str(value): label for value, label in (options.get("labels") or {}).items()},
        encoding=options.get("encoding", "utf-8"),
        on_error="skip" if on_error == "skip" else "stop",
        limit=limit,
        sample=msgspec.UNSET if sample is None else Sampling(n=sample, seed=options.get("seed", 0)),
    )
    return TableReader(source, reading) if in_memory else CorpusReader(reading)


def holds_claims(corpus: Iterable[Pair]) -> bool:
    """True if a corpus holds evidence and claims: its first pairs have two labels, or a column name says so.

    >>> holds_claims(read("bundled"))
    False
    """
    if not isinstance(corpus, RecordReader):
        return LabelSpace.of(pair.label for pair in islice(corpus, FIRST)).is_binary
    if corpus.reading.source == STANDARD_INPUT:  # which can't be read twice
        return bool(named_columns([corpus.reading.columns.get("hypothesis", "")], CLAIMS))
    first = copy.copy(corpus)
    first.reading = msgspec.structs.replace(corpus.reading, sample=msgspec.UNSET, limit=FIRST)
    labels = [record.label for record in first.records() if isinstance(record, Pair)]
    return first.of_claims or LabelSpace.of(labels, names=first.reader.names).is_binary


def corpus_of(source: str | Path | Iterable[Any], *, labels: Mapping[str, str] | None = None) -> Corpus:
    """A corpus from the caller's source: a path, a corpus, a table, or pairs.

    >>> corpus_of("bundled").name, corpus_of([]).name
    ('bundled', 'pairs')
    >>> corpus_of([{"premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}])
    <TableReader pairs: not read yet, iterate over it to get its pairs>
    """
    if isinstance(source, str | Path):
        return read(source, labels=labels)
    if isinstance(source, Corpus):
        return source
    if is_frame(source):
        return read(source, labels=labels)
    if not isinstance(source, Iterable):
        raise UserError(f"A corpus is a file, a name, a table or pairs, but this has type {type(source).__name__}.")
    items: Iterator[Any] = iter(source)
    first = next(items, None)
    # A generator can't be started again.
    rows: Iterable[Any] = chain([first], items) if items is source and first is not None else source
    return read(rows, labels=labels) if isinstance(first, ROWS) else PairsInMemory(rows)


def is_on_hub(source: str) -> bool:
    """True if this is the name of a data set on the hub, not an address of its files.

    >>> is_on_hub("hf:snli@dev"), is_on_hub("hf://datasets/snli/dev.parquet")
    (True, False)
    """
    return source.startswith("hf:") and not is_address(source)


def bundled_path() -> Path:
    return Path(str(files("assay.corpora") / "bundled" / "pairs.jsonl"))
