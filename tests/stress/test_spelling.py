"""Typos: which words, which slips, and each switch of the released code."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import pair

from assay.core.case import Recipe
from assay.core.edit import Edit, Skip, undo
from assay.core.pair import Pair, Parses
from assay.core.rng import rng_for
from assay.language.resources.installed import wordnet
from assay.language.words.word_forms import is_word
from assay.run.build.recipes import transform_of
from assay.stress.spelling.build import LONGEST, Spelling
from assay.stress.spelling.check import slip_between
from assay.stress.spelling.typos import is_clear, list_slips, with_capitals

VARIANTS = ("content-word", "function-word", "adjacent-swap", "keyboard")
HYPOTHESIS = "The young gardener admired every flower before breakfast, and nobody met Martha."


@pytest.fixture(autouse=True, scope="module")
def resources() -> None:
    wordnet()


def edits(hypothesis: str = HYPOTHESIS, *, seed: int = 0, parses: Parses | None = None, **options: Any) -> list[Edit]:
    source = pair(hypothesis=hypothesis, parses=parses)
    made = Spelling(**options)(source, rng_for(seed, transform="spelling/v1", pair=source.id))
    assert isinstance(made, list), made
    return made


def changes(hypothesis: str = HYPOTHESIS, **options: Any) -> Iterator[tuple[str, str]]:
    """What becomes of which word under many seeds."""
    for seed in range(120):
        for change in edits(hypothesis, seed=seed, **options)[0].hypothesis:
            yield change.old, change.new


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        ("content-word", {"young", "gardener", "flower", "breakfast"}),
        ("function-word", {"The", "every", "before", "and"}),
        (
            "keyboard",
            {"The", "young", "gardener", "admired", "every", "flower", "before", "breakfast", "and", "nobody", "met"},
        ),
    ],
)
def test_a_variant_changes_its_kind_of_words(variant: Any, words: set[str]) -> None:
    assert {old for old, _ in changes(variant=variant)} == words


def test_each_variant_makes_its_slips() -> None:
    kinds = {v: {slip_between(o.lower(), n.lower()) for o, n in changes(variant=v)} for v in VARIANTS}
    assert kinds == {
        "content-word": {"swap", "key"},
        "function-word": {"swap", "key"},
        "adjacent-swap": {"swap"},
        "keyboard": {"key"},
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_strict_typos_are_no_words_and_keep_capitals(variant: Any) -> None:
    for old, new in changes(variant=variant):
        assert is_word(old)
        assert not is_word(new)
        assert [letter.isupper() for letter in old] == [letter.isupper() for letter in new]


def test_a_typo_that_would_be_a_word_is_never_made() -> None:
    assert "form" not in {new for _, new in changes("They come from here", variant="adjacent-swap")}
    assert "form" in {
        new for _, new in changes("They come from here", variant="adjacent-swap", real_words=True, fidelity="paper")
    }
    assert not is_clear("from", "form", "qwerty")


@pytest.mark.parametrize("layout", ["qwerty", "qwertz", "azerty"])
def test_keys_are_the_layouts(layout: Any) -> None:
    made = set(changes("zany zebras", variant="keyboard", layout=layout, fidelity="paper"))
    assert all(slip_between(old, new, layout) == "key" for old, new in made)
    firsts = {new[0] for old, new in made if old == "zany"} - {"z"}
    assert firsts == {"qwerty": {"x"}, "qwertz": {"t", "u"}, "azerty": {"a", "e"}}[layout]


@pytest.mark.parametrize(
    "hypothesis", ["", " ", "12 % of 30", "U.S.", "É à", "Martha", "x y", "www.tea.org", "half-open", "😀"]
)
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_has_no_plain_word_gives_a_reason(hypothesis: str, variant: Any) -> None:
    made = Spelling(variant=variant)(pair(hypothesis=hypothesis), Random(0))
    assert isinstance(made, Skip)
    assert made.reason.startswith("no ")


def test_typos_are_in_so_many_words_and_a_ladder_only_adds() -> None:
    rungs = [set(edits(typos=typos, variant="keyboard")[0].hypothesis) for typos in range(6)]
    assert [len(rung) for rung in rungs] == [0, 1, 2, 3, 4, 5]
    assert all(lower < upper for lower, upper in pairwise(rungs))
    assert len({change.start for change in rungs[5]}) == 5
    assert Spelling(typos=40)(pair(hypothesis=HYPOTHESIS), Random(0)) == Skip("too few words for typos")


# The released code's quirks, one switch each.


def test_code_forgets_singular_nouns() -> None:
    text = "The lamp is green"
    assert {old for old, _ in changes(text, fidelity="code")} == {"green"}
    assert {old for old, _ in changes(text, fidelity="code", nn=True)} == {"green", "lamp"}
    assert {old for old, _ in changes(text, fidelity="paper")} == {"green", "lamp"}


def test_the_paper_leaves_prepositions_alone() -> None:
    text = "They sit under trees"
    assert {old.lower() for old, _ in changes(text, variant="function-word", fidelity="code")} == {"they", "under"}
    assert {old for old, _ in changes(text, variant="function-word", fidelity="paper")} == {"They"}
    assert {old for old, _ in changes(text, variant="function-word", fidelity="paper", prepositions=True)} == {
        "They",
        "under",
    }


def test_names_count_unless_strict() -> None:
    assert {old for old, _ in changes("They met Martha", fidelity="paper")} == {"Martha"}
    assert isinstance(Spelling()(pair(hypothesis="They met Martha"), Random(0)), Skip)


def test_code_writes_over_the_first_letters_that_look_the_same() -> None:
    only = Parses(hypothesis="(ROOT (S (PRP Women) (VBP like) (NN old) (NNS men)))")
    inside = edits("Women like old men", parses=only, fidelity="code")[0].hypothesis[0]
    own = edits("Women like old men", parses=only, fidelity="code", write_back="token")[0].hypothesis[0]
    assert (inside.start, own.start) == (2, 15)
    capital = edits("Old Red ones and old red ones", parses=Parses(hypothesis="(S (JJ red))"), fidelity="code")[
        0
    ].hypothesis
    assert capital[0].old == "Red"


def test_code_may_change_nothing() -> None:
    tree = Parses(hypothesis="(S (JJ aa))")
    assert any(not edits("It is aa", parses=tree, fidelity="code", seed=seed)[0].hypothesis for seed in range(20))
    made = [edits("It is aa", parses=tree, fidelity="code", unchanged=False, seed=seed)[0] for seed in range(20)]
    assert all(edit.hypothesis for edit in made)
    missing = edits("It is odd", parses=Parses(hypothesis="(S (JJ even))"), fidelity="code")
    assert missing[0].hypothesis == ()


def test_code_swaps_in_words_of_three_different_letters_only() -> None:
    text = "a odd-on papa sings"
    assert {old for old, _ in changes(text, variant="adjacent-swap", fidelity="code")} == {"sings"}
    assert {old for old, _ in changes(text, variant="adjacent-swap", fidelity="code", hyphens=True)} == {
        "sings",
        "odd-on",
    }
    assert {old for old, _ in changes(text, variant="adjacent-swap", fidelity="code", distinct_letters=1)} == {
        "sings",
        "papa",
    }


def test_code_gives_up_after_its_attempts() -> None:
    def skipped(**options: Any) -> int:
        source = pair(hypothesis="aaaaaaaaab")
        options = {"variant": "adjacent-swap", "fidelity": "code", "distinct_letters": 1, **options}
        return sum(isinstance(Spelling(**options)(source, Random(seed)), Skip) for seed in range(50))

    assert skipped(attempts=1) > skipped(attempts=5) > skipped(attempts=0) == 0


def test_code_lets_capitals_fall() -> None:
    tree = Parses(hypothesis="(S (NNP NASA))")
    typos = {new for _, new in changes("We met NASA", parses=tree, fidelity="code")}
    assert any(not new.isupper() for new in typos)
    assert all(new.isupper() for _, new in changes("We met NASA", parses=tree, fidelity="code", capitals=True))


def test_the_shortest_word_is_a_switch() -> None:
    assert {old for old, _ in changes("We go on", variant="keyboard", fidelity="paper")} == {"We", "go", "on"}
    assert isinstance(Spelling(variant="keyboard")(pair(hypothesis="We go on"), Random(0)), Skip)


@pytest.mark.parametrize("fidelity", ["paper", "code"])
@pytest.mark.parametrize("variant", ["adjacent-swap", "keyboard"])
def test_what_is_too_long_for_a_word_is_left_alone(fidelity: Any, variant: Any) -> None:
    long = "abcdefg" * (LONGEST // 7 + 1)
    made = Spelling(fidelity=fidelity, variant=variant)(pair(hypothesis=f"{long} lamp"), Random(0))
    assert isinstance(made, list)
    assert made[0].hypothesis[0].old == "lamp"


def test_code_says_whose_tokens_it_used() -> None:
    tree = Parses(hypothesis="(ROOT (NP (DT The) (JJ red) (NNS lamps)))", hypothesis_binary="( The ( red lamps ) )")
    for variant in VARIANTS:
        own = edits("The red lamps", variant=variant, fidelity="code")[0].facts
        theirs = edits("The red lamps", variant=variant, fidelity="code", parses=tree)[0].facts
        assert (own, theirs) == ({"tokens": "ours"}, {"tokens": "the pair's parse"})
    assert edits("The red lamps", fidelity="code", parses=None)[0].facts == {"tokens": "ours"}
    assert edits()[0].facts == {}


def test_switches_come_from_a_recipe() -> None:
    made = transform_of(
        Recipe(transform="spelling/v1", seed=0, options={"variant": "keyboard", "nn": "true", "typos": 2})
    )
    assert made == Spelling(variant="keyboard", nn=True, typos=2)


def test_slips() -> None:
    assert list_slips("cab", "key", "qwerty") == [("xab", "vab"), ("csb", "csb"), ("cav", "can")]
    assert list_slips("cab", "swap", "qwerty") == [("acb", "acb"), ("cba", "cba")]
    assert list_slips("", "swap", "qwerty") == list_slips("7", "key", "qwerty") == []
    assert with_capitals("McKay", "cMKay") == "CmKay"
    assert with_capitals("Aß", "ßA") == "ßa"


PIECES = ("the", "cook", "fries", "2", "eggs", ".", "!", "'", '"', "U.S.", "Été", "😀", "Big", "isn't", "ß")
Text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
Sentence = st.one_of(Text, st.lists(st.sampled_from(PIECES)).map(" ".join))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    hypothesis=Sentence,
    seed=st.integers(0, 9),
    variant=st.sampled_from(VARIANTS),
    fidelity=st.sampled_from(["strict", "paper", "code"]),
    typos=st.integers(0, 3),
    write_back=st.sampled_from([None, "token", "first-substring"]),
)
def test_any_text_in_any_fidelity(
    hypothesis: str, seed: int, variant: Any, fidelity: Any, typos: int, write_back: Any
) -> None:
    source: Pair = pair(hypothesis=hypothesis)
    transform = Spelling(variant=variant, fidelity=fidelity, typos=typos, write_back=write_back)
    made = [transform(source, rng_for(seed, transform="spelling/v1", pair=source.id)) for _ in range(2)]
    assert made[0] == made[1]
    if isinstance(made[0], Skip):
        assert made[0].reason.strip()
        return
    (edit,) = made[0]
    premise, text = edit.apply(source)
    assert premise == source.premise
    assert undo(text, edit.hypothesis) == hypothesis
    assert len(text) == len(hypothesis) or fidelity == "code"
    assert len(edit.hypothesis) <= typos
