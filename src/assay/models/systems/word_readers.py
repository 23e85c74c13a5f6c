"""From texts to the inputs of networks: words, letters, trees and WordNet relations."""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar, Literal

import numpy
from numpy.typing import NDArray

from assay.core.errors import UserError
from assay.language.fragment import chart_parser as fragment
from assay.language.fragment.fragment_lexicon import standard_fragment_lexicon
from assay.language.resources.installed import resource_fingerprint
from assay.language.text.analysis import analyse
from assay.language.text.tokens import tokens
from assay.language.trees.binary_trees import REDUCE, SHIFT, Tree, nodes, read_tree, restrict_tree, right_branching
from assay.language.trees.shift_reduce import load_parser
from assay.language.words.wordnet_relations import RelationIndex, find_lemma, relation_index
from assay.models.systems.system_card import ParsedConfig, RelatedConfig, SpelledConfig, WordConfig
from assay.models.systems.vocabulary import (
    END,
    NOTHING,
    START,
    UNKNOWN,
    Padded,
    Vocabulary,
    frame_text,
    known_words,
    numbers_of,
)

Origin = Literal["own", "parser", "right"]
"""Sources of trees: the text's own where it brings one, else the fragment's, else the parser's; the parser's for
all; or right-branching ones."""

AS_TYPED = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
"""Keyboard characters for the symbols in parses."""


def find_trees(
    texts: Sequence[str], own: Sequence[str | None] = (), *, origin: Origin = "own", longest: int = 0
) -> list[Tree]:
    """A tree for each text, in order; `own` are the trees that come with the texts, if any.

    If `longest` is given, of a text that must be parsed no more than so many words are.

    >>> find_trees(["A man sleeps."], ["( ( A man ) ( sleeps . ) )"])[0].words
    ('A', 'man', 'sleeps', '.')
    """
    trees_by_number: dict[int, Tree] = {}
    if origin == "own":
        trees_by_number |= {row: own_tree(texts[row], given) for row, given in enumerate(own) if given}
        recognised = {row: _in_fragment(text) for row, text in enumerate(texts) if row not in trees_by_number}
        trees_by_number |= {row: tree for row, tree in recognised.items() if tree}
    left = [row for row in range(len(texts)) if row not in trees_by_number]
    words = {
        text: tuple(token.text for token in tokens(text))[: longest or None] for text in map(texts.__getitem__, left)
    }
    several = list(words.values())
    steps = list(map(right_branching, several)) if origin == "right" else load_parser().parse(several)
    parsed = {text: Tree(*each) for text, each in zip(words, zip(several, steps, strict=True), strict=True)}
    trees_by_number |= {row: parsed[texts[row]] for row in left}
    return [trees_by_number[row] for row in range(len(texts))]


def own_tree(text: str, given: str) -> Tree:
    tree = read_tree(given)
    if tree is None:
        raise _misfit_error(text, given, "it is not a bracketed binary tree")
    words = tuple(AS_TYPED.get(word, word) for word in tree.words)
    if _only_letters(text) != _only_letters("".join(words)):
        raise _misfit_error(text, given, "its words are not those of the text")
    return Tree(words, tree.steps)


def _misfit_error(text: str, given: str, why: str) -> UserError:
    return UserError(
        f"A parse does not fit its text: {why}.\n  Text:  {text}\n  Parse: {given}\n"
        "  Correct the file, or find all trees with the parser that comes with Assay: --set trees=parser"
    )


def _only_letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _in_fragment(text: str) -> Tree | None:
    """The first tree of a sentence that is in the fragment, with the text's own words."""
    for each in standard_fragment_lexicon().parse(text):
        tree, words = read_tree(fragment.write_binary(each)), tuple(token.text for token in tokens(text))
        if tree and len(tree.words) == len(words):
            return Tree(words, tree.steps)
    return None


ReaderName = Literal["words", "spelled", "related", "parsed"]
Tokens = Sequence[int] | NDArray[numpy.int32]
Arrays = tuple[NDArray[Any], ...]
Axes = dict[str, tuple[str, ...]]  # inputs of a network by name, with the meaning of each dimension


class WordReader:
    """A text is the numbers of its words."""

    name: ClassVar[ReaderName] = "words"
    Config: ClassVar[type[WordConfig]] = WordConfig
    text_axes: ClassVar[Axes] = {"": ("rows", "words"), "mask": ("rows", "words")}
    """Inputs for each text; numbers come first, and vectors take their place once they are looked up."""
    pair_axes: ClassVar[Axes] = {}
    """Inputs that depend on both texts."""

    def __init__(self, vocabulary: Vocabulary, config: WordConfig) -> None:
        self.vocabulary = vocabulary
        self.config = config

    @classmethod
    def names(cls, side: str = "") -> list[str]:
        """The names of a network's inputs for premises or hypotheses, or for texts alone.

        >>> WordReader.names("premise"), WordReader.names()
        (['premise', 'premise_mask'], ['text', 'mask'])
        """
        if side:
            return [f"{side}_{what}" if what else side for what in cls.text_axes]
        return [what or "text" for what in cls.text_axes]

    @property
    def edition(self) -> str:
        """The edition of the resources that the reader uses; empty if it uses none."""
        return ""

    def tokens(self, text: str) -> Tokens:
        """A text as numbers: one for each word, or a row of them."""
        return numbers_of(text, self.vocabulary, self.config)

    def read(self, texts: Sequence[str], parses: Sequence[str | None] = ()) -> Sequence[Tokens]:  # noqa: ARG002
        """Texts as numbers; `parses` are the trees that they bring, for readers that want any."""
        return list(map(self.tokens, texts))

    def of_text(self, texts: Padded) -> Arrays:
        """Inputs for texts, as in `text_axes`."""
        return tuple(texts)

    def of_pair(self, premises: Padded, hypotheses: Padded) -> Arrays:  # noqa: ARG002 - nothing is taken of both
        """Inputs for texts together, as in `pair_axes`."""
        return ()


class RowReader(WordReader):
    """A text is a row of numbers for each word: the word's number and further features."""

    width: int

    def more(self, text: str, words: Sequence[str], numbers: Sequence[int]) -> Sequence[Sequence[int]]:
        """Features of each word apart from its number."""
        raise NotImplementedError

    def tokens(self, text: str) -> NDArray[numpy.int32]:
        words = list(self.vocabulary.words(text))
        numbers = known_words(words, self.vocabulary, self.config)
        rows = [[number, *more] for number, more in zip(numbers, self.more(text, words, numbers), strict=True)]
        nothing = [0] * self.width
        found = frame_text(rows, self.config, number=lambda row: row[0], special=lambda number: [number, *nothing])
        return numpy.array(found, dtype=numpy.int32).reshape(-1, 1 + self.width)

    def of_text(self, texts: Padded) -> Arrays:
        return texts.values[..., 0], texts.mask


ALPHABET = "".join(map(chr, range(ord(" "), ord("~") + 1)))
NO_LETTER, STRANGE_LETTER, FIRST_LETTER = range(3)
LETTERS = FIRST_LETTER + len(ALPHABET)  # numbers of letters: none, one that is not in the alphabet, and the alphabet's

_EACH, _BITS = 4, 7
"""Letters that are kept in one number, and what each takes: letters of a whole corpus would fill the memory."""


class SpelledReader(RowReader):
    """Each word has a number, and letters, which are also known for unknown words."""

    name = "spelled"
    Config = SpelledConfig
    config: SpelledConfig
    text_axes: ClassVar[Axes] = {**RowReader.text_axes, "letters": ("rows", "words", "letters")}

    def __init__(self, vocabulary: Vocabulary, config: SpelledConfig) -> None:
        super().__init__(vocabulary, config)
        self.width = -(-config.letters // _EACH)

    def more(self, text: str, words: Sequence[str], numbers: Sequence[int]) -> Sequence[Sequence[int]]:  # noqa: ARG002
        if self.config.spell_unknown:
            return [pack_letters(word, self.config.letters) for word in words]
        spelled = ("UNK" if number == UNKNOWN else word for word, number in zip(words, numbers, strict=True))
        return [pack_letters(word, self.config.letters) for word in spelled]

    def of_text(self, texts: Padded) -> Arrays:
        return *super().of_text(texts), unpack_letters(texts.values[..., 1:])


@cache
def pack_letters(word: str, longest: int) -> tuple[int, ...]:
    """The letters of a word, four to a number.

    >>> pack_letters("a!", 8)
    (451, 0)
    """
    places = (ALPHABET.find(letter) for letter in word[:longest])
    numbers = [STRANGE_LETTER if place < 0 else FIRST_LETTER + place for place in places]
    numbers += [NO_LETTER] * (-longest % _EACH + longest - len(numbers))
    return tuple(
        sum(number << _BITS * place for place, number in enumerate(numbers[start : start + _EACH]))
        for start in range(0, len(numbers), _EACH)
    )


def unpack_letters(numbers: NDArray[numpy.int64]) -> NDArray[numpy.int64]:
    """(..., letters): up to the last letter of the longest word, and at least one.

    >>> [letter and ALPHABET[letter - FIRST_LETTER] for letter in unpack_letters(numpy.array(pack_letters("a!", 8)))]
    ['a', '!']
    """
    letters = numbers[..., None] >> _BITS * numpy.arange(_EACH) & (1 << _BITS) - 1  # (..., numbers, 4)
    letters = letters.reshape(*numbers.shape[:-1], -1)
    used = numpy.flatnonzero(letters.reshape(-1, letters.shape[-1]).any(0))
    return letters[..., : used[-1] + 1 if len(used) else 1]


_LEFT, _RIGHT, _LEVEL = 1, 2, 3


class ParsedReader(WordReader):
    """Each word has a number; beside all but the last is a part that two parts are joined to, lower parts first.

    A network gets positions in a batch: 0 is nothing, then come all words, text after text, then all joined parts,
    level after level, so that it can join the parts of a level at once.
    """

    name = "parsed"
    Config = ParsedConfig
    config: ParsedConfig
    text_axes: ClassVar[Axes] = {
        **WordReader.text_axes,
        "left": ("parts",),
        "right": ("parts",),
        "counts": ("levels",),
        "root": ("rows",),
    }
    """For each part: the positions of the two joined parts; the parts of each level; and the position of each text."""

    @property
    def edition(self) -> str:
        return "" if self.config.trees == "right" else load_parser().digest

    def read(self, texts: Sequence[str], parses: Sequence[str | None] = ()) -> list[NDArray[numpy.int32]]:
        # Which words are left out is only known after a look at all of them.
        longest = 0 if self.config.drop_unknown else self.config.longest
        return list(map(self._rows, find_trees(texts, parses, origin=self.config.trees, longest=longest)))

    def _rows(self, tree: Tree) -> NDArray[numpy.int32]:
        config, steps = self.config, tree.steps
        words = (word.lower() for word in tree.words) if self.vocabulary.lowercase else tree.words
        numbers = known_words(words, self.vocabulary, config)
        if config.drop_unknown or 0 < config.longest < len(numbers):
            known = [place for place, number in enumerate(numbers) if not config.drop_unknown or number >= START]
            kept = {*known[: config.longest or None]}
            steps = restrict_tree(steps, [place in kept for place in range(len(numbers))])
            numbers = [number for place, number in enumerate(numbers) if place in kept]
        if config.ends:
            joins = [REDUCE] * (2 if steps else 1)
            numbers, steps = [START, *numbers, END], bytes([SHIFT, *steps, SHIFT, *joins])
        if config.nothing:
            numbers, steps = [NOTHING, *numbers], bytes([SHIFT, *steps, *([REDUCE] if steps else [])])
        found = numpy.zeros((len(numbers), 4), dtype=numpy.int32)
        found[:, 0] = numbers
        if parts := nodes(steps):
            found[: len(parts), 1:] = parts
        return found

    def of_text(self, texts: Padded) -> Arrays:
        numbers, levels = texts.values[..., 0], texts.values[..., _LEVEL]
        lengths = texts.mask.sum(1)
        first = 1 + lengths.cumsum() - lengths  # (rows,): the position of each text's first word
        rows, places = numpy.nonzero(levels)
        order = levels[rows, places].argsort(kind="stable")
        rows, places = rows[order], places[order]  # (parts,)
        positions = numpy.zeros(levels.shape, dtype=numpy.int64)
        positions[rows, places] = 1 + lengths.sum() + numpy.arange(len(rows))

        def find_positions(side: int) -> NDArray[numpy.int64]:
            children = texts.values[rows, places, side]
            found: NDArray[numpy.int64] = numpy.where(
                children < 0, positions[rows, -children - 1], first[rows] + children
            )
            return found

        several = numpy.arange(len(lengths)), numpy.maximum(lengths - 2, 0)
        root = numpy.where(lengths > 1, positions[several], first * (lengths > 0))
        counts = numpy.bincount(levels[rows, places])[1:]
        return numbers, texts.mask, find_positions(_LEFT), find_positions(_RIGHT), counts, root


class RelatedReader(RowReader):
    """Each word has a number and that of its WordNet lemma; each word pair of a text pair has a relation."""

    name = "related"
    Config = RelatedConfig
    config: RelatedConfig
    pair_axes: ClassVar[Axes] = {"relations": ("rows", "premise_words", "hypothesis_words")}
    width = 1

    @property
    def index(self) -> RelationIndex:
        """The relations of all words, loaded when the first text is read, so not if all answers are cached."""
        return relation_index(senses=self.config.senses, keep_case=self.config.keep_case)

    @property
    def edition(self) -> str:
        return " ".join(map(resource_fingerprint, ("wordnet", "tagger")))

    def more(self, text: str, words: Sequence[str], numbers: Sequence[int]) -> Sequence[Sequence[int]]:  # noqa: ARG002
        tagged = analyse(text)
        if len(tagged) != len(words):  # in some alphabets a text has other words without its capitals
            tagged = analyse(text.lower())
        lemmas = [find_lemma(token.text, token.tag) for token in tagged]
        return self.index.numbers(lemmas)[:, None].tolist()

    def of_pair(self, premises: Padded, hypotheses: Padded) -> Arrays:
        return (self.index.codes(premises.values[..., 1], hypotheses.values[..., 1]).astype(numpy.int64),)


KINDS = (WordReader, SpelledReader, RelatedReader, ParsedReader)
READERS: dict[ReaderName, type[WordReader]] = {kind.name: kind for kind in KINDS}
