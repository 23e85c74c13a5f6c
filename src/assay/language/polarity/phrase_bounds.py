"""The bounds of noun phrases and clauses, by tags and punctuation alone."""

from collections.abc import Sequence
from typing import NamedTuple

from assay.language.numbers.number_words import COUNTING
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged

WORDS = load_words(__file__)

FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
IN_PHRASE = NOUNS | {"JJ", "JJR", "JJS", "CD", "POS", "VBN", "VBG", "DT", "PRP$", "PDT", "RB", "RBR", "RBS", "$", "#"}
"""Tags that occur in a noun phrase up to its head."""
RELATIVE = frozenset({"WDT", "WP", "WP$"})
SUBJECTS = frozenset({"PRP", "DT", "EX", "NNP", "NNPS", "NN", "NNS", "PRP$", "CD", "JJ", "PDT", "WP"})
"""Tags of what a clause begins with."""


class Sentence(NamedTuple):
    """The tokens of one sentence and their tags, as parallel lists."""

    low: tuple[str, ...]
    tags: tuple[str, ...]
    """Penn Treebank tags, corrected where the tagger is often wrong."""

    def phrase_end(self, i: int) -> int:
        """The end of the noun phrase that begins at token `i`, up to its head; `i` if no noun phrase begins there."""
        tags, end, k = self.tags, i, i
        while k < len(tags) and (tags[k] in IN_PHRASE or self._joins(k, end)):
            if tags[k] in ("DT", "PRP$") and end > i:
                break
            if tags[k] in ("VBG", "VBN") and end > i and tags[k - 1] in NOUNS:
                break
            k += 1
            if tags[k - 1] in NOUNS or (tags[k - 1] in ("CD", "DT") and k == i + 1):
                end = k
        return end

    def _joins(self, k: int, end: int) -> bool:
        """True if token `k` joins two adjectives: "big and red dogs", "a big, red dog"."""
        following = self.tags[k + 1] if k + 1 < len(self.tags) else ""
        return self.low[k] in ("and", "or", ",") and end < k and following in ("JJ", "VBN") and k > end

    def of_end(self, end: int) -> int:
        """The end of a noun phrase, including the phrases that "of" attaches to it."""
        while end < len(self.low) and self.low[end] == "of":
            further = self.phrase_end(end + 1)
            if further == end + 1:
                break
            end = further
        return end

    def main_verb(self, i: int) -> int:
        """The finite verb of the subject that ends before token `i`, or -1.

        Verbs of relative clauses in between are skipped.
        """
        open_relatives = 0
        for k in range(i, len(self.low)):
            if self.low[k] in WORDS["hard"]:
                return -1
            if self.is_relative(k):
                open_relatives += 1
            elif self.tags[k] in FINITE and not (self.tags[k - 1] == "MD" or self._continues(k)):
                if not open_relatives:
                    return k
                open_relatives -= 1
        return -1

    def _continues(self, k: int) -> bool:
        """True if the finite verb at `k` is coordinated with an earlier one in the same clause."""
        return k > 0 and self.low[k - 1] in ("and", "or", "but") and self.tags[k] != "MD"

    def is_relative(self, k: int) -> bool:
        """True if token `k` opens a relative clause."""
        if self.tags[k] in RELATIVE and k > 0 and self.tags[k - 1] in NOUNS | {",", "IN", "DT", "PRP"}:
            return True
        following = self.tags[k + 1] if k + 1 < len(self.tags) else ""
        return self.low[k] == "that" and k > 0 and self.tags[k - 1] in NOUNS and following in FINITE | {"RB", "PRP"}

    def clause_start(self, j: int) -> int:
        """The start of the clause that contains token `j`."""
        for k in range(j - 1, -1, -1):
            if self.low[k] in WORDS["hard"] or self._opens(k) or (self.is_relative(k) and not self._is_closed(k, j)):
                return k + 1
        return 0

    def _is_closed(self, k: int, j: int) -> bool:
        """True if a relative clause on the subject has ended before `j`, because the subject's own verb follows it."""
        verbs = [
            n for n in range(k + 1, min(j + 1, len(self.tags))) if self.tags[n] in FINITE and not self._continues(n)
        ]
        return len(verbs) > 1 and not self.has_verb(0, k)

    def has_verb(self, start: int, end: int) -> bool:
        """True if there is a finite verb from `start` to before `end`."""
        return any(tag in FINITE for tag in self.tags[start:end])

    def clause_end(self, j: int) -> int:
        """The end of the clause that contains token `j`."""
        start = self.clause_start(j)
        limit = len(self.low)
        if start > 0 and self.is_relative(start - 1) and not self.has_verb(0, start - 1):
            verbs = [k for k in range(start, limit) if self.tags[k] in FINITE and not self._continues(k)]
            limit = verbs[1] if len(verbs) > 1 else limit  # the verb that the relative clause's noun is the subject of
        for k in range(j + 1, limit):
            if self.low[k] in WORDS["hard"] or (self.low[k] in ".!?" and k == len(self.low) - 1):
                return k
            if self._opens(k) or (self.low[k] == "," and self._opens_after_comma(k)):
                return k
            if self.low[k] in WORDS["joining"] and k + 1 < limit and self.tags[k + 1] in FINITE - {"VBP"}:
                return k
        return limit

    def _opens(self, k: int) -> bool:
        """True if a new clause begins after token `k`."""
        if self.low[k] in WORDS["joining"] or (self.low[k] == "," and not {"and", "or"} & {*self.low[k + 1 : k + 6]}):
            return self._subject_and_verb(k + 1) and self.has_verb(0, k)
        if self.low[k] in WORDS["new_clause"] and (self.tags[k] in ("IN", "CC", "WRB") or self.low[k] in ("if", "so")):
            return self._subject_and_verb(k + 1)
        return False

    def _opens_after_comma(self, k: int) -> bool:
        following = k + 1
        opening = FINITE | {"WDT", "WP"}
        return following < len(self.low) and (
            self.tags[following] in opening or self.low[following] in WORDS["joining"]
        )

    def _subject_and_verb(self, k: int) -> bool:
        """True if a subject with a finite verb begins at token `k`."""
        if k >= len(self.tags):
            return False
        if self.tags[k] in ("PRP", "EX"):
            return any(tag in FINITE for tag in self.tags[k + 1 : k + 4])
        if self.tags[k] not in SUBJECTS:
            return False
        end = self.of_end(self.phrase_end(k))
        return end > k and any(tag in FINITE for tag in self.tags[end : end + 2])


def sentence_of(tokens: Sequence[Tagged]) -> Sentence:
    """A sentence from its tokens.

    >>> words = [("The", "DT"), ("dogs", "NNS"), ("that", "WDT"), ("bark", "VBP"), ("bite", "VBP")]
    >>> sentence = sentence_of([Tagged(text, 0, 0, tag, 0) for text, tag in words])
    >>> sentence.phrase_end(0), sentence.main_verb(2)
    (2, 4)
    """
    low = tuple(each.text.lower() for each in tokens)
    tags = ["CD" if word in COUNTING else each.tag for word, each in zip(low, tokens, strict=True)]
    if not FINITE.intersection(tags):
        tags = _with_verb(low, tags)
    return Sentence(low, tuple(tags))


def _with_verb(low: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Tags with a finite verb restored: taggers take "ate" for a noun, and "sold" for a participle."""
    pasts = wordnet().data.exceptions["v"]
    corrected = ["VBD" if tag == "NN" and word in pasts else tag for word, tag in zip(low, tags, strict=True)]
    if not FINITE.intersection(corrected):
        for k in range(1, len(corrected)):
            if corrected[k] == "VBN" and corrected[k - 1] in NOUNS:
                corrected[k] = "VBD"
                break
    return corrected
