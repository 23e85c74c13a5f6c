"""onnx:FOLDER, an ONNX model with its tokenizer, run by onnxruntime; no PyTorch is needed."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from assay.core.errors import BadInputError, UserError
from assay.core.label import Label
from assay.models.adapters.answer_parsing import named_labels
from assay.models.adapters.label_order import Declared, parse_labels
from assay.models.adapters.onnx_runtime import ExportedPairSystem, Graph, WordTexts, open_words
from assay.models.adapters.pair_classifier import (
    INPUTS,
    ClassifierNetwork,
    ClassifierOptions,
    PairClassifier,
    digest_of,
    longest_input,
    own_length,
)
from assay.models.adapters.pair_tokens import PairTokens, refuse_text_growth
from assay.models.systems.system_card import CARD, read_card
from assay.models.systems.word_table import WORDS
from assay.storage.remote import local

PLACES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
"""Places of the model in an export; the first one found is used."""

NEEDED = {"config.json": "it names the model's outputs", "tokenizer.json": "it holds the model's tokenizer"}
"""Files that must be next to the model."""

WAY_OUT = (
    "Copy {} there from the model that was exported, or export it again: assay export hf:MODEL --to onnx --out FOLDER"
)

BUDGET = 512
"""Maximum number of tokens in a batch: what fits into a processor's cache."""


class Onnx(ClassifierOptions, frozen=True, kw_only=True):
    """A folder with an ONNX model of any precision, its tokenizer.json and its config.json."""

    file: str = ""
    """The model's file in the folder, if there are several."""
    threads: int = 0
    """Number of threads; 0 for one per core."""

    def open(self) -> PairClassifier | ExportedPairSystem | WordTexts:
        """Find it; it is loaded when it is first used."""
        folder = local(self.what).expanduser()
        if not folder.is_dir():
            raise UserError(
                f"onnx:{self.what} is not a folder.\n  `assay export MODEL --to onnx --out FOLDER` makes one."
            )
        if (folder / WORDS).is_file():  # a system over words, whose only option is the number of threads
            if given := [name for name in ("file", "labels", "template", "length") if getattr(self, name)]:
                raise UserError(f"onnx:{self.what} is a system over words, which has no option {given[0]}.")
            return open_words(folder, threads=self.threads)
        file = self.file_in(folder)
        for needed, why in NEEDED.items():
            if not (folder / needed).is_file():
                raise BadInputError(f"missing: {why}", where=str(folder / needed), hint=WAY_OUT.format(needed))
        # A system of ours knows its labels from training; what others say is checked against their answers.
        explicit = parse_labels(self.labels) or (read_card(folder).labels if (folder / CARD).is_file() else None)
        identity = digest_of(folder, [file, *NEEDED], ("onnx", explicit, self.template, self.length, *self._threshold))
        load = partial(self._network, folder, file, explicit)
        return PairClassifier(f"onnx:{self.what}", identity, load, template=self.template)

    def _network(self, folder: Path, file: str, explicit: tuple[Label, ...] | None) -> ClassifierNetwork:
        config = self._json(folder / "config.json")
        graph = Graph(folder / file, threads=self.threads)
        if strange := set(graph.inputs) - {*INPUTS}:
            raise UserError(
                f"onnx:{self.what} needs the inputs {', '.join(sorted(strange))}: it is not a model for pairs of texts."
            )
        names = [name for _, name in sorted(config.get("id2label", {}).items(), key=lambda item: int(item[0]))]
        return ClassifierNetwork(
            tokens=self.tokens(folder, self.length),
            forward=lambda tables: graph(**tables),
            declared=Declared(
                explicit,
                names,
                graph.outputs if isinstance(graph.outputs, int) else len(names),
                threshold=self.threshold,
                meant=named_labels(self.names),
            ),
            budget=BUDGET,
        )

    def tokens(self, folder: Path, length: int | None) -> PairTokens:
        import tokenizers

        config = self._json(folder / "config.json")
        own = self._json(folder / "tokenizer_config.json").get("model_max_length")
        refuse_text_growth(folder / "tokenizer.json")
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # the library has no error class for this
            raise BadInputError(f"not a tokenizer: {error}", where=str(folder / "tokenizer.json")) from error
        longest, padding = longest_input(config, length, own_length(own)), int(config.get("pad_token_id") or 0)
        return PairTokens(tokenizer, longest=longest, padding=padding)

    def file_in(self, folder: Path) -> str:
        for place in [self.file] if self.file else PLACES:
            if (folder / place).is_file():
                return place
        there = ", ".join(path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.onnx"))) or "none"
        raise UserError(f"onnx:{self.what} has no {self.file or PLACES[0]}; its .onnx files: {there}.")

    def _json(self, path: Path) -> dict[str, Any]:
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError) as error:
            raise BadInputError(f"not JSON: {error}", where=str(path)) from error
        return found if isinstance(found, dict) else {}
