"""A stored run that the tests of reports look at."""

from pathlib import Path

import pytest

import assay
from assay.bench.judge.examples import telling_examples
from assay.bench.stored import open_run
from assay.reports.view import Told, View, view_of

FAMILIES = ("negation", "word-overlap", "lexical", "swap", "heuristics")
MODELS = ("assay:majority", "assay:hypothesis-words", "assay:overlap")


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small run with a ladder, swapped pairs, heuristics and lexical categories."""
    out = tmp_path_factory.mktemp("runs")
    corpus = assay.read("bundled", limit=90)
    record = assay.run(corpus, families=FAMILIES, models=MODELS, ladder=2, per_subcase=3, out=out, cache=False)
    return out / record.id


@pytest.fixture(scope="session")
def view(stored: Path) -> View:
    """The run, as reports see it."""
    record = open_run(stored)
    return view_of([Told(record, telling_examples(stored, record), str(stored))])
