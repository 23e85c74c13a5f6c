"""A transformer that reads both texts at once (Devlin et al. 2019): any checkpoint from a hub or a local folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assay.core.errors import MissingExtraError, UserError
from assay.core.label import THREE_WAY, Label
from assay.models.adapters.hub import (
    first_line,
    quietly,
    refuse_kernels,
    refuse_nowhere,
    wants_code,
)
from assay.models.adapters.label_order import output_names, read_names
from assay.models.adapters.pair_tokens import refuse_text_growth
from assay.models.systems.system import Batch, Encoded, System
from assay.models.systems.system_card import Config
from assay.models.systems.vocabulary import Ragged
from assay.storage.remote import check_hub_keys


class TransformerConfig(Config, frozen=True, kw_only=True):
    checkpoint: str = "google-bert/bert-base-uncased"
    """A name on the hub, or a local folder."""
    longest: int = 128
    """The most word pieces of both texts together in training, markers included; the longer text is cut first. A
    checkpoint with fewer positions cuts earlier."""
    dropout: float = 0.1
    """Dropout on the vector that is classified."""


class Transformer(System):
    """An encoder with a classifier on its first vector."""

    Config = TransformerConfig
    config: TransformerConfig

    def __init__(
        self, config: TransformerConfig, labels: tuple[Label, ...] = THREE_WAY, *, saved: Path | None = None
    ) -> None:
        """Load the checkpoint's weights, or only its shape from a saved folder, to be filled with saved weights."""
        super().__init__()
        transformers = _transformers()
        self.config = config
        self.labels = labels
        if not saved:
            refuse_nowhere(config.checkpoint)
        source = str(saved or config.checkpoint)
        kind = transformers.AutoModelForSequenceClassification
        local = Path(source).is_dir()
        if not local:
            check_hub_keys()
        safe: dict[str, Any] = {"trust_remote_code": False, "local_files_only": local}
        try:
            with quietly():
                stored = transformers.PretrainedConfig.get_config_dict(source, local_files_only=local)[0]
                refuse_kernels(stored)
                shape = transformers.AutoConfig.from_pretrained(
                    source,
                    id2label={number: label.value for number, label in enumerate(labels)},
                    label2id={label.value: number for number, label in enumerate(labels)},
                    classifier_dropout=config.dropout,
                    **safe,
                )
                refuse_text_growth(Path(source) / "tokenizer.json")
                self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(source, **safe)
                # A checkpoint with a classifier for other labels keeps everything but the classifier.
                self.encoder: Any = (
                    kind.from_config(shape, trust_remote_code=False)
                    if saved
                    else kind.from_pretrained(source, config=shape, ignore_mismatched_sizes=True, **safe)
                )
        except Exception as error:  # wrong names, no network, damaged files: each raises a different library's error
            if wants_code(error):
                raise UserError(
                    f"The checkpoint {source} needs code that is not part of transformers, which Assay does not run.\n"
                    "  Use a checkpoint of a type that transformers supports: --set checkpoint=FOLDER."
                ) from error
            raise UserError(
                f"The checkpoint {source} can't be loaded: {first_line(error)}\n"
                "  Give a name on the hub or a folder: --set checkpoint=FOLDER."
            ) from error
        if not saved:
            put_in_order(self.encoder, read_names(output_names(stored)), labels)

    @property
    def tells_sides(self) -> bool:
        """True if the checkpoint takes token type ids, which tell the two texts apart."""
        known = "token_type_ids" in self.tokenizer.model_input_names
        return known and getattr(self.encoder.config, "type_vocab_size", 0) > 1

    @property
    def _positions(self) -> int:
        """The most word pieces that the checkpoint has positions for."""
        return getattr(self.encoder.config, "max_position_embeddings", None) or self.config.longest

    def encode(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Encoded:
        """Joined word pieces, and which text each belongs to."""
        if not premises:
            return Encoded(Ragged.of([]), Ragged.of([]))
        found = self.tokenizer(
            list(premises),
            list(hypotheses),
            truncation="longest_first",
            max_length=min(self.config.longest, self.tokenizer.model_max_length, self._positions),
            return_token_type_ids=True,
            return_attention_mask=False,
        )
        return Encoded(Ragged.of(found["input_ids"]), Ragged.of(found["token_type_ids"]))

    def batch(self, encoded: Encoded, rows: NDArray[numpy.int64]) -> Batch:
        pieces, sides = encoded.premise.pad_rows(rows), encoded.hypothesis.pad_rows(rows)
        return tuple(map(torch.from_numpy, (pieces.values, pieces.mask, sides.values)))

    def forward(self, pieces: Tensor, mask: Tensor, sides: Tensor) -> Tensor:
        more = {"token_type_ids": sides} if self.tells_sides else {}
        found = self.encoder(input_ids=pieces, attention_mask=mask.long(), **more)  # (batch, pieces) each
        return found.logits  # (batch, labels)

    def save_parts(self, folder: Path) -> None:
        self.encoder.config.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    @classmethod
    def from_parts(cls, folder: Path, config: Any, labels: tuple[Label, ...]) -> "Transformer":
        return cls(config, labels, saved=folder)


def put_in_order(classifier: nn.Module, theirs: Sequence[Label] | None, ours: Sequence[Label]) -> None:
    """Put the named outputs of a ready classifier into our order: else training would begin with wrong labels."""
    if theirs is None or set(theirs) != set(ours):
        return
    rows = [theirs.index(label) for label in ours]
    scoring = [each for each in classifier.modules() if isinstance(each, nn.Linear) and each.out_features == len(ours)]
    with torch.no_grad():
        for weight in scoring[-1].parameters():  # matrix and bias
            weight.copy_(weight[rows].clone())


def _transformers() -> Any:
    try:
        import transformers
    except ImportError as error:
        raise MissingExtraError("hf", needed_for="transformers") from error
    return transformers
