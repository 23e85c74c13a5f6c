"""hf:NAME, a transformers classifier, cross-encoder or generative model, from the hub or a folder."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.core.case import THRESHOLD
from assay.core.errors import MissingExtraError, ModelError, UserError
from assay.core.label import Label
from assay.models.adapters.answer_parsing import named_labels
from assay.models.adapters.hub import NAME, first_line, quietly, refuse_kernels, wants_code, without_bars
from assay.models.adapters.label_order import Declared, parse_labels
from assay.models.adapters.label_words import WORDS, LabelWords, is_generative, parse_words
from assay.models.adapters.pair_classifier import (
    INPUTS,
    ClassifierNetwork,
    ClassifierOptions,
    PairClassifier,
    digest_of,
    longest_input,
    own_length,
    tokens_for,
)
from assay.models.adapters.pair_tokens import PromptTokens, read_prompt, refuse_text_growth
from assay.storage.remote import check_hub_keys, local

WEIGHTS = ("*.safetensors", "*.bin")  # files that hold weights, the preferred kind first
TOKENS = ("tokenizer.json", "vocab.*", "*.model")  # files that hold a tokenizer, the preferred kind first

TEXT = ("*.json", "*.txt", "*.model")

CODE = "*.py"  # files with code that runs only if the user allows it

BUDGETS = {"cpu": 512, "cuda": 65_536}
"""Maximum number of tokens in a batch, by kind of device: what fits into a processor's cache, or fills a GPU."""


class HuggingFace(ClassifierOptions, frozen=True, kw_only=True):
    """A transformers classifier, cross-encoder or generative model, from the hub or a folder."""

    revision: str = ""
    """The version on the hub: a branch, a tag or a commit."""
    device: str = ""
    """Device, such as `cpu` or `cuda:1`; a GPU if there is one."""
    code: Literal["refuse", "trust"] = "refuse"
    """Whether code that comes with the model is refused or run: use `trust` only if you trust its author."""
    prompt: str = ""
    """If the model writes text: a file with the prompt, which contains `{premise}` and `{hypothesis}`."""
    words: str = ""
    """If the model writes text: the words whose probabilities count, as in `yes:entailment,no:non-entailment`."""

    @property
    def _asked(self) -> tuple[str, ...]:
        """The part of the identity for prompt and words; empty if neither is given."""
        return (read_prompt(self.prompt), self.words) if self.prompt or self.words else ()

    def open(self) -> PairClassifier:
        """Find the model. It is loaded when first used, so that PyTorch is not needed if all answers are cached."""
        explicit = parse_labels(self.labels)
        folder = self.folder()
        identity = self.digest(folder, explicit, self.template, *self._threshold, *self._asked)
        load = partial(self._network, folder, explicit)
        return PairClassifier(f"hf:{self.what}", identity, load, template=self.template)

    def digest(self, folder: Path, *settings: object) -> str:
        """A digest of its files and settings; a folder without weights or tokenizer is refused."""
        for kind, kinds in (("weights", WEIGHTS), ("tokenizer", TOKENS)):
            if not _first(folder, kinds):  # transformers would make up a tokenizer
                raise UserError(
                    f"hf:{self.what} has no {kind}: none of {', '.join(kinds)} is in {folder}.\n"
                    "  Add it: call `save_pretrained` on both the model and its tokenizer."
                )
        # All files that affect what the model answers, and code that may run.
        files = [path.name for kinds in (WEIGHTS, ("config.json",), TOKENS) for path in _first(folder, kinds)]
        code = sorted(path.name for path in folder.glob(CODE)) if self.code == "trust" else []
        return digest_of(folder, [*files, *code], ("hf", *settings, self.length))

    def _network(self, folder: Path, explicit: tuple[Label, ...] | None) -> ClassifierNetwork:
        try:
            import torch
            import transformers  # noqa: F401
        except ImportError as error:
            raise self._missing() from error
        with quietly():
            tokenizer, model = self.load(folder)
        device = torch.device(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        model.to(device)
        make = self._writing if is_generative(model.config.to_dict()) else self._classifying
        return make(tokenizer, model, explicit, device)

    def _classifying(
        self, tokenizer: Any, model: Any, explicit: tuple[Label, ...] | None, device: Any
    ) -> ClassifierNetwork:
        """A network with one output per label, or one score."""
        import torch

        names = [str(model.config.id2label[index]) for index in range(model.config.num_labels)]
        takes = set(tokenizer.model_input_names) & {*INPUTS}

        def forward(tables: Mapping[str, NDArray[np.int64]]) -> NDArray[Any]:
            with torch.inference_mode():
                inputs = {name: torch.from_numpy(table).to(device) for name, table in tables.items() if name in takes}
                return model(**inputs).logits.float().cpu().numpy()  # (pairs, outputs)

        return ClassifierNetwork(
            tokens=tokens_for(tokenizer, model.config.to_dict(), self.length),
            forward=forward,
            declared=Declared(explicit, names, len(names), threshold=self.threshold, meant=named_labels(self.names)),
            budget=token_budget(device),
        )

    def _writing(
        self, tokenizer: Any, model: Any, explicit: tuple[Label, ...] | None, device: Any
    ) -> ClassifierNetwork:
        """A model that writes text: the probabilities of its words for labels."""
        if explicit:
            raise UserError(
                f"hf:{self.what} writes text, so it has no outputs to name.\n"
                f"  Leave out the option labels, and say what its words mean: words={WORDS}"
            )
        words = parse_words(self.words or WORDS)
        labels = tuple(words.values())
        scorer = LabelWords(model, tokenizer, words, device=device)
        config = model.config.to_dict()
        config.setdefault("max_position_embeddings", config.get("n_positions"))
        longest = longest_input(config, self.length, own_length(tokenizer.model_max_length))
        score = len(words) == 2
        return ClassifierNetwork(
            tokens=PromptTokens(
                tokenizer.backend_tokenizer,
                read_prompt(self.prompt),
                longest=longest - scorer.longest,
                padding=tokenizer.pad_token_id or 0,
                ending=None if scorer.is_encoder_decoder else tokenizer.eos_token_id,
            ),
            forward=scorer,
            declared=Declared(
                labels if self.words else None,
                labels,
                len(words),
                threshold=THRESHOLD if score and self.threshold is None else self.threshold,
                by_protocol=True,
            ),
            budget=token_budget(device),
        )

    def _missing(self) -> MissingExtraError:
        return MissingExtraError("hf", needed_for=f"The model hf:{self.what}")

    def folder(self) -> Path:
        """The model's folder, downloaded from the hub if it is not a local folder."""
        folder = local(self.what).expanduser()
        if folder.is_dir():
            if not (folder / "config.json").is_file():
                raise UserError(
                    f"hf:{self.what} is a folder without config.json, so not a transformers model.\n"
                    "  Give the folder that `save_pretrained` wrote, or the one that `hf download NAME` prints."
                )
            return folder
        if not NAME.fullmatch(self.what):
            raise UserError(
                f"hf:{self.what} is neither a local folder nor a name on the hub.\n"
                "  Give the folder that holds the model's config.json, or a name such as hf:ORGANISATION/MODEL."
            )
        return self._brought()

    def _brought(self) -> Path:
        """The folder of a model that is downloaded from the hub."""
        try:
            from huggingface_hub import snapshot_download
        except ImportError as error:
            raise self._missing() from error
        check_hub_keys()
        texts = [*TEXT, CODE] if self.code == "trust" else TEXT
        try:
            with without_bars():
                for weights in WEIGHTS:
                    found = Path(
                        snapshot_download(self.what, revision=self.revision or None, allow_patterns=[*texts, weights])
                    )
                    if any(found.glob(weights)):
                        break
        except Exception as error:  # wrong name, no permission, no network: each raises a different library's error
            raise UserError(
                f"hf:{self.what} is not a local folder, and can't be downloaded from the hub: {first_line(error)}\n"
                f"  Check the name. Without a network, download it elsewhere (`hf download {self.what}`) and give its "
                "folder, hf:FOLDER, or use a model that comes with Assay: `assay list models`."
            ) from error
        return found

    def load(self, folder: Path, *, attention: str | None = None, encodes: bool = False) -> tuple[Any, Any]:
        """Tokenizer and network from the model's folder, loaded by transformers; `encodes` leaves out its head."""
        import transformers

        trusted: dict[str, Any] = {"trust_remote_code": self.code == "trust", "local_files_only": True}
        try:
            config = transformers.PretrainedConfig.get_config_dict(folder)[0]
            if self.code == "refuse":
                refuse_kernels(config)
            if encodes:
                kind = transformers.AutoModel
            elif not is_generative(config):
                kind = transformers.AutoModelForSequenceClassification
            elif config.get("is_encoder_decoder"):
                kind = transformers.AutoModelForSeq2SeqLM
            else:
                kind = transformers.AutoModelForCausalLM
            refuse_text_growth(folder / "tokenizer.json")
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **trusted)
            model, report = kind.from_pretrained(
                folder, dtype="float32", output_loading_info=True, attn_implementation=attention, **trusted
            )
        except Exception as error:  # a damaged file can fail in any way
            if wants_code(error):
                raise UserError(
                    f"hf:{self.what} needs code that is not part of transformers, which is not run by default.\n"
                    f"  If you have read the code and trust its author, allow it: hf:{self.what}?code=trust"
                ) from error
            raise UserError(f"hf:{self.what} can't be loaded from {folder}: {first_line(error)}") from error
        absent = sorted(key for key in report["missing_keys"] if not (encodes and "pooler" in key))  # none is used
        missing = ", ".join(absent[:3])
        if missing and encodes:
            raise UserError(f"hf:{self.what} is not an encoder of texts: its files lack {missing}.")
        if missing:
            raise ModelError(
                f"hf:{self.what} is not what its configuration says: its files lack {missing}.\n"
                "  Give a model that was trained for natural-language inference."
            )
        if not getattr(tokenizer, "is_fast", False):
            raise UserError(f"hf:{self.what} has no fast tokenizer (tokenizer.json), which Assay needs.")
        return tokenizer, model.eval()


def token_budget(device: Any) -> int:
    return BUDGETS.get(device.type, BUDGETS["cuda"])


def _first(folder: Path, kinds: Sequence[str]) -> list[Path]:
    """The files of the first kind that exists."""
    return next((found for kind in kinds if (found := sorted(folder.glob(kind)))), [])
