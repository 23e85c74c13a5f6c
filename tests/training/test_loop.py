"""The training loop: it learns, and a run that was stopped ends where an undisturbed one does."""

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest

from assay.core.label import THREE_WAY

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from tests.models.small_systems import OVER_WORDS, make, sentences  # noqa: E402

from assay.core.label import Label  # noqa: E402
from assay.models.systems.system import System  # noqa: E402
from assay.training.events import DevelopmentChecked, Event, Stepped  # noqa: E402
from assay.training.hyperparameters import Hyperparameters  # noqa: E402
from assay.training.loop import (  # noqa: E402
    LabelledPairs,
    TrainingExtras,
    accuracy_of,
    cross_entropy,
    right_answers,
    train,
)
from assay.training.schedule import ScheduleState  # noqa: E402
from assay.training.training_state import Snapshot, TrainingState, TrainingStore  # noqa: E402


def labelled(system: System, count: int = 64) -> LabelledPairs:
    premises, hypotheses = sentences(count, seed=11), sentences(count, seed=12)
    golds = [THREE_WAY[number % 3] for number in numpy.random.default_rng(4).integers(0, 3, count)]
    return LabelledPairs(system.encode(premises, hypotheses), right_answers(golds, system.labels))


QUICK = ("cbow", "decomposable-attention")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in QUICK else pytest.mark.slow)
        for name in OVER_WORDS
        if name != "hypothesis-only"
    ],
)
def test_it_learns_64_pairs_by_heart(name: str, tmp_path: Path) -> None:
    system = make(name, hidden=32, classifier=32, nonlinear=True)
    data = labelled(system)
    outcome = train(
        system, data, data, Hyperparameters(epochs=60, batch=16, rate=0.01, clip_norm=5.0), seed=0, folder=tmp_path
    )
    assert outcome.best == 1.0
    assert accuracy_of(system, data) == 1.0


def test_16_bits_change_the_weights_and_still_learn(tmp_path: Path) -> None:
    weights = []
    for bf16 in (False, True):
        system = make("decomposable-attention", hidden=32, classifier=32)
        data = labelled(system)
        plan = Hyperparameters(epochs=40, batch=16, rate=0.01, bf16=bf16)
        assert train(system, data, data, plan, seed=0, folder=tmp_path / str(bf16)).best > 0.9
        weights.append(torch.cat([weight.flatten() for weight in system.parameters()]))
    assert not torch.equal(*weights)


class KilledError(Exception):
    pass


PLANS: dict[str, Hyperparameters] = {
    plan.optimiser: plan
    for plan in (
        Hyperparameters(epochs=4, batch=8, rate=0.01, schedule="halve", patience=9),
        Hyperparameters(
            epochs=4, batch=8, rate=0.01, optimiser="adamw", schedule="linear", warm_up=0.2, decay=0.01, check_every=3
        ),
        Hyperparameters(epochs=4, batch=8, rate=0.1, optimiser="sgd", schedule="infersent", clip_value=1.0),
        Hyperparameters(epochs=4, batch=8, rate=0.05, optimiser="adagrad"),
        Hyperparameters(epochs=4, batch=8, rate=0.01, optimiser="rmsprop", schedule="steps", epsilon=1e-6),
    )
}


def fresh() -> System:
    return make("cbow", dropout=0.3)


def trained(plan: Hyperparameters, folder: Path, **extras: Any) -> dict[str, Any]:
    """The weights after training, or after the rest of a training that was killed in this folder."""
    system = fresh()
    train(system, labelled(system), labelled(system), plan, seed=5, folder=folder, extras=TrainingExtras(**extras))
    return system.state_dict()


@pytest.mark.parametrize(
    ("optimiser", "dies_at"),
    [("adam", 8), ("adamw", 3), ("adamw", 8), ("adamw", 19), ("sgd", 19), ("adagrad", 3), ("rmsprop", 8)],
)
def test_a_killed_run_ends_in_the_same_weights(optimiser: str, dies_at: int, tmp_path: Path) -> None:
    def die(event: Event) -> None:
        if isinstance(event, Stepped) and event.step == dies_at:
            raise KilledError

    plan = PLANS[optimiser]
    wanted = trained(plan, tmp_path / "whole")
    with pytest.raises(KilledError):
        trained(plan, tmp_path / "broken", watch=die, tell_every=1, save_every=0.0)
    found = trained(plan, tmp_path / "broken")
    assert all(torch.equal(wanted[key], found[key]) for key in wanted)


class Killed(NamedTuple):
    """A training that was killed in its third epoch, and the weights that it would have ended with."""

    plan: Hyperparameters
    folder: Path
    wanted: dict[str, Any]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    def die(event: Event) -> None:
        if isinstance(event, DevelopmentChecked) and event.epoch == 3:
            raise KilledError

    plan, folder = Hyperparameters(epochs=4, batch=32, rate=0.01), tmp_path_factory.mktemp("killed")
    with pytest.raises(KilledError):
        trained(plan, folder / "broken", watch=die)
    return Killed(plan, folder / "broken", trained(plan, folder / "whole"))


@pytest.mark.parametrize("file", ["state.json", "weights.safetensors", "best.safetensors", "optimiser.safetensors"])
@pytest.mark.parametrize("damage", ["emptied", "changed", "gone"])
def test_a_damaged_snapshot_is_not_gone_on_with(tmp_path: Path, killed: Killed, file: str, damage: str) -> None:
    shutil.copytree(killed.folder, tmp_path / "broken")
    victim = tmp_path / "broken" / "snapshot" / file
    data = victim.read_bytes()
    if damage == "gone":
        victim.unlink()
    else:
        victim.write_bytes(b"" if damage == "emptied" else data[:-5] + bytes([data[-5] ^ 64]) + data[-4:])
    found = trained(killed.plan, tmp_path / "broken")
    assert all(torch.equal(killed.wanted[key], found[key]) for key in killed.wanted)


def test_a_changed_counter_of_a_snapshot_is_noticed(tmp_path: Path) -> None:
    store = TrainingStore(tmp_path / "snapshot")
    store.save(Snapshot(TrainingState(progress=ScheduleState(rate=0.1), made=12), {}, {}, {}, torch.zeros(1)))
    path = tmp_path / "snapshot" / "state.json"
    assert store.load()
    path.write_bytes(path.read_bytes().replace(b'"made": 12', b'"made": 13'))
    assert store.load() is None


@pytest.mark.parametrize(("limit", "order"), [("clip_value", float("inf")), ("clip_norm", 2)])
def test_no_step_is_larger_than_clipped_gradients_allow(limit: str, order: float, tmp_path: Path) -> None:
    def step(**limits: float) -> float:
        system = make("cbow")
        before = torch.cat([weight.detach().flatten().clone() for weight in system.parameters()])
        plan = Hyperparameters(epochs=1, batch=64, rate=1.0, optimiser="sgd", **limits)  # type: ignore[arg-type]
        train(system, labelled(system), labelled(system), plan, seed=0, folder=tmp_path / f"{len(limits)}")
        after = torch.cat([weight.detach().flatten() for weight in system.parameters()])
        return float(torch.linalg.vector_norm(after - before, order))

    assert step() > 0.002
    assert 0.0005 < step(**{limit: 0.001}) < 0.00101


def test_the_global_random_numbers_are_left_alone(tmp_path: Path) -> None:
    system = make("cbow", dropout=0.5)
    torch.manual_seed(7)
    before = torch.get_rng_state()
    train(system, labelled(system), labelled(system), Hyperparameters(epochs=1, rate=0.01), seed=0, folder=tmp_path)
    assert torch.equal(before, torch.get_rng_state())
    assert float(torch.tensor(1e-310, dtype=torch.float64) * 1) > 0


def test_without_epochs_a_system_stays_as_it_is_and_is_measured(tmp_path: Path) -> None:
    system = make("cbow")
    data, before = labelled(system), {name: weight.clone() for name, weight in system.state_dict().items()}
    outcome = train(system, data, data, Hyperparameters(epochs=0, rate=0.01), seed=0, folder=tmp_path)
    assert all(torch.equal(weight, before[name]) for name, weight in system.state_dict().items())
    assert outcome.best == accuracy_of(system, data) > 0


def test_a_trial_stops_when_the_time_of_an_epoch_is_known(tmp_path: Path) -> None:
    system, events = make("cbow"), list[Event]()
    data, plan = labelled(system), Hyperparameters(epochs=9, batch=2, rate=0.01)
    extras = TrainingExtras(watch=events.append, trial=True)
    outcome = train(system, data, data, plan, seed=0, folder=tmp_path, extras=extras)
    assert outcome.timing == events[-1]
    assert outcome.timing
    assert (outcome.timing.pairs, outcome.timing.epochs, outcome.epochs) == (len(data.right), 9, 0)
    assert not (tmp_path / "snapshot").exists()


def test_it_stops_when_nothing_is_gained(tmp_path: Path) -> None:
    system = make("cbow")
    data = labelled(system)
    events: list[Any] = []
    plan = Hyperparameters(epochs=50, batch=64, rate=0.0, patience=2)
    outcome = train(system, data, data, plan, seed=0, folder=tmp_path, extras=TrainingExtras(watch=events.append))
    assert outcome.stopped == "no gain"
    assert outcome.epochs == 3
    assert [event.is_best for event in events if isinstance(event, DevelopmentChecked)] == [True, False, False]


def test_each_epoch_may_have_its_own_checks(tmp_path: Path) -> None:
    system = make("cbow")
    data = labelled(system)
    events: list[Any] = []
    plan = Hyperparameters(epochs=3, batch=8, rate=0.01, check_every=(8, 4, 2))
    train(system, data, data, plan, seed=0, folder=tmp_path, extras=TrainingExtras(watch=events.append))
    assert [event.step for event in events if isinstance(event, DevelopmentChecked)] == [8, 12, 16, 18, 20, 22, 24]


def test_loss_takes_all_right_answers_together() -> None:
    scores = torch.tensor([[0.2, 1.0, -1.0]])
    shares = scores.softmax(-1)[0]
    two = cross_entropy(scores, torch.tensor([[False, True, True]]))
    assert float(two) == pytest.approx(-float((shares[1] + shares[2]).log()))
    one = cross_entropy(scores, torch.tensor([[True, False, False]]))
    assert float(one) == pytest.approx(float(torch.nn.functional.cross_entropy(scores, torch.tensor([0]))))


def test_two_way_golds_fit_a_three_way_system() -> None:
    golds = [Label.ENTAILMENT, Label.NON_ENTAILMENT, Label.NEUTRAL]
    assert right_answers(golds, THREE_WAY).tolist() == [[True, False, False], [False, True, True], [False, True, False]]
