"""Systems over words with PyTorch and without: `python benchmarks/inference.py [FOLDER...] [--pairs N]`.

Each FOLDER is one that `assay train` made; without any, systems of the `laptop` preset have weights by chance. Copies
that `assay export --to onnx` writes answer the same pairs of the bundled corpus. Ratios are of processor time with one
thread, the best of three rounds.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy
import torch

from assay.core import registry
from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit
from assay.core.label import THREE_WAY
from assay.core.protocols import Model
from assay.corpora.reader import CorpusReader, read
from assay.export.export_model import Precision, export_model
from assay.language.text.tokens import folded_tokens
from assay.models.adapters.onnx import Onnx
from assay.models.adapters.trained import Trained
from assay.models.systems.system import save_system
from assay.training.presets import choose, presets
from assay.training.system_builder import build_system
from assay.training.training_corpus import TrainingVectors

ROUNDS = 3
PRECISIONS: tuple[Precision, ...] = ("fp32", "int8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--pairs", type=int, default=750)
    given = parser.parse_args()
    torch.set_num_threads(1)
    recipe = Recipe(transform="original/v1", seed=0)
    pairs = read("bundled", limit=given.pairs)
    cases = [case_from(pair, Edit(), family="original", recipe=recipe) for pair in pairs]
    with tempfile.TemporaryDirectory() as untrained:
        for folder in given.folders or made_by_chance(Path(untrained), cases):
            compare(folder, pairs, cases)


def compare(folder: Path, pairs: CorpusReader, cases: Sequence[Case]) -> None:
    plain = seconds(Trained(what=str(folder)).open(), cases)
    print(f"{folder.name}: {len(cases) / plain:,.0f} pairs a second with PyTorch")
    for precision in PRECISIONS:
        with tempfile.TemporaryDirectory() as made:
            found = export_model(f"trained:{folder}", f"{made}/copy", precision=precision, source=pairs)
            ratio = plain / seconds(Onnx(what=f"{made}/copy", threads=1).open(), cases)
        print(f"  onnx {precision}: {ratio:.2f} times as fast, {found.pairs - found.same} labels differ")


def made_by_chance(folder: Path, cases: Sequence[Case]) -> Iterator[Path]:
    """Systems as large as trained ones."""
    words = sorted({token for case in cases for token in folded_tokens(case.premise)})
    vectors = TrainingVectors(words, numpy.random.default_rng(0).normal(size=(len(words), 100)).astype(numpy.float32))
    for name in ("cbow", "infersent", "decomposable-attention", "esim"):
        kind = registry.systems.get(name)
        chosen = choose(presets(name).laptop, kind.Config, {})
        system = build_system(kind, chosen, texts=(), vectors=lambda: vectors, labels=THREE_WAY, seed=0)
        save_system(system, registry.systems.resolve(name), folder / name)
        yield folder / name


def seconds(model: Model, cases: Sequence[Case]) -> float:
    """Processor time, the best of some rounds."""
    model.predict(cases[:8])
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        model.predict(cases)
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
