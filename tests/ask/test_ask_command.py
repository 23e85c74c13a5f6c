"""assay ask, as a user calls it."""

import json

from tests.conftest import Assay

PAIR = ("The cook fried two cold eggs.", "The cook did not fry eggs.")


def test_answers_words_and_edits_are_shown(assay: Assay) -> None:
    shown = assay("ask", *PAIR, "--model", "assay:esim", "--model", "assay:overlap", "--label", "c", "--stress")
    assert "right: contradiction" in shown.stdout
    assert "Words that carry the answer" in shown.stdout
    assert "{+ and false is not true+}" in shown.stdout
    assert "overlap: " in shown.stdout
    assert "No --model" not in shown.stderr


def test_the_default_model_is_named(assay: Assay) -> None:
    shown = assay("ask", *PAIR, "--set", "words=no")
    assert "assay:minilm" in shown.stderr
    assert "minilm" in shown.stdout
    assert "Words that carry" not in shown.stdout
    assert not assay("ask", *PAIR, "--set", "words=no", "--quiet").stderr


def test_json_has_everything(assay: Assay) -> None:
    found = json.loads(assay("ask", *PAIR, "--model", "assay:overlap", "--family", "negation", "--json").stdout)
    assert {*found} >= {"premise", "hypothesis", "label", "answers", "words", "edited", "skipped"}
    assert found["label"] is None
    assert len(found["words"]["assay:overlap/v1"]) == 12


def test_a_family_that_needs_a_label_says_so(assay: Assay) -> None:
    shown = assay("ask", *PAIR, "--model", "assay:overlap", "--family", "swap").stdout
    assert "Nothing in swap: needs the label of the pair" in shown


def test_hostile_text_stays_text(assay: Assay) -> None:
    premise = "A \x1b[31mred\x1b[0m hat\u202e and [bold]no[/bold] \x07bell."
    shown = assay("ask", premise, "A hat.", "--model", "assay:esim", "--stress", "--no-cache").stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\x07" not in shown
    assert "\\x1b[31mred" in shown
    assert "[bold]no[/bold]" in shown


def test_an_empty_text_is_refused(assay: Assay) -> None:
    assert "The hypothesis is empty" in assay("ask", "It rains.", "", code=2).stderr
