"""What changes the training data, and what it must leave alone."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import case

from assay.core.case import Recipe, case_from
from assay.core.edit import Edit
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.training.training_corpus import PairSource, cases_as_pairs, count_pairs, sample_pairs, swap_pairs


def pairs(count: int) -> list[Pair]:
    labels = [Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION]
    return [Pair(id=str(n), premise=f"p{n}", hypothesis=f"h{n}", label=labels[n % 3]) for n in range(count)]


@given(count=st.integers(0, 60), share=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), seed=st.integers(0, 9))
def test_swapping_takes_an_exact_share_and_never_entailment(count: int, share: float, seed: int) -> None:
    before = pairs(count)
    after = swap_pairs(before, share, seed=seed)
    turned = [(a, b) for a, b in zip(before, after, strict=True) if a.premise != b.premise]
    free = sum(pair.label is not Label.ENTAILMENT for pair in before)
    assert len(turned) == round(share * free)
    for a, b in turned:
        assert (b.premise, b.hypothesis, b.label, b.id) == (a.hypothesis, a.premise, a.label, a.id)
        assert a.label is not Label.ENTAILMENT


def test_a_larger_share_swaps_the_same_pairs_and_more() -> None:
    def turned(share: float) -> set[str]:
        return {pair.id for pair in swap_pairs(pairs(90), share, seed=1) if pair.premise.startswith("h")}

    assert turned(0.25) < turned(0.5) < turned(0.75) < turned(1.0)


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(UserError, match="between 0 and 1"):
        swap_pairs(pairs(3), share, seed=0)


def test_a_sample_depends_on_the_pair_and_not_on_its_place() -> None:
    some = {pair.id for pair in sample_pairs(pairs(400), 0.15, seed=3)}
    assert some == {pair.id for pair in sample_pairs(reversed(pairs(400)), 0.15, seed=3)}
    assert 30 <= len(some) <= 90


def test_withheld_cases_are_not_added() -> None:
    cases = [case(1, group={"subcase": "x"}), case(2, group={"subcase": "y"})]
    kept = list(cases_as_pairs(cases, prefix="s", withhold={"subcase": ["x"]}))
    assert [pair.id for pair in kept] == [f"s:{cases[1].id}"]
    assert not list(cases_as_pairs(cases, prefix="s", withhold={"family": [cases[0].family]}))


def test_cases_that_claim_no_label_are_not_added() -> None:
    pair = pairs(1)[0]
    recipe = Recipe(transform="swap/v1", seed=0)
    cases = [case_from(pair, edit, family="swap", recipe=recipe) for edit in (Edit(expects="drop"), Edit())]
    assert len(list(cases_as_pairs(cases, prefix="s", withhold={}))) == 1


def test_counts_say_what_is_there() -> None:
    some = swap_pairs(pairs(9), 1.0, seed=0)
    found = count_pairs([PairSource("one", some), PairSource("two", pairs(3))])
    assert found.pairs == 12
    assert found.sources == {"one": 9, "two": 3}
    assert found.swapped == 6
    assert Counter(found.labels.values()) == {4: 3}
