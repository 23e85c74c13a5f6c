"""Rules between answers to pairs and to their swaps."""

from pathlib import Path
from typing import Any

import numpy
import pytest

from assay.core.label_space import TWO_LABELS

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from tests.models.small_systems import make, sentences  # noqa: E402

from assay.core.errors import UserError  # noqa: E402
from assay.core.label import THREE_WAY, Label  # noqa: E402
from assay.core.pair import Pair  # noqa: E402
from assay.models.systems.system import System  # noqa: E402
from assay.training.debias_losses import WORD, Penalty, flip_word, rule_violation  # noqa: E402
from assay.training.events import Event, Stepped  # noqa: E402
from assay.training.hyperparameters import Hyperparameters, Logic  # noqa: E402
from assay.training.loop import LabelledPairs, TrainingExtras, predict_shares, right_answers, train  # noqa: E402

RULES = Logic.__struct_fields__[:5]


def only(**weights: Any) -> Logic:
    """The rules that are named, and no others."""
    return Logic(**{**dict.fromkeys(RULES, 0.0), **weights})


def shares(*rows: tuple[float, float, float]) -> dict[Label, Any]:
    return dict(zip(THREE_WAY, torch.tensor(rows).unbind(-1), strict=True))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("contradiction_is_symmetric", 0.7 - 0.4),
        ("entailed_is_no_contradiction", 0.7 + 0.5 - 1),
        ("neutral_is_no_contradiction", 0.8 + 0.4 - 1),
        ("entailed_is_neutral", 0.7 - 0.1),
    ],
)
def test_each_rule_sums_what_breaks_it(rule: str, expected: float) -> None:
    there = shares((0.7, 0.2, 0.1), (0.1, 0.2, 0.7), (0.1, 0.8, 0.1))
    back = shares((0.4, 0.1, 0.5), (0.1, 0.5, 0.4), (0.2, 0.4, 0.4))
    assert float(rule_violation(there, back, only(**{rule: 2.0}))) == pytest.approx(2 * expected)


def pairs(count: int = 48) -> list[Pair]:
    texts = zip(sentences(count, seed=11), sentences(count, seed=12), strict=True)
    labels = [THREE_WAY[number % 3] for number in numpy.random.default_rng(4).integers(0, 3, count)]
    return [
        Pair(id=str(number), premise=premise, hypothesis=hypothesis, label=label)
        for number, ((premise, hypothesis), label) in enumerate(zip(texts, labels, strict=True))
    ]


def labelled(system: System) -> LabelledPairs:
    some = pairs()
    encoded = system.encode([pair.premise for pair in some], [pair.hypothesis for pair in some])
    return LabelledPairs(encoded, right_answers([pair.label for pair in some], system.labels))


def learned(folder: Path, logic: Logic | None, **how: Any) -> System:
    system = make("bilstm")
    penalty = Penalty(system, pairs(), logic, seed=1) if logic else None
    plan = Hyperparameters(epochs=6, batch=16, rate=0.02)
    train(
        system,
        labelled(system),
        labelled(system),
        plan,
        seed=1,
        folder=folder,
        extras=TrainingExtras(penalty=penalty, **how),
    )
    return system


def asymmetry(system: System) -> float:
    """How much more contradiction is seen one way than the other."""
    premises, hypotheses = [pair.premise for pair in pairs()], [pair.hypothesis for pair in pairs()]
    there = predict_shares(system, system.encode(premises, hypotheses))
    back = predict_shares(system, system.encode(hypotheses, premises))
    return float(numpy.abs(there[:, 2] - back[:, 2]).mean())


def test_training_with_a_rule_keeps_it_better(tmp_path: Path) -> None:
    without = learned(tmp_path / "without", None)
    ruled = learned(tmp_path / "ruled", only(contradiction_is_symmetric=1.0))
    assert asymmetry(ruled) < asymmetry(without) / 2


def test_every_text_learns_to_entail_itself(tmp_path: Path) -> None:
    def itself(system: System) -> float:
        texts = [pair.premise for pair in pairs()]
        return float(predict_shares(system, system.encode(texts, texts))[:, 0].mean())

    ruled = learned(tmp_path / "ruled", only(text_entails_itself=1.0))
    assert itself(ruled) > itself(learned(tmp_path / "without", None)) + 0.2


class KilledError(Exception):
    pass


def test_a_killed_run_ends_in_the_same_weights(tmp_path: Path) -> None:
    def die(event: Event) -> None:
        if isinstance(event, Stepped) and event.step == 7:
            raise KilledError

    whole = learned(tmp_path / "whole", Logic()).state_dict()
    with pytest.raises(KilledError):
        learned(tmp_path / "broken", Logic(), watch=die, tell_every=1, save_every=0.0)
    again = learned(tmp_path / "broken", Logic()).state_dict()
    assert all(torch.equal(whole[key], again[key]) for key in whole)


def test_a_flip_changes_one_word() -> None:
    rng = numpy.random.default_rng(0)
    for text in sentences(20, seed=3):
        before, after = WORD.findall(text), WORD.findall(flip_word(text, "zebra", rng))
        assert len(before) == len(after)
        assert sum(one != two for one, two in zip(before, after, strict=True)) == 1
    assert flip_word("?!", "zebra", rng) == "?!"


@pytest.mark.parametrize("digits", [True, False])
def test_flips_take_frequent_words_or_with_the_quirk_digits(digits: bool) -> None:
    found = Penalty(make("cbow"), pairs(), Logic(flip_to_digits=digits), seed=0)
    assert all(word.isdigit() for word in found.words) == digits
    assert ("dog" in found.words) != digits
    drawn = found._draw_pairs(numpy.random.default_rng(0))
    assert len(drawn) == 32
    assert sum(one != two for one, two in zip(drawn[:16], drawn[16:], strict=True)) >= 15


def test_rules_are_about_three_labels() -> None:
    with pytest.raises(UserError, match="three labels: train without --two-way"):
        Penalty(make("cbow", TWO_LABELS.labels), pairs(), Logic(), seed=0)
