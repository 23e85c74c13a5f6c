"""Names of models: `KIND:WHAT`, with options as in `KIND:WHAT?option=value&option=value`."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, NamedTuple, TypeGuard
from urllib.parse import unquote

import msgspec

from assay.core import registry
from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.protocols import (
    Adapter,
    Endpoint,
    Learner,
    Model,
    NamesLabels,
    SentenceModel,
    Several,
    TextModel,
    is_reference,
    offers,
)
from assay.core.registry import RULE, convert_option, split_alias, without_labels
from assay.evaluate.seeds import split_seed
from assay.models.adapters.python import PythonFunction
from assay.run.predict.windows import Windows
from assay.storage.remote import check_address, is_address

OWN = "assay"  # the kind of the models that come with Assay or are registered by a package
GIVEN = "object"  # the kind of models that were passed as objects; their names say who answered, but can't be opened
OPTIONS = re.compile(r"\?(?P<options>[a-z_]+=[^&?]*(?:&[a-z_]+=[^&?]*)*)$")

WINDOWS = "windows"  # the option that every model has: how long premises are split into windows
SEEDS = re.compile(r"(.+)@((?:seed)?[0-9]+(?:,(?:seed)?[0-9]+)+)")  # several seeds of one system, behind its name


class ModelName(NamedTuple):
    """The parts of a model's name."""

    kind: str  # the adapter: hf, onnx, cmd; or `assay`
    what: str  # the name of the model within its kind
    options: dict[str, str]

    @classmethod
    def parse(cls, name: str) -> "ModelName":
        """Parse a name, without its alias; options are written as in a URL, `%26` for `&`.

        >>> ModelName.parse("hf:folder?labels=e,n,c&length=128")
        ModelName(kind='hf', what='folder', options={'labels': 'e,n,c', 'length': '128'})
        """
        kind, found, rest = split_alias(name).model.partition(":")
        if found and not rest:
            raise UserError(f"The model {name!r} names a kind, but not which model. See `assay list models`.")
        if not found:
            raise UnknownNameError(
                f"No model {name!r}: add the kind, as in {_guess_name(name)!r}. See `assay list models`."
            )
        given = OPTIONS.search(rest)
        if is_address(rest):
            check_address(rest[: given.start()] if given else rest)
        if given is None:
            return cls(kind, rest, {})
        options: dict[str, str] = {}
        for part in given["options"].split("&"):
            key, _, value = part.partition("=")
            if key in options:
                raise UserError(f"The model {kind}:{rest[: given.start()]} has the option {key!r} twice.")
            options[key] = unquote(value)
        return cls(kind, rest[: given.start()], options)


def is_model_name(text: str) -> bool:
    """True if a text begins with a kind of model.

    >>> is_model_name("assay:overlap"), is_model_name("mine=hf:org/nli"), is_model_name("s3://bucket/answers.csv")
    (True, True, False)
    """
    kind, found, _ = split_alias(text).model.partition(":")
    return bool(found) and kind in (OWN, *(each.partition("/")[0] for each in registry.adapters.names()))


def model_name(name: str) -> str:
    """The name with its version, after checking the kind and the names and types of the options.

    >>> model_name("assay:majority")
    'assay:majority/v1'
    """
    alias, model = split_alias(name)
    if alias:
        return f"{alias}={model_name(model)}"
    kind, what, _ = parsed = ModelName.parse(name)
    windows_of(name)
    resolved = registry.models.resolve(what) if kind == OWN else what
    _make(parsed)
    return f"{kind}:{resolved}{name.removeprefix(f'{kind}:{what}')}"


def seeds_of(name: str) -> list[str]:
    """The models that a name means: `KIND:WHAT@1,2` is two seeds, and some kinds know their seeds themselves.

    >>> seeds_of("trained:esim@1,2"), seeds_of("assay:majority")
    (['trained:esim@1', 'trained:esim@2'], ['assay:majority'])
    """
    listed = SEEDS.fullmatch(name)
    if listed:
        return [f"{listed[1]}@{seed}" for seed in listed[2].split(",")]
    made = None if split_alias(name).model.startswith(f"{OWN}:") else _make(ModelName.parse(name))
    return [f"{name}@{seed}" for seed in made.seeds()] or [name] if isinstance(made, Several) else [name]


def _guess_name(name: str) -> str:
    """A guess at what was meant by a name without a kind.

    >>> _guess_name("overlap"), _guess_name("minilmm"), _guess_name("my_model.py"), _guess_name("answers.csv")
    ('assay:overlap', 'assay:minilm', 'python:my_model:FUNCTION', 'predictions:answers.csv')
    >>> _guess_name("org/nli-base"), _guess_name("roberta-large-mnli")
    ('hf:org/nli-base', 'hf:roberta-large-mnli')
    """
    path = PurePath(name)
    if path.suffix == ".py":
        return f"python:{path.stem}:FUNCTION"
    if path.suffix in (".csv", ".tsv", ".jsonl", ".txt"):
        return f"predictions:{name}"
    own = registry.models.names()
    near = get_close_matches(name, [*own, *(each.partition("/")[0] for each in own)], n=1, cutoff=0.8)
    return f"{OWN}:{near[0]}" if near else f"hf:{name}"


def folder_name(name: str) -> str:
    """A name for a model's folder: readable and unique.

    >>> folder_name("assay:majority/v1"), folder_name("hf:org/My.Model?length=8")
    ('assay-majority-v1', 'hf-org-my-model-length-8-d834')
    """
    kept = "-".join(part for part in re.split(r"[^a-z0-9]+", name.lower()) if part)[:80]
    plain = name.replace(":", "-").replace("/", "-") == kept
    return kept if plain else f"{kept}-{hashlib.sha256(name.encode()).hexdigest()[:4]}"


def open_model(name: str) -> Model:
    """The model with this name, loaded; one that learns is not fitted yet."""
    made = settings_of(name)
    return made.open() if isinstance(made, Adapter) else made


def settings_of(name: str) -> Model | Adapter:
    """The settings of a third-party model, or one of ours itself; nothing is loaded."""
    return _make(ModelName.parse(name))


def windows_of(name: str) -> Windows | None:
    """The value of a model's own option for splitting long premises.

    >>> windows_of("assay:minilm?windows=max:150").words, windows_of("assay:minilm")
    (150, None)
    """
    text = ModelName.parse(name).options.get(WINDOWS)
    return Windows.parse(text) if text else None


def _make(name: ModelName) -> Model | Adapter:
    options = {option: value for option, value in name.options.items() if option != WINDOWS}
    if name.kind == OWN:
        return _build_model(registry.models.get(name.what), options, f"{OWN}:{name.what}")
    if name.kind == GIVEN:
        raise UserError(
            f"The model {GIVEN}:{name.what} was a Python object, and can't be opened by name.\n"
            f'  Pass it to assay.run again: models={{"{name.what}": ...}}.'
        )
    kinds = [each.partition("/")[0] for each in registry.adapters.names()]
    alias, equals, kind = name.kind.rpartition("=")
    if equals and kind in (*kinds, OWN):
        raise UserError(f"{alias!r} can't be an alias of {kind}:{name.what}. {RULE}")
    if name.kind not in kinds:
        guess = did_you_mean(name.kind, [*kinds, OWN])
        raise UnknownNameError(
            f"No kind of model {name.kind!r}{guess} Choose from {', '.join(sorted([*kinds, OWN]))}. "
            "See `assay list models`."
        )
    return _build_model(registry.adapters.get(name.kind), {"what": name.what, **options}, name.kind)


def _build_model(kind: Any, options: dict[str, str], name: str) -> Model | Adapter:
    """The model with its options, checked against the types of its fields."""
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        if options:
            raise UserError(f"The model {name} has no options, so {next(iter(options))!r} can't be set.")
        made: Model = kind()
        return made
    known = {field.name: field.type for field in msgspec.structs.fields(kind)}
    said: dict[str, Any] = {}
    for option, value in options.items():
        if option not in known:
            there = ", ".join(sorted(known.keys() - {"what"})) or "none"
            raise UserError(f"The model {name} has no option {option!r}{did_you_mean(option, known)} It has: {there}.")
        said[option] = convert_option(value, known[option], f"The model {name}: the option {option}")
    try:
        return msgspec.convert(said, kind, strict=False)  # type: ignore[return-value]
    except (msgspec.ValidationError, ValueError) as error:
        raise UserError(f"The model {name} does not take these options: {error}.") from error


NOTHING: Mapping[str, object] = MappingProxyType({})


def is_reference_model(name: str, objects: Mapping[str, object] = NOTHING) -> bool:
    """True if a model is a reference, by its name; `objects` are models that were passed as such.

    >>> is_reference_model("assay:overlap/v1"), is_reference_model("assay:esim/v1"), is_reference_model("hf:overlap")
    (True, False, False)
    """
    kind, what, _ = ModelName.parse(name)
    own = registry.models.get(what) if kind == OWN else None
    return is_reference(objects.get(name, own))


def in_order(names: Iterable[str], objects: Mapping[str, object] = NOTHING) -> list[str]:
    """The user's models, then the trained models that come with Assay, then references; otherwise as given.

    >>> in_order(["assay:majority/v1", "assay:esim/v1", "hf:mine"])
    ['hf:mine', 'assay:esim/v1', 'assay:majority/v1']
    """

    def rank(name: str) -> tuple[bool, bool]:
        kind, what, _ = ModelName.parse(name)
        is_shipped = kind == OWN and registry.models.target(what).path.startswith("assay.")
        return is_reference_model(name, objects), is_shipped

    return sorted(names, key=rank)


@contextmanager
def keep_open(name: str, given: Model | Learner | Adapter | None, names: Mapping[str, str]) -> Iterator[Any]:
    """The model, opened by its name unless it is given; a model that is passed open stays open.

    `names` are the user's own names for labels, each with ours, which it may answer with.
    """
    made = settings_of(name) if given is None else given
    if names and isinstance(made, NamesLabels):
        made = made.with_names(names)
    model: Any = made.open() if isinstance(made, Adapter) else made
    try:
        yield model
    finally:
        if model is not given and hasattr(model, "close"):
            model.close()


Function = Callable[[list[tuple[str, str]]], Sequence[Any]] | Callable[[str, str], Any]
"""Takes a list of (premise, hypothesis), returns as many labels, probabilities by label, scores or rows of numbers;
or takes one premise and one hypothesis, and returns one of these."""

ModelLike = Model | Learner | Adapter | Function  # anything that can be passed as a model
Models = str | ModelLike | Iterable[str | ModelLike] | Mapping[str, str | ModelLike]
"""Anything that can be passed as models: names, objects, or both, or a mapping from names to objects."""


class ResolvedModels(NamedTuple):
    names: list[str]  # all of them, in order, with every version resolved
    objects: dict[str, Model | Learner | Adapter]  # those that were passed as objects, by name


def resolve_models(models: Models) -> ResolvedModels:
    """The models with the names that a record uses: an object is called `object:NAME`.

    >>> resolve_models(["assay:overlap", len]).names, resolve_models({"mine": len}).names
    (['assay:overlap/v1', 'object:len'], ['object:mine'])
    """
    names: list[str] = []
    objects: dict[str, Model | Learner | Adapter] = {}
    if isinstance(models, str) or is_model(models) or not isinstance(models, Iterable):
        models = [models]
    for name, given in models.items() if isinstance(models, Mapping) else (("", each) for each in models):
        if isinstance(given, str):
            names += map(model_name, seeds_of(given))
            continue
        own: str = getattr(given, "__name__", type(given).__name__)
        full = f"{GIVEN}:{name or own.strip('<>')}"
        if full in objects:
            raise UserError(f'Two models are called {full}.\n  Name them: models={{"first": ..., "second": ...}}.')
        names.append(full)
        objects[full] = as_model(given, name=full)
    distinct = (name for name in dict.fromkeys(names) if not split_seed(name).seed)
    shown = Counter(split_alias(name).alias or without_labels(name) for name in distinct)
    for name, found in shown.items():
        if found > 1:
            raise UserError(f"Two models are called {name!r}.\n  Give each a name of its own: --model NAME=MODEL.")
    return ResolvedModels(names, objects)


def is_model(thing: object) -> TypeGuard[ModelLike]:
    """True if something can be run as a model, even if it is only a function."""
    return callable(thing) or _answers(thing)


def as_model(given: Any, *, name: str) -> Model | Learner | Adapter:
    """A model that was passed as an object; a class is instantiated first, and a function is called with pairs."""
    thing = given() if isinstance(given, type) else given
    if _answers(thing):
        return thing
    if callable(thing):
        return PythonFunction(thing, name=name)
    raise UserError(
        f"{name} can't be used as a model: its type is {type(thing).__name__}.\n"
        "    Give a function that takes a list of (premise, hypothesis) pairs, or one premise and one hypothesis, "
        "or an object with a `predict` method."
    )


def _answers(thing: object) -> TypeGuard[Model | Learner | Adapter]:
    """True if something is a model by itself."""
    kinds: tuple[Any, ...] = (Model, Learner, Adapter, TextModel, SentenceModel, Endpoint)
    return any(offers(thing, kind) for kind in kinds)
