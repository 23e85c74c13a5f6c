"""The card and the switches of a stored system; nothing here needs PyTorch."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from assay.core.errors import BadInputError
from assay.core.label import Label
from assay.core.serialise import from_json
from assay.version import __version__

SCHEMA = 1
CARD = "system.json"

MAKING = "training.json"  # the file with the training settings of a system
LOG = "log.jsonl"  # the file that training writes from its first steps on


class SystemCard(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = SCHEMA
    system: str
    config: dict[str, Any]
    labels: tuple[Label, ...]  # its labels, in the order of its outputs


def refuse_other_version(folder: Path, error: Exception) -> None:
    """Explain the error if a system that can't be loaded was trained with another version of Assay."""
    try:
        made_with = json.loads((folder / MAKING).read_bytes())["versions"]["assay"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if made_with != __version__:
        fact = str(error).strip().partition("\n")[0]
        raise BadInputError(
            f"trained with Assay {made_with}, and this is {__version__}, which can't load it: {fact}",
            where=str(folder),
            hint=f"Use that version of Assay ({made_with}), or train it again (see {MAKING}).",
        ) from error


def read_card(folder: Path) -> SystemCard:
    if not (folder / CARD).is_file():
        if any(folder.glob(LOG)) or any(folder.glob(f"seed-*/{LOG}")):
            raise BadInputError(
                f"training is not finished: there is no {CARD} yet",
                where=str(folder),
                hint="Run the same `assay train` command again: it continues where it stopped.",
            )
        raise BadInputError(
            f"not a trained system: there is no {CARD}",
            where=str(folder),
            hint="`assay train SYSTEM --out DIR` makes one.",
        )
    return from_json(folder / CARD, SystemCard, newest=SCHEMA)


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The switches of a system."""


class WordConfig(Config, frozen=True, kw_only=True):
    lowercase: bool = False
    ends: bool = False
    """Put a marker before and after each text."""
    nothing: bool = False
    """Put a marker before each text, with which words that have no partner can be aligned."""
    drop_unknown: bool = False
    """Leave out words outside the vocabulary, instead of giving them all one vector."""
    numerals: Literal["words", "one", "unknown"] = "words"
    """Numbers in digits are words as others, or all share one vector. Quirk of Rivercorners' code: they share one when
    the vocabulary is built, and are unknown words ever after."""
    tuned: bool = False
    """Train the ready vectors too."""
    longest: int = 0
    """The maximum number of words in a text; longer texts are cut. 0 means no limit."""


class SpelledConfig(WordConfig, frozen=True, kw_only=True):
    """Settings of systems over words and their letters."""

    letters: Annotated[int, msgspec.Meta(ge=1)] = 24  # the number of letters of a word that are read
    spell_unknown: bool = True  # Quirk of the original if off: all unknown words are spelled UNK


class ParsedConfig(WordConfig, frozen=True, kw_only=True):
    """Settings of systems that compose texts along trees."""

    longest: int = 256
    """Cut texts to so many words; 0 for never, but the time that an exported system takes for a deep tree grows
    with the square of its depth."""
    trees: Literal["own", "parser", "right"] = "own"
    """Source of trees: the parses that pairs bring, else what the heuristics' grammar recognises, else the parser
    that comes with Assay; that parser for all texts; or right-branching trees."""


class RelatedConfig(WordConfig, frozen=True, kw_only=True):
    """Settings of systems that use WordNet's relations between words."""

    senses: Literal["nearest", "last"] = "nearest"
    """Which distance counts if several senses have one: the shortest; in the original code, the last sense's."""
    keep_case: bool = False
    """Look up words in WordNet with their capitals, as the original does."""
