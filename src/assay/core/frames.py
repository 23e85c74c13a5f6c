"""A suite's cases as columns, for the data frames that others make of them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.core.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.core.case import Case

FIELDS = ("id", "premise", "hypothesis", "label", "family", "variant", "origin", "root", "expects")
"""The columns of every suite; its groups have one each, called `group.NAME`."""


def columns(cases: "Iterable[Case]") -> dict[str, list[str | None]]:
    """Each field, and each group, as a list of text; None where a case is not in a group.

    >>> list(columns([]))
    ['id', 'premise', 'hypothesis', 'label', 'family', 'variant', 'origin', 'root', 'expects']
    """
    found: dict[str, list[str | None]] = {name: [] for name in FIELDS}
    groups: dict[str, list[str | None]] = {}
    count = 0
    for case in cases:
        for name in FIELDS:
            found[name].append(case.label.value if name == "label" else getattr(case, name))
        for name, value in case.group.items():
            column = groups.setdefault(f"group.{name}", [])
            column += [None] * (count - len(column))
            column.append(value)
        count += 1
    for column in groups.values():
        column += [None] * (count - len(column))
    return found | groups


def library(name: str, *, extra: str, needed_for: str) -> Any:
    """An optional library, imported now; where it is not installed, the error names the extra that brings it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(extra, needed_for=needed_for) from error
