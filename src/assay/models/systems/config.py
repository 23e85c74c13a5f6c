"""The switches of systems; nothing here needs PyTorch."""

from typing import Literal

import msgspec


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The switches of a system."""


class WordConfig(Config, frozen=True, kw_only=True):
    """What systems over words have in common."""

    lowercase: bool = False
    """Ignore capitals."""
    ends: bool = False
    """Put a sign before and after each text."""
    nothing: bool = False
    """Put a sign before each text that a word can be aligned with when it has no partner."""
    drop_unknown: bool = False
    """Leave out words that have no number, instead of giving them all one vector."""
    numerals: Literal["words", "one", "unknown"] = "words"
    """Numbers in digits are words as others, or all share one vector. Quirk of Rivercorners' code: they share one when
    the vocabulary is built, and are unknown words ever after."""
    tuned: bool = False
    """Train the ready vectors too."""
    longest: int = 0
    """Cut texts to so many words; 0 for never."""
