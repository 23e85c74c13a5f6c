"""Simple features of a premise and a hypothesis, which an unknown shortcut may use."""

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy

from assay.evaluate.diagnose.rule_search import FeatureTable
from assay.language.numbers.number_words import COUNTING
from assay.language.text.analysis import analyse
from assay.language.text.tokens import folded_words
from assay.language.words.categories import load_categories, set_members
from assay.language.words.wordnet_relations import most_frequent_sense

_LISTS: dict[str, Any] = tomllib.loads((files("assay.evaluate") / "diagnose" / "text_features.toml").read_text("utf-8"))
NEGATIONS = frozenset(_LISTS["negations"])
NOUNS, VERBS = _LISTS["nouns"], _LISTS["verbs"]
TAGS, CATEGORIES = _LISTS["tags"], _LISTS["categories"]

CUTS = (0.1, 0.25, 0.5, 0.75, 0.9)  # lengths and shares of words are cut where this fraction of all cases is below
SIDES: Mapping[str, str] = {"premise": "the premise", "hypothesis": "the hypothesis"}

_PLAIN = re.compile(r"[a-z]{2,}")


class Feature(NamedTuple):
    """A feature of a pair: a word, or a kind of word, in one text; a length; or a fraction of words in both texts."""

    kind: str  # `word`, `tag`, `class`, `category`, `ending`, `number`, `negation`, `length` or `overlap`
    side: str  # `premise` or `hypothesis`; empty for features of both
    value: str  # the word or kind of word; for amounts a number, after `<` if the feature means below it

    @property
    def limit(self) -> float:
        """The threshold in `value`, as a number."""
        return float(self.value.removeprefix("<"))

    @property
    def words(self) -> str:
        """The feature in words, as a clause.

        >>> Feature("category", "hypothesis", "colors").words, Feature("length", "premise", "<12").words
        ('the hypothesis names a colour', 'the premise has fewer than 12 words')
        """
        below, side = self.value.startswith("<"), SIDES.get(self.side, "")
        match self.kind:
            case "word":
                return f'{side} has the word "{self.value}"'
            case "tag":
                return f"{side} has {TAGS[self.value]}"
            case "class":
                number = int(self.value)
                return f"{side} has {_class_words(number)}"
            case "category":
                return f"{side} names {CATEGORIES[self.value]}"
            case "ending":
                return f"{side} has a word that ends in -{self.value}"
            case "number":
                return f"{side} has a number"
            case "negation":
                return f"{side} has a negation word"
            case "length":
                return f"{side} has {'fewer than' if below else 'at least'} {self.limit:.0f} words"
            case _:
                share = f"{'less than' if below else 'at least'} {self.limit:.0%}"
                return f"{share} of the hypothesis's words are in the premise"


def _class_words(number: int) -> str:
    if number < FIRST_VERB:
        return f"a noun for {NOUNS[number - FIRST_NOUN]}"
    return f"a verb of {VERBS[number - FIRST_VERB]}"


FIRST_NOUN, FIRST_VERB = 3, 29


class FeatureReader:
    """Finds features in texts; limits of amounts and rare words are those of the cases that it is made for."""

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        amounts = [_amounts(premise, hypothesis) for premise, hypothesis in texts]
        self._limits = {
            key: sorted({float(limit) for limit in numpy.quantile([each[key] for each in amounts], CUTS)})
            for key in (amounts[0] if amounts else {})
        }
        self._words: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for text in {text for pair in texts for text in pair}:
            for token in analyse(text):
                for key in word_kinds(token.text.lower(), token.tag):
                    self._words[key][token.text.lower()] += 1

    def features(self, premise: str, hypothesis: str) -> frozenset[Feature]:
        found = {
            Feature(kind, side, value)
            for side, text in zip(SIDES, (premise, hypothesis), strict=True)
            for kind, value in _kinds_in(text)
        }
        for (kind, side), amount in _amounts(premise, hypothesis).items():
            for limit in self._limits.get((kind, side), ()):
                found.add(Feature(kind, side, f"{'' if amount >= limit else '<'}{limit:.12g}"))
        return frozenset(found)

    def table(self, texts: Iterable[tuple[str, str]], fewest: int) -> tuple[FeatureTable, list[Feature]]:
        """The features that at least `fewest` cases have, as columns."""
        found = [self.features(*pair) for pair in texts]
        counts = Counter(feature for each in found for feature in each)
        kept = sorted(feature for feature, n in counts.items() if n >= fewest)
        place = {feature: number for number, feature in enumerate(kept)}
        holds = numpy.zeros((len(found), len(kept)), dtype=bool)
        for row, each in enumerate(found):
            holds[row, [place[feature] for feature in each if feature in place]] = True
        return FeatureTable([str(number) for number in range(len(kept))], holds), kept

    def words_with(self, feature: Feature) -> list[str]:
        """Plain words that give a text the feature, most frequent first."""
        if feature.kind == "word":
            return [feature.value] if _PLAIN.fullmatch(feature.value) else []
        return self._plain(feature.kind, feature.value)

    def words_without(self, feature: Feature) -> list[str]:
        """Plain words of the same part of speech without the feature, or nouns and adjectives."""
        own = {*self.words_with(feature)}
        tags = [tag for tag in TAGS if own & {*self._plain("tag", tag)}] if feature.kind == "word" else []
        alike = {word for tag in tags[:1] for word in self._plain("tag", tag)} or {*self._nouns()}
        return sorted(alike - own)

    def _plain(self, kind: str, value: str) -> list[str]:
        return [word for word, _ in self._words[kind, value].most_common() if _PLAIN.fullmatch(word)]

    @cache  # noqa: B019 - a reader lives as long as a search
    def _nouns(self) -> tuple[str, ...]:
        found = Counter({word: n for tag in ("NN", "JJ") for word, n in self._words["all", tag].items()})
        return tuple(word for word, n in found.most_common(300) if _PLAIN.fullmatch(word) and n > 1)


@lru_cache(maxsize=1 << 15)
def word_kinds(word: str, tag: str) -> tuple[tuple[str, str], ...]:
    """The kinds that a word of a text belongs to, each with its value.

    >>> ("category", "colors") in word_kinds("red", "JJ"), ("number", "") in word_kinds("seven", "CD")
    (True, True)
    """
    return tuple(_kinds(word, tag))


def _kinds(word: str, tag: str) -> Iterator[tuple[str, str]]:
    if not word[0].isalnum():
        return
    yield "all", tag
    if tag in TAGS:
        yield "tag", tag
    if is_number(word):
        yield "number", ""
    if negates(word):
        yield "negation", ""
    for ending in ("ing", "ed", "ly", "er", "est", "tion"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            yield "ending", ending
    for name in _categories().get(word, ()):
        yield "category", name
    part = {"NN": "n", "VB": "v"}.get(tag[:2])
    sense = most_frequent_sense(word, part) if part and tag not in ("NNP", "NNPS") else None
    if sense and sense.file > FIRST_NOUN:
        yield "class", str(sense.file)


def is_number(word: str) -> bool:
    """True for digits and for words that count."""
    return word in COUNTING or word[0].isdigit()


def negates(word: str) -> bool:
    return word in NEGATIONS or word.endswith(("n't", "n\u2019t"))


@cache
def _categories() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in CATEGORIES:
        for word in set_members(load_categories()[name].sets):
            found.setdefault(word, []).append(name)
    return found


@lru_cache(maxsize=1 << 14)  # the cases of a pair share their texts
def _kinds_in(text: str) -> frozenset[tuple[str, str]]:
    kinds = {kind for token in analyse(text) for kind in word_kinds(token.text.lower(), token.tag)}
    return frozenset({kind for kind in kinds if kind[0] != "all"} | {("word", word) for word in folded_words(text)})


def _amounts(premise: str, hypothesis: str) -> dict[tuple[str, str], float]:
    said, claimed = folded_words(premise), folded_words(hypothesis)
    distinct = {*claimed}
    return {
        ("length", "premise"): len(said),
        ("length", "hypothesis"): len(claimed),
        ("overlap", ""): len(distinct.intersection(said)) / len(distinct) if distinct else 1.0,
    }
