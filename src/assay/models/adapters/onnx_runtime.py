"""Networks run by onnxruntime without its telemetry, and exported systems over words, whose vectors are in files."""

import os
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.case import Answer, Case, Prediction
from assay.core.errors import BadInputError
from assay.core.label import Label
from assay.core.protocols import Ready, Texts
from assay.models.adapters.answer_parsing import answers_by_position, checked_rows, softmax
from assay.models.adapters.label_order import AnswersTexts
from assay.models.adapters.pair_classifier import digest_of
from assay.models.adapters.pair_tokens import batches
from assay.models.systems.system_card import CARD, read_card
from assay.models.systems.vocabulary import Padded, Ragged
from assay.models.systems.word_readers import READERS
from assay.models.systems.word_table import WordVectors


def onnxruntime() -> Any:
    """The package.

    Unless this is set before it is loaded, it reports to its vendor and leaves an identifier in the user's cache.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime as package

    return package


def quantization() -> Any:
    """The part of the package that stores weights in eight bits."""
    onnxruntime()
    from onnxruntime import quantization as part

    return part


class Graph:
    """Takes arrays by input name, and returns one output; the file is loaded when it is first needed."""

    def __init__(self, file: Path, *, threads: int = 0, output: str = "", content: bytes = b"") -> None:
        self.file = file
        self.threads = threads
        self.output = output
        """The output to return; the first if it is empty."""
        self.content = content
        """Content to load instead of the file, such as the same graph with one more output."""

    def __call__(self, **arrays: NDArray[Any]) -> NDArray[Any]:
        """Run the model on the arrays that it accepts as inputs."""
        wanted = [self.output] if self.output else None
        return np.asarray(self._session.run(wanted, {name: arrays[name] for name in self.inputs})[0])

    @cached_property
    def inputs(self) -> list[str]:
        return [each.name for each in self._session.get_inputs()]

    @property
    def outputs(self) -> int | str:
        """Number of values in a row, or a name if the file does not say."""
        return self._session.get_outputs()[0].shape[-1]

    @property
    def of_tokens(self) -> str:
        """The output with a vector for each token, (rows, tokens, dimensions); empty if there is none."""
        return next((each.name for each in self._session.get_outputs() if len(each.shape) == 3), "")

    @cached_property
    def _session(self) -> Any:
        runtime = onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other work needs the cores too
        try:
            return runtime.InferenceSession(self.content or self.file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library raises many kinds of error for damaged files
            raise BadInputError(f"not a model that onnxruntime can run: {error}", where=str(self.file)) from error


MODEL, ENCODE, JUDGE = "model.onnx", "encode.onnx", "judge.onnx"
"""A network for pairs, or one for texts and one for two vectors."""

BUDGET = 2_048
"""Maximum number of words in a batch, counted on the longer side: what fits into a processor's cache."""


def open_words(folder: Path, *, threads: int) -> "ExportedPairSystem | WordTexts":
    reading = WordInput(folder)
    if (folder / ENCODE).is_file():
        identity = digest_of(folder, [CARD, *reading.vectors.files, ENCODE, JUDGE], reading.settings)
        encoder, judge = Graph(folder / ENCODE, threads=threads), Graph(folder / JUDGE, threads=threads)
        return WordTexts(reading, encoder, judge, identity)
    identity = digest_of(folder, [CARD, *reading.vectors.files, MODEL], reading.settings)
    return ExportedPairSystem(reading, Graph(folder / MODEL, threads=threads), identity)


class WordInput:
    """Reading of texts, and output names, of an exported system."""

    def __init__(self, folder: Path) -> None:
        card = read_card(folder)
        self.vectors = WordVectors(folder)
        kind = READERS[self.vectors.reader]
        shared = {name: card.config[name] for name in kind.Config.__struct_fields__ if name in card.config}
        try:
            config = msgspec.convert(shared, kind.Config)
        except msgspec.ValidationError as error:
            raise BadInputError(f"damaged: {error}", where=str(folder / CARD)) from error
        self.reader = kind(self.vectors.vocabulary, config)
        self.labels: tuple[Label, ...] = card.labels
        self.system: str = card.system

    @property
    def settings(self) -> object:
        """The settings that affect answers, apart from the files."""
        return ("onnx words", self.reader.edition) if self.reader.edition else "onnx words"

    def of_texts(self, texts: Padded, side: str = "") -> dict[str, NDArray[Any]]:
        """Inputs of a network by name, with vectors in place of numbers."""
        numbers, *more = self.reader.of_text(texts)
        return dict(zip(self.reader.names(side), (self.vectors(numbers), *more), strict=True))

    def of_pairs(self, premises: Padded, hypotheses: Padded, *, wanted: Collection[str]) -> dict[str, NDArray[Any]]:
        """The same for pairs, without a side that the network does not read."""
        found = dict(zip(self.reader.pair_axes, self.reader.of_pair(premises, hypotheses), strict=True))
        for side, texts in (("premise", premises), ("hypothesis", hypotheses)):
            found |= self.of_texts(texts, side) if side in wanted else {}
        return found

    def answers(self, scores: NDArray[np.float32]) -> list[Answer]:
        """Answers by label, from one row of scores each."""
        rows = checked_rows(scores, asked=len(scores), outputs=len(self.labels))
        return answers_by_position(softmax(rows), self.labels)


class ExportedPairSystem(AnswersTexts):
    """A system that reads both texts together."""

    identity: str = ""
    budget: int = BUDGET

    def __init__(self, reading: WordInput, network: Graph, identity: str) -> None:
        self.reading = reading
        self.network = network
        self.identity = identity

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        read = self.reading.reader.read
        found = zip(read([pair.premise for pair in pairs]), read([pair.hypothesis for pair in pairs]), strict=True)
        return [Ready(sides, max(1, *map(len, sides))) for sides in found]

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:  # noqa: ARG002 - masks make the width irrelevant
        premises, hypotheses = (
            Ragged.of(each.content[side] for each in batch).pad_rows(range(len(batch))) for side in (0, 1)
        )
        arrays = self.reading.of_pairs(premises, hypotheses, wanted=self.network.inputs)
        return self.reading.answers(self.network(**arrays))


class WordTexts:
    """A sentence encoder: each text is encoded separately, then two vectors are compared."""

    budget: int = BUDGET

    def __init__(self, reading: WordInput, encoder: Graph, judge: Graph, identity: str) -> None:
        self.reading = reading
        self.encoder = encoder
        self.comparison = judge
        self.identity = identity

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        found = self.reading.reader.read(texts)
        return [Ready(each, max(1, len(each))) for each in found]

    def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[np.float32]:  # noqa: ARG002 - masks make the width irrelevant
        """(texts, dimensions): one vector per text."""
        texts = Ragged.of(each.content for each in batch).pad_rows(range(len(batch)))
        return self.encoder(**self.reading.of_texts(texts))

    def judge(self, premises: NDArray[np.float32], hypotheses: NDArray[np.float32]) -> list[Answer]:
        return self.reading.answers(self.comparison(premise=premises, hypothesis=hypotheses))

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case, in order; each distinct text is encoded once."""
        if not cases:
            return []
        texts = list(dict.fromkeys(text for case in cases for text in (case.premise, case.hypothesis)))
        ready, found = self.ready_texts(texts), {}
        for batch in batches([each.size for each in ready], self.budget):
            vectors = self.encode([ready[row] for row in batch.rows], width=batch.width)
            found.update({texts[row]: vector for row, vector in zip(batch.rows, vectors, strict=True)})
        sides = ([case.premise for case in cases], [case.hypothesis for case in cases])
        answers = self.judge(*(np.stack([found[text] for text in side]) for side in sides))
        return [answer.to(case.id) for case, answer in zip(cases, answers, strict=True)]
