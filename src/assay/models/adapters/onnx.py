"""onnx:FOLDER, an ONNX model with its tokenizer, or an exported system over words; no PyTorch is needed."""

import os
from collections.abc import Collection, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.case import Answer, Case, Prediction
from assay.core.errors import BadInputError, UserError
from assay.core.label import Label
from assay.core.protocols import Ready, Texts
from assay.models.adapters.answer_parsing import answers_by_position, checked_rows, named_labels, softmax
from assay.models.adapters.label_order import AnswersTexts, Declared, output_names, parse_labels
from assay.models.adapters.pair_classifier import (
    INPUTS,
    ClassifierNetwork,
    ClassifierOptions,
    PairClassifier,
    digest_of,
    longest_input,
    own_length,
    read_json,
)
from assay.models.adapters.pair_tokens import PairTokens, batches, refuse_text_growth
from assay.models.systems.system_card import CARD, read_card
from assay.models.systems.vocabulary import Padded, Ragged
from assay.models.systems.word_readers import READERS
from assay.models.systems.word_table import WORDS, WordVectors
from assay.storage.remote import local


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

WORDS_BUDGET = 2_048
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
        rows = checked_rows(scores, asked=len(scores), outputs=len(self.labels))
        return answers_by_position(softmax(rows), self.labels)


class ExportedPairSystem(AnswersTexts):
    identity: str = ""
    budget: int = WORDS_BUDGET

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

    budget: int = WORDS_BUDGET

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


PLACES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
"""Places of the model in an export; the first one found is used."""

NEEDED = {"config.json": "it names the model's outputs", "tokenizer.json": "it holds the model's tokenizer"}
"""Files that must be next to the model."""

WAY_OUT = (
    "Copy {} there from the model that was exported, or export it again: assay export hf:MODEL --to onnx --out FOLDER"
)

BUDGET = 512  # maximum number of tokens in a batch: what fits into a processor's cache


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
        config = read_json(folder / "config.json", dict)
        graph = Graph(folder / file, threads=self.threads)
        if strange := set(graph.inputs) - {*INPUTS}:
            raise UserError(
                f"onnx:{self.what} needs the inputs {', '.join(sorted(strange))}: it is not a model for pairs of texts."
            )
        names = output_names(config)
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

        config = read_json(folder / "config.json", dict)
        own = read_json(folder / "tokenizer_config.json", dict).get("model_max_length")
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
