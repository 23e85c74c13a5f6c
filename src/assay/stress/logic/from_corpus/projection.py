"""The label of two texts with one difference, from the relation of the changed words and their polarity."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from assay.core.label import Label
from assay.language.polarity.phrase_bounds import Sentence, sentence_of
from assay.language.polarity.surface_polarity import Mark, surface_marks
from assay.language.resources.data import load_words
from assay.language.text.analysis import Tagged
from assay.language.text.clauses import in_open_quotation
from assay.language.text.tokens import tokens
from assay.stress.logic.from_corpus.alignment import AlignedTexts, DifferenceSite, align_texts, find_extras
from assay.stress.logic.from_corpus.doubts import denies_often, doubt_of_site, is_unexplained
from assay.stress.logic.from_corpus.phrase_relations import (
    NOBODY,
    POS,
    TURNED,
    Relation,
    WordRelation,
    neither_nor,
    opposing_label,
    word_relation,
)

WORDS = load_words(__file__)

MEASURES = WORDS["measures"]
MOST_SITES = 2
YEAR = re.compile(r"1\d{3}|20\d{2}")
LONGEST = 300
"""Tokens of a text, at most: the time to compare texts and to find clauses grows with the square of them."""
LETTERS = 40 * LONGEST
"""More letters than the tokens of a readable text have."""


class PairProjection(NamedTuple):
    """The result for a pair of texts."""

    label: Label | None
    relation: Relation | None = None
    """The relation of the second text's words to the first's."""
    change: str = ""
    """What kind of part changes: a noun, a modifier, a conjunct and so on."""
    polarity: Mark | None = None
    reason: str = ""


def read_pair(premise: str, hypothesis: str) -> PairProjection:
    """The label of a pair, if its texts have one difference that decides."""
    if any(map(_is_long, (premise, hypothesis))):
        return PairProjection(None, reason=f"a text has more than {LONGEST} words")
    pair = align_texts(premise, hypothesis)
    if any(_in_quotation(premise, pair.first, site.start) for site in pair.sites):
        return PairProjection(None, reason="what changed is in a quotation")
    if not pair.sites:
        return PairProjection(None, reason="the texts do not differ")
    if label := neither_nor(sentence_of(pair.first), sentence_of(pair.second)):
        return PairProjection(label, "exclusive", "neither nor", "up")
    if len(pair.sites) > MOST_SITES:
        return PairProjection(None, reason="the texts differ in several places")
    readings = [_read_site(pair, site) for site in pair.sites]
    for each in readings:
        if each.label is None:
            return each
    follows = [each for each in readings if each.label is not Label.ENTAILMENT]
    if not follows:
        return readings[0]
    return follows[0] if len(readings) == 1 else PairProjection(None, reason="the texts differ in several places")


def _is_long(text: str) -> bool:
    """True if a text is too long to be analysed; the sentences of short texts are not split for this."""
    return len(text) > LONGEST and (len(text) > LETTERS or len(tokens(text)) > LONGEST)


def _read_site(pair: AlignedTexts, site: DifferenceSite) -> PairProjection:
    reading = _find_added(pair, site)
    if not (reading and reading.alone):
        reason = doubt_of_site(sentence_of(pair.first), site.start, site.end)
        reason = reason or doubt_of_site(sentence_of(pair.second), site.other_start, site.other_end)
        if reason:
            return PairProjection(None, reason=reason)
    if decided := opposing_label(pair, site):
        return _project_opposites(pair, site, *decided)
    reading = reading or _find_replaced(pair, site)
    if not reading:
        return PairProjection(None, reason="the relation of the old words to the new ones is unknown")
    relation, change, polarity, near, _ = reading
    sentence = sentence_of(pair.first)
    if polarity == "unsure" or denies_often(sentence) or (polarity == "up" and is_unexplained(sentence, site.start)):
        return PairProjection(None, relation, change, polarity, reason="the polarity of the place is unclear")
    label = project_label(relation, polarity)
    if near and label is not Label.ENTAILMENT:
        return PairProjection(None, relation, change, polarity, reason="what changed means nearly the same")
    return PairProjection(label, relation, change, polarity)


def _project_opposites(pair: AlignedTexts, site: DifferenceSite, label: Label, change: str) -> PairProjection:
    marks = marks_of(pair.first)
    polarity = marks[min(site.start, len(marks) - 1)]
    if polarity != "up":
        return PairProjection(None, "exclusive", change, polarity, reason="the polarity of the place is unclear")
    return PairProjection(label, "exclusive", change, polarity)


def project_label(relation: Relation, polarity: Mark) -> Label:
    """The label that follows from a change at a position with this polarity.

    >>> [project_label(*each).value for each in (("broader", "up"), ("broader", "down"), ("narrower", "none"))]
    ['entailment', 'neutral', 'neutral']
    """
    if relation == "same":
        return Label.ENTAILMENT
    follows = {("broader", "up"), ("narrower", "down")}
    return Label.ENTAILMENT if (relation, polarity) in follows else Label.NEUTRAL


def marks_of(tokens: Sequence[Tagged]) -> list[Mark]:
    """The polarity of each token of a text, sentence by sentence."""
    return [mark for _, each in groupby(tokens, key=lambda token: token.sentence) for mark in surface_marks([*each])]


def _in_quotation(text: str, tokens: Sequence[Tagged], start: int) -> bool:
    """True if the changed position is inside a quotation."""
    return bool(tokens) and in_open_quotation(text[: tokens[min(start, len(tokens) - 1)].start])


class ChangedPart(NamedTuple):
    """A changed part, and its relation."""

    relation: Relation
    change: str
    polarity: Mark
    near: bool = False
    alone: bool = False
    """True if it is a clause, which is true or false whatever the others say."""


def _find_added(pair: AlignedTexts, site: DifferenceSite) -> ChangedPart | None:
    """The words that one text adds to the other."""
    if site.start < site.end and site.other_start < site.other_end:
        return None
    more = site.start < site.end
    tokens = pair.first if more else pair.second
    start, end = (site.start, site.end) if more else (site.other_start, site.other_end)
    marks = marks_of(tokens)
    sentence = sentence_of(tokens)
    denied = more and "down" in marks[start:end]  # people add alternatives to what is denied without saying more
    for extra in find_extras(sentence, start, end, denied=denied):
        relation: Relation = "narrower" if extra.narrows else "broader"
        place = marks[extra.start]  # further words may be in the reach of words inside what is added
        if extra.kind == "disjunct" and denied and place != "down":
            return None
        alone = extra.kind == "conjunct" and sentence.has_verb(extra.start, extra.end)
        if extra.kind == "conjunct" and not alone and _is_counted(sentence, extra.start):
            return None
        if extra.kind == "conjunct" and place == "down":
            place = "unsure"  # "no dogs and cats" may mean neither
        return ChangedPart(TURNED[relation] if more else relation, extra.kind, place, alone=alone)
    return None


def _is_counted(sentence: Sentence, place: int) -> bool:
    """True if a clause counts its subject or object, so that nothing can be added: "three people", "all the wine"."""
    clause = range(sentence.clause_start(place), sentence.clause_end(place))
    return any(
        sentence.low[k] in WORDS["exhausting"] or (sentence.tags[k] == "CD" and not YEAR.fullmatch(sentence.low[k]))
        for k in clause
    )


def _find_replaced(pair: AlignedTexts, site: DifferenceSite) -> ChangedPart | None:
    """The words that are replaced between the texts."""
    ours = _bare_phrase(pair.first[site.start : site.end])
    theirs = _bare_phrase(pair.second[site.other_start : site.other_end])
    marks = marks_of(pair.first), marks_of(pair.second)
    if not ours or not theirs or (site.start > 0 and pair.first[site.start - 1].text.lower() in MEASURES):
        return None
    relation = _relate_phrases(ours, theirs)
    if relation is None:
        return None
    one, other = marks[0][site.end - 1], marks[1][site.other_end - 1]
    return ChangedPart(relation.relation, "word", one if one == other else "unsure", relation.near)


def _bare_phrase(tokens: Sequence[Tagged]) -> list[Tagged]:
    phrase = list(tokens)
    while phrase and phrase[0].text.lower() in WORDS["articles"]:
        phrase.pop(0)
    return phrase


def _relate_phrases(ours: Sequence[Tagged], theirs: Sequence[Tagged]) -> WordRelation | None:
    """The relation of two phrases: as wholes, or by their heads if only one has modifiers."""
    pos = POS.get(ours[-1].tag[:1])
    if pos is None or POS.get(theirs[-1].tag[:1]) != pos or (pos == "v" and ours[-1].tag != theirs[-1].tag):
        return None
    one, other = (" ".join(each.text for each in side) for side in (ours, theirs))
    if NOBODY.intersection((one.lower(), other.lower())):
        return None
    if one.lower() in WORDS["anything"] and pos == "n":
        return WordRelation("narrower", near=False)
    if other.lower() in WORDS["anything"] and pos == "n":
        return WordRelation("broader", near=False)
    if whole := word_relation(one, other, pos):
        return whole
    if pos != "n" or (len(ours) > 1 and len(theirs) > 1):
        return None
    heads = word_relation(ours[-1].text, theirs[-1].text, pos)
    if heads and heads.relation == "broader" and len(theirs) == 1:
        return WordRelation("broader", near=False)
    if heads and heads.relation == "narrower" and len(ours) == 1:
        return WordRelation("narrower", near=False)
    return None
