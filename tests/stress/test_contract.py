"""What every registered transform keeps, built in or brought by a package."""

import json
import pickle
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import pair

import assay
from assay.core import registry
from assay.core.case import Recipe, case_from
from assay.core.edit import Edit, Replacement, Skip, undo
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Generating, described
from assay.core.rng import rng_for
from assay.run.build.case_builder import PartSummary, make_cases

NAMES = registry.transforms.names()

Text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
WORDS = ["the", "cook", "fries", "2", "eggs", ".", "!", "'", '"', "U.S.", "Été", "😀", ")"]
Sentence = st.one_of(Text, st.lists(st.sampled_from(WORDS)).map(" ".join))
Pairs = st.builds(Pair, id=Text, premise=Sentence, hypothesis=Sentence, label=st.sampled_from(Label))
ELSEWHERE = {
    "conjunction-corpus/v1": "A cook is sitting on a bench and reading a letter.",
    "monotonicity-corpus/v1": "A cook is holding an expensive guitar.",
    "roles/v1": "Brazil defeated Chile in June.",
}
"""Texts for transforms that make nothing of the bundled pairs."""


def transform(name: str) -> Any:
    kind: Any = registry.transforms.get(name)
    return kind()


def edits_of(name: str, each: Pair, *, seed: int = 0, **options: object) -> list[Edit] | Skip:
    kind: Any = registry.transforms.get(name)
    made: list[Edit] | Skip = kind(**options)(each, rng_for(seed, transform=name, pair=each.id))
    return made


def test_the_example_package_is_among_them() -> None:
    if "shout/v1" not in NAMES:
        pytest.skip("the example package is not installed")
    assert registry.transforms.target("shout").source == "assay-example-plugin"


@pytest.mark.parametrize("name", NAMES)
def test_it_says_its_family(name: str) -> None:
    traits = described(registry.transforms.get(name), name=name)
    assert traits.family
    assert traits == described(transform(name), name=name)


@pytest.mark.parametrize("name", NAMES)
@given(each=Pairs, seed=st.integers(0, 5))
def test_any_text_becomes_edits_or_a_reason(name: str, each: Pair, seed: int) -> None:
    made = edits_of(name, each, seed=seed)
    if isinstance(made, Skip):
        assert made.reason.strip()
        return
    assert made, "no edit and no reason"
    for edit in made:
        assert edit.label is None or edit.label in Label
        premise, hypothesis = edit.apply(each)
        check_outside(each.premise if edit.premise_from == "premise" else each.hypothesis, edit.premise, premise)
        check_outside(
            each.hypothesis if edit.hypothesis_from == "hypothesis" else each.premise, edit.hypothesis, hypothesis
        )


def check_outside(source: str, replacements: tuple[Replacement, ...], made: str) -> None:
    """Undoing the replacements gives the source again, so nothing else can have changed."""
    assert undo(made, replacements) == source


@pytest.mark.parametrize("name", NAMES)
@given(each=Pairs)
def test_the_same_seed_gives_the_same_edits_also_after_pickling(name: str, each: Pair) -> None:
    first = transform(name)
    again = pickle.loads(pickle.dumps(first))
    made = [chosen(each, rng_for(3, transform=name, pair=each.id)) for chosen in (first, again, first)]
    assert made[0] == made[1] == made[2]


@pytest.mark.parametrize("name", NAMES)
@given(pairs=st.lists(Pairs, max_size=6, unique_by=lambda each: each.id), data=st.data())
def test_the_same_bytes_in_any_order_and_batch(name: str, pairs: list[Pair], data: st.DataObject) -> None:
    recipes = (Recipe(transform=name, seed=5),)

    def lines(batch: list[Pair]) -> list[bytes]:
        return make_cases(msgspec.json.encode(batch), recipes).splitlines()[1:]

    together = lines(pairs)
    assert together == [line for each in pairs for line in lines([each])]
    assert sorted(lines(data.draw(st.permutations(pairs)))) == sorted(together)


@pytest.mark.parametrize("name", NAMES)
def test_global_chance_is_left_alone(name: str) -> None:
    import random

    before = random.getstate()
    for number in range(20):
        edits_of(name, pair(number))
    assert random.getstate() == before


@pytest.mark.parametrize("name", NAMES)
def test_a_case_can_be_made_again_from_what_is_stored(name: str, tmp_path: Path) -> None:
    made = transform(name)
    corpus = made.generate(2, seed=9) if isinstance(made, Generating) else assay.read("bundled", limit=180)
    if name in ELSEWHERE:
        row = {"premise": ELSEWHERE[name], "hypothesis": "A cook is here.", "label": "entailment"}
        (tmp_path / "pairs.jsonl").write_text(json.dumps(row) + "\n")
        corpus = assay.read(tmp_path / "pairs.jsonl")
    pairs = list(corpus)
    suite = assay.build(name, corpus, out=tmp_path / "suite", seed=9)
    assay.verify(tmp_path / "suite")
    by_id = {each.id: each for each in pairs}
    cases = [each for each in suite if each.provenance.recipe.transform == name]  # some bring the original pairs
    assert cases, "applies to none of 180 pairs"
    for case in cases:
        origin, recipe = by_id[case.origin], case.provenance.recipe
        assert (recipe.transform, recipe.seed) == (name, 9)
        edits = edits_of(recipe.transform, origin, seed=recipe.seed, **recipe.options)
        assert isinstance(edits, list)
        assert case.provenance.edit in edits
        number = edits.index(case.provenance.edit)
        unit = case.provenance.unit  # the words that are exchanged, which the family names
        again = case_from(origin, case.provenance.edit, family=case.family, recipe=recipe, number=number, unit=unit)
        assert case == again
    skipped = sum(sum(reasons.values()) for reasons in suite.manifest.skips.values())
    assert len({case.origin for case in cases}) + skipped >= len(pairs), "a pair without a case and without a reason"


@pytest.mark.parametrize("name", NAMES)
def test_nothing_makes_nothing(name: str, tmp_path: Path) -> None:
    made = msgspec.json.decode(make_cases(b"[]", (Recipe(transform=name, seed=0),)), type=PartSummary)
    assert (made.pairs, made.counts, made.distinct) == (0, {transform(name).family: {}}, [])
    assert not any(made.skips.values())
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with pytest.raises(UserError, match=r"empty|made from templates"):
        assay.build(name, tmp_path / "empty.jsonl", out=tmp_path / "suite")
    assert not (tmp_path / "suite").exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_long_text_does_not_cost_its_square(name: str) -> None:
    """Each of these takes minutes where a search starts anew at every character."""
    for part in (" ", ". ", "a.", "...", "'\" ", "no "):
        made = edits_of(name, pair(hypothesis="It" + part * 30_000 + "rains"))
        assert made


def test_options_are_part_of_the_recipe(tmp_path: Path) -> None:
    kind: Any = registry.transforms.get("negation")
    with pytest.raises(TypeError):
        kind(tmes=3)
    assert json.loads(msgspec.json.encode(kind(times=3)))["times"] == 3
    made = kind(times=2)(pair(), Random(0))
    assert made[0].apply(pair())[1] == "Somebody cooks and false is not true and false is not true."
