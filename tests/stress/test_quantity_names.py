"""Numbers of names and times in claims: another one does not follow, and the check knows where it might."""

import msgspec
import pytest
from tests.conftest import pair

from assay.core.case import Case, Recipe
from assay.core.edit import Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.run.build.case_builder import BuildStep, unproven
from assay.stress.across.check import NEW_NUMBER, doubt_of_evidence
from assay.stress.quantities import check_names as reasons
from assay.stress.quantities.check_names import doubt_of_name
from assay.stress.quantities.find_names import find_names


def changed(source: Pair, seeds: int = 12) -> list[Case | Skip]:
    steps = (BuildStep(Recipe(transform="quantities/v1", options={"across": True}, seed=seed)) for seed in range(seeds))
    return [case for step in steps for case in step.cases(source)]


def of(text: str, evidence: str = "", label: Label = Label.ENTAILMENT) -> list[Case | Skip]:
    return changed(pair(premise=evidence or text, hypothesis=text, label=label))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The agency relied on section 330 of the law.", "330"),
        ("Route 66 passes the old mill.", "66"),
        ("The bill passed in the 107th Congress.", "107th"),
        ("Ada was a judge at the 2008 Olympics.", "2008"),
        ("The rule is part of the Clean Water Act of 1972.", "1972"),
        ("Rosa was shown a Boeing 747 by the crew.", "747"),
        ("The ferry leaves at 8 a.m. from the pier.", "8"),
        ("The ships were seen near the coast March 11.", "11"),
        ("The work was going well in the 1970s.", "1970s"),
        ("Tier 2 languages were taught there.", "2"),
    ],
)
def test_another_number_of_a_name_or_time_does_not_follow(text: str, number: str) -> None:
    cases = [case for case in of(text) if isinstance(case, Case)]
    assert cases
    for case in cases:
        (edit,) = case.provenance.edit.hypothesis
        assert (case.label, edit.old, case.provenance.edit.facts["across"]) == (Label.NON_ENTAILMENT, number, "open")
        assert case.premise == text != case.hypothesis
        assert unproven(case) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The mill was standing before the 2008 Olympics.",
        "Sections 330 and 340 were quoted.",
        "Was section 330 quoted?",
        "She has been there since May 31 or so.",
        "All but section 330 to 350 were quoted.",
        "He always spoke on May 31 there.",
        "In Boston 40 men met.",
        "It will be ready as early as May 2004.",
        "They were blamed for the Sept. 11 attacks.",
        "They spoke of the attacks of 11 September.",
        "Chapter 5",
    ],
)
def test_what_may_follow_or_is_no_name_is_left_alone(text: str) -> None:
    assert not [case for case in of(text) if isinstance(case, Case) and case.label is Label.NON_ENTAILMENT]


def test_a_deadline_becomes_an_earlier_one() -> None:
    cases = [case for case in of("The committee will have decided by March 2011.") if isinstance(case, Case)]
    assert cases
    assert all(case.provenance.edit.hypothesis[0].new < "2011" for case in cases)


def test_every_four_years_and_on_the_same_weekday() -> None:
    (event,) = find_names("Ada was a judge at the 2008 Olympics.")
    assert set(event.others) == {"2000", "2004", "2012", "2016", "2020"}
    (day,) = find_names("She spoke about it on Monday, May 3 in Rome.")
    assert set(day.others) == {"10", "17", "24"}


def test_an_article_and_a_past_year_stay_right() -> None:
    (year,) = find_names("This was decided in a 2019 ruling.")
    assert all(2000 <= int(other) <= 2025 for other in year.others)


@pytest.mark.parametrize("more", ["section 12", "twelve others", "sections 10 to 15"])
def test_evidence_that_has_the_new_number_is_doubted(more: str) -> None:
    claim, edit = "The agency relied on section 11.", [Replacement(29, "11", "12")]
    assert doubt_of_evidence(f"It relied on section 11 and on {more}.", claim, edit, "open") == NEW_NUMBER
    assert doubt_of_evidence("It relied on section 11 and on section 14.", claim, edit, "open") is None


@pytest.mark.parametrize("label", [Label.NEUTRAL, Label.CONTRADICTION, Label.NON_ENTAILMENT])
def test_only_supported_claims_are_changed(label: Label) -> None:
    assert not [case for case in of("Route 66 passes the old mill.", label=label) if isinstance(case, Case)]


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        ("It was quoted from section 330.", "330", "330th", reasons.SHAPE),
        ("It was quoted from section 330 of 1,330.", "330", "330", reasons.REPEATED),
        ("It was quoted from section 330 and chapter 5.", "330", "5", reasons.REPEATED),
        ("It was quoted from section 330-5.", "330", "340", reasons.REPEATED),
        ("It was quoted from section 330 to 350.", "330", "340", reasons.PART),
        ("It was quoted 330 times.", "330", "340", reasons.NO_NAME),
        ("It was so before the 2008 Olympics.", "2008", "2012", reasons.ORDERED),
        ("It will be ready as early as the end of 2004.", "2004", "2016", reasons.ORDERED),
        ("It will be so by May 2011.", "2011", "2014", reasons.ORDERED),
        ("It never was in section 330.", "330", "340", reasons.DENIED),
        ("It was in section 330?", "330", "340", reasons.DENIED),
        ("She was still there in 1984.", "1984", "1989", reasons.LASTING),
    ],
)
def test_the_check_doubts_other_edits(text: str, old: str, new: str, reason: Skip) -> None:
    assert doubt_of_name(text, Replacement(text.index(old), old, new)) == reason


def test_the_check_refuses_another_label() -> None:
    case = next(case for case in of("Route 66 passes the old mill.") if isinstance(case, Case))
    edit = msgspec.structs.replace(case.provenance.edit, label=Label.CONTRADICTION)
    forged = msgspec.structs.replace(
        case, label=Label.CONTRADICTION, provenance=msgspec.structs.replace(case.provenance, edit=edit)
    )
    assert unproven(forged) != ""
