"""What is asked together: batches that depend only on the cases, never on what is left to do."""

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from assay.core.protocols import Texts

T = TypeVar("T")

WINDOW = 16_384
"""How many distinct pairs are sorted together: enough for batches of equal length, and all that is in memory."""


def key_of(*texts: str) -> bytes:
    """A short name for texts.

    >>> key_of("a", "bc") == key_of("ab", "c")
    False
    """
    hashed = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode()
        hashed.update(b"%d:" % len(data))
        hashed.update(data)
    return hashed.digest()


def pair_key(pair: Texts) -> bytes:
    """A short name for a pair of texts."""
    return key_of(*pair)


def ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items, each made in another thread while the previous one is in use.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    with ThreadPoolExecutor(1) as pool:
        step = pool.submit(lambda: list(islice(items, 1)))
        while found := step.result():
            step = pool.submit(lambda: list(islice(items, 1)))
            yield found[0]
