"""onnx:FOLDER, an ONNX model with its tokenizer, run by onnxruntime; no PyTorch is needed."""

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.core.label import Label
from assay.models.adapters.classifier import INPUTS, Network, PairClassifier, digest_of, longest_input, own_length
from assay.models.adapters.onnx_graph import Graph
from assay.models.adapters.onnx_words import WordPairs, WordTexts, open_words
from assay.models.answering.label_order import Declared, parse_labels
from assay.models.answering.tokens import PairTokens
from assay.models.systems.card import CARD, read_card
from assay.models.systems.reading.table import WORDS

PLACES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
"""Where exports put the model, the first found is taken."""

NEEDED = {"config.json": "it says what the model's outputs are", "tokenizer.json": "it says how the model reads"}
"""Files that must lie beside the model."""

WAY_OUT = (
    "Copy {} there from the model that was exported, or make the folder anew: assay export-model hf:MODEL --out FOLDER"
)

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
    length: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Tokens of a pair at the most, where that is less than the model takes."""
    threads: int = 0
    """Threads that it may use; as many as there are cores if 0."""

    def open(self) -> PairClassifier | WordPairs | WordTexts:
        """Find it; it is loaded when it is asked."""
        folder = self._folder()
        if (folder / WORDS).is_file():
            return self._words(folder)
        file = self._file(folder)
        for needed, why in NEEDED.items():
            if not (folder / needed).is_file():
                raise BadInputError(f"missing: {why}", where=str(folder / needed), hint=WAY_OUT.format(needed))
        # A system of ours has its labels from its training; others are heard, and then watched.
        explicit = parse_labels(self.labels) or (read_card(folder).labels if (folder / CARD).is_file() else None)
        identity = digest_of(folder, [file, *NEEDED], ("onnx", explicit, self.template, self.length))
        load = partial(self._network, folder, file, explicit)
        return PairClassifier(f"onnx:{self.what}", identity, load, template=self.template)

    def _network(self, folder: Path, file: str, explicit: tuple[Label, ...] | None) -> Network:
        import tokenizers

        config = self._json(folder / "config.json")
        own = self._json(folder / "tokenizer_config.json").get("model_max_length")
        graph = Graph(folder / file, threads=self.threads)
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # the library raises no kind of its own
            raise BadInputError(f"not a tokenizer: {error}", where=str(folder / "tokenizer.json")) from error
        if strange := set(graph.inputs) - {*INPUTS}:
            raise UserError(
                f"onnx:{self.what} wants the inputs {', '.join(sorted(strange))}: no model for pairs of texts."
            )
        names = [name for _, name in sorted(config.get("id2label", {}).items(), key=lambda item: int(item[0]))]
        return Network(
            tokens=PairTokens(
                tokenizer,
                longest=longest_input(config, self.length, own_length(own)),
                padding=int(config.get("pad_token_id") or 0),
            ),
            forward=lambda tables: graph(**tables),
            declared=Declared(explicit, names, graph.outputs if isinstance(graph.outputs, int) else len(names)),
            budget=BUDGET,
        )

    def _folder(self) -> Path:
        folder = Path(self.what).expanduser()
        if not folder.is_dir():
            raise UserError(f"onnx:{self.what} is no folder.\n  `assay export-model MODEL --out FOLDER` makes one.")
        return folder

    def _words(self, folder: Path) -> WordPairs | WordTexts:
        """A system over words, which leaves nothing to say but the threads."""
        given = [name for name in ("file", "labels", "template", "length") if getattr(self, name)]
        if given:
            raise UserError(f"onnx:{self.what} is a system over words, and takes no {given[0]}.")
        return open_words(folder, threads=self.threads)

    def _file(self, folder: Path) -> str:
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
