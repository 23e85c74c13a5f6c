"""The page of public names, each with what its docstring says of it."""

import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

import assay
from assay import _HOMES
from assay.core import errors, protocols

HOOKS = protocols.__name__
WIDTH = 100
SIMPLE = (str, int, float, bool, type(None))
SPECIAL = ("__call__", "__iter__")
ALIASES = {
    "Fidelity": "What a family follows: `strict`, `paper` or `code`.",
    "Record": "What a format may find in a row: a `Pair`, `Problem`, `LabelledText` or `WordVector`.",
}
"""Names of types, which can have no docstring."""


def page() -> str:
    """Functions, data, hooks and errors."""
    return "\n".join(
        [
            "# Public names\n\n[Python](python.md) shows how they are used together.\n",
            "## Functions\n",
            *_functions(),
            "## Data\n",
            _table(name for name in _classes() if _HOMES[name] != HOOKS and not _is_error(name)),
            "## What your own code can implement\n",
            _table((name for name in _classes() if _HOMES[name] == HOOKS), members=True),
            "## Errors\n",
            f"```text\n{_tree()}\n```\n",
        ]
    )


def _functions() -> Iterator[str]:
    for name in assay.__all__:
        thing = getattr(assay, name)
        if inspect.isfunction(thing):
            yield f"### `assay.{name}`\n\n```text\n{_call(name, thing)}\n```\n\n{_prose(thing)}\n"


def _classes() -> Iterator[str]:
    return (name for name in _HOMES if not inspect.isfunction(getattr(assay, name)) and name != "registry")


def _is_error(name: str) -> bool:
    return _HOMES[name] == errors.__name__


def _table(names: Iterator[str], *, members: bool = False) -> str:
    head = ["name", "what it is", *(["what it has"] if members else [])]
    rows = [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    for name in names:
        thing = getattr(assay, name)
        cells = [f"`assay.{name}`", ALIASES.get(name) or _prose(thing).partition("\n")[0]]
        rows.append(f"| {' | '.join([*cells, _members(thing)] if members else cells)} |")
    return "\n".join([*rows, ""])


def _members(kind: Any) -> str:
    """The attributes and methods of a protocol, or the fields of what goes through it."""
    if not getattr(kind, "_is_protocol", False):
        return ", ".join(f"`{name}`" for name in getattr(kind, "__struct_fields__", getattr(kind, "_fields", ())))
    found = []
    for name, member in vars(kind).items():
        if name in SPECIAL or (inspect.isfunction(member) and not name.startswith("_")):
            asked = ", ".join([*inspect.signature(member).parameters][1:])
            found.append(f"`{name}({asked})`")
        elif isinstance(member, property):
            found.append(f"`{name}`")
    return ", ".join([*(f"`{name}`" for name in vars(kind).get("__annotations__", {})), *found])


def _tree() -> str:
    return inspect.cleandoc((errors.__doc__ or "").partition("\n\n")[2].rpartition("\n\n")[0])


def _call(name: str, function: Any) -> str:
    """How a function is called, with its defaults."""
    parameters = [
        each.replace(
            annotation=inspect.Parameter.empty,
            default=each.default if isinstance(each.default, (*SIMPLE, type(inspect.Parameter.empty))) else ...,
        )
        for each in inspect.signature(function).parameters.values()
    ]
    call = f"assay.{name}{inspect.Signature(parameters)}".replace("=Ellipsis", "=...")
    return "\n".join(textwrap.wrap(call, WIDTH, subsequent_indent="    ", break_long_words=False))


def _prose(thing: Any) -> str:
    """A docstring up to its examples."""
    return inspect.cleandoc((thing.__doc__ or "").partition(">>>")[0]).strip()
