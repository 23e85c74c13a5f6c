"""A system on disk: JSON for what it is, safetensors for its weights. Nothing is ever unpickled."""

from pathlib import Path
from typing import Any

import msgspec
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from assay.core import registry
from assay.core.errors import BadInputError
from assay.core.files import from_json, to_json
from assay.core.label import Label
from assay.models.systems.system import System

SCHEMA = 1
CARD = "system.json"
WEIGHTS = "weights.safetensors"


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """What a stored system is."""

    schema: int = SCHEMA
    """Version of this file's shape."""
    system: str
    """Versioned name."""
    config: dict[str, Any]
    """Its switches."""
    labels: tuple[Label, ...]
    """In the order of its outputs."""


def save_system(system: System, name: str, folder: Path) -> None:
    """Write a system into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    system.save_parts(folder)
    save_file({key: value.contiguous() for key, value in system.state_dict().items()}, folder / WEIGHTS)
    config = msgspec.to_builtins(system.config)
    (folder / CARD).write_bytes(to_json(Card(system=name, config=config, labels=system.labels)))


def load_system(folder: Path) -> System:
    """The system in a folder, ready to answer."""
    if not (folder / CARD).is_file():
        raise BadInputError(
            f"no trained system here: it has no {CARD}",
            where=str(folder),
            hint="`assay train SYSTEM --out DIR` makes one.",
        )
    card = from_json(folder / CARD, Card, newest=SCHEMA)
    kind: type[System] = registry.systems.get(card.system)
    try:
        config = msgspec.convert(card.config, kind.Config)
        system = kind.from_parts(folder, config, card.labels)
        system.load_state_dict(load_file(folder / WEIGHTS))
    except (msgspec.ValidationError, SafetensorError, OSError, KeyError, RuntimeError, ValueError) as error:
        raise BadInputError(f"damaged: {error}", where=str(folder)) from error
    return system.eval()
