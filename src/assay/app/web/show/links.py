"""Addresses of pages, made from what they are about."""

from collections.abc import Iterable, Mapping
from urllib.parse import quote, urlencode


def run_link(run: str) -> str:
    """The page of a run."""
    return f"/runs/{quote(run, safe='')}"


def cases_link(run: str, **where: str) -> str:
    """The cases of a run that a filter lets through; empty values filter nothing.

    >>> cases_link("a b", family="negation", label="")
    '/runs/a%20b/cases?family=negation'
    """
    given = {name: value for name, value in where.items() if value}
    return f"{run_link(run)}/cases" + (f"?{urlencode(given)}" if given else "")


def slice_link(run: str, where: Mapping[str, str], *, show: str = "wrong") -> str:
    """The cases behind a figure, by its slice: those that the model gets wrong."""
    groups = {name: value for name, value in where.items() if name not in ("model", "suite", "family", "label")}
    known = {name: value for name, value in where.items() if name not in groups}
    return cases_link(run, **known, **{f"group.{name}": value for name, value in groups.items()}, show=show)


def compare_link(one: str, other: str) -> str:
    """Two models side by side, each named RUN/MODEL."""
    return f"/compare?{urlencode([('of', one), ('of', other)])}"


def task_link(task: str) -> str:
    """The owner's page of an annotation task."""
    return f"/annotate/task/{quote(task)}"


def changed(path: str, query: Iterable[tuple[str, str]], **changes: str | None) -> str:
    """The same address with some parts of its query changed; None removes a part, and so does any change the page.

    >>> changed("/c", [("family", "negation"), ("page", "3")], label="neutral")
    '/c?family=negation&label=neutral'
    """
    given = dict(query)
    given.pop("page", None)
    for name, value in changes.items():
        given.pop(name, None)
        if value:
            given[name] = value
    return f"{path}?{urlencode(given)}" if given else path
