"""Models that are passed as objects: functions, anything with `predict`, and settings that open a model."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from assay.core.errors import UserError
from assay.core.protocols import Adapter, Endpoint, Learner, Model, SentenceModel, TextModel, offers
from assay.core.registry import split_alias, without_labels
from assay.evaluate.seeds import split_seed
from assay.models.adapters.python import PythonFunction
from assay.run.predict.model_names import GIVEN, model_name, seeds_of

Function = Callable[[list[tuple[str, str]]], Sequence[Any]] | Callable[[str, str], Any]
"""Takes a list of (premise, hypothesis), returns as many labels, probabilities by label, scores or rows of numbers;
or takes one premise and one hypothesis, and returns one of these."""

ModelLike = Model | Learner | Adapter | Function
"""Anything that can be passed as a model."""

Models = str | ModelLike | Iterable[str | ModelLike] | Mapping[str, str | ModelLike]
"""Anything that can be passed as models: names, objects, or both, or a mapping from names to objects."""


class ResolvedModels(NamedTuple):
    """The models of a run."""

    names: list[str]
    """All of them, in order, with every version resolved."""
    objects: dict[str, Model | Learner | Adapter]
    """Those that were passed as objects, by name."""


def resolve_models(models: Models) -> ResolvedModels:
    """The models with the names that a record uses: an object is called `object:NAME`.

    >>> resolve_models(["assay:overlap", len]).names, resolve_models({"mine": len}).names
    (['assay:overlap/v1', 'object:len'], ['object:mine'])
    """
    bench = ResolvedModels([], {})
    for name, given in _items(models):
        if isinstance(given, str):
            bench.names.extend(map(model_name, seeds_of(given)))
            continue
        full = f"{GIVEN}:{name or _own_name(given)}"
        bench.names.append(full)
        if full in bench.objects:
            raise UserError(f'Two models are called {full}.\n  Name them: models={{"first": ..., "second": ...}}.')
        bench.objects[full] = as_model(given, name=full)
    shown = Counter(
        split_alias(name).alias or without_labels(name)
        for name in dict.fromkeys(bench.names)
        if not split_seed(name).seed
    )
    for name, found in shown.items():
        if found > 1:
            raise UserError(f"Two models are called {name!r}.\n  Give each a name of its own: --model NAME=MODEL.")
    return bench


def is_model(thing: object) -> TypeGuard[ModelLike]:
    """True if something can be asked, even if only as a function."""
    return callable(thing) or _answers(thing)


def as_model(given: Any, *, name: str) -> Model | Learner | Adapter:
    """A model that was passed as an object; a class is instantiated first, and a function is asked about pairs."""
    thing = given() if isinstance(given, type) else given
    if _answers(thing):
        return thing
    if callable(thing):
        return PythonFunction(thing, name=name)
    raise UserError(
        f"{name} can't be used as a model: its type is {type(thing).__name__}.\n"
        "  Give a function that takes a list of (premise, hypothesis) or one of each, or an object with `predict`."
    )


def _answers(thing: object) -> TypeGuard[Model | Learner | Adapter]:
    """True if something is a model by itself."""
    kinds: tuple[Any, ...] = (Model, Learner, Adapter, TextModel, SentenceModel, Endpoint)
    return any(offers(thing, kind) for kind in kinds)


def _items(models: Models) -> Iterable[tuple[str, Any]]:
    if isinstance(models, Mapping):
        return models.items()
    if isinstance(models, str) or is_model(models) or not isinstance(models, Iterable):
        return [("", models)]
    return [("", each) for each in models]


def _own_name(given: Any) -> str:
    """The name of a function or a class, or of an object's class."""
    name: str = getattr(given, "__name__", type(given).__name__)
    return name.strip("<>")
