"""Proof for changed quantities: both texts become intervals, and the label follows from how the two lie."""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from assay.core.case import Case
from assay.core.edit import Replacement, Skip, undo
from assay.core.label import Label
from assay.core.pair import premise_cluster
from assay.language.analysis import Tagged, analyse
from assay.language.intervals import Interval, interval
from assay.language.numbers import Other, Quantity, numbers
from assay.stress.checks.source import CHANGED

SHAPE = Skip("not proven: the texts differ in more than one quantity")
NO_QUANTITY = Skip("not proven: what was changed is not one comparable quantity")
WRONG = Skip("not proven: the intervals of the two quantities give another label")
IMPLAUSIBLE = Skip("not proven: the new value does not fit its place")
TWICE = Skip("not proven: the quantity is mentioned or explained elsewhere")
RELATED = Skip("not proven: another number of the sentence goes with the quantity")
QUESTION = Skip("not proven: the quantity stands in a question")
SCOPE = Skip("not proven: a negation, condition, modal or other operator may undo the change")
NO_NOUN = Skip("not proven: no plural noun or unit says what is counted")
PLACE = Skip("not proven: what stands before the quantity does not suit a comparison")
IDIOM = Skip("not proven: the quantity belongs to an idiom or is meant loosely")

PHRASES = ("", "more than ", "less than ")

OPERATORS = frozenset(
    "not n't no never none nobody nothing neither nor without cannot rarely seldom "
    "if unless whether whenever suppose assuming provided otherwise lest "
    "can could may might must should would ought 'd "
    "every any anyone anybody anything anywhere everyone everybody whoever whatever "
    "hope hopes hoped wish wishes wished doubt doubts doubted deny denies denied guess guesses guessed imagine pretend "
    "estimate estimates estimated estimating want wants wanted refuse refuses refused avoid avoids avoided prevent "
    "prevents prevented fail fails failed forget forgot urge urges ask asks please consider consideration encourage "
    "invite recommend recommends recommended suggest suggests suggested propose proposes proposed request requests "
    "typically usually generally sometimes normally maybe perhaps probably possibly".split()
)
"""Words that, somewhere in the sentence, keep a comparison from deciding the label."""
NEAR_OPERATORS = frozenset(
    "hardly scarcely barely few little only just even merely simply almost nearly about approximately roughly around likely "
    "often average averages averaged minimum maximum least most than like say as up".split()
)
"""Words that do so in the neighbourhood of the quantity."""
WANTED_AFTER = frozenset("enough too sufficient required needed necessary allowed limit limited".split())
PAIRED = frozenset("both either neither former latter pair couple twins twin other others another respectively".split())
"""Words that tell again that there are two."""
EXPLAINING = frozenset({":", "namely", "i.e.", "viz.", "--", "-", "\u2014", "\u2013", ";", "+"})
"""What a list of the things that are counted may begin with."""
LOOSE = frozenset("times time fold minds ways way sides ends cents bits".split())
REPEATED_TIME = {("24", "hours"), ("7", "days"), ("365", "days"), ("52", "weeks"), ("12", "months"), ("60", "minutes")}
BEFORE_TAGS = frozenset({"IN", "TO", "CC", ",", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "RP", "NN", "NNS", "NNP", "PRP"})
"""What may stand before a quantity that gets a comparison."""
BEFORE_NOT = frozenset(
    "as between near toward towards like plus minus equals equal by-product age ages aged row page pages section "
    "sections chapter chapters number numbers than per another and/or versus vs vs. v. nearest".split()
)
NOUN_AFTER_OF = frozenset("one first second third last half all most any each none some many part majority rest".split())
INSIDE_TAGS = frozenset({"JJ", "JJS", "VBN", "VBG", "NN", "NNP", "RB", "POS", "HYPH", "$"})
INSIDE_NOT = frozenset("more less fewer other additional extra further such same ago later".split())
UNITS = frozenset("m km cm mm ft kg g lb lbs oz mph kmph kph mg ml l hr hrs min mins sec secs litre percent".split())
NOUNS = frozenset({"NNS", "NNPS"})
PEOPLE = frozenset("people men women children feet teeth police sheep fish deer aircraft".split())
MEASURES = frozenset(
    "years months weeks days hours minutes seconds centuries decades miles feet inches yards acres pounds tons gallons "
    "kilometers kilometres meters metres degrees points".split()
)
NAMING = frozenset({"DT", "PRP$", "NNP", "NNPS", "CD", "``", "NN", "NNS", "JJ"})
LONGEST_PHRASE = 6
MOST_SHARE = Decimal(100)


class NumeracyCheck:
    """For the family numeracy, with numbers read exactly: "3 hats" are not four."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, find the quantity in both texts by parsing them anew, compare, and look at what surrounds it."""
        edit = case.provenance.edit
        try:
            source, twin = undo(case.premise, edit.premise), undo(case.hypothesis, edit.hypothesis)
        except ValueError:
            return CHANGED
        sides = (edit.premise_from, edit.hypothesis_from)
        if source != twin or sides != ("premise", "premise") or premise_cluster(source) != case.cluster:
            return CHANGED
        if len(edit.premise) + len(edit.hypothesis) != 1 or edit.label != case.label:
            return SHAPE
        (change,) = edit.premise or edit.hypothesis
        changed = case.premise if edit.premise else case.hypothesis
        old = _quantity(source, change.start, change.start + len(change.old), allowed=("",))
        new = _quantity(changed, change.start, change.start + len(change.new), allowed=PHRASES)
        if old is None or new is None or old.unit != new.unit or old.bound != "bare":
            return NO_QUANTITY
        found = _label(old, new) if edit.hypothesis else _label(new, old)
        if found != case.label:
            return WRONG
        if not _fits(old, new) or len(_numbers(source)) != len(_numbers(changed)):
            return IMPLAUSIBLE
        return _context(source, old)


def _quantity(text: str, start: int, end: int, *, allowed: Sequence[str]) -> Quantity | None:
    """The quantity that ends where the change does, with nothing but a phrase of comparison before it."""
    for each in _numbers(text):
        if each.end == end and isinstance(each, Quantity) and each.start >= start:
            return each if text[start : each.start].lower() in allowed and not each.determined else None
    return None


@lru_cache(maxsize=4096)
def _numbers(text: str) -> tuple[Quantity | Other, ...]:
    return tuple(numbers(text))


def _label(premise: Quantity, hypothesis: Quantity) -> Label | None:
    """The label that the intervals give; None if one of them is vague."""
    given, claimed = interval(premise), interval(hypothesis)
    if given is None or claimed is None:
        return None
    return label_of(given, claimed)


def label_of(given: Interval, claimed: Interval) -> Label:
    """What follows about a claim of one interval from another.

    >>> three, more_than_two = interval("3"), interval("more than 2")
    >>> label_of(three, more_than_two).value, label_of(more_than_two, three).value
    ('entailment', 'neutral')
    """
    if given.subset_of(claimed):
        return Label.ENTAILMENT
    return Label.CONTRADICTION if given.disjoint_from(claimed) else Label.NEUTRAL


def _fits(old: Quantity, new: Quantity) -> bool:
    """Agreement stays as it is, and a share of a whole stays one."""
    if 1 in (old.value, new.value) and not (old.prefix or old.unit == "percent"):
        return False
    if old.unit == "percent" and old.value >= MOST_SHARE:
        return False
    return not (old.unit == "percent" and new.value > MOST_SHARE)


@lru_cache(maxsize=4096)  # three cases share a source
def _context(text: str, quantity: Quantity) -> Skip | None:
    """Why a comparison put on the quantity need not decide anything; None if it does."""
    tokens = analyse(text)
    first = next((i for i, each in enumerate(tokens) if each.start >= quantity.start), None)
    after = next((i for i, each in enumerate(tokens) if each.start >= quantity.end), len(tokens))
    if first is None:
        return NO_QUANTITY
    sentence = tokens[first].sentence
    low = next(i for i, each in enumerate(tokens) if each.sentence == sentence)
    high = next((i for i in range(first, len(tokens)) if tokens[i].sentence != sentence), len(tokens))
    words = [each.text.lower() for each in tokens]
    inside = words[low:first] + words[after:high]
    if words[high - 1] == "?" or "?" in words[low:high]:
        return QUESTION
    near = words[max(low, first - LONGEST_PHRASE) : first] + words[after : min(high, after + LONGEST_PHRASE)]
    if not OPERATORS.isdisjoint(inside) or not NEAR_OPERATORS.isdisjoint(near) or not WANTED_AFTER.isdisjoint(words[after:high]):
        return SCOPE
    if quantity.form == "words" and quantity.number.lower().startswith(("a ", "half ")) or "dozen" in quantity.text.lower():
        return IDIOM
    return (
        _other_numbers(text, quantity, tokens[first:after][-1].end)
        or _told_again(quantity, inside, words[after:high])
        or _before(tokens, words, low, first, measured=bool(quantity.unit))
        or _after(tokens, words, after, high, quantity)
    )


def _other_numbers(text: str, quantity: Quantity, end: int) -> Skip | None:
    shares = [each.value for each in _numbers(text) if isinstance(each, Quantity) and each.unit == "percent"]
    if quantity.unit == "percent" and sum(shares) == MOST_SHARE:
        return TWICE  # the others tell it
    if quantity.value == sum(isinstance(each, Quantity) and each.start > end for each in _numbers(text)):
        return TWICE  # "two boxes of 3 and 5 pounds"
    for each in _numbers(text):
        if each.start == quantity.start:
            continue
        if isinstance(each, Quantity) and each.value == quantity.value:
            return TWICE
        gap = text[end : each.start] if each.start > end else text[each.end : quantity.start]
        if len(gap.split()) <= 1 or "(" in gap and len(gap.split()) < LONGEST_PHRASE:
            return RELATED
    return None


def _told_again(quantity: Quantity, inside: list[str], after: list[str]) -> Skip | None:
    if quantity.value == 2 and not PAIRED.isdisjoint(inside):
        return TWICE
    if not EXPLAINING.isdisjoint(after) or any(two == ("1", ")") for two in pairwise(after)):
        return TWICE
    return None


def _before(tokens: Sequence[Tagged], words: list[str], low: int, first: int, *, measured: bool) -> Skip | None:
    if first == low:
        return PLACE if tokens[first].text in "$\u00a3\u20ac" else None
    before = words[first - 1]
    if tokens[first - 1].tag not in BEFORE_TAGS or before in BEFORE_NOT:
        return PLACE
    if before in ("are", "were") and not (measured or (first - 2 >= low and words[first - 2] == "there")):
        return TWICE  # "Rome and Bonn are two cities"
    if before == "of" and (
        first - 2 < low
        or words[first - 2] in NOUN_AFTER_OF
        or tokens[first - 2].tag[:2] != "NN"
        or (measured and tokens[first - 2].tag in NOUNS)  # "Gifts of $40 help" says nothing of other gifts
    ):
        return PLACE
    return None


def _after(tokens: Sequence[Tagged], words: list[str], after: int, high: int, quantity: Quantity) -> Skip | None:
    if quantity.unit:
        return None
    for i in range(after, min(high, after + LONGEST_PHRASE)):
        if words[i] in LOOSE or (f"{quantity.value:f}", words[i]) in REPEATED_TIME:
            return IDIOM
        if words[i] in UNITS and i == after:
            return PLACE if i + 1 < high and tokens[i + 1].tag[:2] == "NN" else None
        if tokens[i].tag in NOUNS or words[i] in PEOPLE:
            return TWICE if words[i] not in MEASURES and _lists(tokens[i + 1 : high]) else None
        if tokens[i].tag not in INSIDE_TAGS or words[i] in INSIDE_NOT:
            return NO_NOUN
    return NO_NOUN


def _lists(rest: Sequence[Tagged]) -> bool:
    """Whether what is counted may be named one by one: "two cities, Rome and Bonn"."""
    if not rest:
        return False
    if rest[0].text == "(" or rest[0].tag in ("NNP", "NNPS"):
        return True
    return rest[0].text == "," and len(rest) > 1 and rest[1].tag in NAMING
