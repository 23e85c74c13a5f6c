"""What counts as a loss: one rule, for cells, for systems of several seeds, and between runs."""

import pytest
from tests.figures import band, lost, share

from assay.core.estimate import Estimate
from assay.evaluate.losses import find_losses, is_loss, outcome_of

WHERE = {"model": "m", "suite": "s", "family": "negation"}


def cell(drop: float | None, p: float | None, *, low: float = 0.008, high: float = 0.072) -> list[Estimate]:
    return [
        Estimate(name="accuracy", value=0.5, n=40, slice=WHERE),
        Estimate(name="drop", value=drop, low=low, high=high, n=40, slice=WHERE),
        Estimate(name="holm", value=p, n=40, slice=WHERE),
        Estimate(name="consistency", value=0.1, n=40, slice=WHERE),
    ]


def test_cases_with_a_new_label_have_no_loss() -> None:
    """They ask something else than their source pair."""
    assert not find_losses(each for each in cell(0.4, 0.001) if each.name != "consistency")


@pytest.mark.parametrize(
    ("drop", "p", "lost"),
    [
        (0.04, 0.004, True),
        (0.04, 0.0499, True),
        (0.04, 0.05, False),
        (0.04, 0.088, False),
        (-0.04, 0.004, False),
        (0.0, 0.004, False),
        (0.04, None, False),
        (None, None, False),
    ],
)
def test_a_loss_is_a_drop_whose_corrected_p_is_below_the_level(drop: float | None, p: float | None, lost: bool) -> None:
    assert is_loss(drop, p) is lost
    assert bool(find_losses(cell(drop, p))) is lost


def test_the_uncorrected_interval_decides_nothing() -> None:
    """The interval of a drop may leave out zero where the corrected test does not show a loss."""
    assert not find_losses(cell(0.04, 0.088, low=0.008, high=0.072))
    assert find_losses(cell(0.04, 0.004, low=-0.1, high=0.2))


def test_a_family_whose_test_is_missing_is_no_loss() -> None:
    assert not find_losses(each for each in cell(0.04, 0.004) if each.name != "holm")


def test_swapped_pairs_claim_no_label_and_lose_none() -> None:
    """`kept` is no accuracy: what swapping shows is decided elsewhere."""
    kept = Estimate(name="kept", value=0.5, n=40, slice=WHERE)
    assert not find_losses([kept, *cell(0.04, 0.004)[1:]])


def test_a_system_loses_where_all_of_its_seeds_do() -> None:
    both = [*lost("", 0.9, 0.1, p=0.01, model="trained:x@1"), *lost("", 0.9, 0.3, p=0.001, model="trained:x@2")]
    *_, system = find_losses([*both, band(0.2, family="negation")])
    assert system.slice["model"] == "trained:x"
    assert (round(system.drop, 6), system.p) == (0.7, 0.01)
    only_one = [*lost("", 0.9, 0.1, model="trained:x@1"), *lost("", 0.9, 0.88, p=0.6, model="trained:x@2")]
    assert [each.slice["model"] for each in find_losses([*only_one, band(0.5, family="negation")])] == ["trained:x@1"]


def test_labels_are_cells_of_their_own() -> None:
    found = find_losses([*lost("neutral", 0.9, 0.7), *lost("entailment", 0.9, 0.89, p=1.0), share(family="negation")])
    assert [each.slice.get("label") for each in found] == ["neutral"]


@pytest.mark.parametrize(
    ("difference", "p", "outcome"),
    [(-0.1, 0.01, "worse"), (0.1, 0.01, "better"), (-0.1, 0.05, "not significant"), (0.1, 0.2, "not significant")],
)
def test_two_runs_are_compared_by_the_same_rule(difference: float, p: float, outcome: str) -> None:
    assert outcome_of(difference, p) == outcome
    assert is_loss(-difference, p) is (outcome == "worse")
