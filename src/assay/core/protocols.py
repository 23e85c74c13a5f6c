"""The hooks of Assay: what you can give to it or register with it, and what each must be able to do.

A package registers its classes through entry points, in the groups below; a script or a notebook registers them with
`assay.registry`. Assay's own are declared in the same way in its `pyproject.toml`.

    group               what you register   what it is
    assay.transforms    Transform           a family of tests, made from pairs
    assay.checks        Check               proves the labels of the transform of the same name
    assay.models        Model, Learner      a model, called `assay:NAME`
    assay.adapters      Adapter             a kind of model, called `KIND:WHAT`
    assay.formats       Format              what the rows of one kind of file mean

`assay.systems` holds the architectures that `assay train` trains; they need presets, so packages can't add any yet.

Corpora and models need no registration where you hold them in Python: `assay.build`, `assay.run` and `assay.score` take
any iterable of pairs, and models as objects or functions. The fakes in `assay.core.fakes` go through these doors too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, TypeGuard, TypeVar, runtime_checkable

import msgspec

from assay.core.case import Case, Recipe
from assay.core.edit import Edit, Skip
from assay.core.errors import UserError
from assay.core.label import LabelReader
from assay.core.pair import Pair, Problem, Record
from assay.core.prediction import Answer, Prediction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from assay.core.suite import Source

T = TypeVar("T")

Fidelity = Literal["strict", "paper", "code"]
"""Our best, what the paper says, or what the released code does."""


# --- Corpora: pairs to build from. ---


@runtime_checkable
class Corpus(Protocol):
    """Pairs to build from, with what a manifest says about them. It is streamed, never held in memory as a whole.

    Where you have only the pairs, give them as they are: any iterable of `Pair` is wrapped, and counted as it is read.
    If the iterable has a `name`, the corpus gets it.
    """

    @property
    def name(self) -> str:
        """What it is called in manifests: never a path of one machine."""

    @property
    def problems(self) -> Sequence[Skip]:
        """Broken records that were left out, each with its place."""

    def __iter__(self) -> Iterator[Pair]: ...

    def as_pairs(self, split: Callable[[Problem], Iterable[Pair]] | None = None) -> Iterator[Pair]:
        """The pairs, and those that `split` makes of records that are not pairs, if there are any."""

    def summary(self) -> "Source":
        """What was read, once all of it was."""


@runtime_checkable
class GeneratedCorpus(Corpus, Protocol):
    """Pairs that a transform generated for itself."""

    def recipe(self) -> Recipe:
        """The transform, with the options that the pairs were generated with."""


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
    """What the rows of one kind of file mean. Entry points: `assay.formats`."""

    title: ClassVar[str]
    """One line for a list."""

    def recognise(self, sample: Sample) -> int:
        """How sure it is that the file is its own: 0 not at all, 1 could be, 2 likely, 3 certain."""

    def record(self, row: Row, label: LabelReader) -> Record | Skip:
        """The record in a row, or why it is left out; `BadRecordError` if the row is broken."""


# --- Families of tests: pairs to edits. ---


class Transform(Protocol):
    """A pure, versioned function from a pair to edits. Entry points: `assay.transforms`.

    A class, whose fields are the switches of the family, or a plain function, which has none. What it may say about
    itself is in `Traits`; what else it may be able to do, in `Varied`, `Sliced`, `WordReplacing`, `Generating`
    and `Splitting`.
    """

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        """The edits that make cases of the pair, or why there are none."""


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """What a transform says about itself: class attributes of these names, each of which can be left out.

    >>> class Shout:
    ...     distinct = True
    >>> traits = described(Shout, name="shout/v1")
    >>> traits.family, traits.distinct, traits.with_original
    ('shout', True, False)
    """

    family: str
    """The family of tests that its cases belong to; by default the name under which it is registered."""
    variants: tuple[str, ...] = ()
    """The values of its switch `variant`, all of which `assay build all` builds."""
    strength: str = ""
    """The switch that says how strong the test is, and that a ladder varies; empty if there is none."""
    uses: tuple[str, ...] = ()
    """The resources that it needs, `wordnet` and `tagger`. They are English: pairs in other languages are skipped."""
    english: bool = False
    """Skip pairs that are plainly not English, although no resource is used."""
    distinct: bool = False
    """Drop a case whose texts an earlier pair gave already."""
    with_original: bool = False
    """The original pairs are built along with it, because its cases say nothing without them."""
    any_length: bool = False
    """Take texts of any length, because nothing is looked for in them; others skip texts that are as long as a book."""


def described(transform: object, *, name: str) -> Traits:
    """What a transform, or its class, says about itself, with the defaults for what it leaves out."""
    said = {field: getattr(transform, field) for field in Traits.__struct_fields__ if hasattr(transform, field)}
    try:
        return msgspec.convert({"family": name.partition("/")[0], **said}, Traits)
    except msgspec.ValidationError as error:
        raise UserError(f"The transform {name!r} says something wrong about itself: {error}.") from error


@runtime_checkable
class Varied(Protocol):
    """A transform that is made in several variants."""

    @property
    def variant(self) -> str:
        """The variant that this one makes."""


@runtime_checkable
class Sliced(Transform, Protocol):
    """A transform whose cases fall into slices that are counted apart, such as categories of words."""

    family: ClassVar[str]
    """The family of tests that it belongs to."""
    slice_by: ClassVar[str]
    """The key of a case's `group` that names its slice."""
    absent: ClassVar[str]
    """What to say of a slice that no pair of a corpus has anything of."""

    def slices(self) -> Sequence[str]:
        """The names of all slices that it can make."""

    def slices_of(self, pair: Pair) -> Mapping[str, Skip | None]:
        """The slices that a pair has something of: why it can give no case, or None if it can."""


@runtime_checkable
class WordReplacing(Protocol):
    """A transform that puts one word in the place of another, so that the cases of a pair of words can be limited."""

    @property
    def per_word_pair(self) -> int | None:
        """Cases of a pair of words at most; 0 for any number, None for a tenth of the family's cases."""

    def word_pair(self, edit: Edit) -> str:
        """The name of the pair that an edit exchanges, the same in both directions."""


@runtime_checkable
class Generating(Protocol):
    """A transform that brings its own pairs, from templates for instance, so that no corpus is needed."""

    def generate(self, per_subcase: int, *, seed: int) -> GeneratedCorpus:
        """So many pairs of each kind that it knows, the same ones for the same seed."""


class Splitter(Protocol):
    """Makes pairs of problems in words, and counts what it leaves out."""

    @property
    def skips(self) -> Counter[str]:
        """Problems and sentences that were left out, by reason."""

    def __call__(self, problem: Problem) -> Iterable[Pair]:
        """The pairs of a problem."""

    def told(self) -> tuple[str, ...]:
        """What a careful user should know about what was split."""


@runtime_checkable
class Splitting(Protocol):
    """A transform that knows how to make pairs of records that are not pairs."""

    def splitter(self) -> Splitter:
        """A new splitter, which has counted nothing yet."""


class Check(Protocol):
    """Proves the label of a case by other means than those that made it. It sees the case and nothing else.

    Entry points: `assay.checks`, under the versioned name of the transform whose cases it proves.
    """

    def __call__(self, case: Case) -> Skip | None:
        """None if the label holds, or else why it can't be shown."""


@runtime_checkable
class Foresighted(Check, Protocol):
    """A check that can tell from a transform alone that it will prove no case of it."""

    def foresee(self, transform: Transform) -> str:
        """Why no case can be proven, and the way out; empty if some can."""


# --- Models: cases to answers. ---


class Model(Protocol):
    """Anything that labels cases. It must not look at their labels. Entry points: `assay.models`."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case, in the same order."""


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
        """One answer per pair, in order, each as in a batch whose largest pair has the size `width`."""


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
        """One vector per text, in order."""

    def judge(self, premises: "NDArray[np.float32]", hypotheses: "NDArray[np.float32]") -> list[Answer]:
        """One answer per row."""


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
class Learner(Protocol):
    """A model that must see the original pairs of a suite first. Entry points: `assay.models`."""

    def fit(self, cases: Iterable[Case]) -> Model:
        """A model that never judges a case by a fit which saw a pair of the same premise."""


@runtime_checkable
class Adapter(Protocol):
    """The settings of a model that somebody else made; its fields are the options of the model's name.

    Entry points: `assay.adapters`, under the kind that stands before the colon of the model's name.
    """

    @property
    def what(self) -> str:
        """Which model of the kind."""

    def open(self) -> Model:
        """Load it. Where the model has `close()`, it is called at the end; its `notes` are shown to the user."""


@runtime_checkable
class Several(Protocol):
    """An adapter whose name stands for several seeds of one system, each a model called `WHAT@SEED`."""

    def seeds(self) -> Sequence[int]:
        """The seeds; empty where the name stands for one model."""
        ...
