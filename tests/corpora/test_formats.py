"""Every format of the field, with examples written for the tests, in every way that it can be delivered."""

import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.corpora.files import Example, jsonl, tsv
from tests.corpora.logic_sets import LOGIC

from assay.core import registry
from assay.core.label import Label
from assay.core.pair import Pair, Parses, Problem
from assay.corpora.reader import read

WAYS = ("plain", "gzip", "zip", "zstandard", "stdin", "gzip on stdin", "zip on stdin", "zstandard on stdin")

TREES = {
    "sentence1_binary_parse": "( ( The baker ) ( ( sang loudly ) . ) )",
    "sentence2_binary_parse": "( Somebody ( sang . ) )",
    "sentence1_parse": "(ROOT (S (NP (DT The) (NN baker)) (VP (VBD sang) (ADVP (RB loudly))) (. .)))",
    "sentence2_parse": "(ROOT (S (NP (NN Somebody)) (VP (VBD sang)) (. .)))",
}
SENTENCES = {"sentence1": "The baker sang loudly.", "sentence2": "Somebody sang."}
PARSES = Parses(
    premise=TREES["sentence1_parse"],
    hypothesis=TREES["sentence2_parse"],
    premise_binary=TREES["sentence1_binary_parse"],
    hypothesis_binary=TREES["sentence2_binary_parse"],
)
FIVE = ("entailment", "entailment", "neutral", "entailment", "entailment")
NO_FIVE = {f"label{i}": "" for i in range(1, 6)}
LABELS = {f"label{i}": label for i, label in enumerate(FIVE, 1)}


SNLI = {"gold_label": "entailment", **TREES, **SENTENCES, "captionID": "17.jpg#2", "pairID": "17.jpg#2r1e"}
MNLI = {"gold_label": "entailment", **TREES, **SENTENCES, "promptID": "31", "pairID": "31e", "genre": "fiction"}
HANS = {
    "gold_label": "non-entailment",
    **TREES,
    "sentence1": "The clerk near the guard waved .",
    "sentence2": "The guard waved .",
    "pairID": "ex0",
    "heuristic": "subsequence",
    "subcase": "sn_PP_on_subject",
    "template": "temp38",
}
SICK = {"pair_ID": "1", "sentence_A": "A goat is eating a hat", "sentence_B": "A hat is being eaten"}
GLUE_RTE = {"index": "0", **SENTENCES, "label": "not_entailment"}
GLUE_MNLI = {"index": "0", "promptID": "31", "pairID": "31e", "genre": "fiction", **TREES, **SENTENCES}
SCITAIL = {"sentence1": "Ice floats on water.", "sentence2": "Ice is lighter than water."}

ANNOTATED = {"label": Label.ENTAILMENT, "parses": PARSES, "annotators": FIVE}

CASE = {
    "id": "negation/v1:7",
    "premise": "The baker sang loudly.",
    "hypothesis": "Somebody sang and false is not true.",
    "label": "entailment",
    "family": "negation",
    "variant": "",
    "group": {"genre": "fiction"},
    "origin": "7",
    "cluster": "0f",
    "provenance": {"recipe": {"transform": "negation/v1", "seed": 0}, "source": "1e", "edit": {}},
}

EXAMPLES = {
    "suite": Example(
        "cases.jsonl",
        "assay-suite/v1",
        jsonl(CASE),
        {
            "id": "negation/v1:7",
            "hypothesis": "Somebody sang and false is not true.",
            "group": {"genre": "fiction", "family": "negation"},
        },
        rows=1,
        unlabelled=0,
    ),
    "snli-jsonl": Example(
        "snli_1.0_dev.jsonl",
        "snli/v1",
        jsonl({**SNLI, "annotator_labels": FIVE}, {**SNLI, "pairID": "b", "gold_label": "-", "annotator_labels": FIVE}),
        {**ANNOTATED, "id": "17.jpg#2r1e"},
    ),
    "snli-txt": Example(
        "snli_1.0_dev.txt",
        "snli/v1",
        tsv({**SNLI, **LABELS}, {**SNLI, "pairID": "b", "gold_label": "-", **LABELS}),
        {**ANNOTATED, "id": "17.jpg#2r1e"},
    ),
    "mnli-jsonl": Example(
        "multinli_1.0_dev_matched.jsonl",
        "mnli/v1",
        jsonl({**MNLI, "annotator_labels": FIVE}, {**MNLI, "pairID": "b", "gold_label": "-", "annotator_labels": []}),
        {**ANNOTATED, "id": "31e", "group": {"genre": "fiction"}},
    ),
    "mnli-txt": Example(
        "multinli_1.0_dev_matched.txt",
        "mnli/v1",
        tsv({**MNLI, **LABELS}, {**MNLI, "pairID": "b", "gold_label": "hidden", **NO_FIVE}),
        {**ANNOTATED, "id": "31e", "group": {"genre": "fiction"}},
    ),
    "mnli-txt-more-annotators-than-header": Example(
        "multinli_1.0_train.txt",
        "mnli/v1",
        tsv({**MNLI, "label1": "entailment"}, {**MNLI, "pairID": "b", **LABELS}),
        {"id": "31e", "annotators": ("entailment",)},
        unlabelled=0,
    ),
    "glue-mnli-dev": Example(
        "dev_matched.tsv",
        "glue/v1",
        tsv(*({**GLUE_MNLI, "pairID": f"31{gold}", **LABELS, "gold_label": gold} for gold in ("entailment", "-"))),
        {**ANNOTATED, "id": "31entailment", "group": {"genre": "fiction"}},
    ),
    "glue-rte": Example(
        "dev.tsv",
        "glue/v1",
        tsv(GLUE_RTE, {**GLUE_RTE, "index": "1", "label": "entailment"}),
        {"id": "0", "label": Label.NON_ENTAILMENT},
        unlabelled=0,
    ),
    "scitail-snli": Example(
        "scitail_1.0_dev.txt",
        "scitail/v1",
        jsonl(*({**TREES, **SCITAIL, "annotator_labels": ["neutral"], "gold_label": to} for to in ("neutral", "-"))),
        {"id": "row-1", "label": Label.NEUTRAL, "annotators": ("neutral",), "parses": PARSES},
    ),
    "scitail-predictor": Example(
        "dev.jsonl",
        "scitail/v1",
        jsonl(*({**SCITAIL, "gold_label": gold, "question": "What?", "answer": "ice"} for gold in ("entails", "-"))),
        {"id": "row-1", "label": Label.ENTAILMENT},
    ),
    "scitail-tsv": Example(
        "scitail_1.0_dev.tsv",
        "scitail/v1",
        b"Ice floats on water.\tIce is lighter than \"water.\tentails\nIron sinks.\tIron is red.\tneutral\n",
        {"id": "row-1", "label": Label.ENTAILMENT, "hypothesis": 'Ice is lighter than "water.'},
        unlabelled=0,
    ),
    "scitail-dgem": Example(
        "scitail_1.0_structure_dev.tsv",
        "scitail/v1",
        b"Iron sinks.\tIron is red.\tneutral\tiron<>is<>red\nIce floats.\tIce swims.\tentails\tice<>swims\n",
        {"id": "row-1", "label": Label.NEUTRAL},
        unlabelled=0,
    ),
    "sick-semeval": Example(
        "SICK_trial.txt",
        "sick/v1",
        tsv({**SICK, "relatedness_score": "4.5", "entailment_judgment": "ENTAILMENT"},
            {**SICK, "pair_ID": "2", "relatedness_score": "1", "entailment_judgment": "CONTRADICTION"}, end="\r\n"),
        {"id": "1", "label": Label.ENTAILMENT, "group": {"relatedness_score": "4.5"}},
        unlabelled=0,
    ),
    "sick-whole": Example(
        "SICK.txt",
        "sick/v1",
        tsv({**SICK, "entailment_label": "NEUTRAL", "relatedness_score": "4.5", "SemEval_set": "TRIAL"},
            {**SICK, "pair_ID": "2", "entailment_label": "NEUTRAL", "relatedness_score": "3", "SemEval_set": "TRAIN"}),
        {"id": "1", "label": Label.NEUTRAL, "premise": "A goat is eating a hat"},
        unlabelled=0,
    ),
    "hans-txt": Example(
        "heuristics_evaluation_set.txt",
        "hans/v1",
        tsv(HANS, {**HANS, "pairID": "ex1", "gold_label": "entailment"}),
        {"id": "ex0", "label": Label.NON_ENTAILMENT, "parses": PARSES,
         "group": {"heuristic": "subsequence", "subcase": "sn_PP_on_subject", "template": "temp38"}},
        unlabelled=0,
    ),
    "hans-jsonl": Example(
        "heuristics_evaluation_set.jsonl",
        "hans/v1",
        jsonl(HANS, {**HANS, "pairID": "ex1", "gold_label": "entailment"}),
        {"id": "ex0", "label": Label.NON_ENTAILMENT, "parses": PARSES},
        unlabelled=0,
    ),
    "breaking-nli": Example(
        "dataset.jsonl",
        "breaking-nli/v1",
        jsonl(*({**SENTENCES, "category": "colors", "gold_label": "contradiction", "pairID": number,
                 "annotator_labels": ["contradiction", "neutral", "contradiction"]} for number in (7, 8))),
        {"id": "7", "label": Label.CONTRADICTION, "group": {"category": "colors"}, "unit": "somebody/the baker loudly",
         "annotators": ("contradiction", "neutral", "contradiction")},
        unlabelled=0,
    ),
}  # fmt: skip

EXAMPLES |= LOGIC


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_format_is_recognised_and_read_whole(example: Example, way: str, deliver: Callable[..., str]) -> None:
    if way.endswith("stdin") and not way.startswith("zip") and example.file == "scitail_1.0_dev.txt":
        pytest.skip("only its name tells this file from SNLI, and standard input has none")
    corpus = read(deliver(example.file, example.data, way))
    pairs = list(corpus)
    assert corpus.format == example.format
    assert corpus.rows == example.rows
    assert len(pairs) == corpus.pairs == example.rows - example.unlabelled
    assert dict(corpus.skipped) == ({"no gold label": example.unlabelled} if example.unlabelled else {})
    assert {name: getattr(pairs[0], name) for name in example.first} == example.first
    assert not corpus.problems


def test_every_format_but_those_of_other_records_is_in_the_examples() -> None:
    tested = {example.format for example in EXAMPLES.values()}
    elsewhere = {"aqua-rat/v1", "glove/v1", "pairs/v1", "stress-tests/v1", "transfer/v1"}
    own = {name for name in registry.formats.names() if registry.formats.target(name).source == "nli-assay"}
    assert tested | elsewhere == own


@pytest.mark.parametrize("way", WAYS)
def test_glue_test_files_have_no_labels(way: str, deliver: Callable[..., str]) -> None:
    corpus = read(deliver("test_matched.tsv", tsv(GLUE_MNLI, {**GLUE_MNLI, "pairID": "b"}), way))
    assert list(corpus.records()) == []
    assert (corpus.format, corpus.rows, dict(corpus.skipped)) == ("glue/v1", 2, {"no gold label": 2})


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", [["A)5", "B)7"], ["A ) 5", "B ) 7"]], ids=["raw", "tok"])
def test_aqua_rat_holds_problems(options: Sequence[str], way: str, deliver: Callable[..., str]) -> None:
    problem = Problem(
        id="row-1", question="Two and three hens?", options=tuple(options), rationale="2 + 3 = 5\nA", correct="A"
    )
    row = {name: getattr(problem, name) for name in ("question", "options", "rationale", "correct")}
    corpus = read(deliver("dev.tok.json", jsonl(row), way))
    assert list(corpus.records()) == [problem]
    assert corpus.format == "aqua-rat/v1"


def test_transfer_tasks_hold_labelled_texts(deliver: Callable[..., str]) -> None:
    corpus = read(deliver("MRPC.jsonl", jsonl({"text_a": "He left.", "text_b": "He went.", "label": 1})))
    [record] = corpus.records()
    assert (corpus.format, record.id, dict(corpus.labels)) == ("transfer/v1", "row-1", {"1": 1})


def test_glove_holds_vectors_and_a_word_may_hold_blanks(deliver: Callable[..., str]) -> None:
    numbers = " ".join(["0.5"] * 12)
    corpus = read(deliver("glove.txt", f"dog {numbers}\n. . {numbers}\nbad 0.5\n".encode()), on_error="skip")
    assert [record.id for record in corpus.records()] == ["dog", ". ."]
    assert [problem.reason for problem in corpus.problems] == ["wrong number of dimensions"]


RELEASED = [
    ("Antonym", "antonym", ("antonymy", ""), True),
    ("Length_Mismatch", "length_mismatch", ("length-mismatch", ""), True),
    ("Negation", "negation", ("negation", ""), True),
    ("Numerical_Reasoning", "quant_hard", ("numeracy", ""), False),
    ("Spelling_Error", "dev_gram_contentword_swap_perturbed", ("spelling", "content-word"), True),
    ("Spelling_Error", "dev_gram_functionword_swap_perturbed", ("spelling", "function-word"), True),
    ("Spelling_Error", "dev_gram_keyboard", ("spelling", "keyboard"), True),
    ("Spelling_Error", "dev_gram_swap", ("spelling", "adjacent-swap"), True),
    ("Word_Overlap", "taut2", ("word-overlap", ""), True),
]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The released layout: each file as jsonl and as txt; pair ids repeat and an integer label is stale."""
    root = tmp_path / "Stress Tests"
    for folder, stem, _, halves in RELEASED:
        (root / folder).mkdir(parents=True, exist_ok=True)
        for half in ("_matched", "_mismatched") if halves else ("",):
            name = root / folder / f"multinli_0.9_{stem}{half}"
            row = {**MNLI, "gold_label": "contradiction"} if halves else {**SENTENCES, "gold_label": "contradiction"}
            name.with_name(name.name + ".jsonl").write_bytes(jsonl(*[{**row, "label": 0, "genre": "travel"}] * 2))
            name.with_name(name.name + ".txt").write_bytes(tsv({**row, "genre": "travel"}))
    return root


@pytest.mark.parametrize("kind", ["folder", "zip", "zip on stdin"])
def test_stress_test_archive_gives_every_family_once(
    kind: str, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = str(archive)
    if kind != "folder":
        packed = tmp_path / "StressTests.zip"
        with zipfile.ZipFile(packed, "w") as file:
            for path in archive.rglob("*.*"):
                file.write(path, path.relative_to(tmp_path))
        source = str(packed)
    if kind == "zip on stdin":
        monkeypatch.setattr("sys.stdin", packed.open())
        source = "-"
    corpus = read(source)
    pairs = list(corpus)
    if kind == "zip on stdin":
        sys.stdin.close()
    assert corpus.format == "stress-tests/v1"
    assert len(pairs) == 2 * 17
    assert {pair.label for pair in pairs} == {Label.CONTRADICTION}
    assert len({pair.id for pair in pairs}) == len(pairs)
    found = {(pair.group["family"], pair.group.get("variant", "")) for pair in pairs}
    assert found == {family for _, _, family, _ in RELEASED}
    assert {pair.group.get("split") for pair in pairs} == {"matched", "mismatched", None}


def test_one_file_of_the_stress_tests(archive: Path) -> None:
    corpus = read(archive / "Word_Overlap" / "multinli_0.9_taut2_matched.txt")
    [pair] = corpus
    assert isinstance(pair, Pair)
    assert pair.id == "multinli_0.9_taut2_matched:2"
    assert pair.group == {"genre": "travel", "family": "word-overlap", "split": "matched"}


def test_a_path_goes_on_inside_of_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "snli_1.0.zip"
    with zipfile.ZipFile(path, "w") as file:
        for split in ("dev", "test"):
            file.writestr(f"snli_1.0/snli_1.0_{split}.jsonl", jsonl({**SNLI, "pairID": split}))
    assert [pair.id for pair in read(path / "snli_1.0" / "snli_1.0_test.jsonl")] == ["test"]
