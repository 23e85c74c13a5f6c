"""A classifier on a frozen transformer. Vectors of pairs are computed once and cached for all seeds."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assay.core.errors import BadInputError
from assay.core.label import THREE_WAY, Label
from assay.core.serialise import from_json, to_json
from assay.models.systems.system import Batch, Encoded, System
from assay.models.systems.transformer import Transformer, TransformerConfig
from assay.models.systems.vocabulary import Ragged
from assay.storage.answer_cache import AnswerCache
from assay.storage.folders import cache_folder

ENCODER = "encoder.json"
LAYOUT = "pair-vectors-1"  # the folder in the user's cache
AT_ONCE = 64  # pairs in a batch of the encoder


class FrozenConfig(TransformerConfig, frozen=True, kw_only=True):
    hidden: int = 256
    """Width of the hidden layer; 0 for a linear classifier."""
    half: bool = False
    """Compute the vectors with 16 bits, which halves the time on processors that can. The result then differs from one
    kind of processor to another in more than the last digits."""


class FrozenEncoder(msgspec.Struct, frozen=True, kw_only=True):
    """The encoder below a classifier, which is not stored with it."""

    schema: int = 1  # version of this file's shape
    digest: str  # a digest of its weights
    width: int  # size of its vectors


class FrozenTransformer(System):
    """A classifier on the vector of a pair's first token."""

    Config = FrozenConfig
    config: FrozenConfig

    def __init__(
        self, config: FrozenConfig, labels: tuple[Label, ...] = THREE_WAY, *, saved: FrozenEncoder | None = None
    ) -> None:
        """Load the checkpoint, or postpone it until a text has no cached vector."""
        super().__init__()
        self.config = config
        self.labels = labels
        self.encoder = saved or self._loaded_encoder
        width, hidden = self.encoder.width, self.config.hidden
        layers: list[nn.Module] = [nn.LayerNorm(width), nn.Dropout(config.dropout)]
        if hidden:
            layers += [nn.Linear(width, hidden), nn.GELU(), nn.Dropout(config.dropout)]
        self.classifier = nn.Sequential(*layers, nn.Linear(hidden or width, len(labels)))

    @cached_property
    def _transformer(self) -> Transformer:
        """The encoder, which is not a part of this module, so neither trained nor stored."""
        config = {name: getattr(self.config, name) for name in TransformerConfig.__struct_fields__}
        return Transformer(TransformerConfig(**config), self.labels).eval()

    @cached_property
    def _loaded_encoder(self) -> FrozenEncoder:
        hashed = hashlib.sha256()
        for name, weight in sorted(self._transformer.encoder.base_model.state_dict().items()):
            hashed.update(name.encode())
            hashed.update(weight.contiguous().numpy().tobytes())
        width: int = self._transformer.encoder.config.hidden_size
        return FrozenEncoder(digest=hashed.hexdigest(), width=width)

    def encode(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Encoded:
        """The vector of each pair. Its 16-bit numbers are passed on as integers, which is what `Ragged` holds."""
        texts = {_key(*pair): pair for pair in zip(premises, hypotheses, strict=True)}
        settings = [self.encoder.digest, self.config.longest, self.config.half]
        name = hashlib.sha256(msgspec.json.encode(settings)).hexdigest()[:32]
        with AnswerCache(cache_folder(LAYOUT) / f"{name}.sqlite") as cache:
            vectors = cache.get(list(texts))
            missing = sorted(texts.keys() - vectors.keys(), key=lambda key: (sum(map(len, texts[key])), key))
            for start in range(0, len(missing), AT_ONCE):
                keys = missing[start : start + AT_ONCE]
                new = self._vectors([texts[key] for key in keys])
                rows = [(key, vector.tobytes()) for key, vector in zip(keys, new, strict=True)]
                cache.put(rows)
                vectors.update(rows)
        found = [numpy.frombuffer(vectors[_key(*pair)], numpy.int16) for pair in zip(premises, hypotheses, strict=True)]
        return Encoded(Ragged.of(vector[None].astype(numpy.int32) for vector in found), Ragged.of([0] for _ in found))

    @torch.inference_mode()
    def _vectors(self, pairs: Sequence[tuple[str, str]]) -> NDArray[numpy.float16]:
        """(pairs, width): the first token's vectors in the last layer."""
        if self._loaded_encoder != self.encoder:
            raise BadInputError(
                "the weights of this checkpoint are not those that the classifier was trained on",
                where=self.config.checkpoint,
                hint="Put the old checkpoint back, or train the classifier again.",
            )
        transformer = self._transformer
        encoded = transformer.encode([premise for premise, _ in pairs], [hypothesis for _, hypothesis in pairs])
        pieces, mask, sides = transformer.batch(encoded, numpy.arange(len(pairs)))
        more = {"token_type_ids": sides} if transformer.tells_sides else {}
        with torch.autocast("cpu", torch.bfloat16, enabled=self.config.half):
            states = transformer.encoder.base_model(input_ids=pieces, attention_mask=mask.long(), **more)
        first: NDArray[numpy.float16] = states.last_hidden_state[:, 0].to(torch.float16).numpy()
        return first

    def batch(self, encoded: Encoded, rows: NDArray[numpy.int64]) -> Batch:
        values = encoded.premise.pad_rows(rows).values[:, 0].astype(numpy.int16)  # (batch, width)
        return (torch.from_numpy(values.view(numpy.float16).astype(numpy.float32)),)

    def forward(self, vectors: Tensor) -> Tensor:
        scores: Tensor = self.classifier(vectors)  # (batch, labels)
        return scores

    def save_parts(self, folder: Path) -> None:
        (folder / ENCODER).write_bytes(to_json(self.encoder))

    @classmethod
    def from_parts(cls, folder: Path, config: Any, labels: tuple[Label, ...]) -> "FrozenTransformer":
        return cls(config, labels, saved=from_json(folder / ENCODER, FrozenEncoder, newest=1))


def _key(premise: str, hypothesis: str) -> bytes:
    return hashlib.sha256(msgspec.json.encode((premise, hypothesis))).digest()
