"""The hooks of Assay: what you can pass in or register, and what each must be able to do.

A package registers its classes through entry points, in the groups below; a script or a notebook registers them with
`assay.registry`. Assay's own are declared in the same way in its `pyproject.toml`.

    group               what you register   what it is
    assay.transforms    Transform           a family of tests, made from pairs
    assay.models        Model, Learner      a model, called `assay:NAME`
    assay.adapters      Adapter             a kind of model, called `KIND:WHAT`
    assay.formats       Format              what the rows of one kind of file mean
    assay.logs          LogFormat           the rows in another tool's log
    assay.reports       ReportFormat        files that `assay report --to NAME` writes
    assay.exports       SuiteWriter         a folder that `assay export --to NAME` writes

`assay.systems` holds the architectures that `assay train` trains; they need presets, so packages can't add any yet.

Corpora and models that you hold in Python need no registration: `assay.build`, `assay.run` and `assay.score` take
any iterable of pairs, and models as objects or functions. The fakes in `assay.core.fakes` go through these doors too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, TypeGuard, TypeVar, runtime_checkable

import msgspec

from assay.core.case import Answer, Case, Prediction, Recipe
from assay.core.edit import Edit, Skip
from assay.core.errors import BadRecordError, UserError
from assay.core.label import LabelReader
from assay.core.pair import Pair, Problem, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from assay.core.manifest import Source


@runtime_checkable
class Corpus(Protocol):
    """Pairs to build from, with the summary that a manifest stores. They are streamed, never all held in memory.

    If you only have the pairs, pass them as they are: any iterable of `Pair` is wrapped, and counted as it is read.
    If the iterable has a `name`, the corpus takes it.
    """

    @property
    def name(self) -> str:
        """Its name in manifests; never a path on one machine."""

    @property
    def problems(self) -> Sequence[Skip]:
        """Broken records that were left out, each with its location."""

    def __iter__(self) -> Iterator[Pair]: ...

    def as_pairs(self, split: Callable[[Problem], Iterable[Pair]] | None = None) -> Iterator[Pair]:
        """The pairs, including those that `split` makes from records that are not pairs."""

    def summary(self) -> "Source":
        """Summary of what was read; complete once everything was read."""


@runtime_checkable
class GeneratedCorpus(Corpus, Protocol):
    """Pairs that a transform generated for itself."""

    def recipe(self) -> Recipe:
        """The transform, with the options that the pairs were generated with."""


class Sample(NamedTuple):
    """The part of a file that a format can recognise."""

    name: str  # the file's name, without folders and compression suffix
    container: str  # storage of the rows: jsonl, tsv, csv or parquet
    columns: tuple[str, ...]  # names of the first row's columns; numbers as text where the file has no header
    first: Mapping[str, Any]


class Row(msgspec.Struct, frozen=True, gc=False):
    """One row of a file, before it is interpreted."""

    number: int  # line number in the file, from 1
    fields: Mapping[str, Any]
    file: str = ""  # the file's name, if a corpus has several files


class Format(Protocol):
    """A reader of the rows of one kind of file. Entry points: `assay.formats`."""

    title: ClassVar[str]  # one line for `assay list formats`

    # A class can have `needs`, sets of columns: a file without all columns of one of them is not of this format.

    def recognise(self, sample: Sample) -> int:
        """Confidence that the file has this format: 0 not at all, 1 possible, 2 likely, 3 certain."""

    def record(self, row: Row, label: LabelReader) -> Record | Skip:
        """The record in a row, or why it is left out; `BadRecordError` if the row is broken."""


class LogFormat(Protocol):
    """A reader of another tool's logs. Entry points: `assay.logs`."""

    title: ClassVar[str]  # one line for `assay list formats`

    def recognise(self, name: str, head: bytes) -> bool:
        """True if a file with this name and beginning is such a log."""

    def rows(self, path: Path) -> Iterator[dict[str, Any] | BadRecordError]:
        """Rows with id, premise, hypothesis, label, and prediction or score; a prediction of None means no answer."""


class ReportFormat(Protocol):
    """A writer of one or more runs for another tool or site, as a struct. Entry points: `assay.reports`.

    Its fields are the settings that `--set` gives, converted to their types.
    """

    title: ClassVar[str]  # one line that says what is written

    def __call__(self, view: Any) -> dict[str, bytes]:
        """The files by name, from a view of the runs; names with a folder are written into that folder."""


class SuiteWriter(Protocol):
    """A function that writes a suite as a folder for another tool. Entry points: `assay.exports`."""

    def __call__(self, suite: Any, out: Path, overwrite: bool) -> None: ...


T = TypeVar("T")


class Model(Protocol):
    """Anything that labels cases. It must not look at their labels. Entry points: `assay.models`."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case, in the same order."""


def offers(model: object, kind: Callable[..., T]) -> TypeGuard[T]:  # a type, but mypy has none for protocols
    """True if a model is of a kind, like `isinstance`, but without evaluating properties, which may load the model.

    >>> from assay.core.fakes import FakeModel
    >>> offers(FakeModel(), Model), offers(FakeModel(), Endpoint)
    (True, False)
    """
    names = [name for name in vars(kind) if not name.startswith("_")]
    return all(hasattr(type(model), name) or hasattr(model, name) for name in names)


def reference(model: T) -> T:
    """Mark a model's class or function, as a decorator, as a reference: a baseline that decides by a known rule.

    Tables mark references and show them after the models that are tested.

    >>> @reference
    ... class Silent: ...
    >>> is_reference(Silent), is_reference(Model)
    (True, False)
    """
    model.is_reference = True  # type: ignore[attr-defined]
    return model


def is_reference(model: object) -> bool:
    """True if a model's class, function or object is marked as a reference."""
    return getattr(model, "is_reference", False) is True


class Texts(NamedTuple):
    """The two texts of a case, which are all that most models see."""

    premise: str
    hypothesis: str


class Ready(NamedTuple):
    """A text or a pair as a model takes it."""

    content: Any  # the model's input: tokens, or the texts themselves
    size: int = 1  # its size: the number of tokens, or 1 if all inputs cost the same
    truncated: bool = False  # True if it was too long for the model and was cut off
    fits: bool = True
    """True if the model can take it at all; it can't if the hypothesis alone is too long, which is never cut."""


@runtime_checkable
class TextModel(Model, Protocol):
    """A model whose answer depends only on the two texts: each distinct pair is run once, and its answer is cached."""

    @property
    def identity(self) -> str:
        """A digest of all that decides its answers; empty if unknown, so that they are cached for one run only."""

    @property
    def budget(self) -> int:
        """The largest batch: its number of pairs times the size of the largest."""

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Prepare pairs for the model. It runs ahead, in a separate thread."""

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:
        """One answer per pair, in order, as if the largest pair of the batch had the size `width`."""


@runtime_checkable
class CountsTokens(Protocol):
    """A text model with a limit on the number of tokens."""

    @property
    def longest(self) -> int:
        """Maximum number of tokens in a pair."""

    def count_tokens(self, pairs: Sequence[Texts]) -> list[int]:
        """Number of tokens each pair has, before anything is cut off."""

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Prepare pairs for the model."""


@runtime_checkable
class SentenceModel(Model, Protocol):
    """A model that encodes each text separately, then compares: every distinct text is encoded once."""

    @property
    def identity(self) -> str:
        """A digest of all that decides its vectors; empty if unknown, so that they are cached for one run only."""

    @property
    def budget(self) -> int:
        """The largest batch: its number of texts times the size of the largest."""

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Prepare texts to be encoded. It runs ahead, in a separate thread."""

    def encode(self, batch: Sequence[Ready], *, width: int) -> "NDArray[np.float32]":
        """One vector per text, in order."""

    def judge(self, premises: "NDArray[np.float32]", hypotheses: "NDArray[np.float32]") -> list[Answer]:
        """One answer per row."""


class Cost(NamedTuple):
    """The cost of the answers of a model behind a network."""

    calls: int
    text: str  # the cost as a sentence for the user
    price: float | None = None  # the price, in the currency of the user's prices; None if there are none


@runtime_checkable
class Endpoint(Model, Protocol):
    """A model behind a network. Each request is one pair, and several are sent at a time."""

    @property
    def identity(self) -> str:
        """A digest of everything that decides its answers, as far as the client knows."""

    @property
    def concurrency(self) -> int:
        """Maximum number of requests sent at the same time."""

    def estimate(self, pairs: Iterable[Texts]) -> Cost:
        """The cost of answers to these pairs."""

    def answer_one(self, pair: Texts) -> Answer:
        """The answer to a pair; called from several threads."""


@runtime_checkable
class Priced(Protocol):
    """An endpoint that knows what its calls cost, so that a run can keep to a budget."""

    @property
    def spent(self) -> float | None:
        """The price of the calls so far; None without prices."""


@runtime_checkable
class Foreseeing(Protocol):
    """A model that looks at all cases before the first question, and refuses those that it can't answer."""

    def foresee(self, cases: Iterable[Case]) -> None:
        """Raise an error that counts what can't be answered."""


@runtime_checkable
class Learner(Protocol):
    """A model that must see the original pairs of a suite first. Entry points: `assay.models`."""

    def fit(self, cases: Iterable[Case]) -> Model:
        """A model that never answers a case with a fit that saw a pair with the same premise."""


@runtime_checkable
class Adapter(Protocol):
    """The settings of a third-party model; its fields are the options of the model's name.

    Entry points: `assay.adapters`, under the kind, which is the part of the model's name before the colon.
    """

    @property
    def what(self) -> str:
        """The name of the model within its kind."""

    def open(self) -> Model:
        """Load it. If the model has `close()`, that is called at the end; its `notes` are shown to the user."""


@runtime_checkable
class NamesLabels(Protocol):
    """An adapter or a model that reads labels by name, and can be given a corpus's own names for them."""

    def with_names(self, names: Mapping[str, str]) -> Any:
        """The same adapter or model, that also understands these label names; each name has the label that it means."""


@runtime_checkable
class Several(Protocol):
    """An adapter whose name can mean several seeds of one system, each a model called `WHAT@SEED`."""

    def seeds(self) -> Sequence[int]:
        """The seeds; empty if the name means one model."""
        ...


Fidelity = Literal["strict", "paper", "code"]
"""Whose rules a family follows: ours, the paper's text, or the paper's released code."""

Excerpting = Literal["", "provable", "nearest"]
"""The sentence of a long premise that a family uses: none, because it keeps the premise; the one that shares most
words with the hypothesis; or, in that order, the first that gives a verified case."""


class Transform(Protocol):
    """A pure, versioned function from a pair to edits. Entry points: `assay.transforms`.

    It is a class, whose fields are the switches of the family, or a plain function, which has none. It can declare the
    `Traits` and a `check`, the `Check` that verifies its labels. It can also be `Varied`, `Sliced`, `WordReplacing`,
    `Generating` or `Splitting`.
    """

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        """The edits that turn the pair into cases, or why there are none."""


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """Traits of a transform: class attributes of these names, each of which can be left out.

    >>> class Shout:
    ...     distinct = True
    >>> traits = described(Shout, name="shout/v1")
    >>> traits.family, traits.distinct, traits.with_original
    ('shout', True, False)
    """

    family: str  # the family of tests that its cases belong to; by default the name under which it is registered
    variants: tuple[str, ...] = ()  # the values of its switch `variant`, all of which `assay build all` builds
    strength: str = ""  # the switch that sets how strong the test is, which a ladder varies; empty if there is none
    uses: tuple[str, ...] = ()
    """The resources that it needs: `wordnet`, `tagger`. They are English, so pairs in other languages are skipped."""
    english: bool = False  # skip pairs that are plainly not English, even if no resource is used
    distinct: bool = False  # drop a case with the same texts as an earlier one
    with_original: bool = False  # build the original pairs too, because its cases mean nothing without them
    excerpt: Excerpting = ""
    """The sentence that it gets of a long premise, if it builds the hypothesis from the premise; otherwise empty."""
    on_request: bool = False  # leave it out of `all` because it is expensive; it is built only if requested by name
    from_corpus: str = ""  # the transform to use instead if a corpus is given, because this one generates its pairs
    per_premise: int = 0
    """Limit on cases of one premise, however many pairs share it, unless the claim is edited; 0 for no limit."""
    balanced: bool = False
    """Leave out cases whose labels a shortcut guesses, as is always done where the claim is edited."""
    any_length: bool = False
    """Accept texts of any length, because it does not search them; other transforms skip texts as long as a book."""


def described(transform: object, *, name: str) -> Traits:
    """The traits of a transform or its class, with defaults for what it leaves out."""
    said = {field: getattr(transform, field) for field in Traits.__struct_fields__ if hasattr(transform, field)}
    try:
        return msgspec.convert({"family": name.partition("/")[0], **said}, Traits)
    except msgspec.ValidationError as error:
        raise UserError(f"The transform {name!r} declares something invalid about itself: {error}.") from error


@runtime_checkable
class Varied(Protocol):
    """A transform that has several variants."""

    @property
    def variant(self) -> str:
        """The variant that this one makes."""


@runtime_checkable
class Sliced(Transform, Protocol):
    """A transform whose cases fall into slices that are counted separately, such as categories of words."""

    family: ClassVar[str]  # the family of tests that it belongs to
    slice_by: ClassVar[str]  # the key of a case's `group` that names its slice
    absent: ClassVar[str]  # the skip reason for a slice that no pair of the corpus can fill

    def slices(self) -> Sequence[str]:
        """The names of all slices that it can fill."""

    def slices_of(self, pair: Pair) -> Mapping[str, Skip | None]:
        """The slices that apply to a pair: for each, why it gives no case, or None if it can."""


@runtime_checkable
class WordReplacing(Protocol):
    """A transform that replaces one word by another, so that the cases of each word pair can be limited."""

    @property
    def per_word_pair(self) -> int | None:
        """Maximum number of cases of a word pair; 0 for no limit, None for a tenth of the family's cases."""

    def word_pair(self, edit: Edit) -> str:
        """The name of the word pair that an edit exchanges; it is the same in both directions."""


@runtime_checkable
class Generating(Protocol):
    """A transform that brings its own pairs, for instance from templates, so that it needs no corpus."""

    def generate(self, per_subcase: int, *, seed: int) -> GeneratedCorpus:
        """Pairs of every kind that it knows, `per_subcase` of each; the same pairs for the same seed."""


class Splitter(Protocol):
    """Makes pairs from word problems, and counts what it leaves out."""

    @property
    def skips(self) -> Counter[str]:
        """Problems and sentences that were left out, by reason."""

    def __call__(self, problem: Problem) -> Iterable[Pair]:
        """The pairs made from a problem."""

    def told(self) -> tuple[str, ...]:
        """Notes about what was split."""


@runtime_checkable
class Splitting(Protocol):
    """A transform that can make pairs from records that are not pairs."""

    def splitter(self) -> Splitter:
        """A new splitter, with all counts at zero."""


class Check(Protocol):
    """Verifies the label of a case independently of how the case was built. It only sees the case.

    It is the class attribute `check` of the transform whose cases it verifies.
    """

    def __call__(self, case: Case) -> Skip | None:
        """None if the label is verified, otherwise the reason why it is not."""


@runtime_checkable
class Foresighted(Check, Protocol):
    """A check that knows in advance that it will verify none of a transform's cases."""

    def foresee(self, transform: Transform) -> str:
        """The reason why no case can be verified, and what to do about it; empty if some can."""
