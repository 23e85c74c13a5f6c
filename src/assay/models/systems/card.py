"""What a stored system is, as a file next to its weights; nothing here needs PyTorch."""

import json
from pathlib import Path
from typing import Any

import msgspec

from assay.core.errors import BadInputError
from assay.core.files import from_json
from assay.core.label import Label
from assay.version import __version__

SCHEMA = 1
CARD = "system.json"

MAKING = "training.json"
"""The file that says how a system was trained."""

LOG = "log.jsonl"
"""The file that training writes from its first steps on."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """What a stored system is."""

    schema: int = SCHEMA
    """Version of this file's shape."""
    system: str
    """Versioned name."""
    config: dict[str, Any]
    """Its switches."""
    labels: tuple[Label, ...]
    """Its labels, in the order of its outputs."""


def refuse_other_version(folder: Path, error: Exception) -> None:
    """Say so if a system that can't be loaded was trained with another version of Assay."""
    try:
        made_with = json.loads((folder / MAKING).read_bytes())["versions"]["assay"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if made_with != __version__:
        fact = str(error).strip().partition("\n")[0]
        raise BadInputError(
            f"trained with Assay {made_with}, and this is {__version__}, which can't load it: {fact}",
            where=str(folder),
            hint=f"Use that version (pip install nli-assay=={made_with}), or train it again (see {MAKING}).",
        ) from error


def read_card(folder: Path) -> Card:
    """The card in a folder."""
    if not (folder / CARD).is_file():
        if any(folder.glob(LOG)) or any(folder.glob(f"seed-*/{LOG}")):
            raise BadInputError(
                f"its training is not finished: there is no {CARD} yet",
                where=str(folder),
                hint="Run the same `assay train` command again: it continues where it stopped.",
            )
        raise BadInputError(
            f"not a trained system: there is no {CARD}",
            where=str(folder),
            hint="`assay train SYSTEM --out DIR` makes one.",
        )
    return from_json(folder / CARD, Card, newest=SCHEMA)
