"""Larger numbers in claims: they do not follow, and the check knows where they would."""

import msgspec
import pytest
from tests.conftest import pair

from assay.core.case import Case, Recipe
from assay.core.edit import Replacement, Skip
from assay.core.label import Label
from assay.run.build.case_builder import BuildStep, unproven
from assay.stress.across.check import NEW_NUMBER, SEVERAL, doubt_of_evidence
from assay.stress.quantities import check_larger as reasons
from assay.stress.quantities.check_larger import doubt_of_larger
from assay.stress.quantities.find_larger import find_larger


def cases_of(text: str, evidence: str = "", label: Label = Label.ENTAILMENT) -> list[Case]:
    source = pair(premise=evidence or text, hypothesis=text, label=label)
    steps = (BuildStep(Recipe(transform="quantities/v1", options={"across": True}, seed=seed)) for seed in range(8))
    return [case for step in steps for case in step.cases(source) if isinstance(case, Case)]


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("One should be able to see the differences between the two approaches.", "two"),
        ("It may yield tens of millions of cells.", "tens of millions"),
        ("Hundreds of people should join.", "Hundreds"),
        ("The talks could bring three armies together.", "three"),
        ("He would serve a four-party coalition.", "four"),
        ("In this version, one could visit two cities.", "two"),
    ],
)
def test_a_larger_number_does_not_follow(text: str, old: str) -> None:
    cases = cases_of(text)
    assert cases
    for case in cases:
        (edit,) = case.provenance.edit.hypothesis
        assert (case.label, edit.old, case.group["quantity"]) == (Label.NON_ENTAILMENT, old, "larger")
        assert unproven(case) == ""


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        ("They saw three ships.", "three", "two", reasons.SHAPE),
        ("They saw three ships.", "three", "3", reasons.SHAPE),
        ("Up to 99% of them saw it.", "99%", "120%", reasons.SHAPE),
        ("They saw about 40 ships.", "40", "50", reasons.SHAPE),
        ("They saw two ships and three boats.", "two", "three", reasons.REPEATED),
        ("Two ships left, and two ships came.", "two", "three", reasons.REPEATED),
        ("Two men left, and the two came back.", "Two", "Three", reasons.REPEATED),
        ("They saw two or three ships.", "two", "four", reasons.PART),
        ("They saw one or two ships.", "two", "four", reasons.PART),
        ("They saw two hundred ships.", "two", "three", reasons.PART),
        ("They read Catch Two twice.", "Two", "Three", reasons.PART),
        ("They never saw two ships.", "two", "three", reasons.TURNED),
        ("They didn't see two ships.", "two", "three", reasons.TURNED),
        ("Nobody, they said, saw two ships.", "two", "three", reasons.TURNED),
        ("If two ships come, they leave.", "two", "three", reasons.TURNED),
        ("Did they see two ships?", "two", "three", reasons.TURNED),
        ("She is too young to have two children.", "two", "three", reasons.TURNED),
        ("They saw fewer than 40 ships.", "40", "60", reasons.BOUNDED),
        ("They came before two ships left.", "two", "three", reasons.BOUNDED),
        ("They saw up to 40 ships.", "40", "60", reasons.BOUNDED),
        ("They live 10 years or less.", "10", "14", reasons.BOUNDED),
        ("They say that planes that can hold 50 men land there.", "50", "70", reasons.GENERIC),
        ("They were in the top two.", "two", "three", reasons.BOUNDED),
        ("They saw two or more ships.", "two", "four", reasons.BOUNDED),
        ("They built it in two years.", "two", "three", reasons.TIMED),
        ("They won it in the past two years.", "two", "three", reasons.BOUNDED),
        ("Two years ago they were here.", "Two", "Three", reasons.TIMED),
        ("Any town with two schools gets money.", "two", "three", reasons.GENERIC),
        ("People who have two cars pay.", "two", "three", reasons.GENERIC),
        ("The money goes to schools with two buses.", "two", "three", reasons.GENERIC),
        ("Two people can carry it.", "Two", "Three", reasons.GENERIC),
        ("It can be had for $10.", "$10", "$20", reasons.GENERIC),
        ("They are in two minds.", "two", "three", reasons.IDIOM),
        ("They meet two days a week.", "two", "three", reasons.IDIOM),
    ],
)
def test_the_check_doubts_what_may_follow(text: str, old: str, new: str, reason: Skip) -> None:
    assert doubt_of_larger(text, Replacement(text.index(old), old, new)) == reason


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("If we can trust it, the tower is 40 feet high.", "40", "60"),
        ("Everybody has two legs.", "two", "three"),
        ("For the last two years, she has led the choir.", "two", "three"),
        ("They waited for two hours.", "two", "three"),
    ],
)
def test_the_check_reads_what_a_word_reaches(text: str, old: str, new: str) -> None:
    assert doubt_of_larger(text, Replacement(text.index(old), old, new)) is None


@pytest.mark.parametrize(
    "text",
    [
        "There are two forces: love and fear.",
        "Islam has two main branches, Sunni and Shia.",
        "Then, divide your class into seven groups.",
        "In the next ten minutes they leave.",
        "Divide the whole class into seven groups.",
        "The road is 16 km (10 miles) long.",
        "He swims the 100 m freestyle.",
        "Two.",
    ],
)
def test_lists_and_orders_are_left_alone(text: str) -> None:
    assert find_larger(text) == []


def test_no_other_number_reads_as_a_year_or_needs_another_article() -> None:
    (pages,) = find_larger("The book has 900 pages in all.")
    assert all(not 1000 <= int(other.replace(",", "")) < 2100 or "," in other for other in pages.others)
    (term,) = find_larger("He served a six-month term there.")
    assert term.others == ("seven", "nine", "ten", "twelve")


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        ("Two dogs and three cats are outside.", NEW_NUMBER),
        ("Two dogs and a terrier are outside.", SEVERAL),
        ("Two dogs are outside, and another one is inside.", SEVERAL),
        ("Two dogs are outside, and one dog is inside.", SEVERAL),
        ("Two dogs and a cat are outside.", None),
    ],
)
def test_evidence_with_more_of_what_is_counted_is_doubted(evidence: str, reason: Skip | None) -> None:
    assert doubt_of_evidence(evidence, "Two dogs are outside.", [Replacement(0, "Two", "Three")], "open") == reason


def test_a_crowd_may_hold_more_people() -> None:
    claim, change = "Two people are outside.", [Replacement(0, "Two", "Three")]
    assert doubt_of_evidence("Two people lead a crowd outside.", claim, change, "open") == SEVERAL
    assert doubt_of_evidence("Two men are outside.", claim, change, "open") == SEVERAL


def test_numbers_may_be_among_thousands() -> None:
    claim, change = "Hundreds of men came.", [Replacement(0, "Hundreds", "Thousands")]
    assert doubt_of_evidence("Hundreds of men came, perhaps 2,500.", claim, change, "open") == NEW_NUMBER
    assert doubt_of_evidence("Hundreds of men came on foot.", claim, change, "open") is None


def test_the_check_refuses_another_label() -> None:
    case = cases_of("One should be able to see the differences between the two approaches.")[0]
    edit = msgspec.structs.replace(case.provenance.edit, label=Label.CONTRADICTION)
    forged = msgspec.structs.replace(
        case, label=Label.CONTRADICTION, provenance=msgspec.structs.replace(case.provenance, edit=edit)
    )
    assert unproven(forged) != ""
