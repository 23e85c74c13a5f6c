"""Numbers written in words: their values, and how to spell another number in the same style."""

import re
from collections.abc import Iterable

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
