"""Corpora: pairs to build from, and what the rows of a file mean."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import msgspec

from assay.core.case import Recipe
from assay.core.edit import Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair, Problem, Record

if TYPE_CHECKING:
    from assay.core.suite import Source


@runtime_checkable
class Corpus(Protocol):
    """Pairs to build from, with what a manifest says about them. They are streamed, never all held in memory.

    If you only have the pairs, pass them as they are: any iterable of `Pair` is wrapped, and counted as it is read.
    If the iterable has a `name`, the corpus takes it.
    """

    @property
    def name(self) -> str:
        """What manifests call it; never a path on one machine."""

    @property
    def problems(self) -> Sequence[Skip]:
        """Broken records that were left out, each with its location."""

    def __iter__(self) -> Iterator[Pair]: ...

    def as_pairs(self, split: Callable[[Problem], Iterable[Pair]] | None = None) -> Iterator[Pair]:
        """The pairs, including those that `split` makes from records that are not pairs."""

    def summary(self) -> "Source":
        """What was read; complete once everything was read."""


@runtime_checkable
class GeneratedCorpus(Corpus, Protocol):
    """Pairs that a transform generated for itself."""

    def recipe(self) -> Recipe:
        """The transform, with the options that the pairs were generated with."""


class Sample(NamedTuple):
    """What a format can use to recognise its files."""

    name: str
    """The file's name, without folders and compression suffix."""
    container: str
    """How rows are stored: jsonl, tsv, csv or parquet."""
    columns: tuple[str, ...]
    """Names of the first row's columns; numbers as text where the file has no header."""
    first: Mapping[str, Any]
    """The first row."""


class Row(msgspec.Struct, frozen=True, gc=False):
    """One row of a file, before it is interpreted."""

    number: int
    """Line number in the file, from 1."""
    fields: Mapping[str, Any]
    """The values, by column."""
    file: str = ""
    """The file's name, if a corpus has several files."""


class Format(Protocol):
    """What the rows of one kind of file mean. Entry points: `assay.formats`."""

    title: ClassVar[str]
    """One line for `assay list formats`."""

    def recognise(self, sample: Sample) -> int:
        """How sure it is that the file has this format: 0 not at all, 1 possible, 2 likely, 3 certain."""

    def record(self, row: Row, label: LabelReader) -> Record | Skip:
        """The record in a row, or why it is left out; `BadRecordError` if the row is broken."""
