"""Check of edited claims: the label is derived from possible worlds, and the family's check verifies the edit."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import product

import msgspec

from assay.core.case import Case, case_from, text_digest
from assay.core.edit import Edit, Replacement, Skip, invert
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.language.numbers.number_words import value_of
from assay.language.numbers.quantities import OtherNumber, Quantity, find_numbers
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import analyse
from assay.language.text.tokens import content_words
from assay.language.words.wordnet_relations import synsets_over
from assay.stress.across.join_edits import FACT
from assay.stress.across.odd_english import doubt_of_english
from assay.stress.lexical.scene_captions import is_scene
from assay.stress.original import CHANGED, undo_case

SHAPE = Skip("not verified: across the pair, only the hypothesis may change")
OTHER = Skip("not verified: the gold label and the relation of the two claims imply another label")

World = tuple[bool, ...]
"""Truth of the evidence, of the claim and of the changed claim."""
EXCLUDED: dict[str, Callable[[World], bool]] = {
    "weaker": lambda world: world[1] and not world[2],
    "stronger": lambda world: world[2] and not world[1],
    "equal": lambda world: world[1] is not world[2],
    "excludes": lambda world: world[1] and world[2],
    "open": lambda _world: False,
}
"""Worlds that a relation between the two claims excludes."""
OPEN: World = (True, True, False)
"""A world that stays possible if the evidence can make the claim true and leaves the changed claim open."""
TWO_WAY = {Label.NEUTRAL: Label.NON_ENTAILMENT, Label.CONTRADICTION: Label.NON_ENTAILMENT}


@cache
def derive_label(gold: Label, relation: str) -> Label | None:
    """The label of the edited claim, if all worlds that fit gold label and edit agree; otherwise None.

    >>> derive_label(Label.ENTAILMENT, "excludes").value, derive_label(Label.NEUTRAL, "weaker")
    ('contradiction', None)
    """
    if relation not in EXCLUDED:
        return None
    worlds = [world for world in product((True, False), repeat=3) if not EXCLUDED[relation](world)]
    is_open = relation == "open"
    binary = gold is Label.NON_ENTAILMENT
    labels = set()
    for chosen in product((True, False), repeat=len(worlds)):
        given = [world for world, possible in zip(worlds, chosen, strict=True) if possible and world[0]]
        if given and _label_in(given, 1, binary=binary) is gold and (not is_open or OPEN in given):
            labels.add(_label_in(given, 2, binary=binary or is_open))
    return labels.pop() if len(labels) == 1 else None


def _label_in(worlds: Sequence[World], claim: int, *, binary: bool) -> Label:
    """The label of a claim in the worlds in which the evidence is true."""
    truths = {world[claim] for world in worlds}
    label = Label.NEUTRAL if len(truths) == 2 else Label.ENTAILMENT if True in truths else Label.CONTRADICTION
    return TWO_WAY.get(label, label) if binary else label


class AcrossCheck:
    """Check of any family with `across`: derives the label again, and verifies the edit by the family's check."""

    def __init__(self, check: Check) -> None:
        self._check = check

    def __call__(self, case: Case) -> Skip | None:
        """Undo the edit, derive the label from both links, verify how the claims relate, and check the evidence."""
        edit, gold = case.provenance.edit, case.provenance.label
        sides = (edit.premise_from, edit.hypothesis_from)
        if edit.premise or not edit.hypothesis or sides != ("premise", "hypothesis"):
            return SHAPE
        source = undo_case(case)
        if source is None or text_digest(*source) != case.provenance.source:
            return CHANGED
        relation = edit.facts.get(FACT, "")
        if gold is None or not case.label is edit.label is derive_label(gold, relation):
            return OTHER
        # The family's edit with the claim as the premise; its inverse; and the change back from the changed claim.
        forward = msgspec.structs.replace(edit, hypothesis_from="premise")
        backward = msgspec.structs.replace(forward, premise=edit.hypothesis, hypothesis=())
        facts = {name: value for name, value in edit.facts.items() if name != FACT}
        back = msgspec.structs.replace(forward, hypothesis=tuple(invert(edit.hypothesis)), facts=facts)
        links: dict[str, tuple[tuple[Sequence[Edit], Label], ...]] = {
            "weaker": (((forward,), Label.ENTAILMENT),),
            "stronger": (((backward, back), Label.ENTAILMENT),),
            "equal": (((forward,), Label.ENTAILMENT), ((backward, back), Label.ENTAILMENT)),
            "excludes": (((forward, backward, back), Label.CONTRADICTION),),
            "open": (((forward,), Label.NON_ENTAILMENT),),
        }
        adapt: Callable[[str], Check] | None = getattr(self._check, "for_evidence", None)
        check = adapt(source[0]) if adapt else self._check
        for ways, label in links[relation]:
            if reason := _doubt_of_link(check, case, source[1], ways, label):
                return reason
        if doubt := doubt_of_english(source[1], edit.hypothesis):
            return doubt
        return None if relation == "equal" else doubt_of_evidence(*source, edit.hypothesis, relation)


def _doubt_of_link(check: Check, case: Case, claim: str, ways: Sequence[Edit], label: Label) -> Skip | None:
    """The reason why no edit in `ways` gives the two claims this label; None if one does."""
    reasons: list[Skip] = []
    for edit in ways:
        text = claim if edit.facts.get(FACT) else case.hypothesis
        pair = Pair(id=case.origin, premise=text, hypothesis="", label=label, group=case.group)
        labelled = msgspec.structs.replace(edit, label=label)
        reason = check(case_from(pair, labelled, family=case.family, recipe=case.provenance.recipe))
        if reason is None:
            return None
        reasons.append(reason)
    return next((reason for reason in reasons if reason != CHANGED), reasons[0])


NEW_WORD = Skip("not verified: the evidence may also mention what the changed claim says")
SEVERAL = Skip("not verified: the evidence mentions several things, and one of them may fit the changed claim")
UNSAID = Skip("not verified: the evidence does not say what the changed adjective said")
ADULT = Skip("not verified: the evidence does not say that the boy or girl of the claim is a child")
NEGATED = Skip("not verified: the claim is negated, so that a narrower one may be about something else")
NEW_NUMBER = Skip("not verified: the evidence may also mention the new number")
OTHER_NUMBER = Skip("not verified: the evidence does not have the number that was changed")

WORDS = load_words(__file__)

DIGITS = re.compile("[0-9]+")
NUMBER_WORD = re.compile("[A-Za-z]+")
VAGUE = ("dozens", "hundreds", "thousands", "millions", "billions", "trillions")
LARGE = 100
"""From this number on, a number may be one of those that "thousands" means."""
COUNTED = 5
"""The number of words behind a number among which the noun stands that it counts."""
SPAN = re.compile(r"([0-9]+)[a-z]*\s?(?:-|\u2013|to|through|until|and)\s?(?:[A-Z]\S+ )?([0-9]+)")
GROUPS = WORDS["groups"]
OTHERS = WORDS["others"]
PERSON = "person.n.01"
ADJECTIVES = ("JJ", "JJR", "JJS")
SENSES = 2
"""Senses of a word that count; rarer ones would find doubt everywhere."""


def doubt_of_evidence(evidence: str, claim: str, changes: Sequence[Replacement], relation: str) -> Skip | None:
    """The reason why evidence for a claim may not contradict the edited claim; None if there is none.

    If the evidence mentions several things, one of them makes the claim true. Another may make the edited claim true.
    """
    if relation == "stronger":
        return None if WORDS["negations"].isdisjoint(token.text.lower() for token in analyse(claim)) else NEGATED
    if (old := _changed_numbers(claim, changes)) and not old <= {*map(_spell_value, find_numbers(evidence))}:
        return OTHER_NUMBER
    if relation == "weaker" and _makes_child(changes) and WORDS["young"].isdisjoint(content_words(evidence)):
        return ADULT
    if relation == "open":
        return NEW_NUMBER if _mentions_number(evidence, changes) else _doubt_of_sum(evidence, claim, changes)
    if relation != "excludes":
        return None
    if _describes(claim, changes) and not is_scene(analyse(evidence)) and not _says_same(evidence, changes):
        return UNSAID
    new = {word for change in changes for word in content_words(change.new) if value_of(word) is None} - {
        form for change in changes for word in content_words(change.old) for form in _lemmas(word)
    }
    tokens = analyse(evidence)
    said = {lemma for token in tokens for lemma in _lemmas(token.text.lower())}
    claimed = {token.text.lower() for token in analyse(claim)}
    if OTHERS & said - claimed or any(not said.isdisjoint(_lemmas(word)) for word in new):
        return NEW_WORD
    senses = {sense for word in new for sense in _noun_senses(word)}
    kinds = {kind for word in new for kind in _kinds_of(word)}
    for token in tokens:
        word = token.text.lower()
        if token.tag.startswith("NN") and (senses & _kinds_of(word) or new & _defining_words(word)):
            return NEW_WORD
        if (PERSON in kinds and word in GROUPS) or (token.tag == "NNS" and kinds & _noun_senses(word)):
            return SEVERAL
    return None


def _describes(claim: str, changes: Sequence[Replacement]) -> bool:
    """True if an adjective before a noun was changed, which may describe what the evidence leaves undescribed."""
    tokens = analyse(claim)
    at = next((i for i, token in enumerate(tokens) if token.start == changes[-1].start), len(tokens))
    described = tokens[at + 1 : at + 2]
    plain = changes[-1].old.islower() and " " not in changes[-1].old
    return plain and bool(described) and tokens[at].tag in ADJECTIVES and described[0].tag in (*ADJECTIVES, "NN", "NNS")


def _says_same(evidence: str, changes: Sequence[Replacement]) -> bool:
    """True if a text has an adjective, or a synonym of it."""
    old = changes[-1].old.lower()
    same = {word for sense in wordnet().synsets(old, "a") for word in sense.words} | _lemmas(old)
    return any(not same.isdisjoint(_lemmas(token.text.lower())) for token in analyse(evidence))


def _makes_child(changes: Sequence[Replacement]) -> bool:
    """True if "girl", which may be a woman, becomes "child"."""
    youths = any(not WORDS["youths"].isdisjoint(change.old.lower().split()) for change in changes)
    return youths and any(not WORDS["children"].isdisjoint(change.new.lower().split()) for change in changes)


def _changed_numbers(claim: str, changes: Sequence[Replacement]) -> set[str]:
    """The numbers of a claim that the edit changes."""
    spans = [range(change.start, change.start + len(change.old)) for change in changes]
    changed = (n for n in find_numbers(claim) if any(n.start < span.stop and span.start < n.end for span in spans))
    return {*map(_spell_value, changed)}


def _mentions_number(evidence: str, changes: Sequence[Replacement]) -> bool:
    """True if a text has a new number, in digits or words, or numbers from one below it to one above it."""
    new = {*_find_values(" ".join(change.new for change in changes))}
    new -= {*_find_values(" ".join(change.old for change in changes))}
    said = {*_find_values(evidence)}
    spans = [(int(match[1]), int(match[2])) for match in SPAN.finditer(evidence)]
    vague = [change.new.lower() for change in changes if change.new.lower().endswith(VAGUE)]
    if vague:  # another number may be one of the thousands
        return any(word in evidence.lower() for word in vague) or any(number >= LARGE for number in said)
    return any(number in said or any(low < number < high for low, high in spans) for number in new)


def _find_values(text: str) -> Iterator[int]:
    """The numbers of a text, in digits or words, on their own or as parts of others."""
    yield from (int(number) for number in DIGITS.findall(text))
    yield from (int(number.value) for number in find_numbers(text) if isinstance(number, Quantity))
    yield from (value for word in NUMBER_WORD.findall(text) if (value := value_of(word)) is not None)


def _doubt_of_sum(evidence: str, claim: str, changes: Sequence[Replacement]) -> Skip | None:
    """Two dogs and a terrier are three dogs: the evidence must not have more of what is counted."""
    if evidence == claim:
        return None
    tokens = analyse(claim)
    for change in changes:
        after = [token for token in tokens if token.start >= change.start + len(change.old)][:COUNTED]
        plurals = (token for token in after if token.tag in ("NNS", "NNPS") or token.text.lower() == "people")
        noun = next((token.text.lower() for token in plurals), "")
        lemmas = _lemmas(noun) if noun else frozenset()
        senses = _noun_senses(noun) | ({PERSON} if noun == "people" else set())
        said, claimed = ([token.text.lower() for token in analyse(text)] for text in (evidence, claim))
        if any(said.count(word) > claimed.count(word) for word in said if lemmas & _lemmas(word)):
            return SEVERAL
        more = OTHERS | GROUPS if PERSON in senses or PERSON in _kinds_of(noun) else OTHERS
        if noun and any(word in more or senses & _kinds_of(word) for word in {*said} - {*claimed}):
            return SEVERAL
    return None


def _spell_value(number: Quantity | OtherNumber) -> str:
    """The value of a quantity, or the text of any other number."""
    return f"{number.value.normalize():f}" if isinstance(number, Quantity) else number.text.lower()


@lru_cache(maxsize=4096)
def _lemmas(word: str) -> frozenset[str]:
    return frozenset((word, *(lemma for pos in "nvar" for lemma in wordnet().morphy(word, pos))))


@lru_cache(maxsize=4096)
def _noun_senses(word: str) -> frozenset[str]:
    return frozenset(sense.name for sense in wordnet().synsets(word, "n")[:SENSES])


@lru_cache(maxsize=4096)
def _defining_words(word: str) -> frozenset[str]:
    """The words of the gloss of a noun's first sense: a bride is "a woman", though WordNet has only "newlywed" above.

    Brackets often say what the noun is not: a man is male "(as opposed to a woman)".
    """
    senses = wordnet().synsets(word, "n")
    return content_words(senses[0].definition.partition("(")[0]) if senses else frozenset()


@lru_cache(maxsize=4096)
def _kinds_of(word: str) -> frozenset[str]:
    """The names of a noun's senses and of all their hypernyms."""
    return frozenset(kind for sense in wordnet().synsets(word, "n")[:SENSES] for kind in synsets_over(sense.name))
