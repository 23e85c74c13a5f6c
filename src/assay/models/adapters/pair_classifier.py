"""Shared parts of adapters for pair classifiers: tokens in, outputs by position, labels by name out."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.case import Answer
from assay.core.errors import BadInputError, UserError
from assay.core.protocols import Ready, Texts
from assay.models.adapters.answer_parsing import Threshold, checked_rows, sigmoid, softmax, written_names
from assay.models.adapters.label_order import AnswersTexts, Declared, Positional
from assay.models.adapters.pair_tokens import PairTokens, PromptTokens, batches
from assay.storage.files import digest, known_digests, refuse_changed

Forward = Callable[[Mapping[str, NDArray[np.int64]]], NDArray[Any]]
"""Tables of tokens in, one row of scores per pair out."""

T = TypeVar("T", bound=dict[str, Any] | list[Any])

INPUTS = ("input_ids", "attention_mask", "token_type_ids")  # tables that a network may use
SHOWN = "{}"  # field of a template for the hypothesis


class ClassifierOptions(msgspec.Struct, frozen=True, kw_only=True):
    what: str
    """A folder, or a name on the hub if the adapter takes one."""
    labels: str = ""
    """Meaning of each output, in order, or `support` for a single one; needed if the model's own names are wrong."""
    threshold: Threshold | None = None
    """The support score from which the answer of a model with one output, or two, is entailment; 0.5 unless given."""
    template: str = ""
    """If given, each hypothesis is put in place of its `{}`, as zero-shot classifiers need."""
    length: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Maximum number of tokens in a pair, if you want fewer than the model takes."""
    names: str = ""
    """Meaning of the model's names for its outputs, if they are neither ours nor the corpus's."""

    def with_names(self, names: Mapping[str, str]) -> Self:
        """The same model, whose outputs may have the label names of a corpus."""
        return self if self.names else msgspec.structs.replace(self, names=written_names(names))

    @property
    def _threshold(self) -> tuple[float, ...]:
        """The part of the identity for the threshold; empty without one, so that earlier answers stay valid."""
        return () if self.threshold is None else (self.threshold,)


class ClassifierNetwork(NamedTuple):
    tokens: PairTokens | PromptTokens
    forward: Forward
    declared: Declared
    budget: int  # maximum number of tokens in a batch


class PairClassifier(AnswersTexts):
    """A network that reads both texts together and gives one score per output; it is loaded when it is first used."""

    identity: str = ""

    def __init__(self, name: str, identity: str, load: Callable[[], ClassifierNetwork], *, template: str = "") -> None:
        if template and template.count(SHOWN) != 1:
            raise UserError(f"template={template}: mark the place of the hypothesis with one {SHOWN}.")
        self.name = name
        self.template = template
        self.identity = identity
        self._load = load

    @cached_property
    def network(self) -> ClassifierNetwork:
        return self._load()

    @property
    def budget(self) -> int:
        return self.network.budget

    @cached_property
    def order(self) -> Positional:
        """The meaning of the outputs, after a comparison with the model's answers."""
        return Positional.settle(self.name, self.network.declared, self.probabilities)

    @property
    def notes(self) -> tuple[str, ...]:
        return (self.order.note,) if self.order.note else ()

    @property
    def longest(self) -> int:
        return self.network.tokens.longest

    def count_tokens(self, pairs: Sequence[Texts]) -> list[int]:
        """Number of tokens of each pair before truncation."""
        return self.network.tokens.count(self._apply_template(pairs))

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        return self.network.tokens.ready(self._apply_template(pairs))

    def _apply_template(self, pairs: Sequence[Texts]) -> Sequence[Texts]:
        if not self.template:
            return pairs
        return [Texts(pair.premise, self.template.replace(SHOWN, pair.hypothesis)) for pair in pairs]

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:
        order = self.order
        return [
            answer if not each.truncated else msgspec.structs.replace(answer, truncated=True)
            for each, answer in zip(batch, order.answers(self._judge(batch, width)), strict=True)
        ]

    def probabilities(self, pairs: Sequence[Texts]) -> NDArray[np.float64]:
        """One row of probabilities per pair, by position; without the template, which does not affect their order."""
        ready = self.network.tokens.ready(pairs)
        rows = np.zeros((len(pairs), self.network.declared.outputs))
        for batch in batches([each.size for each in ready], self.budget):
            rows[batch.rows] = self._judge([ready[row] for row in batch.rows], batch.width)
        return rows

    def _judge(self, batch: Sequence[Ready], width: int) -> NDArray[np.float64]:
        scores = self.network.forward(self.network.tokens.arrays(batch, width))
        rows = checked_rows(scores, asked=len(batch), outputs=self.network.declared.outputs)
        return softmax(rows) if rows.shape[1] > 1 else sigmoid(rows)


def digest_of(folder: Path, files: Sequence[str], settings: object) -> str:
    """A digest of the content of files and of settings; a file that was changed since it was made is refused."""
    hashed = hashlib.sha256(repr(settings).encode())
    known = known_digests(folder)
    for name in sorted(files):
        found = digest(folder / name)
        refuse_changed(folder / name, found, known.get(name))
        hashed.update(f"{name} {found}\n".encode())
    return hashed.hexdigest()


def read_json(path: Path, kind: type[T]) -> T:
    """The content of a file beside a model; empty if there is none, or if it is of another kind."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return kind()
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"not JSON: {error}", where=str(path)) from error
    return found if isinstance(found, kind) else kind()


def longest_input(config: Mapping[str, Any], said: int | None, own: int | None) -> int:
    """The maximum number of tokens, limited by the model's positions, its tokenizer and the user."""
    limits = [value for value in (said, own) if value]
    if positions := config.get("max_position_embeddings"):
        # Models like RoBERTa count positions from after that of the padding token.
        offset = int(config.get("pad_token_id") or 0) + 1 if "roberta" in str(config.get("model_type")) else 0
        limits.append(int(positions) - offset)
    return min(limits, default=512)


def tokens_for(tokenizer: Any, config: Mapping[str, Any], said: int | None) -> PairTokens:
    """A tokenizer of transformers, with the length limit of its model and the user."""
    longest = longest_input(config, said, own_length(tokenizer.model_max_length))
    return PairTokens(tokenizer.backend_tokenizer, longest=longest, padding=tokenizer.pad_token_id or 0)


def own_length(said: Any) -> int | None:
    """The longest input according to the tokenizer; some tokenizers give a huge number that means no limit."""
    return said if isinstance(said, int) and said < 1_000_000 else None
