"""The switches of systems; nothing here needs PyTorch."""

import msgspec


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The switches of a system."""


class WordConfig(Config, frozen=True, kw_only=True):
    """What systems over words have in common."""

    lowercase: bool = False
    """Ignore capitals."""
    ends: bool = False
    """Put a marker before and after each text."""
    nothing: bool = False
    """Put a marker before each text, with which words that have no partner can be aligned."""
    drop_unknown: bool = False
    """Leave out unknown words, instead of giving all of them the same vector."""
    tuned: bool = False
    """Train the ready vectors too."""
    longest: int = 0
    """Cut texts to this many words; 0 for never."""
