"""Relations of two sentences' words in WordNet, the sense of a word, and the kind of thing that a noun names."""

from collections.abc import Iterator, Sequence, Set
from functools import cache, lru_cache
from itertools import repeat
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import (
    ADJECTIVE,
    ADVERB,
    HYPERNYM,
    INSTANCE_HYPERNYM,
    NOUN,
    VERB,
    Synset,
    WordNet,
)

FEATURES = ("hypernymy", "hyponymy", "co-hyponyms", "antonymy", "synonymy")

Senses = Literal["nearest", "last"]
"""If several senses give a distance: the shortest or, as in the original code, that of the last sense."""

Numbers = NDArray[np.int64]

FARTHEST = 7

# A code is five numbers in nine bits: both distances, then one bit per feature.
_DISTANCES = FARTHEST + 1
_CO_HYPONYMS, _ANTONYMS, _SYNONYMS = (_DISTANCES**2 << bit for bit in range(3))
_PARTS = {"N": NOUN, "V": VERB, "J": ADJECTIVE, "R": ADVERB}


_MARKS = 4096


def _relation_vector(code: int) -> list[float]:
    above, below = code % _DISTANCES, code // _DISTANCES % _DISTANCES
    distances = [1 - edges / _DISTANCES if edges else 0.0 for edges in (above, below)]
    return distances + [float(bool(code & bit)) for bit in (_CO_HYPONYMS, _ANTONYMS, _SYNONYMS)]


VECTORS: NDArray[np.float32] = np.array([_relation_vector(code) for code in range(2 * _SYNONYMS)], dtype=np.float32)
"""Code to features, (512, 5): `VECTORS[codes]` on any array of codes. Code 0, no relation, can pad."""


class RelationIndex:
    """All related pairs of words in one sorted table. Get it from `relation_index`, which makes it once per process."""

    def __init__(self, numbers: dict[str, int], keys: Numbers, codes: NDArray[np.uint16], *, keep_case: bool) -> None:
        self.keep_case = keep_case
        self._numbers = numbers
        self._size = len(numbers) + 1
        self._keys = keys
        self._codes = codes
        place = np.arange(self._size) % _MARKS
        self._bytes, self._bits = place // 8, np.left_shift(1, place % 8).astype(np.uint8)
        one, two = np.divmod(keys[:-1], self._size)
        self._marks = np.zeros((self._size, _MARKS // 8), dtype=np.uint8)
        np.bitwise_or.at(self._marks.reshape(-1), one * (_MARKS // 8) + self._bytes[two], self._bits[two])
        """The bits of all related words: they quickly rule out most unrelated words."""

    def numbers(self, words: Sequence[str]) -> Numbers:
        """The index of each word, which is a lemma (see `find_lemma`); 0 for words that WordNet does not have."""
        if isinstance(words, str):
            raise TypeError("words must be a list, not one text: tokenize it first")
        spelt = words if self.keep_case else map(str.lower, words)
        return np.fromiter(map(self._numbers.get, spelt, repeat(0)), np.int64, len(words))

    def codes(self, premise: Numbers, hypothesis: Numbers) -> NDArray[np.uint16]:
        """A code for every pair of words, (..., premise words, hypothesis words); `VECTORS` says what it means.

        Takes the numbers of two sentences, or of batches that are padded with 0.
        """
        marked = self._marks[premise[..., :, None], self._bytes[hypothesis][..., None, :]]
        marked &= self._bits[hypothesis][..., None, :]
        likely = marked.nonzero()
        *batch, row, column = likely
        wanted = premise[*batch, row] * self._size + hypothesis[*batch, column]
        places = self._keys.searchsorted(wanted)  # the table ends in a key that is larger than any
        codes = np.zeros(marked.shape, dtype=np.uint16)
        codes[likely] = self._codes[places] * (self._keys[places] == wanted)
        return codes

    def features(self, premise: Sequence[str], hypothesis: Sequence[str]) -> NDArray[np.float32]:
        """The five features of every pair of words, (premise words, hypothesis words, 5).

        `relation_index().features(["dog"], ["canine", "cat"])` gives `[[[.875, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]`.
        """
        return VECTORS.take(self.codes(self.numbers(premise), self.numbers(hypothesis)), axis=0)


@cache
def relation_index(*, senses: Senses = "nearest", keep_case: bool = False) -> RelationIndex:
    """The index; the original code uses the distance of the last sense, and distinguishes capitals."""
    net = wordnet()
    numbers, members = _number_words(net, keep_case=keep_case)
    size = len(numbers) + 1
    pointers = ((number, each) for number, synset in enumerate(net.data.synsets) for each in synset.pointers)
    hypernyms = [(number, each.target) for number, each in pointers if each.symbol == HYPERNYM]
    edges = np.array(hypernyms, dtype=np.int64)  # (edges, 2): below, above
    synsets = np.arange(len(net.data.synsets))
    parts = [
        *_distance_parts(edges, members, size, senses),
        _code_pairs(_find_siblings(edges), members, size, _CO_HYPONYMS),
        _make_part(_find_antonyms(net, numbers, keep_case=keep_case), size, _ANTONYMS),
        _code_pairs((synsets, synsets), members, size, _SYNONYMS, same_word=True),
    ]
    keys, codes = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = keys.argsort(kind="stable")
    keys = keys[order]
    starts = _find_starts(keys)
    keys, codes = keys[starts], np.add.reduceat(codes[order], starts)  # no two parts set the same bits
    return RelationIndex(
        numbers, np.append(keys, np.iinfo(np.int64).max), np.append(codes, np.uint16(0)), keep_case=keep_case
    )


@cache
def find_lemma(word: str, tag: str) -> str:
    """The lemma of a word with a Penn Treebank tag, or else the word: `find_lemma("children", "NNS")` is `child`."""
    part = _PARTS.get(tag[:1])
    lemmas = wordnet().morphy(word.lower(), part) if part and tag != "RP" else ()
    return lemmas[0] if lemmas else word


Pairs = tuple[Numbers, Numbers]
"""Pairs of synsets, or of words, by index."""
Codes = tuple[Numbers, NDArray[np.uint16]]
"""Pairs of words, each once as a key, and what they add to the code."""


class _Members(NamedTuple):
    """The words of every synset, one synset after the other."""

    words: Numbers
    starts: Numbers
    counts: Numbers


def _number_words(net: WordNet, *, keep_case: bool) -> tuple[dict[str, int], _Members]:
    """Numbers for all single words, from 1, and which synset has which."""
    numbers: dict[str, int] = {}
    listed = [
        {
            numbers.setdefault(_spell_lemma(word, keep_case), len(numbers) + 1)
            for word in synset.words
            if "_" not in word
        }
        for synset in net.data.synsets
    ]
    counts = np.array([len(words) for words in listed])
    words = np.array([word for words in listed for word in sorted(words)])
    return numbers, _Members(words, np.cumsum(counts) - counts, counts)


def _distance_parts(edges: Numbers, members: _Members, size: int, senses: Senses) -> Iterator[Codes]:
    """Hypernymy and hyponymy."""
    lows, highs, heights = _find_ancestors(edges)
    one, two, origin = _pair_words((lows, highs), members)
    different = one != two
    one, two, origin = one[different], two[different], origin[different]
    keys = one * size + two
    # The first of each key counts. Synsets are numbered in the order of WordNet's files.
    order = np.lexsort((heights[origin], keys) if senses == "nearest" else (heights[origin], -lows[origin], keys))
    kept = order[_find_starts(keys[order])]
    height = heights[origin[kept]].astype(np.uint16)
    yield keys[kept], height
    yield two[kept] * size + one[kept], height * np.uint16(_DISTANCES)


def _find_ancestors(edges: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Pairs of a synset and an ancestor, with the smallest number of edges between them."""
    many = int(edges.max()) + 1
    parents = _group_edges(edges, many)
    known = level = _distinct_keys(edges[:, 0] * many + edges[:, 1])
    levels = [level]
    while len(levels) < FARTHEST:
        low, middle = np.divmod(level, many)
        origin, place = _spread_groups(parents.counts[middle], parents.starts[middle])
        above = _distinct_keys(low[origin] * many + parents.words[place])
        above = above[above // many != above % many]  # two verbs are above each other
        level = np.setdiff1d(above, known, assume_unique=True)
        known = np.concatenate((known, level))
        levels.append(level)
    heights = np.repeat(np.arange(1, FARTHEST + 1), [len(each) for each in levels])
    return (*np.divmod(known, many), heights)


def _find_siblings(edges: Numbers) -> Pairs:
    """Different synsets with a direct hypernym in common."""
    children = _group_edges(edges[:, ::-1], int(edges.max()) + 1)
    origin, place = _spread_groups(children.counts[edges[:, 1]], children.starts[edges[:, 1]])
    one, two = edges[origin, 0], children.words[place]
    return one[one != two], two[one != two]


def _find_antonyms(net: WordNet, numbers: dict[str, int], *, keep_case: bool) -> Pairs:
    word_pairs = [
        (numbers.get(_spell_lemma(word, keep_case), 0), numbers.get(_spell_lemma(antonym, keep_case), 0))
        for synset in net.data.synsets
        for word, antonym in net.antonyms(synset)
    ]
    pairs = np.array([pair for pair in word_pairs if all(pair) and pair[0] != pair[1]], dtype=np.int64)
    return pairs[:, 0], pairs[:, 1]


def _code_pairs(synsets: Pairs, members: _Members, size: int, code: int, *, same_word: bool = False) -> Codes:
    """The coded pairs of words that belong to pairs of synsets."""
    one, two, _ = _pair_words(synsets, members)
    kept = slice(None) if same_word else one != two
    return _make_part((one[kept], two[kept]), size, code)


def _make_part(words: Pairs, size: int, code: int) -> Codes:
    keys = _distinct_keys(words[0] * size + words[1])
    return keys, np.full(len(keys), code, dtype=np.uint16)


def _distinct_keys(keys: Numbers) -> Numbers:
    """Each key once, in order: numpy's own `unique` takes ten times as long over millions.

    >>> _distinct_keys(np.array([5, 2, 5])).tolist()
    [2, 5]
    """
    ordered = np.sort(keys)
    return ordered[_find_starts(ordered)]


def _find_starts(ordered: Numbers) -> Numbers:
    """The first position of each key in a sorted array of keys (0 or above)."""
    return np.flatnonzero(np.diff(ordered, prepend=-1))


def _pair_words(synsets: Pairs, members: _Members) -> tuple[Numbers, Numbers, Numbers]:
    """Every word of each first synset with every word of the second, and the index of the pair of synsets."""
    first, second = synsets
    origin, place = _spread_groups(members.counts[first], members.starts[first])
    other = second[origin]
    again, other_place = _spread_groups(members.counts[other], members.starts[other])
    return members.words[place[again]], members.words[other_place], origin[again]


def _spread_groups(counts: Numbers, starts: Numbers) -> tuple[Numbers, Numbers]:
    """For groups stored one after the other in an array: the group and the index of every member.

    >>> [found.tolist() for found in _spread_groups(np.array([2, 0, 1]), np.array([5, 0, 9]))]
    [[0, 0, 2], [5, 6, 9]]
    """
    origin = np.repeat(np.arange(len(counts)), counts)
    return origin, np.arange(len(origin)) - (np.cumsum(counts) - counts)[origin] + starts[origin]


def _group_edges(edges: Numbers, many: int) -> _Members:
    """The second ends of the edges, grouped by the first."""
    counts = np.bincount(edges[:, 0], minlength=many)
    return _Members(edges[edges[:, 0].argsort(kind="stable"), 1], np.cumsum(counts) - counts, counts)


def _spell_lemma(word: str, keep_case: bool) -> str:
    return word if keep_case else word.lower()


Tie = Literal["greatest-name", "first-sense"]
"""The rule between senses whose glosses share equally many words: the name that comes last in the alphabet, as in
NLTK in 2018, or the order of frequency, as in textbooks and in NLTK today."""


def most_frequent_sense(form: str, pos: str | None = None) -> Synset | None:
    """The most frequent sense of a form, None if WordNet has none.

    `most_frequent_sense("dogs").name` is `dog.n.01`.
    """
    senses = wordnet().synsets(form, pos)
    return senses[0] if senses else None


def lesk_sense(context: Set[str], form: str, pos: str | None = None, *, tie: Tie = "first-sense") -> Synset | None:
    """The sense whose gloss shares most words with the context (Lesk 1986), None if WordNet has none.

    Glosses are split at blanks only, so that a comma stays with its word, as in NLTK. The form itself counts if it
    is in the context. `lesk_sense({"cold", "winter", "day"}, "cold")` compares every sense of "cold".
    """
    senses, votes = _count_votes(form, pos, tie)
    if not senses:
        return None
    counts = sum(filter(None, map(votes.get, context))).to_bytes(len(senses), "little")
    return senses[counts.index(max(counts))]


@lru_cache(maxsize=1 << 15)
def _count_votes(form: str, pos: str | None, tie: Tie) -> tuple[tuple[Synset, ...], dict[str, int]]:
    senses = wordnet().synsets(form, pos)
    if tie == "greatest-name":
        senses = tuple(sorted(senses, key=lambda synset: synset.name, reverse=True))
    votes: dict[str, int] = {}
    for k, synset in enumerate(senses):
        for word in set(synset.definition.split()):
            votes[word] = votes.get(word, 0) + (1 << 8 * k)
    return senses, votes


@cache
def synsets_over(name: str) -> dict[str, int]:
    """The names of a synset and all its ancestors, with the number of edges to each."""
    distances = {name: 0}
    waiting = [_by_name()[name]]
    for synset in waiting:
        for parent in _parents(synset):
            if parent.name not in distances:
                distances[parent.name] = distances[synset.name] + 1
                waiting.append(parent)
    return distances


def _parents(synset: Synset) -> Iterator[Synset]:
    for symbol in (HYPERNYM, INSTANCE_HYPERNYM):
        yield from wordnet().related(synset, symbol)


@cache
def _by_name() -> dict[str, Synset]:
    return {synset.name: synset for synset in wordnet().data.synsets}


@cache
def is_kind_of(noun: str, roots: tuple[str, ...]) -> bool:
    """True if one of the two most frequent senses of a noun is below one of the roots."""
    lookup = wordnet()
    senses = (sense for lemma in lookup.morphy(noun, "n") for sense in lookup.synsets(lemma, "n")[:2])
    return any(root in synsets_over(sense.name) for sense in senses for root in roots)
