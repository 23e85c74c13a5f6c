"""What a training corpus has too seldom, as a build reports it."""

import json
from pathlib import Path

import pytest
from tests.conftest import Assay

from assay.corpora.reader import read
from assay.run.build.family_sources import seen_in_training, training_notes
from assay.storage.suite import Suite

TREE = "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD slept)) (. .)))"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "train.jsonl"
    row = {"sentence1": "The judge slept.", "sentence2": "A dog ate ice cream.", "gold_label": "neutral"}
    trees = {"sentence1_parse": TREE, "pairID": "0"}
    rows = [{**row, **(trees if number == 0 else {"pairID": str(number)})} for number in range(1200)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_counts_are_the_same_with_any_number_of_workers(corpus: Path) -> None:
    one, two = seen_in_training(corpus), seen_in_training(corpus, workers=2)
    assert one == two
    assert (one.pairs, one.parsed, one.words["ice cream"], one.words["senator"]) == (1200, 1, 1200, 0)
    assert one.frames
    assert one.frames["slept (alone)"] == 1
    assert "judge" not in one.rare_words()


def test_a_users_own_words_are_counted(corpus: Path) -> None:
    assert seen_in_training(corpus, grammar='[nouns]\ndog = "dogs"\n').words["dog"] == 1200


def test_the_report_is_shown_and_kept(corpus: Path, tmp_path: Path, assay: Assay) -> None:
    shown = assay("build", "heuristics", "--per-subcase", 1, "--train", corpus, "--out", "suite")
    assert "words seen fewer than 50 times in the 1,200 pairs of train.jsonl" in shown.stdout
    notes = Suite.open(tmp_path / "suite").manifest.source.notes
    assert notes == tuple(training_notes(seen_in_training(corpus), "train.jsonl"))
    assert "senator 0" in notes[0]
    assert "slept (alone) 1" in notes[1]
    assert notes[1].startswith("frames of verbs seen fewer than 50 times in the 1,200 pairs of train.jsonl, by 1 trees")


def test_without_trees_the_report_says_so() -> None:
    corpus = read("bundled", limit=5)
    assert "not counted" in training_notes(seen_in_training(corpus), corpus.name)[1]


def test_train_and_grammar_are_for_generated_pairs(assay: Assay) -> None:
    said = assay("build", "negation", "--train", "bundled", "--out", "suite", code=2).stderr
    assert "--train is only for generated heuristics" in said


def test_more_than_a_pool_holds_is_an_error_that_names_it(assay: Assay) -> None:
    said = assay("build", "heuristics", "--per-subcase", 1373, "--out", "suite", code=2).stderr
    assert "se_understood_object has 1,372 different pairs in the evaluation split, but 1,373 were requested" in said
