"""The one shape of heavy work."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.conftest import pair

from assay.core.errors import ExternalError, MissingExtraError
from assay.core.pair import Pair
from assay.run.workers.pool import InlineExecutor, Work, WorkerPool, default_workers, pair_batches, parts, worker_pool
from assay.storage.files import with_digest


def upper(batch: bytes, suffix: bytes) -> bytes:
    return batch.upper() + suffix


def slow(batch: bytes) -> bytes:
    time.sleep(0.3)
    return batch


def die(batch: bytes) -> bytes:
    if batch == b"3":
        os._exit(1)
    return batch


def want_more(batch: bytes) -> bytes:
    raise MissingExtraError("torch", needed_for="Training")


@pytest.fixture(params=["fork", "spawn"])
def start(request: pytest.FixtureRequest) -> Iterator[None]:
    """With another thread about, workers are started anew instead of forked."""
    if request.param == "fork":
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


def run(work: Work, folder: Path, *, batches: int = 9, count: int = 2) -> list[bytes]:
    with worker_pool(count) as pool:
        numbered = (str(number).encode() for number in range(batches))
        return list(parts(work, numbered, folder=folder, pool=pool))


@pytest.mark.usefixtures("start")
@pytest.mark.parametrize("count", [1, 2])
def test_results_come_in_order(tmp_path: Path, count: int) -> None:
    found = run(Work(upper, (b"!",), key="k"), tmp_path, count=count)
    assert found == [f"{number}!".encode() for number in range(9)]


def test_what_is_there_is_taken_and_what_has_another_key_is_not(tmp_path: Path) -> None:
    work = Work(upper, (b"!",), key="k")
    run(work, tmp_path, count=1)
    for path in tmp_path.iterdir():
        path.write_bytes(with_digest(b"kept"))
    assert set(run(work, tmp_path, count=1)) == {b"kept"}
    assert b"kept" not in run(work._replace(key="other"), tmp_path, count=1)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("damage", ["emptied", "cut", "changed", "longer"])
def test_a_damaged_part_is_made_again_and_no_other(tmp_path: Path, damage: str, count: int) -> None:
    work = Work(upper, (b" and so on",), key="k")
    expected = run(work, tmp_path, count=1)
    victim, *others = sorted(tmp_path.iterdir())
    data = victim.read_bytes()
    damaged = {"emptied": b"", "cut": data[:-4], "changed": data[:-1] + b"m", "longer": data + b"!"}
    victim.write_bytes(damaged[damage])
    before = {path: path.stat().st_mtime_ns for path in others}
    assert run(work, tmp_path, count=count) == expected
    assert victim.read_bytes() == data
    assert {path: path.stat().st_mtime_ns for path in others} == before


def test_a_part_that_the_disk_lost_at_once_is_an_external_error(tmp_path: Path) -> None:
    batches = iter([b"1", b"2"])
    found = parts(Work(upper, (b"",), key="k"), batches, folder=tmp_path, pool=WorkerPool(InlineExecutor(), 2))
    assert next(found) == b"1"
    next(tmp_path.glob("000001-*")).write_bytes(b"")
    with pytest.raises(ExternalError, match="Check the disk"):
        next(found)


@pytest.mark.usefixtures("start")
def test_a_worker_that_dies_is_named_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(ExternalError, match="A worker process died") as caught:
        run(Work(die, (), key="k"), tmp_path, batches=200)
    assert "fewer workers" in str(caught.value)


@pytest.mark.usefixtures("start")
def test_an_error_of_a_worker_is_the_users_to_read(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[torch\]"):
        run(Work(want_more, (), key="k"), tmp_path)


def test_nothing_is_written_once_the_work_was_given_up(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield from (b"1", b"2", b"3")
        time.sleep(0.2)  # until a worker has begun
        raise ValueError("broken record")

    with worker_pool(2) as pool:
        with pytest.raises(ValueError, match="broken record"):
            list(parts(Work(slow, (), key="k"), broken(), folder=tmp_path, pool=pool))
        there = sorted(tmp_path.iterdir())
        time.sleep(0.4)
        assert sorted(tmp_path.iterdir()) == there


def test_at_least_one_worker() -> None:
    assert default_workers() >= 1


def test_long_texts_make_small_batches_of_the_same_pairs() -> None:
    pairs = [pair(number, premise="word " * (300_000 if number % 2 else 1)) for number in range(10)]
    batches = list(pair_batches(pairs, 1_000))
    assert len(batches) > 2
    assert max(map(len, batches)) < 4_000_000
    assert [each for batch in batches for each in msgspec.json.decode(batch, type=list[Pair])] == pairs
    assert [*pair_batches(pairs[:1] * 3, 2)] == [msgspec.json.encode(pairs[:1] * 2), msgspec.json.encode(pairs[:1])]
