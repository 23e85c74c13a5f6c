"""A word in its sentence: the clause, the noun phrase and the verb that it belongs to."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, lower_words, sentence_around

WORDS = load_words(__file__)

NEGATIONS = WORDS["negations"]
NOT = {"not", "n't", "n\u2019t"}
WISHED = WORDS["wished"]
BREAKS = WORDS["breaks"]

BE = WORDS["be"]
LINKS = BE | WORDS["links"]
BASE_LINKS = WORDS["base_links"]
HAS = {"has", "have", "had", "'ve", "\u2019ve"}
LIES = WORDS["lies"]

THE = WORDS["the"]
POINTING = {"this", "that", "these", "those"}
INDEFINITE = {"a", "an"}

FINITE = {"VBZ", "VBD", "VBP", "MD"}
NOUNS = {"NN", "NNS", "NNP", "NNPS"}
PLURALS = {"NNS", "NNPS"}
BEFORE_NOUN = NOUNS | {"JJ", "JJR", "JJS", "VBG", "VBN", "CD"}
ADVERBS = {"RB", "RBR", "RBS"}
DESCRIBING = {"JJ", "JJR", "JJS", "VBN", "VBG"}


Kind = Literal[
    "descriptive", "predicate", "after be", "person", "spouse", "noun", "happening", "amount", "place", "event"
]
"""Kinds of contrasts; the kind determines where a contrast holds."""


WHERE = WORDS["where"]
DOINGS = {29, 33, 34, 35, 36, 38}
"""WordNet's files of verbs for what bodies do: care, compete, eat, touch, make and move."""
IN_OBJECT = NOUNS | DESCRIBING | {"DT", "PRP", "PRP$", "POS", "CD"}
LONGEST_OBJECT = 5
LIKE_ADVERBS = {("kind", "of"), ("sort", "of"), ("a", "bit")}


class WordContrast(NamedTuple):
    """Two words that exclude each other."""

    kind: Kind
    new: str
    """The replacement, in lower case."""
    words: frozenset[str]
    """All words that would spoil the contrast if they occurred elsewhere in the text."""
    exhaustive: bool
    """True if one of the two words must apply, so that they exclude each other even when negated."""


class SentenceContext:
    """The tokens of the sentence around a place."""

    def __init__(self, tokens: Sequence[Tagged], i: int) -> None:
        sentence = sentence_around(tokens, i)
        self.tokens = tokens[sentence.start : sentence.stop]
        self.i = i - sentence.start
        self.low = [token.text.lower() for token in self.tokens]

    def at(self, j: int) -> str:
        """The word at position `j` in lower case; empty outside the sentence."""
        return self.low[j] if 0 <= j < len(self.low) else ""

    def tag_at(self, j: int) -> str:
        """The tag at position `j`; empty outside the sentence."""
        return self.tokens[j].tag if 0 <= j < len(self.low) else ""

    def skip(self, j: int, tags: AbstractSet[str], step: int = 1) -> int:
        """The first place, from one on or back from it, whose tag is none of these."""
        while self.tag_at(j) in tags:
            j += step
        return j


class TokenContext(SentenceContext):
    """A word in its text, with cached properties, each computed in time linear in the sentence."""

    def __init__(self, text: str, tokens: Sequence[Tagged], i: int, contrast: WordContrast) -> None:
        super().__init__(tokens, i)
        self.text = text
        self.all_tokens = tokens
        self.number = i
        self.in_text = lower_words(text)
        self.contrast = contrast
        self.kind = contrast.kind
        self.word = self.low[self.i]
        self.tag = self.tokens[self.i].tag

    @classmethod
    def of(cls, text: str, tokens: Sequence[Tagged], i: int, new: str) -> "TokenContext":
        """The context of a word that is replaced, with its part of speech as the only kind."""
        old, tag = tokens[i].text.lower(), tokens[i].tag
        kind: Kind = "noun" if tag in NOUNS else "descriptive" if tag.startswith("JJ") else "event"
        return cls(text, tokens, i, WordContrast(kind, new.lower(), frozenset((old, new.lower())), exhaustive=False))

    @cached_property
    def clause(self) -> range:
        """The range of the word's clause: between two breaks, extended until it contains a finite verb."""
        start = end = self.i
        stop = next((j for j in range(self.i, len(self.low)) if self.low[j] in BREAKS), len(self.low))
        while start > 0 and not (self._breaks(start - 1) and self.has_verb(start, stop)):
            start -= 1
        while end < len(self.low) and not (self.low[end] in BREAKS and self.has_verb(start, end)):
            end += 1
        return range(start, end)

    def _breaks(self, j: int) -> bool:
        """True if a clause may begin after token `j`: not after the "and" of a list, nor after the "so" of "so hot"."""
        if self.low[j] == "so":
            return self.tag_at(j + 1) not in DESCRIBING | ADVERBS
        if self.low[j] != "and":
            return self.low[j] in BREAKS
        # In "nobody says that tea and coffee are good", what is said has no verb yet at "and".
        return self.has_verb(self._said_from[j], j)

    @cached_property
    def _said_from(self) -> list[int]:
        """For each position, the last "that" up to it that begins reported content; 0 if there is none."""
        begins = (j if self.low[j] == "that" and self.tokens[j].tag == "IN" else 0 for j in range(len(self.low)))
        return list(accumulate(begins, max))

    @cached_property
    def _verbs_before(self) -> list[int]:
        """For each position, and for the end, the number of finite verbs before it."""
        return [0, *accumulate(token.tag in FINITE for token in self.tokens)]

    def has_verb(self, start: int, stop: int) -> bool:
        """True if there is a finite verb from `start` to before `stop`."""
        return start < stop and self._verbs_before[start] < self._verbs_before[stop]

    def before(self, words: AbstractSet[str]) -> bool:
        """True if any of `words` occurs earlier in the same clause than the token."""
        return any(self.low[j] in words for j in range(self.clause.start, self.i))

    def after(self, words: AbstractSet[str]) -> bool:
        """True if any of `words` occurs later in the same clause than the token."""
        return any(self.low[j] in words for j in range(self.i + 1, self.clause.stop))

    def over_adverbs(self, j: int) -> int:
        """The first position at or before `j` without an adverb; "kind of" and "a bit" count as adverbs."""
        while self.tag_at(j) in ADVERBS or (self.at(j - 1), self.at(j)) in LIKE_ADVERBS:
            j -= 1 if self.tag_at(j) in ADVERBS else 2
        return j

    @cached_property
    def left(self) -> int:
        """The position before the word and its adverbs."""
        return self.over_adverbs(self.i - 1)

    @cached_property
    def determiner(self) -> int:
        """The position before the noun phrase's adjectives and nouns: its article, if it has one."""
        j = self.i - 2 if self._joins(self.i - 1) else self.i - 1
        while self.tag_at(j) in BEFORE_NOUN | ADVERBS and self.at(j) not in THE:
            if self.tag_at(j) == "VBG" and self.at(self.over_adverbs(j - 1)) in LINKS | BASE_LINKS:
                break  # "is planning new rooms"
            if self.at(j) in BASE_LINKS:
                break
            j -= 2 if self._joins(j - 1) else 1
        return j

    @property
    def first(self) -> int:
        """The position where the noun phrase's adjectives, numbers and nouns begin."""
        return self.determiner + 1

    def _joins(self, j: int) -> bool:
        """True if a comma or "and" at `j` joins two adjectives: "a short, fat man"."""
        after = j + 1 + (self.tag_at(j + 1) in ADVERBS)
        joined = self.at(j) in (",", "and", "but") and self.tag_at(j - 1) == self.tag_at(after) == "JJ"
        if not joined or self.at(j) != ",":
            return joined
        # In "it was late, small shops closed", the comma ends a clause.
        return self.tag_at(self.skip(j - 1, DESCRIBING | ADVERBS | {","}, -1)) in ("DT", "PRP$", "POS", "CD")

    @cached_property
    def head(self) -> int:
        """The noun that the adjective precedes, or -1."""
        j = self.i + 1
        if self.kind == "after be" and self.tag_at(j) == "NNP" and self.links(self.left):
            return -1  # "I am glad Ann is here"
        while self.tag_at(j) in BEFORE_NOUN or self._joins(j):
            j += 1
        has_noun = j - 1 > self.i and (self.tag_at(j - 1) in NOUNS or self.at(j - 1) in ("one", "ones"))
        return j - 1 if has_noun else -1

    @property
    def is_noun(self) -> bool:
        """True if the contrast is between nouns."""
        return self.kind in ("person", "spouse", "noun", "happening")

    @property
    def is_person(self) -> bool:
        """True if the contrast is between persons."""
        return self.kind in ("person", "spouse")

    @cached_property
    def is_alone(self) -> bool:
        """True if the word is an adjective without a noun after it."""
        return not self.is_noun and self.kind not in ("amount", "event") and self.head < 0

    @cached_property
    def is_compound(self) -> bool:
        """True if the adjective may belong to the first of two nouns: "small group tutoring"."""
        return self.tag_at(self.i + 1) in NOUNS and self.head > self.i + 1

    @cached_property
    def is_known(self) -> bool:
        """True if the noun phrase is definite: "the old man", "my wife"."""
        known = self.kind in ("descriptive", "person", "spouse", "place") and not self.is_alone
        return known and self.defines(self.determiner)

    @cached_property
    def verb(self) -> int:
        """The nearest finite verb of the clause, before the word or else after it; -1 if there is none."""
        before = range(self.i - 1, self.clause.start - 1, -1)
        after = range(self.i + 1, self.clause.stop)
        return next((j for j in (*before, *after) if self.tag_at(j) in FINITE), -1)

    @cached_property
    def happened(self) -> bool:
        """True if the nearest finite verb is in the past."""
        if self.tag_at(self.verb) == "VBD":
            return True
        done = next((j for j in range(self.i - 1, self.clause.start, -1) if self.tag_at(j) in FINITE), -1)
        return self.at(done) in HAS and self.tag_at(done + 1) in ADVERBS | {"VBN"}

    @cached_property
    def is_event(self) -> bool:
        """True if the sentence is about one occasion: a past or ongoing event, or the scene of a caption."""
        return self.happened or self.is_caption or self._goes_on

    @cached_property
    def is_caption(self) -> bool:
        """True if the sentence describes a scene without a finite verb: "a man sitting on a bench"."""
        if self._verbs_before[-1] or self.tag_at(0) not in ("DT", "CD"):
            return False
        return any(token.tag == "VBG" for token in self.tokens[2:])

    @property
    def _goes_on(self) -> bool:
        """True if the verb describes a present action or position: "is singing", "is on the roof", "climbs a tree"."""
        following = self.skip(self.verb + 1, ADVERBS)
        if self.at(self.verb) in BE:
            return self.tag_at(following) == "VBG" or self.at(following) in WHERE
        if self.tag_at(self.verb) not in ("VBZ", "VBP"):
            return False
        lemma = next(iter(wordnet().morphy(self.at(self.verb), "v")), "")
        senses = wordnet().synsets(lemma, "v")
        return bool(senses) and senses[0].file in DOINGS

    @cached_property
    def predicate(self) -> int:
        """The finite verb that says the word, or the noun phrase that it is in, of a subject; -1 if none does."""
        return self._find_verb(self._before_phrase()) if self.kind != "event" else -1

    @property
    def is_predicate(self) -> bool:
        """True if a verb says the word, or the noun phrase that it is in, of a subject."""
        return self.predicate >= 0

    def _before_phrase(self) -> int:
        """The position before the adjective with its adverbs, or before the noun phrase with its article."""
        if self.is_alone:
            superlative = self.at(self.left) == "the" and self.tag == "JJS"
            return self.left - 1 if superlative else self.left
        j = self.determiner
        if self.at(j) in INDEFINITE or self.defines(j):
            j = self.skip(j - 1, NOUNS | {"DT", "JJ"}, -1) if self.tag_at(j) == "POS" else j - 1
        elif any(self.tag_at(k) in ("VBN", "VBG") for k in range(j + 1, self.i)):
            return -1  # "are asking for longer nights"
        if self.at(j) == "of" and self.at(j - 1) == "one":
            j -= 2
        elif self.at(j) == "among":
            j -= 1
        return j if self.at(j) in WORDS["particles"] else self.over_adverbs(j)

    def _find_verb(self, j: int) -> int:
        """The finite verb whose predicate begins after token `j`, or -1."""
        while self.at(j) in ("and", ",", "but", "yet") and self.is_alone:  # "large and empty": both are said
            j -= self.at(j - 1) == ","
            if self.tag_at(j - 1) not in DESCRIBING:
                return -1
            j = self.over_adverbs(j - 2)
        if self.at(j) in WORDS["becomes"] and not self.is_alone:
            return -1
        if self.links(j) or (self.at(j) in WORDS["becomes"] and self.tag_at(j) in FINITE):
            return j
        if self.at(j) in BASE_LINKS:
            helper = self.over_adverbs(j - 1)
            if self.at(helper) == "to":
                helper = self.over_adverbs(helper - 1)
                return helper if self.at(helper) in LINKS | WORDS["appears"] else -1
            return helper if self.at(helper) in (BE if self.at(j) == "being" else WORDS["helpers"]) else -1
        return self._find_making_verb(j) if self.is_alone else -1

    def _find_making_verb(self, j: int) -> int:
        """The verb of "made the road safe", searched from the end of its object."""
        start = j
        while start - j < LONGEST_OBJECT and self.tag_at(j) in IN_OBJECT and self.at(j) not in WORDS["makes"]:
            j -= 1
        return j if j < start and self.at(j) in WORDS["makes"] and self.tag_at(j) in FINITE else -1

    def links(self, j: int) -> bool:
        """True if token `j` is a linking verb."""
        return self.at(j) in LINKS and self.tag_at(j) != "POS"

    def defines(self, j: int) -> bool:
        """True if token `j` marks a definite noun phrase."""
        return (self.at(j) in THE and self.tag_at(j) not in ("IN", "WDT", "RB")) or self.tag_at(j) in ("PRP$", "POS")

    def file(self, j: int) -> int:
        """The number of the WordNet file of a noun's most frequent sense; -1 if it has none."""
        # "eyes" and "hands" have entries of their own in WordNet, which are no parts of a body
        noun = noun_lemma(self.at(j)) if self.tag_at(j) in PLURALS else self.at(j)
        senses = wordnet().synsets(noun, "n") if j >= 0 else ()
        return senses[0].file if senses else -1


def noun_lemma(form: str) -> str:
    """The lemma of a noun."""
    return (wordnet().morphy(form, "n") or (form,))[-1]


ARTEFACT, OBJECT, PLANT, SPOT = 6, 17, 20, 15
SOLID = {ARTEFACT, OBJECT, PLANT, 5, 8}
"""WordNet's files of things that stand in a place: artefacts, natural objects, plants, animals, body parts."""
PERSON = ("person.n.01", "people.n.01")
