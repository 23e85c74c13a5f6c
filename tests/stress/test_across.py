"""Edits across the pair: evidence with a changed claim, the joined label, and the check that derives it again."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from tests.conftest import ROOT, pair

import assay
from assay.core.case import Case, Recipe
from assay.core.edit import Replacement, Skip
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.reports.headline import headlines
from assay.reports.view import view_of
from assay.run.build.case_builder import BuildStep, unproven
from assay.stress.across import check as reasons
from assay.stress.across.check import derive_label, doubt_of_evidence
from assay.stress.across.join_edits import JOINS, NO_JOIN, ClaimRelation
from assay.stress.original import CHANGED

EVIDENCE = "Rosa put the hot soup on the table before the guests came in."
CLAIM = "The soup was hot."


def built(transform: str, source: Pair, **options: str | bool | int) -> list[Case | Skip]:
    return BuildStep(Recipe(transform=transform, options={"across": True, **options}, seed=0)).cases(source)


def told_of(cases: list[Case | Skip]) -> set[tuple[str, str, str]]:
    """Hypothesis, label and relation of the cases that were built."""
    return {
        (case.hypothesis, str(case.label), case.provenance.edit.facts["across"])
        for case in cases
        if isinstance(case, Case)
    }


def test_the_table_has_what_follows_in_all_possible_worlds_and_nothing_else() -> None:
    every = product(Label, get_args(ClaimRelation))
    assert {link: label for link in every if (label := derive_label(*link))} == JOINS


def test_a_relation_that_nobody_knows_gives_no_label() -> None:
    assert derive_label(Label.ENTAILMENT, "similar") is None


def test_evidence_of_a_claim_contradicts_its_antonym() -> None:
    source = pair(premise=EVIDENCE, hypothesis=CLAIM, label=Label.ENTAILMENT)
    cases = built("antonymy/v1", source)
    assert told_of(cases) == {("The soup was cold.", "contradiction", "excludes")}
    (case,) = cases
    assert isinstance(case, Case)
    assert (case.premise, case.provenance.label) == (EVIDENCE, Label.ENTAILMENT)
    assert unproven(case) == ""


@pytest.mark.parametrize("gold", [Label.NEUTRAL, Label.CONTRADICTION, Label.NON_ENTAILMENT])
def test_without_support_nothing_follows_about_an_antonym(gold: Label) -> None:
    assert built("antonymy/v1", pair(premise=EVIDENCE, hypothesis=CLAIM, label=gold)) == [NO_JOIN]


def test_numbers_give_both_labels() -> None:
    source = pair(premise="Ada opened a stall and sold 40 hats there.", hypothesis="Ada sold 40 hats.")
    found = told_of(built("quantities/v1", source))
    assert {label for _, label, _ in found} == {"entailment", "contradiction"}
    assert {relation for _, label, relation in found if label == "entailment"} == {"weaker"}


def test_a_number_that_the_evidence_lacks_is_left_alone() -> None:
    source = pair(premise="Ada sold 60 hats.", hypothesis="Ada sold 40 hats.")
    assert reasons.OTHER_NUMBER in built("quantities/v1", source)
    assert told_of(built("quantities/v1", source)) == set()


LEXICAL = pair(premise="A tired cook plays a trumpet in the kitchen.", hypothesis="A man is playing a trumpet.")


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (Label.ENTAILMENT, {("entailment", "weaker"), ("contradiction", "excludes")}),
        (Label.CONTRADICTION, set()),
        (Label.NEUTRAL, set()),
    ],
)
def test_words_join_by_their_relation(gold: Label, expected: set[tuple[str, str]]) -> None:
    source = msgspec.structs.replace(LEXICAL, label=gold)
    found = told_of(built("lexical/v1", source, only="instruments", per_pair=0))
    assert {(label, relation) for _, label, relation in found} == expected


def test_a_stronger_claim_stays_unsupported_or_contradicted() -> None:
    for gold in (Label.CONTRADICTION, Label.NON_ENTAILMENT):
        source = pair(premise="The stage is empty.", hypothesis="A man is playing an instrument.", label=gold)
        found = told_of(built("lexical/v1", source, only="instruments", per_pair=0))
        assert found
        assert {(label, relation) for _, label, relation in found} == {(gold.value, "stronger")}


@pytest.mark.parametrize("gold", Label)
def test_an_equal_claim_keeps_the_label(gold: Label) -> None:
    source = pair(premise="A tired cook rests.", hypothesis="A man is sitting on a couch.", label=gold)
    found = told_of(built("lexical/v1", source, only="synonyms", per_pair=0))
    assert ("A man is sitting on a sofa.", gold.value, "equal") in found


def test_logic_from_a_corpus_joins_too() -> None:
    source = pair(
        premise="At noon a man is sitting on the bench by the mill and reading a letter.",
        hypothesis="A man is sitting on a bench and reading a letter.",
    )
    found = told_of(built("conjunction-corpus/v1", source, per_pair=0))
    assert ("A man is sitting on a bench.", "entailment", "weaker") in found
    assert all(label == "contradiction" for _, label, relation in found if relation == "excludes")


@pytest.mark.parametrize(
    ("said", "claim", "old", "new", "doubt"),
    [
        ("A man and a woman dance.", "A man dances.", "man", "woman", reasons.NEW_WORD),
        ("A man dances with a bride.", "A man dances.", "man", "woman", reasons.NEW_WORD),
        ("A man dances with another guest.", "A man dances.", "man", "woman", reasons.NEW_WORD),
        ("A couple dances.", "A man dances.", "man", "woman", reasons.SEVERAL),
        ("Two adults dance.", "A man dances.", "man", "woman", reasons.SEVERAL),
        ("A man dances on a table.", "A man dances.", "man", "woman", None),
        ("The crust is the outer layer.", "The thin layer is the crust.", "thin", "thick", reasons.UNSAID),
        ("The crust is the slender layer.", "The thin layer is the crust.", "thin", "thick", None),
        ("A slim man is sitting on a bench.", "A tall man is sitting.", "tall", "short", None),
    ],
)
def test_evidence_that_may_support_the_changed_claim_is_doubted(
    said: str, claim: str, old: str, new: str, doubt: Skip | None
) -> None:
    change = Replacement(claim.index(old), old, new)
    assert doubt_of_evidence(said, claim, (change,), "excludes") == doubt


def test_the_check_refuses_what_the_builder_did_not_make() -> None:
    (case,) = built("antonymy/v1", pair(premise=EVIDENCE, hypothesis=CLAIM))
    assert isinstance(case, Case)
    origin, edit = case.provenance, case.provenance.edit

    def changed(**fields: object) -> Case:
        provenance = msgspec.structs.replace(origin, edit=msgspec.structs.replace(edit, **fields))
        return msgspec.structs.replace(case, provenance=provenance)

    entailed = msgspec.structs.replace(changed(label=Label.ENTAILMENT), label=Label.ENTAILMENT)
    assert unproven(entailed) == reasons.OTHER.reason
    assert unproven(changed(facts={**edit.facts, "across": "stronger"})) == reasons.OTHER.reason
    assert unproven(changed(hypothesis_from="premise")) == reasons.SHAPE.reason
    assert unproven(msgspec.structs.replace(case, premise="The soup was cold.")) == CHANGED.reason
    neutral = msgspec.structs.replace(case, provenance=msgspec.structs.replace(origin, label=Label.NEUTRAL))
    assert unproven(neutral) == reasons.OTHER.reason
    assert "antonym" in unproven(changed(facts={**edit.facts, "sense": "dog.n.01"}))


def test_what_a_paper_does_is_not_done_across() -> None:
    with pytest.raises(UserError, match="across needs fidelity strict"):
        assay.build("antonymy", [pair()], out="unused", across=True, fidelity="code")


def test_the_option_is_refused_where_no_family_has_it() -> None:
    with pytest.raises(UserError, match="No switch 'across'"):
        assay.build("negation", [pair()], out="unused", across=True)
    with pytest.raises(UserError, match="name quantities instead"):
        assay.build(["antonymy", "numeracy"], [pair()], out="unused", across=True)


ROWS = [(f"{EVIDENCE} It was Monday {number}.", CLAIM) for number in range(6)]


def claims(folder: Path) -> Path:
    lines = ["evidence,claim,label", *(f'"{said}","{claim}",supported' for said, claim in ROWS)]
    path = folder / "claims.csv"
    path.write_text("\n".join([*lines, f'"{EVIDENCE}","The guests were hungry.",unsupported', ""]), encoding="utf-8")
    return path


CHOICES = [(None, None, True), (["antonymy"], None, False), (["antonymy"], True, True), (None, False, False)]


@pytest.mark.parametrize(("families", "across", "kept"), CHOICES)
def test_a_run_of_claims_edits_the_claim_unless_told_otherwise(
    families: list[str] | None, across: bool | None, kept: bool, tmp_path: Path
) -> None:
    notes: list[str] = []
    record = assay.run(
        claims(tmp_path),
        families=families,
        models=["assay:overlap"],
        per_subcase=2,
        out=tmp_path / "runs",
        across=across,
        tell=notes.append,
    )
    suite = assay.Suite.open(tmp_path / "runs" / record.id / "suites" / "stress")
    made = [case for case in suite if case.family == "antonymy"]
    assert made
    across_pairs = [case.premise.startswith("Rosa") and case.hypothesis == "The soup was cold." for case in made]
    assert across_pairs == [kept] * len(made)
    assert any("--within" in note for note in notes) is (families is None and across is None)


def test_a_run_of_claims_says_what_gets_past_the_checker(tmp_path: Path) -> None:
    rows = [f'"Ada Moss sold {n} hats in May, and it rained.",Ada Moss sold {n} hats.,supported' for n in range(21, 60)]
    (tmp_path / "claims.csv").write_text(
        "\n".join(["evidence,claim,label", *rows, '"It rained.",It snowed.,unsupported'])
    )
    record = assay.run(tmp_path / "claims.csv", models=["assay:overlap"], per_subcase=2, out=tmp_path / "runs")
    (headline,) = headlines(view_of([record]))
    passed = [fact for fact in headline.evidence if "get past it" in fact]
    assert len(passed) == 1
    assert re.search(r"another number \d+% of \d+", passed[0])
    assert "too few to say: your own (1)" in passed[0]


def test_most_supported_claims_give_a_false_one(tmp_path: Path) -> None:
    rows = ROOT / "docs" / "results" / "claims" / "claims.csv"
    suite = assay.build(["antonymy", "lexical", "quantities", "roles"], rows, out=tmp_path / "suite", across=True)
    supported = {source.id for source in assay.read(rows) if source.label is Label.ENTAILMENT}
    false = {case.origin for case in suite if case.label is not Label.ENTAILMENT} & supported
    assert len(supported) == 140
    assert len(false) >= 0.6 * len(supported)


def test_a_short_claim_about_running_text_is_no_caption() -> None:
    told = "The report says that a woman was found in the factory in 1998, which was closed."
    shown = "A woman in a coat is standing in a building."
    claim = "A woman stands in a building."
    changed = [
        {said for said, *_ in told_of(built("lexical/v1", pair(premise=text, hypothesis=claim)))}
        for text in (told, shown)
    ]
    assert ["A woman lies in a building." in found for found in changed] == [False, True]


def test_what_one_person_has_another_may_have_too() -> None:
    text = "The report says that the point of view of the woman, who was found in the factory in 1998, was needed."
    claims = ("The woman's view was needed.", "The woman was needed.")
    changed = [
        {said for said, *_ in told_of(built("lexical/v1", pair(premise=text, hypothesis=claim), only="antonyms"))}
        for claim in claims
    ]
    assert changed == [set(), {"The man was needed."}]


@pytest.mark.parametrize(("claim", "narrower"), [("A person is sleeping.", True), ("A person is not eating.", False)])
def test_a_narrower_claim_is_contradicted_unless_it_is_negated(claim: str, narrower: bool) -> None:
    source = pair(premise="A person is eating.", hypothesis=claim, label=Label.CONTRADICTION)
    relations = {relation for *_, relation in told_of(built("lexical/v1", source, per_pair=0))}
    assert ("stronger" in relations) is narrower


def test_a_suite_across_can_be_verified(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "assay", "build", "antonymy", "--across", "--from", str(claims(tmp_path))]
    subprocess.run([*command, "--out", str(tmp_path / "suite")], check=True, capture_output=True)
    suite = assay.Suite.open(tmp_path / "suite")
    assert {case.hypothesis for case in suite} == {"The soup was cold."}
    assay.verify(tmp_path / "suite")


@pytest.mark.parametrize(
    ("said", "doubt"),
    [("Female players run.", reasons.ADULT), ("Young female players run.", None), ("The kids run.", None)],
)
def test_a_girl_who_may_be_grown_up_does_not_become_a_child(said: str, doubt: Skip | None) -> None:
    assert doubt_of_evidence(said, "The girls run.", [Replacement(4, "girls", "children")], "weaker") == doubt


@pytest.mark.parametrize(
    ("claim", "other", "builds"),
    [
        ("Last year, the firm won the case.", "lost the case", True),
        ("Last year, the firm won a case.", "lost a case", False),
        ("Last year, the firm bought the mill.", "sold the mill", False),
        ("In 1994 the guard opened the gate of the mill.", "closed the gate", True),
        ("In 1994 the guard opened a gate of the mill.", "closed a gate", False),
        ("In 1994 he built the terminal with fifty plugs.", "with forty plugs", True),
        ("In 1994 he built terminals with fifty plugs.", "with forty plugs", False),
    ],
)
def test_the_opposite_of_another_thing_is_no_contradiction(claim: str, other: str, builds: bool) -> None:
    source = pair(premise=f"It is well known in the region what happened there. {claim}", hypothesis=claim)
    cases = [
        case
        for seed in range(12)
        for case in BuildStep(Recipe(transform="lexical/v1", options={"across": True}, seed=seed)).cases(source)
    ]
    assert any(isinstance(case, Case) and other in case.hypothesis for case in cases) is builds
