"""Losses where an edit gives new labels, giant clusters, and good scores with a bad threshold."""

import numpy
import pytest

from assay.core.estimate import Estimate
from assay.evaluate.intervals import flip_signs, wilson
from assay.evaluate.losses import find_losses
from assay.evaluate.paired import paired_shares
from assay.evaluate.verdict import judge_estimates


def measured(family: str, right: dict[str, tuple[int, int]]) -> list[Estimate]:
    """Accuracies by label and of the whole family, from right answers and cases."""
    where = {"model": "m", "suite": "s", "family": family}
    found = []
    whole = [sum(each[part] for each in right.values()) for part in (0, 1)]
    for label, (hits, n) in {"": (whole[0], whole[1]), **right}.items():
        low, high = wilson(hits / n, n)
        place = {**where, "label": label} if label else where
        found.append(Estimate(name="accuracy", value=hits / n, low=low, high=high, n=n, slice=place))
    return found


DROP = Estimate(name="drop", value=0.5, n=100, slice={"model": "m", "suite": "s", "family": "numeracy"})
PAIRS = measured("original", {"entailment": (90, 100), "contradiction": (40, 100)})


def test_other_shares_of_labels_are_no_loss() -> None:
    """All new labels are contradictions, of which the model gets as few as before."""
    assert find_losses([*PAIRS, DROP, *measured("numeracy", {"contradiction": (40, 100)})]) == ()


def test_fewer_right_answers_of_the_same_label_are_a_loss() -> None:
    [loss] = find_losses([*PAIRS, DROP, *measured("numeracy", {"entailment": (30, 100)})])
    assert loss.slice == DROP.slice
    assert loss.before == pytest.approx(0.9)
    assert loss.drop == pytest.approx(0.6)


@pytest.mark.parametrize("cases", [19, 20])
def test_a_loss_needs_twenty_cases(cases: int) -> None:
    found = find_losses([*PAIRS, DROP, *measured("numeracy", {"entailment": (0, cases)})])
    assert bool(found) is (cases >= 20)


def test_three_giant_clusters_that_agree_give_no_verdict() -> None:
    giants = [[60, 0, 50, 10]] * 3
    singles = [[1, 0, 1, 0], [1, 0, 0, 1]] * 30
    shares = paired_shares([*giants, *singles])
    assert shares.p is not None
    assert shares.interval is not None
    assert shares.p > 0.05
    assert shares.interval.low < 0 < shares.interval.high


def test_flips_are_exact_for_few_clusters() -> None:
    differences = numpy.array([3.0, 2.0, -1.0, 4.0, 1.0])
    signs = 1 - 2 * ((numpy.arange(32)[:, None] >> numpy.arange(5)) & 1)
    exact = (numpy.abs(signs @ differences) >= 9 - 1e-9).mean()
    assert flip_signs(differences, 10).p == exact


@pytest.mark.parametrize(("low", "outcome"), [(0.45, "guesses"), (0.8, "bad threshold")])
def test_scores_that_separate_the_cases_are_no_guesses(low: float, outcome: str) -> None:
    pairs = measured("original", {"entailment": (100, 100), "non-entailment": (0, 100)})
    where = {"model": "m", "suite": "s", "family": "original"}
    area = Estimate(name="roc-auc", value=0.9, low=low, high=0.95, n=200, slice=where)
    [verdict] = judge_estimates(
        [*pairs, area], {"s": {"original": {"entailment": 100, "non-entailment": 100}}}
    ).verdicts
    assert verdict.outcome == outcome


def test_few_cases_near_100_percent_rarely_look_like_a_loss() -> None:
    rng = numpy.random.default_rng(71)
    found = {0.99: 0, 0.7: 0}
    for accuracy in found:
        for _ in range(400):
            pairs = measured("original", {"entailment": (rng.binomial(1000, 0.99), 1000)})
            cases = measured("numeracy", {"entailment": (rng.binomial(25, accuracy), 25)})
            found[accuracy] += bool(find_losses([*pairs, DROP, *cases]))
    assert found[0.99] <= 14  # 2.5% of 400 and what chance adds
    assert found[0.7] >= 380
