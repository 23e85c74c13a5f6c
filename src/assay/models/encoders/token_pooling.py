"""One vector per text: the interface, and pooling the vectors of tokens."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, get_args, runtime_checkable

import numpy
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import BadInputError, UserError
from assay.core.protocols import Ready
from assay.models.adapters.pair_tokens import PairTokens


@runtime_checkable
class TextEncoder(Protocol):
    """The part of a `SentenceModel` that comes before its comparison; see there."""

    @property
    def identity(self) -> str:
        """A digest of everything that decides its vectors; empty if unknown."""

    @property
    def budget(self) -> int:
        """The largest batch: its number of texts times the size of the largest."""

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Prepare texts to be encoded."""

    def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[numpy.float32]:
        """One vector per text, in order."""


Pooling = Literal["mean", "cls", "max"]
"""Pooling of token vectors: their mean, the first one, or the largest value of each dimension."""

POOLINGS: tuple[Pooling, ...] = get_args(Pooling)

MODULES = "modules.json"
"""File that lists the modules of a sentence-transformers folder."""

KNOWN = {"Transformer", "Pooling", "Normalize"}
"""The modules that are understood."""

MODES: Mapping[str, Pooling] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
}

Floats = NDArray[np.float32]
Forward = Callable[[Mapping[str, NDArray[np.int64]]], Floats]
"""Tables of tokens in, one vector per token out: (texts, width, dimensions)."""


class Pooled(NamedTuple):
    """Pooling of a text's vector."""

    pooling: Pooling
    normalise: bool = False
    """True if it is scaled to length 1."""
    longest: int | None = None
    """The most tokens, if the folder says."""
    said: bool = False
    """True if the folder says so; False for the default."""

    def __call__(self, vectors: Floats, mask: NDArray[np.int64]) -> Floats:
        """(texts, dimensions), from (texts, width, dimensions) and (texts, width)."""
        there = mask[:, :, None].astype(np.float32)
        if self.pooling == "cls":
            found = vectors[:, 0]
        elif self.pooling == "max":
            found = np.where(there > 0, vectors, -np.inf).max(1)
        else:
            found = (vectors * there).sum(1) / np.maximum(there.sum(1), 1)
        if self.normalise:
            found = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
        return found.astype(np.float32)


def read_pooling(name: str, folder: Path, wanted: Pooling | None) -> Pooled:
    """Pooling of a folder, by default the mean; an explicit request has priority."""
    modules = _json(folder / MODULES)
    if not modules:
        return Pooled(wanted or "mean")
    kinds = {str(each["type"]).rpartition(".")[2]: folder / each["path"] for each in modules}
    if strange := kinds.keys() - KNOWN:
        raise UserError(
            f"{name} has a module {', '.join(sorted(strange))}, which is not known here; "
            f"known are {', '.join(sorted(KNOWN))}."
        )
    said = _json(kinds["Pooling"] / "config.json") if "Pooling" in kinds else {}
    modes = [mode for key, mode in MODES.items() if said.get(key)]
    others = [key for key, on in said.items() if key.startswith("pooling_mode_") and on is True and key not in MODES]
    if said.get("pooling_mode") in POOLINGS:  # how newer versions say it
        modes = [said["pooling_mode"]]
    if not wanted and (len(modes) > 1 or others or (said and not modes)):
        raise UserError(
            f"{name} pools in a way that is not known here ({folder / MODULES}).\n"
            f"  Choose one: --set pooling={'|'.join(POOLINGS)}."
        )
    longest = _json(folder / "sentence_bert_config.json").get("max_seq_length")
    mode = wanted or (modes[0] if modes else "mean")
    return Pooled(mode, "Normalize" in kinds, longest, said=wanted is None and bool(modes))


class EncoderNetwork(NamedTuple):
    """A loaded network."""

    tokens: PairTokens
    forward: Forward
    """The network that gives vectors of tokens."""
    budget: int
    """The most tokens in a batch."""


class PooledTexts:
    """A transformer as an encoder of single texts; it is loaded when it is first asked."""

    def __init__(self, identity: str, how: Pooled, load: Callable[[], EncoderNetwork]) -> None:
        self.identity = hashlib.sha256(f"{identity} {tuple(how)}".encode()).hexdigest()
        self.how = how
        self._load = load

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about pooling."""
        names = {"mean": "the mean of its tokens' vectors", "cls": "that of its first token", "max": "their maximum"}
        scaled = ", scaled to length 1" if self.how.normalise else ""
        whose = ", as its folder says" if self.how.said else ""
        return (f"a text's vector is {names[self.how.pooling]}{scaled}{whose}",)

    @cached_property
    def network(self) -> EncoderNetwork:
        """The network, loaded on first use."""
        return self._load()

    @property
    def budget(self) -> int:
        """The most tokens in a batch."""
        return self.network.budget

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Tokenise; a text that is too long loses its end."""
        return self.network.tokens.ready_texts(texts)

    def encode(self, batch: Sequence[Ready], *, width: int) -> Floats:
        """(texts, dimensions)."""
        tables = self.network.tokens.arrays(batch, width)
        return self.how(self.network.forward(tables), tables["attention_mask"])


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"not JSON: {error}", where=str(path)) from error
