"""Generating: different pairs, in the right proportions, from pools of a known size."""

from collections import Counter
from itertools import islice, permutations, product
from math import expm1

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stress.heuristics.conftest import pool_sizes, split_of

from assay.core.errors import UserError
from assay.core.pair import Pair
from assay.core.protocols import Fidelity
from assay.stress.heuristics.build import GeneratedPairs
from assay.stress.heuristics.counterexample import ALL, quirks_of
from assay.stress.heuristics.generate import make_blocks, pools_of
from assay.stress.heuristics.grammar import Grammar, load_grammar
from assay.stress.heuristics.recognise import recognise
from assay.stress.template_pairs import SPLITS, Split, shuffle_range

GOLDEN = [
    "When the artists presented the senators saw the students .",
    "Since the lawyer moved the actor introduced the athlete .",
    "Maybe the secretary mentioned the author .",
    "Probably the authors danced .",
]


def texts(pairs: list[Pair]) -> set[tuple[str, str]]:
    return {(pair.premise, pair.hypothesis) for pair in pairs}


def repeats(premise: str, grammar: Grammar) -> bool:
    """The paper's rule: nothing but "the" is in a premise twice, and a plural counts as its singular."""
    words = [grammar.lexicon.lemmas.get(word, word) for word in premise.lower().split() if word != "the"]
    return len(set(words)) < len(words)


@pytest.mark.parametrize("fidelity", ["strict", "code"])
def test_a_thousand_different_pairs_of_each_subcase(fidelity: Fidelity) -> None:
    grammar = load_grammar()
    pairs = list(GeneratedPairs(fidelity=fidelity))
    assert [pair.id for pair in pairs] == [f"ex{number}" for number in range(30_000)]
    assert [pair.group["subcase"] for pair in pairs[::1000]] == [each.name for each in grammar.subcases]
    assert len(texts(pairs)) == 30_000
    assert not [pair.premise for pair in pairs if repeats(pair.premise, grammar)]
    doubled = sum(" the the " in pair.hypothesis for pair in pairs)
    assert (doubled > 0) == (fidelity == "code")
    assert len({pair.group["template"] for pair in pairs}) == 60


def test_the_splits_share_no_premise() -> None:
    halves = {
        split: {
            pair.premise
            for quirks in ("none", " ".join(ALL))
            for pair in GeneratedPairs(300, split=split, quirks=quirks)
        }
        for split in SPLITS
    }
    assert not halves["evaluation"] & halves["training"]
    for split, premises in halves.items():
        assert {split_of(premise) for premise in premises} == {split}


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_seed_gives_the_same_pairs(seed: int) -> None:
    assert list(GeneratedPairs(20, seed=seed)) == list(GeneratedPairs(20, seed=seed))


def test_another_seed_gives_others() -> None:
    assert texts(list(GeneratedPairs(20, seed=0))) != texts(list(GeneratedPairs(20, seed=1)))


def test_a_subcase_does_not_depend_on_the_others() -> None:
    every = [pair.premise for pair in GeneratedPairs(20) if pair.group["subcase"] == "cn_adverb"]
    assert [pair.premise for pair in GeneratedPairs(20, subcases=["cn_adverb"])] == every


def test_these_are_the_pairs() -> None:
    """Made by this function on its first day: another release or machine must make the same."""
    made = [pair.premise for pair in islice(GeneratedPairs(2, seed=0, subcases=["cn_adverb", "sn_NP/Z"]), 4)]
    assert made == GOLDEN


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("name", ["se_understood_object", "ln_passive"])
def test_a_pool_can_be_emptied_and_no_more(name: str, split: Split) -> None:
    size = pool_sizes()[name][split]
    pairs = list(GeneratedPairs(size, subcases=[name], split=split))
    assert len(texts(pairs)) == size
    assert {split_of(pair.premise) for pair in pairs} == {split}
    with pytest.raises(UserError, match=f"{name} has {size:,} different pairs"):
        iter(GeneratedPairs(size + 1, subcases=[name], split=split))


def test_the_number_that_all_subcases_have_is_named() -> None:
    smallest = min(sizes["evaluation"] for sizes in pool_sizes().values())
    with pytest.raises(UserError, match=f"Request at most {smallest:,} of each subcase"):
        iter(GeneratedPairs(10**9))


SMALL = """
[classes.VA]
kind = "verb"
frames = ["object"]
words = ["saw", "met", "believed"]
[classes.VB]
kind = "verb"
frames = ["that"]
factive = false
words = ["believed", "said"]
[[subcases]]
name = "small"
heuristic = "lexical_overlap"
label = "non-entailment"
templates = [{ id = "t1", pair = "the Ns1 VB that the Np2 VA the N3 => the N3 VA the Np2" }]
"""


@pytest.mark.parametrize("split", SPLITS)
def test_a_pool_is_what_trying_everything_finds(split: Split) -> None:
    grammar = load_grammar(SMALL)
    lexicon = grammar.lexicon
    found = set()
    for one, other, third in permutations(lexicon.nouns, 3):
        for verb, saw, form in product(("believed", "said"), ("saw", "met", "believed"), (third, lexicon.nouns[third])):
            if verb != saw:
                premise = f"The {one} {verb} that the {lexicon.nouns[other]} {saw} the {form} ."
                if split_of(premise) == split:
                    found.add(premise)
    assert pool_sizes(grammar)["small"][split] == len(found)
    made = {pair.premise for pair in GeneratedPairs(len(found), grammar=SMALL, subcases=["small"], split=split)}
    assert made == found


def expected(name: str, split: Split | None) -> dict[str, float]:
    """The share of each template's shapes among 1,000 different pairs, from weights and sizes; of both halves if None.

    A pair of weight w is among those drawn by the time t with 1 - exp(-wt); t is where 1,000 are expected.
    """
    pool = next(pool for pool in pools_of(load_grammar(), quirks_of("code")) if pool.subcase.name == name)
    sized = [(block, block.sizes[split] if split else block.size) for block in pool.blocks]
    low, high = 0.0, 1e12
    while high - low > high * 1e-9:
        middle = (low + high) / 2
        drawn = sum(-size * expm1(-block.weight * middle) for block, size in sized)
        low, high = (middle, high) if drawn < 1000 else (low, middle)
    shares: dict[str, float] = {}
    for block, size in sized:
        key = f"{block.filled.template.id} {shape(block.filled.variant.premise.pieces)}"
        shares[key] = shares.get(key, 0.0) - size * expm1(-block.weight * low) / 1000
    return shares


def shape(pieces: object) -> str:
    return " ".join(piece if isinstance(piece, str) else piece.kind for piece in pieces)  # type: ignore[attr-defined]


def shape_of(premise: str, hypothesis: str) -> str:
    grammar = load_grammar()
    words = [token.text for token in grammar.lexicon.split(premise) or ()]
    found = recognise(premise, hypothesis)
    assert found is not None
    for filled in grammar.filled[found.subcase]:
        pieces = filled.variant.premise.pieces
        if filled.template.id == found.template and len(pieces) == len(words):
            fits = (w == p if isinstance(p, str) else w in p.words for p, w in zip(pieces, words, strict=True))
            if all(fits):
                return f"{found.template} {shape(pieces)}"
    raise AssertionError(premise)


def chi_square(counts: Counter[str], shares: dict[str, float]) -> float:
    """How many standard deviations the counts are off, all in all."""
    total = counts.total()
    value = sum((counts[key] - total * share) ** 2 / (total * share) for key, share in shares.items())
    return float((value - (len(shares) - 1)) / max(2 * (len(shares) - 1), 1) ** 0.5)


SUBCASES = [each.name for each in load_grammar().subcases]


@pytest.mark.parametrize("name", SUBCASES)
def test_the_real_set_was_drawn_in_these_proportions(name: str, real: list[Pair]) -> None:
    """Templates and the shapes of their phrases, with the weights of the released code and its rejections."""
    counts = Counter(shape_of(pair.premise, pair.hypothesis) for pair in real[::4] if pair.group["subcase"] == name)
    shares = expected(name, None)
    assert set(counts) == set(shares)
    assert chi_square(counts, shares) < 4.5


@pytest.mark.parametrize("name", SUBCASES)
def test_ours_is_drawn_in_these_proportions(name: str) -> None:
    pairs = islice(GeneratedPairs(1000, subcases=[name], fidelity="code", seed=5), 250)
    counts = Counter(shape_of(pair.premise, pair.hypothesis) for pair in pairs)
    assert chi_square(counts, expected(name, "evaluation")) < 4.5


def test_town_is_drawn_twice_as_often_under_its_quirk() -> None:
    def towns(fidelity: Fidelity) -> float:
        pairs = [
            p
            for seed in range(8)
            for p in GeneratedPairs(200, subcases=["se_understood_object"], fidelity=fidelity, seed=seed)
        ]
        places = Counter(p.premise.split()[-2] for p in pairs if "explored" in p.premise or "left" in p.premise)
        return places["town"] / places.total()

    assert 0.07 < towns("strict") < 0.13
    assert 0.14 < towns("code") < 0.23


def test_a_quirk_can_be_switched_on_alone() -> None:
    pairs = list(GeneratedPairs(200, quirks="doubled-the", subcases=["ln_relative_clause", "cn_adverb"]))
    assert any(" the the " in pair.hypothesis for pair in pairs)
    assert not any("(NN judges)" in str(pair.parses) for pair in pairs)
    with pytest.raises(UserError, match="did you mean 'doubled-the'"):
        iter(GeneratedPairs(1, quirks="doubled-teh"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "1 or more"),
        ({"n": 10**6}, "different pairs in the evaluation split"),
        ({"n": 1, "split": "test"}, "Choose evaluation or training"),
        ({"n": 1, "subcases": ["cn_adverbs"]}, "did you mean 'cn_adverb'"),
    ],
)
def test_what_can_not_be_is_refused_at_once(options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        iter(GeneratedPairs(**options))  # type: ignore[arg-type]


@given(st.integers(1, 400), st.text(max_size=5))
def test_a_shuffle_is_a_permutation(size: int, key: str) -> None:
    assert sorted(shuffle_range(0, size, size=size, key=key).tolist()) == list(range(size))


@given(st.integers(1, 2**62), st.integers(0, 50))
def test_a_part_of_a_huge_shuffle_is_had_alone(size: int, start: int) -> None:
    stop = min(start + 20, size)
    start = min(start, stop)
    some = shuffle_range(start, stop, size=size, key="k").tolist()
    assert len(set(some)) == len(some)
    assert all(0 <= number < size for number in some)


def test_blocks_of_a_variant_share_no_filling() -> None:
    grammar = load_grammar(SMALL)
    (filled,) = grammar.filled["small"]
    seen: set[tuple[str, ...]] = set()
    for block in make_blocks(filled, grammar, frozenset()):
        for split in SPLITS:
            drawn = block.draw_numbers(block.sizes[split], split, "k") if block.sizes[split] else ()
            rows = zip(
                *([column.words[n] for n in row] for column, row in zip(block.columns, drawn, strict=False)),
                strict=True,
            )
            found = set(rows)
            assert len(found) == block.sizes[split]
            assert not found & seen
            seen |= found
