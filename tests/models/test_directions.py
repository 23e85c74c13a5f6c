"""Support scores that are the wrong way round on the user's own labelled pairs."""

import sys
from pathlib import Path

import pytest

import assay
from assay.models.adapters.label_order import self_evident

EVIDENCE = "a tall man reads an old book near the small window while two dogs sleep on the warm kitchen floor"


def claims(n: int = 40) -> list[assay.Pair]:
    """Claims whose words are all in the evidence if they are supported, and claims about something else."""
    said = ("fish sing loudly", "a tall man")
    return [
        assay.Pair(
            id=str(number),
            premise=f"{number} {EVIDENCE}",
            hypothesis=f"{number} {said[number % 2]}",
            label=assay.Label.ENTAILMENT if number % 2 else assay.Label.NON_ENTAILMENT,
        )
        for number in range(n)
    ]


asked: list[int] = []


def support(pairs: list[tuple[str, str]]) -> list[float]:
    asked.append(len(pairs))
    return [len({*b.split()} & {*a.split()}) / len({*b.split()}) for a, b in pairs]


def hallucinated(pairs: list[tuple[str, str]]) -> list[float]:
    return [1 - score for score in support(pairs)]


def test_a_run_stops_before_the_whole_suite_is_predicted(tmp_path: Path) -> None:
    asked.clear()
    with pytest.raises(assay.errors.ModelError, match="the wrong way round: on the corpus's own labels") as told:
        assay.run(claims(), families=["spelling", "negation"], models={"mine": hallucinated}, out=tmp_path, cache=False)
    assert "the area under the ROC curve is 0.0" in str(told.value)
    assert 'labels="unsupported"' in str(told.value)
    assert 'labels="support"' in str(told.value)
    assert "If the labels of the corpus are the wrong way round instead, correct labels." in str(told.value)
    assert sum(asked) <= 40 + 2 * 42, "only unmodified pairs and the self-evident ones"
    turned = assay.PythonFunction(hallucinated, labels="unsupported")
    record = assay.run(claims(), families=["original"], models={"mine": turned}, out=tmp_path, cache=False)
    assert record.find("roc-auc", by=["family"])["original",].value == 1.0
    insisting = assay.PythonFunction(hallucinated, labels="support")
    record = assay.run(claims(), families=["original"], models={"mine": insisting}, out=tmp_path, cache=False)
    assert record.find("roc-auc", by=["family"])["original",].value == 0.0


@pytest.mark.parametrize("reply", ["number", "mapping"])
def test_every_kind_of_score_is_checked(reply: str) -> None:
    def checker(premise: str, hypothesis: str) -> object:
        (score,) = hallucinated([(premise, hypothesis)])
        return score if reply == "number" else {"score": score}

    with pytest.raises(assay.errors.ModelError, match="the wrong way round"):
        assay.score(claims(), checker)
    turned = assay.score(claims(), assay.PythonFunction(checker, labels="unsupported"))
    assert next(each.value for each in turned.estimates if each.name == "roc-auc") == 1.0
    assert assay.score(claims(), support).notes == ()


def test_few_labelled_pairs_stop_nothing(tmp_path: Path) -> None:
    record = assay.run(claims(30), families=["original"], models={"mine": hallucinated}, out=tmp_path, cache=False)
    assert record.find("roc-auc", by=["family"])["original",].value == 0.0


def test_labels_are_doubted_where_self_evident_pairs_are_right(tmp_path: Path) -> None:
    known = {tuple(each.texts): float(each.label == "entailment") for each in self_evident()}

    def honest(pairs: list[tuple[str, str]]) -> list[float]:
        return [known.get(pair, score) for pair, score in zip(pairs, hallucinated(pairs), strict=True)]

    record = assay.run(claims(), families=["original"], models={"mine": honest}, out=tmp_path, cache=False)
    assert record.models[0].notes[-1].endswith("check the labels of the corpus, and labels if you gave them.")


def test_a_program_is_checked_and_turned_round(tmp_path: Path) -> None:
    (tmp_path / "checker.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    pair = json.loads(line)\n"
        "    a, b = {*pair['premise'].split()}, {*pair['hypothesis'].split()}\n"
        "    print(json.dumps({'score': 1 - len(a & b) / len(b)}), flush=True)\n"
    )
    name = f"cmd:{sys.executable} {tmp_path / 'checker.py'}"
    with pytest.raises(assay.errors.ModelError, match=r"the wrong way round[^\0]*\?labels=unsupported"):
        assay.run(claims(), families=["original"], models=name, out=tmp_path, cache=False)
    turned = assay.run(claims(), families=["original"], models=f"{name}?labels=unsupported", out=tmp_path, cache=False)
    assert turned.find("roc-auc", by=["family"])["original",].value == 1.0
