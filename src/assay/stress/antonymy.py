"""Antonymy (Naik et al. 2018): a noun or an adjective gives way to its antonym, and the sentence contradicts itself."""

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import ClassVar, Literal, NamedTuple

import msgspec

from assay.core.case import text_digest
from assay.core.edit import Edit, Replacement, Side, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Fidelity
from assay.language.analysis import analyse
from assay.language.inflection import article_repair, capitals_of, like
from assay.language.resources import tagger, wordnet
from assay.language.senses import Tie, frequent, lesk
from assay.language.tokens import tokens
from assay.language.wordnet import Antonym, Synset

PARTS = {"NN": "n", "NNS": "n", "JJ": "a", "JJR": "a", "JJS": "a"}
"""The part of speech in WordNet of each tag whose words are replaced."""

BLOCKED = frozenset(
    "here goodness yes no decision growing priority cheers volume right left goods addition income indecision there "
    "parent being parents lord lady put capital lowercase unions".split()
)
"""Words that the released code leaves alone."""
BLOCKED_ANTONYM = "civilian"
"""The antonym that it never puts in."""

NOTHING = Skip("no word with an antonym")

_LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")
_ARTICLE = re.compile("[Aa][Nn]?")


class Word(NamedTuple):
    """A word that may be replaced."""

    text: str
    """As written."""
    start: int
    """Offset of its first character; -1 if a parse has it in another spelling than the text."""
    tag: str
    """Penn Treebank tag; empty where tags are not asked for."""


class Choice(NamedTuple):
    """A word of a text with what may stand there instead."""

    start: int
    """Where the replacement begins."""
    word: Word
    """What is replaced."""
    sense: Synset
    """Its sense."""
    antonyms: tuple[Antonym, ...]
    """The antonyms of the sense."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The switches, all set."""

    senses: Literal["frequent", "lesk"]
    tie: Tie
    tagged: bool
    parts: str
    lemmas: Literal["own", "all"]
    antonyms: Literal["all", "one"]
    replacing: Literal["token", "substring"]
    inflect: bool
    articles: bool
    capitals: bool
    blocked: bool
    parses: bool


OURS = Rules(
    senses="frequent",
    tie="first-sense",
    tagged=True,
    parts="nas",
    lemmas="all",
    antonyms="all",
    replacing="token",
    inflect=True,
    articles=True,
    capitals=True,
    blocked=False,
    parses=False,
)
RULES: dict[Fidelity, Rules] = {
    "strict": OURS,
    "paper": msgspec.structs.replace(
        OURS, senses="lesk", antonyms="one", inflect=False, articles=False, parses=True
    ),
    "code": Rules(
        senses="lesk",
        tie="greatest-name",
        tagged=False,
        parts="ns",
        lemmas="all",
        antonyms="all",
        replacing="substring",
        inflect=False,
        articles=False,
        capitals=False,
        blocked=True,
        parses=True,
    ),
}


class Antonymy(msgspec.Struct, frozen=True, kw_only=True):
    """Puts an antonym in the place of a noun or an adjective; the result contradicts the sentence that it was made of.

    Both texts of the pair are sources. The premise is followed by its changed self; the hypothesis comes after its own.

    `Antonymy()(pair, rng)` for the premise "The soup is hot." makes "The soup is cold." its hypothesis.
    """

    fidelity: Fidelity = "strict"
    """Our best, what the paper says, or what the released code does."""
    senses: Literal["frequent", "lesk"] | None = None
    """How the sense is found: the most frequent one, or the one whose gloss shares most words with the sentence."""
    tie: Tie | None = None
    """Which of equally good senses Lesk takes."""
    tagged: bool | None = None
    """Only words tagged as noun or adjective, in a sense of that part of speech; else any word in any sense."""
    parts: str | None = None
    """Parts of speech that a sense may have: n, a and s. Satellites (s) have no antonyms in WordNet."""
    lemmas: Literal["own", "all"] | None = None
    """Antonyms of the word itself, or of all words that share its sense."""
    antonyms: Literal["all", "one"] | None = None
    """A case for each antonym of a word, or one that is drawn."""
    replacing: Literal["token", "substring"] | None = None
    """Replaces the word itself, or the first place where its letters stand, which may be inside of another word."""
    inflect: bool | None = None
    """Puts the antonym into the word's number and degree."""
    articles: bool | None = None
    """Mends "a" and "an" before the antonym."""
    capitals: bool | None = None
    """Replaces words with capitals, too, and keeps the capitals; else only what stands in the text in lower case."""
    blocked: bool | None = None
    """Leaves out the 25 words, and the antonym "civilian", that the released code leaves out."""
    parses: bool | None = None
    """Takes tokens and tags from the pair's parses where it has them."""

    family: ClassVar[str] = "antonymy"
    distinct: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        rules = _rules(self)
        edits = [
            *_edits(pair.premise, "premise", rules, *_parses(pair, "premise", rules), rng),
            *_edits(pair.hypothesis, "hypothesis", rules, *_parses(pair, "hypothesis", rules), rng),
        ]
        return edits or NOTHING


@lru_cache(maxsize=64)
def _rules(asked: Antonymy) -> Rules:
    own = {name: value for name in Rules.__struct_fields__ if (value := getattr(asked, name)) is not None}
    return msgspec.structs.replace(RULES[asked.fidelity], **own)


def _parses(pair: Pair, side: Side, rules: Rules) -> tuple[str | None, str | None]:
    """The binary parse of a text, which has the tokens, and the one that has the tags."""
    if not rules.parses or pair.parses is None:
        return None, None
    parses = pair.parses
    tagged = (parses.premise if side == "premise" else parses.hypothesis) if rules.tagged else None
    return (parses.premise_binary if side == "premise" else parses.hypothesis_binary), tagged


def _edits(text: str, side: Side, rules: Rules, binary: str | None, tagged: str | None, rng: Random) -> Iterator[Edit]:
    for choice in _choices(text, rules, binary, tagged):
        chosen = choice.antonyms
        if rules.antonyms == "one" and len(chosen) > 1:
            chosen = (rng.choice(chosen),)
        for antonym in chosen:
            change = _change(text, choice, antonym.word, rules)
            if change is None:
                continue
            yield Edit(
                label=Label.CONTRADICTION,
                premise_from=side,
                hypothesis_from=side,
                premise=() if side == "premise" else change,
                hypothesis=change if side == "premise" else (),
                facts={
                    "sense": choice.sense.name,
                    "lemma": antonym.of,
                    "antonym": antonym.word,
                    "tokens": "ours" if binary is None else "parse",
                    "text": text_digest(text, ""),
                },
            )


def _change(text: str, choice: Choice, antonym: str, rules: Rules) -> tuple[Replacement, ...] | None:
    """What changes in the text; None if nothing does, or if the antonym can't take the word's shape."""
    old = choice.word.text if rules.capitals else choice.word.text.lower()
    new: str | None = antonym
    if rules.inflect:
        new = like(old, choice.word.tag, antonym)
    elif rules.capitals:
        new = capitals_of(old, antonym)
    if new is None or new == old:
        return None
    change = Replacement(choice.start, old, new)
    article = article_repair(text, choice.start, new) if rules.articles else None
    if article is None:
        return (change,)
    found = _ARTICLE.match(text, article.start)
    return (Replacement(article.start, found.group() if found else "", article.new), change)


@lru_cache(maxsize=4096)  # premises come in threes and more
def _choices(text: str, rules: Rules, binary: str | None, tagged: str | None) -> tuple[Choice, ...]:
    words = _words(text, rules, binary, tagged)
    context: frozenset[str] | None = None
    found: list[Choice] = []
    seen: set[str] = set()
    for word in words:
        folded = word.text.lower()
        pos = PARTS.get(word.tag, "") if rules.tagged else None
        usable = _usable(folded, pos, rules)
        if not usable:
            continue
        if rules.replacing == "substring":
            start = text.find(word.text if rules.capitals else folded)
            if folded in seen:
                continue  # Lesk sees the same sentence again, and so does the search
            seen.add(folded)
        else:
            start = word.start if rules.capitals or word.text == folded else -1
        if start < 0:
            continue
        if rules.senses == "lesk":
            context = context or frozenset(each.text.lower() for each in words)
            sense = lesk(context, folded, pos, tie=rules.tie)
        else:
            sense = frequent(folded, pos)
        if sense and sense.name in usable:
            found.append(Choice(start, word, sense, usable[sense.name]))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _usable(folded: str, pos: str | None, rules: Rules) -> dict[str, tuple[Antonym, ...]]:
    """The senses of a form that lead to an antonym, by name: few forms have one, so most need no closer look."""
    if pos == "" or (rules.blocked and folded in BLOCKED):
        return {}
    lookup = wordnet()
    own = {lemma for each in ((pos,) if pos else "nvar") for lemma in lookup.morphy(folded, each)}
    usable: dict[str, tuple[Antonym, ...]] = {}
    for sense in lookup.synsets(folded, pos):
        if sense.pos not in rules.parts:
            continue
        antonyms = tuple(
            antonym
            for antonym in lookup.antonyms(sense)
            if "_" not in antonym.word
            and not (rules.blocked and antonym.word == BLOCKED_ANTONYM)
            and (rules.lemmas == "all" or antonym.of.lower() in own)
        )
        if antonyms:
            usable[sense.name] = antonyms
    return usable


def _words(text: str, rules: Rules, binary: str | None, tagged: str | None) -> list[Word]:
    if binary is not None:
        return _words_of_parse(text, binary, tagged, rules)
    if rules.tagged:
        return [Word(token.text, token.start, token.tag) for token in analyse(text)]
    return [Word(token.text, token.start, "") for token in tokens(text)]


def _words_of_parse(text: str, binary: str, tagged: str | None, rules: Rules) -> list[Word]:
    written = binary.replace("(", "").replace(")", "").split()
    tags = [""] * len(written)
    if rules.tagged:
        tags = [tag for tag, _ in _LEAF.findall(tagged or "")]
        if len(tags) != len(written):
            tags = tagger().tag(written)
    words: list[Word] = []
    place = 0
    for token, tag in zip(written, tags, strict=True):
        start = text.find(token, place)
        words.append(Word(token, start, tag))
        place = start + len(token) if start >= 0 else place
    return words
