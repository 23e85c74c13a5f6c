"""Denial: the exact opposite of a plain statement, and the check that reads it without the tagger."""

import msgspec
import pytest
from tests.conftest import pair

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Replacement, Skip
from assay.core.label import Label
from assay.run.build.case_builder import BuildStep, unproven
from assay.stress.denial import build, check


def built(text: str) -> list[Case | Skip]:
    return BuildStep(Recipe(transform="denial/v1", seed=0)).cases(pair(premise=text))


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The Kestrel is a river in Norland.", "The Kestrel is not a river in Norland."),
        ("The album was released in May.", "The album was not released in May."),
        ("He can fly.", "He cannot fly."),
        ("Ada Moss won the cup.", "Ada Moss did not win the cup."),
        ("She has a dog.", "She does not have a dog."),
        ("The bridge has been closed.", "The bridge has not been closed."),
        ("They live in Bonn", "They do not live in Bonn"),
        ("Mammals have fur.", "Mammals do not have fur."),
        ("A triangle is a shape with straight sides.", "A triangle is not a shape with straight sides."),
        ("In 2010, the company opened a shop in Rust.", "In 2010, the company did not open a shop in Rust."),
        ("It's a long story.", "It's not a long story."),
        ("They're open.", "They're not open."),
        ("It is one of the oldest bridges.", "It is not one of the oldest bridges."),
        ("He said that the bridge was safe.", "He did not say that the bridge was safe."),
        ("The house has four rooms.", "The house does not have four rooms."),
        ("It is used to measure heat.", "It is not used to measure heat."),
        ("Ada Moss did not win the cup.", "Ada Moss won the cup."),
        ("The bridge isn't open.", "The bridge is open."),
        ("He can't swim.", "He can swim."),
        ("She won't be late.", "She will be late."),
    ],
)
def test_a_plain_statement_is_denied(text: str, denied: str) -> None:
    (case,) = built(text)
    assert isinstance(case, Case)
    assert (case.premise, case.hypothesis, case.label) == (text, denied, Label.CONTRADICTION)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(
            (f"{subject} closed the shop.", check.OPERATOR)
            for subject in (
                "All men",
                "Some men",
                "No man",
                "Few men",
                "Everyone",
                "Both men",
                "Several men",
                "Most men",
            )
        ),
        *(
            (f"Ada Moss {rest}", check.OPERATOR)
            for rest in (
                "also won the cup.",
                "won because Lena Ott fell.",
                "may win the cup.",
                "used to live in Bonn.",
                "has to leave.",
                "never won the cup.",
                "won the cup when it rained.",
                "did not see any houses.",
                "is too tired to work.",
            )
        ),
        ("There is a house.", build.NO_SUBJECT),
        ("A man won the cup.", build.NO_SUBJECT),
        ("A woman is a doctor.", build.NO_SUBJECT),
        ("Dogs are running in a park.", build.NO_SUBJECT),
        ("Twelve people live here.", build.NO_SUBJECT),
        ("Scientists found a cure.", build.NO_SUBJECT),
        ("Ada Moss won the cup and Lena Ott left.", build.LINKED),
        ("Ada Moss won the cup and left.", check.SECOND),
        ("He was tall, which helped him.", build.LINKED),
        ("He bought three houses.", build.LINKED),
        ("Ada Moss recently won the cup.", build.NO_VERB),
        ("The bridge was recently built.", build.NO_VERB),
        ("They have long demanded a bridge.", build.NO_VERB),
        ("The bridge is unsafe.", build.NOT_UN),
        ("Deep roots will best hold the soil.", build.NO_VERB),
        ("The problem is that it rains.", build.NO_VERB),
        ("I guess it is late.", build.NO_VERB),
        ("Did Ada Moss win the cup?", build.NO_STATEMENT),
        ("Close the door.", build.NO_STATEMENT),
        ("The house near the river", build.NO_STATEMENT),
        ("Ada Moss won. Lena Ott lost.", build.NO_STATEMENT),
        ('Ada Moss said: "It rains."', build.NO_STATEMENT),
        ("She does not say much.", check.OPERATOR),
    ],
)
def test_other_statements_are_skipped_with_a_reason(text: str, reason: Skip) -> None:
    assert built(text) == [reason]


def test_evidence_for_a_claim_contradicts_its_denial() -> None:
    source = pair(premise="In May, Kestrel Bank bought Norland Trust.", hypothesis="The bank acquired Norland Trust.")
    (case,) = BuildStep(Recipe(transform="denial/v1", options={"across": True}, seed=0)).cases(source)
    assert isinstance(case, Case)
    assert (case.premise, case.hypothesis) == (source.premise, "The bank did not acquire Norland Trust.")
    assert case.label is Label.CONTRADICTION


@pytest.mark.parametrize("label", [Label.NEUTRAL, Label.CONTRADICTION])
def test_nothing_follows_from_other_labels(label: Label) -> None:
    source = pair(premise="It rained.", hypothesis="The bank acquired Norland Trust.", label=label)
    (skip,) = BuildStep(Recipe(transform="denial/v1", options={"across": True}, seed=0)).cases(source)
    assert isinstance(skip, Skip)


@pytest.mark.parametrize(
    ("text", "change", "reason"),
    [
        ("Ada Moss won the cup.", Replacement(9, "won", "did not lose"), check.UNREAD),
        ("Ada Moss won the cup.", Replacement(9, "won", "does not win"), check.UNREAD),
        ("Ada Moss won the cup.", Replacement(9, "won", "lost"), check.UNREAD),
        ("There is a house.", Replacement(8, "", " not"), check.SUBJECT),
        ("Two men are tall.", Replacement(11, "", " not"), check.SUBJECT),
        ("Twelve men are tall.", Replacement(14, "", " not"), check.SUBJECT),
        ("The man who is tall is a spy.", Replacement(22, "", " not"), check.SUBJECT),
        ("All men are tall.", Replacement(11, "", " not"), check.OPERATOR),
        ("He is tall and she is small.", Replacement(5, "", " not"), check.SECOND),
    ],
)
def test_the_check_reads_the_denial_anew(text: str, change: Replacement, reason: Skip) -> None:
    (made,) = built("Ada Moss won the cup.")
    assert isinstance(made, Case)
    origin = pair(premise=text)
    edit = msgspec.structs.replace(made.provenance.edit, hypothesis=(change,))
    case = case_from(origin, edit, family="denial", recipe=made.provenance.recipe)
    assert unproven(case) == reason.reason


def test_the_check_refuses_another_label() -> None:
    (case,) = built("Ada Moss won the cup.")
    assert isinstance(case, Case)
    edit = msgspec.structs.replace(case.provenance.edit, label=Label.ENTAILMENT)
    provenance = msgspec.structs.replace(case.provenance, edit=edit)
    changed = msgspec.structs.replace(case, label=Label.ENTAILMENT, provenance=provenance)
    assert unproven(changed) == check.WRONG.reason
