"""The base of systems: texts to numbers, numbers to batches, batches to scores for labels.

On disk, a system is JSON for what it is and safetensors for its weights. Nothing is ever unpickled.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec
import numpy
import safetensors.numpy
import safetensors.torch
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assay.core import registry
from assay.core.errors import BadInputError, UnknownNameError
from assay.core.label import THREE_WAY, Label
from assay.core.pair import Pair, Parses
from assay.core.serialise import to_json
from assay.models.systems.layers import WordEmbedding
from assay.models.systems.system_card import CARD, Config, SystemCard, WordConfig, read_card, refuse_other_version
from assay.models.systems.vocabulary import Ragged, Vocabulary
from assay.models.systems.word_readers import WordReader

WORDS = "words.json"
VECTORS = "vectors.safetensors"


class Encoded(msgspec.Struct, frozen=True):
    premise: Ragged
    hypothesis: Ragged

    def __len__(self) -> int:
        return len(self.premise)

    @property
    def lengths(self) -> NDArray[numpy.int64]:
        """(pairs, 2): lengths of premise and hypothesis."""
        return numpy.stack([self.premise.lengths, self.hypothesis.lengths], 1)


Batch = tuple[Tensor, ...]  # the arguments of a system's forward pass


class System(nn.Module):
    """A system. Its labels are names, in the order of its outputs."""

    Config: ClassVar[type[Config]]
    labels: tuple[Label, ...]

    def encode(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Encoded:
        raise NotImplementedError

    def encode_pairs(self, pairs: Sequence[Pair]) -> Encoded:
        """Pairs to numbers, with their parses if the system uses them."""
        return self.encode([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])

    def batch(self, encoded: Encoded, rows: NDArray[numpy.int64]) -> Batch:
        raise NotImplementedError

    def save_parts(self, folder: Path) -> None:
        """Write what it needs besides its weights and its configuration."""
        raise NotImplementedError

    @classmethod
    def from_parts(cls, folder: Path, config: Any, labels: tuple[Label, ...]) -> Self:
        """The system that a folder describes, without its weights."""
        raise NotImplementedError

    @torch.inference_mode()
    def probabilities(self, encoded: Encoded, rows: NDArray[numpy.int64]) -> NDArray[numpy.float32]:
        """(rows, labels)."""
        self.eval()
        return self(*self.batch(encoded, rows)).softmax(-1).numpy()


class WordSystem(System):
    Reader: ClassVar[type[WordReader]] = WordReader
    config: WordConfig

    def __init__(
        self,
        config: Any,
        vocabulary: Vocabulary,
        vectors: NDArray[numpy.float32],
        labels: tuple[Label, ...] = THREE_WAY,
    ) -> None:
        super().__init__()
        self.config = config
        self.vocabulary = vocabulary
        self.reader = self.Reader(vocabulary, config)
        self.labels = labels
        self.embedding = WordEmbedding(vocabulary, vectors, tuned=config.tuned)
        self.build(self.embedding.size, len(labels))

    def build(self, size: int, labels: int) -> None:
        """Make the layers, for vectors of this size and this many labels."""
        raise NotImplementedError

    def encode(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Encoded:
        return Encoded(Ragged.of(self.reader.read(premises)), Ragged.of(self.reader.read(hypotheses)))

    def encode_pairs(self, pairs: Sequence[Pair]) -> Encoded:
        parses = [pair.parses or Parses() for pair in pairs]
        premises = self.reader.read([pair.premise for pair in pairs], [each.premise_binary for each in parses])
        hypotheses = self.reader.read([pair.hypothesis for pair in pairs], [each.hypothesis_binary for each in parses])
        return Encoded(Ragged.of(premises), Ragged.of(hypotheses))

    def batch(self, encoded: Encoded, rows: NDArray[numpy.int64]) -> Batch:
        premise, hypothesis = encoded.premise.pad_rows(rows), encoded.hypothesis.pad_rows(rows)
        of_texts = (*self.reader.of_text(premise), *self.reader.of_text(hypothesis))
        return tuple(map(torch.from_numpy, (*of_texts, *self.reader.of_pair(premise, hypothesis))))

    def save_parts(self, folder: Path) -> None:
        (folder / WORDS).write_bytes(msgspec.json.encode(self.vocabulary))
        safetensors.numpy.save_file({"vectors": self.embedding.vectors}, folder / VECTORS)

    @classmethod
    def from_parts(cls, folder: Path, config: Any, labels: tuple[Label, ...]) -> Self:
        vocabulary = msgspec.json.decode((folder / WORDS).read_bytes(), type=Vocabulary)
        return cls(config, vocabulary, safetensors.numpy.load_file(folder / VECTORS)["vectors"], labels)


class SentenceSystem(WordSystem):
    """A system over words that encodes each text separately, both sides alike, then compares two vectors."""

    def text(self, numbers: Tensor, mask: Tensor, *more: Tensor) -> Tensor:
        """(batch, dimensions): texts as vectors, from the inputs of its reader."""
        raise NotImplementedError

    def judge(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        """(batch, labels): scores, from two vectors each."""
        raise NotImplementedError

    def forward(self, *inputs: Tensor) -> Tensor:
        half = len(inputs) // 2
        return self.judge(self.text(*inputs[:half]), self.text(*inputs[half:]))


WEIGHTS = "weights.safetensors"


def save_system(system: System, name: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    system.save_parts(folder)
    safetensors.torch.save_file(
        {key: value.contiguous() for key, value in system.state_dict().items()}, folder / WEIGHTS
    )
    config = msgspec.to_builtins(system.config)
    (folder / CARD).write_bytes(to_json(SystemCard(system=name, config=config, labels=system.labels)))


def load_system(folder: Path) -> System:
    """The system in a folder, ready to answer."""
    card = read_card(folder)
    try:
        kind: type[System] = registry.systems.get(card.system)
        config = msgspec.convert(card.config, kind.Config)
        system = kind.from_parts(folder, config, card.labels)
        system.load_state_dict(safetensors.torch.load_file(folder / WEIGHTS))
    except UnknownNameError as error:
        refuse_other_version(folder, error)
        raise
    except (msgspec.MsgspecError, safetensors.SafetensorError, OSError, KeyError, RuntimeError, ValueError) as error:
        refuse_other_version(folder, error)
        raise BadInputError(f"damaged: {error}", where=str(folder)) from error
    return system.eval()
