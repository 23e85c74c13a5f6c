"""From what is asked for to recipes."""

import pytest

from assay.core.case import Recipe
from assay.core.errors import UserError
from assay.run.build.recipes import prepare, recipes_for, transform_of
from assay.stress.tautology.build import Negation


def test_a_family_a_variant_and_all() -> None:
    names = [(recipe.transform, recipe.options) for recipe in recipes_for(["negation", "spelling:keyboard"], seed=1)]
    assert names == [("negation/v1", {}), ("spelling/v1", {"variant": "keyboard"})]
    everything = {(recipe.transform, recipe.options.get("variant")) for recipe in recipes_for(["all"], seed=1)}
    assert {("original/v1", None), ("antonymy/v1", None), ("spelling/v1", "keyboard")} <= everything


def test_switches_take_the_types_of_their_fields() -> None:
    (recipe,) = recipes_for(["negation"], seed=0, switches={"times": "3", "tautology": "and one is one"})
    assert recipe.options == {"times": 3, "tautology": "and one is one"}
    assert transform_of(recipe) == Negation(times=3, tautology="and one is one")


def test_yes_and_no_are_values_of_a_switch() -> None:
    (recipe,) = recipes_for(["spelling"], seed=0, switches={"unchanged": "yes", "nn": "no"})
    assert recipe.options == {"unchanged": True, "nn": False}


def test_a_switch_that_says_the_default_is_left_out() -> None:
    assert recipes_for(["negation"], seed=0, switches={"times": "1"})[0].options == {}


def test_a_switch_for_one_family_only() -> None:
    first, second = recipes_for(["negation", "word-overlap"], seed=0, switches={"negation.times": "2"})
    assert (first.options, second.options) == ({"times": 2}, {})


def test_a_ladder_has_a_rung_for_each_strength() -> None:
    rungs = recipes_for(["negation", "original"], seed=0, ladder=2)
    assert [(r.transform, r.severity, r.options.get("times")) for r in rungs] == [
        ("negation/v1", 0, 0),
        ("negation/v1", 1, 1),
        ("negation/v1", 2, 2),
        ("original/v1", None, None),
    ]


@pytest.mark.parametrize(
    ("families", "switches", "said"),
    [
        (["negation"], {"tims": "3"}, "No switch 'tims' in these families; did you mean 'times'"),
        (["negation"], {"spelling.times": "3"}, "No switch 'spelling.times'"),
        (["negation"], {"typos": "2"}, "typos is a switch of spelling."),
        (["negation"], {"times": "often"}, "negation: the switch times can't be 'often': expected"),
        (["spelling"], {"unchanged": "maybe"}, "the switch unchanged can't be 'maybe'. Say yes or no."),
        (["negation"], {"fidelity": "loose"}, "Choose one of strict, paper, code."),
        (["spelling"], {"write_back": "last"}, "Choose one of token, first-substring."),
        (["spelling:keybord"], {}, "No variant 'keybord' of spelling; did you mean 'keyboard'"),
        (["negation:keyboard"], {}, "No variant 'keyboard' of negation. Choose from: none."),
        (["negation", "negation/v1"], {}, "The family 'negation/v1' is given twice"),
    ],
)
def test_what_can_not_be_is_refused(families: list[str], switches: dict[str, str], said: str) -> None:
    with pytest.raises(UserError) as caught:
        recipes_for(families, seed=0, switches=switches)
    assert said in str(caught.value)


def test_stored_options_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UserError, match="does not take these options"):
        transform_of(Recipe(transform="negation/v1", options={"times": "often"}, seed=0))


def test_editions_of_resources_are_told() -> None:
    assert prepare(recipes_for(["negation"], seed=0)) == {}
    assert set(prepare(recipes_for(["antonymy"], seed=0))) == {"tagger", "wordnet"}


def test_a_ladder_needs_a_family_with_a_strength() -> None:
    with pytest.raises(UserError, match=r"None of these families has a strength[^\n]+antonymy/v1[^\n]+\n.+spelling"):
        recipes_for(["antonymy", "original"], seed=0, ladder=2)


@pytest.mark.parametrize("switch", ["times", "negation.times"])
def test_a_ladder_and_one_strength_exclude_each_other(switch: str) -> None:
    with pytest.raises(UserError, match="leave out --times"):
        recipes_for(["negation"], seed=0, switches={switch: "1"}, ladder=2)
