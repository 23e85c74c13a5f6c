"""A changed word of a lexical case, and what stands around it."""

from collections.abc import Sequence
from functools import cached_property

from assay.language.resources.loaded import wordnet
from assay.language.text.analysis import Tagged, sentence_around

NOUNS = {"NN", "NNS", "NNP", "NNPS"}
BEFORE_NOUN = NOUNS | {"JJ", "JJR", "JJS", "VBG", "VBN", "CD"}
MODIFYING = {"colors", "materials", "nationalities", "countries", "planets", "cardinals", "ordinals"}
"""Categories whose words stand before nouns as adjectives do, or are names."""
DRUNK = {"drink", "drinks", "drinking", "sip", "sips", "sipping"}
THINGS = {"drinks", "instruments", "vegetables"}
"""Categories whose words another noun or a name before them would narrow."""


class Spot:
    """A changed word and what stands around it."""

    def __init__(self, tokens: Sequence[Tagged], first: int, last: int, new: str, category: str) -> None:
        sentence = sentence_around(tokens, first)
        self.tokens = tokens[sentence.start : sentence.stop]
        self._around = (*tokens[:first], *tokens[last + 1 :])
        self.first, self.last = first - sentence.start, last - sentence.start
        self.new = new.lower()
        self.category = category
        self.low = [token.text.lower() for token in self.tokens]

    @cached_property
    def others(self) -> list[str]:
        """All other words of the text, in lower case."""
        return [token.text.lower() for token in self._around]

    @cached_property
    def old(self) -> str:
        """The word that was changed, as written, with single blanks."""
        return " ".join(token.text for token in self.tokens[self.first : self.last + 1])

    @property
    def is_verb(self) -> bool:
        """Whether it is a verb."""
        return self.tokens[self.first].tag.startswith("VB")

    def at(self, j: int) -> str:
        """The token at a place in lower case, empty outside of the sentence."""
        return self.low[j] if 0 <= j < len(self.low) else ""

    def tag_at(self, j: int) -> str:
        """The tag at a place, empty outside of the sentence."""
        return self.tokens[j].tag if 0 <= j < len(self.low) else ""

    def before(self, words: set[str]) -> bool:
        """Whether one of the words stands before the place."""
        return not words.isdisjoint(self.low[: self.first])

    def says(self, phrases: Sequence[str], *, since: int = 0, until: int | None = None) -> bool:
        """Whether one of the phrases stands between two places."""
        text = f" {' '.join(self.low[since:until])} "
        return any(f" {phrase} " in text for phrase in phrases)

    def after_verb(self, lemmas: set[str]) -> bool:
        """Whether one of the verbs stands before the place."""
        return any(
            self.tag_at(j).startswith("VB") and not lemmas.isdisjoint(wordnet().morphy(self.low[j], "v"))
            for j in range(self.first)
        )

    @cached_property
    def phrase(self) -> list[str]:
        """The words from the noun phrase's start to the changed word."""
        j = self.first
        while j > 0 and (self.tag_at(j - 1) in BEFORE_NOUN or self.tag_at(j - 1) in ("DT", "PRP$", "PDT", "RB")):
            j -= 1
        return self.low[j : self.first]

    @cached_property
    def head(self) -> str:
        """The noun that the changed word stands before; empty if it stands before none."""
        j = self.last + 1
        while self.tag_at(j) in BEFORE_NOUN:
            j += 1
        return self.at(j - 1) if j - 1 > self.last and self.tag_at(j - 1) in NOUNS else ""

    @property
    def object_head(self) -> str:
        """The noun that ends the phrase after a verb; empty if none follows."""
        j = self.last + 1
        while self.tag_at(j) in BEFORE_NOUN or self.tag_at(j) in ("DT", "PRP$"):
            j += 1
        return self.at(j - 1) if j - 1 > self.last else ""

    @cached_property
    def subject(self) -> list[str]:
        """The words before the sentence's first verb; all if it has none."""
        verbs = (j for j in range(len(self.low)) if self.tag_at(j) in ("VBZ", "VBP", "VBD", "MD", "VBG"))
        return self.low[: next(verbs, len(self.low))]

    @cached_property
    def verbs_before(self) -> set[str]:
        """The lemmas of words before the place that may be verbs."""
        return {lemma for word in self.low[: self.first] for lemma in wordnet().morphy(word, "v")}

    @property
    def is_generic(self) -> bool:
        """Whether the sentence tells what some kind of things is or has: "Dogs have tails"."""
        j = 0
        while self.tag_at(j) in ("JJ", "NN"):
            j += 1
        if self.tag_at(j) not in ("NNS", "NNPS"):
            return False
        says = self.at(j + 1) in ("are", "have") and self.tag_at(j + 2) not in ("VBG", "VBN")
        return says or self.at(j + 1) == "need"

    @property
    def is_in_compound(self) -> bool:
        """Whether it is a noun that names a thing together with the noun beside it: "tea kettle", "bass cello"."""
        if self.category in MODIFYING or self.tag_at(self.last) not in NOUNS:
            return False
        index = wordnet().data.index
        adjective = "a" in index.get(self.old.lower(), ()) or "s" in index.get(self.old.lower(), ())
        before_noun = self.tag_at(self.last + 1) in NOUNS and not adjective
        if self.category == "drinks" and self.at(self.last + 1) in ("can", "cans"):
            return True  # taggers take "beer can" for a noun and a verb
        drunk = self.at(self.first - 1) in DRUNK and self.at(self.last) != "water"  # often tagged as a noun
        if self.category == "drinks" and drunk and not before_noun:
            return False
        named = self.tag_at(self.first - 1) in NOUNS or (self.first > 1 and self.is_capital(self.first - 1))
        return before_noun or (self.category in THINGS and named)

    def is_capital(self, j: int) -> bool:
        """Whether the token at a place begins with a capital."""
        return 0 <= j < len(self.low) and self.tokens[j].text[:1].isupper()
