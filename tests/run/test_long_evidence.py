"""Pairs with long evidence: families are built from one sentence, and what a model can't take is left out."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.conftest import pair

import assay
from assay.core.case import Answer, Case
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Ready, Texts
from assay.models.adapters.label_order import AnswersTexts
from assay.run.build.case_builder import NO_SENTENCE, BuildStep, is_long, unproven
from assay.run.build.recipes import recipes_for

FILLER = "Rain fell on the hills, and the shepherds stayed at home that week."
DECIDING = "The old baker sold 40 hats near the river."
EVIDENCE = " ".join([FILLER] * 30 + [DECIDING] + [FILLER] * 30)


def long_pair(number: int = 1, **fields: object) -> Pair:
    values = {"premise": EVIDENCE, "hypothesis": "The baker sold hats near the river.", "label": Label.ENTAILMENT}
    return pair(number, **{**values, **fields})


class Limited(AnswersTexts):
    """Takes so many words of a premise, and a hypothesis of half as many."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.asked: list[Texts] = []

    identity = ""
    budget = 64

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        return [
            Ready(
                each,
                truncated=len(each.premise.split()) > self.longest,
                fits=len(each.hypothesis.split()) <= self.longest / 2,
            )
            for each in pairs
        ]

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:
        self.asked += [each.content for each in batch]
        return [Answer(label=Label.NEUTRAL, truncated=each.truncated) for each in batch]


@pytest.mark.parametrize("family", ["antonymy", "numeracy", "lexical", "swap"])
def test_a_family_takes_one_sentence_of_long_evidence(family: str) -> None:
    step = BuildStep(recipes_for([family], seed=0)[-1])
    cases = [case for case in step.cases(long_pair()) if isinstance(case, Case)]
    assert cases
    for case in cases:
        assert not is_long(case.premise)
        assert not is_long(case.hypothesis)
        assert "sold" in case.premise + case.hypothesis
        assert case.provenance.edit.facts["sentence"] == "31 of 61"
        assert not unproven(case)


def test_short_premises_stay_whole() -> None:
    step = BuildStep(recipes_for(["antonymy"], seed=0)[-1])
    (case,) = step.cases(pair(premise=f"{FILLER} {DECIDING}"))
    assert isinstance(case, Case)
    assert case.premise == f"{FILLER} {DECIDING}"
    assert "sentence" not in case.provenance.edit.facts


def test_swapping_needs_a_sentence_that_is_about_the_hypothesis() -> None:
    step = BuildStep(recipes_for(["swap"], seed=0)[-1])
    assert step.cases(long_pair(hypothesis="Nobody danced at the wedding.")) == [NO_SENTENCE]


def test_what_will_be_cut_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    model, told = Limited(200), []
    record = assay.run(
        [long_pair(1), pair(2)],
        families=["negation", "swap"],
        models={"mine": model},
        out=tmp_path,
        tell=lambda text: told.append((text, len(model.asked))),
    )
    assert told[0][1] == 0
    assert "object:mine: the premises of 2 cases are longer than it takes (original 1, negation 1)" in told[0][0]
    assert "windows='max'" in told[0][0]
    assert record.models[0].truncated == 2


def test_an_error_names_families_and_options(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"2 cases .* \(original 1, negation 1\)[^\0]*windows='max'[^\0]*truncate="):
        assay.run([long_pair()], families=["negation"], models={"mine": Limited(200)}, out=tmp_path, truncate="error")


def test_a_hypothesis_that_a_model_cannot_take_is_left_out_for_all(tmp_path: Path) -> None:
    told: list[str] = []
    pairs = [pair(1), long_pair(2, premise="It rained.", hypothesis=EVIDENCE)]
    models = {"short": Limited(400), "other": Limited(5000)}
    record = assay.run(pairs, families=["negation"], models=models, out=tmp_path, tell=told.append)
    (said,) = told
    assert "2 cases are left out (original 1, negation 1) for every model" in said
    assert "its hypothesis is longer than object:short takes" in said
    manifest = record.suites["stress"]
    assert manifest.cases == 2
    assert manifest.skips["negation"] == {"its hypothesis is longer than object:short takes": 1}
    assert [file.n for model in record.models for file in model.files.values()] == [2, 2]
    assay.verify(tmp_path / record.id, deep=True)
