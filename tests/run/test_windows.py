"""Windows of long premises: how they are cut, what their answers make together, and that every model has them."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.conftest import pair
from tests.run.test_long_evidence import DECIDING, EVIDENCE, long_pair

import assay
from assay.core.case import Answer, Case, Prediction
from assay.core.errors import UserError
from assay.core.label import Label
from assay.run.predict.windows import Windows

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION


def windows(text: str) -> Windows:
    found = Windows.parse(text)
    assert found
    return found


def reads(pairs: list[tuple[str, str]]) -> list[str]:
    """Finds the deciding sentence in what it is shown, if that is short enough to read."""
    return ["entailment" if DECIDING in premise and len(premise) < 2000 else "neutral" for premise, _ in pairs]


class OfCases:
    """The same, as a model that looks at cases."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        said = reads([(case.premise, case.hypothesis) for case in cases])
        return [Prediction(id=case.id, label=Label(label)) for case, label in zip(cases, said, strict=True)]


@pytest.mark.parametrize("words", [5, 14, 30, 200, 5000])
def test_windows_hold_every_word_in_order_and_overlap(words: int) -> None:
    text = " ".join(f"Walker {number} saw {number + 1000} birds." for number in range(300))
    split = windows(f"max:{words}").split(text)
    assert all(len(each.split()) <= words for each in split)
    end = 0
    for each in split:
        start = text.index(each, max(0, end - 60))
        assert not text[end:start].strip(), "nothing is lost between windows"
        end = start + len(each)
    assert end == len(text)
    assert (sum(map(len, split)) > len(text)) == (words in (14, 30, 200)), "whole sentences are repeated"
    assert words < 5000 or split == (text,)


def test_each_label_is_put_together_by_its_rule() -> None:
    answers = [
        Answer(label=N, probabilities={E: 0.1, N: 0.8, C: 0.1}),
        Answer(label=E, probabilities={E: 0.7, N: 0.2, C: 0.1}),
    ]
    assert windows("max").together(answers).probabilities == {E: 0.7, N: 0.2, C: 0.1}
    assert windows("min").together(answers).probabilities == {E: 0.1, N: 0.8, C: 0.1}
    assert windows("mean").together(answers).probabilities == {E: 0.4, N: 0.5, C: 0.1}
    own = windows("entailment=max,neutral=max").together(answers).probabilities
    assert own == {E: 0.4375, N: 0.5, C: 0.0625}


def test_where_windows_disagree_support_is_not_claimed() -> None:
    assert windows("max").together([Answer(label=E), Answer(label=C), Answer(label=N)]).label is C


@pytest.mark.parametrize("wrong", ["most", "max:none", "max:0", "entailment=most", "support=max"])
def test_what_is_not_windows_is_refused(wrong: str) -> None:
    with pytest.raises(UserError, match="windows="):
        Windows.parse(wrong)
    with pytest.raises(UserError, match="windows="):
        assay.run([pair()], models="assay:overlap", windows=wrong)


@pytest.mark.parametrize("model", [reads, OfCases()])
def test_a_model_that_reads_little_finds_the_sentence_in_windows(model: object, tmp_path: Path) -> None:
    told: list[str] = []
    records = [
        assay.run(
            [long_pair(), pair(2)],
            families="original",
            models={"mine": model},
            windows=how,
            out=tmp_path / (how or "whole"),
            tell=told.append,
        )
        for how in ("", "max:100")
    ]
    right = [record.find("accuracy", by=["family"])[("original",)].value for record in records]
    assert right == [0.0, 0.5]
    assert records[1].spec.windows == "max:100"
    assert any(re.search("2 cases are split into 1[0-9] windows of up to 100 words", text) for text in told)
    assay.verify(tmp_path / "max:100" / records[1].id, deep=True)


def test_one_model_can_be_asked_both_ways_and_compared(tmp_path: Path) -> None:
    models = ["assay:overlap", "assay:overlap?windows=max:50"]
    record = assay.run([long_pair(n) for n in range(1, 5)], families="original", models=models, out=tmp_path)
    (found,) = assay.compare(record, models=["overlap", "overlap?windows=max:50"]).comparisons
    assert found.candidate == "assay:overlap/v1?windows=max:50"
    assert found.slices[0].n == 4


def test_scores_and_single_pairs_take_windows_too() -> None:
    found = assay.score([long_pair()], reads, windows="max:100")
    assert next(each.value for each in found.estimates if each.name == "accuracy") == 1.0
    asked = assay.ask(EVIDENCE, "The baker sold hats.", models={"mine": reads}, words=False, windows="max:100")
    assert asked.answers["object:mine"].label is E
