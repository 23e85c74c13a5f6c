"""What models do and should not: large losses, heuristics, sides, confidence; of single models and of systems."""

import msgspec
import numpy
import pytest
from tests.figures import band, heuristic, lost, share, swapping

from assay.core.estimate import Estimate
from assay.core.judgement import ConfidenceFinding, Finding, HeuristicFinding, LossFinding, SidesFinding
from assay.evaluate.intervals import wilson
from assay.evaluate.verdict import judge_estimates


def found(*estimates: Estimate) -> tuple[Finding, ...]:
    return judge_estimates(estimates, {}).findings


def test_large_losses_by_label_the_largest_first() -> None:
    made = found(
        *lost("neutral", 0.9, 0.7),
        *lost("entailment", 0.9, 0.2, p=0.0312),
        *lost("contradiction", 0.5, 0.45),
        *lost("non-entailment", 0.9, 0.1, p=0.05),
    )
    assert [(each.label, round(each.after, 3), each.p) for each in made if isinstance(each, LossFinding)] == [
        ("entailment", 0.2, 0.0312),
        ("neutral", 0.7, 0.0001),
    ]
    assert len(made) == 2
    assert found(*lost("neutral", 0.2, 0.9)) == ()
    assert found(share(0.2, family="negation", label="neutral")) == ()


@pytest.mark.parametrize(
    ("entailment", "other", "spread", "followed"),
    [(0.98, 0.04, 0.02, True), (0.98, 0.45, 0.1, False), (0.55, 0.04, 0.1, False), (0.9, 0.9, 0.02, False)],
)
def test_a_heuristic_is_found_where_both_intervals_are_on_the_wrong_side(
    entailment: float, other: float, spread: float, followed: bool
) -> None:
    made = found(*heuristic("lexical_overlap", entailment, other, spread=spread))
    assert [type(each) for each in made] == ([HeuristicFinding] if followed else [])


def test_a_model_that_says_entailment_a_little_too_often_follows_no_heuristic() -> None:
    rng = numpy.random.default_rng(71)
    followed = {0.55: 0, 0.6: 0, 0.8: 0}
    for often in followed:
        for _ in range(200):
            estimates = []
            for name in ("lexical_overlap", "subsequence", "constituent"):
                for label, accuracy in (("entailment", often), ("non-entailment", 1 - often)):
                    value = rng.binomial(100, accuracy) / 100
                    low, high = wilson(value, 100)
                    estimates.append(share(value, family="heuristics", heuristic=name, label=label))
                    estimates[-1] = msgspec.structs.replace(estimates[-1], low=low, high=high)
            followed[often] += bool(found(*estimates))
    assert followed[0.55] <= 2
    assert followed[0.6] <= 14
    assert followed[0.8] >= 195


def test_several_heuristics_are_one_finding_the_closest_first() -> None:
    [one] = found(*heuristic("subsequence", 0.9, 0.2), *heuristic("constituent", 0.9, 0.1))
    assert isinstance(one, HeuristicFinding)
    assert [each.name for each in one.heuristics] == ["constituent", "subsequence"]


def test_a_label_that_moves_as_it_should_not_is_found_with_its_p_where_that_is_clear() -> None:
    [moved] = found(*swapping("neutral", 0.9, 0.5))
    assert isinstance(moved, SidesFinding)
    assert (moved.outcome, moved.p) == ("falls", 0.0001)
    [still] = found(*swapping("entailment", 0.9, 0.9))
    assert isinstance(still, SidesFinding)
    assert (still.outcome, still.p) == ("does not drop", None)
    assert found(*swapping("entailment", 0.9, 0.3)) == ()


def test_confidence_that_is_far_off_is_found_in_the_worst_family() -> None:
    errors = [share(value, name="calibration-error", family=name) for name, value in (("original", 0.2), ("swap", 0.3))]
    assert found(*errors) == (ConfidenceFinding(model="assay:overlap/v1", suite="stress", family="swap", error=0.3),)
    assert (
        found(share(0.14, name="calibration-error", family="original")) == ()
    )  # its interval goes down to nine points


class TestSystems:
    """A system of several seeds does what all of its seeds do."""

    SEEDS = ("trained:x@1", "trained:x@2")

    @staticmethod
    def of_system(*estimates: Estimate) -> list[Finding]:
        return [each for each in found(*estimates, band(0.2, family="negation")) if each.model == "trained:x"]

    def test_a_loss_has_the_means_and_the_weakest_p(self) -> None:
        one, two = (
            lost("neutral", 0.9, 0.1, model=self.SEEDS[0]),
            lost("neutral", 0.9, 0.3, p=0.04, model=self.SEEDS[1]),
        )
        [loss] = self.of_system(*one, *two)
        assert isinstance(loss, LossFinding)
        assert (round(loss.after, 6), loss.p, loss.seeds) == (0.2, 0.04, 2)
        assert self.of_system(*one) == []  # the other seed does not have it
        assert {each.model for each in found(*one, *two, band(0.2, family="negation"))} == {"trained:x", *self.SEEDS}

    def test_heuristics_are_those_that_all_follow(self) -> None:
        one = [
            *heuristic("subsequence", 0.9, 0.2, model=self.SEEDS[0]),
            *heuristic("constituent", 0.9, 0.1, model=self.SEEDS[0]),
        ]
        [shared] = self.of_system(*one, *heuristic("subsequence", 0.9, 0.3, model=self.SEEDS[1]))
        assert isinstance(shared, HeuristicFinding)
        assert [(each.name, round(each.fails, 6)) for each in shared.heuristics] == [("subsequence", 0.25)]
        assert self.of_system(*one, *heuristic("lexical_overlap", 0.9, 0.4, model=self.SEEDS[1])) == []

    def test_sides_must_do_the_same(self) -> None:
        falls = [each for model in self.SEEDS for each in swapping("neutral", 0.9, 0.5, model=model)]
        assert len(self.of_system(*falls)) == 1
        rises = swapping("neutral", 0.5, 0.9, model=self.SEEDS[1])
        assert self.of_system(*falls[:4], *rises) == []
