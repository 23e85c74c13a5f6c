"""The seams: what a corpus, a format, a transform and a model must be able to do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

import msgspec

from assay.core.case import Case
from assay.core.edit import Edit, Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair, Record
from assay.core.prediction import Prediction

Fidelity = Literal["strict", "paper", "code"]
"""Our best, what the paper says, or what the released code does."""


@runtime_checkable
class Corpus(Protocol):
    """A source of pairs that can be read once or more, never all in memory."""

    @property
    def name(self) -> str:
        """What it is called in manifests: never a path of one machine."""

    def __iter__(self) -> Iterator[Pair]: ...


class Sample(NamedTuple):
    """What a format may look at to recognise its files."""

    name: str
    """The file's own name, without folders and compression."""
    container: str
    """How rows are stored: jsonl, tsv, csv or parquet."""
    columns: tuple[str, ...]
    """Names of the first row's columns; numbers as text where the file has no header."""
    first: Mapping[str, Any]
    """The first row."""


class Row(msgspec.Struct, frozen=True, gc=False):
    """One row of a file, before it means anything."""

    number: int
    """Line in the file, from 1."""
    fields: Mapping[str, Any]
    """By column."""
    file: str = ""
    """The file's own name, where a corpus has several."""


class Format(Protocol):
    """What the rows of one kind of file mean."""

    title: ClassVar[str]
    """One line for a list."""

    def recognise(self, sample: Sample) -> int:
        """How sure it is that the file is its own: 0 not at all, 1 could be, 2 likely, 3 certain."""

    def record(self, row: Row, label: LabelReader) -> Record | Skip:
        """The record in a row, or why it is left out; `BadRecordError` if the row is broken."""


class Transform(Protocol):
    """A pure, versioned function from a pair to edits."""

    family: ClassVar[str]
    """The family of tests that it belongs to."""

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        """The edits that make cases of the pair, or why there are none."""


class Check(Protocol):
    """Proves the label of a case by other means than those that made it. It sees the case and nothing else."""

    def __call__(self, case: Case) -> Skip | None:
        """None if the label holds, or else why it can't be shown."""


class Model(Protocol):
    """Anything that labels cases. It must not look at their labels."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer a case, in the same order."""


@runtime_checkable
class Learner(Protocol):
    """A model that must see the original pairs of a suite first."""

    def fit(self, cases: Iterable[Case]) -> Model:
        """A model that never judges a case by a fit which saw a pair of the same premise."""
