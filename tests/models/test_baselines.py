"""What each baseline is there to show."""

import pytest
from tests.conftest import case

from assay.core.errors import ModelError
from assay.core.label import Label
from assay.models.baselines.hypothesis_words import HypothesisWords, fold_of
from assay.models.baselines.shortcut_baselines import Majority, Overlap

LABELS = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)


@pytest.mark.parametrize(
    ("labels", "answer"),
    [
        ([Label.NEUTRAL, Label.NEUTRAL, Label.ENTAILMENT], Label.NEUTRAL),
        ([Label.CONTRADICTION, Label.NEUTRAL], Label.NEUTRAL),
        ([Label.CONTRADICTION, Label.NEUTRAL, Label.ENTAILMENT], Label.ENTAILMENT),
        ([Label.NON_ENTAILMENT], Label.NON_ENTAILMENT),
    ],
)
def test_majority(labels: list[Label], answer: Label) -> None:
    cases = [case(number, label=label) for number, label in enumerate(labels)]
    assert {each.label for each in Majority().fit(cases).predict(cases)} == {answer}


def test_majority_must_be_fitted() -> None:
    with pytest.raises(ModelError, match="fitted"):
        Majority().predict([case()])


@pytest.mark.parametrize(
    ("hypothesis", "answer"),
    [
        ("Two EGGS!", Label.ENTAILMENT),
        ("Eggs two fries cook a", Label.ENTAILMENT),
        ("A cook fries four fish.", Label.ENTAILMENT),
        ("A cook boils four fish.", Label.NEUTRAL),
        ("Nobody cooks.", Label.NEUTRAL),
        ("...", Label.ENTAILMENT),
    ],
)
def test_overlap_counts_shared_words(hypothesis: str, answer: Label) -> None:
    assert Overlap().predict([case(hypothesis=hypothesis)])[0].label is answer


def test_hypothesis_only_finds_what_gives_a_label_away() -> None:
    words = {Label.ENTAILMENT: "outdoors", Label.NEUTRAL: "tall", Label.CONTRADICTION: "sleeping"}
    cases = [
        case(number, premise=f"Person {number} walks.", hypothesis=f"A person is {words[label]}.", label=label)
        for number, label in enumerate(LABELS * 20)
    ]
    assert [answer.label for answer in HypothesisWords().fit(cases).predict(cases)] == [each.label for each in cases]


def test_no_pair_is_judged_by_a_model_that_saw_its_premise() -> None:
    """Each premise has a word of its own in its hypotheses, and a label of its own: whoever saw the premise is right.

    Nothing else tells the label, so whoever did not see it must guess. The second half proves that the word would have
    told: there the two hypotheses have different premises, and the model is right.
    """
    cases = []
    for number in range(300):
        label = LABELS[number % 3]
        for copy in range(2):
            premise = f"Village {number} has a well." if copy else f"VILLAGE {number}  has a well."
            cases.append(case(2 * number + copy, premise=premise, hypothesis=f"It is well{number}.", label=label))
    model = HypothesisWords()
    right = sum(a.label is c.label for a, c in zip(model.fit(cases).predict(cases), cases, strict=True))
    assert right < 0.45 * len(cases)
    leaking = [case(i, premise=f"Other {i}.", hypothesis=c.hypothesis, label=c.label) for i, c in enumerate(cases)]
    leaked = sum(a.label is c.label for a, c in zip(model.fit(leaking).predict(leaking), leaking, strict=True))
    assert leaked > 0.75 * len(cases)


def test_what_a_pair_says_never_reaches_its_own_judgement() -> None:
    """Changing the labels of all pairs of a premise leaves the answers to them as they were."""
    cases = [
        case(number, premise=f"Village {number // 3} has a well.", hypothesis=f"It has {number % 7}.", label=label)
        for number, label in enumerate(LABELS * 30)
    ]
    before = HypothesisWords().fit(cases).predict(cases)
    for premise in range(8):
        changed = [
            case(int(c.origin[1:]), premise=c.premise, hypothesis=c.hypothesis, label=Label.CONTRADICTION)
            if int(c.origin[1:]) // 3 == premise
            else c
            for c in cases
        ]
        after = HypothesisWords().fit(changed).predict(changed)
        assert after[3 * premise : 3 * premise + 3] == before[3 * premise : 3 * premise + 3]


def test_pairs_of_one_premise_share_a_fold_and_folds_are_even() -> None:
    folds = [fold_of(case(premise=f"Village {number} has a well."), 5) for number in range(2000)]
    assert fold_of(case(premise="A  dog."), 5) == fold_of(case(premise="a dog."), 5)
    assert all(330 < folds.count(fold) < 470 for fold in range(5))


def test_with_one_premise_nobody_is_left_to_learn_from() -> None:
    cases = [case(number, label=label, premise="A cook fries two eggs.") for number, label in enumerate(LABELS)]
    answers = HypothesisWords().fit(cases).predict(cases)
    assert [(answer.label, answer.probabilities) for answer in answers] == 3 * [(Label.ENTAILMENT, None)]
