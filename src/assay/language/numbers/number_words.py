"""Numbers written in words: their values, and how to spell another number in the same style."""

import re
from typing import Literal

from assay.language.resources.data import any_of, load_patterns, load_words
from assay.language.text.tokens import is_shouted

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL = {word: value for value, word in enumerate(_SMALL.split())}
TENS = {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
LARGE = {"trillion": 10**12, "billion": 10**9, "million": 10**6, "thousand": 1000}
SCALES = {**LARGE, "hundred": 100, "dozen": 12}
COUNTING = {**SMALL, **TENS, **SCALES}
LIMIT = 10**15
"""Numbers from here on have no name."""

_WORD = re.compile(r"[a-z]+")
_SMALL_NAMES = {value: word for word, value in (SMALL | TENS).items()}


_COUNT = any_of(word for word in COUNTING if word != "zero")
_AFTER_SCALE = "(?:" + "|".join(f"(?<={scale})" for scale in SCALES if scale != "dozen") + ")"
RUN = (
    rf"(?:(?:half\s+)?an?\s+(?={any_of(SCALES)}\b))?{_COUNT}\b"
    rf"(?:(?:-|\s+|{_AFTER_SCALE}(?:,?\s+and\s+|,\s+)){_COUNT}\b)*"
)
"""A pattern for words that follow each other as in a number; `value_of` decides whether they are one."""


def value_of(text: str) -> int | None:
    """The value of a number in words; None if it is not a number.

    >>> value_of("Two hundred and five"), value_of("half a million"), value_of("fifteen hundred"), value_of("two three")
    (205, 500000, 1500, None)
    """
    words = [word for word in _WORD.findall(text.lower()) if word != "and"]
    if words[:2] == ["half", "a"] and len(words) == 3:
        return SCALES[words[2]] // 2
    if words and words[0] in ("a", "an"):
        words[0] = "one"
    total = group = 0
    for word in words:
        if word in LARGE:
            total, group = total + group * LARGE[word], 0
        elif word in SCALES:
            group *= SCALES[word]
        else:
            group += COUNTING.get(word, 0)
    value = total + group
    if not 0 < value < LIMIT:
        return None
    spellings = (_spell_plain(value), _spell_in(value, "dozen"), _spell_in(value, "hundred"))
    return value if " ".join(words) in spellings else None


def spell_number(value: int, like: str) -> str:
    """A number in words, in the style of `like`: "and", hyphens, dozens, "a" for "one", and capitals are kept.

    >>> spell_number(32, "Twenty-one"), spell_number(36, "two dozen"), spell_number(305, "two hundred and five")
    ('Thirty-two', 'three dozen', 'three hundred and five')
    >>> spell_number(1000, "a hundred")
    'a thousand'
    """
    if value_of(like) == value:
        return like
    folded = like.lower()
    hyphen = " " if _LOOSE.search(folded) else "-"
    text = ""
    if folded.endswith("dozen"):
        text = _spell_in(value, "dozen", hyphen=hyphen)
    elif _HUNDREDS.match(folded) and value % 1000:
        text = _spell_in(value, "hundred", hyphen=hyphen)
    text = text or _spell_plain(value, hyphen=hyphen)
    if re.search(r"\band\b", folded):
        text = _AND.sub(r"\1 and ", text)
    if folded.startswith("a "):
        text = _ONE_SCALE.sub("a ", text)
    if like.isupper():
        return text.upper()
    return text[0].upper() + text[1:] if like[0].isupper() else text


_HUNDREDS = re.compile(rf"{any_of(list(SMALL)[11:] + list(TENS))}.*hundred$")
_LOOSE = re.compile(rf"\b{any_of(TENS)}\s+{any_of(list(SMALL)[1:10])}\b")
_ONE_SCALE = re.compile(rf"^one (?={any_of(SCALES)}\b)")
# "and" comes before what is below a hundred.
_AND = re.compile(rf"(\bhundred|{any_of(LARGE)}) (?={any_of([*SMALL, *TENS])}(?:[- ]{any_of(list(SMALL)[1:10])})?$)")


def _spell_plain(value: int, *, hyphen: str = " ") -> str:
    """The number in words, without "and"."""
    parts = []
    for name, size in LARGE.items():
        if value >= size:
            parts.append(f"{_spell_plain(value // size, hyphen=hyphen)} {name}")
            value %= size
    if value >= 100:
        parts.append(f"{_SMALL_NAMES[value // 100]} hundred")
        value %= 100
    if value in _SMALL_NAMES and value:
        parts.append(_SMALL_NAMES[value])
    elif value:
        parts.append(f"{_SMALL_NAMES[value // 10 * 10]}{hyphen}{_SMALL_NAMES[value % 10]}")
    return " ".join(parts)


def _spell_in(value: int, scale: str, *, hyphen: str = " ") -> str:
    """A number spelled in units of `scale` ("fifteen hundred"); empty if it is not a multiple, or too large."""
    count, rest = divmod(value, SCALES[scale])
    return f"{_spell_plain(count, hyphen=hyphen)} {scale}" if count and not rest and count < 100 else ""


WORDS = load_words(__file__)
PATTERNS = load_patterns(__file__)

TimeKind = Literal["date", "time", "year"]
NounKind = Literal["compound", "identifier", "indefinite", "ordinal", "pronoun"]
Kind = TimeKind | NounKind | Literal["formula", "fraction", "negative", "range", "ratio", "unclear", "zero"]
"""Kinds of numbers that are not quantities: "compound" is "a five-year plan", "indefinite" is "hundreds", "one day"."""

Bound = Literal["bare", "more", "less", "least", "most", "exactly", "about", "not"]
"""Limits by the words around a quantity; "about" is any vague limit ("almost", "well over")."""

_ROOM = 32
_CLAUSE = 64


def _ends(name: str, text: str, start: int, *, room: int = _ROOM) -> re.Match[str] | None:
    """Match a pattern that ends at an offset, looking back a limited number of characters."""
    return PATTERNS[name].search(text, max(0, start - room), start)


def _begins(name: str, text: str, end: int) -> re.Match[str] | None:
    return PATTERNS[name].match(text, end)


def kind_of(text: str, start: int, end: int, *, number: str, measured: bool) -> Kind | None:
    """The kind of a number that is not a quantity; None if the number at a span is one.

    The span is the whole expression, `number` its digits or words, `measured` says whether it is money or per cent.
    """
    digits = number[0] in "0123456789."
    if _ends("negative", text, start):
        return "negative"
    if digits and _begins("nth", text, end):
        return "ordinal"
    if _begins("and_a_half", text, end):
        return "fraction"
    if _ends("joined_before", text, start) or _begins("joined_after", text, end):
        return "compound"
    if _ends("formula_before", text, start) or _begins("formula_after", text, end):
        return "formula"
    if measured:
        return None
    if kind := _calendar_kind(text, start, end, number=number):
        return kind
    if _is_name(text, start, end, number=number, digits=digits):
        return "identifier"
    if number.lower() in ("one", "1"):
        return _kind_of_one(text, start, end) if not digits else None
    return "compound" if _begins("attribute", text, end) else None


def _calendar_kind(text: str, start: int, end: int, *, number: str) -> Kind | None:
    if _begins("clock_after", text, end) or _ends("clock_before", text, start):
        return "time"
    if len(number) <= 6 and _ends("clock_at", text, start) and _begins("no_noun", text, end) and _is_hour(number):
        return "time"
    if len(number) == 3 and number.isdecimal() and _ends("in", text, start) and _begins("no_noun", text, end):
        return "year"
    if _begins("era", text, end) or _ends("era_before", text, start):
        return "year"
    if len(number) == 4 and number.isdecimal() and "1000" <= number < "2100":
        nouns = "measured" if number >= "1900" else "counted"
        counted = _begins(nouns, text, end) and not _ends("dated", text, start)
        return None if counted or _ends("bound_before", text, start) else "year"
    if _ends("month_before", text, start) or (number.isdecimal() and _begins("month_after", text, end)):
        return "date"
    return None


_HOURS = frozenset(word for word, value in SMALL.items() if 1 <= value <= 12)


def _is_hour(number: str) -> bool:
    return number.lower() in _HOURS or (number.isdecimal() and 1 <= int(number) <= 12)


def _is_name(text: str, start: int, end: int, *, number: str, digits: bool) -> bool:
    """True if the number is part of a name: Room 214, Apollo 13, the Big Ten."""
    if _ends("labelled", text, start) and not _begins("measured", text, end):
        return True
    if digits and _begins("street", text, end):
        return True
    if digits and _begins("capital", text, end) and _ends("sentence_start", text, start):
        return True  # the number of a footnote or a list: "5 The share of saving fell."
    if is_shouted(text):
        return False
    if not digits:
        return number[0].isupper() and not _ends("sentence_start", text, start)
    name = _ends("name_before", text, start)
    return name is not None and name[1] not in WORDS["openers"]


def _kind_of_one(text: str, start: int, end: int) -> Kind | None:
    if _begins("measured", text, end) and not _begins("one_indefinite_after", text, end):
        return None
    if _begins("one_pronoun_after", text, end):
        return "pronoun"
    if _ends("bound_before", text, start):
        return None
    if _ends("one_pronoun_before", text, start) or _ends("comma", text, start):
        return "pronoun"
    if _begins("one_indefinite_after", text, end) or _ends("sentence_start", text, start):
        return "indefinite"
    return None


def bound_of(text: str, start: int, end: int) -> Bound:
    """The kind of bound that the words around a quantity express.

    >>> bound_of("at least 5 men", 9, 10), bound_of("5 men or more", 0, 1), bound_of("5 men", 0, 1)
    ('least', 'least', 'bare')
    """
    bound: Bound = "bare"
    if text[end : end + 1] == "+":
        bound = "least"
    elif match := _begins("bound_behind", text, end):
        bound = match.lastgroup  # type: ignore[assignment]
    if match := _ends("bound_before", text, start):
        # Bounded on both sides ("over 40 or so") is vague.
        bound = match.lastgroup if bound == "bare" else "about"  # type: ignore[assignment]
        start = match.start()
    return "not" if _ends("negated", text, start, room=_CLAUSE) else bound


def is_determined(text: str, start: int) -> bool:
    """True if a determiner comes right before the number ("the three men"), where "more than" does not fit."""
    return _ends("determiner", text, start) is not None
