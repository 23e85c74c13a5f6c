"""A word that a family's own edit puts into every case is never the shortcut that a diagnosis names."""

from pathlib import Path

import pytest
from tests.run.diagnosed_models import Rule, mixed, truth

import assay
from assay.core.case import Case
from assay.core.label import Label


def misled(case: Case) -> Label:
    """The truth, until a clause is added to either text."""
    edit = case.provenance.edit
    return Label.CONTRADICTION if edit.hypothesis or edit.premise else truth(case)


@pytest.mark.parametrize("family", ["negation", "word-overlap", "length-mismatch"])
@pytest.mark.parametrize("labels", [2, 3])
def test_the_words_of_an_added_clause_are_not_named(family: str, labels: int, tmp_path: Path) -> None:
    pairs = list(assay.read("bundled", limit=400))
    names = {"neutral": "non-entailment", "contradiction": "non-entailment"} if labels == 2 else {}
    rows = [(pair.premise, pair.hypothesis, names.get(pair.label.value, pair.label.value)) for pair in pairs]
    models = {"misled": Rule(misled), "mostly": Rule(mixed(0.7, misled))}
    record = assay.run(rows, families=[family], models=models, out=tmp_path)
    assert record.diagnosis
    for profile in record.diagnosis.profiles:
        named = {each.name for each in profile.followed}
        assert not named & {"first-word", "last-word", "hypothesis", "premise"}, profile.headline
        if family == "negation":
            assert "negation" in named
