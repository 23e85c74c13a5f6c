"""The real set, where it is present, and what pools and halves hold."""

from pathlib import Path

import pytest
from tests.conftest import SHARED

from assay.core.pair import Pair
from assay.corpora.reader import read
from assay.stress.heuristics.generate import pools_of
from assay.stress.heuristics.grammar import Grammar, load_grammar
from assay.stress.template_pairs import SPLITS, Split, word_bit

REAL = SHARED / "hans" / "heuristics_evaluation_set.txt.gz"


@pytest.fixture(scope="session")
def real() -> list[Pair]:
    if not Path(REAL).is_file():
        pytest.skip("no real data beside the project (../shared/data/hans)")
    pairs = list(read(REAL))
    assert len(pairs) == 30_000
    return pairs


def pool_sizes(grammar: Grammar | None = None) -> dict[str, dict[Split, int]]:
    """How many different pairs each subcase has in each split."""
    pools = pools_of(grammar or load_grammar(), frozenset())
    return {pool.subcase.name: {split: pool.size(split) for split in SPLITS} for pool in pools}


def split_of(premise: str) -> Split:
    """The half that a premise belongs to."""
    return SPLITS[sum(map(word_bit, premise.lower().split())) % 2]
