"""What callers pass, checked and in one form."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from assay.core.errors import UserError
from assay.core.fetching import local

T = TypeVar("T", bound=str)

COLLAPSES = ("argmax", "sum")

Pairs = str | Path | Iterable[Any]
"""What can be passed as a corpus: a file, a name, a table such as a DataFrame, or pairs."""


def known(value: T, values: Sequence[str], what: str) -> T:
    """The value of the argument `what`, if it is one of those that are known."""
    if value not in values:
        raise UserError(f"{what} must be {', '.join(map(repr, values[:-1]))} or {values[-1]!r}, not {value!r}.")
    return value


def names_of(given: str | Sequence[str]) -> list[str]:
    """One name or several, as a list."""
    return [given] if isinstance(given, str) else list(given)


def is_suite(source: str | Path) -> bool:
    """Whether this is the folder of a suite, not a corpus."""
    return (local(source) / "manifest.json").is_file()
