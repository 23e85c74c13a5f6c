"""Where training stands, on disk: written aside and renamed, so that a kill at any time loses minutes, never a run."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from assay.core.files import from_json, to_json, write_errors
from assay.train.schedule import ScheduleState

SCHEMA = 1
Weights = dict[str, Tensor]


class State(msgspec.Struct, kw_only=True):
    """Where training stands, beside tensors."""

    schema: int = SCHEMA
    """Version of this file's shape."""
    progress: ScheduleState
    """Of rate and best accuracy."""
    epoch: int = 0
    """Finished epochs."""
    step: int = 0
    """Steps made in this epoch."""
    made: int = 0
    """Steps made in all."""
    stopped: str = ""
    """Why training has ended before its last epoch, if it has."""


class Snapshot(msgspec.Struct):
    """All that a run needs to go on as if nothing had happened."""

    state: State
    """Counters."""
    weights: Weights
    """Of the system, now."""
    best: Weights
    """Of the system, when it was best."""
    optimiser: Weights
    """What the optimiser remembers."""
    chance: Tensor
    """The state of the random numbers that dropout draws."""


class Store:
    """A folder that holds the newest snapshot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, shot: Snapshot) -> None:
        aside, old = self.folder.with_suffix(".aside"), self.folder.with_suffix(".old")
        with write_errors(self.folder):
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
            for name in ("weights", "best", "optimiser"):
                save_file({key: each.contiguous() for key, each in getattr(shot, name).items()}, _file(aside, name))
            save_file({"chance": shot.chance}, _file(aside, "chance"))
            (aside / "state.json").write_bytes(to_json(shot.state))
            shutil.rmtree(old, ignore_errors=True)
            if self.folder.exists():
                self.folder.rename(old)
            aside.rename(self.folder)
            shutil.rmtree(old, ignore_errors=True)

    def load(self) -> Snapshot | None:
        """The newest snapshot, if there is one."""
        old = self.folder.with_suffix(".old")
        if not self.folder.exists() and old.exists():  # killed between two renames
            old.rename(self.folder)
        if not self.folder.exists():
            return None
        parts = {name: load_file(_file(self.folder, name)) for name in ("weights", "best", "optimiser")}
        return Snapshot(
            from_json(self.folder / "state.json", State, newest=SCHEMA),
            **parts,
            chance=load_file(_file(self.folder, "chance"))["chance"],
        )

    def remove(self) -> None:
        """Training has ended."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.safetensors"


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> Weights:
    """What an optimiser remembers of each parameter, as named tensors."""
    state: dict[int, dict[str, Any]] = optimiser.state_dict()["state"]
    return {
        f"{number}.{name}": torch.as_tensor(value).clone()
        for number, values in state.items()
        for name, value in values.items()
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: Weights) -> None:
    """Put it back."""
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        number, _, name = key.partition(".")
        state.setdefault(int(number), {})[name] = value
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
