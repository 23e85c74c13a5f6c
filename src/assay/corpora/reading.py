"""Reading a corpus: detection, counting what is left out, and errors that name the file and the line."""

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, cast

from assay.core import registry
from assay.core.edit import Skip
from assay.core.errors import BadInputError, BadRecordError, UserError
from assay.core.files import digest
from assay.core.label import LabelReader
from assay.core.pair import LabelledText, Pair, Record
from assay.core.protocols import Format, Row, Sample
from assay.core.run import Reading
from assay.core.suite import Source
from assay.corpora import hub
from assay.corpora.lines import lines
from assay.corpora.pairs import Pairs
from assay.corpora.rows import Fault, Table, parquet_table, text_table
from assay.corpora.seen import SeenIds
from assay.corpora.source import STDIN, Recoded, Stream, as_path, decompressed, own_name, streams

BUNDLED = "bundled"
"""The name of the corpus that comes with Assay."""

SKIP_HINT = "Repair it, or leave such records out and have them reported with --on-error skip."


class Corpus:
    """A corpus as it is read: iterate for its pairs, then look at what was counted.

    >>> corpus = read("bundled", limit=3)
    >>> [pair.label.value for pair in corpus]
    ['entailment', 'neutral', 'contradiction']
    >>> corpus.rows, corpus.format
    (3, 'pairs/v1')
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.name = reading.source if reading.source.startswith("hf:") else own_name(reading.source)
        self.format = ""
        self._start()

    def _start(self) -> None:
        self.rows = 0
        """Records looked at."""
        self.pairs = 0
        """Records that became what the format holds."""
        self.labels: Counter[str] = Counter()
        """Pairs by label; classes of labelled texts."""
        self.skipped: Counter[str] = Counter()
        """Records left out, by reason."""
        self.problems: list[Skip] = []
        """Every broken record that `on_error="skip"` passed over."""
        self.reader = LabelReader(self.reading.labels)
        self._seen = SeenIds()

    def __iter__(self) -> Iterator[Pair]:
        for record in self.records():
            if not isinstance(record, Pair):
                raise UserError(f"{self.name} holds {type(record).__name__}s ({self.format}), and pairs are needed here.")
            yield record

    def records(self) -> Iterator[Record]:
        """Pairs, or what else the format holds."""
        self._start()
        empty = True
        for where, sample, found in self._tables():
            form = self._format(sample)
            for row in islice(found, None if self.reading.limit is None else self.reading.limit - self.rows):
                empty = False
                self.rows += 1
                record = self._record(form, row, where)
                if record is not None:
                    self.pairs += 1
                    if isinstance(record, Pair | LabelledText):
                        self.labels[record.label] += 1
                    yield record
        if empty:
            raise BadInputError("empty: there is no record in it", where=self.name)
        if not self.pairs and self.skipped and not self.problems:
            reasons = ", ".join(f"{reason} ({count})" for reason, count in self.skipped.items())
            raise BadInputError(
                f"none of its {self.rows} records can be used: {reasons}",
                where=self.name,
                hint="A corpus without gold labels can't be scored; choose another split, or map its labels with --labels.",
            )

    def summary(self) -> Source:
        """What was read, for a manifest."""
        path = Path(self.reading.source)
        return Source(
            name=self.name,
            format=self.format,
            digest=digest(_bundled_path() if self.reading.source == BUNDLED else path)
            if self.reading.source == BUNDLED or path.is_file()
            else "",
            rows=self.rows,
            pairs=self.pairs,
            labels=dict(sorted(self.labels.items())),
            skipped=dict(sorted(self.skipped.items())),
        )

    def notes(self) -> list[str]:
        """What a careful user should know about the labels that were read."""
        read_as = {"0": "entailment", "1": "neutral", "2": "contradiction"}
        numbers = sorted(self.reader.numbers)
        if not numbers:
            return []
        found = [f"numeric labels were read as {', '.join(f'{n}={read_as[n]}' for n in numbers)}; --labels overrides"]
        if "2" not in numbers:
            found.append("no label 2 occurs: if this is a two-way set, say --labels 0=entailment,1=non-entailment (or the reverse)")
        return found

    def _tables(self) -> Iterator[tuple[str, Sample, Iterator[Row | Fault]]]:
        source = self.reading.source
        if source.startswith("hf:"):
            table = hub.table(source.removeprefix("hf:"))
            yield source, table.sample, table.rows
            return
        found = streams(str(_bundled_path()) if source == BUNDLED else source)
        several = len(found) > 1
        if several:
            self._refuse_mixture(found)
        for stream in found:
            yield from self._tables_of(stream)

    def _tables_of(self, stream: Stream) -> Iterator[tuple[str, Sample, Iterator[Row | Fault]]]:
        with decompressed(stream) as file:
            parquet = stream.name.endswith(".parquet") or (hasattr(file, "peek") and file.peek(4)[:4] == b"PAR1")
            if not parquet:
                recoded = self.reading.encoding.lower() not in ("utf-8", "utf8")
                text = cast("Any", Recoded(file, self.reading.encoding, where=stream.where)) if recoded else file
                table = text_table(stream.name, lines(text))
                if table:
                    yield stream.where, table.sample, _naming_file(table, stream.name)
        if parquet:
            with as_path(stream) as path:
                table = parquet_table(stream.name, path)
                yield stream.where, table.sample, table.rows

    def _refuse_mixture(self, found: list[Stream]) -> None:
        form = registry.formats.get("stress-tests")()
        strays = [s for s in found if not form.recognise(Sample(s.name, "jsonl", ("gold_label",), {}))]
        if strays:
            listed = "\n    ".join(s.where for s in found[:12])
            raise BadInputError(
                f"{len(found)} data files", where=self.reading.source, hint=f"Name the one to read:\n    {listed}"
            )

    def _format(self, sample: Sample) -> Format:
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
        scores = {name: registry.formats.get(name)().recognise(sample) for name in registry.formats.names()}
        best = max(scores, key=lambda name: scores[name])
        # A first line that can't be read says so itself; the generic reader lets it.
        if not scores[best] and sample.columns and sample.container != "unreadable":
            raise BadInputError(
                f"no known format has the columns {', '.join(map(repr, sample.columns))}",
                where=sample.name,
                hint="Name them: --columns premise=COLUMN,hypothesis=COLUMN,label=COLUMN. `assay list formats` shows what is known.",
            )
        self.format = best if scores[best] else "pairs/v1"
        return registry.formats.get(self.format)()

    def _record(self, form: Format, row: Row | Fault, where: str) -> Record | None:
        try:
            if isinstance(row, Fault):
                raise row.error
            record = form.record(row, self.reader)
            if isinstance(record, Skip):
                self.skipped[record.reason] += 1
                return None
            if not self._seen.add(record.id):
                raise BadRecordError("duplicate id", detail=repr(record.id), hint="Ids must be unique, or be left out: lines name the records then.")
        except BadRecordError as error:
            place = f"{where}:{row.number}"
            if self.reading.on_error == "stop":
                raise BadInputError(str(error), where=place, hint=f"{error.hint} {SKIP_HINT}".strip()) from error
            self.skipped[error.reason] += 1
            self.problems.append(Skip(error.reason, error.detail, place))
            return None
        return record


def read(
    source: str | Path = BUNDLED,
    *,
    input_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    limit: int | None = None,
    on_error: str = "stop",
    encoding: str = "utf-8",
) -> Corpus:
    """Open a corpus: a file in any known format, a folder, a zip, `-`, `hf:NAME`, or the bundled one.

    >>> next(iter(read("bundled"))).group["genre"]
    'fiction'
    """
    if on_error not in ("stop", "skip"):
        raise UserError(f"on_error is 'stop' or 'skip', not {on_error!r}.")
    return Corpus(
        Reading(
            source=str(source),
            input_format=input_format,
            columns=dict(columns or {}),
            labels=dict(labels or {}),
            encoding=encoding,
            on_error="skip" if on_error == "skip" else "stop",
            limit=limit,
        )
    )


def _naming_file(table: Table, name: str) -> Iterator[Row | Fault]:
    for row in table.rows:
        yield row._replace(file=name) if isinstance(row, Row) else row


def _bundled_path() -> Path:
    return Path(str(files("assay.corpora") / "bundled" / "pairs.jsonl"))
