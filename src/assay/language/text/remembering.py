"""Caching what was found in texts: many short ones and few long ones, so that memory is bounded."""

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LONG = 1_000
"""From this many characters on, a text is long; nearly all sentence pairs have fewer."""
MANY, FEW = 4096, 64
"""How many short texts are cached, because premises repeat three times or more, and how many long ones."""


class Remembered(Generic[P, T]):
    """A function of a text, and maybe more arguments, that caches its latest results.

    >>> split = Remembered(str.split)
    >>> split("It rains.") is split("It rains.")
    True
    """

    def __init__(self, function: Callable[Concatenate[str, P], T]) -> None:
        self._short = lru_cache(maxsize=MANY)(function)
        self._long = lru_cache(maxsize=FEW)(function)
        update_wrapper(self, function)

    def __call__(self, text: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The result, computed now or cached."""
        return (self._short if len(text) < LONG else self._long)(text, *args, **kwargs)  # type: ignore[arg-type]

    def cache_clear(self) -> None:
        """Forget everything."""
        self._short.cache_clear()
        self._long.cache_clear()
