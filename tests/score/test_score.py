"""Answers made elsewhere: every form, and everything that can be wrong with them."""

import gzip
import json
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random

import pytest
from tests.conftest import Assay

import assay as package
from assay.core.case import Prediction
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.core.label import Label, LabelReader
from assay.core.pair import Pair
from assay.core.run_record import RunRecord
from assay.corpora.formats.pairs import id_of_texts
from assay.reports.published.comparable_results import related_tests, same_tests
from assay.run.predict.answer_files import read_predictions
from assay.run.predict.model_names import open_model
from assay.score.score_answers import Score
from assay.stress.heuristics.build import GeneratedPairs

LABELS = ("entailment", "neutral", "contradiction", "neutral")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    rows = [
        {"id": f"p{i}", "premise": f"Ann has {i} cats.", "hypothesis": "Ann has a pet.", "label": label, "genre": "x"}
        for i, label in enumerate(LABELS)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write(folder: Path, text: str, name: str = "answers.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def json_lines(*rows: Mapping[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def figure(score: Score, **where: str) -> Estimate:
    return next(
        e for e in score.estimates if {k: v for k, v in e.slice.items() if k not in ("model", "suite")} == where
    )


FORMS = {
    "csv": ("a.csv", "id,prediction\np0,entailment\np1,neutral\np2,neutral\np3,entailment\n"),
    "tsv": ("a.tsv", "id\tlabel\np0\tentailment\np1\tneutral\np2\tneutral\np3\tentailment\n"),
    "hans": ("a.txt", "pairID,gold_label\np0,entailment\np1,neutral\np2,neutral\np3,entailment\n"),
    "jsonl": ("a.jsonl", json_lines(*({"id": f"p{i}", "prediction": p} for i, p in enumerate("enne")))),
    "another order": ("a.csv", "prediction,id\nentailment,p3\nneutral,p2\nneutral,p1\nentailment,p0\n"),
    "gold beside it": (
        "a.jsonl",
        json_lines(
            *(
                {"pairID": f"p{i}", "gold_label": "contradiction", "prediction": p, "source": "s"}
                for i, p in enumerate("enne")
            )
        ),
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_figures(form: str, corpus: Path, tmp_path: Path) -> None:
    name, text = FORMS[form]
    score = package.score(corpus, write(tmp_path, text, name))
    assert (score.cases, score.answered, score.missing, score.unknown) == (4, 4, 0, 0)
    assert figure(score, family="original").value == 0.5
    assert figure(score, family="original", label="neutral").value == 0.5
    assert figure(score, family="original", label="contradiction").value == 0.0
    assert figure(score, family="original", genre="x").n == 4
    assert {e.slice["model"] for e in score.estimates} == {name}


def test_two_numbers_as_answers_are_asked_for(corpus: Path, tmp_path: Path) -> None:
    path = write(
        tmp_path, json_lines(*({"uid": f"p{i}", "predicted": p} for i, p in enumerate((0, 1, 1, 0)))), "a.jsonl"
    )
    with pytest.raises(BadInputError, match=r"a\.jsonl: the numbers 0 \(2\) and 1 \(2\) of its answers can be read in"):
        package.score(corpus, path)
    score = package.score(corpus, path, labels={"0": "entailment", "1": "neutral"})
    assert figure(score, family="original").value == 0.5
    with pytest.raises(
        BadInputError, match=r'If 0 means not supported: --model ".*labels=0:non-entailment,1:entailment"'
    ):
        package.run(corpus, families="original", models=f"predictions:{path}", out=tmp_path / "runs")


def test_compressed_answers(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(FORMS["csv"][1].encode()))
    assert package.score(corpus, path).answered == 4


def test_a_suite_is_scored_by_its_own_ids(corpus: Path, tmp_path: Path) -> None:
    suite = package.build(["original", "negation"], corpus, out=tmp_path / "s")
    rows = [{"id": case.id, "prediction": "entailment"} for case in suite]
    score = package.score(suite.folder, write(tmp_path, json_lines(*rows), "a.jsonl"))
    assert figure(score, family="original").value == figure(score, family="negation").value == 0.25
    assert score.cases == 8


def test_names_for_labels_hold_for_answers_and_corpus(tmp_path: Path) -> None:
    corpus = write(tmp_path, "id,premise,hypothesis,label\n1,A sat.,B sat.,1\n2,A sat.,C sat.,0\n", "c.csv")
    answers = write(tmp_path, "id,prediction\n1,yep\n2,0\n")
    names = {"yep": "entailment", "1": "entailment", "0": "contradiction"}
    assert figure(package.score(corpus, answers, labels=names), family="original").value == 1.0
    with pytest.raises(BadInputError, match=r"answers\.csv:2: unknown label: 'yep'"):
        package.score(corpus, answers, labels={"1": "entailment", "0": "contradiction"})


def test_a_corpus_may_be_opened_by_hand(tmp_path: Path) -> None:
    corpus = write(tmp_path, "a,b,y\nA sat.,B sat.,neutral\n", "c.csv")
    answers = write(tmp_path, f"id,prediction\n{id_of_texts('A sat.', 'B sat.')},neutral\n")
    opened = package.read(corpus, columns={"premise": "a", "hypothesis": "b", "label": "y"})
    assert package.score(opened, answers).answered == 1


class TestMissing:
    TEXT = "id,prediction\np0,entailment\np1,neutral\n"

    def test_stop_names_some(self, corpus: Path, tmp_path: Path) -> None:
        with pytest.raises(BadInputError, match=r"no answer for 2 of 4 cases, such as 'p2', 'p3'\n.*missing='wrong'"):
            package.score(corpus, write(tmp_path, self.TEXT))

    def test_wrong_counts_them(self, corpus: Path, tmp_path: Path) -> None:
        score = package.score(corpus, write(tmp_path, self.TEXT), missing="wrong")
        assert (score.missing, score.missing_counted) == (2, "wrong")
        assert (figure(score, family="original").value, figure(score, family="original").n) == (0.5, 4)

    def test_drop_leaves_them_out(self, corpus: Path, tmp_path: Path) -> None:
        score = package.score(corpus, write(tmp_path, self.TEXT), missing="drop")
        assert (figure(score, family="original").value, figure(score, family="original").n) == (1.0, 2)

    def test_nothing_else_is_known(self, corpus: Path, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="'stop', 'wrong' or 'drop', not 'ignore'"):
            package.score(corpus, write(tmp_path, self.TEXT), missing="ignore")

    @pytest.mark.parametrize(("words", "said"), [("wrong", "counted as wrong"), ("drop", "left out")])
    def test_the_command_line_says_what_it_did(
        self, assay: Assay, corpus: Path, tmp_path: Path, words: str, said: str
    ) -> None:
        done = assay("score", corpus, write(tmp_path, self.TEXT + "p9,neutral\n"), "--missing", words)
        assert done.stderr == f"2 of 4 cases had no answer and were {said}.\n1 answers belong to no case here.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty: it has no answers"),
        ("id,prediction\n", "it has no answers"),
        ("id,prediction\np0,neutral\np1,neutral\np0,neutral\n", "1 ids are answered more than once, such as 'p0'"),
        (
            "id,prediction\nx1,neutral\nx2,neutral\n",
            r"none of its 2 answers.* 4 cases; its first id is 'x1'\n.*another",
        ),
        (
            "id,prediction\np0,perhaps\n",
            r"answers\.csv:2: unknown label: 'perhaps'\n.*--labels perhaps=LABEL, where LABEL is entailment, neutral, "
            r"contradiction, non-entailment\.$",
        ),
        ("id,prediction\np0,-\n", r"answers\.csv:2: no label in the answer"),
        ("id,answer\np0,neutral\n", r"answers\.csv:2: no column with the answer: there are 'id', 'answer'"),
        ("number,prediction\n0,neutral\n", r"answers\.csv:2: no column with the id"),
        ('{"id": "p0", "prediction": "neutral"}\n{"id"\n', r"answers\.csv:2: not JSON"),
    ],
)
def test_what_can_not_be_scored_says_why(text: str, said: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=said):
        package.score(corpus, write(tmp_path, text))


class TestSubmission:
    """The form of the stress tests' evaluator: gold label, prediction and source in one file."""

    ROWS = (
        {"gold_label": "entailment", "prediction": "entailment", "source": "negation_matched"},
        {"gold_label": "neutral", "prediction": "contradiction", "source": "negation_matched"},
        {"gold_label": "neutral", "prediction": "neutral", "source": "quant_hard"},
        {"gold_label": "neutral", "source": "quant_hard"},
    )

    def test_by_source(self, tmp_path: Path) -> None:
        score = package.score(write(tmp_path, json_lines(*self.ROWS), "sub.jsonl"), missing="wrong")
        assert figure(score, family="negation").value == 0.5
        assert figure(score, family="negation", source="negation_matched").value == 0.5
        assert figure(score, family="numeracy", source="quant_hard").value == 0.5
        assert {e.slice["family"] for e in score.estimates} == {"negation", "numeracy"}

    @pytest.mark.parametrize(
        ("source", "family", "variant", "published"),
        [
            ("mnli_dev_matched", "original", "", True),
            ("wordoverlap_mismatched", "word-overlap", "", True),
            ("dev_gram_contentword_swap_perturbed_matched", "spelling", "content-word", True),
            ("my_own_test", "submission", "", False),
            ("", "submission", "", False),
        ],
    )
    def test_a_line_is_of_the_test_that_it_names(
        self, source: str, family: str, variant: str, published: bool, tmp_path: Path
    ) -> None:
        row = {"gold_label": "neutral", "prediction": "neutral", **({"source": source} if source else {})}
        score = package.score(write(tmp_path, json_lines(row), "sub.jsonl"))
        assert {e.slice["family"] for e in score.estimates} == {family}
        assert {e.slice["variant"] for e in score.estimates if "variant" in e.slice} == {variant} - {""}
        assert same_tests(score, score.suites) == []  # the file does not say on which data
        assert {row.slice["family"] for row in related_tests(score, score.suites)} == ({family} if published else set())

    def test_an_absent_prediction_is_never_the_gold_label(self, tmp_path: Path) -> None:
        path = write(tmp_path, json_lines(*self.ROWS), "sub.jsonl")
        with pytest.raises(BadInputError, match=r"no answer for 1 of 4 cases, such as '.*sub\.jsonl:4'"):
            package.score(path)
        rows = [{**row, "pairID": f"p{i}"} for i, row in enumerate(self.ROWS)]
        texts = [{**row, "sentence1": "A sat.", "sentence2": "B sat."} for row in rows]
        corpus = write(tmp_path, json_lines(*texts), "c.jsonl")
        assert package.score(corpus, write(tmp_path, json_lines(*rows), "a.jsonl"), missing="wrong").missing == 1

    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            ([{"gold_label": "neutral", "source": "s"}], r"none of its 1 lines has a prediction\n.*SUITE\|CORPUS"),
            ([{"prediction": "neutral", "source": "s"}], r":1: no column with the gold label"),
            ([{"gold_label": "-", "prediction": "neutral"}], r":1: no gold label"),
            ([], "empty"),
        ],
    )
    def test_what_is_no_submission(self, rows: list[dict[str, object]], said: str, tmp_path: Path) -> None:
        with pytest.raises(BadInputError, match=said):
            package.score(write(tmp_path, json_lines(*rows), "sub.jsonl"))

    def test_on_the_command_line(self, assay: Assay, tmp_path: Path) -> None:
        path = write(tmp_path, json_lines(*self.ROWS[:3]), "sub.jsonl")
        rows = [line.split() for line in assay("score", path).stdout.splitlines()]
        assert ["numeracy", "quant_hard", "100.0", "~20.7-100.0", "-", "100.0", "1"] in rows


def test_reading_options_are_for_a_corpus(assay: Assay, corpus: Path, tmp_path: Path) -> None:
    answers = write(tmp_path, FORMS["csv"][1])
    assert "1 answers belong to no case" in assay("score", corpus, answers, "--limit", 3).stderr
    assay("build", "original", "--from", corpus, "--out", "s", "--workers", 1)
    refused = assay("score", "s", answers, "--limit", 3, code=2)
    assert "--limit applies to a corpus, but s is not read as one." in refused.stderr


@pytest.fixture
def hans(shared: Path, tmp_path: Path) -> Path:
    """Every tenth pair of the real evaluation set: a hundred of each subcase."""
    with gzip.open(shared / "hans" / "heuristics_evaluation_set.txt.gz", "rt", encoding="utf-8") as file:
        head, *rows = file
    return write(tmp_path, head + "".join(rows[::10]), "hans.txt")


def test_hans_by_heuristic_and_label(assay: Assay, hans: Path, tmp_path: Path) -> None:
    lines = "".join(f"{pair.id},entailment\n" for pair in package.read(hans))
    answers = write(tmp_path, f"pairID,gold_label\n{lines}", "a.txt")
    rows = [line.split() for line in assay("score", hans, answers).stdout.splitlines()]
    assert ["heuristic", "accuracy", "95%", "entailment", "non-entailment", "cases"] in rows
    for heuristic in ("lexical_overlap", "subsequence", "constituent"):
        assert [*heuristic.split("_"), "50.0", "46.9-53.1", "100.0", "0.0", "1,000"] in rows
    assert ["ln_passive", "0.0", "0.0-3.7", "-", "0.0", "100"] in rows


PROBABILITIES = {
    "json": ("p.jsonl", '{"id": "p0", "probabilities": {"contradiction": 0.1, "entailment": 0.7, "neutral": 0.2}}\n'),
    "columns": ("p.csv", "id,contradiction,entailment,neutral\np0,0.1,0.7,0.2\n"),
    "label too": ("p.tsv", "id\tprediction\tneutral\tentailment\tcontradiction\np0\tentailment\t0.2\t0.7\t0.1\n"),
}


@pytest.mark.parametrize(("name", "text"), PROBABILITIES.values(), ids=PROBABILITIES)
def test_probabilities_are_read_by_name(tmp_path: Path, name: str, text: str) -> None:
    found = read_predictions(str(write(tmp_path, text, name)), reader=LabelReader())
    shares = {Label.ENTAILMENT: 0.7, Label.NEUTRAL: 0.2, Label.CONTRADICTION: 0.1}
    assert found == {"p0": Prediction(id="p0", label=Label.ENTAILMENT, probabilities=shares)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id": "p0", "probabilities": [0.1, 0.2, 0.7]}\n', "not numbers"),
        ('{"id": "p0", "probabilities": {"entailment": "x"}}\n', "not numbers"),
        ('{"id": "p0", "probabilities": {"entailment": 3.1, "neutral": -2.1}}\n', "do not add up to 1"),
        ('{"id": "p0", "probabilities": {"entailment": 0.5, "neutral": 0.2}}\n', "do not add up to 1"),
        ('{"id": "p0", "probabilities": {"entailment": NaN}}\n', "not JSON"),
    ],
)
def test_wrong_probabilities_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_predictions(str(write(tmp_path, text, "p.jsonl")), reader=LabelReader())


COLUMNS = "id,prediction,entailment,neutral,contradiction\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{COLUMNS}p0,entailment,0.7,0.2,0.1\np1,neutral,0.7,0.2,0.1\n", "'p1' is neutral.*label is entailment"),
        (f"{COLUMNS}p0,entailment,0.7,0.2,0.1\np1,non-entailment,0.4,0.3,0.3\n", "'p1' is non-entailment"),
        ("id,label,entailment,non-entailment\np0,neutral,0.3,0.7\np1,neutral,0.7,0.3\n", "'p1' is neutral"),
        ("id,label,entailment,contradiction\np0,contradiction,0,1\np1,neutral,0.2,0.8\n", "'p1' is neutral"),
    ],
)
def test_a_label_that_is_not_the_most_probable_one_is_refused(
    text: str, said: str, corpus: Path, tmp_path: Path
) -> None:
    path = write(tmp_path, text)
    where = rf"answers\.csv:3: the answer to {said}.*\n  Leave out the label"
    with pytest.raises(BadInputError, match=where):
        package.score(corpus, path)
    with pytest.raises(BadInputError, match=where):
        open_model(f"predictions:{path}")


@pytest.mark.parametrize("row", ["neutral,0.4,0.4,0.2", "non-entailment,0.4,0.5,0.1", "non-entailment,0.4,0.4,0.2"])
def test_ties_and_two_labels_for_three_are_accepted(row: str, tmp_path: Path) -> None:
    (found,) = read_predictions(str(write(tmp_path, f"{COLUMNS}p0,{row}\n")), reader=LabelReader()).values()
    assert found.label.value == row.split(",")[0]


def released_style(hans: Path, folder: Path) -> tuple[list[Pair], dict[str, str], Path]:
    """The pairs, three-way answers to them in the format of the release, and where they are."""
    pairs = list(package.read(hans))
    chance = Random(5)
    answers = {pair.id: chance.choice(["entailment", "entailment", "neutral", "contradiction"]) for pair in pairs}
    order = list(answers)
    chance.shuffle(order)
    lines = "".join(f"{each},{answers[each]}\n" for each in order)
    return pairs, answers, write(folder, f"pairID,gold_label\n{lines}", "bert_preds.txt")


def test_hans_is_scored_as_its_release_does(hans: Path, tmp_path: Path, assay: Assay) -> None:
    pairs, answers, path = released_style(hans, tmp_path)
    found = json.loads(assay("score", hans, path, "--json").stdout)
    figures = {
        tuple(sorted((k, v) for k, v in e["slice"].items() if k not in ("model", "suite", "family"))): e["value"]
        for e in found["estimates"]
        if e["name"] == "accuracy"
    }
    for group in ("heuristic", "subcase"):
        right: Counter[tuple[tuple[str, str], ...]] = Counter()
        total: Counter[tuple[tuple[str, str], ...]] = Counter()
        for pair in pairs:
            key = tuple(sorted({group: pair.group[group], "label": pair.label.value}.items()))
            total[key] += 1
            right[key] += (answers[pair.id] == "entailment") == (pair.label.value == "entailment")
        assert {key: right[key] / n for key, n in total.items()} == {key: figures[key] for key in total}
    templates = {e["slice"]["template"]: e["n"] for e in found["estimates"] if "template" in e["slice"]}
    assert len(templates) == 60
    counted = [e for e in found["estimates"] if {"template"} == set(e["slice"]) - {"model", "suite", "family"}]
    assert sum(e["n"] for e in counted) == 3_000
    shown = assay("score", hans, path).stdout
    assert all(name in shown for name in ("lexical overlap", "cn_embedded_under_if", "temp68"))


def test_a_pair_of_no_template_is_scored_all_the_same(tmp_path: Path) -> None:
    head = "gold_label\tsentence1\tsentence2\tpairID\theuristic\tsubcase\ttemplate\n"
    rows = "entailment\tIt rains .\tIt is wet .\tex0\town\tmine\t\n"
    corpus = write(tmp_path, head + rows, "own.txt")
    score = package.score(corpus, write(tmp_path, "pairID,gold_label\nex0,entailment\n"))
    assert figure(score, family="original", subcase="mine").value == 1.0
    assert not any("template" in e.slice for e in score.estimates)


def test_a_score_of_swapped_pairs_has_the_table_and_the_verdicts(tmp_path: Path, assay: Assay) -> None:
    suite = package.build("swap", package.read("bundled", limit=300), out=tmp_path / "swapped")
    write(tmp_path, "id,prediction\n" + "".join(f"{case.id},entailment\n" for case in suite))
    shown = assay("score", "swapped", "answers.csv").stdout
    (row,) = (line.split() for line in shown.splitlines() if line.strip().startswith("entailment"))
    assert row[1:4] == ["100.0", "100.0", "+0.0"]
    assert "when the sides are swapped, entailment does not drop" in shown
    found = json.loads(assay("score", "swapped", "answers.csv", "--json").stdout)["estimates"]
    assert {e["name"] for e in found if e["slice"]["family"] == "swap"} == {
        "kept",
        "source",
        "drop",
        "mcnemar",
        "holm",
        "answers",
    }


def test_three_way_answers_to_a_two_way_set_are_read_as_asked(tmp_path: Path, assay: Assay) -> None:
    package.build("heuristics", GeneratedPairs(1), out=tmp_path / "two-way")
    ids = [case.id for case in package.Suite.open(tmp_path / "two-way")]
    write(
        tmp_path,
        "id,entailment,neutral,contradiction\n" + "".join(f"{each},0.4,0.3,0.3\n" for each in ids),
    )
    for how, expected in (
        ("argmax", {"entailment": 1.0, "non-entailment": 0.0}),
        ("sum", {"entailment": 0.0, "non-entailment": 1.0}),
    ):
        done = assay("score", "two-way", "answers.csv", "--json", "--set", f"collapse={how}")
        found = json.loads(done.stdout)["estimates"]
        by_label = {
            e["slice"]["label"]: e["value"]
            for e in found
            if e["name"] == "accuracy" and set(e["slice"]) == {"model", "suite", "family", "label"}
        }
        assert by_label == expected


class TestIdsOfPairs:
    """Answers to released pairs have the pairs' own ids, and a suite prefixes them."""

    @pytest.fixture
    def hans(self, tmp_path: Path) -> Path:
        """Pairs as HANS is released: with subcases, without templates."""
        head = "gold_label\tsentence1\tsentence2\tpairID\theuristic\tsubcase\ttemplate\n"
        rows = [
            (each.label, each.premise, each.hypothesis, each.id, each.group["heuristic"], each.group["subcase"], "")
            for each in GeneratedPairs(1)
        ]
        return write(tmp_path, head + "".join("\t".join(row) + "\n" for row in rows), "hans.txt")

    @pytest.fixture
    def answers(self, tmp_path: Path) -> Path:
        return write(tmp_path, "pairID,gold_label\n" + "".join(f"ex{i},entailment\n" for i in range(30)))

    @staticmethod
    def figures(score: Score | RunRecord) -> dict[tuple[str, frozenset[tuple[str, str]]], float | None]:
        named = {"model", "suite"}
        return {
            (e.name, frozenset((k, v) for k, v in e.slice.items() if k not in named)): e.value for e in score.estimates
        }

    def test_a_suite_of_pairs_is_scored_and_run_as_its_corpus(self, hans: Path, answers: Path, tmp_path: Path) -> None:
        suite = package.build("original", hans, out=tmp_path / "suite")
        plain = package.score(hans, answers)
        assert sum("template" in e.slice for e in plain.estimates) > 0
        scored = package.score(suite.folder, answers)
        assert (scored.answered, scored.unknown) == (30, 0)
        record = package.run(suites=[suite.folder], models=f"predictions:{answers}", out=tmp_path / "runs")
        assert self.figures(plain) == self.figures(scored) == self.figures(record)
        assert record.models[0].notes == ()
        (file,) = (tmp_path / "runs" / record.id / "predictions").rglob("*.jsonl")
        assert [json.loads(line)["id"] for line in file.read_text().splitlines()] == [case.id for case in suite]

    def test_heuristics_are_answered_by_the_ids_that_their_export_has(self, answers: Path, tmp_path: Path) -> None:
        suite = package.build("heuristics", GeneratedPairs(1), out=tmp_path / "suite")
        assert package.score(suite.folder, answers).answered == 30

    def test_only_cases_that_are_their_pairs_go_by_the_pairs_ids(self, corpus: Path, tmp_path: Path) -> None:
        suite = package.build(["original", "negation"], corpus, out=tmp_path / "suite")
        rows = FORMS["csv"][1]
        with pytest.raises(BadInputError, match=r"no answer for 4 of 8 cases, such as 'negation/v1:p0'"):
            package.score(suite.folder, write(tmp_path, rows))
        mixed = rows + "".join(f"{case.id},neutral\n" for case in suite if case.family == "negation")
        score = package.score(suite.folder, write(tmp_path, mixed))
        assert (score.answered, score.unknown) == (8, 0)
        both = mixed + "original/v1:p0,contradiction\n"
        score = package.score(suite.folder, write(tmp_path, both))
        assert score.unknown == 1
        assert figure(score, family="original").value == 0.25

    @pytest.mark.parametrize("swapped", [False, True])
    def test_an_id_that_could_mean_two_cases_is_refused(self, swapped: bool, tmp_path: Path) -> None:
        rows = [
            {"id": "p0", "premise": "Ann has a cat.", "hypothesis": "Ann has a pet.", "label": "entailment"},
            {"id": "negation/v1:p0", "premise": "Bob sat.", "hypothesis": "Bob stood.", "label": "contradiction"},
        ]
        corpus = write(tmp_path, json_lines(*(rows[::-1] if swapped else rows)), "corpus.jsonl")
        suite = package.build(["original", "negation"], corpus, out=tmp_path / "suite")
        own = [{"id": case.id, "prediction": "neutral"} for case in suite]
        assert package.score(suite.folder, write(tmp_path, json_lines(*own), "own.jsonl")).answered == 4
        few = [row for row in own if row["id"] != "original/v1:negation/v1:p0"]
        with pytest.raises(BadInputError, match=r"the answer 'negation/v1:p0' could belong to two cases with"):
            package.score(suite.folder, write(tmp_path, json_lines(*few), "few.jsonl"))

    def test_suites_that_share_ids_are_not_answered_by_one_file(
        self, hans: Path, answers: Path, tmp_path: Path
    ) -> None:
        first = package.build("original", hans, out=tmp_path / "first")
        again = package.build("original", hans, out=tmp_path / "again")
        other = package.build("heuristics", GeneratedPairs(1, seed=1), out=tmp_path / "other")
        bench = partial(package.run, models=f"predictions:{answers}", out=tmp_path / "runs")
        assert len(bench(suites=[first.folder, again.folder]).models[0].files) == 2
        with pytest.raises(BadInputError, match=r"the answer 'ex0' could belong to two cases with different texts"):
            bench(suites=[first.folder, other.folder])
