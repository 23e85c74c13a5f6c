"""The relations between words that models may know."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.language.relations_reference import Reference
from tests.stress.wordnet_folder import nltk_wordnet

import assay
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import analyse
from assay.language.words.wordnet_relations import FEATURES, VECTORS, find_lemma, relation_index

pytestmark = pytest.mark.usefixtures("english")

COMMON = """dog cat animal puppy canine man woman person boy adult hot cold warm happy sad glad joyful unhappy big large
small little run walk move sit stand increase decrease guitar instrument violin piano red blue color green good bad evil
be have go a in the Paris city March march France restrain inhibit xyzzy ice_cream entity thing well-known""".split()  # noqa: SIM905


OTHERWISE: dict[str, Any] = {"senses": "last", "keep_case": True}
"""Both switches at once: an index of the whole WordNet takes seconds."""


@pytest.fixture(scope="module")
def reference() -> Iterator[Reference]:
    wordnet()
    try:
        with nltk_wordnet() as found:
            yield Reference(found)
    except LookupError as error:
        pytest.skip(str(error))


def between(word: str, other: str, **options: Any) -> dict[str, float]:
    """The features that are not zero."""
    values = relation_index(**options).features([word], [other])[0, 0]
    return {name: float(value) for name, value in zip(FEATURES, values, strict=True) if value}


@pytest.mark.parametrize(
    ("word", "other", "expected"),
    [
        ("dog", "canine", {"hypernymy": 1 - 1 / 8}),
        ("canine", "dog", {"hyponymy": 1 - 1 / 8}),
        ("dog", "vertebrate", {"hypernymy": 1 - 5 / 8}),
        ("greyhound", "entity", {}),  # more than seven edges away
        ("guitar", "banjo", {"co-hyponyms": 1}),
        ("hot", "cold", {"antonymy": 1}),
        ("happy", "glad", {"synonymy": 1}),
        ("dog", "dog", {"synonymy": 1}),
        ("Dog", "CANINE", {"hypernymy": 1 - 1 / 8}),
        ("Paris", "city", {}),  # an instance
        ("xyzzy", "xyzzy", {}),
        ("ice_cream", "ice_cream", {}),
    ],
)
def test_what_two_words_have_in_common(word: str, other: str, expected: dict[str, float]) -> None:
    assert between(word, other) == expected


def test_the_index_agrees_with_loops_over_nltk(reference: Reference) -> None:
    words = [word.lower() for word in COMMON]
    found = relation_index().features(words, words)
    for i, word in enumerate(words):
        for j, other in enumerate(words):
            assert found[i, j].tolist() == reference.features(word, other), (word, other)
    assert (found != 0).any(axis=(0, 1)).all()  # all five occur


def test_it_agrees_on_real_sentences(shared: Path, reference: Reference) -> None:
    for number, pair in enumerate(assay.read(shared / "snli" / "snli_1.0_dev.jsonl.gz", limit=1500)):
        if number % 30 == 0:
            premise, hypothesis = (
                [find_lemma(token.text, token.tag).lower() for token in analyse(text)]
                for text in (pair.premise, pair.hypothesis)
            )
            expected = [[reference.features(one, two) for two in hypothesis] for one in premise]
            assert relation_index().features(premise, hypothesis).tolist() == expected


def test_last_sense_of_the_files_wins_where_asked() -> None:
    """`man` is a hyponym of `person` in several senses, at different distances."""
    nearest, last = between("man", "person"), between("man", "person", **OTHERWISE)
    assert nearest["hypernymy"] > last["hypernymy"] > 0
    assert {**nearest, "hypernymy": 0} == {**last, "hypernymy": 0}


def test_capitals_are_kept_where_asked() -> None:
    assert between("china", "porcelain") == between("China", "porcelain") != {}
    assert between("china", "porcelain", **OTHERWISE)
    assert not between("China", "porcelain", **OTHERWISE)


@given(st.lists(st.sampled_from(COMMON), max_size=6), st.lists(st.sampled_from(COMMON), max_size=6))
@settings(max_examples=60)
def test_both_directions_say_the_same(premise: list[str], hypothesis: list[str]) -> None:
    there = relation_index().features(premise, hypothesis)
    back = relation_index().features(hypothesis, premise).transpose(1, 0, 2)
    assert there.shape == (len(premise), len(hypothesis), 5)
    assert (there[..., [1, 0, 2, 3, 4]] == back).all()


def test_a_code_for_every_vector() -> None:
    assert VECTORS.shape == (512, 5)
    assert not VECTORS[0].any()
    assert len(np.unique(VECTORS, axis=0)) == 512


def test_batches_are_padded_with_nothing() -> None:
    index = relation_index()
    first, second = index.numbers(["dog", "be", "hot"]), index.numbers(["cat", "sit"])
    batch = np.array([first, np.append(second, 0)])
    codes = index.codes(batch, batch[:, ::-1])
    assert codes.shape == (2, 3, 3)
    assert (codes[0] == index.codes(first, first[::-1])).all()
    assert not codes[1, 2].any()
    assert not codes[1, :, 0].any()


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("children", "NNS", "child"),
        ("was", "VBD", "be"),
        ("sitting", "VBG", "sit"),
        ("The", "DT", "The"),
        ("Zorgs", "NNS", "Zorgs"),
    ],
)
def test_lemmas(word: str, tag: str, expected: str) -> None:
    assert find_lemma(word, tag) == expected


def test_a_text_is_no_list_of_words() -> None:
    with pytest.raises(TypeError, match="not one text"):
        relation_index().numbers("dog animal")
