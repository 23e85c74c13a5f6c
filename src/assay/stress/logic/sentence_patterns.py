"""Patterns: sentences with slots for words, and marks for what logic needs to see.

    every <{PERSON}> DEED THING        the noun in braces is replaced; <...> is what the determiner restricts
    [NAME1 did not ACT1.base] , and NAME2 DEED {THING}      an operator's scope ends with its bracket
    NAME1 {ACT1 and ACT2 | ACT1}       one text is replaced by the other

A word in capitals is a slot, with a number where there are several, and the form of the word after a dot.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from assay.core.errors import did_you_mean
from assay.stress.logic.logic_lexicon import EntryError

TOKEN = re.compile(r"[\[\]<>{}|,]|\.(?!\w)|(?:[^\s\[\]<>{}|,.]|\.(?=\w))+")
"""A mark, a comma, a full stop, or a word; a dot inside a word belongs to it."""
SLOT = re.compile(r"([A-Z]+)(\d*)((?:\.[a-z]+)*)")

MARKS = frozenset("[]<>{}|")

CLOSED_BY = {"[": "]", "<": ">", "{": "}"}

FORMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "NAME": ((),),
    "ACT": ((), ("base",), ("ing",)),
    "EXIT": ((), ("base",), ("ing",)),
    "MANNER": (("ing",),),
    "DEED": ((), ("base",), ("ing",)),
    "PERSON": ((), ("specific",), ("general",)),
    "PERSONS": ((), ("specific",), ("general",)),
    "THING": ((), ("noun",), ("specific",), ("general",)),
    "THINGS": ((), ("specific",), ("general",)),
    "PLACE": ((),),
    "STATE": ((),),
    "TRAIT": ((),),
    "LOOK": ((),),
    "SCALE": (("more",), ("less",), ("as",)),
}

NOUNS = ("PERSON", "PERSONS", "THING", "THINGS")
"""Slots that can be replaced by a more general or a more specific word."""


class WordSlot(NamedTuple):
    """A place for a word."""

    kind: str
    number: int
    """Its number among several; 0 if there is only one."""
    form: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join((f"{self.kind}{self.number or ''}", *self.form))


Piece = str | WordSlot


class Braced(NamedTuple):
    """A pattern with one changing part."""

    before: tuple[Piece, ...]
    first: tuple[Piece, ...]
    second: tuple[Piece, ...]
    after: tuple[Piece, ...]

    def with_(self, side: int) -> tuple[Piece, ...]:
        """The pattern with one of the two texts."""
        return (*self.before, *(self.second if side else self.first), *self.after)


def parse_pattern(pattern: str) -> tuple[Piece, ...]:
    """The parts of a pattern; the full stop at its end is left out, because every sentence gets one.

    >>> [str(piece) for piece in parse_pattern("every <{PERSON}> DEED THING.")]
    ['every', '<', '{', 'PERSON', '}', '>', 'DEED', 'THING']
    """
    return tuple(map(_parse_piece, _split_pattern(pattern)))


def check_marks(pattern: str) -> None:
    """Refuse a pattern with an empty sentence, or with marks that do not close each other."""
    parts = _split_pattern(pattern)
    if any({*MARKS, ","}.issuperset(each) for each in split_sentences(parts)):
        raise EntryError(
            f"the pattern {pattern!r} has a sentence without words",
            entry=f'"{pattern}"',
            hint="Write words and slots, with a full stop between sentences only.",
        )
    opened: list[str] = []
    for part in parts:
        if part in CLOSED_BY:
            opened.append(part)
        elif part in CLOSED_BY.values() and (not opened or CLOSED_BY[opened.pop()] != part):
            raise _unpaired_error(part, pattern)
    if opened:
        raise _unpaired_error(opened[-1], pattern)


def parse_braces(pattern: str) -> Braced:
    """Parse a pattern with one pair of braces.

    >>> made = parse_braces("NAME1 DEED {THING}")
    >>> [str(piece) for piece in (*made.first, *made.second)]
    ['THING.specific', 'THING.general']
    """
    parts = parse_pattern(pattern)
    if [part for part in parts if part in ("{", "}")] != ["{", "}"]:
        raise EntryError(
            f"the pattern {pattern!r} must have one place in braces",
            entry=_first_words(pattern),
            hint="Put braces around what changes: {THING}, or {ACT1 and ACT2 | ACT1}.",
        )
    start, end = parts.index("{"), parts.index("}")
    inside = parts[start + 1 : end]
    if "|" in inside:
        middle = inside.index("|")
        first, second = inside[:middle], inside[middle + 1 :]
    elif len(inside) == 1 and isinstance(inside[0], WordSlot) and inside[0].kind in NOUNS:
        first, second = ((inside[0]._replace(form=(form,)),) for form in ("specific", "general"))
    else:
        raise EntryError(
            f"{pattern!r}: braces must hold two texts separated by a bar, or one noun",
            entry=_first_words(pattern),
            hint="Write {ACT1 and ACT2 | ACT1}, or {THING} for a noun and a more general one.",
        )
    return Braced(parts[:start], first, second, parts[end + 1 :])


def drop_marks(parts: Iterable[Piece]) -> tuple[Piece, ...]:
    """The parts without marks, as they are written."""
    return tuple(part for part in parts if part not in MARKS)


def fill_determiner(pattern: str, determiner: str, opposite: str) -> str:
    """A pattern with its determiner filled in."""
    return re.sub(r"\bDET\b", determiner, re.sub(r"\bOPP\b", opposite, pattern))


def split_sentences(parts: Sequence[Piece]) -> list[list[Piece]]:
    """The sentences of a text, without their full stops."""
    sentences: list[list[Piece]] = [[]]
    for part in parts:
        sentences.append([]) if part == "." else sentences[-1].append(part)
    return sentences


def only_sentence(parts: Sequence[Piece]) -> list[Piece]:
    """The one sentence of a hypothesis."""
    sentences = split_sentences(parts)
    if len(sentences) > 1:
        text = " ".join(map(str, parts))
        raise EntryError(f"the hypothesis {text!r} has several sentences", entry=text, hint="Give each on its own.")
    return sentences[0]


def find_slots(parts: Sequence[Piece]) -> list[WordSlot]:
    """The slots among the parts."""
    return [part for part in parts if isinstance(part, WordSlot)]


def _split_pattern(pattern: str) -> list[str]:
    tokens = TOKEN.findall(pattern)
    return tokens[:-1] if tokens[-1:] == ["."] else tokens


def _parse_piece(text: str) -> Piece:
    match = SLOT.fullmatch(text)
    if not match:
        return text
    kind, number, forms = match[1], int(match[2] or 0), tuple(match[3].split(".")[1:])
    if kind not in FORMS:
        raise EntryError(
            f"no slot {kind!r}{did_you_mean(kind, FORMS)}",
            entry=text,
            hint=f"Slots are {', '.join(FORMS)}; all other words are in lower case.",
        )
    if forms not in FORMS[kind]:
        there = ", ".join(".".join((kind, *form)) for form in FORMS[kind])
        raise EntryError(f"{text!r} is not a form of a slot", entry=text, hint=f"Choose from {there}.")
    return WordSlot(kind, number, forms)


def _unpaired_error(mark: str, pattern: str) -> EntryError:
    return EntryError(
        f"{mark!r} has no partner in the pattern {pattern!r}",
        entry=pattern,
        hint="Close [...], <...> and {...} in the order in which they are opened, the last one first.",
    )


def _first_words(pattern: str) -> str:
    """The first words of a pattern, enough to find its line."""
    return pattern.split("{")[0].strip() or pattern
