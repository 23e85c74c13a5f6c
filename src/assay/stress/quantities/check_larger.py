"""Check of larger numbers: a sentence with more does not follow from the sentence with fewer.

That holds wherever more things make a sentence say more. The words of the sentence must not turn this round, as "not",
"every", "if", "within" and "up to" do.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from assay.core.edit import Replacement, Skip
from assay.language.numbers.number_words import SCALES, value_of
from assay.language.resources.data import load_patterns, load_words
from assay.language.text.analysis import Tagged, analyse

WORDS = load_words(__file__)
PATTERNS = load_patterns(__file__, scales=SCALES)

SHAPE = Skip("not verified: the number does not become a larger one of the same form")
REPEATED = Skip("not verified: the text has the old number again, or has the new number already")
PART = Skip("not verified: the number is only part of a number, a name or a range")
TURNED = Skip("not verified: more may follow here, because a word before the number turns the order of amounts round")
BOUNDED = Skip("not verified: the number bounds something, so that a larger one may follow")
TIMED = Skip("not verified: what is so within a time is so within a longer one")
GENERIC = Skip("not verified: the number says of which things the sentence speaks, and those with more are among them")
IDIOM = Skip("not verified: the number belongs to a phrase")

NEAR = 4
"""The number of words before a number among which a bound matters."""
LEAST_APART = Decimal("1.2")
NEAREST_ABOUT = Decimal("1.5")
MOST_SHARE = 99
FINITE = {"VBD", "VBZ", "VBP", "MD"}
CLAUSE_STARTS = {",", ";", ":", "--", "but", "("}


def doubt_of_larger(source: str, change: Replacement) -> Skip | None:
    """The reason why the text with a larger number may follow from the text; None if it cannot.

    >>> doubt_of_larger("They saw two ships.", Replacement(9, "two", "three"))
    >>> doubt_of_larger("They never saw two ships.", Replacement(15, "two", "three")).reason
    'not verified: more may follow here, because a word before the number turns the order of amounts round'
    """
    start, end = change.start, change.start + len(change.old)
    old, new = _read_size(change.old), _read_size(change.new)
    if old is None or new is None or old[1] != new[1] or (new[0] < old[0] * LEAST_APART and new[0] - old[0] != 1):
        return SHAPE
    if new[0] <= old[0] or (old[1] == "percent" and new[0] > MOST_SHARE):
        return SHAPE
    sizes = {_read_number(word) for word in PATTERNS["number"].findall(source)}
    words = {word.lower() for word in PATTERNS["word"].findall(source)}
    noun = PATTERNS["word"].search(source, end)
    again = f"{change.old} {noun[0]}".lower() if noun else ""
    resumed = re.search(rf"(?i)\b(?:all|the|these|other)\s+{re.escape(change.old)}\b", source[:start] + source[end:])
    if (old[1] != "magnitude" and new[0] in sizes) or not WORDS["repeating"].isdisjoint(words):
        return REPEATED
    if resumed or (again and source.lower().count(again) > 1):
        return REPEATED
    tokens = analyse(source)
    at = next((token.sentence for token in tokens if token.start <= start < token.end), None)
    sentence = [token for token in tokens if token.sentence == at]
    if not sentence:
        return SHAPE
    before, after = source[sentence[0].start : start], source[end : sentence[-1].end]
    if PATTERNS["began"].search(before) or PATTERNS["goes_on"].match(after) or PATTERNS["ranges"].match(after):
        return PART
    if PATTERNS["range_began"].search(before) or (change.old[0].isupper() and PATTERNS["word"].search(before)):
        return PART
    if after.rstrip().endswith("?"):
        return TURNED
    left = [token for token in sentence if token.end <= start]
    right = [word.rstrip(".") for word in PATTERNS["word"].findall(after.lower())]
    return (
        _doubt_of_scope(_clause_before(left), right, paid=old[1] == "money")
        or _doubt_of_bounds(before, after, [token.text.lower() for token in left], right)
        or (SHAPE if WORDS["vague"] & {*before.lower().split()[-1:]} and new[0] < old[0] * NEAREST_ABOUT else None)
    )


def _clause_before(left: Sequence[Tagged]) -> Sequence[Tagged]:
    """The last tokens before a number that have a subject and a finite verb, behind a comma or the like."""
    for i in range(len(left) - 1, -1, -1):
        if left[i].text in CLAUSE_STARTS:
            tags = [token.tag for token in left[i + 1 :]]
            verb = next((j for j, tag in enumerate(tags) if tag in FINITE), 0)
            resumed = any(one.text == "," and other.tag[:2] in ("VB", "MD") for one, other in pairwise(left[i + 1 :]))
            has_subject = any(tag.startswith(("NN", "PRP", "DT", "EX")) for tag in tags[:verb])
            if has_subject and tags[0] != "CC" and not resumed:
                return left[i + 1 :]
    return left


def _doubt_of_scope(clause: Sequence[Tagged], right: Sequence[str], *, paid: bool) -> Skip | None:
    """The reason why words before a number in its clause turn the order of amounts round."""
    words = [token.text.lower() for token in clause]
    if not WORDS["turning"].isdisjoint(words) or any(word.endswith(("n't", "n\u2019t")) for word in words):
        return TURNED
    if not WORDS["turning_near"].isdisjoint(words[-NEAR:]):
        return BOUNDED
    verb = max((i for i, token in enumerate(clause) if token.tag in FINITE), default=-1)
    relatives = [i for i, word in enumerate(words) if word in WORDS["relative"] and i]
    for i, word in enumerate(words):
        if word in WORDS["universal"] and (verb < i or i < max(relatives, default=0)):
            return GENERIC
    if any(clause[i - 1].tag in ("NNS", "NNPS") or words[0] in ("a", "an") for i in relatives):
        return GENERIC
    subject = verb < 0 or (paid and "for" in words[-2:])
    return GENERIC if subject and not WORDS["able"].isdisjoint((*words, *right)) else None


def _doubt_of_bounds(before: str, after: str, left: Sequence[str], right: Sequence[str]) -> Skip | None:
    """The reason why a number bounds something, or belongs to a phrase."""
    timed = any(word in WORDS["times"] for word in right[:3])
    if PATTERNS["for_the_last"].search(before):
        return None if timed else BOUNDED  # "for the last two years" lasts, and is no time within which
    if not WORDS["not_before"].isdisjoint(left[-1:]):
        return BOUNDED
    if PATTERNS["turning_phrase"].search(before) or PATTERNS["limited"].match(after):
        return BOUNDED
    if timed and not (WORDS["timing"].isdisjoint(left[-NEAR:]) and WORDS["timed_behind"].isdisjoint(right[:4])):
        return TIMED
    if PATTERNS["restricts"].search(before):
        return GENERIC
    phrase = f" {' '.join((*left[-2:], '#', *right[:2]))} "
    if any(f" {known} " in phrase for known in WORDS["phrases"]) or not WORDS["loose"].isdisjoint(right[:2]):
        return IDIOM
    return IDIOM if PATTERNS["rate"].search(" ".join(right[:4])) else None


def _read_size(text: str) -> tuple[Decimal, str] | None:
    """The value of an expression, and what it measures; None if it can't be read."""
    low = " ".join(text.lower().split())
    if low.endswith("s") and all(word in WORDS["magnitudes"] or word == "of" for word in low.split()):
        size = Decimal(1)
        for word in low.replace(" of ", " ").split():
            size *= 10 if word == "tens" else SCALES[word.removesuffix("s")]
        return size, "magnitude"
    match = PATTERNS["amount"].fullmatch(low)
    value = _read_number(match["n"]) if match else None
    if match is None or value is None:
        return None
    return value, "percent" if match["share"] else "money" if match["sign"] or match["money"] else "count"


def _read_number(text: str) -> Decimal | None:
    low = " ".join(text.lower().split())
    if match := PATTERNS["digits"].fullmatch(low):
        return Decimal(match[1].replace(",", "")) * SCALES.get(match[2] or "", 1)
    value = None if low[:1].isdigit() else value_of(low)
    return None if value is None else Decimal(value)
