"""Monotonicity in real sentences: a noun is replaced with a more general one, or an adjective is dropped."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.language.numbers.number_words import COUNTING
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.language.words.inflection import article_for
from assay.stress.lexical.lexical_relations import find_relation
from assay.stress.lexical.replacements import found_in, load_lexicon, write_replacement
from assay.stress.logic.from_corpus.corpus_family import (
    DenyingLogic,
    OfferedCase,
    SentenceChange,
    combine_changes,
    join_replacements,
    make_form,
)
from assay.stress.logic.from_corpus.denial import DeniedSentence
from assay.stress.logic.from_corpus.doubts import HEDGES, NOT_A_KIND

WORDS = load_words(__file__)

NOUN_TAGS = frozenset({"NN", "NNS"})
THINGS = frozenset({4, 5, 6, 8, 10, 11, 13, 14, 15, 17, 18, 20})
"""WordNet's files of nouns that say enough without an adjective: not those for attributes and states ("a feel")."""
BEFORE = frozenset({"DT", "PRP$", "IN", "CD", "POS", "VBG", "VBZ", "VBD", "VBP", "VBN", "VB", "TO", "CC"})
"""Tags that may come before a dropped adjective."""


ALIKE, OPPOSED = (tuple(map(make_form, WORDS.ordered(name))) for name in ("alike", "opposed"))


class MonotonicityFromCorpus(DenyingLogic, frozen=True, kw_only=True):
    """Replaces a noun of a real sentence with a more general one, drops an adjective, or does the reverse.

    `MonotonicityFromCorpus()(pair, rng)` for the premise "A man has sold an expensive guitar." may make "No man has
    sold a guitar." its hypothesis, which contradicts it.
    """

    per_word_pair: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Limit on cases of a word pair; 0 for no limit. By default a tenth of all, if there are ten word pairs."""

    family: ClassVar[str] = "monotonicity"
    nothing: ClassVar[Skip] = Skip("no noun with a more general noun, and no adjective that can be dropped")

    def word_pair(self, edit: Edit) -> str:
        """The two words in their forms, or the adjective that is dropped."""
        return edit.facts["words"]

    def changes(self, text: str) -> Iterator[SentenceChange]:
        """Nouns with a more general noun, and adjectives before nouns."""
        tokens = analyse(text)
        for entry in found_in(tokens, load_lexicon(""), WORDS["categories"]):
            if not _stands_alone(tokens, entry.first, entry.last):
                continue
            old = " ".join(token.text for token in tokens[entry.first : entry.last + 1])
            category = entry.entry.category
            for new, relation in entry.entry.targets:
                if relation != "broader" or not _is_said(tokens, entry.first, new):
                    continue
                if "broader" not in find_relation(old, new, category=category):
                    continue
                if change := write_replacement(text, tokens, entry, new):
                    words = f"{old}/{change[-1].new}".lower()
                    yield SentenceChange("noun", change, entry.last, category=category, words=words)
        for i in range(1, len(tokens) - 1):
            if can_be_dropped(tokens, i):
                yield SentenceChange("adjective", _drop_adjective(text, tokens, i), i, words=tokens[i].text)

    def deny_change(self, change: SentenceChange, denies: DeniedSentence) -> OfferedCase:
        """The sentence, its edited copy, and the denials of both."""
        texts = {
            "specific": (),
            "general": change.replacements,
            "-specific": denies.replacements,
            "-general": combine_changes(change.replacements, denies),
        }
        longer = any(each.new.count(" ") != each.old.count(" ") for each in change.replacements)
        # if both made a text longer or shorter, lengths would tell which of them is denied
        forms = ALIKE if longer and denies.by else (*ALIKE, *OPPOSED)
        return OfferedCase(change, texts, forms, one_place=True)


def _is_said(tokens: Sequence[Tagged], first: int, new: str) -> bool:
    """True if the more general noun is usual in this context."""
    article = first > 0 and tokens[first - 1].text.lower() in ("a", "an")
    return new not in WORDS["stilted"] and not ((article or tokens[first].tag == "NNS") and new in WORDS["uncounted"])


def _stands_alone(tokens: Sequence[Tagged], first: int, last: int) -> bool:
    """True if a noun is the head of its phrase, and does not share its article: not "a man and woman"."""
    before = tokens[first - 1] if first else None
    after = tokens[last + 1] if last + 1 < len(tokens) else None
    if tokens[last].tag not in NOUN_TAGS or tokens[last].text.lower() in WORDS["doubtful"]:
        return False
    if after and (after.tag in ("CC", "POS", "JJ", "CD", *NOUN_TAGS) or after.text in ("-", "/")):
        return False
    near = {each.text.lower() for each in tokens[max(0, first - 4) : first]}
    if tokens[last].tag == "NN" and not _has_article(tokens, first):
        return False  # "plays guitar", but not "plays instrument"
    if near & WORDS["unreal"] or near & NOT_A_KIND - WORDS["counts"]:
        return False
    return not (before and before.tag in ("CC", *NOUN_TAGS)) and not near & {"like", "as", "than", "called", "named"}


def _has_article(tokens: Sequence[Tagged], first: int) -> bool:
    j = first - 1
    while j > 0 and tokens[j].tag in ("JJ", "VBN", "VBG", "RB", *NOUN_TAGS):
        j -= 1
    return j >= 0 and tokens[j].text.lower() in WORDS["articles"]


def can_be_dropped(tokens: Sequence[Tagged], i: int) -> bool:
    """True if an adjective narrows the noun after it, and nothing else depends on it."""
    word, before, after = tokens[i].text, tokens[i - 1], tokens[i + 1]
    if tokens[i].tag != "JJ" or not (word.islower() and word.isalpha()) or after.tag not in NOUN_TAGS:
        return False
    if before.tag not in BEFORE or before.sentence != tokens[i].sentence or not after.text.islower():
        return False
    if after.text in WORDS["measures"] or after.text in COUNTING:
        return False
    if i + 2 < len(tokens) and tokens[i + 2].text == "of":
        return False
    if word in WORDS["unreal"] or WORDS["having"].intersection(each.text.lower() for each in tokens[max(0, i - 2) : i]):
        return False  # "a stone lion"; "has a landscape" says nothing
    if after.tag == "NNS" and before.text.lower() == "in":
        return False  # "in dire straits"
    if word in WORDS["childish"] and after.text in WORDS["children"]:
        return False
    if word in NOT_A_KIND or word in HEDGES or (i + 2 < len(tokens) and tokens[i + 2].tag in NOUN_TAGS):
        return False
    if before.tag == "CC" or before.text.lower() in ("as", "so", "too", "how", "such", "of"):
        return False
    article = before.text.lower() in ("a", "an") and (i < 2 or tokens[i - 2].tag != "CC")  # "an old and a new part"
    if after.tag == "NN" and not article:
        return False  # "in stark contrast" is not "in contrast"
    net = wordnet()
    nouns = net.synsets(after.text, "n")
    if not nouns or nouns[0].file not in THINGS or (net.morphy(word, "v") and before.tag != "DT"):
        return False
    if not net.synsets(word, "a") or word.endswith(("er", "est")) or net.synsets(word, "n"):
        return False  # "an orange shirt" is one thing, "an orange" another
    return not any(f"{word}_{noun}" in net.data.index for noun in (after.text, *net.morphy(after.text, "n")))


def _drop_adjective(text: str, tokens: Sequence[Tagged], i: int) -> tuple[Replacement, ...]:
    """The text without an adjective, with the article that the noun needs."""
    start, end = tokens[i].start, tokens[i + 1].start
    before, noun = tokens[i - 1], tokens[i + 1].text
    article = None
    if before.text.lower() in ("a", "an") and before.text.lower() != article_for(noun):
        article = Replacement(before.start, before.text, before.text[0] + article_for(noun)[1:])
    return join_replacements([article, Replacement(start, text[start:end], "")])
