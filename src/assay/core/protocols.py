"""The seams: what a corpus, a format, a transform and a model must be able to do."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, TypeGuard, TypeVar, runtime_checkable

import msgspec

from assay.core.case import Case
from assay.core.edit import Edit, Skip
from assay.core.label import LabelReader
from assay.core.pair import Pair, Record
from assay.core.prediction import Answer, Prediction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

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


@runtime_checkable
class Sliced(Transform, Protocol):
    """A transform whose cases fall into slices that are counted apart, such as categories of words."""

    slice_by: ClassVar[str]
    """The key of a case's `group` that names its slice."""
    absent: ClassVar[str]
    """What to say of a slice that no pair of a corpus has anything of."""

    def slices(self) -> Sequence[str]:
        """The names of all slices that it can make."""

    def slices_of(self, pair: Pair) -> Mapping[str, Skip | None]:
        """The slices that a pair has something of: why it can give no case, or None if it can."""


class Check(Protocol):
    """Proves the label of a case by other means than those that made it. It sees the case and nothing else."""

    def __call__(self, case: Case) -> Skip | None:
        """None if the label holds, or else why it can't be shown."""


@runtime_checkable
class Foresighted(Check, Protocol):
    """A check that can tell from a transform alone that it will prove no case of it."""

    def foresee(self, transform: Transform) -> str:
        """Why no case can be proven, and the way out; empty if some can."""


class Model(Protocol):
    """Anything that labels cases. It must not look at their labels."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer a case, in the same order."""


def offers(model: object, kind: Callable[..., T]) -> TypeGuard[T]:  # a type, but mypy has none for protocols
    """Whether a model is of a kind, as `isinstance` tells; but no property is evaluated, which may load the model.

    >>> from assay.core.fakes import FakeModel
    >>> offers(FakeModel(), Model), offers(FakeModel(), Endpoint)
    (True, False)
    """
    names = [name for name in vars(kind) if not name.startswith("_")]
    return all(hasattr(type(model), name) or hasattr(model, name) for name in names)


class Texts(NamedTuple):
    """The two texts of a case, which are all that most models see."""

    premise: str
    """The text taken as true."""
    hypothesis: str
    """The claim to be judged."""


class Ready(NamedTuple):
    """A text or a pair as a model takes it."""

    content: Any
    """The model's own: tokens, or the texts themselves."""
    size: int = 1
    """What it costs: tokens, or 1 where all cost the same."""
    truncated: bool = False
    """Whether it was too long for the model, and something was cut off."""


@runtime_checkable
class TextModel(Model, Protocol):
    """A model whose answer depends on two texts alone: equal pairs are asked once, and answers are kept."""

    @property
    def identity(self) -> str:
        """A digest of all that decides its answers; empty where nobody can tell, and they are kept for one run only."""

    @property
    def budget(self) -> int:
        """The largest batch: its pairs, times the size of the largest."""

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Prepare pairs to be asked. It runs ahead, in another thread than the asking."""

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:
        """One answer a pair, in order, each as if it stood in a batch whose largest pair has the size `width`."""


@runtime_checkable
class SentenceModel(Model, Protocol):
    """A model that encodes each text alone and then compares: every distinct text is encoded once."""

    @property
    def identity(self) -> str:
        """A digest of all that decides its vectors; empty where nobody can tell, and they are kept for one run only."""

    @property
    def budget(self) -> int:
        """The largest batch: its texts, times the size of the largest."""

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Prepare texts to be encoded. It runs ahead, in another thread than the encoding."""

    def encode(self, batch: Sequence[Ready], *, width: int) -> "NDArray[np.float32]":
        """A vector a text, in order."""

    def judge(self, premises: "NDArray[np.float32]", hypotheses: "NDArray[np.float32]") -> list[Answer]:
        """One answer a row."""


@runtime_checkable
class Endpoint(Model, Protocol):
    """A model behind a network, which is asked pair by pair, several at a time."""

    @property
    def identity(self) -> str:
        """A digest of all that decides its answers, as far as this side can know."""

    @property
    def concurrency(self) -> int:
        """How many questions may be under way."""

    def estimate(self, calls: int, characters: int) -> str:
        """What so many calls, with texts of so many characters, will cost."""

    def answer_one(self, pair: Texts) -> Answer:
        """The answer to a pair; called from several threads."""


@runtime_checkable
class Foreseeing(Protocol):
    """A model that looks at all cases before it is asked the first, and refuses those that it can't answer."""

    def foresee(self, cases: Iterable[Case]) -> None:
        """Raise an error that counts what can't be answered."""


@runtime_checkable
class Adapter(Protocol):
    """The settings of a model that somebody else made; its fields are the options of the model's name."""

    @property
    def what(self) -> str:
        """Which model of the kind."""

    def open(self) -> Model:
        """Load it."""


@runtime_checkable
class Several(Protocol):
    """An adapter whose name stands for several seeds of one system, each a model called `WHAT@SEED`."""

    def seeds(self) -> Sequence[int]:
        """The seeds; empty where the name stands for one model."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A model that must see the original pairs of a suite first."""

    def fit(self, cases: Iterable[Case]) -> Model:
        """A model that never judges a case by a fit which saw a pair of the same premise."""
