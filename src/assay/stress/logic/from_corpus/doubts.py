"""Contexts that natural logic can't settle: orders, wishes, comparisons, exceptions, and general statements."""

from assay.language.polarity.phrase_bounds import FINITE, NOUNS, Sentence
from assay.language.polarity.surface_polarity import FALSE, MOST_TURNED
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet

WORDS = load_words(__file__)

NOT_A_KIND = WORDS["not_a_kind"]
HEDGES = WORDS["hedges"]

EXCEPTED = WORDS["excepted"]
ATTITUDES = WORDS["attitudes"]


ORDER = "an order is neither true nor false"
LIMITED = 'a word such as "only" or "except" may reach the place'
COMPARED = "a comparison may reach the place"
THOUGHT = "what is thought, wished or liked may be meant in several ways"
GENERAL = "it may be a general statement"
FEW = '"few" may be a small part or a small number'
DENIED = "it is unclear whether a negation applies to the place"

VERBS = FINITE | {"VBG", "VBN", "VB"}
EPISODIC = frozenset({"VBD", "VBG", "VBN"})
"""Tags of verbs that describe an event."""
NUMBERS = frozenset({"CD"})
DENYING = WORDS["negations"] | WORDS["denying"]


def doubt_of_site(sentence: Sentence, start: int, end: int) -> str:
    """The reason why the label of a change between two positions is uncertain; empty if it is certain.

    >>> low, tags = ("she", "only", "eats", "pears"), ("PRP", "RB", "VBZ", "NNS")
    >>> doubt_of_site(Sentence(low, tags), 3, 4)
    'a word such as "only" or "except" may reach the place'
    """
    place = max(0, min(start, len(sentence.low) - 1))
    first, last = sentence.clause_start(place), sentence.clause_end(place)
    around = [k for k in range(first, last) if not start <= k < end]
    if _is_order(sentence, first):
        return ORDER
    if "few" in sentence.low[max(first, start - 2) : start] and "a" not in sentence.low[max(first, start - 3) : start]:
        return FEW
    if any(_limits(sentence, k) for k in around):
        return LIMITED
    if any(_compares(sentence, k) for k in around):
        return COMPARED
    if any(_thinks(sentence, k) for k in range(first, min(start, last))):
        return THOUGHT
    if _is_bare(sentence, start) or _is_general(sentence, first, start):
        return GENERAL
    before = range(first, min(start, last))
    if any(sentence.tags[k] == "JJ" and sentence.low[k + 1 : k + 2] == ("at",) for k in before):  # "good at games"
        return GENERAL
    return DENIED if _may_be_denied(sentence, place, first, last) else ""


def _is_order(sentence: Sentence, first: int) -> bool:
    """True if a clause begins with a verb without a subject, as orders do."""
    low, tags = sentence.low[first : first + 3], sentence.tags[first : first + 3]
    if not low:
        return False
    if low[0] in ("please", "let") or low[:2] in (("do", "not"), ("do", "n't")):
        return True
    if tags[0] == "VB" or (low[0] == "never" and tags[1:2] == ("VB",)):
        return True
    if first or low[0] not in wordnet().morphy(low[0], "v"):
        return False
    return tags[0].startswith("V") or (tags[1:2] == ("DT",) and not FINITE.intersection(sentence.tags))


def _limits(sentence: Sentence, k: int) -> bool:
    """True if a word limits what is asserted: "only", "nothing but"."""
    if sentence.low[k] in WORDS["limiting"]:
        return True
    return sentence.low[k] == "but" and bool(EXCEPTED.intersection(sentence.low[max(0, k - 2) : k]))


def _compares(sentence: Sentence, k: int) -> bool:
    """True if token `k` is part of a comparison without a number: "than a dog", "as tall as", "enough"."""
    low, following = sentence.low, sentence.tags[k + 1 : k + 2]
    if low[k] == "than":
        return not NUMBERS.intersection(following) and low[k + 1 : k + 2] != ("half",)
    if low[k] == "as":
        return "as" in low[k + 2 : k + 4]
    if low[k] == "too":
        return following[:1] in (("JJ",), ("RB",)) and "to" not in low[k + 2 : k + 5]
    return low[k] == "enough" or (low[k] == "so" and following[:1] in (("JJ",), ("RB",)) and "that" in low[k:])


def _thinks(sentence: Sentence, k: int) -> bool:
    """True if a verb is about thoughts, wishes or tastes."""
    if not sentence.tags[k].startswith("V"):
        return False
    return not ATTITUDES.isdisjoint(wordnet().morphy(sentence.low[k], "v"))


def _is_bare(sentence: Sentence, start: int) -> bool:
    """True if the position is in a bare plural at the start, with a verb that the tagger missed: "wolves hunt deer"."""
    return start <= 1 and "NNS" in sentence.tags[:2] and not VERBS.intersection(sentence.tags)


def _is_general(sentence: Sentence, first: int, start: int) -> bool:
    """True if the position is in a subject with "a" that may mean the whole kind: "a dog needs water"."""
    if sentence.low[first : first + 1] not in (("a",), ("an",)):
        return False
    verb = next((k for k in range(first, len(sentence.low)) if sentence.tags[k] in FINITE), -1)
    if not first <= start < verb or EPISODIC.intersection(sentence.tags[verb : verb + 4]):
        return False
    return sentence.tags[verb] == "MD" or not WORDS["states"].isdisjoint(wordnet().morphy(sentence.low[verb], "v"))


def _may_be_denied(sentence: Sentence, place: int, first: int, last: int) -> bool:
    """True if the position is in the subject of a negated verb ("all dogs did not bark"), or in a contrast to it."""
    low = sentence.low
    verb = next((k for k in range(first, last) if sentence.tags[k] in FINITE), -1)
    if place < verb:
        return bool(WORDS["negations"].intersection(low[verb : verb + 3]))
    but = next((k for k in range(first, place) if low[k] == "but"), -1)
    return but > 0 and bool(WORDS["negations"].intersection(low[first:but]))


def is_unexplained(sentence: Sentence, place: int) -> bool:
    """True if one negation comes before the position in its clause, so that its polarity should be downward.

    The scope of a negation ends at a comma, and at the verb of a subject that contains the negation.
    """
    place = max(0, min(place, len(sentence.low) - 1))
    first = max((k + 1 for k in range(place) if sentence.low[k] in (",", ";", ":")), default=0)
    denials = [
        k
        for k in range(first, place)
        if sentence.low[k] in DENYING and place < sentence.clause_end(k) and sentence.low[max(0, k - 1)] != "a"
    ]
    return (
        len(denials) == 1
        and not WORDS["turning"].intersection(sentence.low[:place])
        and FALSE.isdisjoint(sentence.low)
        and not _is_left(sentence, denials[0], place)
    )


def denies_often(sentence: Sentence) -> bool:
    """True if a sentence has more than two negations, so that people lose count."""
    return sum(word in DENYING or word in FALSE for word in sentence.low) > MOST_TURNED


def _is_left(sentence: Sentence, k: int, place: int) -> bool:
    """True if the scope of a negation ends before the position: "a man not wearing a hat sits"."""
    described = k > 0 and sentence.tags[k - 1] in NOUNS and sentence.tags[k + 1 : k + 2] in (("IN",), ("JJ",), ("RB",))
    inside = described or sentence.tags[k + 1 : k + 2] in (("VBG",), ("VBN",)) or sentence.low[k] == "without"
    return (inside and sentence.has_verb(k + 1, place)) or "that" in sentence.low[k + 1 : place]
