"""The three heuristics as models: each says entailment where it applies, and is wrong where the tests want it to be."""

import pytest
from tests.conftest import case

from assay.core.label import Label
from assay.language.fragment.syntactic_heuristics import is_subsequence
from assay.models.baselines.shortcut_baselines import Constituent, Overlap, Subsequence, is_constituent
from assay.stress.heuristics.build import GeneratedPairs

APPLIES = {
    "lexical_overlap": (True, False, False),
    "subsequence": (True, True, False),
    "constituent": (True, True, True),
}


def test_each_applies_to_its_own_subcases_and_to_narrower_ones() -> None:
    models = (Overlap(threshold=1), Subsequence(), Constituent())
    for pair in GeneratedPairs(20):
        asked = [case(premise=pair.premise, hypothesis=pair.hypothesis)]
        answers = tuple(model.predict(asked)[0].label is Label.ENTAILMENT for model in models)
        known = APPLIES[pair.group["heuristic"]]
        if pair.group["subcase"] == "sn_past_participle":  # a noun phrase has the words of the hypothesis
            known = (True, True, True)
        assert answers == known, pair


@pytest.mark.parametrize(
    ("hypothesis", "premise", "holds"),
    [
        ("The cat sat.", "I think the cat sat.", True),
        ("the cat", "The cat's bowl", True),
        ("cat at", "cat atlas", False),
        ("a b", "a, b", False),
        ("sat the cat", "the cat sat", False),
        ("", "anything", True),
        ("x", "", False),
    ],
)
def test_subsequences_are_whole_tokens(hypothesis: str, premise: str, holds: bool) -> None:
    assert is_subsequence(hypothesis, premise) is holds


@pytest.mark.parametrize(
    ("hypothesis", "premise", "holds"),
    [
        ("The dog barked.", "When it rained, the dog barked.", True),
        ("It rained.", "When it rained, the dog barked.", True),
        ("the dog barked", "I heard that the dog barked and ran off", True),
        ("the dog barked", "The man near the dog barked.", False),
        ("the dog", "the dog barked", False),
        ("It rained.", "It rained. The dog barked.", True),
        ("The judge ran.", "Maybe the judge ran.", True),
        ("The judge", "Maybe the judge ran.", True),
        ("judge ran", "Maybe the judge ran.", False),
        ("", "anything", True),
        ("x", "", False),
    ],
)
def test_constituents_are_phrases_or_look_like_clauses(hypothesis: str, premise: str, holds: bool) -> None:
    assert is_constituent(hypothesis, premise) is holds
