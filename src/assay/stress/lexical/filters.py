"""What a replacement must pass where the user gives sources: a known word, a near antonym, and no odd neighbours."""

from collections.abc import Sequence
from typing import NamedTuple

from assay.core.edit import Skip
from assay.language.resources.data import word_list
from assay.language.text.analysis import Tagged
from assay.language.text.tokens import tokens as split
from assay.language.words.frequencies import Counts
from assay.language.words.vectors import Vectors

UNKNOWN = Skip("the new word is unknown to the training corpus")
NO_VECTOR = Skip("the new word has no vector")
NOT_NEAR = Skip("the antonyms' vectors are not near enough")
ODD = Skip("the new word makes a rare bigram")


class Sources(NamedTuple):
    """What the user gave, and how strict to be."""

    train: Counts | None
    vectors: Vectors | None
    bigrams: Counts | None
    cosine: float
    least: int

    def refusal(self, tokens: Sequence[Tagged], first: int, last: int, new: str, category: str) -> Skip | None:
        """Why a word may not stand in the place of some tokens; None if it may."""
        if not (self.train or self.vectors or self.bigrams):
            return None
        words = [token.text.lower() for token in split(new)]
        if self.train and not all(word in self.train.words for word in words):
            return UNKNOWN
        if self.vectors and not all(word in self.vectors or _is_plain(word) for word in words):
            return NO_VECTOR
        if self.vectors and category == "antonyms_wordnet":
            near = self.vectors.cosine(tokens[first].text.lower(), words[-1])
            if near is None or near < self.cosine:
                return NOT_NEAR
        if self.bigrams and not all(
            self.bigrams.bigrams.get(f"{one} {other}", 0) >= self.least
            for one, other in _new_bigrams(tokens, first, last, words)
        ):
            return ODD
        return None


def _is_plain(word: str) -> bool:
    """Files of vectors may leave out numbers and the most common words."""
    return not word.isalpha() or word in word_list("function_words")


def _new_bigrams(tokens: Sequence[Tagged], first: int, last: int, words: list[str]) -> list[tuple[str, str]]:
    """The pairs of neighbours that the new word makes with what stands around it; marks are no neighbours."""
    before = tokens[first - 1].text.lower() if first else ""
    after = tokens[last + 1].text.lower() if last + 1 < len(tokens) else ""
    pairs = [(before, words[0]), (words[-1], after)]
    return [pair for pair in pairs if all(any(map(str.isalnum, word)) for word in pair)]
