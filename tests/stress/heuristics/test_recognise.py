"""The grammar recognises what it generates, and all of the real set."""

from collections import Counter

import pytest

from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Fidelity
from assay.stress.heuristics.build import GeneratedPairs
from assay.stress.heuristics.grammar import load_grammar
from assay.stress.heuristics.recognise import complete_pair, recognise


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_every_real_pair_is_recognised_as_its_own_subcase(real: list[Pair], step: int) -> None:
    order = [subcase.name for subcase in load_grammar().subcases]
    quirks: Counter[str] = Counter()
    templates: set[str] = set()
    for number, pair in list(enumerate(real))[::step]:
        found = recognise(pair.premise, pair.hypothesis)
        assert found is not None, pair
        assert (found.subcase, found.heuristic) == (pair.group["subcase"], pair.group["heuristic"])
        assert (found.label, found.others) == (pair.label, ())
        assert order[number // 1000] == found.subcase
        quirks.update(found.quirks)
        templates.add(found.template)
    assert quirks["doubled-the"] == 100 or step > 1
    assert len(templates) == 60


@pytest.mark.parametrize("fidelity", ["strict", "code"])
def test_what_is_generated_is_recognised_with_the_same_trees(fidelity: Fidelity) -> None:
    for pair in GeneratedPairs(40, fidelity=fidelity, seed=3):
        found = recognise(pair.premise, pair.hypothesis, fidelity=fidelity)
        assert found is not None
        assert (found.subcase, found.template) == (pair.group["subcase"], pair.group["template"])
        assert found.parses == pair.parses
        assert found.others == ()


def test_a_doubled_article_is_recognised_under_its_quirk() -> None:
    found = recognise("The actor saw the judge who helped the lawyer .", "The judge saw the the lawyer .")
    assert found is not None
    assert (found.template, found.quirks) == ("temp15", ("doubled-the",))
    mended = recognise("The actor saw the judge who helped the lawyer .", "The judge saw the lawyer .")
    assert mended is not None
    assert (mended.template, mended.quirks) == ("temp15", ())


def test_the_tag_of_a_plural_object_is_a_quirk() -> None:
    pair = "Maybe the actor saw the judges .", "The actor saw the judges ."
    code, strict = recognise(*pair, fidelity="code"), recognise(*pair, fidelity="strict")
    assert code is not None
    assert strict is not None
    assert code.quirks == ("object-tag",)
    assert "(NN judges)" in str(code.parses.premise)
    assert strict.quirks == ()
    assert "(NNS judges)" in str(strict.parses.premise)


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("The actor saw the judge .", "The judge saw the lawyer ."),
        ("The actor slept .", "The actor slept ."),
        ("The actor saw the judge .", ""),
        ("A cook fries two eggs .", "Somebody cooks ."),
        ("The judge paid the book .", "The judge paid ."),
    ],
)
def test_other_pairs_are_not(premise: str, hypothesis: str) -> None:
    assert recognise(premise, hypothesis) is None


def test_a_pair_gets_back_what_its_file_lacks() -> None:
    pair = Pair(
        id="1", premise="The actor saw the judge .", hypothesis="The judge saw the actor .", label=Label.NON_ENTAILMENT
    )
    whole = complete_pair(pair)
    assert whole is not None
    assert whole.group == {"heuristic": "lexical_overlap", "subcase": "ln_subject/object_swap", "template": "temp1"}
    assert whole.parses is not None
    assert whole.parses.hypothesis_binary == "( ( The judge ) ( ( saw ( the actor ) ) . ) )"
