"""Contexts in which a sentence claims its number or date, so that another one can be excluded.

Each rule returns a reason to doubt, or None. `doubt_of_claim`: the number is asserted, counts or measures something,
and no other number goes with it. `doubt_of_date`: something happened at the date, and if another date is to be
excluded, only once.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from assay.core.edit import Skip
from assay.language.numbers.number_words import COUNTING, SMALL, TENS
from assay.language.numbers.quantities import OtherNumber, Quantity, find_numbers, find_quantities
from assay.language.resources.data import load_patterns, load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.language.text.tokens import TextCache

WORDS = load_words(__file__)

QUESTION = Skip("not verified: the number is part of a question")
SCOPE = Skip("not verified: the number may be in the scope of a negation, condition, wish or estimate")
PART = Skip("not verified: the number may apply to only some of the things or times")
RELATED = Skip("not verified: another number repeats this one or depends on it")
PLACE = Skip("not verified: no other number fits after the preceding words")
NO_NOUN = Skip("not verified: it is unclear what is counted or measured")
IDIOM = Skip("not verified: the number belongs to an idiom or is meant loosely")
NO_EVENT = Skip("not verified: the date does not belong to a single event")
AGAIN = Skip("not verified: the event may have happened at other times, too")

GOVERNING, DENYING, PARTIAL = WORDS["governing"], WORDS["denying"], WORDS["partial"]
NOT_BEFORE, JOINING, CLAUSES = WORDS["not_before"], WORDS["joining"], WORDS["clauses"]
PLURALS, LOOSE, MEASURING, UNITS = WORDS["plurals"], WORDS["loose"], WORDS["measuring"], WORDS["units"]
ONCE, STATES, COMPARING, INDEFINITE = WORDS["once"], WORDS["states"], WORDS["comparing"], WORDS["indefinite"]

CHANGING, PERIODS = WORDS["changing"], WORDS["periods"]
SUFFERING, TOTALS = WORDS["suffering"], WORDS["totals"]
HAVING = WORDS["having"]
CONTENTS, MAJORITY, ADVERBS = WORDS["contents"], WORDS["majority"], WORDS["adverbs"]

FINITE = {"VBD", "VBZ", "VBP", "MD"}
VERBAL = FINITE | {"VBN", "VBG"}
CLAUSE_ENDS = {";", ":", ",", "which", "who", "and", "but", "(", ")"}
CLAUSE_STARTS = {",", ";", "but", "--", "_", ":"}
BORN = re.compile(r"\bborn\s$", re.IGNORECASE)
INSIDE = {"JJ", "JJR", "JJS", "VBN", "VBD", "VBG", "NN", "NNP", "POS", "RB", "CC", ","}
"""Tags between a number and the noun that it counts."""
TOTAL = (["of"], ["of", "the"], ["out", "of"])
"""Words between a number and the number of all."""
ADDED = {"(", "-", "\u2013", "/", "x"}
NEAR = 4
SHORTEST = 6
"""Tokens of a description without a verb, at least: fewer are a heading."""


PATTERNS = load_patterns(__file__, small_numbers=(SMALL | TENS).keys() - {"zero", "one"})


def find_ranks(text: str) -> list[re.Match[str]]:
    """Numbers, as group 1, that are a place, an age or a length of one thing, so that any other is excluded.

    >>> [match[1] for match in find_ranks("Ada Rust, 64, has a five year old dog.")]
    ['64', 'five']
    """
    ranks = (pattern for name, pattern in PATTERNS.items() if name.startswith("rank"))
    return [match for pattern in ranks for match in pattern.finditer(text)]


class NumberContext(NamedTuple):
    """The words around a number or date in its sentence."""

    before: Sequence[Tagged]
    after: Sequence[Tagged]

    @property
    def words_before(self) -> list[str]:
        return [token.text.lower() for token in self.before]

    @property
    def words_after(self) -> list[str]:
        return [token.text.lower() for token in self.after]


@TextCache
def _context(text: str, start: int, end: int) -> NumberContext | None:
    tokens = analyse(text)
    at = next((token.sentence for token in tokens if token.start <= start < token.end), None)
    if at is None:
        return None
    sentence = [token for token in tokens if token.sentence == at]
    before = [token for token in sentence if token.end <= start]
    after = [token for token in sentence if token.start >= end]
    inside = [token for token in sentence if token not in before and token not in after]
    whole = all(start <= token.start and token.end <= end for token in inside)
    return NumberContext(before, after) if whole else None


def doubt_of_claim(text: str, start: int, end: int, *, measured: bool, big: bool, alone: bool) -> Skip | None:
    """The reason why changing the amount at a span may decide nothing; None if there is none.

    `measured` is an amount with a unit, money or per cent; `big` is one that needs no noun. `alone` asks if another
    amount is excluded, but not whether bounds follow: plans and estimates exclude others as facts do.
    """
    place = _context(text, start, end)
    if place is None:
        return PLACE
    return (
        _doubt_of_assertion(place, alone=alone)
        or _doubt_of_parts(place, alone=alone)
        or _doubt_of_neighbours(text, place, start, end, alone=alone)
        or _doubt_of_place(place, alone=alone)
        or _doubt_of_noun(place, measured=measured, big=big, alone=alone)
    )


def doubt_of_date(text: str, start: int, end: int, *, excludes: bool) -> Skip | None:
    """The reason why another time does not follow, or is not excluded; None if there is none."""
    place = _context(text, start, end)
    if place is None:
        return PLACE
    if doubt := _doubt_of_assertion(place, past=True):
        return doubt
    if "since" in place.words_before[-3:]:
        return PLACE  # "since being founded in 1985"
    if BORN.search(text, max(0, start - 6), start) or text[start : start + 4].lower() == "born":
        return None
    if names_event(text, start, end):
        return None
    verb = _verb_of_date(place)
    if verb is None or (not STATES.isdisjoint(_lemmas(verb.text.lower())) and not _is_held(place, verb)):
        return NO_EVENT
    numbers = [number for number in find_quantities(text) if not (start <= number.start < end)]
    if not excludes and any(number.unit == "percent" for number in numbers):
        return PART  # 80% of those who came in one year need not be 80% in ten
    if _is_single_event(place, verb):
        return AGAIN if excludes and not _has_known_subject(place, verb) else None
    clause = [*_until_break(place.words_before[::-1], CLAUSE_ENDS), *_until_break(place.words_after, CLAUSE_ENDS)]
    if not (COMPARING | PARTIAL).isdisjoint(clause) or numbers:
        return PART
    return AGAIN if excludes else None


def doubt_of_rank(text: str, start: int, end: int) -> Skip | None:
    """The reason why another rank, or another year in a description, is not excluded; None if it is."""
    last = next((token.end for token in analyse(text) if token.start < end <= token.end), end)  # "15-year" is one token
    place = _context(text, start, last)
    return PLACE if place is None else _doubt_of_assertion(place)


def doubt_of_period(text: str, start: int, end: int) -> Skip | None:
    """The reason why other years are not excluded for a period from one year to another, or since one."""
    place = _context(text, start, end)
    if place is None:
        return PLACE
    clause = [*_until_break(place.words_before[::-1], CLAUSE_ENDS), *_until_break(place.words_after, CLAUSE_ENDS)]
    others = [number for number in find_numbers(text) if not start <= number.start < end]
    if any(isinstance(number, OtherNumber) and number.kind == "year" for number in others):
        return RELATED
    if not (COMPARING | PARTIAL).isdisjoint(clause) or any(_lemmas(word) & CHANGING for word in clause):
        return PART
    words, tokens = [*place.words_before, *place.words_after], [*place.before, *place.after]
    if not FINITE.intersection(token.tag for token in tokens) or words[0] in INDEFINITE:
        return NO_EVENT
    if PERIODS.intersection(place.words_before[-1:]) or tokens[0].tag == "NNS":
        return NO_EVENT
    if text[start : start + 5].lower() == "since" and WORDS["have"].isdisjoint(words):
        return NO_EVENT
    return _doubt_of_assertion(place)


def _doubt_of_assertion(place: NumberContext, *, alone: bool = False, past: bool = False) -> Skip | None:
    before, after = place.words_before, place.words_after
    if "?" in after or (
        before and before[0] in ("what", "how", "why", "who", "which", "is", "are", "did", "does", "do")
    ):
        return QUESTION
    tags = [token.tag for token in (*place.before, *place.after)]
    asserted = not VERBAL.isdisjoint(tags) or not MEASURING.isdisjoint(before)
    described = after[-1:] == ["."] and len(tags) > SHORTEST  # a caption, or a verb that the tagger takes for a noun
    ordered = "VB" in tags and VERBAL.isdisjoint(tags)
    if not (asserted or described) or ordered or (place.before and tags[0] == "VB"):
        return Skip("not verified: the text is an order or a fragment")
    clause = _until_break(before[::-1], CLAUSES - {"and", "as", "before", "after", "since"})
    following = _until_break(after, CLAUSES)
    words_around = [*before, *after]
    words = GOVERNING - CONTENTS if alone else GOVERNING
    if past:
        words -= {"would"}  # "he would win it in 1946"
    governed = any(_governs(place.before, i, words) for i in range(_clause_start(place.before), len(before)))
    fronted = not past and FINITE.isdisjoint(token.tag for token in place.before)  # "In a city of 400,000, it would"
    if (
        governed
        or (
            fronted and any(_governs(place.after, i, words) for i, token in enumerate(place.after) if token.tag == "MD")
        )
        or any(_governs(place.after, i, words) and not _is_said_of(place.after, i) for i in range(len(following)))
        or not WORDS["if"].isdisjoint(words_around)
    ):
        return SCOPE
    return None if DENYING.isdisjoint([*clause, *following]) and "without" not in clause else SCOPE


def _clause_start(tokens: Sequence[Tagged]) -> int:
    """Where the last clause before a number begins; a clause has a finite verb, and does not end in an infinitive."""
    if [token.text for token in tokens[-2:]] in ([",", "and"], [",", "but"]):
        return len(tokens)  # ", and in 1942 she came"
    for i in range(len(tokens) - 1, -1, -1):
        if tokens[i].text in CLAUSE_STARTS:
            tags = [token.tag for token in tokens[i + 1 :] if token.tag.startswith(("VB", "MD"))]
            if not FINITE.isdisjoint(tags) and (tags[-1] != "VB" or "MD" in tags):
                return i + 1
    return 0


def _governs(tokens: Sequence[Tagged], i: int, words: frozenset[str]) -> bool:
    """True if a word makes the words after it a wish or a guess; a noun does so only with a complement: "a plan to"."""
    if tokens[i].text.lower() not in words:
        return False
    about = tokens[i + 1].text.lower() if i + 1 < len(tokens) else ""
    return not tokens[i].tag.startswith("NN") or about in ("to", "for", "that", "of", "")


def _is_said_of(tokens: Sequence[Tagged], i: int) -> bool:
    """True of what those who were counted think or do: "40 men believe it", but not "40 may come"."""
    tag, before = tokens[i].tag, tokens[i - 1].text.lower() if i else ""
    active = tag in ("VBD", "VBP", "VBZ", "VBG", "VB") or (tag in ("VBN", "JJ") and before not in WORDS["be"])
    return tag.startswith("NN") or (active and not tokens[i].text.lower().startswith(("seem", "likely", "unlikely")))


def _until_break(words: Sequence[str], breaks: frozenset[str] | set[str]) -> list[str]:
    return list(takewhile(lambda word: word not in breaks, words))


def _doubt_of_parts(place: NumberContext, *, alone: bool) -> Skip | None:
    clause = [*_until_break(place.words_before[::-1], {";", ",", "but", "which", "who"})]
    following = _until_break(place.words_after, CLAUSES)
    words = PARTIAL - MAJORITY - {"or"} if alone else PARTIAL  # "two or three" is one number
    if next((token.tag for token in reversed(place.before) if token.tag in FINITE), "") == "VBD":
        words -= {"when", "where"}  # once, not whenever
    return None if words.isdisjoint([*clause, *following]) else PART


def _doubt_of_neighbours(text: str, place: NumberContext, start: int, end: int, *, alone: bool) -> Skip | None:
    """Numbers that depend on each other have bounds that do not fit, but another value excludes this one."""
    after = place.words_after
    numbers = find_numbers(text)
    units = {number.unit for number in numbers if isinstance(number, Quantity) and start <= number.start < end}
    own = [number.text for number in numbers if start <= number.start < end]
    for number in numbers:
        if start <= number.start < end:
            continue
        if number.text in own and (isinstance(number, OtherNumber) or number.determined):
            return RELATED  # "two men ... the two"
        if isinstance(number, OtherNumber) and number.kind in ("year", "date", "ordinal"):
            continue
        between = (text[end : number.start] if number.start >= end else text[number.end : start]).lower().split()
        added = "(" in " ".join(between)
        if alone and not added and not (isinstance(number, OtherNumber) and number.kind in ("unclear", "formula")):
            if "or" in between and isinstance(number, Quantity) and number.unit in units and len(between) < NEAR:
                return RELATED  # "two or three"
            continue
        joined = added or not JOINING.isdisjoint(between)
        if between not in TOTAL and (len(between) < 2 or (len(between) <= NEAR and joined)):
            return RELATED
    dated = alone and after[:2] == ["(", "as"]
    compared = not alone and any(
        not {"from", "over"}.isdisjoint(words) and not WORDS["compared"].isdisjoint(words)
        for words in (after, place.words_before[-8:])
    )
    return RELATED if (after and after[0] in ADDED and not dated) or ":" in after or compared else None


def _doubt_of_place(place: NumberContext, *, alone: bool) -> Skip | None:
    words = place.words_before
    if not words or (alone and (_is_definite(place) or (words[-1] == "up" and place.before[-1].tag != "IN"))):
        return None
    if alone and words[-3:-1] == ["for", "the"]:
        return None  # "for the past four years"
    if alone and words[-1] == "from" and "to" in place.words_after[:NEAR]:
        return None  # "fell from 60 to 40"
    if words[-1] in HAVING and _is_plural_unknown(place.before[:-1]):
        return PART  # "in models with 50 ohm", and in others
    if words[-1] == "in" and not COMPARING.isdisjoint(words[-6:-1]):
        return PLACE  # "the first time in four years" may be the first in ten
    if words[-1] == "by" and place.before[-2:][0].tag in ("IN", ","):  # "by ten weeks" is a bound in time
        return PLACE
    return PLACE if words[-1] in NOT_BEFORE or place.before[-1].tag in ("POS", "JJS", "CD", "WP$", "''") else None


def _is_plural_unknown(tokens: Sequence[Tagged]) -> bool:
    """True if the tokens end in a plural that no word makes known: "in models"."""
    if not tokens or tokens[-1].tag != "NNS":
        return False
    first = next(
        (token.tag for token in reversed(tokens[:-1]) if token.tag not in ("JJ", "NN", "NNP", "VBN", "VBG")), ""
    )
    return first not in ("DT", "PRP$", "CD", "POS")


def _is_definite(place: NumberContext) -> bool:
    """True of "the 40 members" and "all 40 men", which say how many there are."""
    most = place.after and place.after[0].tag == "JJS"  # the three largest are among the four largest
    return place.words_before[-1] in WORDS["definite"] and not most


def _doubt_of_noun(place: NumberContext, *, measured: bool, big: bool, alone: bool) -> Skip | None:
    """A count must have a plural noun; a measure or sum must not come before a noun: "a $40 hat"."""
    if measured:
        noun = place.after[0] if place.after else None
        had = alone and noun and noun.tag == "NN" and place.before[-1:] and place.before[-1].tag.startswith("VB")
        return PLACE if noun and noun.tag in ("NN", "NNS") and noun.text not in ADVERBS and not had else None
    words = place.words_after
    if alone and words[:1] == ["times"] and words[1:2] and words[1] in WORDS["after_times"]:
        return None  # "won it three times in a row"
    if words[:1] == ["of"] or words[:2] == ["out", "of"]:
        known = [token.tag for token in place.after[1:2]] in (["PRP"], ["PRP$"], ["DT"])
        if words[0] == "of" and known and "most" not in words[:3]:
            return IDIOM if not LOOSE.isdisjoint(words[:NEAR]) else None  # "six of the men"
        counted = (i for i, word in enumerate(words[:NEAR]) if word in COUNTING or word[0].isdigit())
        total = next(counted, -1)
        return _doubt_of_list(place, total + 1) if total > 0 else NO_NOUN
    if words and words[0] in SUFFERING and place.words_before[-1:] != ["to"]:
        return None  # "at least 40 were injured"
    for i, token in enumerate(place.after[: NEAR + 1]):
        word = words[i]
        if word in LOOSE:
            return IDIOM
        if _is_plural(token) or word in PLURALS or word in UNITS:
            following = place.after[i + 1] if i + 1 < len(place.after) else None
            if following is None:
                return None
            if alone and following.text == "ago" and (verb := _verb_of_date(place)):
                return None if _is_single_event(place, verb) and _has_known_subject(place, verb) else AGAIN
            described = following.tag in ("NN", "NNS") and following.text not in ADVERBS
            if described or following.text in WORDS["not_behind"]:
                return PLACE  # "ten minutes past noon", "40 years ago"
            if following.text in ("a", "every") or (following.text == "per" and word in UNITS):
                return IDIOM  # "five days a week"
            return _doubt_of_list(place, i + 1)
        if token.tag not in INSIDE or word == ",":
            break
    said = place.words_before[-1:] if place.before else []
    known = big or not TOTALS.isdisjoint(_until_break(place.words_before[::-1], CLAUSES))
    return None if known and said and said[0] in MEASURING else NO_NOUN


def _is_plural(token: Tagged) -> bool:
    """True of a plural noun, and of what the tagger takes for a verb or a name: "81 hits", "ten Iraqis"."""
    ending = token.text.endswith("s") and not token.text.endswith(("ss", "us", "is"))
    named = token.tag in ("VBZ", "NNP", "NN") and ending and len(token.text) > len("has")
    return (token.tag in ("NNS", "NNPS") and len(token.text) > 1) or named


def _doubt_of_list(place: NumberContext, i: int) -> Skip | None:
    """The things may be named one by one: "two cities, Rome and Bonn"."""
    rest = place.after[i:]
    if not rest:
        return None
    if rest[0].text in WORDS["scales"]:
        return None  # "100 degrees Celsius"
    named = (rest[0].tag in ("NNP", "(", ":") and rest[0].text != ";") or (
        rest[0].text == "," and len(rest) > 1 and rest[1].tag in ("NNP", "DT", "NN")
    )
    return RELATED if named else None


def _verb_of_date(place: NumberContext) -> Tagged | None:
    """The verb of the event at a date: the nearest past form before it, or else the first one after it."""
    outside = _drop_brackets(place.before)
    before = list(takewhile(lambda token: token.text.lower() not in WORDS["verb_ends"], reversed(outside)))
    verb = next((token for token in before if token.tag in ("VBD", "VBN")), None)
    if verb is None and "would" in place.words_before:
        verb = next((token for token in before if token.tag == "VB"), None)  # "he would win it in 1946"
    if verb is not None or any(token.tag in FINITE for token in before):
        return verb
    if any(token.tag.startswith("NN") for token in place.before):
        return None  # "the party in 1984" may go with what is before
    clause = list(takewhile(lambda token: token.text.lower() not in WORDS["verb_ends"] - {"(", "that"}, place.after))
    past = next((i for i, token in enumerate(clause) if token.tag in FINITE), None)
    if past is None or clause[past].tag != "VBD":
        return None
    verbs = [token for token in clause[past : past + 3] if token.tag in ("VBN", "VBD")]
    return verbs[-1] if verbs[0].text.lower() in ("was", "were", "had") else verbs[0]


def _drop_brackets(tokens: Sequence[Tagged]) -> list[Tagged]:
    """The tokens that are not in brackets; a bracket that is still open has none."""
    kept: list[Tagged] = []
    for token in tokens:
        opened = next((i for i in range(len(kept) - 1, -1, -1) if kept[i].text == "("), None)
        if token.text == ")" and opened is not None:
            del kept[opened:]
        else:
            kept.append(token)
    return kept


def _is_single_event(place: NumberContext, verb: Tagged) -> bool:
    """True of what happens once, or is said to have happened for the first time: "first aired"."""
    i = next((i for i, token in enumerate(place.before) if token.start == verb.start), 0)
    first = i > 0 and place.before[i - 1].text.lower() == "first"
    return first or not _lemmas(verb.text.lower()).isdisjoint(ONCE) or _is_held(place, verb)


def _is_held(place: NumberContext, verb: Tagged) -> bool:
    """True of what "was held" at a time, unless it is held every year."""
    i = next((i for i, token in enumerate(place.before) if token.start == verb.start), 0)
    be = i > 0 and place.before[i - 1].text.lower() in ("was", "were")
    return be and verb.text == "held" and WORDS["recurring"].isdisjoint(place.words_before)


def names_event(text: str, start: int, end: int) -> bool:
    """True of a date that tells what is meant: "the death of Ada in 1505", "It was in 1505 that she died"."""
    place = _context(text, start, end)
    if place is None:
        return False
    words = place.words_before
    if words[:2] == ["it", "was"]:
        return len(words) <= NEAR and place.words_after[:1] == ["that"]
    phrase = list(takewhile(lambda token: token.tag[:2] != "VB" and token.text not in CLAUSE_ENDS, place.before[::-1]))
    i = next((i for i, token in enumerate(phrase) if token.text.lower() in WORDS["happenings"]), None)
    return i is not None and any(
        token.tag in ("DT", "PRP$", "POS") and token.text not in ("a", "an") for token in phrase[i:]
    )


def _has_known_subject(place: NumberContext, verb: Tagged) -> bool:
    """True if the clause, or the sentence of a participle, begins with somebody or something known."""
    tokens = [*place.before, *place.after]
    i = next(i for i, token in enumerate(tokens) if token.start == verb.start)
    clause = list(takewhile(lambda token: token.text.lower() not in CLAUSE_ENDS, tokens[i::-1]))
    begins = clause[-1].tag == "VBN" or clause[-1] is verb or clause[-1].text.lower() in WORDS["be"] | WORDS["have"]
    first = tokens[0] if begins else clause[-1]
    named = first is tokens[0] and len(clause) > 1 and clause[-2].text[0].isupper()  # the tagger may not know a name
    known = first.tag in ("NNP", "NNPS", "PRP", "PRP$", "DT") or named
    return known and first.text.lower() not in INDEFINITE


@lru_cache(maxsize=2048)
def _lemmas(verb: str) -> frozenset[str]:
    return frozenset(wordnet().morphy(verb, "v")) | {verb}
