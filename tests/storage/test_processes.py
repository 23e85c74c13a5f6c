"""A process never imports a module from the working directory that nobody asked for."""

import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from tests.conftest import Planted

from assay.run.workers.pool import WorkerProcesses
from assay.storage.files import SAFE_PATH, spawn_context


def test_workers_of_a_pool_leave_modules_of_the_working_directory_alone(planted: Planted) -> None:
    with ProcessPoolExecutor(1, mp_context=spawn_context()) as pool:
        assert Path(pool.submit(os.getcwd).result()) == planted.folder
        assert pool.submit(os.getenv, SAFE_PATH).result() is None, "programs that a worker starts are as usual"
    assert planted.imported() == []


def test_cells_of_a_study_do_too(planted: Planted) -> None:
    with WorkerProcesses(1) as processes:
        assert processes.submit(str.upper, "done").result() == "DONE"
    assert planted.imported() == []


def test_a_setting_of_the_user_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SAFE_PATH, "yes")
    with ProcessPoolExecutor(1, mp_context=spawn_context()) as pool:
        assert pool.submit(os.getenv, SAFE_PATH).result() == "yes"
    assert os.environ[SAFE_PATH] == "yes"
