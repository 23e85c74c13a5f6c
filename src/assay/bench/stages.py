"""How long work reports its progress: a stage begins with a name and a size, and then counts what is done."""

from collections.abc import Callable

Progress = Callable[[int], None]
"""Called with the number of records finished since the last call."""

Stage = Callable[[str, int | None], Progress]
"""Called when a part of the work begins, with its name and size; returns where to report what is done."""


def quiet(_name: str, _total: int | None) -> Progress:
    """A stage that shows nothing."""
    return lambda _: None
