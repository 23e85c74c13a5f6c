"""A system on disk: JSON for what it is, safetensors for its weights. Nothing is ever unpickled."""

from pathlib import Path

import msgspec
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from assay.core import registry
from assay.core.errors import BadInputError, UnknownNameError
from assay.core.serialise import to_json
from assay.models.systems.system import System
from assay.models.systems.system_card import CARD, SystemCard, read_card, refuse_other_version

WEIGHTS = "weights.safetensors"


def save_system(system: System, name: str, folder: Path) -> None:
    """Write a system into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    system.save_parts(folder)
    save_file({key: value.contiguous() for key, value in system.state_dict().items()}, folder / WEIGHTS)
    config = msgspec.to_builtins(system.config)
    (folder / CARD).write_bytes(to_json(SystemCard(system=name, config=config, labels=system.labels)))


def load_system(folder: Path) -> System:
    """The system in a folder, ready to answer."""
    card = read_card(folder)
    try:
        kind: type[System] = registry.systems.get(card.system)
        config = msgspec.convert(card.config, kind.Config)
        system = kind.from_parts(folder, config, card.labels)
        system.load_state_dict(load_file(folder / WEIGHTS))
    except UnknownNameError as error:
        refuse_other_version(folder, error)
        raise
    except (msgspec.MsgspecError, SafetensorError, OSError, KeyError, RuntimeError, ValueError) as error:
        refuse_other_version(folder, error)
        raise BadInputError(f"damaged: {error}", where=str(folder)) from error
    return system.eval()
