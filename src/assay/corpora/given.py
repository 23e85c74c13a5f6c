"""Pairs that a program holds, as a corpus: a list, a generator, or anything else that gives pairs."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from assay.core.edit import Skip
from assay.core.errors import UserError
from assay.core.files import write_errors
from assay.core.pair import Pair, Problem
from assay.core.protocols import Corpus
from assay.core.scratch import scratch
from assay.core.suite import Source
from assay.corpora.seen import RepeatedPairs, SeenIds, one_class

NAME = "pairs"
"""The name of pairs that come without one."""
FORMAT = "memory"
"""How they were read."""

decode_pair = msgspec.json.Decoder(Pair).decode


class GivenPairs:
    """Any iterable of pairs; they are checked, counted and digested as they are read.

    >>> from assay.core.fakes import FakeCorpus
    >>> from assay.core.label import Label
    >>> wet = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> corpus = GivenPairs(FakeCorpus([wet], name="weather"))
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
        for number, given in enumerate(self._pairs, 1):
            line, pair = self._checked(number, given)
            if not seen.add(pair.id):
                raise UserError(f"Two pairs of {self.name} have the id {pair.id!r}: ids must be unique.")
            self.labels[pair.label.value] += 1
            self._hash.update(line)
            self._repeated.add(pair, number)
            yield pair
        if not self.labels:
            raise UserError(f"There are no pairs in {self.name}. If it is a generator, it may have been read before.")

    def _checked(self, number: int, given: object) -> tuple[bytes, Pair]:
        """A pair, stored and read back, which checks the type of each field."""
        if not isinstance(given, Pair):
            raise UserError(
                f"Item {number} of {self.name} has type {type(given).__name__}, but pairs are needed here.\n"
                "  Give a DataFrame, a list of dicts or of (premise, hypothesis, label), or of assay.Pair(id=..., "
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
        """What was read, for a manifest."""
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


class KeptPairs:
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
        self.digest = hashed.hexdigest()
        """SHA-256 of the pairs, as JSON lines."""
        self._file = file
        self._source = msgspec.structs.replace(corpus.summary(), digest=self.digest)

    def __iter__(self) -> Iterator[Pair]:
        with self._file.open("rb") as lines:
            yield from map(decode_pair, lines)

    def as_pairs(self, _split: Callable[[Problem], Iterable[Pair]] | None = None) -> Iterator[Pair]:
        """The pairs; problems were already refused."""
        return iter(self)

    def summary(self) -> Source:
        """What the corpus said, with the digest of its pairs."""
        return self._source


@contextmanager
def kept(corpus: Corpus) -> Iterator[KeptPairs]:
    """The corpus, read once, for the duration of the block."""
    with scratch() as folder:
        yield KeptPairs(corpus, folder / "pairs.jsonl")


def line_of(pair: Pair) -> bytes:
    """A pair as a line of JSON."""
    return msgspec.json.encode(pair, order="deterministic") + b"\n"
