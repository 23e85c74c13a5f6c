"""What a stored system is, as a file next to its weights; nothing here needs PyTorch."""

from pathlib import Path
from typing import Any

import msgspec

from assay.core.errors import BadInputError
from assay.core.files import from_json
from assay.core.label import Label

SCHEMA = 1
CARD = "system.json"

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
