"""Options as fields: one declaration gives the flag, the key of a configuration, the keyword argument and the help."""

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from assay.core.errors import UserError

T = TypeVar("T", bound=msgspec.Struct)
R = TypeVar("R")
C = TypeVar("C", bound=str)
SET = ""  # the flag of a field that has no flag of its own: `--set NAME=VALUE` gives it


def check_choice(value: C, choices: Sequence[str], name: str) -> C:
    """The value, if it is one of the choices that the option `name` has."""
    if value not in choices:
        *others, last = map(repr, choices)
        raise UserError(f"{name} must be {', '.join(others)} or {last}, not {value!r}.")
    return value


class OptionInfo(NamedTuple):
    """Describes a field of an options object as an option; a field without it is not an option."""

    help: str
    flag: str | None = None  # by default the field's name; `SET` if it is only given with `--set`
    group: str = ""  # the heading under which `--help-all` shows it; `--help` shows the options without a heading
    metavar: str | None = None
    default: str | None = None  # the default in words, where the field's own says too little
    at_least: float | None = None
    at_most: float | None = None
    many: bool = False
    path: Literal["", "file", "folder", "out"] = ""
    """Set if it is a path or an address: of a file or folder that exists, or of what is written."""
    completes: str = ""  # the registry whose names complete it in a shell: transforms or models


class OptionField(NamedTuple):
    name: str
    type: Any  # its type without None and without annotations
    default: Any
    option: OptionInfo

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}" if self.option.flag is None else self.option.flag

    @property
    def spelling(self) -> str:
        """The option as a user writes it."""
        return self.flag.partition("/")[0] or f"--set {self.name}"

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that it may have, if they are listed."""
        kind = get_args(self.type)[0] if get_origin(self.type) is tuple else self.type
        return get_args(kind) if get_origin(kind) is Literal else ()

    def check(self, value: Any) -> None:
        """Refuse a value that is not among the choices or out of range."""
        values = value if isinstance(value, tuple) else (value,)
        for each in values if value is not None else ():
            if self.choices:
                check_choice(each, self.choices, self.name)
            low, high = self.option.at_least, self.option.at_most
            if (low is not None and each < low) or (high is not None and each > high):
                limit = f"{low:g} or more" if high is None else f"from {low:g} to {high:g}"
                raise UserError(f"{self.name} must be {limit}, not {each!r}.")


@functools.cache
def option_fields(kind: type[msgspec.Struct]) -> tuple[OptionField, ...]:
    """The options of an options object: its own first, then those that it inherits."""
    hints = get_type_hints(kind, include_extras=True)
    defaults = {field.name: field.default for field in msgspec.structs.fields(kind)}
    names = dict.fromkeys(name for owner in kind.__mro__ for name in vars(owner).get("__annotations__", ()))
    return tuple(
        OptionField(name, _without_none(said[0]), defaults[name], said[1])
        for name in names
        if get_origin(hints[name]) is Annotated and isinstance((said := get_args(hints[name]))[1], OptionInfo)
    )


def _without_none(hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        others = [each for each in get_args(hint) if each is not type(None)]
        return others[0] if len(others) == 1 else Any
    return hint


def check_options(options: T) -> T:
    """The same options, if every value is possible."""
    for field in option_fields(type(options)):
        field.check(getattr(options, field.name))
    return options


def given_options(options: msgspec.Struct, names: Sequence[str] = ()) -> Iterator[OptionField]:
    """The options that differ from their defaults, or those among these names."""
    for field in option_fields(type(options)):
        if names and field.name not in names:
            continue
        value = getattr(options, field.name)
        if value is not None if field.default is None else value != field.default:  # a table is not compared with None
            yield field


def refuse_options(options: msgspec.Struct, names: Sequence[str], why: str) -> None:
    """Stop if an option was given that has no effect here, instead of silently ignoring it."""
    for field in given_options(options, names):
        raise UserError(f"{field.spelling} {why}.")


def set_fields(kind: type[T], switches: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The fields that `--set` names, and the remaining switches."""
    named = {field.name: field for field in option_fields(kind) if field.flag == SET}
    fields, others = {}, {}
    for key, value in switches.items():
        field = named.get(key.replace("-", "_"))
        if field is None:
            others[key] = value
        else:
            fields[field.name] = _convert_text(field, value)
            field.check(fields[field.name])
    return fields, others


def _convert_text(field: OptionField, text: str) -> Any:
    """The value of a field as `--set` writes it; several values are joined by `+`."""
    if field.type is bool:
        if text not in ("yes", "no"):
            raise UserError(f"--set {field.name} must be yes or no, not {text!r}.")
        return text == "yes"
    if get_origin(field.type) is tuple:
        return tuple(text.split("+"))
    if field.type in (int, float):
        try:
            return field.type(text)
        except ValueError as error:
            raise UserError(f"--set {field.name} must be a number, not {text!r}.") from error
    return text


def option_words(options: msgspec.Struct) -> list[str]:
    """The words that give these options on a command line.

    >>> class Example(msgspec.Struct):
    ...     models: Annotated[tuple[str, ...], OptionInfo("Models.", "--model")] = ()
    ...     limit: Annotated[int | None, OptionInfo("At most N.")] = None
    ...     cache: Annotated[bool, OptionInfo("Use no cache.", "--no-cache")] = True
    >>> option_words(Example(models=("a", "b"), limit=3, cache=False))
    ['--model', 'a', '--model', 'b', '--limit', '3', '--no-cache']
    """
    words: list[str] = []
    for field in given_options(options):
        value = getattr(options, field.name)
        if field.flag == SET:
            words += ["--set", f"{field.name}={_write_value(value)}"]
        elif isinstance(value, bool):
            on, _, off = field.flag.partition("/")
            words.append(on if value or not off else off)
        elif isinstance(value, Mapping):
            words += [field.flag, ",".join(f"{key}={each}" for key, each in value.items())]
        else:
            words += [
                word for each in (value if isinstance(value, tuple) else (value,)) for word in (field.flag, str(each))
            ]
    return words


def _write_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def takes_options(kind: type[T], *positional: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Let a function of one options object be called with its fields as keywords, and some of them by position."""

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @functools.wraps(function)
        def call(*given: Any, options: T | None = None, **keywords: Any) -> R:
            if len(given) > len(positional):
                most = len(positional)
                raise TypeError(f"{function.__name__}() takes at most {most} positional arguments, not {len(given)}")
            keywords.update(zip(positional, given, strict=False))
            own = {name: keywords.pop(name) for name in kind.__struct_fields__ if name in keywords}
            made = kind(**own) if options is None else msgspec.structs.replace(options, **own)
            return function(check_options(made), **keywords)

        call.__signature__ = _build_signature(function, kind, positional)  # type: ignore[attr-defined]
        return call

    return decorate


def _build_signature(function: Callable[..., Any], kind: type[T], positional: Sequence[str]) -> inspect.Signature:
    """The signature that help shows: the options as keywords, then what the function takes besides them."""
    own = inspect.signature(function)
    _, *others = own.parameters.values()
    fields = {
        field.name: inspect.Parameter(
            field.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD if field.name in positional else inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.required else field.default,
        )
        for field in msgspec.structs.fields(kind)
    }
    first = [fields.pop(name) for name in positional]
    return own.replace(parameters=[*first, *fields.values(), *others])
