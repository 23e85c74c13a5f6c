"""Part-of-speech tags from an averaged perceptron, or from spaCy if the user names a model."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import MissingExtraError, UserError

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
"""The most words whose vectors are kept per position, some 7 MB: rare words are without end."""


class TaggerData(msgspec.Struct, frozen=True):
    """A trained tagger as it is stored."""

    classes: list[str]
    certain: dict[str, str]
    """Words with only one tag."""
    weights: dict[str, dict[str, float]]
    """Feature, tag, weight."""
    variant: str


class Tagger:
    """Tags sentences; what a word contributes is summed once and cached."""

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
    """The features of a word at a distance from the one that is tagged."""
    return (f"{name} {_word_part(name, word)}" for name in WORD_FEATURES[distance])


def _features_behind(tag: str, word: str) -> Iterable[str]:
    """The feature of the word that is tagged, after a tag."""
    return (f"i-1 tag+i word {tag} {word}",)


def _word_part(name: str, word: str) -> str:
    """The part of a word that a feature looks at: its end, its beginning, or the whole word as it is looked up."""
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


class Entity(NamedTuple):
    """A name that spaCy found."""

    label: str
    """SpaCy's name of its kind, such as GPE."""
    first: int
    end: int


class SpacyPipeline:
    """Tags our own tokens, and finds names in them, so that offsets stay ours."""

    def __init__(self, model: str) -> None:
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("spacy", needed_for="Tagging with spaCy") from error
        try:
            self._pipeline: Any = spacy.load(model)
        except OSError as error:
            raise UserError(
                f"spaCy has no model {model!r}: {error}\n  Get it with: python -m spacy download {model}"
            ) from error
        self._document: Any = spacy.tokens.Doc
        self.variant = f"spaCy {model} {self._pipeline.meta['version']}"
        assigns = {each for name, _ in self._pipeline.pipeline for each in self._pipeline.get_pipe_meta(name).assigns}
        self.has_tags = "token.tag" in assigns
        """True if the model has a tagger; if not, ours is used."""
        self.has_names = "doc.ents" in assigns
        """True if the model looks for names; if not, our own search is used."""

        self.has_parses = "token.dep" in assigns
        """True if the model has a parser; if not, ours is used."""

    def tag(self, words: Sequence[str]) -> list[str]:
        """One Penn Treebank tag for each word of a sentence."""
        return [token.tag_ for token in self._read(words)]

    def entities(self, words: Sequence[str]) -> list[Entity]:
        """The names among words, of every kind."""
        return [Entity(each.label_, each.start, each.end) for each in self._read(words).ents]

    def parts(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """The first word and the end of each word with all that depends on it."""
        return [(token.left_edge.i, token.right_edge.i + 1) for token in self._read(words)]

    def _read(self, words: Sequence[str]) -> Any:
        document = self._document(self._pipeline.vocab, words=list(words))
        for _, component in self._pipeline.pipeline:
            document = component(document)
        return document
