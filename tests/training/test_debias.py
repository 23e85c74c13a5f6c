"""The losses of debiasing, against formulas written out in numpy."""

from pathlib import Path
from typing import Any

import numpy
import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from tests.models.small_systems import OVER_WORDS, make, sentences  # noqa: E402

from assay.core.errors import UserError  # noqa: E402
from assay.core.label import THREE_WAY  # noqa: E402
from assay.models.systems.system import System  # noqa: E402
from assay.training.bias_model import weigh_by_bias  # noqa: E402
from assay.training.debias_losses import (  # noqa: E402  # noqa: E402  # noqa: E402
    ConfidenceRegularisation,
    DebiasedFocal,
    Distillation,
    Focal,
    LearnedMixin,
    ProductOfExperts,
    Reweight,
    last_layer,
    mixed_loss,
    objective_for,
    smooth_probabilities,
)
from assay.training.events import Event, Stepped  # noqa: E402
from assay.training.hyperparameters import Debias, Hyperparameters, Method  # noqa: E402
from assay.training.loop import (  # noqa: E402
    LabelledPairs,
    Objective,
    TrainingExtras,
    right_answers,
    train,
)

RNG = numpy.random.default_rng(5)
SCORES = RNG.normal(size=(6, 3))
GOLD = numpy.array([0, 1, 2, 0, 1, 2])
RIGHT = numpy.eye(3, dtype=bool)[GOLD]
BIAS = RNG.dirichlet(numpy.ones(3), size=6)
TEACHER = RNG.dirichlet(numpy.ones(3), size=6)
ROWS = numpy.arange(6)
EVEN = numpy.full((6, 3), 1 / 3)
CERTAIN = RIGHT.astype(float)


def softmax(scores: Any) -> Any:
    powers = numpy.exp(scores)
    return powers / powers.sum(1, keepdims=True)


def of_gold(shares: Any) -> Any:
    return shares[ROWS, GOLD]


def loss(objective: Objective, right: Any = RIGHT) -> float:
    return float(objective(torch.tensor(SCORES), torch.tensor(right), ROWS))


def gradient(objective: Objective) -> Any:
    scores = torch.tensor(SCORES, requires_grad=True)
    objective(scores, torch.tensor(RIGHT), ROWS).backward()
    assert scores.grad is not None
    return scores.grad.numpy()


ORDINARY = -numpy.log(of_gold(softmax(SCORES)))


def test_ordinary_training_is_cross_entropy() -> None:
    assert loss(Objective()) == pytest.approx(ORDINARY.mean())
    assert gradient(Objective()) == pytest.approx((softmax(SCORES) - RIGHT) / 6)


def test_reweighting_counts_what_the_bias_gets_wrong() -> None:
    weights = 1 - of_gold(BIAS)
    assert loss(Reweight(BIAS)) == pytest.approx((weights * ORDINARY).sum() / weights.sum(), abs=1e-6)
    expected = weights[:, None] * (softmax(SCORES) - RIGHT) / weights.sum()
    assert gradient(Reweight(BIAS)) == pytest.approx(expected, abs=1e-6)


def test_a_product_of_experts_multiplies_probabilities() -> None:
    together = softmax(SCORES) * BIAS
    together /= together.sum(1, keepdims=True)
    assert loss(ProductOfExperts(BIAS)) == pytest.approx(-numpy.log(of_gold(together)).mean(), abs=1e-6)
    assert gradient(ProductOfExperts(BIAS)) == pytest.approx((together - RIGHT) / 6, abs=1e-6)


def test_two_right_answers_are_one_to_a_product_of_experts() -> None:
    right = numpy.array([[False, True, True]] * 6)
    together = softmax(SCORES) * BIAS
    together /= together.sum(1, keepdims=True)
    expected = -numpy.log(together[:, 1:].sum(1)).mean()
    assert loss(ProductOfExperts(BIAS), right) == pytest.approx(expected, abs=1e-6)


def test_a_mixin_trusts_the_bias_as_far_as_it_learned_and_adds_the_entropy() -> None:
    trust = numpy.linspace(0.2, 2, 6)[:, None]
    powers = softmax(trust * numpy.log(BIAS))
    together = softmax(numpy.log(softmax(SCORES)) + trust * numpy.log(BIAS))
    spread = -(powers * numpy.log(powers)).sum(1)
    expected = (-numpy.log(of_gold(together)) + 0.3 * spread).mean()
    trusted = torch.tensor(trust * numpy.log(BIAS))
    assert float(mixed_loss(torch.tensor(SCORES), torch.tensor(RIGHT), trusted, entropy=0.3)) == pytest.approx(expected)


def test_a_teacher_is_learned_from_as_much_as_the_gold_label() -> None:
    expected = -((RIGHT + TEACHER) / 2 * numpy.log(softmax(SCORES))).sum(1).mean()
    assert loss(Distillation(TEACHER)) == pytest.approx(expected, abs=1e-6)


def test_a_smoothed_teacher_is_learned_from() -> None:
    powers = TEACHER ** (1 - of_gold(BIAS))[:, None]
    aim = powers / powers.sum(1, keepdims=True)
    expected = -(aim * numpy.log(softmax(SCORES))).sum(1).mean()
    assert loss(ConfidenceRegularisation(BIAS, TEACHER)) == pytest.approx(expected, abs=1e-6)
    assert gradient(ConfidenceRegularisation(BIAS, TEACHER)) == pytest.approx((softmax(SCORES) - aim) / 6, abs=1e-6)


def test_the_focal_loss_counts_what_is_hard() -> None:
    own = (1 - of_gold(softmax(SCORES))) ** 2
    assert loss(Focal(gamma=2.0)) == pytest.approx((own * ORDINARY).mean())
    biased = (1 - of_gold(BIAS)) ** 1.5
    assert loss(DebiasedFocal(BIAS, gamma=1.5)) == pytest.approx((biased * ORDINARY).mean(), abs=1e-6)
    assert loss(Focal(gamma=0.0)) == pytest.approx(loss(Objective()))


@pytest.mark.parametrize("method", ["reweight", "poe", "focal"])
def test_a_bias_that_knows_nothing_leaves_ordinary_training(method: Method) -> None:
    objective = objective_for(method, Debias(), make("cbow"), bias=EVEN, teacher=None)
    factor = (2 / 3) ** 2 if method == "focal" else 1.0  # the same for all pairs
    assert gradient(objective) == pytest.approx(factor * gradient(Objective()), abs=1e-6)


@pytest.mark.parametrize("method", ["reweight", "poe", "focal"])
def test_a_bias_that_knows_everything_leaves_nothing_to_learn(method: Method) -> None:
    objective = objective_for(method, Debias(), make("cbow"), bias=CERTAIN, teacher=None)
    assert numpy.abs(gradient(objective)).max() < 1e-5
    assert numpy.isfinite(loss(objective))


def test_drawing_favours_what_the_bias_is_certain_and_wrong_about() -> None:
    right = numpy.eye(3, dtype=bool)[[0, 1, 1, 2]]
    bias = numpy.array([[0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.3, 0.4, 0.3], [0.3, 0.3, 0.4]])
    shares = weigh_by_bias(bias, right, numpy.full(4, 0.5), focus=0.8)
    assert shares.sum() == pytest.approx(2.0)
    assert shares.argmax() == 1
    assert shares.min() >= 0.1  # a fifth of the epoch is drawn as before


@pytest.mark.parametrize("bias", [EVEN, CERTAIN])
def test_a_bias_that_knows_nothing_or_all_changes_no_draw(bias: Any) -> None:
    assert weigh_by_bias(bias, RIGHT, numpy.full(6, 0.2), focus=0.5) == pytest.approx(numpy.full(6, 0.2))


def test_a_teacher_is_followed_where_the_bias_is_wrong_and_doubted_where_it_is_right() -> None:
    teacher = torch.tensor(TEACHER)
    assert smooth_probabilities(teacher, torch.zeros(6)).numpy() == pytest.approx(TEACHER)
    assert smooth_probabilities(teacher, torch.ones(6)).numpy() == pytest.approx(EVEN)


def test_a_bias_that_is_certainly_wrong_keeps_the_loss_finite() -> None:
    wrong = numpy.roll(CERTAIN, 1, axis=1)
    for objective in (Reweight(wrong), ProductOfExperts(wrong), DebiasedFocal(wrong, gamma=2.0)):
        assert numpy.isfinite(loss(objective))
        assert numpy.isfinite(gradient(objective)).all()


def pairs(system: System, count: int = 48) -> LabelledPairs:
    golds = [THREE_WAY[number] for number in numpy.random.default_rng(4).integers(0, 3, count)]
    encoded = system.encode(sentences(count, seed=11), sentences(count, seed=12))
    return LabelledPairs(encoded, right_answers(golds, system.labels))


@pytest.mark.parametrize("name", OVER_WORDS)
def test_a_mixin_finds_the_last_layer_of_every_system(name: str) -> None:
    system = make(name)
    data = pairs(system, 6)
    mixin = LearnedMixin(system, numpy.full((6, 3), 1 / 3), entropy=0.1)
    system.train()
    scores = system(*system.batch(data.pairs, ROWS))
    mixin(scores, torch.from_numpy(data.right), ROWS).backward()
    assert mixin.trust.weight.grad is not None
    assert last_layer(system).weight.grad is not None
    assert mixin.trust.in_features == last_layer(system).in_features


def test_a_system_without_a_scoring_layer_has_another_way() -> None:
    class Bare(System):
        labels = THREE_WAY

    with pytest.raises(UserError, match="Use --debias poe"):
        last_layer(Bare())


class KilledError(Exception):
    pass


@pytest.mark.parametrize("method", ["poe", "mixin"])
def test_a_killed_training_ends_in_the_same_weights(method: Method, tmp_path: Path) -> None:
    bias = numpy.random.default_rng(0).dirichlet(numpy.ones(3), size=48)

    def learned(folder: Path, **how: Any) -> Any:
        system = make("bilstm")
        data = pairs(system)
        objective = objective_for(method, Debias(), system, bias=bias, teacher=None)
        plan = Hyperparameters(epochs=4, batch=16, rate=0.02)
        train(system, data, data, plan, seed=1, folder=folder, extras=TrainingExtras(objective=objective, **how))
        return system.state_dict()

    def die(event: Event) -> None:
        if isinstance(event, Stepped) and event.step == 7:
            raise KilledError

    whole = learned(tmp_path / "whole")
    with pytest.raises(KilledError):
        learned(tmp_path / "broken", watch=die, tell_every=1, save_every=0.0)
    again = learned(tmp_path / "broken")
    assert all(torch.equal(whole[key], again[key]) for key in whole)
