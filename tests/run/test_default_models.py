"""Which models a run has, and in which order."""

from tests.conftest import Assay

from assay.models.shipped import NAMES
from assay.run.api import choose_models
from assay.run.predict.model_names import is_reference_model
from assay.run.run_options import RunOptions

SIX = ["esim", "kim", "minilm", "majority", "overlap", "hypothesis-only"]


def names(models: object, **given: bool) -> list[str]:
    found = choose_models(RunOptions(models=models, **given)).names  # type: ignore[arg-type]
    return [name.removeprefix("assay:").removesuffix("/v1") for name in found]


def test_the_default_models_are_six_with_baselines_last() -> None:
    assert names(()) == names((), default_models=True) == SIX
    assert [is_reference_model(f"assay:{name}") for name in SIX] == [False] * 3 + [True] * 3


def test_all_models_are_those_that_come_with_assay() -> None:
    found = names((), all_models=True)
    assert {*NAMES, *SIX, "wordnet", "subsequence", "constituent", "hypothesis-words"} == {*found}
    assert len(found) == len({*found})


def test_your_models_come_first_and_are_tested_once() -> None:
    mine = ["assay:overlap", "assay:esim", "predictions:mine.csv"]
    assert names(mine) == ["predictions:mine.csv", "esim", "overlap"]
    assert names(mine, default_models=True) == [
        "predictions:mine.csv",
        "esim",
        "kim",
        "minilm",
        "overlap",
        "majority",
        "hypothesis-only",
    ]
    assert names({"mine": len}, default_models=True)[0] == "object:mine"


def test_help_names_the_default_models(assay: Assay) -> None:
    said = " ".join(assay("run", "--help").stdout.split())
    assert ", ".join(SIX[:-1]) in said
    assert SIX[-1] in said
