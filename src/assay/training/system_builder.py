"""A system before training: its words, its vectors, its initial weights, and the memory that training takes."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor

from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.evaluate.case_columns import Ints
from assay.models.systems.system import Encoded, System, WordSystem
from assay.models.systems.system_card import WordConfig
from assay.models.systems.vocabulary import SPECIAL, Vocabulary, vocabulary_of
from assay.storage.files import write_whole
from assay.storage.folders import scratch
from assay.storage.suite import Suite
from assay.training.bias_model import Answer, Learn, Shares
from assay.training.hyperparameters import Hyperparameters
from assay.training.loop import label_pairs, predict_shares, train
from assay.training.presets import ChosenPreset
from assay.training.schedule import batches
from assay.training.training_corpus import TrainingVectors

BYTES = 4

STATES = {"adam": 2, "adamw": 2, "adagrad": 1, "rmsprop": 1, "sgd": 0}
"""Numbers that an optimiser keeps for each parameter."""

LIMITS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
"""Files with the memory limit of a container and its use."""


class Size(NamedTuple):
    """The numbers of a system's parameters."""

    trained: int
    held: int = 0  # the weights that stay fixed, such as given vectors

    def bytes_for(self, plan: Hyperparameters) -> int:
        """Bytes for weights and gradients, the optimiser's state, the best weights, and a copy of all for a snapshot.

        >>> Size(1_000).bytes_for(Hyperparameters(epochs=1, rate=1.0, optimiser="adam"))
        32000
        """
        copies = 2 + STATES[plan.optimiser]
        return BYTES * (self.trained * (2 * copies) + self.held)


def size_of(system: System) -> Size:
    trained = sum(each.numel() for each in system.parameters() if each.requires_grad)
    return Size(trained, sum(each.numel() for each in (*system.parameters(), *system.buffers())) - trained)


def size_before(
    kind: type[WordSystem], chosen: ChosenPreset, vocabulary: Vocabulary, *, width: int, labels: tuple[Label, ...]
) -> Size:
    """The numbers of a system over words, without making it: its layers are laid out where nothing is allocated."""
    empty = Vocabulary((), (), vocabulary.lowercase)
    with torch.device("meta"):
        layers = kind(chosen.config, empty, numpy.zeros((0, width), dtype=numpy.float32), labels)
    trained = sum(each.numel() for name, each in layers.named_parameters() if not name.startswith("embedding."))
    learned, ready = width * (SPECIAL + len(vocabulary.learned)), width * (1 + len(vocabulary.ready))
    is_tuned = layers.embedding.tuned
    return Size(trained + learned + (ready if is_tuned else 0), 0 if is_tuned else ready)


def foresee_memory(size: Size, plan: Hyperparameters, tell: Callable[[str], None]) -> None:
    """Report the memory that training takes; stop if it exceeds the free memory, if that is known."""
    needed, free = size.bytes_for(plan), free_memory()
    if free is not None and needed > free:
        raise UserError(
            f"This needs about {gigabytes(needed)} of memory, and {gigabytes(free)} are free: "
            f"{size.trained / 1e6:,.1f} million parameters are trained, each with its gradient, the state of "
            f"{plan.optimiser} and copies for the best weights and snapshots.\n"
            "  Use a smaller preset such as --preset laptop, or smaller sizes with --set, or free some memory."
        )
    tell(f"{size.trained:,} parameters are trained, which takes about {gigabytes(needed)} of memory.")


def foresee_batch(
    system: System, pairs: Encoded, plan: Hyperparameters, *, seed: int, tell: Callable[[str], None]
) -> None:
    """Report the memory that the longest batch takes besides the weights, and warn if it exceeds the free memory."""
    rows = longest_batch(pairs.lengths, plan, seed=seed)
    if not len(rows):
        return
    needed, free = batch_memory(system, pairs, rows), free_memory()
    premise, hypothesis = pairs.lengths[rows].max(0)
    tell(
        f"The longest batch has {len(rows)} pairs of up to {premise:,} + {hypothesis:,} words, and takes about "
        f"{gigabytes(needed)} more."
    )
    if free is not None and needed > free:
        tell(
            f"Only {gigabytes(free)} are free, so training may stop in the middle. Use smaller batches, such as "
            f"--set batch={max(1, len(rows) // 4)}, or leave out the longest texts."
        )


def longest_batch(lengths: NDArray[numpy.int64], plan: Hyperparameters, *, seed: int) -> NDArray[numpy.int64]:
    """The pairs of the first epoch's batch with the most words, padding included; `lengths` is (pairs, 2).

    >>> plan = Hyperparameters(epochs=1, rate=1.0, batch=2)
    >>> sorted(longest_batch(numpy.array([[3, 3], [9, 2], [4, 3], [8, 5]]), plan, seed=0).tolist())
    [1, 3]
    """
    order = batches(
        lengths, size=plan.batch, seed=seed, epoch=0, buckets=plan.buckets, in_file_order=plan.in_file_order
    )
    empty = numpy.zeros(0, dtype=numpy.int64)
    return max(order, key=lambda rows: len(rows) * int(lengths[rows].max(0).sum()), default=empty)


def batch_memory(system: System, pairs: Encoded, rows: NDArray[numpy.int64]) -> int:
    """Bytes that a forward pass over a batch keeps for the backward pass, without running all of it.

    Two passes over its longest texts, the second with each of them twice, show what a pair adds. Weights, which are
    kept whatever the batch, cancel out.
    """
    longest = numpy.unique(rows[pairs.lengths[rows].argmax(0)])
    once, twice = (_saved_bytes(system, pairs, each) for each in (longest, numpy.repeat(longest, 2)))
    return (twice - once) * len(rows) // len(longest)


def _saved_bytes(system: System, pairs: Encoded, rows: NDArray[numpy.int64]) -> int:
    found: dict[int, Tensor] = {}

    def keep(tensor: Tensor) -> Tensor:
        found[tensor.untyped_storage().data_ptr()] = tensor  # several may share one storage
        return tensor

    system.train()
    state = {name: buffer.clone() for name, buffer in system.named_buffers()}  # such as running means, which would move
    hooks = torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor)
    with torch.random.fork_rng(devices=[]), hooks:
        torch.func.functional_call(system, state, system.batch(pairs, rows))
    return sum(each.untyped_storage().nbytes() for each in found.values())


def gigabytes(count: int) -> str:
    """Bytes for people.

    >>> gigabytes(4_487_000_000), gigabytes(12_000_000)
    ('4.5 GB', '12 MB')
    """
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.0f} MB"


def free_memory() -> int | None:
    """Bytes that a process may still take; None if the system does not say."""
    found = [each for each in (_available_memory(), *_container_memory()) if each is not None]
    return min(found, default=None)


def _available_memory() -> int | None:
    """Available memory on Linux; elsewhere all of the machine's memory."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        names = getattr(os, "sysconf_names", {})
        known = "SC_PHYS_PAGES" in names and "SC_PAGE_SIZE" in names
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if known else None


def _container_memory() -> Iterable[int]:
    for limit, used in LIMITS:
        try:
            most, now = (int(Path(each).read_text(encoding="ascii")) for each in (limit, used))
        except (OSError, ValueError):  # there is none, or it is "max"
            continue
        yield max(0, most - now)


def build_system(
    kind: type[System],
    chosen: ChosenPreset,
    *,
    texts: Sequence[str],
    vectors: Callable[[], TrainingVectors],
    labels: tuple[Label, ...],
    seed: int,
    foresee: Callable[[Size], None] = lambda _: None,
) -> System:
    """A system with weights initialised from a seed; `vectors` is called only if the system uses word vectors.

    `foresee` is called with the system's size before a system over words is allocated, or else before it is trained.
    """
    with torch.random.fork_rng(devices=[]):
        if not issubclass(kind, WordSystem):
            torch.manual_seed(seed)
            made = kind(chosen.config, labels)
            foresee(size_of(made))
            return made
        assert isinstance(chosen.config, WordConfig)
        found = vectors()
        places = {word: place for place, word in enumerate(found.words)}
        vocabulary = vocabulary_of(
            texts,
            ready=places,
            lowercase=chosen.config.lowercase,
            at_least=chosen.plan.vector_words_at_least,
            keep_unseen=not chosen.config.tuned,
            one_numeral=chosen.config.numerals != "words",
        )
        foresee(size_before(kind, chosen, vocabulary, width=found.values.shape[1], labels=labels))
        values = found.values[[places[word] for word in vocabulary.ready]]
        torch.manual_seed(seed)
        return kind(chosen.config, vocabulary, values, labels)


def shallow_learner(
    kind: type[System],
    chosen: ChosenPreset,
    pairs: Sequence[Pair],
    dev: Sequence[Pair],
    *,
    vectors: Callable[[], TrainingVectors],
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
