"""WordNet and the tagger as stored on this machine, and data that a recipe can only name."""

import gc
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import BadInputError, ExternalError, UserError
from assay.language.resources.shipped import load_shipped
from assay.language.resources.wordnet_database import WordNet, WordNetData
from assay.storage.files import write_errors, write_whole

START, END = ("-START-", "-START2-"), ("-END-", "-END2-")
"""Placeholders for missing words before and after; the first two are also used as tags."""

WORD_FEATURES = {
    -2: ("i-2 word",),
    -1: ("i-1 word", "i-1 suffix"),
    0: ("i word", "i suffix", "i pref1"),
    1: ("i+1 word", "i+1 suffix"),
    2: ("i+2 word",),
}
"""Features of a word at a distance from the one that is tagged; they do not depend on tags."""

Vector = NDArray[np.float64]
REMEMBERED = 1 << 14
"""Maximum number of words whose vectors are stored per position, about 7 MB: there is no end of rare words."""


class TaggerData(msgspec.Struct, frozen=True):
    """The weights and tags of a trained tagger, as stored."""

    classes: list[str]
    certain: dict[str, str]
    """Words with only one tag."""
    weights: dict[str, dict[str, float]]
    variant: str


class Tagger:
    """Tags sentences; the summed weights of each word's features are cached."""

    def __init__(self, data: TaggerData, *, digest: str = "") -> None:
        # In a tie, the last tag in the alphabet wins, as when the model was trained; argmax takes the first.
        self.tags = sorted(data.classes, reverse=True)
        self._position = {tag: i for i, tag in enumerate(self.tags)}
        self.variant = data.variant
        self.digest = digest
        """The SHA-256 of the file that it was read from."""
        self._certain = data.certain
        self._weights = data.weights
        self._nothing = np.zeros(len(self.tags))
        self._bias = self.vector("bias")
        self._histories: dict[tuple[str, str], Vector] = {}
        tags = {*self.tags, *data.certain.values(), START[0]}
        self._behind = {tag: _Vectors(self, partial(_features_behind, tag)) for tag in tags}
        self._words = {distance: _Vectors(self, partial(_features_at, distance)) for distance in WORD_FEATURES}

    def tag(self, words: Sequence[str]) -> list[str]:
        """One tag for each word of a sentence."""
        context = [*START, *map(_normalise_word, words), *END]
        before2, before, own, after, after2 = self._words.values()
        tags: list[str] = []
        previous, previous2 = START
        for i, word in enumerate(words):
            tag = self._certain.get(word)
            if tag is None:
                scores = self._history(previous, previous2) + self._behind[previous][context[i + 2]]  # (tags,)
                scores += before2[context[i]]
                scores += before[context[i + 1]]
                scores += own[word]
                scores += after[context[i + 3]]
                scores += after2[context[i + 4]]
                tag = self.tags[scores.argmax()]
            tags.append(tag)
            previous2, previous = previous, tag
        return tags

    def vector(self, *features: str) -> Vector:
        """The summed weights of features for each tag; most rare words share the zero vector."""
        known = [weights for feature in features if (weights := self._weights.get(feature))]
        if not known:
            return self._nothing
        summed = [0.0] * len(self.tags)
        for weights in known:
            for tag, weight in weights.items():
                summed[self._position[tag]] += weight
        return np.array(summed)

    def _history(self, previous: str, previous2: str) -> Vector:
        """The weights of the two previous tags, plus the bias."""
        vector = self._histories.get((previous, previous2))
        if vector is None:
            features = (f"i-1 tag {previous}", f"i-2 tag {previous2}", f"i tag+i-2 tag {previous} {previous2}")
            vector = self._histories[previous, previous2] = self._bias + self.vector(*features)
        return vector


class _Vectors(dict[str, Vector]):
    """The vectors of words at one position."""

    def __init__(self, tagger: Tagger, features: Callable[[str], Iterable[str]]) -> None:
        self._tagger, self._features = tagger, features

    def __missing__(self, word: str) -> Vector:
        if len(self) >= REMEMBERED:
            self.clear()  # common words come back at once
        vector = self[word] = self._tagger.vector(*self._features(word))
        return vector


def _features_at(distance: int, word: str) -> Iterable[str]:
    """The features that a word contributes to the tag of the word `distance` away."""
    return (f"{name} {_word_part(name, word)}" for name in WORD_FEATURES[distance])


def _features_behind(tag: str, word: str) -> Iterable[str]:
    """The feature that combines the previous tag with the current word."""
    return (f"i-1 tag+i word {tag} {word}",)


def _word_part(name: str, word: str) -> str:
    """The part of a word that a feature uses: its suffix, its prefix, or the whole normalised word."""
    if name.endswith("suffix"):
        return word[-3:]
    if name == "i pref1":
        return word[:1]
    return _normalise_word(word) if name == "i word" else word


def _normalise_word(word: str) -> str:
    if "-" in word and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    if word and word[0].isdigit():
        return "!DIGITS"
    return word.lower()


T = TypeVar("T")

LAYOUT = "english-1"
"""The folder of the stored resources; a new format gets a new name."""


def resource_folder() -> Path:
    """The folder of stored resources: $ASSAY_DATA, or the user's cache."""
    if own := os.environ.get("ASSAY_DATA"):
        return Path(own) / LAYOUT
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / LAYOUT


@cache
def wordnet() -> WordNet:
    """WordNet, loaded once per process."""
    data, digest = load_resource("wordnet", WordNetData)
    return WordNet(data, digest=digest)


@cache
def tagger() -> Tagger:
    """The part-of-speech tagger, loaded once per process."""
    data, digest = load_resource("tagger", TaggerData)
    return Tagger(data, digest=digest)


def resource_edition(name: str) -> str:
    """Load a resource, and return its edition."""
    digest = wordnet().digest if name == "wordnet" else tagger().digest
    variant = wordnet().data.variant if name == "wordnet" else tagger().variant
    return f"{variant}, SHA-256 {digest[:16]}"


def resource_fingerprint(name: str) -> str:
    """A text that changes with the edition of a resource, without loading it."""
    return load_resource_file(name)[1]


def load_resource_file(name: str) -> tuple[bytes, str]:
    """The stored bytes of a resource, and their digest; unpacked from the package on first use."""
    path = path_of(name)
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        data = load_shipped(name)
        with suppress(ExternalError):  # a folder that can't be written to only costs time
            store_resource(name, data)
        return data, sha256(data).hexdigest()
    brought, found = digest_path(name), sha256(data).hexdigest()
    if brought.is_file() and brought.read_text() != found:
        raise BadInputError(
            "damaged: it has been changed since it was stored (SHA-256)",
            where=str(path),
            hint="Delete it: it is unpacked again when it is needed.",
        )
    return data, found


def store_resource(name: str, data: bytes) -> Path:
    """Store a resource, with a digest that shows later damage; returns its path."""
    with write_errors(digest_path(name)):
        digest_path(name).unlink(missing_ok=True)  # never that of another file, even if this is interrupted here
    write_whole(path_of(name), data)
    write_whole(digest_path(name), sha256(data).hexdigest().encode())
    return path_of(name)


def path_of(name: str) -> Path:
    """The file of a stored resource."""
    return resource_folder() / f"{name}.msgpack"


def digest_path(name: str) -> Path:
    """The file with the original SHA-256 of a resource."""
    return resource_folder() / f"{name}.sha256"


def load_resource(name: str, kind: type[T]) -> tuple[T, str]:
    """A resource, read from disk, and its digest."""
    data, digest = load_resource_file(name)
    try:
        with without_gc():
            return msgspec.msgpack.decode(data, type=kind), digest
    except msgspec.DecodeError as error:
        raise BadInputError(
            f"damaged: {error}", where=str(path_of(name)), hint="Delete it: it is unpacked again when it is needed."
        ) from error


@contextmanager
def without_gc() -> Iterator[None]:
    """Pause garbage collection: hundreds of thousands of new objects would trigger it again and again in vain."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def store_value(folder: str, value: object) -> str:
    """Store a value, such as counts of words; returns the name under which `load_stored` finds it."""
    data = msgspec.msgpack.encode(value, order="sorted")
    name = hashlib.sha256(data).hexdigest()[:16]
    write_whole(_value_path(folder, name), data)
    return name


def load_stored(folder: str, name: str, kind: type[T], hint: str) -> T:
    """A value that was stored on this machine; `hint` says how to get it if it is missing."""
    try:
        return msgspec.msgpack.decode(_value_path(folder, name).read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.DecodeError) as error:
        raise UserError(f"No {folder} called {name} on this machine.\n  {hint}") from error


def _value_path(folder: str, name: str) -> Path:
    return resource_folder().parent / folder / f"{name}.msgpack"
