"""Spelling (Naik et al. 2018): slips of the finger in words of the hypothesis."""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from random import Random
from typing import ClassVar, Literal

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.core.pair import Pair
from assay.core.protocols import Check, Fidelity
from assay.language.resources.data import word_list
from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import ADJECTIVE, NOUN
from assay.language.text.analysis import analyse
from assay.language.text.tokens import tokens
from assay.language.words.proper_names import first_names, has_common_sense
from assay.language.words.word_forms import Layout, is_word
from assay.stress.fidelity import set_switches
from assay.stress.spelling.check import SpellingCheck
from assay.stress.spelling.typos import (
    Kind,
    PlainTypos,
    SpellingSwitches,
    WriteBack,
    in_order,
    is_clear,
    is_no_name,
    list_slips,
    with_capitals,
)

Variant = Literal["adjacent-swap", "keyboard", "content-word", "function-word"]

CONTENT = ("NNS", "NNP", "NNPS", "JJ", "JJR", "JJS")
FUNCTION = ("CC", "DT", "PRP", "PRP$", "WP", "WP$")

KINDS: dict[Variant, tuple[Kind, ...]] = {
    "adjacent-swap": ("swap",),
    "keyboard": ("key",),
    "content-word": ("swap", "key"),
    "function-word": ("swap", "key"),
}
"""The kinds of slips of each variant; if there are two, one is drawn for each word."""
TAGGED = ("content-word", "function-word")
LONGEST = 1_000
"""Maximum number of characters in a word: all its typos together take quadratic space."""
ELSEWHERE = 2
"""Up to this offset, a capitalised word begins the text, maybe after a quote; elsewhere it may be a name."""

_PLAIN = re.compile(r"(?<![^\s\"(\[\u201c`])[A-Za-z][a-z]++(?=[.,;:!?)\]\"'\u201d\u2019]*+(?:\s|$))")
"""A plain word: not part of a contraction, a compound, a number, an address or an abbreviation."""
_LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")
_BRACKET = re.compile(r"[()]")


NOTHING = Replacement(0, "", "")


class TypoWord(msgspec.Struct, frozen=True, gc=False):
    """A word that may get a typo."""

    text: str
    """The word, in lower case if the released code did so."""
    start: int
    """Offset of its first character; -1 if it is unknown."""
    tag: str = ""
    """Penn Treebank tag, if the variant needs it."""


PAPER = SpellingSwitches(any_word=True, prepositions=False, shortest=2, hyphens=True, real_words=True)
CODE = SpellingSwitches(
    nn=False,
    any_word=True,
    shortest=2,
    distinct_letters=3,
    attempts=5,
    unchanged=True,
    real_words=True,
    capitals=False,
    write_back="first-substring",
    parses=True,
)
RULES: dict[Fidelity, SpellingSwitches] = {"strict": SpellingSwitches(), "paper": PAPER, "code": CODE}


class Spelling(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Makes a typo in one word of the hypothesis: two letters swapped, or a neighbouring key.

    `Spelling()(pair, rng)` makes "The cook fries eggs." "The cook fries egsg." or "The cokk fries eggs.".
    """

    variant: Variant = "content-word"
    """The words and slips: swapped letters, neighbouring keys, or either of them in a content or function word."""
    typos: int = 1
    """The number of words to change."""
    layout: Layout = "qwerty"
    fidelity: Fidelity = "strict"
    """The rules to follow: ours, the paper's, or those of the released code."""
    nn: bool | None = None
    """Content words: singular nouns (NN) count. The code's list forgets them."""
    any_word: bool | None = None
    """Names, numbers, abbreviations, parts of words, and words that are tagged against the dictionary count."""
    prepositions: bool | None = None
    """Function words: prepositions (IN) count. The paper does not name them."""
    shortest: int | None = None
    """Minimum number of letters in a word."""
    distinct_letters: int | None = None
    """Adjacent swap: the fewest distinct characters in a word."""
    hyphens: bool | None = None
    """Adjacent swap: words with a hyphen count."""
    attempts: int | None = None
    """Adjacent swap: how many draws before giving up on the pair; 0 tries every word."""
    unchanged: bool | None = None
    """Content and function words: swapping two equal letters counts as a typo."""
    real_words: bool | None = None
    """The result may be another English word, or as close to another word as to the original."""
    capitals: bool | None = None
    """Capitals stay where they are. The released code does not control them."""
    write_back: WriteBack | None = None
    """Change the word itself; otherwise the first occurrence of its letters, capitalised ones first."""
    parses: bool | None = None
    """Take tokens and tags from the pair's own trees, if it has them."""

    family: ClassVar[str] = "spelling"
    check: ClassVar[type[Check]] = SpellingCheck
    variants: ClassVar[tuple[str, ...]] = ("content-word", "function-word", "adjacent-swap", "keyboard")
    strength: ClassVar[str] = "typos"
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        rules, plain = self._plan
        if plain is not None:
            changes = plain(pair.hypothesis, rng, self.typos)
            return [Edit(hypothesis=changes, variant=self.variant)] if len(changes) == self.typos else self._too_few()
        drawn = self._choose_apart(self._draw_typos(pair, rules, rng))
        if len(drawn) < self.typos:
            return self._too_few()
        changed = [change for change in drawn if change.old != change.new]
        parsed = "the pair's parse" if _tree_of(pair, self.variant) else "ours"
        facts = {"tokens": parsed} if rules.parses else {}
        return [Edit(hypothesis=in_order(changed), variant=self.variant, facts=facts)]

    @cached_property
    def _plan(self) -> tuple[SpellingSwitches, PlainTypos | None]:
        return plan_of(self)

    def _too_few(self) -> Skip:
        return Skip(f"no {WHAT[self.variant]} that a typo fits" if self.typos == 1 else "too few words for typos")

    def _choose_apart(self, drawn: Iterator[Replacement]) -> list[Replacement]:
        """The first changes that do not overlap, as many as requested."""
        changes: list[Replacement] = []
        while len(changes) < self.typos and (change := next(drawn, None)) is not None:
            if all(_are_apart(change, other) for other in changes):
                changes.append(change)
        return changes

    def _draw_typos(self, pair: Pair, rules: SpellingSwitches, rng: Random) -> Iterator[Replacement]:
        """Draw typos in the words that the variant and the rules select."""
        words = self._select_words(pair, rules)
        if rules.attempts and self.variant == "adjacent-swap":
            yield from self._draw_attempts(pair.hypothesis, words, rules, rng)
            return
        while words:
            drawn = rng.random() * len(words)
            place = int(drawn)
            word = words.pop(place)
            typo = self._draw_typo(word.text, drawn - place, rng)
            if typo is not None:
                yield _write_typo(word, typo, pair.hypothesis, rules)

    def _select_words(self, pair: Pair, rules: SpellingSwitches) -> list[TypoWord]:
        """The words of the hypothesis that the variant changes."""
        text, variant = pair.hypothesis, self.variant
        tagged = variant in TAGGED
        tree = _tree_of(pair, variant) if rules.parses else None
        if tree is not None:
            words = list(_in_tree(tree, text, tagged=tagged))
        elif tagged:
            words = [TypoWord(token.text, token.start, token.tag) for token in analyse(text)]
        else:
            words = [TypoWord(token.text, token.start) for token in tokens(text)]
        if not rules.any_word:
            plain = {match.span() for match in _PLAIN.finditer(text)}
            words = [word for word in words if (word.start, word.start + len(word.text)) in plain]
        if rules.any_word and rules.write_back == "first-substring" and not tagged:
            words = [msgspec.structs.replace(word, text=word.text.lower()) for word in words]
        return [word for word in words if _is_selected(word, variant, rules)]

    def _draw_attempts(
        self, text: str, words: list[TypoWord], rules: SpellingSwitches, rng: Random
    ) -> Iterator[Replacement]:
        """As in the released code: draw any word and position until the text changes, up to a number of times."""
        tried = 0
        while words and tried < rules.attempts:
            number = rng.randrange(len(words))
            word = words[number]
            typo, _ = rng.choice(list_slips(word.text, "swap", self.layout))
            change = _write_typo(word, typo, text, rules)
            tried += 1
            if change.old != change.new:
                del words[number]
                tried = 0
                yield change

    def _draw_typo(self, word: str, chance: float, rng: Random) -> str | None:
        """A slip that fits; the kind is drawn first, then the position, then the key; the first draw is an argument."""
        kinds = KINDS[self.variant]
        if len(kinds) > 1 and rng.random() < 0.5:
            kinds = kinds[::-1]
        for kind in kinds:
            left = list_slips(word, kind, self.layout)
            while left:
                drawn = chance * len(left)
                number = int(drawn)
                results = left.pop(number)
                for typo in results if drawn - number < 0.5 else results[::-1]:
                    if self._is_allowed(word, typo):
                        return typo
                chance = rng.random()
        return None

    def _is_allowed(self, word: str, typo: str) -> bool:
        rules, folded, typo = self._plan[0], word.lower(), typo.lower()
        if typo == folded:
            return rules.unchanged and self.variant in TAGGED
        return rules.real_words or is_clear(folded, typo, self.layout)


WHAT: dict[Variant, str] = {
    "adjacent-swap": "word",
    "keyboard": "word",
    "content-word": "content word",
    "function-word": "function word",
}


def _tree_of(pair: Pair, variant: Variant) -> str | None:
    if pair.parses is None:
        return None
    return pair.parses.hypothesis_binary if variant in ("adjacent-swap", "keyboard") else pair.parses.hypothesis


@cache
def plan_of(spelling: Spelling) -> tuple[SpellingSwitches, PlainTypos | None]:
    """The switches of a transform, and the maker of typos if the words are plain ones of any kind.

    Equal transforms share it, including what is cached about words.
    """
    rules, variant = set_switches(spelling, RULES), spelling.variant
    if rules.any_word or rules.attempts or rules.write_back == "first-substring" or variant in TAGGED:
        return rules, None
    return rules, PlainTypos(KINDS[variant][0], spelling.layout, rules)


def _in_tree(tree: str, text: str, *, tagged: bool) -> Iterator[TypoWord]:
    """The leaves of a tree, each with its position in the text, if it has one."""
    leaves = _LEAF.findall(tree) if tagged else (("", leaf) for leaf in _BRACKET.sub(" ", tree).split())
    position = 0
    for tag, leaf in leaves:
        start = text.find(leaf, position)
        if start >= 0:
            position = start + len(leaf)
        yield TypoWord(leaf, start, tag)


def _is_selected(word: TypoWord, variant: Variant, rules: SpellingSwitches) -> bool:
    """True if a word is one that the variant changes."""
    text, tag = word.text, word.tag
    if not rules.shortest <= len(text) <= LONGEST or (word.start < 0 and rules.write_back == "token"):
        return False
    if variant == "adjacent-swap":
        if len(set(text)) < rules.distinct_letters or ("-" in text and not rules.hyphens):
            return False
    elif variant == "content-word":
        if tag not in CONTENT and not (rules.nn and tag == "NN"):
            return False
    elif variant == "function-word" and tag not in FUNCTION and not (rules.prepositions and tag == "IN"):
        return False
    return (rules.real_words or is_word(text)) and (rules.any_word or _agrees_with_tag(word, variant))


def _agrees_with_tag(word: TypoWord, variant: Variant) -> bool:
    """True if a word is not a name, and is of the kind that its tag says: taggers make mistakes."""
    text, begins = word.text.lower(), word.start < ELSEWHERE
    if variant not in TAGGED:
        return is_no_name(word.text, begins=begins)
    if word.tag.startswith("NNP") or (not word.text.islower() and (not begins or word.text in first_names())):
        return False
    is_function = text in word_list("function_words")
    if is_function or variant == "function-word":
        return is_function and variant == "function-word"
    if not any(wordnet().morphy(text, pos) for pos in (NOUN, ADJECTIVE)):
        return False
    return word.text.islower() or has_common_sense(text)


def _are_apart(one: Replacement, other: Replacement) -> bool:
    return one.start + len(one.old) <= other.start or other.start + len(other.old) <= one.start


def _write_typo(word: TypoWord, typo: str, text: str, rules: SpellingSwitches) -> Replacement:
    """The replacement of a word by its typo; an empty one if the word is not found."""
    if rules.write_back == "token":
        return Replacement(word.start, word.text, with_capitals(word.text, typo) if rules.capitals else typo)
    capital = word.text.capitalize()
    old, new = (capital, typo.capitalize()) if capital in text else (word.text, typo)
    start = text.find(old)
    return Replacement(start, old, with_capitals(old, new) if rules.capitals else new) if start >= 0 else NOTHING
