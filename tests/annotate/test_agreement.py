"""Agreement of annotators, by hand and beside statsmodels."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa as reference

from assay.annotate.agreement import (
    Judgements,
    agreement_parts,
    fleiss_kappa,
    krippendorff_alpha,
    label_kappa,
    measure_agreement,
)
from assay.core.label import THREE_WAY, Label

E, N, C = THREE_WAY

Counts = list[Counter[Label]]


def said(*words: str) -> Counts:
    """Each word is a pair, each letter what one annotator says of it."""
    names = {"e": E, "n": N, "c": C}
    return [Counter(names[letter] for letter in word) for word in words]


def test_a_table_worked_out_by_hand() -> None:
    """Four pairs, three labels each: nine of the twelve are e, which is a share of 3/4.

    Pairs agree by 1, 1, 1/3 and 1/3, which is 2/3 on the mean; by chance 9/16 + 1/16 = 5/8. Of the labels' kappas, e is
    the same as all, because only two labels occur.
    """
    counts = said("eee", "eee", "een", "enn")
    expected = (2 / 3 - 10 / 16) / (1 - 10 / 16)
    assert fleiss_kappa(counts) == pytest.approx(expected)
    assert label_kappa(counts, E) == pytest.approx(expected)
    assert label_kappa(counts, N) == pytest.approx(expected)
    # Disagreeing couples over (labels - 1): 4/2 a split pair; 11 * 4 / (144 - 81 - 9).
    assert krippendorff_alpha(counts) == pytest.approx(1 - 11 * 4 / 54)


def test_label_kappa_is_one_less_disagreement_over_chance() -> None:
    counts = said("eec", "nnn", "enc", "ccc", "nec")
    for label in THREE_WAY:
        split = sum(count[label] * (3 - count[label]) for count in counts)
        share = sum(count[label] for count in counts) / 15
        assert label_kappa(counts, label) == pytest.approx(1 - split / (5 * 3 * 2 * share * (1 - share)))


@given(st.integers(2, 6).flatmap(lambda n: st.lists(st.text("enc", min_size=n, max_size=n), min_size=1, max_size=30)))
def test_kappa_is_that_of_statsmodels(words: list[str]) -> None:
    counts = said(*words)
    if len(set("".join(words))) == 1:
        assert fleiss_kappa(counts) is None
        assert krippendorff_alpha(counts) is None
        return
    table = np.array([[count[label] for label in THREE_WAY] for count in counts])
    assert fleiss_kappa(counts) == pytest.approx(reference(table), abs=1e-9)
    for label in THREE_WAY:
        column = table[:, THREE_WAY.index(label)]
        rest = np.stack([column, table.sum(axis=1) - column], axis=1)
        if 0 < column.sum() < table.sum():
            assert label_kappa(counts, label) == pytest.approx(reference(rest), abs=1e-9)


@given(st.integers(2, 5).flatmap(lambda n: st.lists(st.text("enc", min_size=n, max_size=n), min_size=2, max_size=20)))
def test_alpha_differs_from_kappa_by_the_size_of_the_sample_alone(words: list[str]) -> None:
    """With as many labels a pair, 1 - alpha is (1 - kappa) * (N - 1) / N of all N labels."""
    counts = said(*words)
    kappa, alpha = fleiss_kappa(counts), krippendorff_alpha(counts)
    if kappa is not None and alpha is not None:
        labels = len("".join(words))
        assert 1 - alpha == pytest.approx((1 - kappa) * (labels - 1) / labels, abs=1e-9)


def test_alpha_takes_pairs_with_different_numbers_of_labels() -> None:
    """Single labels have nobody to agree with: they change nothing."""
    counts = said("ee", "enn", "cccc")
    assert krippendorff_alpha(counts) == krippendorff_alpha(counts + said("n"))


def test_pairs_with_another_number_of_labels_are_left_out_and_counted() -> None:
    pairs = (
        [Judgements(gold=E, labels=(E, E, N))] * 3
        + [Judgements(gold=C, labels=(C, C))]
        + [Judgements(gold=C, labels=(C,))] * 9
    )
    found = measure_agreement(pairs)
    assert (found.annotators, found.pairs, found.left_out) == (3, 3, {"1 label": 9, "2 labels": 1})
    assert found.human == pytest.approx(2 / 3)
    assert measure_agreement(pairs, annotators=2).pairs == 1


def test_what_was_not_measured_is_not_zero() -> None:
    found = measure_agreement([])
    assert (found.pairs, found.kappa, found.alpha, found.human) == (0, None, None, None)


@pytest.mark.parametrize(("annotators", "labels"), [(3, 3), (5, 3), (3, 2), (5, 2)])
def test_people_who_guess_score_what_is_said_of_them(annotators: int, labels: int) -> None:
    every = [Counter(guesses).most_common(1)[0] for guesses in product(range(labels), repeat=annotators)]
    judged = [
        Judgements(gold=THREE_WAY[most], labels=tuple(THREE_WAY[guess] for guess in guesses))
        for guesses, (most, n) in zip(product(range(labels), repeat=annotators), every, strict=True)
        if 2 * n > annotators
    ]
    found = measure_agreement(judged)
    assert found.guessing == pytest.approx(found.human)
    parts = agreement_parts(found)
    assert any(isinstance(each, str) and f"{found.guessing:.2%}" in each for each in parts)
