"""Relations of two words, found independently of the builder, and the context of a changed word."""

import re
from collections.abc import Sequence, Set
from functools import cache, cached_property, lru_cache

from assay.core.edit import Skip
from assay.language.numbers.number_words import SCALES, value_of
from assay.language.resources.data import load_words, table, word_pairs
from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import ANTONYM, HYPERNYM, ORDER, SIMILAR, Synset
from assay.language.text.analysis import Tagged
from assay.language.words.categories import Relation, load_categories, read_arrows
from assay.language.words.wordnet_relations import synsets_over
from assay.stress.contexts.token_context import BEFORE_NOUN, NOUNS, SentenceContext

WORDS = load_words(__file__)

UNRELATED = Skip("not verified: no second source confirms the relation of the two words")
ROOTS = table("category_roots", __file__)
"""The synsets above the words of a category; two of them exclude each other, unless one is above the other."""

DERIVED = ("\\", "+")
"""WordNet's symbols for what an adjective is made from: "Italian" from Italy."""

FAR = 8
"""Edges of the longest path to a hypernym."""
COMMON = 4
"""Senses of a word that are common enough to be meant."""
ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
_ORDINAL_DIGITS = re.compile(r"(\d+)(?:st|nd|rd|th)")


def find_relation(old: str, new: str, *, category: str, verb: bool = False, own: str = "") -> tuple[Relation, ...]:
    """Possible relations of the new word to the old one in a category; empty if nothing shows one.

    A category that only a user's own text has is taken at its word.
    """
    return _find_related(old.lower(), new.lower(), category, verb, own)


@lru_cache(maxsize=1 << 15)
def _find_related(old: str, new: str, category: str, verb: bool, own: str) -> tuple[Relation, ...]:
    if category not in load_categories():
        return _find_stated(old, new, category, own)
    if value := VALUES.get(category):
        one, other = value(old), value(new)
        return () if one is None or other is None else ("same" if one == other else "exclusive",)
    if category in ROOTS:
        relation = _relate_compound(old, new) or _under_root(old, new, category)
        return (relation,) if relation and not (relation == "exclusive" and is_listed(old, new, "overlapping")) else ()
    if category == "synonyms":
        return ("same",) if _share_sense(old, new) or is_listed(old, new, "equivalents") else _relate_by_order(old, new)
    if category == "hypernyms":
        return _relate_by_order(old, new)
    listed = is_listed(old, new, "contraries_of_verbs" if verb else "contraries")
    opposed = listed or (category == "antonyms" and _are_opposed(old, new))
    return ("exclusive",) if opposed and not _share_sense(old, new, most=1) else ()


def _find_stated(old: str, new: str, category: str, own: str) -> tuple[Relation, ...]:
    listed = load_categories(own).get(category)
    return tuple(
        arrow.relation
        for words in (listed.sets if listed else ())
        for entry in words.entries
        for arrow in read_arrows(entry)
        if lemmas_of(arrow.old.lower()) & lemmas_of(old) and lemmas_of(arrow.new.lower()) & lemmas_of(new)
    )


def _read_cardinal(word: str) -> int | None:
    if word.isdecimal():
        return int(word)
    return SCALES.get(word.removesuffix("s"), value_of(word)) if re.fullmatch(r"[a-z -]+", word) else None


def _read_ordinal(word: str) -> int | None:
    if digits := _ORDINAL_DIGITS.fullmatch(word):
        return int(digits[1])
    if word in ORDINALS:
        return ORDINALS[word]
    stem = word.removesuffix("th")
    return value_of(stem.removesuffix("ie") + "y" if stem.endswith("ie") else stem) if stem != word else None


VALUES = {"cardinals": _read_cardinal, "ordinals": _read_ordinal}
"""Readers of the words of number categories."""


def _relate_compound(old: str, new: str) -> Relation | None:
    """The relation of a compound to its head: an electric guitar is a guitar."""
    if old.endswith(f" {new}"):
        return "broader"
    return "narrower" if new.endswith(f" {old}") else None


def _under_root(old: str, new: str, category: str) -> Relation | None:
    mine, theirs = _find_senses(old, category), _find_senses(new, category)
    if not mine or not theirs:
        return None
    if set(mine) & set(theirs) or is_listed(old, new, "equivalents"):
        return "same"
    if any(one in synsets_over(other) for one in mine for other in theirs):
        return "narrower"
    if any(other in synsets_over(one) for one in mine for other in theirs):
        return "broader"
    return "exclusive"


@cache
def _find_senses(word: str, category: str) -> tuple[str, ...]:
    """The names of the senses below the first root that has any, of the word or of its base form."""
    lookup = wordnet()
    lemma = word.removeprefix("the ").replace(" ", "_")
    senses = [*lookup.synsets(lemma, "n"), *lookup.synsets(lemma.removesuffix("en"), "n")]  # "wooden"
    adjectives = lookup.synsets(lemma, "a")
    senses += [each for sense in adjectives for symbol in DERIVED for each in lookup.related(sense, symbol)]
    most = 1 if category in ("countries", "nationalities") else COMMON  # America is also two continents
    for root in ROOTS[category]:
        if found := [sense.name for sense in senses if root in synsets_over(sense.name)]:
            return tuple(found[:most])
    return ()


@cache
def lemmas_of(word: str) -> frozenset[str]:
    """Possible lemmas of a form; of a phrase, the first or the last word is taken to be inflected."""
    lookup = wordnet()
    lemmas = {word}
    first, _, rest = word.partition(" ")
    start, _, last = word.rpartition(" ")
    for pos in ORDER:
        lemmas.update(lookup.morphy(word.replace(" ", "_"), pos))
        lemmas.update(f"{lemma} {rest}" for lemma in (lookup.morphy(first, pos) if rest else ()))
        lemmas.update(f"{start} {lemma}" for lemma in (lookup.morphy(last, pos) if start else ()))
    return frozenset(each.replace("_", " ") for each in lemmas)


def is_listed(old: str, new: str, name: str) -> bool:
    """True if a list of pairs has two words, in any of their forms."""
    pairs = word_pairs(name, __file__)
    return any((one, other) in pairs for one in lemmas_of(old) for other in lemmas_of(new))


def _common_senses(word: str, most: int = COMMON) -> list[Synset]:
    """The `most` most frequent senses of a word, for every part of speech."""
    lemma = word.replace(" ", "_")
    return [sense for pos in ORDER for sense in wordnet().synsets(lemma, pos)[:most]]


def _share_sense(old: str, new: str, most: int = COMMON) -> bool:
    """True if the two words share a frequent sense."""
    mine, theirs = ({sense.name for sense in _common_senses(word, most)} for word in (old, new))
    return not mine.isdisjoint(theirs)


def _relate_by_order(old: str, new: str) -> tuple[Relation, ...]:
    """The relation if one word is above the other in a frequent sense."""
    mine, theirs = _common_senses(old), _common_senses(new)
    if any(0 < synsets_over(one.name).get(other.name, 0) <= FAR for one in mine for other in theirs):
        return ("broader",)
    if any(0 < synsets_over(other.name).get(one.name, 0) <= FAR for one in mine for other in theirs):
        return ("narrower",)
    return ()


def _are_opposed(old: str, new: str) -> bool:
    """True if the two words, or words close to them, are antonyms in WordNet."""
    theirs = {sense.name for sense in _near_senses(new)}
    return any(target.name in theirs for sense in _near_senses(old) for target in wordnet().related(sense, ANTONYM))


def _near_senses(word: str) -> list[Synset]:
    """Its common senses, with the adjective that one is like, or what a verb or noun is directly a kind of."""
    related = wordnet().related
    return [
        near for sense in _common_senses(word) for near in (sense, *related(sense, SIMILAR), *related(sense, HYPERNYM))
    ]


class ChangedWord(SentenceContext):
    """A changed word and the words around it."""

    def __init__(self, tokens: Sequence[Tagged], first: int, last: int, new: str, category: str) -> None:
        super().__init__(tokens, first)
        self._around = (*tokens[:first], *tokens[last + 1 :])
        self.first, self.last = self.i, self.i + last - first
        self.new = new.lower()
        self.category = category

    @cached_property
    def others(self) -> list[str]:
        """All other words of the text, in lower case."""
        return [token.text.lower() for token in self._around]

    @cached_property
    def old(self) -> str:
        """The changed word as written, with single blanks."""
        return " ".join(token.text for token in self.tokens[self.first : self.last + 1])

    @property
    def is_verb(self) -> bool:
        """True if it is a verb."""
        return self.tokens[self.first].tag.startswith("VB")

    def before(self, words: Set[str]) -> bool:
        """True if one of the words comes before the changed word."""
        return not words.isdisjoint(self.low[: self.first])

    def says(self, phrases: Sequence[str], *, since: int = 0, until: int | None = None) -> bool:
        """True if one of the phrases occurs between two positions."""
        text = f" {' '.join(self.low[since:until])} "
        return any(f" {phrase} " in text for phrase in phrases)

    def after_verb(self, lemmas: Set[str]) -> bool:
        """True if one of the verbs comes before the changed word."""
        verbs = (self.low[j] for j in range(self.first) if self.tag_at(j).startswith("VB"))
        return any(not lemmas.isdisjoint(wordnet().morphy(verb, "v")) for verb in verbs)

    @cached_property
    def phrase(self) -> list[str]:
        """The words from the noun phrase's start to the changed word."""
        start = self.skip(self.first - 1, BEFORE_NOUN | {"DT", "PRP$", "PDT", "RB"}, -1) + 1
        return self.low[start : self.first]

    @cached_property
    def head(self) -> str:
        """The noun that the changed word precedes; empty if there is none."""
        noun = self.skip(self.last + 1, BEFORE_NOUN) - 1
        return self.at(noun) if noun > self.last and self.tag_at(noun) in NOUNS else ""

    @property
    def object_head(self) -> str:
        """The last noun of the phrase after a verb; empty if none follows."""
        end = self.skip(self.last + 1, BEFORE_NOUN | {"DT", "PRP$"}) - 1
        return self.at(end) if end > self.last else ""

    @cached_property
    def subject(self) -> list[str]:
        """The words before the sentence's first verb; all if it has none."""
        verbs = (j for j in range(len(self.low)) if self.tag_at(j) in ("VBZ", "VBP", "VBD", "MD", "VBG"))
        return self.low[: next(verbs, len(self.low))]

    @cached_property
    def verbs_before(self) -> set[str]:
        """The lemmas of possible verbs before the changed word."""
        return {lemma for word in self.low[: self.first] for lemma in wordnet().morphy(word, "v")}

    @property
    def is_generic(self) -> bool:
        """True if the sentence describes a kind in general: "Dogs have tails"."""
        j = self.skip(0, {"JJ", "NN"})
        if self.tag_at(j) not in ("NNS", "NNPS"):
            return False
        says = self.at(j + 1) in ("are", "have") and self.tag_at(j + 2) not in ("VBG", "VBN")
        return says or self.at(j + 1) == "need"

    @property
    def is_in_compound(self) -> bool:
        """True if the noun forms a compound with the noun next to it: "tea kettle", "bass cello"."""
        if self.category in WORDS["modifying"] or self.tag_at(self.last) not in NOUNS:
            return False
        index = wordnet().data.index
        adjective = "a" in index.get(self.old.lower(), ()) or "s" in index.get(self.old.lower(), ())
        before_noun = self.tag_at(self.last + 1) in NOUNS and not adjective
        if self.category == "drinks" and self.at(self.last + 1) in ("can", "cans"):
            return True  # taggers take "beer can" for a noun and a verb
        drunk = self.at(self.first - 1) in WORDS["drunk"] and self.at(self.last) != "water"  # often tagged as a noun
        if self.category == "drinks" and drunk and not before_noun:
            return False
        named = self.tag_at(self.first - 1) in NOUNS or (self.first > 1 and self.is_capital(self.first - 1))
        return before_noun or (self.category in WORDS["narrowed"] and named)

    def is_capital(self, j: int) -> bool:
        """True if the token at position `j` is capitalised."""
        return 0 <= j < len(self.low) and self.tokens[j].text[:1].isupper()
