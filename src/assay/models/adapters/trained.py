"""trained:FOLDER, a system that `assay train` made."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy

from assay.core.errors import MissingExtraError
from assay.core.prediction import Answer
from assay.core.protocols import Ready, Texts
from assay.models.adapters.classifier import digest_of
from assay.models.adapters.texts import AnswersTexts

if TYPE_CHECKING:
    from assay.models.systems.system import System

BUDGET = 8_192
"""Words in a batch, of the longer side."""

CARD = "system.json"
"""The file that says what a stored system is."""

SEED = re.compile(r"(.+)@(?:seed)?([0-9]+)")
SEED_FOLDER = re.compile(r"seed-([0-9]+)")

MAKING = ("training.json", "log.jsonl")
"""Files that tell how a system came about, and change no answer."""


class Trained(msgspec.Struct, frozen=True, kw_only=True):
    """A system that `assay train` made, in its folder; of several seeds, FOLDER@1, FOLDER@1,2 or all."""

    what: str
    """The folder."""

    def seeds(self) -> list[int]:
        """The seeds in the folder, where `assay train` was given several."""
        folder = Path(self.what).expanduser()
        if (folder / CARD).is_file():
            return []
        found = (SEED_FOLDER.fullmatch(card.parent.name) for card in folder.glob(f"seed-*/{CARD}"))
        return sorted(int(each[1]) for each in found if each)

    def open(self) -> "TrainedModel":
        """Load it."""
        try:
            from assay.models.systems.checkpoint import load_system
        except ImportError as error:
            raise MissingExtraError("torch", needed_for=f"The model trained:{self.what}") from error
        folder = self._folder()
        system = load_system(folder)
        files = [path.name for path in folder.iterdir() if path.is_file() and path.name not in MAKING]
        return TrainedModel(system, digest_of(folder, files, "trained"))

    def _folder(self) -> Path:
        """Where the system is: the folder itself, or one of its seeds."""
        folder = Path(self.what).expanduser()
        seed = SEED.fullmatch(self.what)
        return Path(seed[1]).expanduser() / f"seed-{seed[2]}" if seed and not folder.exists() else folder


class TrainedModel(AnswersTexts):
    """A system on the bench; its labels were stored by name."""

    def __init__(self, system: "System", identity: str) -> None:
        self.system = system
        self._identity = identity

    @property
    def identity(self) -> str:
        """A digest of weights, words and switches."""
        return self._identity

    @property
    def budget(self) -> int:
        """Words in a batch."""
        return BUDGET

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Words to numbers."""
        encoded = self.system.encode([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
        sizes = encoded.lengths.max(1, initial=1)
        return [
            Ready((premise, hypothesis), int(size))
            for premise, hypothesis, size in zip(encoded.premise.rows(), encoded.hypothesis.rows(), sizes, strict=True)
        ]

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:  # noqa: ARG002 - masks make width no matter
        """Judge."""
        from assay.models.systems.ragged import Ragged
        from assay.models.systems.system import Encoded

        encoded = Encoded(Ragged.of(each.content[0] for each in batch), Ragged.of(each.content[1] for each in batch))
        rows = self.system.probabilities(encoded, numpy.arange(len(batch)))  # (batch, labels)
        labels = self.system.labels
        return [
            Answer(
                label=labels[int(row.argmax())],
                probabilities={label: float(share) for label, share in zip(labels, row, strict=True)},
            )
            for row in rows
        ]
