"""Check of numbers in names and times: another one does not follow, whatever else is true."""

from collections.abc import Sequence
from typing import Literal

from assay.core.edit import Replacement, Skip
from assay.language.resources.data import load_patterns, load_words
from assay.language.text.tokens import find_sentences

WORDS = load_words(__file__)
PATTERNS = load_patterns(__file__)

SHAPE = Skip("not verified: the number does not become another one of the same form")
PART = Skip("not verified: the number of the name is only part of a number or of a range")
REPEATED = Skip("not verified: the text has the old number again, or has the new number already")
NO_NAME = Skip("not verified: the number does not name anything, and says no time or age")
ORDERED = Skip("not verified: the number bounds a time or a series, so that another one may follow")
DENIED = Skip("not verified: the sentence asks, denies, or makes an exception")
LASTING = Skip("not verified: what is said may also be so at the other time")


NEAR = 6
"""The number of words before a number among which an order or a denial matters."""


def doubt_of_name(source: str, change: Replacement) -> Skip | None:
    """The reason why the text with another number may follow from the text; None if it cannot.

    >>> doubt_of_name("Ada raced in the 2008 Olympics.", Replacement(17, "2008", "2012"))
    >>> doubt_of_name("Ada raced before the 2008 Olympics.", Replacement(21, "2008", "2012")).reason
    'not verified: the number bounds a time or a series, so that another one may follow'
    """
    start, old, new = change.start, change.old, change.new
    forms = PATTERNS["shape"].fullmatch(old), PATTERNS["shape"].fullmatch(new)
    if not forms[0] or not forms[1] or forms[0][1] != forms[1][1] or bool(forms[0][3]) is not bool(forms[1][3]):
        return SHAPE
    values = PATTERNS["value"].findall(source)
    if old == new or values.count(_drop_ending(old)) != 1 or _drop_ending(new) in values:
        return REPEATED
    span = next((each for each in find_sentences(source) if each.start <= start < each.end), None)
    if span is None:
        return NO_NAME
    before, after = source[span.start : start], source[start + len(old) : span.end]
    clock = PATTERNS["clock"].match(after) is not None
    if PATTERNS["began"].search(before) or (PATTERNS["goes_on"].match(after) and not clock):
        return PART
    if PATTERNS["range_behind"].match(after) or PATTERNS["range_before"].search(before):
        return PART
    left, right = ([word.lower() for word in PATTERNS["word"].findall(text)] for text in (before, after))
    if after.rstrip().endswith("?") or not WORDS["denying"].isdisjoint(left[-NEAR:]):
        return DENIED
    kind = "clock" if clock else _kind_of_place(before, after, old)
    if kind is None:
        return NO_NAME
    if kind in ("time", "event") and not WORDS["lasting"].isdisjoint({*left, *right}):
        return LASTING
    if PATTERNS["last_time"].search(before):
        return None if new < old and len(new) == len(old) else ORDERED
    return ORDERED if PATTERNS["limit"].search(before) or _is_ordered(kind, left, after) else None


def _kind_of_place(before: str, after: str, number: str) -> Literal["time", "event", "name", "clock"] | None:
    """The kind of thing that a number belongs to, by the words beside it."""
    left, right = PATTERNS["word"].findall(before), PATTERNS["word"].findall(after)
    last = left[-1] if left and PATTERNS["joins"].search(before) else ""
    following = right[0].rstrip(".") if right and after[:1] == " " and after[1:2].isalpha() else ""
    plural = following.islower() and following.endswith("s") and not following.endswith(("ss", "us", "is"))
    low, before_last = last.lower(), [word.lower() for word in left[-2:-1]]
    if ":" in number:
        return "clock" if {"at", "is"} & {low, *before_last} else None
    if low in WORDS["months"] or following.lower() in WORDS["months"] or PATTERNS["day_of_year"].search(before):
        return "time"
    if PATTERNS["year"].fullmatch(number):
        if low in WORDS["times"]:
            return "time"
        owned = low in WORDS["determiners"] or low.endswith(("'s", "\u2019s"))
        if owned and following and (not plural or following in WORDS["events"]):
            return "event"
        if before.endswith("(") and after.startswith(")"):
            return "name"
    in_period = WORDS["periods"] >= {low, *before_last} and {"in", "of", "on"} & {word.lower() for word in left[-3:]}
    if in_period and (number.endswith("0s") or following == "century" or (low == "the" and number[-1].isalpha())):
        return "time"
    if low in ("age", "aged") or [*before_last, low] == ["age", "of"]:
        return "time"
    if number[-1].isalpha():
        titled = len(right) > 1 and right[0][:1].isupper() and right[1][:1].isupper()
        in_series = not WORDS["series"].isdisjoint(word.lower().rstrip(".") for word in right[:2])
        return "name" if titled or in_series else None
    if low in WORDS["identifying"]:
        return "name"
    counts = plural or following in WORDS["counted"]
    return "name" if last[:1].isupper() and len(left) > 1 and not counts else None


def _is_ordered(kind: str, left: Sequence[str], after: str) -> bool:
    """True if words around a number make it the bound of a time or of a series."""
    far = left[-NEAR:] if kind in ("time", "event") else left[-3:]
    near = {"time": left[-2:], "event": [word for word in left[-2:] if word in ("by", "from")], "clock": left[-2:-1]}
    return (
        PATTERNS["bounded"].match(after) is not None
        or not WORDS["ordering"].isdisjoint(far)
        or not WORDS["ordering_next"].isdisjoint(near.get(kind, left[-1:]))
        or (kind == "event" and "by" in left[-5:] and "end" in left[-4:])
    )


def _drop_ending(number: str) -> str:
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")
