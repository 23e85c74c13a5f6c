"""Debiasing on a corpus with a planted shortcut, and biased models that never saw what they score."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy
import pytest
from msgspec.structs import replace

from assay.core.label_space import TWO_LABELS

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from tests.models.small_systems import make  # noqa: E402

from assay.core.label import THREE_WAY, Label  # noqa: E402
from assay.core.pair import Pair  # noqa: E402
from assay.models.systems.system import System  # noqa: E402
from assay.training.bias_model import (  # noqa: E402  # noqa: E402  # noqa: E402
    SEEN,
    Learn,
    PairFeatures,
    ShallowBias,
    Shares,
    bias_of,
    cross_fit,
    facts_of,
    folds_of,
    naive_bayes,
    source_premises,
    weigh_by_bias,
)
from assay.training.debias_losses import objective_for  # noqa: E402
from assay.training.hyperparameters import Debias, Hyperparameters, Method  # noqa: E402
from assay.training.loop import (  # noqa: E402
    LabelledPairs,
    Objective,
    TrainingExtras,
    predict_shares,
    right_answers,
    train,
)
from assay.training.training_corpus import PairSource, swap_pairs  # noqa: E402

MARKS = dict(zip(THREE_WAY, ("big", "never", "not"), strict=True))
"""The planted shortcut: a word that ends most hypotheses of a label, and says nothing about the premise."""


def planted(count: int, *, agrees: float, seed: int) -> list[Pair]:
    """Same animal and place: entailment; another place: contradiction; another animal: neutral."""
    rng = numpy.random.default_rng(seed)
    found = []
    for number in range(count):
        label = THREE_WAY[number % 3]
        one, other = rng.permutation(["man", "woman", "dog", "cat"])[:2]
        here, there = rng.permutation(["park", "house"])
        verb = rng.choice(["runs", "sleeps"])
        who = other if label is Label.NEUTRAL else one
        where = there if label is Label.CONTRADICTION else here
        marked = label if rng.random() < agrees else rng.choice([each for each in THREE_WAY if each != label])
        found.append(
            Pair(
                id=str(number),
                premise=f"the {one} {verb} in the {here}",
                hypothesis=f"a {who} {verb} in a {where} {MARKS[marked]}",
                label=label,
            )
        )
    return found


def labelled(system: System, pairs: Sequence[Pair]) -> LabelledPairs:
    encoded = system.encode([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
    return LabelledPairs(encoded, right_answers([pair.label for pair in pairs], system.labels))


TRAINING, MISLEADING = planted(900, agrees=0.9, seed=1), planted(300, agrees=0.0, seed=2)


def learned(
    folder: Path, objective: Callable[[System], Objective] | None = None, shares: Shares | None = None
) -> System:
    """A system that was trained on the planted corpus, with weights picked by pairs like it."""
    system = make("decomposable-attention")
    dev = labelled(system, planted(300, agrees=0.9, seed=3))
    plan = Hyperparameters(epochs=6, batch=32, rate=0.01)
    made = objective(system) if objective else None
    data = labelled(system, TRAINING)._replace(shares=shares)
    train(system, data, dev, plan, seed=1, folder=folder, extras=TrainingExtras(objective=made))
    return system


def following(system: System) -> float:
    """The mean probability of what the mark suggests, where that is wrong."""
    found = predict_shares(system, labelled(system, MISLEADING).pairs)
    marks = [[*MARKS.values()].index(pair.hypothesis.split()[-1]) for pair in MISLEADING]
    return float(found[numpy.arange(len(marks)), marks].mean())


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> System:
    return learned(tmp_path_factory.mktemp("ordinary"))


@pytest.fixture(scope="module")
def bias() -> Shares:
    """What the hypothesis alone predicts. The corpus has few premises, so each pair counts as one of its own."""
    right = right_answers([pair.label for pair in TRAINING], THREE_WAY)
    fold = numpy.arange(len(TRAINING)) % 5
    return cross_fit(naive_bayes(SEEN["hypothesis"](TRAINING), right, fold), fold, labels=3)


@pytest.mark.parametrize("method", get_args(Method))
def test_each_method_follows_a_planted_shortcut_less(
    method: Method, ordinary: System, bias: Shares, tmp_path: Path
) -> None:
    teacher = predict_shares(ordinary, labelled(ordinary, TRAINING).pairs)
    even, right = numpy.ones(len(TRAINING)), right_answers([pair.label for pair in TRAINING], THREE_WAY)
    treated = learned(
        tmp_path,
        lambda system: objective_for(method, Debias(), system, bias=bias, teacher=teacher),
        weigh_by_bias(bias, right, even, focus=1.0) if method == "draw" else None,
    )
    assert following(treated) < following(ordinary) - 0.05


def test_the_focal_loss_follows_it_less_without_a_bias(ordinary: System, tmp_path: Path) -> None:
    treated = learned(tmp_path, lambda system: objective_for("focal", Debias(), system, bias=None, teacher=None))
    assert following(treated) < following(ordinary) - 0.05


def memorising(pairs: Sequence[Pair]) -> Learn:
    """A model that is certain of the label of every premise it has learned, and knows nothing else."""

    def learn(rows: Any) -> Any:
        known = {pairs[row].cluster for row in rows}
        return lambda asked: numpy.array(
            [[1.0, 0, 0] if pairs[row].cluster in known else [0, 0.5, 0.5] for row in asked]
        )

    return learn


def test_a_biased_model_never_saw_the_premise_that_it_scores() -> None:
    pairs = [replace(pair, premise=f"premise {int(pair.id) // 3}") for pair in TRAINING[:120]]
    fold = folds_of(source_premises([PairSource("all", pairs)]))
    assert set(fold) == set(range(5))
    assert not cross_fit(memorising(pairs), fold, labels=3)[:, 0].any()
    # The same model would reveal a leak: with folds by pair it has seen most premises.
    leaking = cross_fit(memorising(pairs), numpy.arange(120) % 5, labels=3)
    assert leaking[:, 0].mean() > 0.9


@pytest.mark.parametrize("kind", ["hypothesis", "overlap"])
def test_what_a_bias_says_of_a_pair_does_not_depend_on_labels_of_its_premise(kind: str) -> None:
    pairs = [
        replace(pair, premise=f"{TRAINING[3 * (int(pair.id) // 3)].premise} number {int(pair.id) // 3}")
        for pair in TRAINING[:90]
    ]
    before, elsewhere = shares(kind, pairs), 0
    for start in range(0, 90, 3):
        changed = [replace(pair, label=Label.NEUTRAL) for pair in pairs[start : start + 3]]
        after = shares(kind, [*pairs[:start], *changed, *pairs[start + 3 :]])
        assert numpy.array_equal(before[start : start + 3], after[start : start + 3])
        elsewhere += not numpy.array_equal(before, after)
    assert elsewhere > 15  # most of them taught the models of other premises


def shares(kind: str, pairs: Sequence[Pair], labels: tuple[Label, ...] = THREE_WAY, **more: Any) -> Shares:
    right = right_answers([pair.label for pair in pairs], labels)
    return bias_of(kind, [PairSource("all", pairs, **more)], labels, right, shallow=ShallowBias(no_model, None))


def no_model() -> Learn:
    raise AssertionError("no shallow model was asked for")


def test_folds_follow_the_source_premise_of_swapped_pairs_and_cases() -> None:
    turned = swap_pairs(TRAINING[:30], 1.0, seed=0)
    assert source_premises([PairSource("all", turned)]) == source_premises([PairSource("all", TRAINING[:30])])
    assert source_premises([PairSource("suite", TRAINING[:1], premises={"0": "ab"})]) == ["ab"]


def test_probabilities_are_calibrated_and_add_up(bias: Shares) -> None:
    right = right_answers([pair.label for pair in TRAINING], THREE_WAY)
    facts = facts_of(bias, right)
    assert bias.sum(1) == pytest.approx(1)
    assert facts.accuracy == pytest.approx(0.9, abs=0.03)
    assert bias.max(1).mean() == pytest.approx(facts.accuracy, abs=0.1)


def test_two_way_labels_fit_both_kinds_of_systems() -> None:
    merged = [replace(pair, label=TWO_LABELS.read(pair.label)) for pair in TRAINING[:90]]
    assert shares("overlap", merged, TWO_LABELS.labels).shape == (90, 2)
    three = shares("overlap", merged)
    assert three[:, 1] == pytest.approx(three[:, 2])


def test_overlap_sees_what_of_the_hypothesis_is_in_the_premise() -> None:
    premises = [f"the cook fries {number} eggs in the old house" for number in range(60)]
    pairs = [
        Pair(
            id=str(number),
            premise=premise,
            hypothesis=f"the cook fries {number} eggs" if number % 2 else "somebody in the garden eats apples",
            label=Label.ENTAILMENT if number % 2 else Label.CONTRADICTION,
        )
        for number, premise in enumerate(premises)
    ]
    found = shares("overlap", pairs)
    assert (found.argmax(1) == numpy.where(numpy.arange(60) % 2, 0, 2)).all()


def test_what_was_computed_is_kept_for_other_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    before = shares("hypothesis", TRAINING[:60])
    monkeypatch.setitem(SEEN, "hypothesis", no_features)
    assert numpy.array_equal(shares("hypothesis", TRAINING[:60]), before)
    (kept,) = Path(os.environ["ASSAY_CACHE"]).glob("bias-1/*.npy")
    kept.write_bytes(kept.read_bytes()[:-9])  # a damaged file is not used
    with pytest.raises(AssertionError, match="computed again"):
        shares("hypothesis", TRAINING[:60])


def no_features(_: Sequence[Pair]) -> PairFeatures:
    raise AssertionError("computed again")
