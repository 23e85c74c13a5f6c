"""Models: from cases to answers, the abilities that a model can have, and adapters for models of others."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard, TypeVar, runtime_checkable

from assay.core.case import Case
from assay.core.prediction import Answer, Prediction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


class Model(Protocol):
    """Anything that labels cases. It must not look at their labels. Entry points: `assay.models`."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case, in the same order."""


def offers(model: object, kind: Callable[..., T]) -> TypeGuard[T]:  # a type, but mypy has none for protocols
    """Whether a model is of a kind, like `isinstance`, but without evaluating properties, which may load the model.

    >>> from assay.core.fakes import FakeModel
    >>> offers(FakeModel(), Model), offers(FakeModel(), Endpoint)
    (True, False)
    """
    names = [name for name in vars(kind) if not name.startswith("_")]
    return all(hasattr(type(model), name) or hasattr(model, name) for name in names)


def reference(model: T) -> T:
    """Mark a model's class or function, as a decorator, as a reference: a baseline whose reasons are known.

    Tables mark references and show them after the models that are tested.

    >>> @reference
    ... class Silent: ...
    >>> is_reference(Silent), is_reference(Model)
    (True, False)
    """
    model.is_reference = True  # type: ignore[attr-defined]
    return model


def is_reference(model: object) -> bool:
    """Whether a model's class, function or object is marked as a reference."""
    return getattr(model, "is_reference", False) is True


class Texts(NamedTuple):
    """The two texts of a case, which are all that most models see."""

    premise: str
    """The text taken as true."""
    hypothesis: str
    """The claim to be judged."""


class Ready(NamedTuple):
    """A text or a pair as a model takes it."""

    content: Any
    """What the model works on: tokens, or the texts themselves."""
    size: int = 1
    """What it costs: the number of tokens, or 1 if all cost the same."""
    truncated: bool = False
    """Whether it was too long for the model and was cut off."""
    fits: bool = True
    """Whether the model can take it at all; it can't if the hypothesis alone is too long, which is never cut."""


@runtime_checkable
class TextModel(Model, Protocol):
    """A model whose answer depends only on the two texts: distinct pairs are asked once, and answers are kept."""

    @property
    def identity(self) -> str:
        """A digest of everything that decides its answers; empty if unknown: then they are kept for one run only."""

    @property
    def budget(self) -> int:
        """The largest batch: its number of pairs times the size of the largest."""

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Prepare pairs to be asked. It runs ahead, in a separate thread."""

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:
        """One answer per pair, in order, as if the largest pair of the batch had the size `width`."""


@runtime_checkable
class CountsTokens(Protocol):
    """A text model with tokens, of which it takes so many."""

    @property
    def longest(self) -> int:
        """The most tokens in a pair."""

    def count_tokens(self, pairs: Sequence[Texts]) -> list[int]:
        """How many tokens each pair has, before anything is cut off."""

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Prepare pairs to be asked."""


@runtime_checkable
class SentenceModel(Model, Protocol):
    """A model that encodes each text separately, then compares: every distinct text is encoded once."""

    @property
    def identity(self) -> str:
        """A digest of everything that decides its vectors; empty if unknown: then they are kept for one run only."""

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
    """What it costs to ask a model behind a network."""

    calls: int
    """How many questions there are."""
    text: str
    """The cost as a sentence for the user."""
    price: float | None = None
    """The price, in the currency of the user's prices; None if there are none."""


@runtime_checkable
class Endpoint(Model, Protocol):
    """A model behind a network. Each question is one pair, and several are asked at a time."""

    @property
    def identity(self) -> str:
        """A digest of everything that decides its answers, as far as it is known on this side."""

    @property
    def concurrency(self) -> int:
        """How many questions may be open at once."""

    def estimate(self, pairs: Iterable[Texts]) -> Cost:
        """What it will cost to ask about these pairs."""

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
    """The settings of a model that somebody else made; its fields are the options of the model's name.

    Entry points: `assay.adapters`, under the kind, which is the part of the model's name before the colon.
    """

    @property
    def what(self) -> str:
        """Which model of the kind."""

    def open(self) -> Model:
        """Load it. If the model has `close()`, that is called at the end; its `notes` are shown to the user."""


@runtime_checkable
class NamesLabels(Protocol):
    """An adapter or a model that reads labels by name, and can be given a corpus's own names for them."""

    def with_names(self, names: Mapping[str, str]) -> Any:
        """The same adapter or model, which also understands these names; each comes with the label that it means."""


@runtime_checkable
class Several(Protocol):
    """An adapter whose name can mean several seeds of one system, each a model called `WHAT@SEED`."""

    def seeds(self) -> Sequence[int]:
        """The seeds; empty if the name means one model."""
        ...
