"""One support score as an answer, from every kind of model that can give one."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import case

from assay.core.case import Answer
from assay.core.errors import BadInputError, ModelError
from assay.core.label import Label
from assay.core.protocols import Texts
from assay.models.adapters.cmd import Command
from assay.models.adapters.label_order import Declared, Positional, detect, self_evident, write_labels
from assay.models.adapters.python import PythonFunction
from assay.score.answer_matching import Predictions

E, _, _, NOT_E = Label
KNOWN = {tuple(each.texts): float(each.label is E) for each in self_evident()}
PAIR = Texts("It rains.", "It pours.")

Function = Callable[[list[tuple[str, str]]], object]


def knowing(pairs: list[tuple[str, str]]) -> list[float]:
    """Right about the self-evident pairs, and sure of nothing else."""
    return [0.1 + 0.8 * KNOWN.get(pair, 0.375) for pair in pairs]


def asked(function: Function, *pairs: Texts, **options: object) -> list[Answer]:
    model = PythonFunction(function, **options)  # type: ignore[arg-type]
    return model.answer(model.ready(pairs or [PAIR]), width=1)


@pytest.mark.parametrize(
    "function",
    [
        knowing,
        lambda pairs: np.array(knowing(pairs), dtype=np.float32),
        lambda pairs: np.array(knowing(pairs))[:, None],
        lambda pairs: [np.float64(score) for score in knowing(pairs)],
        lambda pairs: [{"score": score} for score in knowing(pairs)],
        lambda pairs: [{"support": score} for score in knowing(pairs)],
    ],
)
def test_a_function_gives_scores(function: Function) -> None:
    (low,) = asked(function)
    (high,) = asked(function, threshold=0.4)
    assert low.label is NOT_E
    assert high.label is E
    assert low.probabilities == high.probabilities == pytest.approx({E: 0.4, NOT_E: 0.6}, abs=1e-6)
    assert (low.threshold, high.threshold) == (0.5, 0.4)


@pytest.mark.parametrize("score", [1.2, -0.01, float("nan"), float("inf")])
def test_what_is_no_score_is_named(score: float) -> None:
    with pytest.raises(ModelError, match=r"is not a (support score|number)"):
        asked(lambda pairs: [score] * len(pairs))
    with pytest.raises(ModelError, match="is not a support score, a number from 0"):
        asked(lambda pairs: [{"score": score}] * len(pairs))


def test_scores_that_are_the_wrong_way_round_are_stopped_with_the_evidence() -> None:
    def turned(pairs: list[tuple[str, str]]) -> list[float]:
        return [1 - score for score in knowing(pairs)]

    with pytest.raises(ModelError, match="its answers disagree") as told:
        asked(turned)
    assert "14 of 14 premises right as unsupported" in str(told.value)
    assert 'labels="unsupported"' in str(told.value)
    (found,) = asked(turned, labels="unsupported")
    assert found.probabilities == pytest.approx({E: 0.4, NOT_E: 0.6})


def test_weak_scores_are_accepted_because_a_number_is_a_score_by_agreement() -> None:
    assert asked(lambda pairs: [0.7] * len(pairs))[0].label is E


def test_a_version_and_a_threshold_make_the_identity() -> None:
    def identity(**options: object) -> str:
        return PythonFunction(knowing, version="1", **options).identity  # type: ignore[arg-type]

    assert identity() == identity(threshold=0.5) != identity(threshold=0.4)


def test_a_program_gives_scores(tmp_path: Path) -> None:
    path = tmp_path / "answer.py"
    path.write_text(
        "import sys\nfor number, line in enumerate(sys.stdin): print([0.25, '{\"score\": 1}'][number], flush=True)"
    )
    model = Command(what=f"{sys.executable} {path}", threshold=0.2).open()
    answers = model.answer(model.ready([PAIR, PAIR]), width=1)
    model.close()
    assert [answer.label for answer in answers] == [E, E]
    assert answers[0].probabilities == {E: 0.25, NOT_E: 0.75}


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_file_gives_scores_next_to_its_gold_labels(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scores.{suffix}"
    rows: list[dict[str, object]] = [
        {"id": "pair-1", "label": "SUPPORTED", "score": 0.75},
        {"id": "pair-2", "label": "REFUTED", "score": "0.2"},
    ]
    if suffix == "csv":
        path.write_text("id,label,score\n" + "".join(f"{r['id']},{r['label']},{r['score']}\n" for r in rows))
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = Predictions(what=str(path), threshold=0.8).open().answers.given
    assert [each.label for each in given.values()] == [NOT_E, NOT_E]
    assert [each.threshold for each in given.values()] == [0.8, 0.8]
    assert given["pair-1"].probabilities == {E: 0.75, NOT_E: 0.25}


@pytest.mark.parametrize("score", ["1.5", "nan", "", "high"])
def test_a_bad_score_in_a_file_is_named_with_its_line(tmp_path: Path, score: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(f"id,score\npair-1,0.5\npair-2,{score}\n")
    with pytest.raises(BadInputError, match=r"scores\.csv:3: .*the score of 'pair-2': .* is not a support score"):
        Predictions(what=str(path)).open()


def rows(first: Callable[[Label], float]) -> np.ndarray:
    """Two outputs for each of the self-evident pairs."""
    column = np.array([first(each.label) for each in self_evident()])
    return np.stack([column, 1 - column], axis=1)


def test_a_biased_model_is_read_by_its_ranks() -> None:
    """It says non-entailment to everything but one pair, which is right 29 of 42 times in one order; ranks decide."""
    biased = detect(rows(lambda label: 0.4 if label is E else 0.1))
    assert biased.order == (E, NOT_E)
    assert detect(rows(lambda label: 0.4 if label is E else 0.6)).order == (NOT_E, E)


def test_two_outputs_that_mean_neither_are_refused_and_no_order_is_urged() -> None:
    """A model of another task, such as the length of a text: its outputs say nothing about entailment."""
    lengths = np.array([len(each.texts.hypothesis) % 7 / 7 for each in self_evident()])
    found = detect(np.stack([lengths, 1 - lengths], axis=1))
    assert found.order is None
    with pytest.raises(ModelError, match="unclear what its outputs mean") as told:
        Positional.settle(
            "hf:sentiment",
            Declared(None, ["NEGATIVE", "POSITIVE"], 2),
            lambda _: np.stack([lengths, 1 - lengths], axis=1),
        )
    text = str(told.value)
    for order, right in found.right.items():
        assert f"{right} of 14 premises right as {write_labels(order)}" in text
        assert f"labels={write_labels(order)}" in text, "both orders are offered, or neither"
    assert "entailment,neutral" not in text


def test_one_output_that_means_nothing_is_refused_and_no_meaning_is_urged() -> None:
    lengths = np.array([[len(each.texts.hypothesis) % 7 / 7] for each in self_evident()])
    with pytest.raises(ModelError, match="It shows no skill") as told:
        Positional.settle("hf:x", Declared(None, ["LABEL_0"], 1), lambda _: lengths)
    for meaning in ("support", "unsupported"):
        assert f'labels={meaning}"' in str(told.value)


def test_a_suggested_order_is_the_one_with_the_most_evidence() -> None:
    for first in (lambda label: float(label is E), lambda label: float(label is not E)):
        table = rows(first)
        with pytest.raises(ModelError, match="does not name its outputs") as told:
            Positional.settle("hf:x", Declared(None, ["LABEL_0", "LABEL_1"], 2), lambda _, table=table: table)  # type: ignore[misc]
        lines = str(told.value).splitlines()
        assert "14 of 14" in lines[1]
        assert lines[-1].endswith(f'labels={lines[1].split(" as ")[1]}"')


def test_a_skilled_model_that_confuses_two_labels_is_not_called_unskilled() -> None:
    """It knows entailment and tosses a coin between the others: two orders are equally right."""
    coin = np.random.default_rng(0).uniform(size=len(self_evident()))
    table = np.array(
        [
            [1.0, 0, 0] if each.label is E else [0, side, 1 - side]
            for each, side in zip(self_evident(), coin, strict=True)
        ]
    )
    found = detect(table)
    assert found.order is None
    with pytest.raises(ModelError, match="More than one order fits its answers") as told:
        Positional.settle("hf:x", Declared(None, ["a", "b", "c"], 3), lambda _: table)
    for order in ("entailment,neutral,contradiction", "entailment,contradiction,neutral"):
        assert f"labels={order}" in str(told.value)


def test_a_threshold_is_not_for_three_labels() -> None:
    from assay.core.errors import UserError

    with pytest.raises(UserError, match="a threshold works only with one or two outputs"):
        Positional.settle("hf:x", Declared(None, None, 3, threshold=0.3), lambda _: np.zeros((42, 3)))


def test_an_answer_keeps_its_threshold_as_a_prediction() -> None:
    assert Answer.scored(0.9, threshold=0.7).to(case(1).id).threshold == 0.7
