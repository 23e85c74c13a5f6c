"""The state of training on disk: written aside and renamed, so that a kill at any time loses minutes, never a run."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from assay.core.errors import BadInputError
from assay.core.serialise import read_sealed, to_json, with_seal
from assay.storage.files import digest, exchange, restore, sync_folder, write_errors
from assay.training.schedule import ScheduleState

SCHEMA = 4
TENSORS = ("weights", "best", "optimiser", "chance", "dynamics")
Weights = dict[str, Tensor]


class TrainingState(msgspec.Struct, kw_only=True):
    """The state of training, apart from tensors."""

    schema: int = SCHEMA
    progress: ScheduleState
    epoch: int = 0
    step: int = 0
    made: int = 0  # all steps taken
    stopped: str = ""  # reason for ending before the last epoch, if any
    digests: dict[str, str] = {}
    seal: str = ""  # SHA-256 of this state without its seal


class Snapshot(msgspec.Struct):
    """Everything that a run needs to continue as if nothing had happened."""

    state: TrainingState
    weights: Weights  # the weights of the system and of its objective, now
    best: Weights  # the same when the system was best
    optimiser: Weights
    chance: Tensor  # the state of the random numbers that dropout draws
    dynamics: Weights = {}  # tensors of a data map, if there is one


class TrainingStore:
    """A folder that holds the newest snapshot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, shot: Snapshot) -> None:
        aside = self.folder.with_suffix(".aside")
        with write_errors(self.folder):
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
            for name in ("weights", "best", "optimiser", "dynamics"):
                save_file({key: each.contiguous() for key, each in getattr(shot, name).items()}, _file(aside, name))
            save_file({"chance": shot.chance}, _file(aside, "chance"))
            state = msgspec.structs.replace(shot.state, digests={name: digest(_file(aside, name)) for name in TENSORS})
            (aside / "state.json").write_bytes(to_json(with_seal(state)))
            sync_folder(aside)
        exchange(aside, self.folder)

    def load(self) -> Snapshot | None:
        """The newest snapshot; None if there is none, or if it is damaged."""
        restore(self.folder)
        try:
            path = self.folder / "state.json"
            state = read_sealed(path, TrainingState, made="this step", hint="", newest=SCHEMA, oldest=SCHEMA)
            if any(digest(_file(self.folder, name)) != state.digests[name] for name in TENSORS):
                return None
            weights, best, optimiser, chance, dynamics = (load_file(_file(self.folder, name)) for name in TENSORS)
        except (BadInputError, OSError, KeyError, SafetensorError):
            return None
        return Snapshot(state, weights, best, optimiser, chance["chance"], dynamics)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.folder.with_suffix(".aside"), ignore_errors=True)


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.safetensors"


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> Weights:
    """The optimiser's state for each parameter, as named tensors."""
    state: dict[int, dict[str, Any]] = optimiser.state_dict()["state"]
    return {
        f"{number}.{name}": torch.as_tensor(value).clone()
        for number, values in state.items()
        for name, value in values.items()
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: Weights) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        number, _, name = key.partition(".")
        state.setdefault(int(number), {})[name] = value
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
