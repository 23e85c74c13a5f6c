"""SentEval's protocol with scikit-learn's logistic regression, and measures against scipy."""

import sys

import numpy
import pytest
from scipy import stats

from assay.core.errors import MissingExtraError, UnknownNameError, UserError
from assay.studies.transfer.transfer_classifiers import (
    Classifier,
    Examples,
    accuracy,
    correlations,
    f1,
    protocol_with,
    stratify_folds,
    weigh_scores,
)

pytest.importorskip("sklearn", reason="transfer needs scikit-learn")

QUICK = protocol_with({"folds": "3", "grid": "0.5/8"})


def examples(rows: int, *, classes: int = 2, dimensions: int = 8, seed: int = 0) -> Examples:
    """Noisy linear classes; the same for all seeds."""
    chance = numpy.random.default_rng(seed)
    vectors = chance.normal(size=(rows, dimensions))
    slopes = numpy.random.default_rng(99).normal(size=(dimensions, classes))
    return Examples(vectors.astype(numpy.float32), (vectors @ slopes + chance.gumbel(size=(rows, classes))).argmax(1))


def test_folds_keep_the_share_of_each_class() -> None:
    targets = numpy.array([0] * 70 + [1] * 30)
    folds = stratify_folds(targets, 10, seed=3)
    assert (numpy.bincount(folds[targets == 0]) == 7).all()
    assert (numpy.bincount(folds[targets == 1]) == 3).all()
    assert (folds != stratify_folds(targets, 10, seed=4)).any()
    with pytest.raises(UserError, match="a class has only 2"):
        stratify_folds(numpy.array([0, 0, 0, 1, 1]), 3, seed=0)


def test_the_three_ways_find_the_same_classes() -> None:
    train, validation, test = examples(900, seed=1), examples(300, seed=2), examples(2000, seed=3)
    classifier = Classifier(seed=1111, how=QUICK)
    by_folds, by_split = classifier.folds(train, test), classifier.split(train, validation, test)
    assert (by_folds.predicted == by_split.predicted).mean() > 0.96
    nested = classifier.nested_folds(train)
    for found, classes in ((by_folds, test.targets), (by_split, test.targets), (nested, train.targets)):
        assert abs((found.predicted == classes).mean() - found.validation) < 0.03
        assert set(found.chosen) <= {0.5, 8.0}
    assert len(nested.chosen) == 3


def test_a_penalty_is_chosen_by_rows_that_were_not_trained_on() -> None:
    noise = examples(60, dimensions=50)  # the weakest penalty would learn it by heart
    classes = numpy.random.default_rng(0).permutation(noise.targets)
    how = protocol_with({"folds": "3", "grid": "0.0001/100000"})
    assert Classifier(seed=0, how=how).folds(Examples(noise.rows, classes), noise).validation < 0.75


def test_a_classifier_without_signal_is_at_chance_and_one_with_signal_is_not() -> None:
    given = examples(400)
    shuffled = given._replace(targets=numpy.random.default_rng(0).permutation(given.targets))
    for classes, low, high in ((given.targets, 0.75, 1.0), (shuffled.targets, 0.35, 0.65)):
        found = Classifier(seed=1111, how=QUICK).nested_folds(Examples(given.rows, classes))
        assert low < (found.predicted == classes).mean() < high


def test_relatedness_is_learned_from_whole_scores() -> None:
    chance = numpy.random.default_rng(0)
    vectors = chance.normal(size=(600, 5)).astype(numpy.float32)
    scores = numpy.clip(3 + vectors[:, 0] + 0.2 * chance.normal(size=600), 1, 5)
    parts = slice(300), slice(300, 400), slice(400, 600)
    train, held, test = (Examples(vectors[part], scores[part]) for part in parts)
    found = Classifier(seed=1111, how=QUICK).relate(train, held, test)
    assert stats.pearsonr(found.predicted, test.targets)[0] > 0.9
    assert 1 <= found.predicted.min() <= found.predicted.max() <= 5
    _, classes, weights = weigh_scores(train)
    numpy.testing.assert_allclose((classes * weights).reshape(2, -1).sum(0), train.targets)
    assert {*classes.tolist()} <= {1, 2, 3, 4, 5}


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[transfer\]"):
        Classifier(seed=0, how=QUICK).folds(examples(30), examples(30))


def test_measures_are_those_of_scipy_and_scikit_learn() -> None:
    chance = numpy.random.default_rng(1)
    scores = chance.integers(1, 6, 300).astype(float)
    predicted = scores + chance.normal(size=300)
    names = [str(row) for row in range(300)]
    pearson, spearman = correlations(predicted, scores, names)
    assert pearson.value == pytest.approx(stats.pearsonr(predicted, scores)[0])
    assert spearman.value == pytest.approx(stats.spearmanr(predicted, scores)[0])
    theirs = stats.pearsonr(predicted, scores).confidence_interval()
    assert (pearson.low, pearson.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)
    true, said = chance.integers(0, 2, 300), chance.integers(0, 2, 300)
    found = f1(said, true, names)
    both = int((said & true).sum())
    precision, recall = both / said.sum(), both / true.sum()
    assert found.value == pytest.approx(2 * precision * recall / (precision + recall))
    assert found.value is not None
    assert (found.low or 1) < found.value < (found.high or 0)
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    assert found.value == pytest.approx(metrics.f1_score(true, said))


def test_rows_of_one_text_widen_the_interval() -> None:
    true = numpy.repeat(numpy.arange(40) % 2, 10)
    said = numpy.repeat((numpy.arange(40) % 3 > 0).astype(int), 10)
    alone = accuracy(said, true, [str(row) for row in range(400)])
    shared = accuracy(said, true, [str(row // 10) for row in range(400)])
    assert alone.value == shared.value
    assert (shared.low or 1) < (alone.low or 0)


def test_what_can_not_be_measured_is_not_zero() -> None:
    flat = numpy.ones(5)
    assert [each.value for each in correlations(flat, numpy.arange(5.0), list("abcde"))] == [None, None]
    none = numpy.zeros(5, dtype=int)
    assert f1(none, none, list("abcde")).value is None


@pytest.mark.parametrize(
    ("switches", "said"),
    [
        ({"fold": "3"}, "did you mean 'folds'"),
        ({"grid": "0"}, "> 0"),
        ({"folds": "1"}, ">= 2"),
    ],
)
def test_a_wrong_switch(switches: dict[str, str], said: str) -> None:
    with pytest.raises((UnknownNameError, UserError), match=said):
        protocol_with(switches)
