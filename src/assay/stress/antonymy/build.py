"""Antonymy (Naik et al. 2018): a noun or an adjective is replaced with its antonym."""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import compress
from random import Random
from typing import Annotated, ClassVar, Literal, NamedTuple

import msgspec

from assay.core.case import text_digest
from assay.core.edit import Edit, Replacement, Side, Skip
from assay.core.label import Label
from assay.core.pair import Pair, Parses
from assay.core.protocols import Check, Fidelity
from assay.language.resources.data import load_words
from assay.language.resources.installed import tagger, wordnet
from assay.language.resources.wordnet_database import ORDER, Antonym, Synset
from assay.language.text.analysis import analyse
from assay.language.text.tokens import TextCache, tokens
from assay.language.words.inflection import article_repair, capitals_of, inflect_like
from assay.language.words.wordnet_relations import Tie, lesk_sense, most_frequent_sense
from assay.stress.across.join_edits import AcrossSwitch
from assay.stress.antonymy.check import AntonymyCheck
from assay.stress.fidelity import set_switches

WORDS = load_words(__file__)

PARTS = {"NN": "n", "NNS": "n", "JJ": "a", "JJR": "a", "JJS": "a"}
"""The part of speech in WordNet of each tag whose words are replaced."""

BLOCKED = WORDS["blocked"]
BLOCKED_ANTONYM = "civilian"
"""The antonym that it never puts in."""

NONE: dict[str, tuple[Antonym, ...]] = {}
NO_PARSES = Parses()
WINDOW = 200
"""Number of characters searched for a word of a parse, so that a wrong parse does not take quadratic time."""
NOTHING = Skip("no word with an antonym")

_LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")


class TaggedWords(NamedTuple):
    """The words of a text with their tags and offsets, as parallel lists."""

    texts: list[str]
    """As written, or in lower case if words with capitals are left alone."""
    tags: list[str]
    """Penn Treebank tags; empty if they are not needed."""
    starts: list[int]
    """Offsets in the text; empty if words are located by searching, or come from a parse."""


class AntonymChoice(NamedTuple):
    """A word and the antonyms that may replace it."""

    text: str
    """The word as written in the text."""
    start: int
    tag: str
    """Its tag, if it has one."""
    sense: Synset
    antonyms: tuple[Antonym, ...]


class AntonymySwitches(NamedTuple):
    """The switches with their final values; the defaults are those of `strict`."""

    senses: Literal["frequent", "lesk"] = "frequent"
    tie: Tie = "first-sense"
    tagged: bool = True
    parts: str = "nas"
    lemmas: Literal["own", "all"] = "all"
    indirect: bool = True
    antonyms: Literal["all", "one"] = "all"
    replacing: Literal["token", "substring"] = "token"
    inflect: bool = True
    articles: bool = True
    capitals: bool = True
    blocked: bool = False
    parses: bool = False


PAPER = AntonymySwitches(senses="lesk", indirect=False, inflect=False, articles=False, parses=True, antonyms="one")
CODE = PAPER._replace(
    tie="greatest-name", tagged=False, parts="ns", antonyms="all", replacing="substring", capitals=False, blocked=True
)
RULES: dict[Fidelity, AntonymySwitches] = {"strict": AntonymySwitches(), "paper": PAPER, "code": CODE}


class Antonymy(AcrossSwitch, frozen=True, kw_only=True, dict=True):
    """Replaces a noun or an adjective with an antonym, so that the result contradicts the original sentence.

    Both texts of the pair are sources. An edited premise becomes the hypothesis; an edited hypothesis becomes the
    premise.

    `Antonymy()(pair, rng)` for the premise "The soup is hot." makes "The soup is cold." its hypothesis.
    """

    fidelity: Fidelity = "strict"
    """Whose rules to follow: ours, the paper's, or those of the released code."""
    senses: Literal["frequent", "lesk"] | None = None
    """How the sense is chosen: the most frequent one, or the one whose gloss shares most words with the sentence."""
    tie: Tie | None = None
    """How Lesk chooses between equally good senses."""
    tagged: bool | None = None
    """Only words tagged as noun or adjective, in a sense of that part of speech; else any word in any sense."""
    parts: str | None = None
    """Parts of speech that a sense may have: n, a and s. Satellites (s) have no antonyms in WordNet."""
    lemmas: Literal["own", "all"] | None = None
    """Use antonyms of the word itself, or of all words that share its sense."""
    indirect: bool | None = None
    """A satellite takes the antonyms of the adjective that it is similar to: "huge" is a kind of "large"."""
    antonyms: Literal["all", "one"] | None = None
    """Build a case for each antonym of a word, or for a random one."""
    replacing: Literal["token", "substring"] | None = None
    """Replace the word itself, or the first occurrence of its letters, which may be inside another word."""
    inflect: bool | None = None
    """Give the antonym the word's number and degree."""
    articles: bool | None = None
    """Correct "a" and "an" before the antonym."""
    capitals: bool | None = None
    """Also replace capitalised words, keeping their capitals; otherwise only words in lower case."""
    blocked: bool | None = None
    """Skip the 25 words, and the antonym "civilian", that the released code skips."""
    parses: bool | None = None
    """Take tokens and tags from the pair's parses, if it has them."""
    per_word_pair: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Limit on cases of a word pair; 0 for no limit. By default a tenth of all, if there are ten word pairs."""

    family: ClassVar[str] = "antonymy"
    check: ClassVar[type[Check]] = AntonymyCheck
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        maker = self.maker
        parses = (pair.parses if maker.rules.parses else None) or NO_PARSES
        words = (
            *maker.edits(pair.premise, "premise", parses.premise_binary, parses.premise),
            *maker.make(pair.hypothesis, "hypothesis", parses.hypothesis_binary, parses.hypothesis),
        )
        if maker.rules.antonyms == "one":
            return [rng.choice(edits) for edits in words] or NOTHING
        return [edit for edits in words for edit in edits] or NOTHING

    def word_pair(self, edit: Edit) -> str:
        """The two lemmas in alphabetical order."""
        return "/".join(sorted((edit.facts["lemma"].lower(), edit.facts["antonym"].lower())))

    @cached_property
    def maker(self) -> "AntonymEditor":
        """The editor of texts for these switches, cached."""
        return _make_editor(self)


class AntonymEditor:
    """Edits texts by one set of rules, and caches the results for texts and words."""

    def __init__(self, rules: AntonymySwitches) -> None:
        self.rules = rules
        self.edits = TextCache(self.make)  # for premises, which come in threes and more
        self._any = UsableAntonyms(None, rules)
        self._of_tag = {tag: UsableAntonyms(part, rules) for tag, part in PARTS.items()}

    def make(self, text: str, side: Side, binary: str | None, penn: str | None) -> tuple[tuple[Edit, ...], ...]:
        """The possible edits of each word that has antonyms."""
        choices = self._choices(text, binary, penn)
        if not choices:
            return ()
        source = {"tokens": "ours" if binary is None else "parse", "text": text_digest(text, "")}
        edits_by_word = []
        for choice in choices:
            edits = [
                Edit(
                    label=Label.CONTRADICTION,
                    premise_from=side,
                    hypothesis_from=side,
                    premise=() if side == "premise" else change,
                    hypothesis=change if side == "premise" else (),
                    facts={"sense": choice.sense.name, "lemma": antonym.of, "antonym": antonym.word, **source},
                )
                for antonym in choice.antonyms
                if (change := self._change(text, choice, antonym.word))
            ]
            if edits:
                edits_by_word.append(tuple(edits))
        return tuple(edits_by_word)

    def _change(self, text: str, choice: AntonymChoice, antonym: str) -> tuple[Replacement, ...]:
        """The replacements in the text; empty if the antonym can't take the form of the word."""
        new: str | None = antonym
        if self.rules.inflect:
            new = inflect_like(choice.text, choice.tag, antonym)
        elif self.rules.capitals:
            new = capitals_of(choice.text, antonym)
        if new is None or new == choice.text:
            return ()
        change = Replacement(choice.start, choice.text, new)
        article = article_repair(text, choice.start, new) if self.rules.articles else None
        return (article, change) if article else (change,)

    def _choices(self, text: str, binary: str | None, penn: str | None) -> list[AntonymChoice]:
        """The words of a text that have antonyms in their chosen sense."""
        rules = self.rules
        texts, tags, starts = self._words(text, binary, penn)
        folded = [word.lower() for word in texts] if rules.capitals else texts
        if rules.tagged:
            usable = [self._of_tag[tag][form] if tag in PARTS else NONE for form, tag in zip(folded, tags, strict=True)]
        else:
            usable = list(map(self._any.__getitem__, folded))
        places = list(compress(range(len(usable)), usable))  # few words have antonyms
        if not places:
            return []
        context = frozenset(folded)
        if rules.replacing == "token" and not starts:
            starts = _align(text, texts)
        choices = []
        for i in places:
            senses, tag = usable[i], tags[i] if tags else ""
            sense = self._sense(context, folded[i], PARTS.get(tag))
            if sense is None or sense.name not in senses:
                continue
            start = text.find(texts[i]) if rules.replacing == "substring" else starts[i]
            if start >= 0 and text.startswith(texts[i], start):
                choices.append(AntonymChoice(texts[i], start, tag, sense, senses[sense.name]))
        return choices

    def _sense(self, context: frozenset[str], folded: str, pos: str | None) -> Synset | None:
        if self.rules.senses == "lesk":
            return lesk_sense(context, folded, pos, tie=self.rules.tie)
        return most_frequent_sense(folded, pos)

    def _words(self, text: str, binary: str | None, penn: str | None) -> TaggedWords:
        rules = self.rules
        if binary is not None:
            written = binary.replace("(", "").replace(")", "")
            texts = (written if rules.capitals else written.lower()).split()
            return TaggedWords(texts, _tags_of_parse(written.split(), penn) if rules.tagged else [], [])
        words = analyse(text) if rules.tagged else tokens(text)
        return TaggedWords(
            [token.text if rules.capitals else token.text.lower() for token in words],
            [token.tag for token in analyse(text)] if rules.tagged else [],
            [token.start for token in words],
        )


@lru_cache(maxsize=64)
def _make_editor(asked: Antonymy) -> AntonymEditor:
    return AntonymEditor(set_switches(asked, RULES))


class UsableAntonyms(dict[str, dict[str, tuple[Antonym, ...]]]):
    """Caches, for each form, the senses of a part of speech that have an antonym."""

    def __init__(self, part: str | None, rules: AntonymySwitches) -> None:
        super().__init__()
        self.part = part
        self.rules = rules

    def __missing__(self, folded: str) -> dict[str, tuple[Antonym, ...]]:
        antonyms = self[folded] = dict(self._senses(folded))
        return antonyms

    def _senses(self, folded: str) -> Iterator[tuple[str, tuple[Antonym, ...]]]:
        rules = self.rules
        if rules.blocked and folded in BLOCKED:
            return
        lookup = wordnet()
        own = {lemma for pos in self.part or ORDER for lemma in lookup.morphy(folded, pos)}
        for sense in lookup.synsets(folded, self.part):
            if sense.pos not in rules.parts:
                continue
            antonyms = (
                *(each for each in lookup.antonyms(sense) if rules.lemmas == "all" or each.of.lower() in own),
                *(lookup.indirect_antonyms(sense) if rules.indirect else ()),
            )
            refused = BLOCKED_ANTONYM if rules.blocked else ""
            antonyms = tuple(antonym for antonym in antonyms if "_" not in antonym.word and antonym.word != refused)
            if antonyms:
                yield sense.name, antonyms


def _tags_of_parse(written: list[str], penn: str | None) -> list[str]:
    tags = [tag for tag, _ in _LEAF.findall(penn or "")]
    return tags if len(tags) == len(written) else tagger().tag(written)


def _align(text: str, words: list[str]) -> list[int]:
    """Offsets of a parse's words in the text; -1 for a word that the parse spells differently."""
    starts = []
    place = 0
    for word in words:
        start = text.find(word, place, place + WINDOW + len(word))
        starts.append(start)
        place = start + len(word) if start >= 0 else place
    return starts
