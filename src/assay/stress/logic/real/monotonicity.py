"""Monotonicity in real sentences: a noun gives way to one that covers it, or an adjective is dropped."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.language.numbers.words import COUNTING
from assay.language.resources.loaded import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.language.words.inflection import article_for
from assay.stress.checks.lexical_relations import related
from assay.stress.lexical.lexicon import lexicon
from assay.stress.lexical.places import found_in, written
from assay.stress.logic.real.family import Change, CorpusLogic, joined
from assay.stress.logic.real.words import HEDGES, NOT_A_KIND

CATEGORIES = frozenset({"hypernyms", "drinks", "vegetables", "instruments", "rooms"})
"""Categories of nouns that name kinds of others."""
COLOURS = frozenset({"orange"})
"""Nouns that are adjectives more often."""
NOUN_TAGS = frozenset({"NN", "NNS"})
MEASURES = frozenset({
    *("kind", "sort", "type", "number", "lot", "amount", "range", "variety", "way", "time", "part", "deal", "manner"),
    *("fashion", "level", "degree", "extent", "basis", "terms", "matter", "sense", "thing", "things", "reason"),
})  # fmt: skip
"""Nouns that say little without an adjective."""
BEFORE = frozenset({"DT", "PRP$", "IN", "CD", "POS", "VBG", "VBZ", "VBD", "VBP", "VBN", "VB", "TO", "CC"})
"""Tags of what may stand before an adjective that is dropped."""


class MonotonicityFromCorpus(CorpusLogic, frozen=True, kw_only=True):
    """A noun of a real sentence gives way to one that covers it, or an adjective is dropped; or the other way round.

    `MonotonicityFromCorpus()(pair, rng)` for the premise "No man has an expensive guitar." may make "No man has a
    guitar." its hypothesis, which does not follow.
    """

    per_word_pair: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The most cases of a word pair; 0 for no limit. By default a tenth of all, if there are ten word pairs."""

    family: ClassVar[str] = "monotonicity"
    nothing: ClassVar[Skip] = Skip("no noun with one that covers it, and no adjective that can be dropped")

    def word_pair(self, edit: Edit) -> str:
        """The two words in alphabetical order, or the adjective that is dropped."""
        change = (edit.premise or edit.hypothesis)[-1]
        return "/".join(sorted(filter(None, (change.old.strip().lower(), change.new.lower()))))

    def changes(self, text: str) -> Iterator[Change]:
        """Nouns that another covers, and adjectives before nouns."""
        tokens = analyse(text)
        for found in found_in(tokens, lexicon("")):
            if found.entry.category not in CATEGORIES or not _stands_alone(tokens, found.first, found.last):
                continue
            old = " ".join(token.text for token in tokens[found.first : found.last + 1])
            for new, relation in found.entry.targets:
                category = found.entry.category
                if relation != "broader" or "broader" not in related(old, new, category=category):
                    continue
                if change := written(text, tokens, found, new):
                    yield Change("noun", change, "broader", found.last, category)
        for i in range(1, len(tokens) - 1):
            if can_be_dropped(tokens, i):
                yield Change("adjective", _without(text, tokens, i), "broader", i)


def _stands_alone(tokens: Sequence[Tagged], first: int, last: int) -> bool:
    """Whether a noun is the head of its phrase, and nothing shares its article: "a man and woman"."""
    before = tokens[first - 1] if first else None
    after = tokens[last + 1] if last + 1 < len(tokens) else None
    if tokens[last].tag not in NOUN_TAGS or tokens[last].text.lower() in COLOURS:
        return False
    if after and (after.tag in ("CC", "POS", "JJ", "CD", *NOUN_TAGS) or after.text in ("-", "/")):
        return False
    near = {each.text.lower() for each in tokens[max(0, first - 4) : first]}
    return not (before and before.tag in ("CC", *NOUN_TAGS)) and not near & {"like", "as", "than", "called", "named"}


def can_be_dropped(tokens: Sequence[Tagged], i: int) -> bool:
    """Whether an adjective narrows the noun after it, and nothing else depends on it."""
    word, before, after = tokens[i].text, tokens[i - 1], tokens[i + 1]
    if tokens[i].tag != "JJ" or not (word.islower() and word.isalpha()) or after.tag not in NOUN_TAGS:
        return False
    if before.tag not in BEFORE or before.sentence != tokens[i].sentence or not after.text.islower():
        return False
    if after.text in MEASURES or after.text in COUNTING or (i + 2 < len(tokens) and tokens[i + 2].text == "of"):
        return False
    if word in NOT_A_KIND or word in HEDGES or (i + 2 < len(tokens) and tokens[i + 2].tag in NOUN_TAGS):
        return False
    if before.tag == "CC" or before.text.lower() in ("as", "so", "too", "how", "such", "of"):
        return False
    net = wordnet()
    if not net.synsets(word, "a") or word.endswith(("er", "est")) or net.synsets(word, "n"):
        return False  # "an orange shirt" is one thing, "an orange" another
    nouns = (after.text, *net.morphy(after.text, "n"))
    return not any(f"{word}_{noun}" in net.data.index for noun in nouns)


def _without(text: str, tokens: Sequence[Tagged], i: int) -> tuple[Replacement, ...]:
    """The text without an adjective, with the article that the noun needs."""
    start, end = tokens[i].start, tokens[i + 1].start
    before, noun = tokens[i - 1], tokens[i + 1].text
    article = None
    if before.text.lower() in ("a", "an") and before.text.lower() != article_for(noun):
        article = Replacement(before.start, before.text, before.text[0] + article_for(noun)[1:])
    return joined([article, Replacement(start, text[start:end], "")])
