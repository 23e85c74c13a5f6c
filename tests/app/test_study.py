"""The studies, as a user asks for them."""

import json

from tests.conftest import Assay


def test_support_is_shown_and_written(assay: Assay) -> None:
    row = '{"premise": "If it rains, we go.", "hypothesis": "it rains", "label": "neutral"}\n'
    shown = assay("study", "support", "--from", "-", "--pairs", "found.tsv", stdin=row)
    assert "not counted" in shown.stdout
    assert "no pair has a binary parse tree" in shown.stdout
    assert "2,158 / 261" in shown.stdout
    told = json.loads(assay("study", "support", "--from", "found.tsv", "--json").stdout)
    assert told["counts"]["tokens"]["subsequence"] == {"support": 0, "contradict": 1, "labels": {"neutral": 1}}
    assert told["counts"]["released"]["constituent"] is None
    assert told["published"]["counts"]["constituent"] == {"support": 1004, "contradict": 58}


def test_a_choice_of_pairs_needs_a_file(assay: Assay) -> None:
    assert "--pairs FILE" in assay("study", "support", "--side", "support", code=2).stderr


def test_pairs_are_recognised(assay: Assay) -> None:
    row = '{"premise": "The judge knew that the actor ran.", "hypothesis": "The actor ran.", "label": "neutral"}\n'
    shown = assay("study", "recognise", "--from", "-", "--pairs", "found.txt", stdin=row)
    assert "1 recognised" in shown.stdout
    assert "temp61 1" in shown.stdout
    assert "but entailment is proven" in " ".join(shown.stdout.split())
    told = json.loads(assay("study", "recognise", "--from", "found.txt", "--json").stdout)
    assert told["subcases"]["ce_embedded_under_verb"]["conventions"] == {"factive: knew": 1}
    assert told["remarked"] == 2
