"""Logs of other tools, made by the tools themselves with tools/log_fixtures.py."""

import importlib.util
import json
import shutil
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from statsmodels.stats.contingency_tables import mcnemar

import assay
from assay.core.errors import BadInputError
from assay.core.registry import split_alias

LOGS = Path(__file__).parents[1] / "fixtures/logs"


def maker() -> ModuleType:
    """The tool that made the logs, which knows what is in them."""
    spec = importlib.util.spec_from_file_location("log_fixtures", Path(__file__).parents[2] / "tools/log_fixtures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MADE = maker()


@pytest.mark.parametrize(
    ("name", "answers", "has_ids"),
    [
        ("inspect-first.eval", "first", True),
        ("inspect-second.eval", "second", True),
        ("inspect-free.json", "first", True),
        ("deepeval-labels.json", "first", True),
        ("promptfoo.json", "first", False),
        ("promptfoo.jsonl", "first", False),
    ],
)
def test_gold_answer_and_id_of_every_case_are_those_of_the_log(
    tmp_path: Path, name: str, answers: str, has_ids: bool
) -> None:
    path = str(LOGS / name)
    pairs = list(assay.read(path))
    expected = MADE.PAIRS[: len(pairs)]
    assert len(pairs) in (3, len(MADE.PAIRS))
    assert [(pair.premise, pair.hypothesis, pair.label) for pair in pairs] == expected
    if has_ids:
        assert [pair.id for pair in pairs] == [f"pair-{number}" for number in range(len(pairs))]
    record = assay.run(path, families=["original"], models=[f"predictions:{path}"], out=tmp_path)
    said = {row["source"]: row["prediction"] for row in assay.answers(record)}
    assert [said[pair.id] for pair in pairs] == MADE.ANSWERS[answers][: len(pairs)]


def test_likelihoods_of_choices_become_probabilities() -> None:
    rows = [json.loads(line) for line in (LOGS / "samples_nli.jsonl").read_text().splitlines()]
    score = assay.score(LOGS / "samples_nli.jsonl")
    accuracy = next(each.value for each in score.estimates if each.name == "accuracy")
    assert accuracy == pytest.approx(sum(row["acc"] for row in rows) / len(rows))  # what the harness itself measured
    assert any(each.name == "brier" for each in score.estimates)


def test_scores_of_a_metric_are_support_scores() -> None:
    score = assay.score(LOGS / "deepeval-support.json")
    supported = [label == "entailment" for _, _, label in MADE.PAIRS]
    said = [label == "entailment" for label in MADE.ANSWERS["first"]]
    right = sum(one is other for one, other in zip(supported, said, strict=True)) / len(said)
    assert next(each.value for each in score.estimates if each.name == "accuracy") == pytest.approx(right)


def test_two_logs_are_compared_with_mcnemars_test() -> None:
    found = assay.compare(LOGS / "inspect-first.eval", LOGS / "inspect-second.eval")
    (row,) = [each for each in found.comparisons[0].slices if "label" not in each.slice]
    gold = [label for _, _, label in MADE.PAIRS]
    before, after = ([a == b for a, b in zip(gold, MADE.ANSWERS[name], strict=True)] for name in ("first", "second"))
    table = [
        [sum(a is x and b is y for a, b in zip(before, after, strict=True)) for y in (True, False)]
        for x in (True, False)
    ]
    assert row.p == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert row.p is not None
    assert row.p < 0.5


def test_the_log_of_an_exported_suite_is_scored_against_the_suite(tmp_path: Path) -> None:
    suite = assay.build(["original", "negation"], assay.read("bundled", limit=12), out=tmp_path / "suite")
    task = assay.export(tmp_path / "suite", "inspect", out=tmp_path / "task")
    cases = [json.loads(line) for line in (task / "cases.jsonl").read_text().splitlines()]
    answers = ["entailment" if place % 2 == 0 else "contradiction" for place in range(len(cases))]
    right = {
        family: [
            case["label"] == answer for case, answer in zip(cases, answers, strict=True) if case["family"] == family
        ]
        for family in ("original", "negation")
    }
    found = assay.score(tmp_path / "suite", LOGS / "inspect-exported.eval")
    assert (found.answered, found.missing, found.gold_differs) == (len(suite), 0, 0)
    whole = [e for e in found.estimates if e.name == "accuracy" and e.slice.keys() == {"model", "suite", "family"}]
    assert {e.slice["family"]: e.value for e in whole} == {
        family: pytest.approx(sum(own) / len(own)) for family, own in right.items()
    }
    alone = assay.score(LOGS / "inspect-exported.eval")
    same = [e for e in alone.estimates if e.name == "accuracy" and e.slice.keys() == {"model", "suite", "family"}]
    assert [(e.slice["family"], e.value, e.n) for e in same] == [(e.slice["family"], e.value, e.n) for e in whole]


def test_samples_of_an_exported_suite_are_scored_as_a_folder(tmp_path: Path) -> None:
    suite = assay.build(["original", "negation"], assay.read("bundled", limit=12), out=tmp_path / "suite")
    shutil.copytree(LOGS / "lm-eval-exported", tmp_path / "samples")
    (tmp_path / "samples" / "results_2026.json").write_text('{\n  "results": {}\n}')  # the harness writes it there
    measured = {}  # by the harness itself
    for file in (tmp_path / "samples").glob("samples_*.jsonl"):
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        measured[rows[0]["doc"]["family"]] = sum(row["acc"] for row in rows) / len(rows)
    assert measured.keys() == {"original", "negation"}
    for found in (assay.score(tmp_path / "suite", tmp_path / "samples"), assay.score(tmp_path / "samples")):
        assert (found.answered, found.missing, found.gold_differs) == (len(suite), 0, 0)
        whole = [e for e in found.estimates if e.name == "accuracy" and e.slice.keys() == {"model", "suite", "family"}]
        assert {e.slice["family"]: e.value for e in whole} == pytest.approx(measured)


def test_logs_of_two_tools_are_compared_by_the_families_of_the_suite(tmp_path: Path) -> None:
    assay.build(["original", "negation"], assay.read("bundled", limit=12), out=tmp_path / "suite")
    logs = (LOGS / "inspect-exported.eval", LOGS / "lm-eval-exported")
    (found,) = assay.compare(tmp_path / "suite", *logs).comparisons
    assert (split_alias(found.baseline).alias, split_alias(found.candidate).alias) == (
        "inspect-exported",
        "lm-eval-exported",
    )
    families = [row for row in found.slices if "label" not in row.slice]
    assert [(row.slice["family"], row.n) for row in families] == [("original", 12), ("negation", 12)]


def test_a_log_is_scored_against_a_corpus(tmp_path: Path) -> None:
    corpus = tmp_path / "pairs.jsonl"
    rows = [{"premise": p, "hypothesis": h, "label": label} for p, h, label in MADE.PAIRS]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = assay.score(corpus, LOGS / "promptfoo.json")
    assert found.answered == len(MADE.PAIRS)
    assert found.gold_differs == 0


def test_an_answer_that_names_no_label_is_missing(tmp_path: Path) -> None:
    log = json.loads((LOGS / "deepeval-labels.json").read_text())
    log["testCases"][0]["actualOutput"] = "I can't tell."
    (tmp_path / "run.json").write_text(json.dumps(log))
    assert assay.score(tmp_path / "run.json", missing="wrong").missing == 1


def test_answers_of_several_providers_are_refused(tmp_path: Path) -> None:
    lines = (LOGS / "promptfoo.jsonl").read_text().splitlines()
    other = json.loads(lines[0]) | {"provider": {"id": "other"}}
    (tmp_path / "two.jsonl").write_text("\n".join([*lines, json.dumps(other)]))
    with pytest.raises(BadInputError, match=r"answers of 2 providers or prompts: echo, other"):
        assay.score(tmp_path / "two.jsonl")


def test_a_damaged_log_is_named(tmp_path: Path) -> None:
    shutil.copyfile(LOGS / "inspect-first.eval", tmp_path / "cut.eval")
    with (tmp_path / "cut.eval").open("r+b") as file:
        file.truncate(9000)
    with pytest.raises(BadInputError, match=r"cut\.eval:1.*not readable as \.eval"):
        assay.score(tmp_path / "cut.eval")


def test_an_archive_without_labels_says_so(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.eval", "w") as archive:
        archive.writestr(
            "samples/1_epoch_1.json", json.dumps({"id": 1, "input": "Hello", "target": "Hi", "scores": {}})
        )
    with pytest.raises(BadInputError, match="'Hi'"):
        assay.score(tmp_path / "other.eval")
