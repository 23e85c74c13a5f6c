"""Scores that are the wrong way round are found, and scores at chance are not taken for such."""

import numpy
import pytest

from assay.evaluate.support.threshold_metrics import FEWEST, read_direction

DRAWS = 400


@pytest.mark.parametrize(("supported", "others", "cluster"), [(20, 20, 1), (20, 400, 1), (60, 60, 6), (100, 100, 1)])
@pytest.mark.parametrize("scores", ["any", "three values", "nearly all equal", "by premise"])
def test_a_model_at_chance_is_hardly_ever_taken_for_reversed(
    supported: int, others: int, cluster: int, scores: str
) -> None:
    rng = numpy.random.default_rng([supported, others, len(scores)])
    n, wrong = supported + others, 0
    premise = numpy.arange(n) // cluster
    for _ in range(DRAWS):
        score = rng.uniform(size=n)
        gold = rng.permutation(n) < supported
        if scores == "three values":
            score = numpy.round(2 * score) / 2
        elif scores == "nearly all equal":
            score = score * (score > 0.9)
        elif scores == "by premise":
            score = rng.uniform(size=n)[premise] + 0.1 * score
            gold = gold if cluster == 1 else rng.uniform(size=n) < rng.uniform(size=n)[premise]
        found = read_direction(score, gold, premise)
        wrong += found is not None and found.is_reversed
    assert wrong / DRAWS <= 0.025


def test_reversed_scores_are_found_on_forty_pairs() -> None:
    rng = numpy.random.default_rng(7)
    gold = numpy.arange(40) % 2 == 0
    score = rng.normal(size=40) - 1.5 * gold
    found = read_direction(score, gold, numpy.arange(40))
    assert found is not None
    assert found.is_reversed
    turned = read_direction(-score, gold, numpy.arange(40))
    assert turned is not None
    assert turned.auc == pytest.approx(1 - found.auc)
    assert not turned.is_reversed


def test_few_pairs_or_few_premises_say_nothing() -> None:
    gold = numpy.arange(2 * FEWEST) % 2 == 0
    assert read_direction(1.0 - gold, gold, numpy.arange(2 * FEWEST)) is not None
    assert read_direction(1.0 - gold, gold, numpy.arange(2 * FEWEST) // 4) is None
    assert read_direction(1.0 - gold[2:], gold[2:], numpy.arange(2 * FEWEST - 2)) is None
