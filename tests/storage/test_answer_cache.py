"""Kept answers under damage: what is damaged is asked again and told, and never taken for an answer."""

import shutil
import sqlite3
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random

import msgspec
import pytest

import assay
from assay.core.case import Prediction
from assay.core.errors import ExternalError
from assay.run.predict.answer_strategies import key_of
from assay.run.predict.predict_options import PredictOptions
from assay.run.predict.predict_suites import run_model
from assay.run.workers.pool import worker_pool
from assay.storage import answer_cache as kept
from assay.storage.answer_cache import AnswerCache, AnswersLostError
from assay.storage.folders import cache_folder
from assay.storage.suite import Suite

VALUES = {key_of(str(number)): bytes([number % 251]) * 90 for number in range(200)}

MODEL = "python:answering:predict?version=1&batch=8"

ANSWERING = """
ASKED = []

def predict(pairs):
    ASKED.extend(pairs)
    labels = ("entailment", "neutral", "contradiction")
    return [{"label": labels[len(premise + hypothesis) % 3]} for premise, hypothesis in pairs]
"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of kept values."""
    path = tmp_path_factory.mktemp("filled") / "kept.sqlite"
    with AnswerCache(path) as store:
        store.put(VALUES.items())
    return path.read_bytes()


def flipped(data: bytes, rng: Random) -> bytes:
    """Change a bit of a byte that is in use."""
    place = rng.choice([place for place, byte in enumerate(data) if byte])
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def mended(store: AnswerCache) -> list[bytes]:
    """What a model does about a store: ask what is missing, and begin anew where that does not help."""
    for _ in range(2):
        left = VALUES.keys() - store.known(list(VALUES))
        store.put((key, VALUES[key]) for key in left)
        try:
            return store.recall(list(VALUES))
        except AnswersLostError:
            store.begin_anew()
    return []


DAMAGES: dict[str, Callable[[bytes, Random], bytes]] = {
    "flipped": flipped,
    "cut": lambda data, rng: data[: rng.randrange(len(data))],
    "zeros": lambda data, rng: data[: (place := rng.randrange(len(data)))] + bytes(300) + data[place + 300 :],
    "noise": lambda data, rng: data[: (place := rng.randrange(len(data)))] + rng.randbytes(300) + data[place + 300 :],
    "removed": lambda data, rng: data[: (place := rng.randrange(len(data)))] + data[place + 1 :],
    "swapped": lambda data, rng: data[4096 * (page := rng.randrange(1, 4)) :] + data[: 4096 * page],
    "no database": lambda data, _: b"not a data base at all, but text" * (len(data) // 32),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_file_never_gives_a_wrong_value_and_can_be_used_on(kind: str, filled: bytes, tmp_path: Path) -> None:
    for number in range(25):
        path = tmp_path / str(number) / "kept.sqlite"
        path.parent.mkdir()
        path.write_bytes(DAMAGES[kind](filled, Random(number)))
        with AnswerCache(path) as store:
            assert store.get(list(VALUES)).items() <= VALUES.items(), number
            assert mended(store) == list(VALUES.values()), number
        with AnswerCache(path) as store:
            assert store.recall(list(VALUES)) == list(VALUES.values()), number


def test_a_damaged_value_is_forgotten_and_counted(filled: bytes, tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    path.write_bytes(filled)
    (one, two), others = list(VALUES)[:2], list(VALUES)[2:]
    with sqlite3.connect(path) as file:
        file.execute("UPDATE kept SET value = (SELECT value FROM kept WHERE key = ?) WHERE key = ?", (one, two))
    file.close()
    with AnswerCache(path) as store:
        assert store.known(list(VALUES)) == {one, *others}, "another key's value is as good as none"
        assert store.damaged == {two}
        store.put([(two, b"new"), (one, b"what is there already stays as it is")])
        assert store.get([one, two]) == {one: VALUES[one], two: b"new"}


def test_a_file_that_cannot_be_read_is_set_aside_and_told(filled: bytes, tmp_path: Path) -> None:
    path, told = tmp_path / "kept.sqlite", list[str]()
    path.write_bytes(b"\0" + filled[1:])
    with AnswerCache(path, tell=told.append) as store:
        assert store.known(list(VALUES)) == set()
    [text] = told
    assert text.startswith(f"The cached answers in {path} were damaged: 0 of them could be read")
    assert f"The damaged file is now {path}.damaged" in text
    assert path.with_name("kept.sqlite.damaged").read_bytes()[1:] == filled[1:]


def test_what_can_be_read_of_a_damaged_file_is_used(filled: bytes, tmp_path: Path) -> None:
    path, told = tmp_path / "kept.sqlite", list[str]()
    place = 4096 * (len(filled) // 4096 // 2)
    path.write_bytes(filled[:place] + bytes(4096) + filled[place + 4096 :])  # a page in the middle
    with AnswerCache(path, tell=told.append) as store:
        assert len(VALUES) / 2 < len(store.get(list(VALUES))) < len(VALUES)
    assert len(told) == 1


def test_a_full_or_closed_disk_is_not_taken_for_damage(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, no folder")
    with pytest.raises(ExternalError, match="Can't store answers in"):
        AnswerCache(tmp_path / "taken" / "kept.sqlite")
    (tmp_path / "kept.sqlite").mkdir()
    with pytest.raises(ExternalError, match="Can't store answers in"):
        AnswerCache(tmp_path / "kept.sqlite")
    assert (tmp_path / "kept.sqlite").is_dir()


class Bench:
    """A model whose answers are kept, asked about one suite again and again."""

    def __init__(self, folder: Path, suite: Suite) -> None:
        self.folder = folder
        self.suite = suite
        self.told: list[str] = []
        """What the user was told the last time."""
        self.asked = 0
        """Pairs that the model was asked the last time."""

    def predictions(self) -> list[Prediction]:
        asked = import_module("answering").ASKED
        asked.clear()
        self.told.clear()
        place = self.folder / "run" / "predictions" / "model"
        how = PredictOptions(tell=self.told.append)
        with worker_pool(1) as pool:
            run_model(MODEL, {"stress": self.suite}, place, pool=pool, progress=lambda _: None, how=how)
        self.asked = len(asked)
        return msgspec.json.Decoder(Prediction).decode_lines((place / "stress.jsonl").read_bytes())


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    (tmp_path / "answering.py").write_text(ANSWERING)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "answering", raising=False)
    return Bench(tmp_path, assay.build("negation", assay.read("bundled", limit=40), out=tmp_path / "suite"))


def test_no_byte_of_the_cache_changes_a_prediction(bench: Bench) -> None:
    right = bench.predictions()
    assert bench.asked == 40
    assert bench.predictions() == right
    assert (bench.asked, bench.told) == (0, [])
    [path] = cache_folder(kept.ANSWERS).iterdir()
    intact, told, asked_again = path.read_bytes(), 0, 0
    for number in range(40):
        shutil.rmtree(path.parent)
        path.parent.mkdir()
        path.write_bytes(flipped(intact, Random(number)))
        assert bench.predictions() == right, number
        told += bool(bench.told)
        asked_again += bool(bench.asked)  # not if only the lookup of another row, such as the pace, meets the damage
    assert told > 10
    assert asked_again > 10


def test_damaged_answers_are_asked_again_and_counted(bench: Bench) -> None:
    right = bench.predictions()
    [path] = cache_folder(kept.ANSWERS).iterdir()
    with sqlite3.connect(path) as file:
        file.execute("UPDATE kept SET value = zeroblob(9) WHERE key IN (SELECT key FROM kept LIMIT 3)")
    file.close()
    assert bench.predictions() == right
    assert bench.told == [f"{MODEL}: 3 cached answers in {path} were damaged and computed again."]
    assert bench.predictions() == right
    assert (bench.asked, bench.told) == (0, [])


def test_a_file_that_loses_what_is_put_into_it_is_begun_anew(bench: Bench) -> None:
    """Where keys are out of order, SQLite puts a row where it does not find it again, and says nothing."""
    right = bench.predictions()
    [path] = cache_folder(kept.ANSWERS).iterdir()
    with sqlite3.connect(path) as file:
        keys = [key for (key,) in file.execute("SELECT key FROM kept")]
    file.close()
    data = path.read_bytes()
    for key in keys:
        assert data.count(key) == 1
        data = data.replace(key, bytes(255 - byte for byte in key))
    path.write_bytes(data)
    assert bench.predictions() == right
    assert [text.partition(":")[0] for text in bench.told] == [f"The cached answers in {path} were damaged"]
    assert bench.predictions() == right
    assert (bench.asked, bench.told) == (0, [])


def test_answers_of_an_older_layout_are_not_read(bench: Bench) -> None:
    right = bench.predictions()
    [path] = cache_folder(kept.ANSWERS).iterdir()
    older = path.parent.with_name("answers-1")
    path.parent.rename(older)
    with sqlite3.connect(older / path.name) as file:  # values without a check
        file.execute("UPDATE kept SET value = substr(value, 9)")
    file.close()
    assert bench.predictions() == right
    assert (bench.asked, bench.told) == (40, [])
