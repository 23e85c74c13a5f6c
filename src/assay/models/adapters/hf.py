"""hf:NAME, a transformers classifier or a cross-encoder of sentence-transformers, from the hub or a folder."""

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import MissingExtraError, ModelError, UserError
from assay.models.adapters.classifier import INPUTS, Network, PairClassifier, digest_of, longest_input, own_length
from assay.models.adapters.tokens import PairTokens
from assay.models.label_order import Declared, parse_labels

WEIGHTS = ("*.safetensors", "*.bin")
"""Files that hold weights, the better kind first."""

TEXT = ("*.json", "*.txt", "*.model")
"""Files that say what the weights are."""

BUDGETS = {"cpu": 512, "cuda": 65_536}
"""Tokens in a batch, by the kind of device: what fits into a processor's cache, or fills a GPU."""


class Loaded(NamedTuple):
    """A model as transformers has it."""

    folder: Path
    """Where its files are."""
    tokenizer: Any
    """How it reads."""
    model: Any
    """The network."""


class HuggingFace(msgspec.Struct, frozen=True, kw_only=True):
    """A classifier of transformers or a cross-encoder of sentence-transformers, from the hub or a folder."""

    what: str
    """The name on the hub, or a folder."""
    labels: str = ""
    """What each output means, in order; needed where the model does not say, or says what it does not do."""
    template: str = ""
    """Where given, each hypothesis stands in it at `{}`, as zero-shot classifiers ask."""
    length: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Tokens of a pair at the most, where that is less than the model takes."""
    revision: str = ""
    """The version on the hub: a branch, a tag or a commit."""
    device: str = ""
    """Where it runs, such as `cpu` or `cuda:1`; a GPU if there is one."""

    def open(self) -> PairClassifier:
        """Load it."""
        try:
            import torch
            import transformers  # noqa: F401
        except ImportError as error:
            raise MissingExtraError("hf", needed_for=f"The model hf:{self.what}") from error
        explicit = parse_labels(self.labels)
        with quietly():
            folder, tokenizer, model = self.load()
        device = torch.device(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        model.to(device)
        config: dict[str, Any] = model.config.to_dict()
        names = [str(model.config.id2label[index]) for index in range(model.config.num_labels)]
        takes = set(tokenizer.model_input_names) & {*INPUTS}

        def forward(tables: Mapping[str, NDArray[np.int64]]) -> NDArray[Any]:
            with torch.inference_mode():
                inputs = {name: torch.from_numpy(table).to(device) for name, table in tables.items() if name in takes}
                scores: NDArray[Any] = model(**inputs).logits.float().cpu().numpy()  # (pairs, outputs)
                return scores

        network = Network(
            name=f"hf:{self.what}",
            identity=digest_of(folder, _files(folder), ("hf", explicit, self.template, self.length)),
            tokens=PairTokens(
                tokenizer.backend_tokenizer,
                longest=longest_input(config, self.length, own_length(tokenizer.model_max_length)),
                padding=tokenizer.pad_token_id or 0,
            ),
            forward=forward,
            declared=Declared(explicit, names, len(names)),
            budget=BUDGETS.get(device.type, BUDGETS["cuda"]),
        )
        return PairClassifier(network, template=self.template)

    def _folder(self) -> Path:
        """The model's folder, brought from the hub if it is not one here."""
        folder = Path(self.what).expanduser()
        if folder.is_dir():
            if not (folder / "config.json").is_file():
                raise UserError(f"hf:{self.what} is a folder without config.json: no model of transformers.")
            return folder
        from huggingface_hub import snapshot_download

        try:
            with quietly():
                for weights in WEIGHTS:
                    found = Path(
                        snapshot_download(self.what, revision=self.revision or None, allow_patterns=[*TEXT, weights])
                    )
                    if any(found.glob(weights)):
                        break
        except Exception as error:  # wrong names, missing rights, no network: each a different library's error
            raise UserError(
                f"hf:{self.what} is no folder here, and can't be had from the hub: {first_line(error)}\n"
                "  Check the name. Without a network, download it elsewhere "
                f"(`hf download {self.what}`) and give its folder: --model hf:FOLDER."
            ) from error
        return found

    def load(self, *, attention: str | None = None) -> Loaded:
        """Tokenizer and network, as transformers has them."""
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        folder = self._folder()
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder)
            model, report = AutoModelForSequenceClassification.from_pretrained(
                folder, dtype="float32", output_loading_info=True, attn_implementation=attention
            )
        except Exception as error:  # a damaged file can fail in any way
            raise UserError(f"hf:{self.what} can't be loaded from {folder}: {first_line(error)}") from error
        if missing := sorted(report["missing_keys"]):
            raise ModelError(
                f"hf:{self.what} is no classifier: its files lack {', '.join(missing[:3])}.\n"
                "  Give a model that was trained for natural-language inference."
            )
        if not getattr(tokenizer, "is_fast", False):
            raise UserError(f"hf:{self.what} has no fast tokenizer (tokenizer.json), which this needs.")
        return Loaded(folder, tokenizer, model.eval())


def _files(folder: Path) -> list[str]:
    """All files that decide what the model answers."""
    weights = next((found for kind in WEIGHTS if (found := sorted(folder.glob(kind)))), [])
    chosen = [*weights, *(path for path in map(folder.joinpath, ("config.json", "tokenizer.json")) if path.is_file())]
    return [path.name for path in chosen]


@contextmanager
def quietly() -> Iterator[None]:
    """Without the libraries' own bars and warnings: what matters is told as an error."""
    from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars
    from transformers.utils import logging as theirs

    level, shown = theirs.get_verbosity(), not are_progress_bars_disabled()
    bars = theirs.is_progress_bar_enabled()
    theirs.set_verbosity(logging.CRITICAL)
    theirs.disable_progress_bar()
    disable_progress_bars()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        theirs.set_verbosity(level)
        if bars:
            theirs.enable_progress_bar()
        if shown:
            enable_progress_bars()


def first_line(error: Exception) -> str:
    """What an error says in short."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
