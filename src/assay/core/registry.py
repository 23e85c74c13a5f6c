"""Names for what can be plugged in, aliases of models, and options given as text."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from types import SimpleNamespace
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin, overload

import msgspec

from assay.core.errors import NameCollisionError, UnknownNameError, UserError, did_you_mean
from assay.core.protocols import Adapter, Format, LogFormat, Model, ReportFormat, SuiteWriter, Transform

T = TypeVar("T")
Thing = TypeVar("Thing")

NAME = re.compile(r"(?P<base>[a-z0-9]+(?:-[a-z0-9]+)*)/v(?P<version>[0-9]+)")
IN_PROCESS = "this process"  # the source of what no package declares


class EntryTarget(NamedTuple):
    path: str
    source: str


class Registry(Generic[T]):
    """Versioned names of one kind of thing.

    >>> shapes: Registry[Any] = Registry("shape", group="assay.doctest")
    >>> shapes.register("circle/v1", "math:pi")
    >>> shapes.register("circle/v2", "math:tau")
    >>> shapes.resolve("circle")
    'circle/v2'
    >>> shapes.get("circle/v1")
    3.141592653589793
    >>> shapes.get("cirle")
    Traceback (most recent call last):
    ...
    assay.core.errors.UnknownNameError: No shape 'cirle'; did you mean 'circle'? See `assay list shapes`.
    """

    def __init__(self, kind: str, *, group: str) -> None:
        self.kind = kind
        self.kinds = f"{kind.removesuffix('y')}ies" if kind.endswith("y") else f"{kind}s"
        self.group = group
        self._own: dict[str, EntryTarget] = {}
        self._objects: dict[str, T] = {}

    @overload
    def register(self, name: str) -> Callable[[Thing], Thing]: ...

    @overload
    def register(self, name: str, target: str) -> None: ...

    def register(self, name: str, target: str | None = None) -> Callable[[Thing], Thing] | None:
        """Give a name to a lazy `module:attribute`, or, as a decorator, to an object of this process."""
        if target is not None:
            self._claim(self._own, name, EntryTarget(target, IN_PROCESS))
            return None

        def claim(thing: Any) -> Any:
            module, attribute = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", repr(thing))
            self._claim(self._own, name, EntryTarget(f"{module}:{attribute}", IN_PROCESS))
            self._objects[name] = thing
            return thing

        return claim

    def names(self) -> list[str]:
        """All versioned names, sorted."""
        return sorted(self._targets())

    def newest(self) -> list[str]:
        """The newest version of each, in the order in which they were declared."""
        return list(dict.fromkeys(self.resolve(name.partition("/")[0]) for name in self._targets()))

    def target(self, name: str) -> EntryTarget:
        """The origin of the object with this name."""
        return self._targets()[self.resolve(name)]

    def resolve(self, name: str) -> str:
        """The versioned name: a name without a version means the newest."""
        known = self._targets()
        if name in known:
            return name
        versions = [match for key in known if (match := NAME.fullmatch(key)) and match["base"] == name]
        if versions:
            return max(versions, key=lambda match: int(match["version"])).string
        bases = {key.partition("/")[0] for key in known}
        guess = did_you_mean(name, bases | set(known))
        raise UnknownNameError(f"No {self.kind} {name!r}{guess} See `assay list {self.kinds}`.")

    def get(self, name: str) -> T:
        """The thing itself, imported now if it was not already."""
        name = self.resolve(name)
        if name not in self._objects:
            target = self._targets()[name]
            module, _, attribute = target.path.partition(":")
            try:
                thing: Any = import_module(module)
                for part in attribute.split("."):
                    thing = getattr(thing, part)
            except Exception as error:  # a third-party module may fail in any way
                raise UserError(
                    f"The {self.kind} {name!r} of {target.source} can't be loaded from {target.path!r}: {error}\n"
                    f"  Fix or uninstall {target.source}."
                ) from error
            self._objects[name] = thing
        return self._objects[name]

    def _targets(self) -> dict[str, EntryTarget]:
        return {**self._installed, **self._own} if self._own else self._installed

    @cached_property
    def _installed(self) -> dict[str, EntryTarget]:
        found: dict[str, EntryTarget] = {}
        for entry in entry_points(group=self.group):
            source = entry.dist.name if entry.dist else "an unnamed package"
            target = EntryTarget(entry.value, source)
            if found.get(entry.name) != target:  # an editable install can be listed twice
                self._claim(found, entry.name, target)
        return found

    def _claim(self, names: dict[str, EntryTarget], name: str, target: EntryTarget) -> None:
        if not NAME.fullmatch(name):
            raise UserError(f"{target.source} registers the {self.kind} {name!r}: a name looks like 'my-test/v1'.")
        taken = names.get(name) or (self._installed.get(name) if names is self._own else None)
        if taken and taken != target:
            raise NameCollisionError(
                f"Two {self.kinds} are called {name!r}: {taken.path} of {taken.source} and {target.path} of "
                f"{target.source}.\n  Rename one, or raise its version."
            )
        names[name] = target


transforms: Registry[type[Transform]] = Registry("family", group="assay.transforms")
models: Registry[type[Model]] = Registry("model", group="assay.models")
formats: Registry[type[Format]] = Registry("format", group="assay.formats")
logs: Registry[type[LogFormat]] = Registry("log format", group="assay.logs")
report_formats: Registry[type[ReportFormat]] = Registry("report format", group="assay.reports")
exports: Registry[SuiteWriter] = Registry("export format", group="assay.exports")
adapters: Registry[type[Adapter]] = Registry("kind of model", group="assay.adapters")
systems: Registry[type[Any]] = Registry("system", group="assay.systems")

LONGEST = 40  # maximum number of characters of an alias, so that tables stay narrow
ALIAS = re.compile(rf"(?P<alias>[A-Za-z0-9][A-Za-z0-9_.-]{{0,{LONGEST - 1}}})=(?P<model>[a-z]+:.+)", re.DOTALL)
RULE = f"An alias has up to {LONGEST} letters, digits, dots, - and _, and begins with a letter or digit."

LABEL_OPTIONS = re.compile(r"(?<=[?&])(?:labels|names)=[^&?]*(?:&|$)")


class Aliased(NamedTuple):
    """A model's name, with the short one that the user gave it."""

    alias: str
    model: str


def split_alias(name: str) -> Aliased:
    """The parts of a model's name.

    >>> split_alias("judge=openai:m@http://localhost/v1"), split_alias("assay:overlap")
    (Aliased(alias='judge', model='openai:m@http://localhost/v1'), Aliased(alias='', model='assay:overlap'))
    """
    found = ALIAS.fullmatch(name)
    return Aliased(found["alias"], found["model"]) if found else Aliased("", name)


def called(name: str) -> str:
    """The name of a model from run to run: its alias, whatever that stands for, or else its name.

    >>> called("checker=python:checker:v3"), called("python:checker:v3")
    ('checker', 'python:checker:v3')
    """
    return split_alias(name).alias or name


def without_labels(name: str) -> str:
    """A model's name without the options that say what its labels are called, which are too long for a table.

    >>> without_labels("hf:mine?labels=entailment,neutral"), without_labels("hf:mine?labels=e,n,c&length=64")
    ('hf:mine', 'hf:mine?length=64')
    """
    return LABEL_OPTIONS.sub("", name).rstrip("?&")


YES_NO = {"yes": "true", "no": "false"}
THREE_WAY = "--three-way"  # the flag that says the opposite of `--two-way`
_speaking = SimpleNamespace(to_shell=False)


def convert_option(value: Any, kind: Any, named: str, *, written: str | None = None) -> Any:
    """The value of an option of some type; if the value does not fit the type, an error that begins with `named`.

    `written` is how the user wrote the value, if it was read before.

    >>> convert_option("yes", bool, "resume"), convert_option("3", int, "workers")
    (True, 3)
    """
    try:
        return msgspec.convert(YES_NO.get(value, value) if _is_flag(kind) else value, kind, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"{named} {_misfit(value if written is None else written, kind, error)}") from error


def _misfit(value: Any, kind: Any, error: msgspec.ValidationError) -> str:
    """The reason why a value doesn't fit an option's type, as the end of a sentence that begins with the option.

    >>> from typing import Annotated
    >>> def told(value, kind):
    ...     try:
    ...         convert_option(value, kind, "It")
    ...     except UserError as error:
    ...         print(str(error).removeprefix("It "))
    >>> told("lfet", Literal["left", "right"] | None)
    can't be 'lfet'; did you mean 'left'? Choose one of left, right.
    >>> told("1.5", Annotated[float, msgspec.Meta(le=1)])
    can't be '1.5': expected float <= 1.0.
    >>> told("maybe", bool | None)
    can't be 'maybe'. Say yes or no.
    """
    if _is_flag(kind):
        return f"can't be {value!r}. Say yes or no."
    literals = [each for each in (kind, *get_args(kind)) if get_origin(each) is Literal]
    if there := [str(known) for each in literals for known in get_args(each)]:
        return f"can't be {value!r}{did_you_mean(str(value), there)} Choose one of {', '.join(there)}."
    why = str(error).partition(" - at `$")[0].replace("`", "")
    return f"can't be {value!r}: {why[:1].lower()}{why[1:]}."


def _is_flag(kind: Any) -> bool:
    return bool in (kind, *get_args(kind))


@contextmanager
def shell_wording() -> Iterator[None]:
    """Name options as the command line takes them, for the duration of the block."""
    before, _speaking.to_shell = _speaking.to_shell, True
    try:
        yield
    finally:
        _speaking.to_shell = before


def label_option(is_binary: bool) -> str:
    """The option for judging by two labels, or by three, as a user would write it."""
    return option("two_way", is_binary)


UNDER_SET = frozenset({"against", "collapse", "truncate"})  # options that the command line takes as `--set NAME=VALUE`


def option(name: str, value: str | bool | None = None) -> str:
    """An option as the user gives it: an argument in Python, a flag with its value on the command line.

    >>> option("missing", "drop"), option("two_way", True), option("budget")
    ("missing='drop'", 'two_way=True', 'budget')
    >>> with shell_wording():
    ...     option("missing", "drop"), option("two_way", True), option("two_way", False), option("cache", False)
    ('--missing drop', '--two-way', '--three-way', '--no-cache')
    >>> with shell_wording():
    ...     option("truncate", "premise")
    '--set truncate=premise'
    """
    if not _speaking.to_shell:
        return name if value is None else f"{name}={value!r}"
    if name in UNDER_SET:
        return f"--set {name}={value}"
    words = name.replace("_", "-")
    if value is False:
        return THREE_WAY if name == "two_way" else f"--no-{words}"
    return f"--{words}" if value is None or value is True else f"--{words} {value}"
