"""Which models a run has, and in which order."""

import pytest
from tests.conftest import Assay

from assay.core.errors import UserError
from assay.models.shipped import NAMES
from assay.run.api import on_bench
from assay.run.predict.model_names import is_reference_model
from assay.run.spec import BENCHES

SIX = ["esim", "kim", "minilm", "majority", "overlap", "hypothesis-only"]


def names(models: object, bench: object) -> list[str]:
    found = on_bench(models, bench).names  # type: ignore[arg-type]
    return [name.removeprefix("assay:").removesuffix("/v1") for name in found]


def test_the_default_bench_has_six_models_and_references_last() -> None:
    assert names((), None) == names((), "default") == SIX
    assert [is_reference_model(f"assay:{name}") for name in SIX] == [False] * 3 + [True] * 3


def test_the_papers_bench_has_all_that_comes_with_assay() -> None:
    found = names((), "papers")
    assert {*NAMES, *SIX, "wordnet", "subsequence", "constituent", "hypothesis-words"} == {*found}
    assert len(found) == len({*found})
    assert [*BENCHES] == ["default", "papers"]


def test_your_models_come_first_and_are_tested_once() -> None:
    mine = ["assay:overlap", "assay:esim", "predictions:mine.csv"]
    assert names(mine, None) == ["predictions:mine.csv", "esim", "overlap"]
    assert names(mine, "default") == [
        "predictions:mine.csv",
        "esim",
        "kim",
        "minilm",
        "overlap",
        "majority",
        "hypothesis-only",
    ]
    assert names({"mine": len}, "default")[0] == "object:mine"


def test_an_unknown_bench_is_refused(assay: Assay) -> None:
    with pytest.raises(UserError, match="bench must be 'default' or 'papers', not 'paper'"):
        names((), "paper")
    assert "papers" in assay("run", "--bench", "paper", code=2).stderr


def test_a_bench_is_added_to_the_models_of_a_run(assay: Assay) -> None:
    said = assay("run", "--help").stdout
    assert "--bench" in said
    assert "esim, kim, minilm, majority" in " ".join(said.split())
