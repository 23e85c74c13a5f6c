"""Part-of-speech tags from an averaged perceptron (Collins 2002), with Penn Treebank tags."""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

START, END = ("-START-", "-START2-"), ("-END-", "-END2-")
"""What stands where there is no word before or after; the first two are also the tags there."""

WORD_FEATURES = {
    -2: ("i-2 word",),
    -1: ("i-1 word", "i-1 suffix"),
    0: ("i word", "i suffix", "i pref1"),
    1: ("i+1 word", "i+1 suffix"),
    2: ("i+2 word",),
}
"""Features of a word at a distance from the one that is tagged; they do not depend on tags."""

Vector = NDArray[np.float64]
REMEMBERED = 1 << 17
"""Vectors of words that are kept at most, some 60 MB: rare words never end."""


class TaggerData(msgspec.Struct, frozen=True):
    """A trained tagger as it is stored."""

    classes: list[str]
    """The tags."""
    certain: dict[str, str]
    """Words with one tag only."""
    weights: dict[str, dict[str, float]]
    """Feature, tag, weight."""
    variant: str
    """Where it comes from."""


class Tagger:
    """Tags sentences; what a word contributes is added up once and kept."""

    def __init__(self, data: TaggerData, *, digest: str = "") -> None:
        # Of equal scores the last tag in the alphabet wins, as when the model was trained; argmax takes the first.
        self.tags = sorted(data.classes, reverse=True)
        self._position = {tag: i for i, tag in enumerate(self.tags)}
        self.variant = data.variant
        self.digest = digest
        """The SHA-256 of the file that it was read from."""
        self._certain = data.certain
        self._weights = data.weights
        self._bias = self._vector("bias")
        self._histories: dict[tuple[str, str], Vector] = {}
        self._words: dict[tuple[int | str, str], Vector] = {}  # at a distance, or behind a tag

    def tag(self, words: Sequence[str]) -> list[str]:
        """One tag a word of a sentence."""
        context = [*START, *map(_normal, words), *END]
        found: list[str] = []
        previous, previous2 = START
        for i, word in enumerate(words):
            tag = self._certain.get(word)
            if tag is None:
                scores = self._bias + self._history(previous, previous2) + self._pair(previous, context[i + 2])
                for distance in WORD_FEATURES:
                    scores = scores + self._word(distance, context[i + 2 + distance], word)
                tag = self.tags[int(scores.argmax())]
            found.append(tag)
            previous2, previous = previous, tag
        return found

    def _word(self, distance: int, normal: str, word: str) -> Vector:
        key = (distance, normal if distance else word)
        vector = self._words.get(key)
        if vector is None:
            vector = self._kept(key, *(_feature(name, normal, word) for name in WORD_FEATURES[distance]))
        return vector

    def _history(self, previous: str, previous2: str) -> Vector:
        vector = self._histories.get((previous, previous2))
        if vector is None:
            features = (f"i-1 tag {previous}", f"i-2 tag {previous2}", f"i tag+i-2 tag {previous} {previous2}")
            vector = self._histories[previous, previous2] = self._vector(*features)
        return vector

    def _pair(self, previous: str, normal: str) -> Vector:
        vector = self._words.get((previous, normal))
        if vector is None:
            vector = self._kept((previous, normal), f"i-1 tag+i word {previous} {normal}")
        return vector

    def _kept(self, key: tuple[int | str, str], *features: str) -> Vector:
        if len(self._words) >= REMEMBERED:
            self._words.clear()  # common words are back at once
        vector = self._words[key] = self._vector(*features)
        return vector

    def _vector(self, *features: str) -> Vector:
        vector = np.zeros(len(self.tags))  # (tags,)
        for feature in features:
            for tag, weight in self._weights.get(feature, {}).items():
                vector[self._position[tag]] += weight
        return vector


def _feature(name: str, normal: str, word: str) -> str:
    if name == "i suffix":
        return f"{name} {word[-3:]}"
    if name == "i pref1":
        return f"{name} {word[0] if word else ''}"
    return f"{name} {normal[-3:]}" if name.endswith("suffix") else f"{name} {normal}"


def _normal(word: str) -> str:
    if "-" in word and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    if word and word[0].isdigit():
        return "!DIGITS"
    return word.lower()
