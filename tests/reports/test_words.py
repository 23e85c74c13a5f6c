"""Findings and verdicts in plain words."""

import pytest
from tests.figures import heuristic, lost, record_of, share, swapping

from assay.core.case import Recipe, case_from
from assay.core.edit import Edit, Replacement
from assay.core.estimate import Estimate
from assay.core.judgement import LossFinding, SourceAccuracy, Verdict
from assay.core.label import Label
from assay.core.pair import Pair
from assay.reports.phrases import VerdictWords, finding_sentence, finding_words, label_words, verdict_words
from assay.reports.view import view_of

PLACE = {"suite": "stress", "family": "negation"}


def said(*estimates: Estimate) -> VerdictWords:
    view = view_of([record_of(estimates)])
    [verdict] = view.judgement.verdicts
    return verdict_words(verdict, view.findings(verdict.model))


def test_a_clear_loss_is_right_for_the_wrong_reasons() -> None:
    found = said(share(0.9, family="original"), share(0.2, family="negation"), *lost("neutral", 0.9, 0.2, p=0.004))
    assert (found.tone, found.headline) == ("bad", "Clear failures in 1 of 1 families")
    assert found.standing == "Right on 90.0% of the unmodified pairs (95%: 85.0-95.0)."
    assert found.sureness.startswith("How sure: p is at most 0.004")


def test_no_loss_is_good_and_no_proof() -> None:
    found = said(share(0.9, family="original"), *lost("neutral", 0.9, 0.89, p=1.0))
    assert (found.tone, found.headline) == ("good", "No clear loss in one family")
    assert "not proof" in found.sureness


def test_guessing_is_said() -> None:
    found = said(share(0.34, family="original"), *lost("neutral", 0.3, 0.29, p=1.0))
    assert (found.tone, found.headline) == ("bad", "Not clearly better than always giving one label")
    assert "not clearly more than always giving one label (33.3%)" in found.standing


def test_without_source_pairs_nothing_is_claimed() -> None:
    found = said(share(0.5, family="negation"))
    assert (found.tone, found.standing) == ("unsure", "")


def test_a_system_names_the_range_of_its_seeds() -> None:
    source = SourceAccuracy(value=0.65, low=0.62, high=0.68, chance=1 / 3, seeds=3)
    found = verdict_words(Verdict(model="trained:x", outcome="no loss", families=2, source=source), [])
    assert found.standing == "Right on 65.0% of the unmodified pairs (62.0-68.0 over 3 seeds)."


@pytest.mark.parametrize(
    ("estimates", "sentence"),
    [
        (
            lost("entailment", 0.9, 0.2, p=0.0312),
            "overlap: entailment falls from 90.0% to 20.0% in negation (p 0.031).",
        ),
        (
            [*heuristic("subsequence", 0.9, 0.2), *heuristic("constituent", 0.9, 0.1)],
            "overlap: right on 90.0% where constituent goes with entailment, but on 10.0% where it does not; "
            "likewise for subsequence.",
        ),
        (
            swapping("neutral", 0.9, 0.5),
            "overlap: when the sides are swapped, neutral falls, but should hold (p <0.001).",
        ),
        (
            swapping("entailment", 0.9, 0.9),
            "overlap: when the sides are swapped, entailment does not drop, but should.",
        ),
        (
            [share(0.3, name="calibration-error", family="negation")],
            "overlap: its confidence is off by 30.0 points in negation.",
        ),
    ],
    ids=["label", "heuristics", "falls", "does not drop", "confidence"],
)
def test_findings_are_sentences(estimates: list[Estimate], sentence: str) -> None:
    assert [finding_sentence(each) for each in record_of(estimates).judgement.findings] == [sentence]


def test_the_loss_of_a_system_says_that_it_is_a_mean() -> None:
    loss = LossFinding(model="trained:x", **PLACE, label="neutral", before=0.9, after=0.2, p=0.04, seeds=2)
    assert finding_words(loss) == "neutral falls from 90.0% to 20.0% in negation (p 0.040; means of 2 seeds)."


def test_a_label_that_an_edit_keeps_is_called_the_source_pairs() -> None:
    source = Pair(id="1", premise="The cat slept.", hypothesis="A cat slept.", label=Label.ENTAILMENT)
    added = (Replacement(11, "", " and true is true"),)
    kept, own, generated = (
        case_from(source, edit, family="f", recipe=Recipe(transform="t/v1", seed=0))
        for edit in (Edit(hypothesis=added), Edit(hypothesis=added, label=Label.NEUTRAL), Edit())
    )
    words = label_words(kept, "It fits.")
    assert words == "It fits. The label itself is the source pair's. The command assay verify checks it again."
    for case in (own, generated):
        assert label_words(case, "It fits.") == "It fits. The command assay verify checks it again."
    assert label_words(own, "") == "The label comes from the recipe and was not verified."
    unmodified = case_from(source, Edit(), family="original", recipe=Recipe(transform="original/v1", seed=0))
    assert label_words(unmodified, "It fits.") == "This is the label in the data."
