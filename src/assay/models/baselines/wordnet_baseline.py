"""The WordNet baseline of Glockner et al. (2018): a label from the relation of two words."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Annotated, Literal, NamedTuple, get_args

import msgspec

from assay.core.case import Case, Prediction
from assay.core.label import THREE_WAY, Label
from assay.core.protocols import reference
from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import ANTONYM, HYPERNYM, INSTANCE_HYPERNYM, ORDER, SIMILAR
from assay.language.text.tokens import TextDifference, find_differences

Order = Literal["enc", "ecn", "nec", "nce", "cen", "cne"]
ORDERS: tuple[Order, ...] = get_args(Order)
LABELS = {label.value[0]: label for label in THREE_WAY}
PARTICLES = frozenset(("a", "away", "by", "from", "in", "of", "off", "on", "out", "some", "the", "to", "with"))
"""Words that go with a replaced word: "near", but "far away from"."""
SEVERAL = "the texts differ in several places"


@reference
class WordNetBaseline(msgspec.Struct, frozen=True, kw_only=True):
    """Judges pairs that differ in one place by the two terms in that place.

    Entailment if the premise's term is a hyponym or synonym of the hypothesis's, neutral if it is a hypernym,
    contradiction if they are antonyms or have an ancestor in common.

    If the sentences differ elsewhere, or WordNet knows no such relation, it answers `otherwise` and says so.
    """

    senses: Literal["any", "first"] = "any"
    """Senses of a word that count: all, or the most frequent of each part of speech."""
    order: Order = "enc"
    """Order in which labels are tested, by their first letters."""
    edges: Annotated[int, msgspec.Meta(ge=0)] = 2
    """Maximum distance of a common ancestor."""
    count: Literal["each", "path"] = "each"
    """Edges are counted from each word up to the ancestor, or along the path from word to word."""
    instances: bool = True
    """True if instances count: Mars, an instance of a planet, then has planet as a hypernym."""
    similar: Literal["no", "hypernym", "synonym"] = "no"
    """The role of an adjective's head synset: none, its hypernym, or a source of synonyms."""
    antonyms: Literal["word", "synset", "similar"] = "word"
    """The kind of antonyms: words, the synsets of such words, or also synsets similar to those."""
    otherwise: Label = Label.NEUTRAL
    """The answer to pairs that it can't judge."""

    def __post_init__(self) -> None:
        if self.otherwise not in THREE_WAY:
            raise ValueError(f"otherwise={self.otherwise.value}: it is a three-way model; use {', '.join(THREE_WAY)}")
        if self.edges < 0:
            raise ValueError(f"edges must be 0 or more, not {self.edges}")

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        answers = [self.judge(case.premise, case.hypothesis) for case in cases]
        return [
            Prediction(id=case.id, label=label or self.otherwise, note=note)
            for case, (label, note) in zip(cases, answers, strict=True)
        ]

    def judge(self, premise: str, hypothesis: str) -> "WordNetAnswer":
        """Judge two texts by the two terms that differ.

        `judge("A red car.", "A blue car.")` is a contradiction; `judge("A car.", "It rains.")` is not judged.
        """
        found = find_differences(premise, hypothesis)
        if not found:
            return WordNetAnswer(Label.ENTAILMENT)
        if len(found) > 1:
            return WordNetAnswer(None, SEVERAL)
        if not found[0].before or not found[0].after:
            return WordNetAnswer(None, "words are added or left out")
        terms = terms_of(found[0])
        if not terms.premise or not terms.hypothesis:
            if all(sum(word not in PARTICLES for word in words) > 1 for words in found[0][:2]):
                return WordNetAnswer(None, SEVERAL)  # "A dog runs", "A cat sleeps": adjacent changed words
            return WordNetAnswer(None, "WordNet does not know the words")
        label = _verdict(self, terms)
        return WordNetAnswer(label, "" if label else "no relation in WordNet")

    def holds(self, terms: "Terms") -> frozenset[str]:
        """The labels whose test two terms pass, by their first letters; `order` decides between them.

        Neutral: the first term is a hypernym of the second. Contradiction: they are opposites, or have an ancestor in
        common.
        """
        both = list(product(terms.premise, terms.hypothesis))
        senses = [(_senses(one, self.senses), _senses(two, self.senses)) for one, two in both]
        passed = {
            "e": any(self._is_entailed(*each) for each in senses),
            "n": any(one & self._above(sense).keys() for one, two in senses for sense in two),
            "c": any(_are_opposed(*each, self.senses, self.antonyms) for each in both)
            or any(
                self._meet(self._above(a), self._above(b)) for one, two in senses for a in one for b in two if a != b
            ),
        }
        return frozenset(letter for letter, held in passed.items() if held)

    def first(self, held: frozenset[str]) -> Label | None:
        """The label of the first test passed; None if there is none."""
        return next((LABELS[letter] for letter in self.order if letter in held), None)

    def _is_entailed(self, one: frozenset[int], two: frozenset[int]) -> bool:
        """True if the first term is a synonym or hyponym of the second."""
        if not one.isdisjoint(two) or any(two & self._above(sense).keys() for sense in one):
            return True
        return self.similar == "synonym" and any(two & _similar(sense) for sense in one)

    def _meet(self, one: dict[int, int], two: dict[int, int]) -> bool:
        if self.count == "each":
            return any(one[each] <= self.edges >= two[each] for each in one.keys() & two.keys())
        return any(one[each] + two[each] <= self.edges for each in one.keys() & two.keys())

    def _above(self, sense: int) -> dict[int, int]:
        return _above(sense, self.instances, self.similar == "hypernym")


class WordNetAnswer(NamedTuple):
    label: Label | None  # the label; None if the pair can't be judged
    note: str = ""


class Terms(NamedTuple):
    """The terms that WordNet may have for the words that differ; none if it does not know them."""

    premise: tuple[str, ...]
    hypothesis: tuple[str, ...]


def terms_of(change: TextDifference) -> Terms:
    """The terms that differ: with the noun after both ("living room", "dining room") if both are terms with it."""
    found = Terms(_terms(change.before), _terms(change.after))
    longer = Terms(*(_terms((*words, change.following))[:1] for words in change[:2]))
    joined = all(f"_{change.following}" in each[0] for each in longer if each) and all(longer)
    return Terms(longer.premise + found.premise, longer.hypothesis + found.hypothesis) if joined else found


def _terms(words: tuple[str, ...]) -> tuple[str, ...]:
    """The whole phrase, and the phrase without particles on either side, as far as WordNet has them."""
    found = []
    while words:
        if wordnet().has("_".join(words)):
            found.append("_".join(words))
        if words[-1] in PARTICLES:
            words = words[:-1]
        elif words[0] in PARTICLES:
            words = words[1:]
        else:
            break
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def _verdict(model: WordNetBaseline, terms: Terms) -> Label | None:
    return model.first(model.holds(terms))


@cache
def _senses(term: str, which: str) -> frozenset[int]:
    found = wordnet().data.index
    listed = [found[lemma][pos] for pos in ORDER for lemma in wordnet().morphy(term, pos)]
    return frozenset(number for numbers in listed for number in (numbers[:1] if which == "first" else numbers))


@cache
def _above(sense: int, instances: bool, similar: bool) -> dict[int, int]:
    """Ancestors, with the fewest edges to them."""
    symbols = {HYPERNYM, *(INSTANCE_HYPERNYM,) * instances, *(SIMILAR,) * similar}
    found: dict[int, int] = {}
    edge, edges = {sense}, 0
    while edge:
        edges += 1
        edge = {parent for each in edge for parent in _parents(each, symbols)} - found.keys() - {sense}
        found.update(dict.fromkeys(edge, edges))
    return found


def _parents(sense: int, symbols: set[str]) -> Iterator[int]:
    synset = wordnet().data.synsets[sense]
    for pointer in synset.pointers:
        # Similarity is stored on both sides: only the satellites have a head above them.
        if pointer.symbol in symbols and (pointer.symbol != SIMILAR or synset.pos == "s"):
            yield pointer.target


@cache
def _similar(sense: int) -> frozenset[int]:
    return frozenset(p.target for p in wordnet().data.synsets[sense].pointers if p.symbol == SIMILAR)


@cache
def _are_opposed(one: str, two: str, senses: str, antonyms: str) -> bool:
    """True if two terms are antonyms: as words, by their synsets, or by synsets similar to these."""
    if antonyms == "word":
        lemmas = {lemma for pos in ORDER for lemma in wordnet().morphy(two, pos)}
        return any(not lemmas.isdisjoint(_antonyms(sense, one)) for sense in _senses(one, senses))
    ours, theirs = _senses(one, senses), _senses(two, senses)
    if antonyms == "similar":
        ours, theirs = (each.union(*map(_similar, each)) for each in (ours, theirs))
    return any(
        pointer.symbol == ANTONYM and pointer.target in theirs
        for sense in ours
        for pointer in wordnet().data.synsets[sense].pointers
    )


@cache
def _antonyms(sense: int, term: str) -> frozenset[str]:
    """Antonyms of a sense, if the word is one of its lemmas."""
    synset = wordnet().data.synsets[sense]
    lemmas = {lemma for pos in ORDER for lemma in wordnet().morphy(term, pos)}
    return frozenset(each.word.lower() for each in wordnet().antonyms(synset) if each.of.lower() in lemmas)
