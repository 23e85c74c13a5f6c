"""The label of two texts that differ in one place: the relation of what changed, and the polarity of the place."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from assay.core.label import Label
from assay.language.polarity.phrases import sentence_of
from assay.language.polarity.surface import surface_marks
from assay.language.polarity.words import Mark
from assay.language.text.analysis import Tagged
from assay.language.text.clauses import in_open_quotation
from assay.stress.logic.real.aligned import Aligned, Site, aligned
from assay.stress.logic.real.extras import extras
from assay.stress.logic.real.opposed import neither_nor, opposed
from assay.stress.logic.real.relations import POS, TURNED, Relation, word_relation

ARTICLES = frozenset({"a", "an", "some", "any"})
"""Determiners that a phrase may have or not without a difference to what it covers."""
MOST_SITES = 2
LONGEST = 300
"""Tokens of a text, at most: the time to find clauses grows with the square of them."""


class Reading(NamedTuple):
    """What is known of two texts."""

    label: Label | None
    """The label; None if nothing decides."""
    relation: Relation | None = None
    """What the second is to the first, in the place that changes."""
    change: str = ""
    """What changes: a noun, a modifier, a conjunct and so on."""
    polarity: Mark | None = None
    """The polarity of the place."""
    reason: str = ""
    """Why nothing decides."""


def read_pair(premise: str, hypothesis: str) -> Reading:
    """The label of a pair, if its texts differ in one place and the place and the change decide."""
    pair = aligned(premise, hypothesis)
    if max(len(pair.first), len(pair.second)) > LONGEST:
        return Reading(None, reason=f"a text has more than {LONGEST} words")
    if any(_in_quotation(premise, pair.first, site.start) for site in pair.sites):
        return Reading(None, reason="what changed is in a quotation")
    if not pair.sites:
        return Reading(None, reason="the texts do not differ")
    if label := neither_nor(sentence_of(pair.first), sentence_of(pair.second)):
        return Reading(label, "exclusive", "neither nor", "up")
    if len(pair.sites) > MOST_SITES:
        return Reading(None, reason="the texts differ in several places")
    readings = [_read_site(pair, site) for site in pair.sites]
    for each in readings:
        if each.label is None:
            return each
    follows = [each for each in readings if each.label is not Label.ENTAILMENT]
    if not follows:
        return readings[0]
    return follows[0] if len(readings) == 1 else Reading(None, reason="the texts differ in several places")


def _read_site(pair: Aligned, site: Site) -> Reading:
    if decided := opposed(pair, site):
        return _opposed(pair, site, *decided)
    found = _added(pair, site) or _replaced(pair, site)
    if not found:
        return Reading(None, reason="how what changed is related is not known")
    relation, change, polarity = found
    if polarity == "unsure":
        return Reading(None, relation, change, polarity, reason="the polarity of the place is not certain")
    return Reading(projected(relation, polarity), relation, change, polarity)


def _opposed(pair: Aligned, site: Site, label: Label, change: str) -> Reading:
    marks = marks_of(pair.first)
    polarity = marks[min(site.start, len(marks) - 1)]
    if polarity != "up":
        return Reading(None, "exclusive", change, polarity, reason="the polarity of the place is not certain")
    return Reading(label, "exclusive", change, polarity)


def projected(relation: Relation, polarity: Mark) -> Label:
    """What follows from a change in a place.

    >>> projected("broader", "up").value, projected("broader", "down").value, projected("narrower", "none").value
    ('entailment', 'neutral', 'neutral')
    """
    if relation == "same":
        return Label.ENTAILMENT
    follows = {("broader", "up"), ("narrower", "down")}
    return Label.ENTAILMENT if (relation, polarity) in follows else Label.NEUTRAL


def marks_of(tokens: Sequence[Tagged]) -> list[Mark]:
    """The polarity of each token of a text, sentence by sentence."""
    return [mark for _, each in groupby(tokens, key=lambda token: token.sentence) for mark in surface_marks([*each])]


def _in_quotation(text: str, tokens: Sequence[Tagged], start: int) -> bool:
    """Whether a quotation is open where something changes."""
    return bool(tokens) and in_open_quotation(text[: tokens[min(start, len(tokens) - 1)].start])


def _added(pair: Aligned, site: Site) -> tuple[Relation, str, Mark] | None:
    """What one text has more than the other."""
    if site.start < site.end and site.other_start < site.other_end:
        return None
    more = site.start < site.end
    tokens = pair.first if more else pair.second
    start, end = (site.start, site.end) if more else (site.other_start, site.other_end)
    marks = marks_of(tokens)
    for found in extras(sentence_of(tokens), start, end):
        relation: Relation = "narrower" if found.narrows else "broader"
        place = marks[found.start]  # further words may be in the reach of words inside what is added
        if found.kind == "conjunct" and place == "down":
            place = "unsure"  # "no dogs and cats" may mean neither
        return (TURNED[relation] if more else relation), found.kind, place
    return None


def _replaced(pair: Aligned, site: Site) -> tuple[Relation, str, Mark] | None:
    """What one text has in the place of what the other has."""
    ours = _bare(pair.first[site.start : site.end])
    theirs = _bare(pair.second[site.other_start : site.other_end])
    marks = marks_of(pair.first), marks_of(pair.second)
    if not ours or not theirs:
        return None
    relation = _phrases(ours, theirs)
    if relation is None:
        return None
    one, other = marks[0][site.end - 1], marks[1][site.other_end - 1]
    return relation, "word", one if one == other else "unsure"


def _bare(tokens: Sequence[Tagged]) -> list[Tagged]:
    found = list(tokens)
    while found and found[0].text.lower() in ARTICLES:
        found.pop(0)
    return found


def _phrases(ours: Sequence[Tagged], theirs: Sequence[Tagged]) -> Relation | None:
    """How two phrases are related: whole, or by their heads, if only one of them has modifiers."""
    pos = POS.get(ours[-1].tag[:1])
    if pos is None or POS.get(theirs[-1].tag[:1]) != pos:
        return None
    one, other = (" ".join(each.text for each in side) for side in (ours, theirs))
    if whole := word_relation(one, other, pos):
        return whole
    if pos != "n" or (len(ours) > 1 and len(theirs) > 1):
        return None
    heads = word_relation(ours[-1].text, theirs[-1].text, pos)
    if heads == "broader" and len(theirs) == 1:
        return heads
    if heads == "narrower" and len(ours) == 1:
        return heads
    return None
