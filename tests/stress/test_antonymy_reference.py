"""`code` fidelity makes what the released rules make, pair for pair."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.stress.antonymy_reference import all_pairs, lesk
from tests.stress.wordnet_folder import nltk_wordnet

import assay
from assay.core.pair import Pair
from assay.language.resources.installed import wordnet
from assay.language.words import wordnet_relations
from assay.stress.antonymy.build import Antonymy

EVERY = 16
"""Every so many pairs are compared: NLTK is slow. `benchmarks/antonymy.py` compares them all."""


@pytest.fixture(scope="module")
def reader() -> Iterator[Any]:
    wordnet()
    try:
        with nltk_wordnet() as found:
            yield found
    except LookupError as error:
        pytest.skip(str(error))


def ours(pairs: list[Pair]) -> set[tuple[str, str]]:
    transform = Antonymy(fidelity="code")
    return {
        edit.apply(pair) for pair in pairs if isinstance(edits := transform(pair, Random(0)), list) for edit in edits
    }


@pytest.mark.parametrize("part", ["dev", "test"])
def test_snli_with_its_parses_gives_the_same_pairs(shared: Path, reader: Any, part: str) -> None:
    pairs = list(islice(assay.read(shared / "snli" / f"snli_1.0_{part}.jsonl.gz"), 0, None, EVERY))
    assert all(pair.parses and pair.parses.premise_binary for pair in pairs)
    made = ours(pairs)
    assert len(made) > 150
    assert made == all_pairs(reader, pairs)


def test_multinli_gives_the_same_pairs_with_our_tokens(shared: Path, reader: Any) -> None:
    pairs = list(islice(assay.read(shared / "mnli" / "dev_matched.jsonl.gz"), 0, None, 2 * EVERY))
    made = ours(pairs)
    assert len(made) > 30
    assert made == all_pairs(reader, pairs)


@pytest.mark.parametrize(("part", "published"), [("matched", 1561), ("mismatched", 1734)])
def test_multinli_gives_the_published_number_of_cases(shared: Path, part: str, published: int) -> None:
    wordnet()
    made = ours(list(assay.read(shared / "mnli" / f"dev_{part}.jsonl.gz")))
    assert abs(len(made) - published) <= 0.01 * published


@pytest.mark.parametrize("word", ["bank", "love", "man", "light", "women", "better", "left", "xyzzy"])
@pytest.mark.parametrize(
    "context", ["", "the bank of the river was light", "men and women love money , but not deposits"]
)
def test_lesk_finds_the_sense_that_nltk_found(reader: Any, word: str, context: str) -> None:
    words = set(context.split())
    theirs = lesk(reader, words, word)
    found = wordnet_relations.lesk_sense(words, word, tie="greatest-name")
    assert (found and found.name) == (theirs and theirs.name())
