"""Pairs that a program holds, as a corpus: a list, a generator, or anything else that gives pairs."""

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from assay.core.edit import Skip
from assay.core.errors import UserError
from assay.core.manifest import Source
from assay.core.pair import Pair, Problem
from assay.core.protocols import Corpus
from assay.storage.files import write_errors
from assay.storage.folders import scratch

SHOWN = 3  # the number of lines that a note names
SAME = "an earlier pair and its label"
OTHER = "an earlier pair with another label"


class SeenIds:
    """A set of 64-bit hashes in one flat table, so that millions of ids take megabytes, not gigabytes.

    >>> seen = SeenIds()
    >>> seen.add("a"), seen.add("b"), seen.add("a")
    (True, True, False)
    """

    def __init__(self) -> None:
        self._count = 0
        self._resize(1 << 14)

    def add(self, name: Hashable) -> bool:
        """Remember an id; False if it was there before."""
        if not self._insert(hash(name) & 0xFFFFFFFFFFFFFFFF or 1):
            return False
        self._count += 1
        if self._count * 3 > len(self._table) * 2:
            old = self._table
            self._resize(len(old) * 2)
            for key in old:
                if key:
                    self._insert(key)
        return True

    def _resize(self, size: int) -> None:
        self._table = array("Q", [0]) * size
        self._mask = size - 1

    def _insert(self, key: int) -> bool:
        table, mask = self._table, self._mask
        place = key & mask
        while held := table[place]:
            if held == key:
                return False
            place = (place + 1) & mask
        table[place] = key
        return True


VARIABLE = re.compile(r"\b[A-Z]\w*|\d[\d.,]*")  # what differs between hypotheses from one template: names and numbers
LEAST_COMPARED = 30  # fewer hypotheses are too few to tell whether they come from templates
FRAMES = 2_000  # the number of first hypotheses that are compared
FEWEST_PER_FRAME = 5  # hypotheses per different text from which they count as templates


class RepeatedPairs:
    """Counts pairs that were read before, with the same label or with another, and templates of hypotheses.

    >>> from assay.core.label import Label
    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> repeated = RepeatedPairs()
    >>> for line in (2, 3, 4):
    ...     repeated.add(pair, line)
    >>> repeated.notes()
    ['2 pairs repeat an earlier pair and its label, in lines 3 and 4']
    """

    def __init__(self) -> None:
        self._seen = SeenIds()
        self._counts: Counter[str] = Counter()
        self._first: dict[str, list[int]] = {SAME: [], OTHER: []}
        self._frames: set[str] = set()
        self._compared = 0

    def add(self, pair: Pair, line: int) -> None:
        """Remember the texts and the label of a pair."""
        if self._compared < FRAMES:
            self._frames.add(VARIABLE.sub("_", pair.hypothesis))
            self._compared += 1
        are_new = self._seen.add((pair.premise, pair.hypothesis))
        kind = OTHER if self._seen.add((pair.premise, pair.hypothesis, pair.label)) else SAME
        if are_new:
            return
        self._counts[kind] += 1
        if len(self._first[kind]) < SHOWN:
            self._first[kind].append(line)

    def notes(self) -> list[str]:
        """Notes on suspicious pairs, with the first lines where they occur."""
        texts = []
        for kind, count in self._counts.items():
            *others, last = map(str, self._first[kind])
            lines = f"lines {', '.join(others)} and {last}" if others else f"line {last}"
            more = ", and in others" if count > SHOWN else ""
            texts.append(f"{count:,} {'pairs repeat' if count > 1 else 'pair repeats'} {kind}, in {lines}{more}")
        count, frames = self._compared, len(self._frames)
        if count >= LEAST_COMPARED and frames * FEWEST_PER_FRAME <= count:
            alike = f"the first {count:,}" if count == FRAMES else f"{count:,}"
            different = f"{frames:,} different text{'s' * (frames > 1)}"
            texts.append(
                f"apart from names and numbers, {alike} hypotheses have only {different}: "
                "the shortcuts that a verdict names can differ between similar models"
            )
        return texts


def one_class(labels: Mapping[str, int]) -> list[str]:
    """The note about a corpus in which every pair has the same label.

    >>> one_class({"neutral": 12})
    ['all 12 pairs have the label neutral, so a model that always gives this answer is right on all of them']
    """
    count = sum(labels.values())
    if len(labels) != 1 or count == 1:
        return []
    (label,) = labels
    return [
        f"all {count:,} pairs have the label {label}, so a model that always gives this answer is right on all of them"
    ]


NAME = "pairs"  # the name of pairs that come without one
FORMAT = "memory"  # settings with which they were read
decode_pair = msgspec.json.Decoder(Pair).decode


class PairsInMemory:
    """Any iterable of pairs; they are checked, counted and digested as they are read.

    >>> from assay.core.fakes import FakeCorpus
    >>> from assay.core.label import Label
    >>> wet = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> corpus = PairsInMemory(FakeCorpus([wet], name="weather"))
    >>> len(list(corpus)), corpus.summary().name, corpus.summary().labels
    (1, 'weather', {'entailment': 1})
    """

    def __init__(self, pairs: Iterable[Pair]) -> None:
        name = getattr(pairs, "name", "")
        self.name = name if isinstance(name, str) and name else NAME
        self.problems: list[Skip] = []
        self._pairs = pairs
        self._start()

    def _start(self) -> None:
        self.labels: Counter[str] = Counter()
        self._hash = hashlib.sha256()
        self._repeated = RepeatedPairs()

    def __iter__(self) -> Iterator[Pair]:
        self._start()
        seen = SeenIds()
        for number, item in enumerate(self._pairs, 1):
            line, pair = self._check_pair(number, item)
            if not seen.add(pair.id):
                raise UserError(f"Two pairs of {self.name} have the id {pair.id!r}: ids must be unique.")
            self.labels[pair.label.value] += 1
            self._hash.update(line)
            self._repeated.add(pair, number)
            yield pair
        if not self.labels:
            raise UserError(f"There are no pairs in {self.name}. If it is a generator, it may have been read before.")

    def _check_pair(self, number: int, given: object) -> tuple[bytes, Pair]:
        """A pair, stored and read back, which checks the type of each field."""
        if not isinstance(given, Pair):
            raise UserError(
                f"Item {number} of {self.name} has type {type(given).__name__}, but pairs are needed here.\n"
                "  Give a DataFrame, or a list of dicts, of (premise, hypothesis, label) or of assay.Pair(id=..., "
                "premise=..., hypothesis=..., label=...)."
            )
        try:
            line = line_of(given)
            return line, decode_pair(line)
        except (msgspec.ValidationError, TypeError, UnicodeError) as error:
            raise UserError(f"Pair {number} of {self.name} can't be used: {error}.") from error

    def as_pairs(self, _split: Callable[[Problem], Iterable[Pair]] | None = None) -> Iterator[Pair]:
        """The pairs; a given corpus holds nothing else."""
        return iter(self)

    def summary(self) -> Source:
        return Source(
            name=self.name,
            format=FORMAT,
            digest=self._hash.hexdigest(),
            rows=self.labels.total(),
            pairs=self.labels.total(),
            labels=dict(sorted(self.labels.items())),
            skipped={},
            notes=(*self._repeated.notes(), *one_class(self.labels)),
        )


class StoredPairs:
    """A corpus that was copied into a file, so that it can be read again and is the same each time."""

    def __init__(self, corpus: Corpus, file: Path) -> None:
        hashed = hashlib.sha256()
        with file.open("wb") as out:
            for pair in corpus.as_pairs():
                line = line_of(pair)
                hashed.update(line)
                with write_errors(file):
                    out.write(line)
        self.name = corpus.name
        self.problems = corpus.problems
        self.digest = hashed.hexdigest()  # SHA-256 of the pairs, as JSON lines
        self._file = file
        self._source = msgspec.structs.replace(corpus.summary(), digest=self.digest)

    def __iter__(self) -> Iterator[Pair]:
        with self._file.open("rb") as lines:
            yield from map(decode_pair, lines)

    def as_pairs(self, _split: Callable[[Problem], Iterable[Pair]] | None = None) -> Iterator[Pair]:
        """The pairs; problems were already refused."""
        return iter(self)

    def summary(self) -> Source:
        """The source that the corpus states, with the digest of its pairs."""
        return self._source


@contextmanager
def store_pairs(corpus: Corpus) -> Iterator[StoredPairs]:
    """The corpus, read once, for the duration of the block."""
    with scratch() as folder:
        yield StoredPairs(corpus, folder / "pairs.jsonl")


def line_of(pair: Pair) -> bytes:
    return msgspec.json.encode(pair, order="deterministic") + b"\n"
