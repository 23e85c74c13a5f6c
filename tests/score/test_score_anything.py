"""Answers as other projects write them: without ids, with numbers for labels and lists of scores."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.conftest import Assay

import assay as package
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.core.label import Label, LabelReader
from assay.run.predict.answer_files import read_predictions

TEXTS = (
    ("Ann sat on a bench.", "Ann sat."),
    ("Ben ate an apple.", "Ben was hungry."),
    ("Cem ran home.", "Cem never moved."),
    ("Ann sat on a bench.", "Ann sat."),
)
GOLD = (0, 1, 2, 0)


def course_file(path: Path, answers: Sequence[int], scores: Sequence[Sequence[float]] | None = None) -> Path:
    """A file in the form of a course project's evaluation."""
    rows = [
        {
            "premise": premise,
            "hypothesis": hypothesis,
            "label": gold,
            "predicted_scores": list(scores[i]) if scores else [3.0 if k == answer else -1.0 for k in range(3)],
            "predicted_label": answer,
        }
        for i, ((premise, hypothesis), gold, answer) in enumerate(zip(TEXTS, GOLD, answers, strict=True))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def accuracy(estimates: Sequence[Estimate], **where: str) -> float | None:
    return next(
        e.value
        for e in estimates
        if e.name == "accuracy" and {k: v for k, v in e.slice.items() if k not in ("model", "suite")} == where
    )


class TestCourseProject:
    def test_one_file_is_enough_and_says_how_numbers_were_read(self, assay: Assay, tmp_path: Path) -> None:
        path = course_file(tmp_path / "eval_predictions.jsonl", (0, 1, 1, 0))
        done = assay("score", path)
        assert ["submission", "75.0"] in [line.split()[:2] for line in done.stdout.splitlines()]
        said = done.stderr
        assert "numeric labels were read as 0=entailment, 1=neutral, 2=contradiction; --labels 0=LABEL" in said
        assert "gold labels by number: 0 (2), 1 (1), 2 (1); answers by number: 0 (2), 1 (2)" in said
        assert "in all 4 lines, the highest of predicted_scores is the one with the number of the answer" in said
        assert "accuracy over all labels does not depend on what the numbers mean" in said

    def test_right_labels_that_differ_from_the_corpus_are_reported(self, assay: Assay, tmp_path: Path) -> None:
        path = course_file(tmp_path / "eval_predictions.jsonl", (0, 1, 1, 0))
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        corpus = tmp_path / "corpus.jsonl"
        labels = ("entailment", "neutral", "entailment", "entailment")
        kept = [{**row, "label": label} for row, label in zip(rows, labels, strict=True)]
        corpus.write_text("".join(json.dumps(row) + "\n" for row in kept))
        differs = "1 of the 4 right labels in it differ from those of"
        said = "is contradiction in the file and entailment here"
        scored = assay("score", corpus, path)
        assert differs in scored.stderr
        assert said in scored.stderr
        assert package.score(corpus, path).gold_differs == 1
        assert package.score(path, path).gold_differs == 0
        run = assay(
            "run", "--from", corpus, "--family", "original", "--model", f"predictions:{path}", "--out", tmp_path
        )
        assert differs in run.stderr + run.stdout.replace("\n", " ")

    def test_labels_beside_scores_are_not_called_wrong_gold_labels(self, assay: Assay, tmp_path: Path) -> None:
        """They may be the model's answers, which a file with scores has in another column."""
        labels = ("supported", "not supported") * 20
        head, texts = "id,evidence,claim,label", "It rains in town {0}.,Rain falls in town {0}."
        corpus, answers, same = (tmp_path / f"{name}.csv" for name in ("claims", "answers", "same"))
        corpus.write_text("\n".join([head, *(f"c{n},{texts.format(n)},{each}" for n, each in enumerate(labels))]))
        answers.write_text("\n".join(["id,label,score", *(f"c{n},supported,0.{50 + n}" for n in range(len(labels)))]))
        same.write_text("\n".join(["id,label,score", *(f"c{n},{each},0.{50 + n}" for n, each in enumerate(labels))]))
        said = "its labels are not read, because it has scores: if they are the model's answers, call their column"
        shown = " ".join(assay("score", corpus, answers).stderr.split())
        assert said in shown
        assert "right labels" not in shown
        assert package.score(corpus, answers).gold_differs == 0
        run = assay(
            "run", "--from", corpus, "--family", "original", "--model", f"predictions:{answers}", "--out", tmp_path
        )
        shown = " ".join(f"{run.stderr} {run.stdout}".split())
        assert said in shown
        assert "right labels" not in shown
        assert said not in assay("score", corpus, same).stderr

    def test_right_labels_agree_if_only_one_side_has_three(self, tmp_path: Path) -> None:
        path = course_file(tmp_path / "eval_predictions.jsonl", (0, 1, 1, 0))
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        corpus = tmp_path / "corpus.jsonl"
        two = ("entailment", "non-entailment", "non-entailment", "entailment")
        kept = [{**row, "label": label} for row, label in zip(rows, two, strict=True)]
        corpus.write_text("".join(json.dumps(row) + "\n" for row in kept))
        assert package.score(corpus, path).gold_differs == 0

    def test_names_for_the_numbers_change_figures_by_label_only(self, tmp_path: Path) -> None:
        path = course_file(tmp_path / "a.jsonl", (0, 1, 1, 0))
        names = {"0": "contradiction", "1": "neutral", "2": "entailment"}
        for score, wrong in ((package.score(path), "contradiction"), (package.score(path, labels=names), "entailment")):
            assert accuracy(score.estimates, family="submission") == 0.75
            assert accuracy(score.estimates, family="submission", label=wrong) == 0.0

    def test_scores_become_probabilities_by_label(self, tmp_path: Path) -> None:
        path = course_file(tmp_path / "a.jsonl", (0, 1, 1, 0), [(2.0, 0.0, 0.0), (0, 1, 0), (0, 1, 0), (0.6, 0.3, 0.1)])
        first, *_, last = read_predictions(str(path), reader=LabelReader()).values()
        shares = {Label.ENTAILMENT: 0.786986, Label.NEUTRAL: 0.106507, Label.CONTRADICTION: 0.106507}
        assert first.probabilities == shares  # softmax of 2, 0, 0
        assert last.probabilities == {Label.ENTAILMENT: 0.6, Label.NEUTRAL: 0.3, Label.CONTRADICTION: 0.1}

    def test_scores_in_another_order_than_the_labels_are_refused(self, tmp_path: Path) -> None:
        path = course_file(tmp_path / "a.jsonl", (0, 1, 2, 0), [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, 1)])
        with pytest.raises(BadInputError, match=r"a\.jsonl:1: the answer is entailment, but its most probable label"):
            package.score(path)

    def test_two_scores_are_not_guessed(self, tmp_path: Path) -> None:
        path = course_file(tmp_path / "a.jsonl", (0, 1, 1, 0), [(1, 0), (0, 1), (0, 1), (1, 0)])
        with pytest.raises(BadInputError, match=r"2 predicted_scores: .* unclear .*\n.*--labels 0=entailment,1=non-"):
            package.score(path)

    def test_two_gold_numbers_raise_the_question(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text('{"label": 0, "predicted_label": 0}\n{"label": 1, "predicted_label": 2}\n')
        assert any("no gold label is 2" in note for note in package.score(path).notes)
        names = {"0": "entailment", "1": "non-entailment", "2": "non-entailment"}
        assert accuracy(package.score(path, labels=names).estimates, family="submission") == 1.0


def test_one_file_of_labels_and_support_scores(tmp_path: Path) -> None:
    path = tmp_path / "claims.csv"
    path.write_text(
        "claim,evidence,Hallucinated,score\nA sat.,A sat.,no,0.9\nB sat.,A sat.,yes,0.4\nC sat.,C.,no,0.35\n"
    )
    for threshold, expected in ((0.5, 2 / 3), (0.3, 2 / 3), (0.38, 1 / 3)):
        found = package.score(path, threshold=threshold)
        assert accuracy(found.estimates, family="submission") == pytest.approx(expected)
    path.write_text("label,score\nsupported,0.9\nunsupported,1.4\n")
    with pytest.raises(BadInputError, match=r"claims\.csv:3: the score: .*1\.4"):
        package.score(path)


class TestMatchingByTexts:
    def test_answers_without_ids_in_order_where_texts_repeat(self, tmp_path: Path) -> None:
        corpus = course_file(tmp_path / "corpus.jsonl", (0, 0, 0, 0))
        answers = course_file(tmp_path / "a.jsonl", (0, 1, 2, 1))
        score = package.score(corpus, answers)
        assert (score.answered, score.missing, score.unknown) == (4, 0, 0)
        assert accuracy(score.estimates, family="original") == 0.75
        assert accuracy(score.estimates, family="original", label="entailment") == 0.5

    def test_the_order_of_lines_does_not_matter(self, tmp_path: Path) -> None:
        corpus = course_file(tmp_path / "corpus.jsonl", (0, 0, 0, 0))
        answers = course_file(tmp_path / "a.jsonl", (0, 1, 2, 0))
        answers.write_text("".join(reversed(answers.read_text().splitlines(keepends=True))))
        assert accuracy(package.score(corpus, answers).estimates, family="original") == 1.0

    def test_one_answer_serves_every_case_with_its_texts(self, tmp_path: Path) -> None:
        corpus = course_file(tmp_path / "corpus.jsonl", (0, 0, 0, 0))
        answers = course_file(tmp_path / "a.jsonl", (0, 1, 2, 0))
        answers.write_text("".join(answers.read_text().splitlines(keepends=True)[:3]))
        assert package.score(corpus, answers).answered == 4

    def test_other_texts_are_said_to_differ(self, tmp_path: Path) -> None:
        corpus = tmp_path / "c.csv"
        corpus.write_text("premise,hypothesis,label\nIt rains.,It is wet.,entailment\n")
        with pytest.raises(BadInputError, match="the answers have no ids, and no texts are equal"):
            package.score(corpus, course_file(tmp_path / "a.jsonl", (0, 1, 2, 1)))

    def test_two_files_meet_in_a_run(self, assay: Assay, tmp_path: Path) -> None:
        first = course_file(tmp_path / "first.jsonl", (0, 1, 2, 1))
        second = course_file(tmp_path / "second.jsonl", (1, 1, 0, 1))
        models = ("--model", f"predictions:{first}", "--model", f"predictions:{second}")
        assay("run", "--from", first, "--family", "original", *models, "--no-report", "--workers", 1)
        told = assay("compare", "runs", "--model", f"predictions:{first}", "--model", f"predictions:{second}").stdout
        assert "original" in told


def test_all_unknown_labels_of_the_answers_are_listed_at_once(tmp_path: Path) -> None:
    corpus = course_file(tmp_path / "corpus.jsonl", (0, 0, 0, 0))
    answers = tmp_path / "a.csv"
    answers.write_text("id,prediction\nrow-1,perhaps\nrow-2,surely\nrow-3,perhaps\n")
    with pytest.raises(
        BadInputError, match=r"a\.csv:2: .*'perhaps' \(2\), 'surely' \(1\)\n.*--labels perhaps=LABEL,sur"
    ):
        package.score(corpus, answers)


def test_a_model_can_be_scored_by_its_name() -> None:
    pairs = package.read("bundled", limit=30)
    found = package.score(pairs, "assay:majority")
    assert found.answered == 30
    assert accuracy(found.estimates, family="original") == pytest.approx(1 / 3)
    with pytest.raises(UserError, match=r"no file majority\. The model is called assay:majority\."):
        package.score(pairs, "majority")


def test_a_model_in_place_of_a_file_of_answers_is_recognised(assay: Assay) -> None:
    done = assay("score", "bundled", "assay:overlap", code=2)
    assert "assay run --from PAIRS --family original --model assay:overlap" in done.stderr
