"""The switches of systems; nothing here needs PyTorch."""

from typing import Annotated, Literal

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
    """Leave out words that have no number, instead of giving them all one vector."""
    numerals: Literal["words", "one", "unknown"] = "words"
    """Numbers in digits are words as others, or all share one vector. Quirk of Rivercorners' code: they share one when
    the vocabulary is built, and are unknown words ever after."""
    tuned: bool = False
    """Train the ready vectors too."""
    longest: int = 0
    """Cut texts to so many words; 0 for never."""


class SpelledConfig(WordConfig, frozen=True, kw_only=True):
    """What systems over words and their letters have in common."""

    letters: Annotated[int, msgspec.Meta(ge=1)] = 24
    """Letters of a word that are read; the rest of a longer one is not."""
    spell_unknown: bool = True
    """Quirk of the original if off: all unknown words are spelled UNK."""


class ParsedConfig(WordConfig, frozen=True, kw_only=True):
    """What systems have in common that compose texts along their trees."""

    longest: int = 256
    """Cut texts to so many words; 0 for never, but the time that an exported system takes for a deep tree grows
    with the square of its depth."""
    trees: Literal["own", "parser", "right"] = "own"
    """Where trees come from: the parses that pairs bring, else what the heuristics' grammar recognises, else the parser
    that comes with Assay; that parser for all texts; or right-branching trees."""


class RelatedConfig(WordConfig, frozen=True, kw_only=True):
    """What systems that use WordNet's relations between words have in common."""

    senses: Literal["nearest", "last"] = "nearest"
    """Where several senses of two words give a distance: the shortest. Quirk of the original: the last sense's."""
    keep_case: bool = False
    """Look up words in WordNet with their capitals, as the original does."""
