"""A system trained on few pairs as a biased model, and answers to suites after each epoch."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy

from assay.core.label import Label
from assay.core.pair import Pair
from assay.models.systems.system import System
from assay.storage.files import write_whole
from assay.storage.folders import scratch
from assay.storage.suite import Suite
from assay.training.bias_statistics import Answer, Ints, Learn, Shares
from assay.training.loop import label_pairs, predict_shares, train
from assay.training.presets import ChosenPreset
from assay.training.system_builder import InitialVectors, build_system


def shallow_learner(
    kind: type[System],
    chosen: ChosenPreset,
    pairs: Sequence[Pair],
    dev: Sequence[Pair],
    *,
    vectors: Callable[[], InitialVectors],
    labels: tuple[Label, ...],
    seed: int,
) -> Learn:
    """Learn from a few of the pairs that may be learned from, drawn by chance, with the system's own plan."""
    assert chosen.debias is not None
    most = chosen.debias.shallow_pairs

    def learn(rows: Ints) -> Answer:
        drawn = numpy.random.default_rng([seed, 2]).permutation(rows)[:most]
        few = [pairs[row] for row in drawn]
        texts = [text for pair in few for text in (pair.premise, pair.hypothesis)]
        system = build_system(kind, chosen, texts=texts, vectors=vectors, labels=labels, seed=seed)
        with scratch() as folder:
            train(system, label_pairs(system, few), label_pairs(system, dev), chosen.plan, seed=seed, folder=folder)

        def answer(asked: Ints) -> Shares:
            encoded = system.encode_pairs([pairs[row] for row in asked])
            return predict_shares(system, encoded).astype(numpy.float64)

        return answer

    return learn


def answers_to(suites: Sequence[Path], system: System, folder: Path) -> Callable[[int], None]:
    """A function for the end of each epoch, which stores answers to the suites."""
    asked = {path.name: list(Suite.open(path)) for path in suites}

    def answer(epoch: int) -> None:
        for name, cases in asked.items():
            encoded = system.encode([case.premise for case in cases], [case.hypothesis for case in cases])
            answers = predict_shares(system, encoded)
            lines = []
            for case, row in zip(cases, answers, strict=True):
                shares = {label.value: round(float(share), 6) for label, share in zip(system.labels, row, strict=True)}
                lines.append({"id": case.id, "label": system.labels[int(row.argmax())], "probabilities": shares})
            data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
            write_whole(folder / "predictions" / name / f"epoch-{epoch}.jsonl", data)

    return answer
