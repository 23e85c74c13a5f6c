"""Regular expressions can't be made to take exponential time: no repetition stands in another that it overlaps with.

`tools/fuzz.py` finds patterns that are merely slow, and texts that patterns read have a largest size.
"""

import ast
import importlib
import re
import string
from collections.abc import Iterator, Sequence
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple, cast

import pytest
from tests.house import HOUSE, modules

REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT)
MANY = 10
"""A repetition up to so many times is not counted as one."""
LETTERS = frozenset(string.printable + "\u2019\u2013éß\u0663")
"""Characters that stand for all others."""


class Ends(NamedTuple):
    """What a piece of a pattern may begin with, what its end may go on with, and whether it may be empty."""

    first: frozenset[str]
    open_end: frozenset[str]
    can_be_empty: bool


def characters(op: Any, given: Any) -> frozenset[str]:
    """The characters that one item of a pattern matches."""
    part = parser.SubPattern(parser.State(), [(op, given)])
    pattern = re.compile(string_of(part), re.DOTALL)
    return frozenset(each for each in LETTERS if pattern.fullmatch(each))


def string_of(part: Any) -> str:
    """A single item as a pattern again."""
    ((op, given),) = part
    match op:
        case ops.LITERAL:
            return re.escape(chr(given))
        case ops.NOT_LITERAL:
            return f"[^{re.escape(chr(given))}]"
        case ops.ANY:
            return "."
        case ops.IN:
            inner = "".join(_member(*each) for each in given if each[0] is not ops.NEGATE)
            return f"[{'^' if given[0][0] is ops.NEGATE else ''}{inner}]"
    raise AssertionError(op)


def _member(op: Any, given: Any) -> str:
    classes = {"DIGIT": r"\d", "NOT_DIGIT": r"\D", "SPACE": r"\s", "NOT_SPACE": r"\S", "WORD": r"\w", "NOT_WORD": r"\W"}
    if op is ops.RANGE:
        return f"{re.escape(chr(given[0]))}-{re.escape(chr(given[1]))}"
    return classes[str(given).removeprefix("CATEGORY_")] if op is ops.CATEGORY else re.escape(chr(given))


def ends_of(items: Sequence[Any], found: list[str]) -> Ends:
    """The ends of a sequence; repetitions that overlap with one around them are added to what is found."""
    first: frozenset[str] = frozenset()
    open_end: frozenset[str] = frozenset()
    is_empty = True
    for op, given in items:
        each = _ends(op, given, found)
        if is_empty:
            first |= each.first
        open_end = each.open_end | (open_end if each.can_be_empty else frozenset())
        is_empty = is_empty and each.can_be_empty
    return Ends(first, open_end, is_empty)


def _ends(op: Any, given: Any, found: list[str]) -> Ends:
    nothing = frozenset[str]()
    if op in REPEATS or op is ops.POSSESSIVE_REPEAT:
        low, high, body = given
        inner = ends_of(body, found)
        if op in REPEATS and high > MANY:
            if inner.open_end & inner.first:
                found.append(f"a repetition that may go on with {''.join(sorted(inner.open_end & inner.first))[:10]!r}")
            return Ends(inner.first, inner.open_end | inner.first, low == 0 or inner.can_be_empty)
        return Ends(inner.first, nothing if op is ops.POSSESSIVE_REPEAT else inner.open_end, low == 0)
    if op is ops.SUBPATTERN:
        return ends_of(given[3], found)
    if op is ops.ATOMIC_GROUP:
        return ends_of(given, found)._replace(open_end=nothing)
    if op is ops.BRANCH:
        all_of_them = [ends_of(branch, found) for branch in given[1]]
        return Ends(
            frozenset().union(*(each.first for each in all_of_them)),
            frozenset().union(*(each.open_end for each in all_of_them)),
            any(each.can_be_empty for each in all_of_them),
        )
    if op in (ops.AT, ops.ASSERT, ops.ASSERT_NOT):
        return Ends(nothing, nothing, True)
    if op in (ops.GROUPREF, ops.GROUPREF_EXISTS):
        return Ends(LETTERS, nothing, True)
    return Ends(characters(op, given), nothing, False)


def faults(pattern: str, flags: int = 0) -> list[str]:
    found: list[str] = []
    ends_of(parser.parse(pattern, flags), found)
    return found


def patterns() -> Iterator[tuple[str, str | bytes, int]]:
    """All patterns: those that modules hold, and those that stand in calls."""
    for path in modules():
        name = ".".join(("assay", *path.relative_to(HOUSE).with_suffix("").parts)).removesuffix(".__init__")
        if path.name != "__main__.py":
            for key, value in vars(importlib.import_module(name)).items():
                for part, held in value.items() if isinstance(value, dict) else (("", value),):
                    if isinstance(held, re.Pattern):
                        yield f"{name}.{key} {part}", held.pattern, held.flags
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
                given = node.args[0]
                if isinstance(given, ast.Constant) and ast.unparse(node.func) != "re.escape":
                    yield f"{name}:{node.lineno}", cast("str | bytes", given.value), 0


def test_no_pattern_takes_exponential_time() -> None:
    found = [
        f"{name}: {fault} in {pattern!r}"
        for name, pattern, flags in patterns()
        for fault in faults(pattern if isinstance(pattern, str) else pattern.decode("latin-1"), flags & ~re.LOCALE)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("pattern", ["(a+)+b", r"(\w*\s?)*x", r"(?:\s*\w+\s*)+;", "(.*)*", r"(\d+|-\w+)*$"])
def test_a_dangerous_pattern_is_found(pattern: str) -> None:
    assert faults(pattern)


@pytest.mark.parametrize("pattern", [r"\w+(?:-\w+)*", r"(?:\s+a)+", "(?:ab*c)+", r"(\w++\W++)*"])
def test_a_harmless_pattern_is_not(pattern: str) -> None:
    assert not faults(pattern)
