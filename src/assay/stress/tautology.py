"""Adding a clause that is always true, so that no label changes."""

import re
from random import Random
from typing import ClassVar

import msgspec

from assay.core.edit import Edit, Replacement, Side, Skip
from assay.core.pair import Pair
from assay.core.protocols import Fidelity

_STOPS = ".!?\u2026"
_CLOSERS = "\"'\u201d\u2019)]"
_ABBREVIATION = re.compile(r"(?:\b\w\.){2,}$|\b(?:[Ee]tc|Inc|Ltd|Jr|Sr)\.$")
_LETTER = re.compile(r"[^\W\d_]")

TAIL = 40
"""Abbreviations are looked for in so many last characters: a pathological text must not cost its square."""


class Tautology(msgspec.Struct, frozen=True, kw_only=True):
    """Adds `tautology`, `times` over, to one text of the pair; the label stays."""

    tautology: str
    """The clause, with its conjunction."""
    times: int = 1
    """How often it is added."""
    fidelity: Fidelity = "strict"
    """Our best, what the paper says, or what the released code does."""

    family: ClassVar[str]
    side: ClassVar[Side] = "hypothesis"
    strength: ClassVar[str] = "times"

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to decide
        text = pair.hypothesis if self.side == "hypothesis" else pair.premise
        if not _LETTER.search(text):
            return Skip(f"no word in the {self.side}")
        change = (Replacement(clause_end(text), "", f" {self.tautology}" * self.times),) if self.times else ()
        return [Edit(hypothesis=change) if self.side == "hypothesis" else Edit(premise=change)]


def clause_end(text: str) -> int:
    """Where a clause can be added: before the final punctuation, and before the blank that tokenised text puts there.

    >>> [text[:clause_end(text)] for text in ("It rains.", "It rains .", 'He said "no."', "in the U.S.", "No end")]
    ['It rains', 'It rains', 'He said "no', 'in the U.S.', 'No end']
    """
    text = text.rstrip()
    if _ABBREVIATION.search(text[-TAIL:]):
        return len(text)
    return len(text.rstrip(_CLOSERS).rstrip(_STOPS).rstrip())
