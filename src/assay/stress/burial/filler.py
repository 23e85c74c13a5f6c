"""Sentences that can be added to a text without affecting its label: gathered once from a corpus, and stored."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from random import Random

import msgspec

from assay.core.label import Label
from assay.core.pair import Pair
from assay.language.numbers.number_words import COUNTING
from assay.language.resources.data import load_words
from assay.language.resources.installed import load_stored, store_value, wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.language.text.tokens import content_words, find_sentences, tokens

WORDS = load_words(__file__)

_LETTERS = re.compile(r"[a-z]+")
_HEADING = re.compile(r"\s(?:The|A|An)\s|^[^\sA]\s|\.\.|\s[0-9]\s\.$")
"""A heading before a sentence ("Fronts A front is"), a word that was cut off ("D structures"), or a list's number."""

FEWEST, MOST = 4, 40
"""The fewest and the most tokens of a sentence."""

POOL = 10_000
"""Maximum number of sentences that are kept: several times what fills the longest text."""

REPEATED, NEAR = 0.75, 8
"""The fraction of a sentence's words that one of the last few sentences may have: the rest would say the same again."""

START = 4
"""Words that share this many first letters count as the same: "organise" and "organisation"."""


ABBREVIATED, AUXILIARY = WORDS["abbreviated"], WORDS["auxiliary"]
MARKS = frozenset('"()[]{}<>*_/|;:`\u2026\u201c\u201d')
"""Marks of a sentence that quotes, lists or breaks off."""


class Filler(msgspec.Struct, frozen=True, dict=True):
    """Sentences that can be understood on their own."""

    texts: tuple[str, ...]
    sizes: tuple[int, ...]

    def draw_sentences(self, about: str, size: int, rng: Random) -> list[int] | None:
        """Sentences of `size` tokens in total, or a few less, that share no word with `about`.

        It is None if there are not enough. The walk begins at a random place and passes each sentence once.
        """
        own = keys_of(about)
        numbers: list[int] = []
        left, start = size, rng.randrange(len(self.texts)) if self.texts else 0
        # Only what the walk passes is compared: a set of all sentences to leave out would grow with the corpus.
        for step in range(len(self.texts) if self._total >= size - MOST else 0):
            number = (start + step) % len(self.texts)
            if self.sizes[number] <= left and own.isdisjoint(self._keys[number]) and self._is_new(number, numbers):
                numbers.append(number)
                left -= self.sizes[number]
            if left < FEWEST:
                break
        return numbers if left <= MOST else None

    def _is_new(self, number: int, before: list[int]) -> bool:
        """True if a sentence says something else than the last few: a pair's two texts are next to each other."""
        keys = self._keys[number]
        return all(
            len(keys & self._keys[other]) <= REPEATED * min(len(keys), len(self._keys[other]))
            for other in before[-NEAR:]
        )

    @cached_property
    def _total(self) -> int:
        return sum(self.sizes)

    @cached_property
    def _keys(self) -> list[frozenset[str]]:
        """The keys of each sentence's words."""
        return [*map(keys_of, self.texts)]


def keys_of(text: str) -> frozenset[str]:
    """Keys of a text's content words: their base forms and their first letters."""
    return frozenset(key for word in content_words(text) for key in _word_keys(word))


@cache
def _word_keys(word: str) -> tuple[str, ...]:
    if word in COUNTING:
        return (word, str(COUNTING[word]))
    lookup = wordnet()
    bases = {base for pos in "nvar" for base in lookup.morphy(word, pos)}
    return (word, *bases, f"{word[:START]}*") if len(word) >= START else (word, *bases)


def gather_filler(pairs: Iterable[Pair]) -> Filler:
    """The distinct self-contained sentences of premises, and of hypotheses that follow from their premises.

    Other hypotheses may contradict their premises, so that filler would contradict itself.
    """
    sentences: dict[str, int] = {}
    for text in (text for pair in pairs for text in _true_texts(pair)):
        for sentence in _independent_sentences(text):
            sentences.setdefault(sentence, len(tokens(sentence)))
        if len(sentences) >= POOL:
            break
    return Filler(tuple(sentences), tuple(sentences.values()))


def _true_texts(pair: Pair) -> tuple[str, ...]:
    return (pair.premise, pair.hypothesis) if pair.label is Label.ENTAILMENT else (pair.premise,)


def _independent_sentences(text: str) -> Iterator[str]:
    for start, end in find_sentences(text):
        sentence = text[start:end]
        words = {*_LETTERS.findall(sentence.lower())}  # the parts of "it's" and "all-night" too
        whole = sentence[0].isupper() and sentence[-1] == "." and FEWEST <= len(tokens(sentence)) <= MOST
        if whole and not words & WORDS["dependent"] and not words & WORDS["denying"] and not _is_fragment(sentence):
            yield sentence


def _is_fragment(sentence: str) -> bool:
    """True if a sentence is incomplete: cut off after an initial, with a bracket or a heading, or without a verb."""
    words = _LETTERS.findall(sentence.lower())
    cut = len(words[-1]) == 1 or words[-1] in ABBREVIATED or words[0] in WORDS["joining"]
    return cut or not MARKS.isdisjoint(sentence) or bool(_HEADING.search(sentence)) or not _is_clause(analyse(sentence))


def _is_clause(tokens: Sequence[Tagged]) -> bool:
    """True if a sentence has a noun and, after it, a finite verb: an order or a list has none.

    >>> [_is_clause(analyse(text)) for text in ("The mill burned.", "Roots and stems of trees.", "Bake the bread.")]
    [True, False, False]
    """
    verb = next((n for n, token in enumerate(tokens) if _is_finite(tokens, n)), 0)
    return any(token.tag.startswith(("NN", "CD", "EX")) for token in tokens[:verb])


def _is_finite(tokens: Sequence[Tagged], n: int) -> bool:
    """True if a token is an auxiliary, or a verb by its tag and its form; "based on" and "the was" are none."""
    word, tag = tokens[n].text.lower(), tokens[n].tag
    before = tokens[n - 1].tag if n else ""
    if before == "DT":
        return False
    if word in AUXILIARY:
        return True
    after = tokens[n + 1].text if n + 1 < len(tokens) else ""
    if tag == "VBD" and word.endswith("ed") and after in WORDS["after_participles"]:
        return False
    plural = tag == "VBP" and before in ("NNS", "NNPS")
    return plural or (tag in ("VBZ", "VBD") and any(base != word for base in wordnet().morphy(word, "v")))


def store_filler(filler: Filler) -> str:
    """Store sentences for a build; returns the name under which `load_filler` finds them."""
    return store_value("filler", filler)


@cache
def load_filler(name: str) -> Filler:
    """Sentences that were stored on this machine; loaded once per process."""
    return load_stored("filler", name, Filler, "Build the suite from its corpus again.")
