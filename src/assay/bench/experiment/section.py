"""A part of a plan's file, which knows where it is written: every error names the file, the line and a guess."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from assay.core.errors import BadInputError, UserError, did_you_mean
from assay.core.guard.yaml_file import Marked

T = TypeVar("T")


class Section:
    """A mapping of the file."""

    def __init__(self, path: Path, marked: Marked, name: str) -> None:
        self.path = path
        self.name = name
        self.line = marked.line
        self._own: dict[str, Marked] = marked.value if isinstance(marked.value, dict) else {}
        if not isinstance(marked.value, dict) and marked.value:
            self.fail(f"{name} must be a mapping: NAME: VALUE")

    def __contains__(self, key: str) -> bool:
        return key in self._own

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def known(self, *names: str) -> "Section":
        """Refuse keys that mean nothing here."""
        for key in self._own:
            self.one_of(key, names, "key", at=key)
        return self

    def one_of(self, name: str, names: Iterable[str], what: str, *, at: str = "") -> None:
        """Refuse a name that is not among the known ones."""
        there = list(names)
        if name not in there:
            guess = did_you_mean(name, there)
            self.fail(f"no {what} {name!r} in {self.name}{guess}", at=at, hint=f"There are {', '.join(there)}.")

    def text(self, key: str, default: str | None = None) -> str:
        """A value."""
        found = self._own.get(key)
        if found is None:
            if default is None:
                self.fail(f"{self.name} needs {key!r}")
            return default
        if not isinstance(found.value, str):
            self.fail(f"{key} must be one value", at=key)
        return found.value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of values; a single value is a list of one."""
        found = self._own.get(key)
        if found is None or found.value == "":
            return ()
        plain = found.plain if isinstance(found.value, list) else [found.plain]
        if not all(isinstance(each, str) for each in plain):
            self.fail(f"{key} must be a list of values", at=key)
        return tuple(plain)

    def count(self, key: str) -> int | None:
        """A number, 1 or more; None if there is none, or if it says `all`."""
        text = self.text(key, "all")
        if text == "all":
            return None
        if not text.isdecimal() or not int(text):
            self.fail(f"{key} must be a number, 1 or more, or `all`, not {text!r}", at=key)
        return int(text)

    def mapping(self, key: str) -> dict[str, str]:
        """Values by name."""
        inner = self.section(key)
        return {name: inner.text(name) for name in inner}

    def section(self, key: str) -> "Section":
        """A mapping inside; an empty one if there is none."""
        return Section(self.path, self._own.get(key) or Marked({}, self.line), key)

    def named(self, key: str) -> dict[str, "Section"]:
        """Mappings by name; a list of names stands for empty ones."""
        found = self._own.get(key)
        if found is not None and isinstance(found.value, list):
            empty = {each.plain: Marked({}, each.line) for each in found.value}
            return {str(name): Section(self.path, each, str(name)) for name, each in empty.items()}
        inner = self.section(key)
        return {name: inner.section(name) for name in inner}

    def sections(self, key: str) -> list["Section"]:
        """A list of mappings."""
        found = self._own.get(key) or Marked([], self.line)
        if not isinstance(found.value, list):
            self.fail(f"{key} must be a list", at=key)
        return [Section(self.path, each, f"{key}, number {number}") for number, each in enumerate(found.value, 1)]

    def plain(self) -> dict[str, Any]:
        """Everything in it, without lines."""
        return {name: each.plain for name, each in self._own.items()}

    def checked(self, action: Callable[[], T], *, at: str = "") -> T:
        """What the action returns; a user's error names the file and the line."""
        try:
            return action()
        except BadInputError:
            raise
        except UserError as error:
            fact, _, rest = str(error).partition("\n")
            self.fail(fact, at=at, hint=rest.strip())

    def fail(self, fact: str, *, at: str = "", hint: str = "") -> NoReturn:
        """Stop, and say where."""
        line = self._own[at].line if at in self._own else self.line
        raise BadInputError(fact, where=f"{self.path}:{line}", hint=hint)
