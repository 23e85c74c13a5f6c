"""SentEval's protocol against PyTorch, scikit-learn and scipy."""

import numpy
import pytest
from scipy import stats

from assay.core.errors import UnknownNameError, UserError
from assay.studies.transfer.linear_classifier import (
    SENTEVAL,
    Ints,
    Loss,
    Rounds,
    RowSplit,
    fit_layers,
    protocol_with,
    with_bias,
)
from assay.studies.transfer.transfer_classifiers import (
    Classifier,
    Examples,
    Rated,
    relate,
    score_of,
    shares_of,
    stratify_folds,
)
from assay.studies.transfer.transfer_metrics import accuracy, correlations, f1

QUICK = protocol_with({"folds": "3", "rate": "0.02"})
"""Few rows are few steps, so these must be larger than SentEval's."""


def examples(rows: int, *, classes: int = 2, dimensions: int = 8, seed: int = 0) -> Examples:
    """Noisy linear classes; the same for all seeds."""
    chance = numpy.random.default_rng(seed)
    vectors = chance.normal(size=(rows, dimensions))
    slopes = numpy.random.default_rng(99).normal(size=(dimensions, classes))
    return Examples(with_bias(vectors), (vectors @ slopes + chance.gumbel(size=(rows, classes))).argmax(1))


@pytest.mark.parametrize("classes", [2, 6])
def test_folds_are_those_of_scikit_learn(classes: int) -> None:
    selection = pytest.importorskip("sklearn.model_selection", reason="scikit-learn is not installed")
    targets = numpy.random.default_rng(classes).integers(0, classes, 211)
    theirs = numpy.empty(211, dtype=int)
    chosen = selection.StratifiedKFold(10, shuffle=True, random_state=1111).split(targets, targets)
    for fold, (_, test) in enumerate(chosen):
        theirs[test] = fold
    assert (stratify_folds(targets, 10, seed=1111) == theirs).all()


def test_folds_keep_the_share_of_each_class() -> None:
    targets = numpy.array([0] * 70 + [1] * 30)
    folds = stratify_folds(targets, 10, seed=3)
    assert (numpy.bincount(folds[targets == 0]) == 7).all()
    assert (numpy.bincount(folds[targets == 1]) == 3).all()
    assert (folds != stratify_folds(targets, 10, seed=4)).any()
    with pytest.raises(UserError, match="a class has only 2"):
        stratify_folds(numpy.array([0, 0, 0, 1, 1]), 3, seed=0)


@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize("loss", ["entropy", "squares"])
def test_a_layer_is_trained_as_pytorch_trains_it(reduction: str, loss: Loss) -> None:
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    given, l2 = examples(150, classes=3), [0.0, 0.01]
    targets = numpy.eye(3, dtype=numpy.float32)[given.classes]
    train, held = numpy.arange(100), numpy.arange(100, 150)
    how = protocol_with({"loss": reduction})
    rising = iter(range(100))  # each look is the best so far
    watched = RowSplit(train, held, numpy.random.RandomState(5), lambda _: float(next(rising)))
    ((plain, decayed),) = fit_layers(
        given.rows, targets, [watched], l2=l2, rounds=Rounds(3, 0, 5), seed=7, how=how, loss=loss
    )
    for fit, decay in ((plain, 0.0), (decayed, 0.01)):
        layer = torch.nn.Linear(9, 3, bias=False)
        end = 1 / numpy.sqrt(8)
        first = numpy.random.default_rng(7).uniform(-end, end, (3, 1, 9))[:, 0]
        layer.weight.data = torch.tensor(first, dtype=torch.float32)
        adam = torch.optim.Adam(layer.parameters(), weight_decay=decay)
        chance = numpy.random.RandomState(5)
        for _ in range(6):
            order = chance.permutation(100)
            for begin in range(0, 100, 64):
                batch = train[order[begin : begin + 64]]
                found = layer(torch.from_numpy(given.rows[batch]))
                if loss == "entropy":
                    cost = torch.nn.functional.cross_entropy(
                        found, torch.from_numpy(given.classes[batch]), reduction=reduction
                    )
                else:
                    cost = torch.nn.functional.mse_loss(
                        found.softmax(1), torch.from_numpy(targets[batch]), reduction=reduction
                    )
                adam.zero_grad()
                cost.backward()
                adam.step()
        numpy.testing.assert_allclose(fit.weights.T, layer.weight.detach().numpy(), atol=2e-5)


def test_layers_that_share_calls_are_those_trained_alone() -> None:
    """Also if splits differ in size, so that some have no row in the last batch."""
    given = examples(200)
    targets = numpy.eye(2, dtype=numpy.float32)[given.classes]
    rounds = Rounds(2, 1, 20)

    def split(train: Ints) -> RowSplit:
        held = numpy.arange(150, 200)
        right = given.classes[held]
        return RowSplit(train, held, numpy.random.RandomState(0), lambda s: float((s.argmax(1) == right).mean()))

    sizes = (64, 65, 100)
    fit = {"l2": [1e-5, 1e-2], "rounds": rounds, "seed": 1, "how": SENTEVAL}
    together = fit_layers(given.rows, targets, [split(numpy.arange(n)) for n in sizes], **fit)  # type: ignore[arg-type]
    for n, found in zip(sizes, together, strict=True):
        (alone,) = fit_layers(given.rows, targets, [split(numpy.arange(n))], **fit)  # type: ignore[arg-type]
        for one, two in zip(found, alone, strict=True):
            assert one.score == two.score
            numpy.testing.assert_allclose(one.weights, two.weights, atol=1e-5)


def looks(scores: list[float], *, tenacity: int, **switches: str) -> int:
    """How many rounds are trained if looks find these scores."""
    given, asked = examples(20), iter(scores)
    split = RowSplit(numpy.arange(10), numpy.arange(10, 20), numpy.random.RandomState(0), lambda _: next(asked))
    targets = numpy.eye(2, dtype=numpy.float32)[given.classes]
    how = protocol_with(switches)
    fit_layers(given.rows, targets, [split], l2=[0.0], rounds=Rounds(1, tenacity, 100), seed=0, how=how)
    return len(scores) - len(list(asked))


def test_looks_without_a_gain_are_counted_over_the_whole_training() -> None:
    scores = [0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, *[0.4] * 20]
    assert looks(scores, tenacity=2) == 6
    assert looks(scores, tenacity=2, forgive="anew") == 10


def test_the_three_ways_agree_with_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model", reason="scikit-learn is not installed")
    train, validation, test = examples(900, seed=1), examples(300, seed=2), examples(2000, seed=3)
    theirs = linear.LogisticRegression(C=100).fit(train.rows[:, :-1], train.classes)
    right = float((theirs.predict(test.rows[:, :-1]) == test.classes).mean())
    classifier = Classifier(2, seed=1111, how=QUICK)
    for found in (classifier.folds(train, test), classifier.split(train, validation, test)):
        assert abs((found.predicted == test.classes).mean() - right) < 0.01
        assert (found.predicted == theirs.predict(test.rows[:, :-1])).mean() > 0.96
    nested = classifier.nested_folds(train)
    model_selection = pytest.importorskip("sklearn.model_selection")
    folds = model_selection.StratifiedKFold(3, shuffle=True, random_state=1111)
    their_folds = model_selection.cross_val_predict(
        linear.LogisticRegression(C=100), train.rows[:, :-1], train.classes, cv=folds
    )
    assert len(nested.l2) == 3
    assert (nested.predicted == their_folds).mean() > 0.95


def test_a_classifier_without_signal_is_at_chance_and_one_with_signal_is_not() -> None:
    given = examples(400)
    shuffled = given._replace(classes=numpy.random.default_rng(0).permutation(given.classes))
    for classes, low, high in ((given.classes, 0.75, 1.0), (shuffled.classes, 0.35, 0.65)):
        found = Classifier(2, seed=1111, how=QUICK).nested_folds(Examples(given.rows, classes))
        assert low < (found.predicted == classes).mean() < high


def test_relatedness_is_learned_as_shares() -> None:
    chance = numpy.random.default_rng(0)
    vectors = chance.normal(size=(600, 5))
    scores = numpy.clip(3 + vectors[:, 0] + 0.2 * chance.normal(size=600), 1, 5)
    rows = with_bias(vectors)
    train, held, test = (Rated(rows[part], scores[part]) for part in (slice(300), slice(300, 400), slice(400, 600)))
    how = protocol_with({"related_most_passes": "200"})
    found = relate(train, held, test, seed=1111, how=how)
    assert stats.pearsonr(found.predicted, test.scores)[0] > 0.9
    numpy.testing.assert_allclose(score_of(shares_of(scores)), scores, atol=1e-6)


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
        ({"loss": "median"}, "Choose one of sum, mean"),
        ({"folds": "1"}, ">= 2"),
    ],
)
def test_a_wrong_switch(switches: dict[str, str], said: str) -> None:
    with pytest.raises((UnknownNameError, UserError), match=said):
        protocol_with(switches)
