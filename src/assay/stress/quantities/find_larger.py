"""Numbers of which a larger one does not follow, though it is not excluded: "two groups" may be two of three."""

from collections.abc import Iterator, Sequence
from decimal import ROUND_FLOOR, Decimal

import msgspec

from assay.language.numbers.number_words import LIMIT
from assay.language.numbers.quantities import OtherNumber, Quantity, find_numbers, render_quantity, round_unit
from assay.language.resources.data import load_patterns, load_words
from assay.language.text.analysis import Tagged, analyse
from assay.language.words.inflection import article_for
from assay.stress.quantities.find_names import FINITE, NameSpot

WORDS = load_words(__file__)
PATTERNS = load_patterns(__file__)

FEW = 12
"""Up to this number, others are the next ones; from here on, they are as round."""
LEAST, LEAST_VAGUE, MOST = Decimal("1.2"), Decimal("1.5"), Decimal("2")
"""Factors by which another number is larger, at least and at most; the second behind "about"."""
MOST_SHARE = 99
NEAR = 4
"""The number of words behind a number among which the noun stands that it counts."""
LIST = 9
"""The number of words behind a noun among which the things may be named one by one."""
PHRASE = {"JJ", "JJR", "JJS", "VBN", "VBD", "VBG", "NN", "NNP", "POS", "RB", "CC", "CD"}
"""Tags between a number and its noun."""
MAGNITUDES = WORDS.ordered("magnitudes")


def find_larger(text: str) -> list[NameSpot]:
    """The numbers of statements, each with larger ones that fit there.

    >>> [(spot.text, spot.others) for spot in find_larger("The study compared two groups from four-party systems.")]
    [('two', ('three', 'four', 'five')), ('four', ('five', 'six', 'seven', 'eight'))]
    >>> [(spot.text, spot.others) for spot in find_larger("Thousands of men were at sea.")]
    [('Thousands', ('Tens of thousands', 'Hundreds of thousands'))]
    """
    numbers = find_numbers(text)
    if not numbers:
        return []
    tokens = analyse(text)
    spots = []
    for number, others in _find_numbers(text, numbers, tokens):
        if _is_stated(number.start, tokens):
            fitting = tuple(new for new in others if _fits_article(text, number, new))
            if fitting:
                spots.append(NameSpot("larger", number.start, number.text, fitting))
    return spots


Number = Quantity | OtherNumber


def _find_numbers(text: str, numbers: Sequence[Number], tokens: Sequence[Tagged]) -> Iterator[tuple[Number, list[str]]]:
    for number in numbers:
        if isinstance(number, Quantity):
            converted = text[: number.start].rstrip().endswith("(")  # "16 km (10 miles)"
            if number.value > 1 and not converted and (number.unit or _counts(text, number, tokens)):
                yield number, _others_above(number, text)
        elif number.kind == "indefinite" and (match := PATTERNS["magnitude"].search(text, max(0, number.start - 12))):
            if match.end("n") == number.end:
                rank = MAGNITUDES.index(" ".join(match["n"].lower().split()))
                others = MAGNITUDES[rank + 1 : rank + 3]
                whole = msgspec.structs.replace(number, start=match.start("n"), text=match["n"])
                yield whole, [new.capitalize() if match["n"][0].isupper() else new for new in others]
        elif number.kind == "compound" and (match := PATTERNS["joined"].match(text, number.start)):
            parts = find_numbers(f"{match['n']} of them")
            if len(parts) == 1 and isinstance(parts[0], Quantity) and parts[0].value > 1:
                joined = msgspec.structs.replace(number, end=match.end("n"), text=match["n"])
                yield joined, _others_above(parts[0], "")


def _others_above(number: Quantity, text: str) -> list[str]:
    """Larger numbers in the same style, but none that reads as a year; of a part of a total, none."""
    if PATTERNS["total"].match(text, number.end):
        return []
    value, step = number.value, round_unit(number.value)
    vague = PATTERNS["vague"].search(text, 0, number.start)
    if value <= FEW and step == 1 and not vague:
        values = [value + more for more in range(1, max(3, int(value)) + 1)]
    else:
        least = value * (LEAST_VAGUE if vague else LEAST)
        first, last = (int((edge / step).to_integral_value(ROUND_FLOOR)) for edge in (least, value * MOST))
        values = [step * times for times in range(first + 1, last + 1)]
    most = MOST_SHARE if number.unit == "percent" and value < MOST_SHARE else LIMIT - 1
    written = (render_quantity(number, new) for new in values if new <= most)
    return [new for new in written if not PATTERNS["year"].search(new)]


def _counts(text: str, number: Quantity, tokens: Sequence[Tagged]) -> bool:
    """True if a plural or a unit follows a number, and nothing that makes another kind of number of it."""
    after = [token for token in tokens if token.start >= number.end]
    before = next((token for token in reversed(tokens) if token.end <= number.start), None)
    word = before.text.lower() if before else ""
    ranked = word in WORDS["ranking"] or (before and before.tag in ("CD", "JJS") and word != "least")
    if ranked and not PATTERNS["for_the_last"].search(text, 0, number.start):
        return False
    for i, token in enumerate(after[: NEAR + 1]):
        word = token.text.lower()
        if word in WORDS["loose"]:
            return False
        named = token.tag == "NNP" and word.endswith("s") and i + 1 < len(after) and after[i + 1].tag != "NNP"
        if token.tag in ("NNS", "NNPS") or named or word in WORDS["counted"]:
            following = after[i + 1].text if i + 1 < len(after) else ""
            return following not in WORDS["contests"] and not _names_them(after[i + 1 :])
        if token.tag not in PHRASE and not (i == 0 and word == "of"):
            return False
    return False


def _names_them(rest: Sequence[Tagged]) -> bool:
    """True if the things are named one by one: "two parts, a head and a tail"."""
    words = [token.text for token in rest]
    if words[:1] in (["-"], ["("]) or words[:2] in ([",", "namely"], [",", "or"]):
        return True
    listed = words[:1] == [","] and "and" in words[:LIST] and not _has_verb(rest[1:LIST])
    return listed or not {":", "--", "\u2014", "\u2013"}.isdisjoint(words)


def _has_verb(tokens: Sequence[Tagged]) -> bool:
    return any(token.tag in FINITE for token in tokens)


def _is_stated(start: int, tokens: Sequence[Tagged]) -> bool:
    """True if the sentence of a number says something, and neither asks nor orders."""
    at = next((token.sentence for token in tokens if token.start <= start < token.end), None)
    sentence = [token for token in tokens if token.sentence == at]
    first = [token for token in sentence if token.text.isalpha() and token.tag not in ("RB", "CC")][:1]
    if not first or first[0].tag in ("VB", "VBP", "UH") or sentence[-1].text == "?":
        return False
    return any(token.tag in FINITE | {"VBG", "VBN"} for token in sentence)


def _fits_article(text: str, number: Number, new: str) -> bool:
    """True if an article before the number fits the new one, too."""
    article = PATTERNS["article"].search(text, max(0, number.start - 4), number.start)
    return article is None or article_for(new) == article[1].lower()
