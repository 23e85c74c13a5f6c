"""Batches: every pair once, like lengths together, keyed by seed and epoch."""

import numpy
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from assay.training.schedule import batches, draw_epoch


@given(
    lengths=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), max_size=80),
    size=st.integers(1, 9),
    buckets=st.booleans(),
)
def test_every_pair_comes_once(lengths: list[tuple[int, int]], size: int, buckets: bool) -> None:
    table = numpy.array(lengths, dtype=numpy.int64).reshape(len(lengths), 2)
    found = batches(table, size=size, seed=1, epoch=2, buckets=buckets)
    assert sorted(row for batch in found for row in batch.tolist()) == list(range(len(lengths)))
    assert all(0 < len(batch) <= size for batch in found)


def test_epochs_and_seeds_differ_and_each_is_the_same_again() -> None:
    table = numpy.random.default_rng(0).integers(1, 30, (200, 2))

    def order(seed: int, epoch: int) -> list[list[int]]:
        return [batch.tolist() for batch in batches(table, size=8, seed=seed, epoch=epoch)]

    assert order(1, 1) == order(1, 1)
    assert order(1, 1) != order(1, 2)
    assert order(1, 1) != order(2, 1)


def test_pairs_stay_in_the_order_of_the_file_where_asked() -> None:
    table = numpy.random.default_rng(0).integers(1, 30, (20, 2))
    found = batches(table, size=8, seed=1, epoch=2, in_file_order=True)
    assert [batch.tolist() for batch in found] == [list(range(8)), list(range(8, 16)), list(range(16, 20))]


def test_a_share_is_drawn_again_each_epoch() -> None:
    shares = numpy.repeat([1.0, 0.15], [100, 1000])
    first, second = (draw_epoch(shares, seed=1, epoch=epoch) for epoch in (0, 1))
    assert first.tolist() == draw_epoch(shares, seed=1, epoch=0).tolist()
    assert set(range(100)) <= set(first) & set(second)
    assert 100 < len(first) - 100 < 200
    assert set(first) != set(second)


def test_buckets_save_most_of_the_padding() -> None:
    table = numpy.random.default_rng(0).integers(2, 30, (2000, 2))
    plain = padding(table, batches(table, size=32, seed=0, epoch=0, buckets=False))
    assert padding(table, batches(table, size=32, seed=0, epoch=0)) < plain / 3


def padding(lengths: NDArray[numpy.int64], rows: list[NDArray[numpy.int64]]) -> float:
    """Share of places that are padding."""
    places = sum(int(lengths[batch].max(0).sum()) * len(batch) for batch in rows)
    return 1 - float(lengths.sum()) / places
