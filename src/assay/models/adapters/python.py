"""python:MODULE:FUNCTION, any callable on a list of pairs or on one pair, or a model object."""

import copy
import hashlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.case import THRESHOLD, Answer
from assay.core.errors import ModelError, UserError, did_you_mean
from assay.core.label import Label, LabelReader
from assay.core.protocols import Model, Ready, Texts
from assay.models.adapters.answer_parsing import (
    Threshold,
    about,
    answer_from,
    are_shares,
    checked_rows,
    named_labels,
    shares,
    support_score,
    written_names,
)
from assay.models.adapters.label_order import Declared, PlainTexts, Positional, parse_labels

T = TypeVar("T")

KIND = "python"  # the adapter's name, before the colon


class Python(msgspec.Struct, frozen=True, kw_only=True):
    """A function of your own: it takes a list of (premise, hypothesis), or one premise and hypothesis."""

    what: str
    """Module and function, as in `my_model:predict`."""
    version: str = ""
    """Version of the function: with one, answers are cached beyond the run; change it when the function changes."""
    labels: str = ""
    """Meaning of columns, if the function returns rows of numbers; `unsupported` if a high score means that."""
    threshold: Threshold = THRESHOLD
    """If it returns one support score per pair, the score from which its answer is entailment."""
    batch: Annotated[int, msgspec.Meta(ge=1)] = 64
    """Maximum number of pairs in a call."""
    names: str = ""
    """Meaning of the labels that it returns, if they are neither ours nor the corpus's: `SUPPORTS:entailment`."""

    def with_names(self, names: Mapping[str, str]) -> "Python":
        """The same function, which may answer with the names of a corpus."""
        return self if self.names else msgspec.structs.replace(self, names=written_names(names))

    def open(self) -> Model:
        thing = _import_function(self.what)
        if isinstance(thing, type):
            thing = thing()
        if hasattr(thing, "encode") and hasattr(thing, "judge"):
            return thing
        if not callable(thing):
            raise UserError(f"python:{self.what} is not a function: its type is {type(thing).__name__}.")
        return PythonFunction(
            thing,
            name=f"{KIND}:{self.what}",
            version=self.version,
            labels=self.labels,
            threshold=self.threshold,
            batch=self.batch,
            names=named_labels(self.names),
        )


class PythonFunction(PlainTexts):
    """A function as a model: it takes a list of (premise, hypothesis) and returns one answer for each.

    A function that requires two positional arguments is called with one premise and one hypothesis instead, and
    returns one answer. An answer is a label, probabilities by label, a row of numbers, or one number from 0 to 1: a
    support score, which means entailment from the `threshold` on. `labels` says what the columns mean, if the function
    returns rows of numbers; `labels="unsupported"` reads a high score as non-entailment. `batch` is the most pairs in a
    call. Answers are kept beyond a run only with a `version`, which you change when the function changes. They are
    stored under the version and the `name`, by default the function's own name. `names` says what the function's own
    labels mean; without it, the names of the corpus are understood.

    >>> model = PythonFunction(lambda pairs: ["neutral" for premise, hypothesis in pairs])
    >>> model.answer(model.ready([Texts("It rains.", "It pours.")]), width=1)[0].label.value
    'neutral'
    """

    def __init__(
        self,
        function: Any,
        *,
        name: str = "",
        version: str = "",
        labels: str = "",
        threshold: float = THRESHOLD,
        batch: int = 64,
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.function = function
        self.name = name or f"{function.__module__}.{getattr(function, '__qualname__', type(function).__qualname__)}"
        self.version = version
        self.labels = labels
        self.threshold = threshold
        self.batch = batch
        self.names = dict(names)
        self._arguments = required_arguments(function)
        if self._arguments is not None and self._arguments > 2:
            raise UserError(
                f"{self.name} requires {self._arguments} arguments.\n"
                "  A model is called with a list of (premise, hypothesis), or with one premise and one hypothesis."
            )
        self._read_label = LabelReader(self.names, needed=True)
        self._order: Positional | None = None
        self._scores = False
        """True if rows are scores, which go through softmax; decided once, so that all batches are read alike."""

    @property
    def identity(self) -> str:
        """Empty unless the user gives a version, because a function may depend on anything."""
        if not self.version:
            return ""
        decides: tuple[object, ...] = (self.name, self.version, self.labels, self.batch, *self.names.items())
        if self.threshold != THRESHOLD:
            decides = (*decides, self.threshold)
        return hashlib.sha256(f"python {decides!r}".encode()).hexdigest()

    def fix(self, labels: str) -> str:
        return Declared(None, None, 1, in_python=self._is_object).fix(self.name, labels)

    @property
    def _is_object(self) -> bool:
        """True if the function was passed as an object, so that it has no name with options."""
        return not self.name.startswith(f"{KIND}:")

    def with_names(self, names: Mapping[str, str]) -> "PythonFunction":
        """The same function, which may answer with the names of a corpus."""
        if self.names:
            return self
        named = copy.copy(self)
        named.names, named._read_label = dict(names), LabelReader(names, needed=True)
        return named

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about its calls and its columns."""
        called = "one premise and one hypothesis" if self._arguments == 2 else "a list of (premise, hypothesis)"
        return (f"{self.name} is called with {called}.", *filter(None, [self._order.note if self._order else ""]))

    @property
    def budget(self) -> int:
        """Maximum number of pairs in a call."""
        return self.batch

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:  # noqa: ARG002 - all have the same size
        """Call the function, and read what it returns."""
        pairs = [each.content for each in batch]
        replies = self._replies(pairs)
        if not len(replies) or isinstance(replies[0], str | Mapping):
            means = (parse_labels(self.labels) or (Label.ENTAILMENT,))[0]
            read = partial(answer_from, read=self._read_label, threshold=self.threshold, means=means)
            return [self._name_errors(partial(read, each), pair) for each, pair in zip(replies, pairs, strict=True)]
        outputs = len(replies[0]) if np.ndim(replies[0]) else 1
        return self._positional(outputs).answers(self._shares(replies, outputs, pairs))

    def _name_errors(self, read: Callable[[], T], pair: Texts | None = None) -> T:
        """Read replies; an error names the function, and the pair if there is one."""
        try:
            return read()
        except ModelError as error:
            raise ModelError(f"{self.name}: {error}{about(pair) if pair else ''}") from error

    def _replies(self, pairs: Sequence[Texts]) -> Any:
        if self._arguments == 2:
            return [self.function(*pair) for pair in pairs]
        try:
            replies = self.function([tuple(pair) for pair in pairs])
        except TypeError as error:
            if self._arguments is not None:
                raise
            raise ModelError(
                f"{self.name} does not say which arguments it takes, so it was called with a list of "
                f"(premise, hypothesis), and failed: {error}\n"
                "  Write a function around it that takes that list, or one premise and one hypothesis."
            ) from error
        if replies is None or isinstance(replies, str | bytes | Mapping) or not hasattr(replies, "__len__"):
            raise ModelError(f"{self.name} must return a list with one answer per pair.")
        if len(replies) != len(pairs):
            raise ModelError(f"{self.name} gave {len(replies)} answers to {len(pairs)} cases.")
        return replies

    def _shares(self, replies: Any, outputs: int, pairs: Sequence[Texts]) -> NDArray[np.float64]:
        """Replies as rows of probabilities; a single number is a row of one."""
        for reply, pair in zip(replies, pairs, strict=True) if outputs == 1 else ():
            self._name_errors(partial(support_score, reply[0] if np.ndim(reply) else reply), pair)

        def read() -> NDArray[np.float64]:
            rows = checked_rows(replies, asked=len(replies), outputs=outputs)
            return rows if outputs == 1 else shares(rows, self._scores)

        return self._name_errors(read)

    def _positional(self, outputs: int) -> Positional:
        """Meaning of the columns; without names, it is detected from the function's answers."""
        if self._order is None:
            single = outputs == 1
            declared = Declared(
                parse_labels(self.labels),
                names=("support",) if single else None,
                outputs=outputs,
                in_python=self._is_object,
                threshold=self.threshold if single or self.threshold != THRESHOLD else None,
                by_protocol=single,
            )

            def ask(pairs: Sequence[Texts]) -> NDArray[np.float64]:
                replies = self._replies(pairs)
                if not single:
                    rows = self._name_errors(lambda: checked_rows(replies, asked=len(replies), outputs=outputs))
                    self._scores = not are_shares(rows)
                return self._shares(replies, outputs, pairs)

            self._order = Positional.settle(self.name, declared, ask)
        return self._order


def required_arguments(function: Any) -> int | None:
    """Number of positional arguments that a function requires; None if unknown, as for many written in C.

    >>> required_arguments(lambda premise, hypothesis: 0.5), required_arguments(lambda pairs, limit=3: [])
    (2, 1)
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in by_place and each.default is inspect.Parameter.empty for each in parameters)


def _no_module(wanted: str, missing: str) -> str:
    """Error for a module that can't be imported."""
    if not f"{wanted}.".startswith(f"{missing}."):
        return f"{wanted} imports {missing!r}, and there is no such module.\n  Install its package, and run again."
    guess = did_you_mean(missing, [path.stem for path in Path.cwd().glob("*.py")])
    return (
        f"there is no module {missing!r}{guess}\n"
        f"  Assay looks in the current folder and in installed packages: go to the folder of "
        f"{missing.removesuffix('.py')}.py, or put that folder in front: PYTHONPATH=FOLDER assay run ..."
    )


def _import_function(what: str) -> Any:
    module, found, attribute = what.partition(":")
    if not found or not module or not attribute:
        raise UserError(f"python:{what}: give a module and a function, as in 'python:my_model:predict'.")
    here = str(Path.cwd())
    if here not in sys.path:  # a console script does not search the current folder
        sys.path.insert(0, here)
    try:
        thing = import_module(module)
    except ModuleNotFoundError as error:
        raise UserError(f"python:{what}: {_no_module(module, error.name or module)}") from error
    except Exception as error:  # a user's module may fail in any way
        raise UserError(f"python:{what}: {module} can't be imported: {type(error).__name__}: {error}") from error
    for part in attribute.split("."):
        if not hasattr(thing, part):
            raise UserError(f"python:{what}: {module} has no {part!r}{did_you_mean(part, dir(thing))}")
        thing = getattr(thing, part)
    return thing
