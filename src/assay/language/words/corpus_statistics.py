"""Word counts and word vectors, stored once and mapped into memory."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import UserError
from assay.language.resources.installed import load_stored, resource_folder, store_value
from assay.language.text.tokens import tokens
from assay.storage.files import folder_aside


class WordCounts(msgspec.Struct, frozen=True):
    """Words and pairs of neighbours in lower case, with their counts.

    >>> counts = count_words(["A dog runs.", "A dog barks."])
    >>> counts.words["dog"], counts.bigrams["a dog"], counts.bigrams.get("dog sleeps", 0)
    (2, 2, 0)
    """

    words: dict[str, int]
    """Counts of words; empty if only pairs are known."""
    bigrams: dict[str, int]
    """Counts of pairs, the two words separated by a blank."""


def count_words(texts: Iterable[str]) -> WordCounts:
    """The word and bigram counts of the texts."""
    words: Counter[str] = Counter()
    bigrams: Counter[str] = Counter()
    for text in texts:
        low = [token.text.lower() for token in tokens(text)]
        words.update(low)
        bigrams.update(f"{one} {other}" for one, other in pairwise(low))
    return WordCounts(dict(words), dict(bigrams))


def store_counts(counts: WordCounts) -> str:
    """Store counts for later builds; returns the name under which `load_counts` finds them."""
    return store_value("counts", counts)


@cache
def load_counts(name: str) -> WordCounts:
    """Counts that were stored on this machine; loaded once per process."""
    return load_stored("counts", name, WordCounts, "Give the corpus or file that they come from again.")


class WordSimilarities:
    """Looks up how similar two words are."""

    def __init__(self, words: list[str], unit: NDArray[np.float32]) -> None:
        self._place = {word: i for i, word in enumerate(words)}
        self._unit = unit  # (words, dimensions), each of length one

    def __contains__(self, word: str) -> bool:
        return word in self._place

    def cosine(self, one: str, other: str) -> float | None:
        """The cosine of two words' vectors; None if one of them has none."""
        i, j = self._place.get(one), self._place.get(other)
        return None if i is None or j is None else float(self._unit[i] @ self._unit[j])


def folder_of(name: str) -> Path:
    """The path of a file's stored vectors; the name is the file's digest."""
    return resource_folder().parent / "vectors" / name


def store_vectors(name: str, vectors: Iterable[tuple[str, tuple[float, ...]]]) -> None:
    """Store vectors for later builds."""
    words, rows = [], []
    for word, values in vectors:
        words.append(word)
        rows.append(np.asarray(values, dtype=np.float32))
    unit = np.stack(rows)
    finite = np.isfinite(unit).all(axis=1)
    if not finite.all():
        raise UserError(f"The vector of {words[int(finite.argmin())]!r} contains something that is not a number.")
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-12)
    with folder_aside(folder_of(name)) as folder:
        np.save(folder / "unit.npy", unit)
        (folder / "words.msgpack").write_bytes(msgspec.msgpack.encode(words))


@cache
def load_vectors(name: str) -> WordSimilarities:
    """Vectors that were stored on this machine; loaded once per process.

    >>> load_vectors("nothing")
    Traceback (most recent call last):
    assay.core.errors.UserError: The vectors nothing are not on this machine.
      Give the file that they come from again, with --vectors.
    """
    folder = folder_of(name)
    if not folder.is_dir():
        raise UserError(
            f"The vectors {name} are not on this machine.\n  Give the file that they come from again, with --vectors."
        )
    words = msgspec.msgpack.decode((folder / "words.msgpack").read_bytes(), type=list[str])
    return WordSimilarities(words, np.load(folder / "unit.npy", mmap_mode="r"))
