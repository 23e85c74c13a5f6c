"""Reading real pairs: what differs, how it is related, and what follows in its place."""

from pathlib import Path

import pytest

from assay.audit.label_audit import derive_labels
from assay.core.label import Label
from assay.stress.logic.from_corpus.projection import read_pair

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION

PAIRS = [
    ("A girl is holding a violin.", "A girl is holding an instrument.", E),
    ("A girl is holding an instrument.", "A girl is holding a violin.", N),
    ("The girl is not holding an instrument.", "The girl isn't holding a violin.", E),
    ("The girl never held a violin.", "The girl never held an instrument.", N),
    ("Every baker who owns a bicycle is happy.", "Every baker who owns a vehicle is happy.", N),
    ("Every baker who owns a vehicle is happy.", "Every baker who owns a bicycle is happy.", E),
    ("Every baker who did not own a bicycle is happy.", "Every baker who did not own a vehicle is happy.", E),
    ("Exactly four bakers bought bicycles.", "Exactly four bakers bought vehicles.", N),
    ("Few bakers bought vehicles.", "Few bakers bought bicycles.", E),
    ("A man without a hat is eating.", "A man without a fedora is eating.", E),
    ("A man without a hat is eating a pear.", "A man without a hat is eating fruit.", E),
    ("If she buys a vehicle, he will laugh.", "If she buys a red vehicle, he will laugh.", E),
    ("She refused to buy a red vehicle.", "She refused to buy a vehicle.", N),
    ("He was too tired to play an instrument.", "He was too tired to play a guitar.", E),
    ("He was not proud that he dropped a violin.", "He was not proud that he dropped an instrument.", E),
    ("The baker sold bread and milk.", "The baker sold bread.", E),
    ("The baker sold bread.", "The baker sold bread and milk.", N),
    ("The baker sold bread, but the shop was cold.", "The baker sold bread.", E),
    ("The baker sold bread.", "The baker sold bread or milk.", E),
    ("The baker is neither tall nor rich.", "The baker is not rich.", E),
    ("The baker is neither tall nor rich.", "The baker is tall.", C),
    ("The baker was elected.", "The baker was not elected.", C),
    ("The baker has seven children.", "The baker has eight children.", C),
    ("The house is known.", "The house is unknown.", C),
    ("All of the dogs slept.", "At least one of the dogs slept.", E),
    ("The baker slept on a bench in the park.", "The baker slept on a bench.", E),
    ("The baker who laughed did not buy a red car.", "The baker who laughed did not buy a car.", N),
]


@pytest.mark.parametrize(("premise", "hypothesis", "label"), PAIRS)
def test_a_pair_is_read(premise: str, hypothesis: str, label: Label) -> None:
    assert read_pair(premise, hypothesis).label is label


UNREAD = [
    ("He lost a fake diamond.", "He lost a diamond."),  # a fake one is none
    ("The recipe needs a total of flour and milk.", "The recipe needs a total of flour."),
    ("Dogs eat bones.", "Animals eat bones."),  # some, or all
    ("Did she see a dog?", "Did she see an animal?"),
    ("She did not see the dog.", "She did not see the animal."),
    ("He said 'I saw a dog', and left.", "He said 'I saw an animal', and left."),
    ("Only the baker saw a dog.", "Only the baker saw an animal."),
    ("She saw a dog.", "She saw a cat."),
    ("She saw a dog.", "She saw a dog."),
    ("It is the tallest tower.", "It is the tallest building."),
]


@pytest.mark.parametrize(("premise", "hypothesis"), UNREAD)
def test_what_is_not_certain_is_left_alone(premise: str, hypothesis: str) -> None:
    found = read_pair(premise, hypothesis)
    assert found.label is None
    assert found.reason


PROBES = [
    tuple(line.split("\t")) for line in (Path(__file__).parent / "probes.tsv").read_text(encoding="utf-8").splitlines()
]
"""Pairs whose labels were settled before they were read; `unread` where logic does not settle one."""


@pytest.mark.parametrize(("label", "premise", "hypothesis"), PROBES)
def test_a_probe_gets_its_label_or_none(label: str, premise: str, hypothesis: str) -> None:
    assert (" or ".join(derive_labels(premise, hypothesis).labels) or "unread") == label


OTHER = [
    ("Neither the king nor the queen was awake.", "The queen was awake.", C),
    ("Neither the king nor the queen was awake.", "The king wasn't awake.", E),
    ("The pianist did not own a car or a bicycle.", "The pianist did not own a bicycle.", E),
    ("Everyone who rode a horse was tired.", "Everyone who rode a white horse was tired.", E),
    ("The woman is not holding anything.", "The woman is not holding a rabbit.", E),
]


@pytest.mark.parametrize(("premise", "hypothesis", "label"), OTHER)
def test_subjects_alternatives_and_pronouns_are_read(premise: str, hypothesis: str, label: Label) -> None:
    assert read_pair(premise, hypothesis).label is label


REASONS = [
    ("Wash a red apple.", "Wash an apple.", "an order is neither true nor false"),
    ("She only eats pears.", "She only eats fruit.", "a word such as"),
    ("The dog is as tall as a young horse.", "The dog is as tall as a horse.", "a comparison"),
    ("They wanted a wooden house.", "They wanted a house.", "what is thought, wished or liked"),
    ("A sailor must swim.", "An old sailor must swim.", "it may be a general statement"),
    (
        "Every sailor did not swim.",
        "Every old sailor did not swim.",
        "it is unclear whether a negation applies to the place",
    ),
    ("They did not invite any guests.", "They did not invite any visitors.", "what changed means nearly the same"),
    ("Few students sang.", "Few French students sang.", '"few" may be a small part'),
]


@pytest.mark.parametrize(("premise", "hypothesis", "reason"), REASONS)
def test_the_reason_says_what_logic_does_not_settle(premise: str, hypothesis: str, reason: str) -> None:
    found = read_pair(premise, hypothesis)
    assert found.label is None
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    "text", ["Every baker that" + " no baker nor 1" * 2_000, "Baker" + "!?" * 3_000, "n " * 1_000_000]
)
def test_a_text_of_any_length_is_read_in_no_time(text: str) -> None:
    found = read_pair(text, text)
    assert (found.label, found.reason) == (None, "a text has more than 300 words")


@pytest.mark.parametrize("number", ["\u00b2", "9" * 5_000])
def test_a_number_that_python_does_not_read_is_a_word(number: str) -> None:
    assert read_pair(f"The baker has {number} hats.", "The baker has 2 hats.").label in (None, C)
