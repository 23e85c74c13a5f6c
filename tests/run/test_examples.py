"""The most telling failures of a run."""

from pathlib import Path

import pytest
from tests.fixtures.runs import store

import assay
from assay.core.errors import BadInputError
from assay.core.judgement import Example
from assay.core.run_record import RunRecord
from assay.evaluate.accuracy import is_right
from assay.run.measure import A_MODEL, telling_examples
from assay.run.stored_run import open_run


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RunRecord]:
    out = tmp_path_factory.mktemp("runs")
    corpus = assay.read("bundled", limit=60)
    families = ["negation", "word-overlap", "swap", "heuristics"]
    models = ["assay:majority", "assay:hypothesis-words", "assay:overlap"]
    record = assay.run(corpus, families=families, models=models, out=out, per_subcase=2)
    return out / record.id, record


@pytest.fixture(scope="module")
def examples(stored: tuple[Path, RunRecord]) -> list[Example]:
    return telling_examples(*stored)


def test_every_example_is_a_failure_of_some_model(examples: list[Example]) -> None:
    assert {each.case.family for each in examples} == {"negation", "word-overlap", "swap", "heuristics"}
    for each in examples:
        assert each.failing
        for answer in each.answers.values():
            if each.case.expects == "label":
                assert answer.failed is not is_right(answer.label, each.case.compared_with)


def test_a_swapped_pair_fails_where_the_answer_should_have_moved_or_held(examples: list[Example]) -> None:
    swapped = [each for each in examples if each.case.family == "swap"]
    assert any(each.failing for each in swapped)
    for each in swapped:
        for answer in (each.answers[model] for model in each.failing):
            assert answer.source is each.source_label
            assert (answer.label is each.case.compared_with) is (each.case.expects == "drop")


def test_there_are_a_few_of_each_family_and_model(examples: list[Example], stored: tuple[Path, RunRecord]) -> None:
    assert len({each.case.id for each in examples}) == len(examples)
    models = len(stored[1].models)
    for family in {each.case.family for each in examples}:
        assert 1 <= sum(each.case.family == family for each in examples) <= A_MODEL * models


def test_what_was_right_before_the_edit_comes_first(examples: list[Example]) -> None:
    seen = [e for e in examples if e.case.family == "negation" and e.answers["assay:overlap/v1"].failed]
    assert any(e.answers["assay:overlap/v1"].source is e.source_label for e in seen)


def test_examples_of_one_model_differ(stored: tuple[Path, RunRecord]) -> None:
    found = [e for e in telling_examples(*stored, a_model=3) if e.case.family == "heuristics"]
    assert len({e.case.group["subcase"] for e in found}) >= 3


def test_they_are_the_same_every_time(stored: tuple[Path, RunRecord], examples: list[Example]) -> None:
    assert telling_examples(*stored) == examples


def test_a_claimed_label_comes_with_its_proof(examples: list[Example]) -> None:
    assert {bool(each.proof) for each in examples} == {True, False}
    for each in examples:
        assert bool(each.proof) is (each.case.expects == "label")


def test_answers_to_other_cases_are_refused(stored: tuple[Path, RunRecord], tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "run"
    shutil.copytree(stored[0], folder)
    answers = next(folder.glob("predictions/*/stress.jsonl"))
    answers.write_bytes(b"".join(answers.read_bytes().splitlines(keepends=True)[1:]))
    store(folder, stored[1])
    with pytest.raises(BadInputError, match="but the suite has"):
        telling_examples(folder, open_run(folder))


def test_source_pairs_alone_are_not_held_against_themselves(tmp_path: Path) -> None:
    corpus = assay.read("bundled", limit=30)
    record = assay.run(corpus, families="original", models="assay:overlap", out=tmp_path)
    found = telling_examples(tmp_path / record.id, record)
    assert found
    assert all(answer.source is None for each in found for answer in each.answers.values())


def test_rows_of_answers_give_the_accuracies_of_the_run(tmp_path: Path) -> None:
    """With three-way answers to HANS-style pairs, whose labels are two, too."""
    corpus = assay.read("bundled", limit=30)
    families, models = ["original", "swap", "heuristics"], ["assay:overlap", "assay:majority"]
    record = assay.run(corpus, families=families, models=models, per_subcase=2, out=tmp_path)
    rows = list(assay.answers(record))
    for (model, family), accuracy in record.find("accuracy", by=("model", "family")).items():
        own = [row["right"] for row in rows if (row["model"], row["family"]) == (model, family)]
        assert len(own) == accuracy.n
        assert sum(own) / len(own) == pytest.approx(accuracy.value)
    assert {row["right"] for row in rows if row["family"] == "swap"} == {None}
    assert {row["model"] for row in assay.answers(record, models="overlap")} == {"assay:overlap/v1"}
