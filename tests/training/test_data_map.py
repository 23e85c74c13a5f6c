"""How training pairs are learned, and what is trained on because of it."""

from pathlib import Path
from typing import Any

import numpy
import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from tests.models.small_systems import make, sentences  # noqa: E402

from assay.core.label import THREE_WAY  # noqa: E402
from assay.models.systems.system import System  # noqa: E402
from assay.training.data_map import DataMap, choose_region, data_map  # noqa: E402
from assay.training.events import Event, Stepped  # noqa: E402
from assay.training.hyperparameters import Hyperparameters  # noqa: E402
from assay.training.loop import (  # noqa: E402
    Dynamics,
    LabelledPairs,
    TrainingExtras,
    right_answers,
    train,
)
from assay.training.schedule import draw_epoch  # noqa: E402

EPOCHS = 3


def labelled(system: System, count: int = 48) -> LabelledPairs:
    golds = [THREE_WAY[number] for number in numpy.random.default_rng(4).integers(0, 3, count)]
    encoded = system.encode(sentences(count, seed=11), sentences(count, seed=12))
    return LabelledPairs(encoded, right_answers(golds, system.labels))


class KilledError(Exception):
    pass


def mapped(folder: Path, data: LabelledPairs | None = None, **how: Any) -> DataMap:
    system = make("cbow")
    own = data or labelled(system)
    dynamics = Dynamics(len(own.pairs), EPOCHS)
    plan = Hyperparameters(epochs=EPOCHS, batch=16, rate=0.02)
    train(system, own, labelled(system), plan, seed=1, folder=folder, extras=TrainingExtras(dynamics=dynamics, **how))
    return dynamics.map()


def test_a_pair_that_is_forgotten_was_right_before_or_never() -> None:
    hits = numpy.array([[1, 0, 1], [0, 0, 0], [0, 1, 1], [1, -1, 0], [-1, -1, -1]], dtype=numpy.int8)
    found = data_map(numpy.full((5, 3), 0.5), hits)
    assert found.is_forgotten.tolist() == [True, True, False, True, False]
    assert found.correctness[:4].tolist() == pytest.approx([2 / 3, 0, 2 / 3, 1 / 2])
    assert numpy.isnan(found.confidence[4])
    assert not any(choose_region(found, region, 1.0)[4] for region in ("easy", "ambiguous", "hard"))


def test_each_pair_is_noted_once_in_each_epoch(tmp_path: Path) -> None:
    system = make("cbow")
    dynamics = Dynamics(48, EPOCHS)
    data = labelled(system)
    plan = Hyperparameters(epochs=EPOCHS, batch=16, rate=0.0)  # nothing is learned, so all epochs say the same
    train(system, data, data, plan, seed=1, folder=tmp_path, extras=TrainingExtras(dynamics=dynamics))
    rows = numpy.arange(48)
    shares = system.probabilities(data.pairs, rows)
    expected = (shares * data.right).sum(1)
    assert dynamics.shares.numpy() == pytest.approx(numpy.tile(expected[:, None], EPOCHS), abs=1e-5)
    assert (dynamics.hits.numpy()[:, 0] == data.right[rows, shares.argmax(1)]).all()
    assert dynamics.map().variability == pytest.approx(0, abs=1e-5)


def test_a_killed_training_ends_in_the_same_map(tmp_path: Path) -> None:
    def die(event: Event) -> None:
        if isinstance(event, Stepped) and event.step == 5:
            raise KilledError

    whole = mapped(tmp_path / "whole")
    with pytest.raises(KilledError):
        mapped(tmp_path / "broken", watch=die, tell_every=1, save_every=0.0)
    again = mapped(tmp_path / "broken")
    assert all(numpy.array_equal(one, two) for one, two in zip(whole, again, strict=True))


def test_pairs_that_take_part_more_often_are_drawn_more_often(tmp_path: Path) -> None:
    shares = numpy.array([1.0, 3.0, 0.0, 2.5])
    times = [numpy.bincount(draw_epoch(shares, seed=0, epoch=epoch), minlength=4) for epoch in range(40)]
    assert {tuple(each[:3]) for each in times} == {(1, 3, 0)}
    assert {int(each[3]) for each in times} == {2, 3}
    events: list[Any] = []
    system = make("cbow")
    data = labelled(system)._replace(shares=numpy.full(48, 2.0))
    train(
        system,
        data,
        data,
        Hyperparameters(epochs=1, batch=16, rate=0.01),
        seed=1,
        folder=tmp_path,
        extras=TrainingExtras(watch=events.append),
    )
    assert sum(event.pairs for event in events if isinstance(event, Stepped)) == 96
