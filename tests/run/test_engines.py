"""Engines: workers that are far away give the same bytes."""

import os
import pickle
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Planted
from tests.fixtures.runs import WriteCorpus
from tests.run.failing_work import dies_once, hangs_once

import assay
from assay.core.errors import ExternalError, MissingExtraError, UserError
from assay.run.workers import engines
from assay.run.workers.engines import DaskExecutor, Equipment, call_equipped, engine, equipment
from assay.run.workers.pool import FarExecutor, Work, WorkerPool, parts
from assay.storage.files import SAFE_PATH


class Far(FarExecutor):
    """Workers that only get what can be sent to them."""

    def __init__(self) -> None:
        self.functions: list[str] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.functions.append(fn.__name__)
        future: Future[Any] = Future()
        function, given = pickle.loads(pickle.dumps((fn, args)))
        future.set_result(pickle.loads(pickle.dumps(function(*given))))
        return future


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_what_far_workers_return_is_stored_here(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(9)
    near = assay.build("negation", corpus, out=tmp_path / "near")
    far = assay.build("negation", corpus, out=tmp_path / "far", executor=Far())
    assert contents(far.folder) == contents(near.folder)


def test_far_workers_open_the_model_and_give_the_same_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {}
    for name, executor in (("near", None), ("far", Far())):
        monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / f"cache {name}"))
        record = assay.run(
            assay.read("bundled", limit=6),
            families="negation",
            models=["assay:esim", "assay:overlap"],
            out=tmp_path / name,
            executor=executor,
        )
        folder = tmp_path / name / record.id
        answers[name] = {path.parent.name: path.read_bytes() for path in folder.rglob("predictions/*/*.jsonl")}
        if executor:
            assert "answer_texts" in executor.functions
    assert answers["far"] == answers["near"]


def test_a_worker_with_other_equipment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert call_equipped(equipment(), len, "abc") == 3
    monkeypatch.setattr(engines, "equipment", lambda: Equipment("0.0.1", "3.11", ()))
    with pytest.raises(ExternalError, match="results could differ"):
        call_equipped(Equipment("0.1.0", "3.11", ()), len, "abc")


def test_processes_of_this_machine_need_no_executor() -> None:
    with engine("local", 2) as executor:
        assert executor is None


def test_without_dask_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[dask\]"), engine("dask", 2):
        pass


class Sent:
    """A part that a cluster works on."""

    def __init__(self, key: str) -> None:
        self.key = key

    def add_done_callback(self, call: Callable[..., None]) -> None:
        pass

    def cancel(self) -> None:
        pass


class Cluster:
    """A client of a cluster whose workers never finish anything."""

    def __init__(self) -> None:
        self.parts = 0
        self.restarted: list[str] = []

    def submit(self, *_given: Any, **_more: Any) -> Sent:
        self.parts += 1
        return Sent(f"part-{self.parts}")

    def restart_workers(self, workers: list[str], **_more: Any) -> None:
        self.restarted += workers


def test_a_worker_that_finishes_nothing_hangs_and_its_part_is_redone_once() -> None:
    cluster = Cluster()
    with DaskExecutor(cluster, hangs=0) as executor:
        executor._hangs = 60
        first, _second = executor.submit(len, "a"), executor.submit(len, "b")
        assert executor.hanging({"w1": ["part-1"], "w2": ["part-2"], "w3": []}, 0) == []
        assert executor.hanging({"w1": ["part-1"], "w2": ["part-9"]}, 59) == []  # w2 has finished part 2
        assert executor.hanging({"w1": ["part-1"], "w2": []}, 60) == ["w1"]
        executor._replace("w1")
        assert cluster.restarted == ["w1"]
        assert not first.done()
        assert executor.hanging({"w4": ["part-1"]}, 61) == []
        assert executor.hanging({"w4": ["part-1"]}, 121) == ["w4"]
        executor._replace("w4")
        with pytest.raises(ExternalError, match="Two workers did not finish the same part within 60 seconds"):
            first.result()


@pytest.mark.filterwarnings("ignore")
class TestDask:
    """A real cluster of two processes."""

    @pytest.fixture(autouse=True)
    def _dask(self) -> None:
        pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")

    def test_a_cluster_gives_the_same_bytes_though_a_worker_dies(
        self, write_corpus: WriteCorpus, tmp_path: Path, planted: Planted, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(temporary := tmp_path / "temporary"))
        temporary.mkdir()
        corpus = write_corpus(9)
        near = assay.build("negation", corpus, out=tmp_path / "near")
        with engine("dask", 2) as executor:
            assert executor
            far = assay.build("negation", corpus, out=tmp_path / "far", executor=executor)
            work = Work(dies_once, (str(tmp_path / "died"),), key="dies")
            made = parts(work, [b"a", b"b", b"c"], folder=tmp_path / "parts", pool=WorkerPool(executor, 2))
            assert list(made) == [b"A", b"B", b"C"]
            assert (tmp_path / "died").exists()
            with DaskExecutor(executor._client, hangs=4) as impatient:  # type: ignore[attr-defined]
                work = Work(hangs_once, (str(tmp_path / "hung"),), key="hangs")
                made = parts(work, [b"a", b"b", b"c"], folder=tmp_path / "others", pool=WorkerPool(impatient, 2))
                assert list(made) == [b"A", b"B", b"C"]
            assert (tmp_path / "hung").exists()
        assert contents(far.folder) == contents(near.folder)
        assert planted.imported() == []
        assert SAFE_PATH not in os.environ, "a program that the user starts later would not find its own modules"
        assert list(temporary.iterdir()) == []

    def test_an_address_where_nobody_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(engines, "PATIENCE", 1)
        with pytest.raises(ExternalError, match="No Dask scheduler"), engine("tcp://127.0.0.1:9", 2):
            pass

    def test_a_name_that_is_no_engine(self) -> None:
        with pytest.raises(UserError, match="No engine 'spark'"), engine("spark", 2):
            pass
