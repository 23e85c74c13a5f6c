"""Added cases that share nothing with a test."""

from tests.conftest import pair

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit, Replacement
from assay.training.training_corpus import Decontamination, marks_of


def edited(old: str, new: str, *, premise: str, start: int = 0) -> Case:
    edit = Edit(hypothesis=(Replacement(start, old, new),))
    text = pair(premise=premise, hypothesis=f"{old} people sleep.")
    return case_from(text, edit, family="lexical", recipe=Recipe(transform="lexical/v1", seed=0))


def generated(template: str, *, premise: str, subcase: str = "cn_adverb") -> Case:
    text = pair(premise=premise, group={"subcase": subcase, "template": template})
    return case_from(text, Edit(), family="heuristics", recipe=Recipe(transform="heuristics/v1", seed=0))


TEST = [
    edited("Hot", "Cold", premise="It rains."),
    edited("", "No doubt, ", premise="It snows."),
    generated("temp1", premise="The judge slept."),
]


def test_a_case_is_left_out_for_what_it_shares() -> None:
    apart = Decontamination(TEST)
    assert apart.find_shared(edited("Old", "Young", premise="IT  rains.")) == "premises"
    assert apart.find_shared(edited("cold", "warm", premise="It hails.")) == "words"
    assert apart.find_shared(edited("", "No doubt, ", premise="It hails.")) == "templates"
    assert apart.find_shared(generated("temp1", premise="The actor ran.")) == "templates"
    assert apart.find_shared(generated("temp2", premise="The actor ran.")) is None
    assert apart.find_shared(generated("temp1", premise="The actor ran.", subcase="ce_adverb")) is None
    assert apart.find_shared(edited("Old", "Young", premise="It hails.")) is None


def test_what_may_be_shared_is_the_users_choice() -> None:
    same = generated("temp1", premise="The actor ran.")
    assert Decontamination(TEST, ["premises", "words"]).find_shared(same) is None
    kept, left_out = Decontamination(TEST, ["templates"]).split([same, edited("Hot", "Cold", premise="It rains.")])
    assert len(kept) == 1
    assert left_out == {"templates": 1}


def test_an_edited_premise_still_counts_as_that_of_its_source() -> None:
    edit = Edit(premise=(Replacement(0, "It", "So it"),))
    case = case_from(pair(premise="It rains."), edit, family="x", recipe=Recipe(transform="x/v1", seed=0))
    assert case.premise == "So it rains."
    assert Decontamination(TEST, ["premises"]).find_shared(case) == "premises"
    assert len({mark.value for mark in marks_of(case) if mark.kind == "premises"}) == 2
