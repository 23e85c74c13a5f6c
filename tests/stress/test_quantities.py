"""The numbers and dates of real claims: what is built from them, and what the check derives on its own."""

import re
from pathlib import Path

import msgspec
import pytest
from tests.conftest import pair

import assay
from assay.core.case import Case, Recipe
from assay.core.edit import Skip
from assay.core.label import Label
from assay.evaluate.surface_shortcuts import measure_shortcuts
from assay.run.build.case_builder import BuildStep, unproven
from assay.stress.quantities import check as reasons
from assay.stress.quantities import number_claims
from assay.stress.quantities.check import SIZES, read_amount
from assay.stress.quantities.find_spots import CONVERSIONS, find_spots

SENTENCES = (Path(__file__).parents[1] / "fixtures" / "evidence_with_numbers.txt").read_text().splitlines()


def built(text: str, *, seed: int = 0) -> list[Case | Skip]:
    return BuildStep(Recipe(transform="quantities/v1", seed=seed)).cases(pair(premise=text))


def cases_of(text: str, seeds: int = 30) -> list[Case]:
    return [case for seed in range(seeds) for case in built(text, seed=seed) if isinstance(case, Case)]


def hypotheses(text: str, label: Label) -> set[str]:
    """What follows from, or contradicts, the text as it is."""
    return {case.hypothesis for case in cases_of(text) if case.label is label and case.premise == text}


def test_most_sentences_of_fact_checkers_give_a_case() -> None:
    given = [any(isinstance(case, Case) for case in built(text)) for text in SENTENCES]
    assert len(given) == 60
    assert sum(given) >= 48


def test_a_slip_of_magnitude_is_a_contradiction() -> None:
    text = "The population of the country reached 67 million in 2019."
    assert "The population of the country reached 999 million in 2019." in hypotheses(text, Label.CONTRADICTION)
    assert "The population of the country reached 67,000,000 in 2019." in hypotheses(text, Label.ENTAILMENT)


def test_a_share_lies_in_its_range_and_in_no_other() -> None:
    text = "Accuracy on the test set was 85.4 percent."
    entailed, excluded = (hypotheses(text, label) for label in (Label.ENTAILMENT, Label.CONTRADICTION))
    assert "Accuracy on the test set was between 80 and 90 percent." in entailed
    assert "Accuracy on the test set was between 60 and 70 percent." in excluded
    assert not any("between 80 and 90" in found for found in excluded)


@pytest.mark.parametrize(
    ("text", "label", "hypothesis"),
    [
        ("The tunnel is 57 kilometres long.", Label.ENTAILMENT, "The tunnel is 57,000 metres long."),
        ("The club has 18 coaches and 240 members.", Label.CONTRADICTION, "The club has 240 coaches and 18 members."),
        ("Ada was born on 14 March 1962.", Label.ENTAILMENT, "Ada was born in March 1962."),
        ("Lena Moss (born 1977) is a chemist.", Label.ENTAILMENT, "Lena Moss (born before 1980) is a chemist."),
        ("Harbour is a 1972 film by Lena Moss.", Label.ENTAILMENT, "Harbour is a 1970s film by Lena Moss."),
        ("At least 40 people were injured.", Label.CONTRADICTION, "Fewer than 30 people were injured."),
        ("He got a 15-year sentence.", Label.CONTRADICTION, "He got a 23-year sentence."),
        ("The leaf is 15 to 20 millimetres long.", Label.ENTAILMENT, "The leaf is more than 10 millimetres long."),
        ("The plant has up to fifteen flowers.", Label.CONTRADICTION, "The plant has more than twenty flowers."),
        (
            "The chapel was built between 1426 and 1434.",
            Label.CONTRADICTION,
            "The chapel was built between 1446 and 1454.",
        ),
        ("Copper Moon is the band's third album.", Label.CONTRADICTION, "Copper Moon is the band's seventh album."),
        (
            "The oldest map of the town was printed in 1497.",
            Label.CONTRADICTION,
            "The oldest map of the town was printed in 1488.",
        ),
        ("A third of the guests left.", Label.CONTRADICTION, "More than half of the guests left."),
        ("Half of the guests left.", Label.ENTAILMENT, "More than a third of the guests left."),
        ("He got an eight-month sentence.", Label.CONTRADICTION, "He got a sixteen-month sentence."),
        ("Seven of the nine guests left.", Label.CONTRADICTION, "Nine of the nine guests left."),
        ("The bank was founded in the 18th century.", Label.CONTRADICTION, "The bank was founded in the 16th century."),
        ("The lake is 50 km (31 miles) long.", Label.ENTAILMENT, "The lake is between 30 and 60 km long."),
        ("The lake is 50 km (31 miles) long.", Label.CONTRADICTION, "The lake is 90 km long."),
        ("Their hearts have three or four chambers.", Label.CONTRADICTION, "Their hearts have six or seven chambers."),
        (
            "The House passed the bill on a vote of 416 to 2.",
            Label.CONTRADICTION,
            "The House passed the bill on a vote of 419 to 2.",
        ),
        ("The mean score was 6.25.", Label.ENTAILMENT, "The mean score was more than 4."),
        ("The mill has been in use since the 1970s.", Label.CONTRADICTION, "The mill has been in use since the 1950s."),
        (
            "The show first aired in Norland on 15 February 2009.",
            Label.CONTRADICTION,
            "The show first aired in Norland in June 2009.",
        ),
        ("Under the law, each would pay $40 a year.", Label.CONTRADICTION, "Under the law, each would pay $60 a year."),
        ("The soil has a pH of 7.", Label.ENTAILMENT, "The soil has a pH of less than 12."),
        ("The bank has nine percent interest.", Label.CONTRADICTION, "The bank has six percent interest."),
    ],
)
def test_each_kind_is_built(text: str, label: Label, hypothesis: str) -> None:
    assert hypothesis in {found for seed in range(8) for found in hypotheses(text, label)}


@pytest.mark.parametrize(
    "text",
    [
        "Kolb was the mayor of Rust from 1996 to 2002.",
        "The abbey has belonged to the state since 1910.",
        "Ada Rust (7 February 1940 \u2013 8 October 2014) was a singer.",
        "The singer was born in the early 1950s.",
        "The Reds beat the Blues 3-1 on Sunday.",
        "The song peaked at number seven on the chart.",
        "Ada Rust died in Bern at the age of 64.",
        "Ada Rust told of it in her 1943 essay on sleep.",
        "The firm created a $20 billion fund.",
        "The clerk said that 80 percent of the churches are painted.",
        "67 percent of the guests drink coffee every morning.",
        "Ada Rust, 64, has a five year old dog.",
        "The firm plans to build 40 houses.",
        "The mill belonged to the abbey until 1905.",
        "The seven members of the board met on Sunday.",
        "The single reached number 70 on the chart.",
        "She finished 33rd in the individual event.",
        "The bank has an 85 percent stake.",
        "They typically have two dorsal fins.",
        "An atom of carbon has six protons and six neutrons.",
        "Ada Rust was mayor from 4 May 1979 to 28 November 1990.",
        "Shares of Linden Mills rose 12.43, or 0.6 percent, to 941.",
        "Linden Mills was up 4.6 percent after the news.",
        "Sales fell from 14 million to 10 million.",
        "The bank has cut its rates six times since March.",
        "The hall has seven classrooms, six labs and two kitchens.",
        "It has a population of 780 (as of 2010).",
        "Linden is the world's second-largest maker of hats.",
        "Ada Rust lost to Lena Moss in the second round.",
        "The mill was founded 40 years ago.",
        "The review was held on 27 March in Bern.",
        "The 70 million-member church met on Sunday.",
        "A poll found that only about one-third of the guests believed it.",
        "The Reds drew 1-1 with the Blues on Sunday.",
        "The ferry was opened in Jan. 2001.",
    ],
)
def test_other_years_scores_and_shares_are_excluded(text: str) -> None:
    assert {case.label for case in cases_of(text, 4)} >= {Label.CONTRADICTION}


@pytest.mark.parametrize(
    "text",
    [
        "Prices rose 20 to 30 percent.",
        "Go out at 8 weeks.",
        "Prices rose from 1996 to 2002.",
        "It was the worst flood since 1910.",
        "The Reds took a 3-1 lead on Sunday.",
        "The 10-year note rose on Friday.",
        "Fees at four-year private colleges rose.",
        "She won the 50-meter backstroke.",
        "The two or three guests left.",
        "In a town of 4,000 people, a mill would close.",
    ],
)
def test_what_may_be_so_of_other_years_and_scores_is_left_alone(text: str) -> None:
    assert not cases_of(text, 4)


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("Ada Rust, a 76-year-old jeweller, won.", r"[0-9]{3}-year"),
        ("The mill has an 80 percent stake.", r"an [^8]|[0-9]{3} percent"),
        ("Five of the six guests left.", "ten|twelve|seven|eight|more than six"),
        ("Only about 40 guests left.", "[Oo]nly (more|fewer)"),
        ("There are one hundred and fifty mills in Bern.", "between"),
        ("The trip took 26 hours.", "minutes"),
        ("We will build it in three days.", "more than|less than"),
        ("Sales fell from 14 million to 10 million.", "from (?:[1-9]|1[0-3]) million"),
    ],
)
def test_new_values_are_written_as_people_write_them(text: str, odd: str) -> None:
    texts = [case.hypothesis for seed in range(12) for case in cases_of(text, seed)]
    assert texts
    assert not [text for text in texts if re.search(odd, text)]


def test_a_sentence_begins_with_a_capital() -> None:
    for case in cases_of("85 percent of the guests left."):
        assert not case.hypothesis[0].islower()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("If it rains, 40 people will stay.", number_claims.SCOPE),
        ("The firm hopes to sell 40 boats.", number_claims.SCOPE),
        ("Have 40 people stayed?", number_claims.QUESTION),
        ("Some of them paid 40 dollars.", number_claims.PART),
        ("The office is open five days a week.", number_claims.IDIOM),
        ("The museum moved in two cities, Rome and Bonn.", number_claims.RELATED),
        ("Prices rose in 1984.", number_claims.NO_EVENT),
        ("Birds live on seven of the continents.", number_claims.IDIOM),
        ("Since being founded in 1985, the club has won.", number_claims.PLACE),
        ("The planet 51 Peg is small.", number_claims.NO_NOUN),
    ],
)
def test_doubtful_places_are_skipped_with_a_reason(text: str, reason: Skip) -> None:
    assert built(text) == [reason]


def test_what_may_happen_again_excludes_no_other_year() -> None:
    assert {case.label for case in cases_of("Ada visited Rome in 1984.")} == {Label.ENTAILMENT, Label.NEUTRAL}
    assert Label.CONTRADICTION in {case.label for case in cases_of("Ada founded the bank in 1984.")}


def test_new_numbers_stay_plausible() -> None:
    for case in cases_of("The store has fifteen windows.", 60):
        for spot in find_spots(case.hypothesis):
            assert 6 <= spot.low <= 38


def test_small_counts_have_no_odd_bounds() -> None:
    for case in cases_of("Three hikers are standing on a hill.", 60):
        assert "ewer than two" not in case.hypothesis
        assert "etween" not in case.hypothesis


def test_the_check_refuses_another_label_and_another_number() -> None:
    (case, *_) = cases_of("The flood destroyed 400 homes.")
    edit = case.provenance.edit

    def changed(label: Label, new: str) -> Case:
        (change,) = edit.hypothesis
        provenance = msgspec.structs.replace(
            case.provenance,
            edit=msgspec.structs.replace(
                edit, label=label, premise=(), hypothesis=(msgspec.structs.replace(change, new=new),)
            ),
        )
        text = f"The flood destroyed {new} homes."
        return msgspec.structs.replace(
            case, premise="The flood destroyed 400 homes.", hypothesis=text, label=label, provenance=provenance
        )

    assert unproven(changed(Label.CONTRADICTION, "700")) == ""
    assert unproven(changed(Label.ENTAILMENT, "700")) == reasons.WRONG.reason
    assert unproven(changed(Label.CONTRADICTION, "more than 300")) == reasons.WRONG.reason
    assert unproven(changed(Label.CONTRADICTION, "200")) == reasons.AT_LEAST.reason
    assert unproven(changed(Label.CONTRADICTION, "420")) == reasons.NEAR.reason
    assert unproven(changed(Label.CONTRADICTION, "400 dollars")) == reasons.UNITS.reason
    assert unproven(changed(Label.CONTRADICTION, "countless")) == reasons.UNREAD.reason


def test_builder_and_check_convert_units_alike() -> None:
    for large, (small, size) in CONVERSIONS.items():
        assert SIZES[large][1] == size * SIZES[small][1]
        assert read_amount(f"2 {large}") == read_amount(f"{2 * size:,} {small}")


def test_no_shortcut_is_far_above_the_best_guess(tmp_path: Path) -> None:
    names = ["Ada", "Rosa", "Lena", "Olga", "Ines", "Mara", "Nora", "Tess"]
    numbers = [digits * 10**power for power in range(1, 5) for digits in range(12, 96, 7)]
    texts = [f"{name} sold {number:,} hats." for number in numbers for name in names]
    pairs = [pair(number, premise=text) for number, text in enumerate(texts)]
    suite = assay.build("quantities", pairs, out=tmp_path / "suite")
    found = measure_shortcuts(suite)["quantities"]
    assert found.n > 500
    best = max(found.hypothesis_words, found.edited_words, found.lengths)
    assert best <= found.majority + 0.05


def test_pairs_of_one_premise_share_their_cases(tmp_path: Path) -> None:
    pairs = [pair(number, premise="The flood destroyed 400 homes.") for number in range(9)]
    assert len(list(assay.build("quantities", pairs, out=tmp_path / "suite"))) == 4


@pytest.mark.parametrize(
    ("which", "doubt"), [("models", number_claims.PART), ("the models", None), ("two models", None)]
)
def test_other_things_of_the_kind_may_have_another_number(which: str, doubt: Skip | None) -> None:
    text = f"The firm sold {which} with 50 plugs."
    start = text.index("50")
    assert number_claims.doubt_of_claim(text, start, start + 2, measured=False, big=False, alone=True) == doubt
