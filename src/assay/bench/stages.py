"""How long tasks report progress: a stage starts with a name and a size, then counts what is done."""

from collections.abc import Callable

Progress = Callable[[int], None]
"""Called with the number of records finished since the last call."""

Stage = Callable[[str, int | None], Progress]
"""Called when a part of the work starts, with its name and size; returns the function that reports progress."""


def quiet(_name: str, _total: int | None) -> Progress:
    """A stage that shows nothing."""
    return lambda _: None
