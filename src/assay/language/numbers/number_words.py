"""Numbers written in words: their values, and how to spell another number in the same style."""

import re
from collections.abc import Iterable
from typing import Literal

from assay.language.resources.data import load_words
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


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


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
    """A number in words, in the style of another: "and", hyphens, dozens, "a" for "one", and capitals are kept.

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
    """The full spelling, without "and"."""
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
    """A number of dozens or hundreds ("fifteen hundred"); empty if it is not a whole number of them, or too many."""
    count, rest = divmod(value, SCALES[scale])
    return f"{_spell_plain(count, hyphen=hyphen)} {scale}" if count and not rest and count < 100 else ""


WORDS = load_words(__file__)

Kind = Literal[
    "compound",
    "date",
    "formula",
    "fraction",
    "identifier",
    "indefinite",
    "negative",
    "ordinal",
    "pronoun",
    "range",
    "ratio",
    "time",
    "unclear",
    "year",
    "zero",
]
"""Kinds of numbers that are not quantities: "compound" is "a five-year plan", "indefinite" is "hundreds", "one day"."""

Bound = Literal["bare", "more", "less", "least", "most", "exactly", "about", "not"]
"""Limits by the words around a quantity; "about" is any vague limit ("almost", "well over")."""

_ROOM = 32
_CLAUSE = 64


def _before(pattern: str, *, case: bool = False) -> re.Pattern[str]:
    """A pattern for what ends right before a number."""
    return re.compile(rf"(?<![\w'\u2019-])(?:{pattern})\s*$", 0 if case else re.IGNORECASE)


def _ends(pattern: re.Pattern[str], text: str, start: int, *, room: int = _ROOM) -> re.Match[str] | None:
    """Match what ends at an offset, within a number of characters before it."""
    return pattern.search(text, max(0, start - room), start)


def _after(pattern: str, *, case: bool = False) -> re.Pattern[str]:
    """A pattern for what begins right after a number."""
    return re.compile(pattern, 0 if case else re.IGNORECASE)


_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)

_UNIT = "|".join(WORDS.ordered("units"))
_UNITS = rf"(?:{_UNIT}|feet|hundred|thousand|million|billion)s?\b"

_NEGATIVE = re.compile(r"(?:(?:^|[\s(])[-\u2212]|\b(?:minus|negative)\s+)$", re.IGNORECASE)
_JOINED_BEFORE = re.compile(r"\w['\u2019]?[-\u2013/]$")
_JOINED_AFTER = _after(r"(?:[-\u2013/]|\s[-/]\s)[^\W\d_]")
_NTH = _after(r"\s?(?:st|nd|rd|th)\b")
_ATTRIBUTE = _after(rf"\s+(?:{_UNIT})\b(?!['\u2019]|\s+(?:is|was|of|in|at|on|and|or)\b)")
_CLOCK_AFTER = _after(r"\s*(?:[ap]\.?\s?m\b|o\s?['\u2019]\s?clock|hours\s+GMT|in the (?:morning|afternoon|evening)\b)")
_CLOCK_BEFORE = _before(r"half[\s-]past|(?:quarter|minutes|ten|twenty|five)\s+(?:to|past|till|of|after)")
_CLOCK_AT = _before(r"at|until|till|by|around|about|before|after")
_NO_NOUN = _after(r"\s*(?:[.,;:!?)\"\u201d]|$|\s(?:and|or|on|in|the|every|each|tonight|today|tomorrow|yesterday)\b)")
_MONTH_BEFORE = _before(rf"{_MONTH}(?:\s+the)?", case=True)
_MONTH_AFTER = _after(rf",?\s+(?:of\s+)?{_MONTH}(?!\w)", case=True)
_ERA = _after(r"\s*(?:A\.?\s?D\b|B\.?\s?C\b|B\.?\s?C\.?\s?E\b|C\.?\s?E\b|a\.d\b|b\.c\b)", case=True)
_IN = _before("in")
_ERA_BEFORE = _before(r"A\.?D\.?|a\.d\.|c\.|ca\.|circa|FY", case=True)
_COUNTED = _after(r"\s+(?:[a-z]+\s+){0,2}?(?:[a-z]+s|people|men|women|children|sheep|feet|head|police)\b", case=True)
_DATED = _before(
    r"in|since|by|of|until|till|during|before|after|from|to|through|and|or|the|this|that|a|an|his|her|its|their|our|my"
    r"|late|early|mid|about|around|year|fiscal|spring|summer|autumn|fall|winter|for|on|per|as of|between|,|\("
)
_LABELLED = _before(any_of(WORDS.ordered("labels")) + r"(?:\s+number)?|#|\u2116")
_STREET = _after(
    r"\s+(?:U\.?S\.?C|C\.?F\.?R|Fed)\b|\s+(?:[A-Z][\w.'\u2019]*\s+){1,3}?(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Lane|Place|Square)\b",
    case=True,
)
_NAME_BEFORE = re.compile(r"(?<!\w)((?!\w+['\u2019]s?\s)[A-Z][\w'\u2019]*\.?)\s+$")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]['\"\u201d\u2019)]*\s)[\s\"'\u201c\u2018(\[*-]*$")
_CAPITAL = _after(r"\s+[\"'\u201c\u2018]?[A-Z]", case=True)
_FORMULA_BEFORE = re.compile(r"[=+*^<>\u00d7\u00f7]\s*$")
_FORMULA_AFTER = _after(r"\s*[=*^<>\u00d7\u00f7]|\s+\+|\+\S")
_AND_A_HALF = _after(
    r"(?:\s+and\s+|-and-)(?:an?|one)[\s-](?:half|quarter|third)\b|\s+[0-9]+/[0-9]|\s*[\u00bd\u00bc\u00be\u2153\u2154]"
)

_ONE_PRONOUN_BEFORE = _before(
    r"no|every|any|some|each|which|the|this|that|another|these|those|a|an|only|other|whatever|whichever|your|my|his|her"
    r"|first|last|next|such|not|like|as|is|was|than|to|with|by|for|of|if|when|that|does|can|see|lets?|makes?|gives?|in|from|on"
    r"|good|bad|big|new|old|right|wrong|same|different|better|best|single|little|number|day|at"
)
_COMMA = re.compile(r",\s*$")
_ONE_PRONOUN_AFTER = _after(
    r"['\u2019]|\s*(?:[.,;:!?)\"\u201d]|$)|\s+(?:of|another|is|was|are|were|be|has|had|have|can|could|will|would|shall|should|may"
    r"|might|must|does|did|do|to|in|at|on|by|for|from|with|and|or|but|who|that|which|whose|if|as|than|when|where|there|not"
    r"|never|always|also|only|the|a|an|it|you|i|he|she|we|they|this|about|over|under|after|before|gets?|sees?|finds?"
    r"|goes|comes|wants?|needs?|knows?|thinks?|feels?|looks?|says?|said|because|so|up|out|here|just|really|[a-z]+(?:ing|ed))\b"
)
_ONE_INDEFINITE_AFTER = _after(
    r"\s+(?:[a-z]+\s+){0,2}?(?:day|morning|evening|night|afternoon|time|thing|way|hand|side|reason|example|approach|theory|such"
    r"|possibility|explanation|aspect|option|point|place|kind|sort|type|moment|instance|minute|second|exception|word"
    r"|bit|sense|respect|case|area|form|level|view|version|piece|more|final|last|single|particular)s?\b"
)
_MEASURED = _after(rf"\s+(?:{_UNITS}|people\b)")


def kind_of(text: str, start: int, end: int, *, number: str, measured: bool) -> Kind | None:
    """The kind of a number that is not a quantity; None if the number at a span is one.

    The span is the whole expression, `number` its digits or words, `measured` says whether it is money or per cent.
    """
    digits = number[0] in "0123456789."
    if _ends(_NEGATIVE, text, start):
        return "negative"
    if digits and _NTH.match(text, end):
        return "ordinal"
    if _AND_A_HALF.match(text, end):
        return "fraction"
    if _ends(_JOINED_BEFORE, text, start) or _JOINED_AFTER.match(text, end):
        return "compound"
    if _ends(_FORMULA_BEFORE, text, start) or _FORMULA_AFTER.match(text, end):
        return "formula"
    if measured:
        return None
    if kind := _calendar_kind(text, start, end, number=number):
        return kind
    if _is_name(text, start, end, number=number, digits=digits):
        return "identifier"
    if number.lower() in ("one", "1"):
        return _kind_of_one(text, start, end) if not digits else None
    return "compound" if _ATTRIBUTE.match(text, end) else None


def _calendar_kind(text: str, start: int, end: int, *, number: str) -> Kind | None:
    if _CLOCK_AFTER.match(text, end) or _ends(_CLOCK_BEFORE, text, start):
        return "time"
    if len(number) <= 6 and _ends(_CLOCK_AT, text, start) and _NO_NOUN.match(text, end) and _is_hour(number):
        return "time"
    if len(number) == 3 and number.isdecimal() and _ends(_IN, text, start) and _NO_NOUN.match(text, end):
        return "year"
    if _ERA.match(text, end) or _ends(_ERA_BEFORE, text, start):
        return "year"
    if len(number) == 4 and number.isdecimal() and "1000" <= number < "2100":
        nouns = _MEASURED if number >= "1900" else _COUNTED
        counted = nouns.match(text, end) and not _ends(_DATED, text, start)
        return None if counted or _ends(_BOUND_BEFORE, text, start) else "year"
    if _ends(_MONTH_BEFORE, text, start) or (number.isdecimal() and _MONTH_AFTER.match(text, end)):
        return "date"
    return None


_HOURS = frozenset(word for word, value in SMALL.items() if 1 <= value <= 12)


def _is_hour(number: str) -> bool:
    return number.lower() in _HOURS or (number.isdecimal() and 1 <= int(number) <= 12)


def _is_name(text: str, start: int, end: int, *, number: str, digits: bool) -> bool:
    """True if the number is part of a name: Room 214, Apollo 13, the Big Ten."""
    if (_ends(_LABELLED, text, start) and not _MEASURED.match(text, end)) or (digits and _STREET.match(text, end)):
        return True
    if digits and _CAPITAL.match(text, end) and _ends(_SENTENCE_START, text, start):
        return True  # the number of a footnote or a list: "5 The share of saving fell."
    if is_shouted(text):
        return False
    if not digits:
        return number[0].isupper() and not _ends(_SENTENCE_START, text, start)
    name = _ends(_NAME_BEFORE, text, start)
    return name is not None and name[1] not in WORDS["openers"]


def _kind_of_one(text: str, start: int, end: int) -> Kind | None:
    if _MEASURED.match(text, end) and not _ONE_INDEFINITE_AFTER.match(text, end):
        return None
    if _ONE_PRONOUN_AFTER.match(text, end):
        return "pronoun"
    if _ends(_BOUND_BEFORE, text, start):
        return None
    if _ends(_ONE_PRONOUN_BEFORE, text, start) or _ends(_COMMA, text, start):
        return "pronoun"
    if _ONE_INDEFINITE_AFTER.match(text, end) or _ends(_SENTENCE_START, text, start):
        return "indefinite"
    return None


_MORE = r"more than|greater than|larger than|higher than|over|above|upwards? of|in excess of|exceed(?:s|ed|ing)?"
_LESS = r"less than|fewer than|lower than|smaller than|under|below"
_NOT = r"(?:no|not|n['\u2019]t)"
_BOUNDS: dict[Bound, str] = {
    "about": (
        rf"(?:just|slightly|a little|a bit|well|far|much|significantly|considerably|somewhat|way)\s+(?:{_MORE}|{_LESS})"
        r"|just about|about|around|roughly|approximately|approx\.?|some|nearly|almost|close to|(?:an )?estimated|circa"
        r"|maybe|perhaps|probably|possibly|say|like|(?:an )?average of|averag(?:ing|ed|es)|virtually|practically"
        r"|barely|hardly|as few as|as little as|anywhere from|short of|or"
        r"|(?!more|less|fewer|greater|larger|higher|lower|smaller)\w+ than"
    ),
    "most": (
        rf"{_NOT} (?:{_MORE})|at (?:the )?(?:very )?most|up to|(?:a )?maximum of|within"
        "|as (?:many|much|long|high|far) as"
    ),
    "least": rf"{_NOT} (?:{_LESS})|at (?:the )?(?:very )?least|(?:a )?minimum of",
    "more": _MORE,
    "less": _LESS,
    "exactly": r"exactly|precisely|only|just|merely|a total of|all of",
}
_BOUND_BEFORE = _before(
    "|".join(f"(?P<{name}>{pattern})" for name, pattern in _BOUNDS.items()).replace(" ", r"\s+") + r"(?:\s+the)?"
)
_BOUND_AFTER: dict[Bound, str] = {
    "least": r"or more|or (?:above|over|higher|greater|better|longer|older|up)|at (?:the )?(?:very )?least|minimum",
    "most": r"or (?:less|fewer|below|under|lower|younger|shorter)|at (?:the )?(?:very )?most|maximum|tops",
    "about": r"or so|plus|odd|something|and change|-?ish\b|-?odd\b|or thereabouts|on average",
    "exactly": r"exactly|flat",
}
_BOUND_BEHIND = _after(
    r"(?:\s+[a-z]+){0,2}?\s+(?:"
    + "|".join(f"(?P<{name}>(?:{pattern})\\b)" for name, pattern in _BOUND_AFTER.items()).replace(" ", r"\s+")
    + ")"
)
_NEGATED = re.compile(
    r"(?:(?<!\w)(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|rarely|seldom|hardly|few)\b|n\s?['\u2019]t\b)"
    r"(?:(?!\bbut\b)[^.,;:!?])*$",
    re.IGNORECASE,
)
_DETERMINER = _before(
    r"the|these|those|this|that|his|her|its|their|our|my|your|whose|all|both|every|each|another|other|any|first|last|next"
    r"|past|previous|final|remaining|top|a|an|same|following|(?!(?:it|that|there|he|she|what|here|who|how|let)['\u2019])\w+['\u2019]s?"
)


def bound_of(text: str, start: int, end: int) -> Bound:
    """The limit by the words around the quantity at a span.

    >>> bound_of("at least 5 men", 9, 10), bound_of("5 men or more", 0, 1), bound_of("5 men", 0, 1)
    ('least', 'least', 'bare')
    """
    bound: Bound = "bare"
    if text[end : end + 1] == "+":
        bound = "least"
    elif match := _BOUND_BEHIND.match(text, end):
        bound = match.lastgroup  # type: ignore[assignment]
    if match := _ends(_BOUND_BEFORE, text, start):
        # Bounded on both sides ("over 40 or so") is vague.
        bound = match.lastgroup if bound == "bare" else "about"  # type: ignore[assignment]
        start = match.start()
    return "not" if _ends(_NEGATED, text, start, room=_CLAUSE) else bound


def is_determined(text: str, start: int) -> bool:
    """True if a determiner is right before the number ("the three men"), where no comparison fits."""
    return _ends(_DETERMINER, text, start) is not None
