"""Contexts in which another value, or a limit, need not decide anything about a sentence."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from assay.core.edit import Skip
from assay.language.numbers.quantities import OtherNumber, Quantity
from assay.language.resources.data import load_words
from assay.language.text.analysis import Tagged, analyse
from assay.language.text.tokens import TextCache
from assay.stress.contexts import token_context
from assay.stress.contexts.claims import NEAR, doubt_of_generality, may_undo

WORDS = load_words(__file__)

IDIOM = Skip("not verified: the quantity belongs to an idiom or is meant loosely")
TWICE = Skip("not verified: the quantity is mentioned again elsewhere")
RELATED = Skip("not verified: another number depends on the quantity")
PLACE = Skip("not verified: no comparison fits after the preceding words")
GENERAL = Skip("not verified: a general fact that a reader may know")
NO_NOUN = Skip("not verified: it is unclear what is counted")


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


PAIRED_AFTER = _words("one each")
"""Words that do so after the quantity: "two swords, one on each side"."""
NAMING = _words("DT PRP$ NNP NNPS CD `` NN NNS JJ")
"""Tags of what may be such a list after a comma."""

BE = _words("are were")
FINITE = _words("VBD VBP VBZ MD")

BEFORE = _words("IN TO CC , VB VBD VBG VBN VBP VBZ RP NN NNS NNP PRP EX")
"""Tags of what may come before a quantity that gets a comparison."""

INSIDE = _words("JJ JJR JJS VBN VBG NN NNP RB POS")
"""Tags between a number and its noun."""
NO_ATTRIBUTE = _words("worth today yesterday tonight tomorrow")
"""Nouns that a sum right before them does not describe."""
PLURALS = _words("NNS NNPS")
MEASURES = WORDS["measures"]
ALWAYS = {("24", "hours"), ("7", "days"), ("365", "days"), ("52", "weeks"), ("12", "months"), ("60", "minutes")}
"""Quantities that mean "all the time", or define a unit."""


class QuantityContext(NamedTuple):
    """A quantity with its sentence."""

    quantity: Quantity
    before: Sequence[Tagged]
    """The sentence's tokens before it."""
    after: Sequence[Tagged]
    """The sentence's tokens after it."""
    numbers: tuple[Quantity | OtherNumber, ...]
    text: str

    @property
    def words_before(self) -> list[str]:
        return list(map(_lower_word, self.before))

    @property
    def words_after(self) -> list[str]:
        return list(map(_lower_word, self.after))

    @property
    def is_measured_difference(self) -> bool:
        """True if the quantity is a difference between two things: "18 years older than Bob"."""
        tags = [token.tag for token in self.after[:3]]
        return tags[:2] == ["NNS", "JJR"] and self.words_after[2:3] == ["than"]


def _lower_word(token: Tagged) -> str:
    """A token in lower case, but for the month, which is not a modal."""
    return token.text if token.text == "May" else token.text.lower()


@TextCache  # three cases share a source
def doubt_of_quantity(text: str, quantity: Quantity, found: tuple[Quantity | OtherNumber, ...]) -> Skip | None:
    """The reason why a comparison with the quantity need not decide; None if it does. `found` is all numbers."""
    tokens = analyse(text)
    number = next(i for i, token in enumerate(tokens) if token.end > quantity.start)
    sentence = tokens[number].sentence
    place = QuantityContext(
        quantity=quantity,
        before=[token for token in tokens if token.sentence == sentence and token.end <= quantity.start],
        after=[token for token in tokens if token.sentence == sentence and token.start >= quantity.end],
        numbers=found,
        text=text,
    )
    rules = (_doubt_of_scope, _other_numbers, _told_again, _what_is_before, _what_is_after)
    doubt = next(filter(None, (rule(place) for rule in rules)), None)
    return doubt or (GENERAL if doubt_of_generality(token_context.TokenContext.of(text, tokens, number, "")) else None)


def _doubt_of_scope(place: QuantityContext) -> Skip | None:
    before, after = place.words_before, place.words_after
    if "?" in after:
        return Skip("not verified: the quantity is part of a question")
    # "18 years older than Bob" compares two people, and can itself be compared; "a certain date" is one date.
    rest = after[3:] if place.is_measured_difference else after
    if may_undo(_without_certain(before), rest):
        return Skip("not verified: a negation, condition, modal or other operator may undo the change")
    written = place.quantity.number.lower()
    return IDIOM if written.startswith(("a ", "half ")) or written.endswith("dozen") else None


def _without_certain(words: Sequence[str]) -> list[str]:
    return [word for j, word in enumerate(words) if word != "certain" or not j or words[j - 1] != "a"]


def _other_numbers(place: QuantityContext) -> Skip | None:
    quantity = place.quantity
    quantities = [other for other in place.numbers if isinstance(other, Quantity)]
    if quantity.unit == "percent" and sum(other.value for other in quantities if other.unit == "percent") == 100:
        return TWICE  # the others tell it
    if quantity.value == sum(other.start > quantity.start for other in quantities):
        return TWICE  # "two boxes of 3 and 5 pounds"
    for other in place.numbers:
        if other.start == quantity.start:
            continue
        if isinstance(other, Quantity) and other.value == quantity.value:
            return TWICE
        first, second = sorted((other, quantity), key=lambda one: one.start)
        between = place.text[first.end : second.start]
        gap = between.split(None, NEAR)
        near = len(gap) < NEAR and ("or" in gap or "(" in between)
        if len(gap) < 2 or near or between.rsplit(None, 1)[-1] == "or":
            return RELATED  # "six feet five", "two years or three years", "30 km (20 miles)"
    return None


def _told_again(place: QuantityContext) -> Skip | None:
    after = place.words_after
    if place.quantity.value == 2 and not (
        WORDS["paired"].isdisjoint(place.words_before + after) and PAIRED_AFTER.isdisjoint(after)
    ):
        return TWICE
    if "  " in place.text[place.quantity.end : place.after[-1].end if place.after else place.quantity.end]:
        return TWICE  # something was lost there, such as the colon before a list
    if not place.before and any(a.text in BE and b.tag in NAMING - {"JJ"} for a, b in pairwise(place.after)):
        return TWICE  # "Two methods are matching and counting"
    if not (place.before or WORDS["examples"].isdisjoint(after)):
        return TWICE  # "Two examples are open fires"
    if not WORDS["explaining"].isdisjoint(after) or ("1", ")") in pairwise(after):
        return TWICE
    if place.quantity.value == sum(a.tag == "DT" and b.tag.startswith("NNP") for a, b in pairwise(place.after)):
        return TWICE  # "two laws, the Clean Air Act and the Clean Water Act"
    # As many items, with or without a comma before the last: "four metals appear, iron, tin, lead and gold".
    commas = after.count(",")
    return TWICE if not place.quantity.unit and commas > 1 and place.quantity.value - commas in (0, 1, 2) else None


def _what_is_before(place: QuantityContext) -> Skip | None:
    words, measured = place.words_before, bool(place.quantity.unit)
    if not words:
        # "$5 helps a child" is true of other sums as well; a small number in digits that begins a sentence is a label.
        label = place.quantity.form == "integer" and place.quantity.value < 100 and not measured
        return PLACE if place.quantity.unit == "money" or label else None
    if place.before[-1].tag not in BEFORE or words[-1] in WORDS["not_before"]:
        return PLACE
    if words[-1] == "in" and words[-3:-1] in (["first", "time"], ["only", "time"], ["last", "time"]):
        return PLACE  # "the first time in ten years" may be the first in twenty
    if words == ["at"]:
        return PLACE  # "At $5, it sells" may be true of every lower price
    if place.before[-1].text in WORDS["countries"] and place.quantity.prefix:
        return PLACE
    if words[-1] in BE and not measured and words[-2:-1] != ["there"]:
        return TWICE  # "Rome and Bonn are two cities"
    if words[-1] == "of":
        whole = place.before[-2] if len(words) > 1 else None
        if whole is None or words[-2] in WORDS["parts"] or not whole.tag.startswith("NN"):
            return PLACE
        if measured and whole.tag in PLURALS:
            return PLACE  # "Gifts of $40 help" says nothing of other gifts
    return None


def _what_is_after(place: QuantityContext) -> Skip | None:
    """A count must have a plural noun, so that it is not a name or label, and agrees with any other count."""
    if place.quantity.unit:
        noun = place.after[0] if place.after and place.after[0].tag.startswith("NN") else None
        return PLACE if noun and place.quantity.prefix and noun.text not in NO_ATTRIBUTE else None  # "$40 hats"
    value = f"{place.quantity.value:f}"
    for i, token in enumerate(place.after[:NEAR]):
        word, rest = token.text.lower(), place.after[i + 1 :]
        if word in WORDS["loose"] or (value, word) in ALWAYS:
            return IDIOM
        if word in WORDS["units"] | MEASURES and rest and rest[0].text in ("a", "per", "every", "each"):
            return IDIOM  # a week has seven days
        if word in WORDS["units"] and not i:
            return PLACE if rest and rest[0].tag.startswith("NN") else None  # "750 m channel"
        if (token.tag in PLURALS and len(word) > 1) or word in WORDS["plural_words"]:
            if rest and rest[0].text in ("is", "was", "past"):
                return PLACE  # "Forty pages is plenty" is true of more, too; "ten minutes past noon" is a time
            if word not in MEASURES and _in_apposition(place):
                return TWICE
            return TWICE if _names_them(rest, measured=word in MEASURES) else None
        if token.tag not in INSIDE or word in WORDS["not_inside"]:
            return NO_NOUN
    return NO_NOUN


def _in_apposition(place: QuantityContext) -> bool:
    """True if the quantity may tell how many were named just before: "Ann and Bob, two friends of mine"."""
    tags = [token.tag for token in place.after]
    return place.words_before[-1:] == [","] and "," not in tags and FINITE.isdisjoint(tags)


def _names_them(rest: Sequence[Tagged], *, measured: bool) -> bool:
    """True if the counted things may be listed: "two cities, Rome and Bonn"; of measures only years are."""
    first, second = ([token.tag for token in rest[:2]] + ["", ""])[:2]
    if measured:
        return first == "," and second == "CD"
    return first in ("NNP", "NNPS", "(") or (first == "," and second in NAMING)
