"""Labels are proven from the sentences alone."""

import pytest

from assay.core.label import Label
from assay.stress.logic.logic_lexicon import standard_logic_lexicon
from assay.stress.logic.proof.prover import Prover

YES, MAYBE, NO = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION

prove = Prover(standard_logic_lexicon())


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("Alice saw a poodle.", "Alice saw a dog.", YES),
        ("Alice saw a dog.", "Alice saw a poodle.", MAYBE),
        ("Alice did not see a dog.", "Alice did not see a poodle.", YES),
        ("The child who did not sleep saw a poodle.", "The child who did not sleep saw an animal.", YES),
        ("There was no violinist who did not see a poodle.", "There was no violinist who did not see a dog.", YES),
        ("Nobody left without seeing a dog.", "Nobody left without seeing a poodle.", MAYBE),
        ("No violinists danced.", "Some violinists danced in the park.", NO),
        ("No musicians danced.", "Some violinists danced.", NO),
        ("All of the doctors in the park slept.", "Some of the doctors in the park slept.", YES),
        ("Most of the doctors slept.", "None of the doctors slept.", NO),
        ("At least three doctors slept.", "More than two doctors slept.", YES),
        ("Neither Alice nor Ben sang.", "Ben sang.", NO),
        ("Alice sang but did not dance.", "Alice did not dance.", YES),
        ("Alice saw a poodle, a beagle and a collie.", "Alice saw a beagle.", YES),
        ("Alice is taller than Ben. Ben isn't shorter than Carl.", "Carl isn't as tall as Alice.", YES),
        ("If Alice is tired, Ben is hungry. Ben isn't hungry.", "Alice is tired.", NO),
        ("If Alice is tired, Ben is hungry. Alice isn't tired.", "Ben is hungry.", MAYBE),
        ("Carl did not dance. Alice saw a poodle.", "Alice saw a dog.", YES),
    ],
)
def test_meaning_is_read_off_the_words(premise: str, hypothesis: str, label: Label) -> None:
    assert prove(premise, hypothesis).label is label


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Two doctors slept.", "Three doctors slept."),
        ("Every doctor slept.", "Some doctors slept."),
        ("Alice is as tall as Ben.", "Ben is as tall as Alice."),
        ("Ben is sick unless Alice is sad. Alice is sad.", "Ben is sick."),
        ("All of the doctors slept.", "At least two of the doctors slept."),
    ],
)
def test_what_depends_on_a_reading_has_no_label(premise: str, hypothesis: str) -> None:
    assert prove(premise, hypothesis).reason == "its readings differ"


@pytest.mark.parametrize(
    ("premise", "hypothesis", "reason"),
    [
        ("Alice fried an egg.", "Alice ate.", "the premise is not in the fragment"),
        ("Alice sang.", "Sang Alice.", "the hypothesis is not in the fragment"),
        ("Alice sang.", "Alice sang", "the hypothesis is not in the fragment"),
        ("Alice sang. Alice did not sing.", "Alice danced.", "the premise contradicts itself"),
        ("Carl sang. Carl did not sing. Alice sang.", "Alice danced.", "the premise contradicts itself"),
        (
            "Alice sang.",
            "It is not true that Ben danced but did not dance.",
            "the hypothesis is true or false whatever",
        ),
    ],
)
def test_what_can_not_be_proven_has_a_reason(premise: str, hypothesis: str, reason: str) -> None:
    proof = prove(premise, hypothesis)
    assert proof.label is None
    assert reason in proof.reason
