"""Recognising a file: what is found of each pair, what is remarked, and how it is written."""

import json
from pathlib import Path

import msgspec
import pytest

from assay.core.errors import BadInputError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.corpora.reader import read
from assay.stress.heuristics import grammar
from assay.studies.experiments.recognition_study import (
    Recognised,
    RecognitionOptions,
    recognise_pair,
    study_recognition,
)

KNEW = ("The judge knew that the actor ran .", "The actor ran .")
TWICE = """
[[subcases]]
name = "my_swap"
heuristic = "lexical_overlap"
label = "non-entailment"
templates = [{ id = "my1", pair = "the Ns1 VT the N2 => the N2 VT the Ns1" }]
"""


def pair(premise: str, hypothesis: str, label: Label = Label.ENTAILMENT, **group: str) -> Pair:
    return Pair(id="1", premise=premise, hypothesis=hypothesis, label=label, group=group)


@pytest.mark.parametrize(
    ("given", "remarks"),
    [
        (pair(*KNEW), []),
        (pair(*KNEW, subcase="ce_embedded_under_verb"), []),
        (
            pair(*KNEW, subcase="cn_adverb"),
            ["the file says cn_adverb, but it is a pair of ce_embedded_under_verb"],
        ),
        (
            pair(*KNEW, label=Label.NEUTRAL),
            [
                "the file says non-entailment, but ce_embedded_under_verb is entailment",
                "the file says non-entailment, but entailment is proven",
            ],
        ),
        (
            pair("The judge said that the actor ran .", "The actor ran ."),
            [
                "the file says entailment, but cn_embedded_under_verb is non-entailment",
                "the file says entailment, but non-entailment is proven, as in a world of said(judge, ran(actor))",
            ],
        ),
        (pair("The judge ran .", "The judge ran ."), ["no template makes it"]),
        (
            pair("The cook ran .", "The cook ran ."),
            [],
        ),
    ],
)
def test_remarks(given: Pair, remarks: list[str]) -> None:
    assert list(recognise_pair(given).remarks()) == remarks


def test_an_ambiguous_pair_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "_check_different", lambda _: None)  # a grammar that could make one is refused
    source = tmp_path / "pairs.jsonl"
    row = {"premise": "The judge saw the actor .", "hypothesis": "The actor saw the judge .", "label": "neutral"}
    source.write_text(json.dumps(row))
    assert study_recognition(source).ambiguous == 0
    found = study_recognition(source, RecognitionOptions(TWICE))
    assert found.ambiguous == 1
    assert found.remarks[0].what == "ambiguous: temp1 of ln_subject/object_swap, or my1 of my_swap"


def test_a_file_is_summed_up_and_written(tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    rows = [
        {"id": "a", "premise": KNEW[0], "hypothesis": KNEW[1], "label": "entailment"},
        {"id": "b", "premise": "A dog ran .", "hypothesis": "It ran .", "label": "neutral"},
        {
            "id": "c",
            "premise": "The actor saw the judge who helped the lawyer .",
            "hypothesis": "The judge saw the the lawyer .",
            "label": "neutral",
        },
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows * 1))
    found = study_recognition(source, pairs=tmp_path / "found.jsonl", workers=2)
    assert list(found.subcases) == ["ln_relative_clause", "ce_embedded_under_verb"]
    assert found.subcases["ce_embedded_under_verb"].conventions == {"factive: knew": 1}
    assert found.subcases["ln_relative_clause"].quirks == {"doubled-the": 1}
    assert found.unread == {"how what changed is related is not known": 1}
    assert not found.remarks
    lines = (tmp_path / "found.jsonl").read_bytes().splitlines()
    told = [msgspec.json.decode(line, type=Recognised) for line in lines]
    assert [each.template for each in told] == ["temp61", None, "temp15"]
    assert study_recognition(source, pairs=tmp_path / "found.txt") == found
    again = list(read(tmp_path / "found.txt"))
    assert [each.group.get("template") for each in again] == ["temp61", None, "temp15"]
    assert again[0].parses == told[0].parses
    assert again[1].parses is None
    assert not list(tmp_path.glob(".*"))


def test_strict_parses_have_no_released_error() -> None:
    given = pair("Maybe the actor saw the judges .", "The actor saw the judges .", Label.NEUTRAL)
    assert "(NN judges)" in str(recognise_pair(given).parses)
    assert "(NNS judges)" in str(recognise_pair(given, fidelity="strict").parses)


def test_a_bad_grammar_is_refused() -> None:
    with pytest.raises(BadInputError, match="subcases"):
        study_recognition("bundled", RecognitionOptions("[[subcases]]\nname = 'x'\n"))
