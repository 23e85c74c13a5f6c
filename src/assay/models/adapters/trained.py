"""trained:FOLDER, a system that `assay train` made."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.case import Answer
from assay.core.errors import MissingExtraError, UserError
from assay.core.protocols import Ready, Texts
from assay.models.adapters.hf import BUDGETS
from assay.models.adapters.label_order import AnswersTexts, Declared
from assay.models.adapters.pair_classifier import INPUTS, ClassifierNetwork, PairClassifier, digest_of, tokens_for
from assay.models.systems.system_card import CARD, LOG, MAKING
from assay.storage.files import DIGESTS_FILE
from assay.storage.remote import is_address, local

if TYPE_CHECKING:
    from assay.models.systems.system import System
    from assay.models.systems.transformer import Transformer

BUDGET = 8_192  # maximum number of words in a batch, counted on the longer side

SEED = re.compile(r"(.+)@(?:seed)?([0-9]+)")
SEED_FOLDER = re.compile(r"seed-([0-9]+)")

ABOUT = (MAKING, LOG, DIGESTS_FILE)  # files about how a system was made, which change no answer


class Trained(msgspec.Struct, frozen=True, kw_only=True):
    """A system that `assay train` made. If its folder has several seeds: FOLDER@1, FOLDER@1,2, or FOLDER for all."""

    what: str

    def seeds(self) -> list[int]:
        """The seeds in the folder, if `assay train` was given several."""
        folder = self._place()
        if (folder / CARD).is_file():
            return []
        found = (SEED_FOLDER.fullmatch(card.parent.name) for card in folder.glob(f"seed-*/{CARD}"))
        return sorted(int(each[1]) for each in found if each)

    def load(self) -> "tuple[System, str]":
        try:
            from assay.models.systems.system import WordSystem, load_system
        except ImportError as error:
            raise MissingExtraError("torch", needed_for=f"The model trained:{self.what}") from error
        system = load_system(self.folder)
        return system, self.identity(system.reader.edition if isinstance(system, WordSystem) else "")

    def open(self) -> "TrainedModel | PairClassifier":
        system, identity = self.load()
        from assay.models.systems.transformer import Transformer

        if isinstance(system, Transformer):
            return _classifier(f"trained:{self.what}", system, identity)
        return TrainedModel(system, identity)

    def identity(self, edition: str) -> str:
        """A digest of weights, words and switches; `edition` is that of the language resources."""
        folder = self.folder
        files = [path.name for path in folder.iterdir() if path.is_file() and path.name not in ABOUT]
        return digest_of(folder, files, ("trained", edition) if edition else "trained")

    @property
    def folder(self) -> Path:
        """The folder of the system: the given one, or that of a seed."""
        if seeds := self.seeds():
            raise UserError(f"trained:{self.what} has several seeds; name one, as in trained:{self.what}@{seeds[0]}.")
        return self._place()

    def _place(self) -> Path:
        """The folder of a seed, if one is named and no folder has that name; otherwise the folder itself."""
        seed = SEED.fullmatch(self.what)
        if seed and (is_address(self.what) or not Path(self.what).expanduser().exists()):
            return local(seed[1]).expanduser() / f"seed-{seed[2]}"
        return local(self.what).expanduser()


def _classifier(name: str, system: "Transformer", identity: str) -> PairClassifier:
    """A trained transformer runs like any transformers model; the length limit of its training does not apply."""
    import torch

    def forward(tables: Mapping[str, NDArray[numpy.int64]]) -> NDArray[Any]:
        pieces, mask, sides = (torch.from_numpy(tables[name]) for name in INPUTS)
        with torch.inference_mode():
            return system(pieces, mask.bool(), sides).numpy()  # (pairs, outputs)

    network = ClassifierNetwork(
        tokens=tokens_for(system.tokenizer, system.encoder.config.to_dict(), None),
        forward=forward,
        declared=Declared(system.labels, None, len(system.labels)),
        budget=BUDGETS["cpu"],
    )
    return PairClassifier(name, identity, lambda: network)


class TrainedModel(AnswersTexts):
    """A trained system as a model; its labels were stored by name."""

    identity: str = ""
    budget: int = BUDGET

    def __init__(self, system: "System", identity: str) -> None:
        self.system = system
        self.identity = identity

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        encoded = self.system.encode([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
        sizes = encoded.lengths.max(1, initial=1)
        return [
            Ready((premise, hypothesis), int(size))
            for premise, hypothesis, size in zip(encoded.premise.rows(), encoded.hypothesis.rows(), sizes, strict=True)
        ]

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:  # noqa: ARG002 - masks make the width irrelevant
        from assay.models.systems.system import Encoded
        from assay.models.systems.vocabulary import Ragged

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
