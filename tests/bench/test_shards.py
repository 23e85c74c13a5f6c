"""The one shape of heavy work."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.bench.shards import Work, default_workers, parts, workers
from assay.core.errors import ExternalError, MissingExtraError


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
    with workers(count) as crew:
        numbered = (str(number).encode() for number in range(batches))
        return [path.read_bytes() for path in parts(work, numbered, folder=folder, crew=crew)]


@pytest.mark.usefixtures("start")
@pytest.mark.parametrize("count", [1, 2])
def test_results_come_in_order(tmp_path: Path, count: int) -> None:
    found = run(Work(upper, (b"!",), key="k"), tmp_path, count=count)
    assert found == [f"{number}!".encode() for number in range(9)]


def test_what_is_there_is_taken_and_what_has_another_key_is_not(tmp_path: Path) -> None:
    work = Work(upper, (b"!",), key="k")
    run(work, tmp_path, count=1)
    for path in tmp_path.iterdir():
        path.write_bytes(b"kept")
    assert set(run(work, tmp_path, count=1)) == {b"kept"}
    assert b"kept" not in run(work._replace(key="other"), tmp_path, count=1)


@pytest.mark.usefixtures("start")
def test_a_worker_that_dies_is_named_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(ExternalError, match="A worker process died") as caught:
        run(Work(die, (), key="k"), tmp_path, batches=200)
    assert "fewer workers" in str(caught.value)


@pytest.mark.usefixtures("start")
def test_an_error_of_a_worker_is_the_users_to_read(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match=r"nli-assay\[torch\]"):
        run(Work(want_more, (), key="k"), tmp_path)


def test_nothing_is_written_once_the_work_was_given_up(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield from (b"1", b"2", b"3")
        time.sleep(0.2)  # until a worker has begun
        raise ValueError("broken record")

    with workers(2) as crew:
        with pytest.raises(ValueError, match="broken record"):
            list(parts(Work(slow, (), key="k"), broken(), folder=tmp_path, crew=crew))
        there = sorted(tmp_path.iterdir())
        time.sleep(0.4)
        assert sorted(tmp_path.iterdir()) == there


def test_at_least_one_worker() -> None:
    assert default_workers() >= 1
