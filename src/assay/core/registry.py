"""Names for what can be plugged in: lazy, versioned, and the same for built-ins and users' packages.

A package adds its own through entry points; `assay.core.protocols` lists their groups and what each thing must be able
to do. A script uses a decorator, `@assay.registry.transforms.register("shout/v1")`. Nothing is imported before it is
asked for.
"""

import re
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, NamedTuple, TypeVar, overload

from assay.core.errors import NameCollisionError, UnknownNameError, UserError, did_you_mean
from assay.core.protocols import Adapter, Check, Format, Model, Transform

T = TypeVar("T")
Thing = TypeVar("Thing")

NAME = re.compile(r"(?P<base>[a-z0-9]+(?:-[a-z0-9]+)*)/v(?P<version>[0-9]+)")


IN_PROCESS = "this process"
"""The source of what no package declares."""


class Target(NamedTuple):
    """Where a registered thing is found."""

    path: str
    """`module:attribute`."""
    source: str
    """Who registered it."""


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
        self.group = group
        self._own: dict[str, Target] = {}
        self._objects: dict[str, T] = {}

    @overload
    def register(self, name: str) -> Callable[[Thing], Thing]: ...

    @overload
    def register(self, name: str, target: str) -> None: ...

    def register(self, name: str, target: str | None = None) -> Callable[[Thing], Thing] | None:
        """Give a name to a lazy `module:attribute`, or, as a decorator, to an object of this process."""
        if target is not None:
            self._claim(self._own, name, Target(target, IN_PROCESS))
            return None

        def claim(thing: Any) -> Any:
            module, attribute = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", repr(thing))
            self._claim(self._own, name, Target(f"{module}:{attribute}", IN_PROCESS))
            self._objects[name] = thing
            return thing

        return claim

    def names(self) -> list[str]:
        """All versioned names, sorted."""
        return sorted(self._targets())

    def newest(self) -> list[str]:
        """The newest version of each, in the order in which they were declared."""
        return list(dict.fromkeys(self.resolve(name.partition("/")[0]) for name in self._targets()))

    def target(self, name: str) -> Target:
        """Where the thing with this name comes from."""
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
        raise UnknownNameError(f"No {self.kind} {name!r}{guess} See `assay list {self.kind}s`.")

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

    def _targets(self) -> dict[str, Target]:
        return {**self._installed, **self._own} if self._own else self._installed

    @cached_property
    def _installed(self) -> dict[str, Target]:
        found: dict[str, Target] = {}
        for entry in entry_points(group=self.group):
            source = entry.dist.name if entry.dist else "an unnamed package"
            target = Target(entry.value, source)
            if found.get(entry.name) != target:  # an editable install can be listed twice
                self._claim(found, entry.name, target)
        return found

    def _claim(self, names: dict[str, Target], name: str, target: Target) -> None:
        if not NAME.fullmatch(name):
            raise UserError(f"{target.source} registers the {self.kind} {name!r}: a name looks like 'my-test/v1'.")
        taken = names.get(name) or (self._installed.get(name) if names is self._own else None)
        if taken and taken != target:
            raise NameCollisionError(
                f"Two {self.kind}s are called {name!r}: {taken.path} of {taken.source} and {target.path} of "
                f"{target.source}.\n  Rename one, or raise its version."
            )
        names[name] = target


transforms: Registry[type[Transform]] = Registry("transform", group="assay.transforms")
models: Registry[type[Model]] = Registry("model", group="assay.models")
formats: Registry[type[Format]] = Registry("format", group="assay.formats")
adapters: Registry[type[Adapter]] = Registry("kind of model", group="assay.adapters")
checks: Registry[type[Check]] = Registry("check", group="assay.checks")
systems: Registry[type[Any]] = Registry("system", group="assay.systems")
