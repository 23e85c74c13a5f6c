"""Chance is keyed by identity."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.rng import KeyedRandom, rng_for


def shuffled(rng: Random) -> list[int]:
    items = list(range(20))
    rng.shuffle(items)
    return items


DRAWS: dict[str, Callable[[Random], Any]] = {
    "random": lambda rng: rng.random(),
    "choice": lambda rng: rng.choice("abcdefghijklmnopqrstuvwxyz"),
    "choices": lambda rng: rng.choices(range(1000), k=5),
    "randrange": lambda rng: rng.randrange(10**9),
    "randint": lambda rng: rng.randint(0, 10**9),
    "shuffle": shuffled,
    "sample": lambda rng: rng.sample(range(1000), 5),
    "gauss": lambda rng: rng.gauss(0, 1),
    "uniform": lambda rng: rng.uniform(0, 1),
    "getrandbits": lambda rng: rng.getrandbits(64),
    "randbytes": lambda rng: rng.randbytes(8),
}


@pytest.mark.parametrize("first", DRAWS)
@pytest.mark.parametrize("second", DRAWS)
def test_a_generator_keyed_anew_draws_what_a_fresh_one_draws(first: str, second: str) -> None:
    used = KeyedRandom(7, transform="t/v1")
    DRAWS[first](used.keyed("before"))
    fresh = rng_for(7, transform="t/v1", pair="now")
    again = used.keyed("now")
    assert [DRAWS[second](again), DRAWS[first](again)] == [DRAWS[second](fresh), DRAWS[first](fresh)]


@pytest.mark.parametrize("draw", ["random", "randrange", "shuffle", "sample", "gauss", "getrandbits"])
def test_another_key_gives_another_stream(draw: str) -> None:
    keys = [(7, "t/v1", "1"), (8, "t/v1", "1"), (7, "t/v2", "1"), (7, "t/v1", "2"), (7, "t/v1", "11")]
    drawn = [DRAWS[draw](rng_for(seed, transform=transform, pair=pair)) for seed, transform, pair in keys]
    assert all(drawn.count(each) == 1 for each in drawn)


@given(seed=st.integers(), ids=st.lists(st.text(st.characters(exclude_categories=["Cs"])), unique=True), data=st.data())
def test_the_order_of_the_pairs_does_not_matter(seed: int, ids: list[str], data: st.DataObject) -> None:
    rng, other = KeyedRandom(seed, transform="t/v1"), KeyedRandom(seed, transform="t/v1")
    drawn = {name: rng.keyed(name).random() for name in ids}
    assert drawn == {name: other.keyed(name).random() for name in data.draw(st.permutations(ids))}


def test_drawing_goes_on_within_a_pair() -> None:
    rng = rng_for(1, transform="t/v1", pair="1")
    assert rng.random() != rng.random()
