"""The training loop, from top to bottom."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assay.core.label import Label
from assay.core.pair import Pair
from assay.evaluate.accuracy import is_right
from assay.models.systems.system import Encoded, System
from assay.training.data_map import DataMap, data_map
from assay.training.events import DevelopmentChecked, Forecast, Stepped, Timed, Watch
from assay.training.hyperparameters import Hyperparameters
from assay.training.schedule import ScheduleState, after_check, after_epoch, batches, draw_epoch, rate_at
from assay.training.training_state import (
    Snapshot,
    TrainingState,
    TrainingStore,
    Weights,
    optimiser_tensors,
    restore_optimiser,
)

Rows = NDArray[numpy.int64]  # (batch,): the numbers of a batch's pairs among all training pairs


class Objective(nn.Module):
    """Cross-entropy, as in ordinary training. Parameters of an objective are not part of the trained system."""

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:  # noqa: ARG002 - others look up the pairs
        """The loss of a batch; scores and right answers are (batch, labels)."""
        return cross_entropy(scores, right).mean()


def cross_entropy(scores: Tensor, right: Tensor) -> Tensor:
    """(batch,): the loss of each pair; if several answers are right, that of the sum of their probabilities."""
    of_right = scores.masked_fill(~right, -float("inf"))  # (batch, labels)
    return scores.logsumexp(-1) - of_right.logsumexp(-1)


class Dynamics:
    """For each pair and epoch, the probability of the gold label, from the step that learned from the pair.

    It costs no second look at the pairs, and is stored with every snapshot.
    """

    def __init__(self, pairs: int, epochs: int) -> None:
        self.shares = torch.zeros(pairs, epochs)
        self.hits = torch.full((pairs, epochs), -1, dtype=torch.int8)

    def note(self, epoch: int, rows: Rows, scores: Tensor, right: Tensor) -> None:
        found = scores.detach()
        self.shares[rows, epoch] = (-cross_entropy(found, right)).exp()
        self.hits[rows, epoch] = right.gather(1, found.argmax(-1, keepdim=True))[:, 0].to(torch.int8)

    def tensors(self) -> dict[str, Tensor]:
        return {"shares": self.shares, "hits": self.hits}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Restore stored tensors, if training began with a data map."""
        if tensors:
            self.shares, self.hits = tensors["shares"], tensors["hits"]

    def map(self) -> DataMap:
        return data_map(self.shares.double().numpy(), self.hits.numpy())


class LabelledPairs(NamedTuple):
    """Pairs as numbers, with the right answers."""

    pairs: Encoded
    right: NDArray[numpy.bool_]
    """(pairs, labels): which of the system's labels are right. Non-entailment leaves two of three."""
    shares: NDArray[numpy.float64] | None = None
    """(pairs,): the chance of each to take part in an epoch; None where all do."""


def right_answers(golds: Sequence[Label], labels: tuple[Label, ...]) -> NDArray[numpy.bool_]:
    """(golds, labels): which answers are right.

    >>> right_answers([Label.NON_ENTAILMENT], (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)).tolist()
    [[False, True, True]]
    """
    rows = {gold: [is_right(label, gold) for label in labels] for gold in Label}
    return numpy.array([rows[gold] for gold in golds], dtype=bool).reshape(len(golds), len(labels))


def label_pairs(system: System, pairs: Sequence[Pair]) -> LabelledPairs:
    """Pairs as a system reads them, with the right answers among its labels."""
    return LabelledPairs(system.encode_pairs(pairs), right_answers([pair.label for pair in pairs], system.labels))


class TrainingOutcome(NamedTuple):
    best: float
    epochs: int
    stopped: str  # reason for ending before the last epoch, if any
    timing: Timed | None = None  # the time of an epoch, as soon as it is known


class TrainingExtras(NamedTuple):
    """Additions to the usual loop."""

    watch: Watch = lambda _: None
    tell_every: int = 50
    save_every: float = 120.0  # seconds between two snapshots within an epoch
    after_each_epoch: Callable[[int], None] = lambda _: None
    objective: Objective | None = None  # the loss; by default cross-entropy
    dynamics: Dynamics | None = None  # records the answers to training pairs
    penalty: Callable[[int], Tensor] | None = None  # added to the loss of each step; called with the step's number
    trial: bool = False  # stop as soon as the time of an epoch is known


USUAL = TrainingExtras()


def train(
    system: System,
    data: LabelledPairs,
    dev: LabelledPairs,
    plan: Hyperparameters,
    *,
    seed: int,
    folder: Path,
    extras: TrainingExtras = USUAL,
) -> TrainingOutcome:
    """Train a system in place; a run that was stopped continues from its snapshot in `folder` to the same weights."""
    watch, dynamics, penalty = extras.watch, extras.dynamics, extras.penalty
    objective, timing = extras.objective or Objective(), None
    learned = nn.ModuleDict({"system": system, "objective": objective})
    lengths = data.pairs.lengths
    shares = numpy.ones(len(lengths)) if data.shares is None else data.shares
    right = torch.from_numpy(data.right)
    optimiser = optimiser_for(learned, plan)
    store = TrainingStore(folder / "snapshot")
    state, best = TrainingState(progress=ScheduleState(rate=plan.rate)), _copy(learned)
    forecast: Forecast | None = None
    with _borrowed_globals():
        torch.manual_seed(seed)
        if shot := store.load():
            state, best = shot.state, shot.best
            learned.load_state_dict(shot.weights)
            restore_optimiser(optimiser, shot.optimiser)
            torch.set_rng_state(shot.chance)
            if dynamics:
                dynamics.restore(shot.dynamics)

        def save() -> None:
            noted = dynamics.tensors() if dynamics else {}
            chance = torch.get_rng_state()
            store.save(Snapshot(state, _copy(learned), best, optimiser_tensors(optimiser), chance, noted))

        saved = time.monotonic()
        while state.epoch < plan.epochs and not state.stopped:
            kept = draw_epoch(shares, seed=seed, epoch=state.epoch)
            order = batches(
                lengths[kept],
                size=plan.batch,
                seed=seed,
                epoch=state.epoch,
                buckets=plan.buckets,
                in_file_order=plan.in_file_order,
            )
            steps = len(order) * plan.epochs
            meter, check_every = Meter(), plan.checks_every(state.epoch)
            forecast = forecast or Forecast(lengths[kept], order, epochs=plan.epochs)
            while state.step < len(order) and not state.stopped:
                rows = kept[order[state.step]]
                rate = rate_at(plan, state.progress, step=state.made, steps=steps)
                learned.train()
                with torch.autocast("cpu", torch.bfloat16, enabled=plan.bf16):
                    scores = system(*system.batch(data.pairs, rows))  # (batch, labels)
                scores = scores.float()
                loss = objective(scores, right[rows], rows)
                if dynamics:
                    dynamics.note(state.epoch, rows, scores, right[rows])
                if penalty:
                    loss = loss + penalty(state.made)
                optimiser.zero_grad(set_to_none=True)
                loss.backward()
                if plan.clip_norm is not None:
                    torch.nn.utils.clip_grad_norm_(learned.parameters(), plan.clip_norm)
                if plan.clip_value is not None:
                    torch.nn.utils.clip_grad_value_(learned.parameters(), plan.clip_value)
                for group in optimiser.param_groups:
                    group["lr"] = rate
                optimiser.step()
                state.step += 1
                state.made += 1
                meter.add(loss, scores, right[rows])

                if timed := forecast.after(state.step):
                    timing = timed
                    watch(timed)
                    if extras.trial:
                        return TrainingOutcome(best=0.0, epochs=state.epoch, stopped="trial", timing=timing)
                if state.step % extras.tell_every == 0 or state.step == len(order):
                    watch(meter.event(epoch=state.epoch + 1, step=state.made, steps=steps, rate=rate))
                    meter = Meter()
                if state.step == len(order) or (check_every and state.made % check_every == 0):
                    accuracy = accuracy_of(system, dev)
                    following = after_check(plan, state.progress, accuracy)
                    if following.is_best:
                        best = _copy(learned)
                    if following.go_back:
                        learned.load_state_dict(best)
                    state.stopped = following.stop
                    watch(
                        DevelopmentChecked(
                            epoch=state.epoch + 1,
                            step=state.made,
                            accuracy=accuracy,
                            is_best=following.is_best,
                            stop=following.stop,
                        )
                    )
                if time.monotonic() - saved > extras.save_every:
                    save()
                    saved = time.monotonic()
            state.epoch += 1
            after_epoch(plan, state.progress, epochs=state.epoch)
            state.step = 0
            extras.after_each_epoch(state.epoch)
            save()
            saved = time.monotonic()
    learned.load_state_dict(best)
    system.eval()
    reached = state.progress.best if state.made else accuracy_of(system, dev)  # with no epochs, that of the start
    return TrainingOutcome(best=reached, epochs=state.epoch, stopped=state.stopped, timing=timing)


@contextmanager
def _borrowed_globals() -> Iterator[None]:
    """Restore two global settings afterwards: the random numbers of dropout, and how numbers near zero are handled."""
    torch.set_flush_denormal(True)
    try:
        with torch.random.fork_rng(devices=[]):
            yield
    finally:
        torch.set_flush_denormal(False)


class Meter:
    """Adds up loss and accuracy between two events, without waiting for each step."""

    def __init__(self) -> None:
        self.loss = torch.zeros(())
        self.hits = torch.zeros((), dtype=torch.long)
        self.pairs = 0
        self.started = time.monotonic()

    def add(self, loss: Tensor, scores: Tensor, right: Tensor) -> None:
        self.loss += loss.detach() * len(right)
        self.hits += right.gather(1, scores.detach().argmax(-1, keepdim=True)).sum()
        self.pairs += len(right)

    def event(self, *, epoch: int, step: int, steps: int, rate: float) -> Stepped:
        seconds = max(time.monotonic() - self.started, 1e-9)
        return Stepped(
            epoch=epoch,
            step=step,
            steps=steps,
            pairs=self.pairs,
            loss=float(self.loss) / self.pairs,
            accuracy=int(self.hits) / self.pairs,
            rate=rate,
            pairs_per_second=self.pairs / seconds,
        )


def optimiser_for(learned: nn.Module, plan: Hyperparameters) -> torch.optim.Optimizer:
    named = [(name, weight) for name, weight in learned.named_parameters() if weight.requires_grad]
    groups = [
        {"params": [weight for _, weight in named if weight.dim() > 1], "weight_decay": plan.decay},
        {"params": [weight for _, weight in named if weight.dim() <= 1], "weight_decay": 0.0},
    ]
    kinds: dict[str, type[torch.optim.Optimizer]] = {
        "adam": torch.optim.Adam,
        "adamw": torch.optim.AdamW,
        "adagrad": torch.optim.Adagrad,
        "rmsprop": torch.optim.RMSprop,
        "sgd": torch.optim.SGD,
    }
    # One pass over all weights instead of one per formula: it saves a fifth of a small transformer's time.
    more: dict[str, Any] = {"lr": plan.rate} if plan.optimiser == "rmsprop" else {"lr": plan.rate, "fused": True}
    if plan.epsilon is not None:
        more["eps"] = plan.epsilon
    return kinds[plan.optimiser](groups, **more)


def predict_shares(system: System, pairs: Encoded, *, size: int = 256) -> NDArray[numpy.float32]:
    """(pairs, labels): probabilities, computed in order of length."""
    found = numpy.zeros((len(pairs), len(system.labels)), dtype=numpy.float32)
    order = numpy.lexsort(pairs.lengths.T)
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        found[rows] = system.probabilities(pairs, rows)
    return found


def accuracy_of(system: System, dev: LabelledPairs) -> float:
    answers = predict_shares(system, dev.pairs).argmax(1)
    return float(dev.right[numpy.arange(len(answers)), answers].mean())


def _copy(learned: nn.Module) -> Weights:
    return {name: weight.detach().clone() for name, weight in learned.state_dict().items()}
