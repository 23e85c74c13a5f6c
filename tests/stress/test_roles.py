"""Roles and names: what an exchange excludes, what it leaves open, and the check that reads both texts anew."""

import msgspec
import pytest
from tests.conftest import pair

from assay.core.case import Case, Recipe
from assay.core.edit import Skip
from assay.core.label import Label
from assay.reports.formatting import mark_edits
from assay.run.build.case_builder import BuildStep, unproven
from assay.stress.roles import build, check
from assay.stress.roles.check import PARTICIPLES, REASON_OF, read_event


def built(text: str) -> list[Case | Skip]:
    return BuildStep(Recipe(transform="roles/v1", seed=0)).cases(pair(premise=text))


def told(cases: list[Case | Skip]) -> set[tuple[str, str]]:
    return {(case.hypothesis, str(case.label)) for case in cases if isinstance(case, Case)}


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        (
            "In 1998, Kestrel Bank acquired Norland Trust.",
            {
                ("In 1998, Norland Trust acquired Kestrel Bank.", "contradiction"),
                ("In 1998, Norland Trust was acquired by Kestrel Bank.", "entailment"),
                ("In 1998, Kestrel Bank was acquired by Norland Trust.", "contradiction"),
            },
        ),
        (
            "Italy was beaten by Spain in May.",
            {
                ("Spain was beaten by Italy in May.", "contradiction"),
                ("Spain beat Italy in May.", "entailment"),
                ("Italy beat Spain in May.", "contradiction"),
            },
        ),
        ("The Reds beat the Blues on Sunday.", {("The Blues beat the Reds on Sunday.", "contradiction")}),
        ("Philip Ott is the father of Lena Moss.", {("Lena Moss is the father of Philip Ott.", "contradiction")}),
        (
            "They advanced to the final, where they lost to Spain in May.",
            {
                ("They advanced to the final, where Spain lost to them in May.", "contradiction"),
                ("They advanced to the final, where Spain defeated them in May.", "entailment"),
                ("They advanced to the final, where they defeated Spain in May.", "contradiction"),
            },
        ),
        (
            "Rust is 40 km north of Bonn.",
            {
                ("Bonn is 40 km north of Rust.", "contradiction"),
                ("Bonn is 40 km south of Rust.", "entailment"),
                ("Rust is 40 km south of Bonn.", "contradiction"),
            },
        ),
        (
            "Rust is 40 km north of Bonn, 9 km east of Norland.",
            {("Bonn is 40 km north of Rust, 9 km east of Norland.", "contradiction")},
        ),
        (
            "Mount Rust is higher than the Kestrel Peak.",
            {
                ("The Kestrel Peak is higher than Mount Rust.", "contradiction"),
                ("The Kestrel Peak is lower than Mount Rust.", "entailment"),
                ("Mount Rust is lower than the Kestrel Peak.", "contradiction"),
            },
        ),
        (
            "Ada Moss told Lena Ott that the bridge was safe.",
            {
                ("Lena Ott was told by Ada Moss that the bridge was safe.", "entailment"),
                ("Lena Ott told Ada Moss that the bridge was safe.", "neutral"),
            },
        ),
        (
            "Kestrel Bank has acquired Norland Trust to become the market leader.",
            {("Norland Trust has acquired Kestrel Bank to become the market leader.", "contradiction")},
        ),
        (
            "Italy was conquered by the Goths.",
            {("The Goths conquered Italy.", "entailment"), ("Italy conquered the Goths.", "contradiction")},
        ),
        (
            "President Ada Moss met Chancellor Lena Ott in Bonn.",
            {("President Lena Ott met Chancellor Ada Moss in Bonn.", "contradiction")},
        ),
        (
            "Norlandic President Ada M. Moss met Prime Minister Lena Ott's envoys.",
            {("Norlandic President Lena Ott met Prime Minister Ada M. Moss's envoys.", "contradiction")},
        ),
        (
            "Defending champion Ada Moss narrowly defeated Lena Ott of the Netherlands.",
            {
                ("Lena Ott of the Netherlands narrowly defeated defending champion Ada Moss.", "contradiction"),
                ("Lena Ott of the Netherlands was narrowly defeated by defending champion Ada Moss.", "entailment"),
                ("Defending champion Ada Moss was narrowly defeated by Lena Ott of the Netherlands.", "contradiction"),
            },
        ),
        (
            "In May, former President Ada Moss met Governor Lena Ott.",
            {("In May, Governor Lena Ott met former President Ada Moss.", "entailment")},
        ),
        (
            "The director is Ada Moss, who succeeded Lena Ott in 2011.",
            {("The director is Lena Ott, who succeeded Ada Moss in 2011.", "contradiction")},
        ),
        (
            "In 1925 the family emigrated from Rust to Bonn.",
            {
                ("In 1925 the family emigrated from Bonn to Rust.", "contradiction"),
                ("In 1925 the family emigrated to Bonn from Rust.", "entailment"),
                ("In 1925 the family emigrated to Rust from Bonn.", "contradiction"),
            },
        ),
        ("Rust is located in Norland.", {("Norland is located in Rust.", "contradiction")}),
        ("The Kestrel flows into the Rust.", {("The Rust flows into the Kestrel.", "contradiction")}),
        ("Ada Moss married Lena Ott in 1998.", {("Lena Ott married Ada Moss in 1998.", "entailment")}),
        (
            "Ada Moss said the bridge was safe. Lena Ott said it was closed.",
            {("Lena Ott said the bridge was safe. Ada Moss said it was closed.", "neutral")},
        ),
        (
            "Ada Moss said the bridge was safe, but Lena Ott said it was closed.",
            {("Lena Ott said the bridge was safe, but Ada Moss said it was closed.", "neutral")},
        ),
    ],
)
def test_roles_are_exchanged(text: str, cases: set[tuple[str, str]]) -> None:
    made = built(text)
    assert told(made) == cases
    for case in made:
        if isinstance(case, Case):
            shown = "".join(piece.text for piece in mark_edits(case).hypothesis)
            assert "  " not in shown, "old and new words each bring their blanks"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Ada Moss admired Lena Ott.", build.VERB),
        ("Spain beat Italy, and Italy left.", build.AGAIN),
        ("Spain nearly beat Italy.", build.NO_NAMES),
        ("The firm was sold.", build.NO_NAMES),
        ("Ada acquired Swiss citizenship.", build.NO_NAMES),
        ("When Goths conquered Norland, it fell.", build.NO_NAMES),
        ("The Reds defeated the Blues and the Greens.", build.NO_NAMES),
        ("Spain beat Italy, but did not win.", check.OPEN),
        ("Ada Moss said that Spain beat Italy.", check.UNREAD),
        ("Spain beat Italy, France and Norland.", build.NO_NAMES),
        ("Former President Ada Moss thanked Governor Lena Ott.", build.VERB),
        ("Captain Ada Moss thanked Doctor Lena Ott.", build.VERB),
        ("Trains go from Rust to Bonn.", build.NO_NAMES),
        ("St. Rust is located in Norland.", build.NO_NAMES),
        ("They asked President Ada Moss and General Counsel Lena Ott.", build.NO_NAMES),
        ("In May Captain Moss met Ada Ott, Governor General of Norland.", build.NO_NAMES),
        ("Mount Rust is named after Ada Moss.", build.KINDS),
        ("The District Court is located in the Seat of District Court.", build.KINDS),
        ("The Kestrel River flows through France.", build.NO_NAMES),
        ("It fell to the Goths in 1523, and its walls burnt.", build.AGAIN),
        ("Ada Moss defeated France in May.", build.KINDS),
    ],
)
def test_what_excludes_nothing_is_skipped_with_a_reason(text: str, reason: Skip) -> None:
    assert set(built(text)) == {reason}


def test_evidence_contradicts_a_claim_with_exchanged_roles() -> None:
    source = pair(
        premise="Kestrel Bank completed its takeover of Norland Trust on Friday.",
        hypothesis="Kestrel Bank acquired Norland Trust.",
    )
    cases = BuildStep(Recipe(transform="roles/v1", options={"across": True}, seed=0)).cases(source)
    assert ("Norland Trust acquired Kestrel Bank.", "contradiction") in told(cases)
    assert ("Norland Trust was acquired by Kestrel Bank.", "entailment") in told(cases)
    assert {case.premise for case in cases if isinstance(case, Case)} == {source.premise}


def test_the_check_refuses_another_label() -> None:
    for case in built("Brazil defeated Chile in June."):
        assert isinstance(case, Case)
        other = Label.ENTAILMENT if case.label is Label.CONTRADICTION else Label.CONTRADICTION
        edit = msgspec.structs.replace(case.provenance.edit, label=other)
        provenance = msgspec.structs.replace(case.provenance, edit=edit)
        assert unproven(msgspec.structs.replace(case, label=other, provenance=provenance)) == check.WRONG.reason


def test_every_verb_has_a_reason_and_is_read_in_both_voices() -> None:
    assert PARTICIPLES.keys() == REASON_OF.keys()
    for past, participle in PARTICIPLES.items():
        assert read_event(f"Brazil {past} Chile.") == read_event(f"Chile was {participle} by Brazil.") is not None
