"""The real set, where it is present."""

from pathlib import Path

import pytest
from tests.conftest import SHARED

from assay.core.pair import Pair
from assay.corpora.reading import read

REAL = SHARED / "hans" / "heuristics_evaluation_set.txt.gz"


@pytest.fixture(scope="session")
def real() -> list[Pair]:
    if not Path(REAL).is_file():
        pytest.skip("no real data beside the project (../shared/data/hans)")
    pairs = list(read(REAL))
    assert len(pairs) == 30_000
    return pairs
