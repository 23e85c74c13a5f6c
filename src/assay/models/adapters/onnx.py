"""onnx:FOLDER, an ONNX model with its tokenizer, run by onnxruntime; no PyTorch is needed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import BadInputError, MissingExtraError, UserError
from assay.models.adapters.classifier import Network, PairClassifier, digest_of, longest_input
from assay.models.adapters.tokens import PairTokens
from assay.models.label_order import Declared, parse_labels

PLACES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
"""Where exports put the model, the first found is taken."""

BUDGET = 512
"""Tokens in a batch: what fits into a processor's cache."""


class Onnx(msgspec.Struct, frozen=True, kw_only=True):
    """A folder with an ONNX model, its tokenizer.json and config.json, in whatever precision it was stored."""

    what: str
    """The folder."""
    file: str = ""
    """The model's file in it, where there are several."""
    labels: str = ""
    """What each output means, in order; needed where the model does not say, or says what it does not do."""
    template: str = ""
    """Where given, each hypothesis stands in it at `{}`, as zero-shot classifiers ask."""
    length: int | None = None
    """Tokens of a pair at the most, where that is less than the model takes."""
    threads: int = 0
    """Threads that it may use; as many as there are cores if 0."""

    def open(self) -> PairClassifier:
        """Load it."""
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise MissingExtraError("onnx", needed_for=f"The model onnx:{self.what}") from error
        folder = Path(self.what).expanduser()
        file = self._file(folder)
        config = self._json(folder / "config.json")
        own = self._json(folder / "tokenizer_config.json").get("model_max_length")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        try:
            session = onnxruntime.InferenceSession(folder / file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library has a kind for every state of a damaged file
            raise BadInputError(f"not a model that onnxruntime can run: {error}", where=str(folder / file)) from error
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # the library raises no kind of its own
            raise BadInputError(f"not a tokenizer: {error}", where=str(folder / "tokenizer.json")) from error
        takes = [each.name for each in session.get_inputs()]

        def forward(tables: Mapping[str, NDArray[np.int64]]) -> NDArray[Any]:
            return np.asarray(session.run(None, {name: tables[name] for name in takes})[0])  # (pairs, outputs)

        if strange := set(takes) - {"input_ids", "attention_mask", "token_type_ids"}:
            raise UserError(
                f"onnx:{self.what} wants the inputs {', '.join(sorted(strange))}: no model for pairs of texts."
            )
        outputs = session.get_outputs()[0].shape[-1]
        names = [name for _, name in sorted(config.get("id2label", {}).items(), key=lambda item: int(item[0]))]
        explicit = parse_labels(self.labels)
        network = Network(
            name=f"onnx:{self.what}",
            identity=digest_of(
                folder, [file, "tokenizer.json", "config.json"], ("onnx", explicit, self.template, self.length)
            ),
            tokens=PairTokens(
                tokenizer,
                longest=longest_input(config, self.length, own if isinstance(own, int) and own < 1_000_000 else None),
                padding=int(config.get("pad_token_id") or 0),
            ),
            forward=forward,
            declared=Declared(explicit, names, outputs if isinstance(outputs, int) else len(names)),
            budget=BUDGET,
        )
        return PairClassifier(network, template=self.template)

    def _file(self, folder: Path) -> str:
        if not folder.is_dir():
            raise UserError(f"onnx:{self.what} is no folder.\n  `assay export-model hf:NAME --out FOLDER` makes one.")
        for place in [self.file] if self.file else PLACES:
            if (folder / place).is_file():
                return place
        there = ", ".join(path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.onnx"))) or "none"
        raise UserError(f"onnx:{self.what} has no {self.file or PLACES[0]}; its .onnx files: {there}.")

    def _json(self, path: Path) -> dict[str, Any]:
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            if path.name == "config.json":
                raise BadInputError("missing: it says what the model's outputs are", where=str(path)) from None
            return {}
        except ValueError as error:
            raise BadInputError(f"not JSON: {error}", where=str(path)) from error
        return found if isinstance(found, dict) else {}
