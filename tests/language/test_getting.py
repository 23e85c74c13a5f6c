"""Bringing language data: sources, digests, and pickles that must not run."""

import json
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import msgspec
import pytest

from assay.core.errors import BadInputError, ExternalError, UserError
from assay.language import getting
from assay.language.resources import loaded as resources
from assay.language.resources.tagger_files import JSON, PICKLE, read_json, read_pickle
from assay.language.resources.tags import Tagger, TaggerData
from assay.language.resources.wordnet import WordNetData
from assay.language.resources.wordnet_files import FILES, read_wordnet

TAGGER = ({"bias": {"NN": 1.0, "VB": 0.5}, "i word run": {"VB": 2.0}}, {"the": "DT"}, {"NN", "VB", "DT"})


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch ran",)


def test_a_pickle_of_plain_data_is_read(tmp_path: Path) -> None:
    (tmp_path / PICKLE).write_bytes(pickle.dumps(TAGGER))
    tagger = Tagger(read_pickle(tmp_path / PICKLE, variant="test"))
    assert tagger.tag(["the", "run", "dog"]) == ["DT", "VB", "NN"]


@pytest.mark.parametrize("evil", [Evil(), ({}, {}, Evil()), (Path("x"), {}, set())])
def test_a_pickle_that_asks_for_code_is_refused(evil: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / PICKLE).write_bytes(pickle.dumps(evil))
    with pytest.raises(BadInputError, match="it asks for"):
        read_pickle(tmp_path / PICKLE, variant="test")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("junk", [b"", b"junk", pickle.dumps((1, 2)), pickle.dumps(3)])
def test_a_pickle_of_something_else_is_refused(junk: bytes, tmp_path: Path) -> None:
    (tmp_path / PICKLE).write_bytes(junk)
    with pytest.raises(BadInputError, match="not NLTK's tagger"):
        read_pickle(tmp_path / PICKLE, variant="test")


def test_a_pickle_with_another_digest_is_not_even_opened(tmp_path: Path) -> None:
    folder = tmp_path / "taggers" / "averaged_perceptron_tagger"
    folder.mkdir(parents=True)
    (folder / PICKLE).write_bytes(pickle.dumps(TAGGER))
    with pytest.raises(BadInputError, match="digest differs"):
        getting._compile_tagger(tmp_path)


def write_json(folder: Path) -> None:
    folder.mkdir(parents=True)
    weights, certain, classes = TAGGER
    for part, value in (("weights", weights), ("tagdict", certain), ("classes", sorted(classes))):
        (folder / JSON[part]).write_text(json.dumps(value))


def test_the_tagger_as_json(tmp_path: Path) -> None:
    write_json(tmp_path / "t")
    assert read_json(tmp_path / "t", variant="x").certain == {"the": "DT"}


def test_other_files_are_no_wordnet(tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / name).write_text("junk\n")
    with pytest.raises(BadInputError, match="an unknown edition of WordNet"):
        getting._compile_wordnet(tmp_path)
    with pytest.raises(BadInputError, match="not WordNet's database files"):
        read_wordnet(tmp_path, variant="x")


@contextmanager
def nothing() -> Iterator[list[Path]]:
    yield []


@contextmanager
def offline() -> Iterator[list[Path]]:
    raise OSError("Network is unreachable")
    yield []


def test_what_was_tried_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    with pytest.raises(ExternalError, match="No source for wordnet and tagger") as caught:
        getting.get(sources={"a folder": nothing, "a site": offline})
    for told in ("a folder: no wordnet", "a site: Network is unreachable", "NLTK_DATA"):
        assert told in str(caught.value)


def test_each_part_comes_from_the_first_source_that_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, first, second = tmp_path / "home", tmp_path / "first", tmp_path / "second"
    monkeypatch.setenv("ASSAY_DATA", str(home))
    monkeypatch.setenv("NLTK_DATA", f"{first}{os.pathsep}{second}")
    write_json(second / "taggers" / "averaged_perceptron_tagger_eng")
    first.mkdir()
    sources = {"NLTK": getting._nltk_folders}
    empty = msgspec.msgpack.encode(WordNetData(synsets=[], index={}, exceptions={}, variant="empty"))
    monkeypatch.setattr(getting, "_compile_wordnet", lambda folder: empty if folder == first else None)
    *got, forms = getting.get(sources=sources)
    assert [(each.name, each.source) for each in got] == [("wordnet", "NLTK"), ("tagger", "NLTK")]
    assert forms.path.is_file(), "nobody waits for it later"
    assert msgspec.msgpack.decode((resources.home() / "tagger.msgpack").read_bytes(), type=TaggerData).certain
    assert [each.source for each in getting.get(sources=sources)][:2] == ["already there", "already there"]


def test_a_resource_that_was_changed_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    write_json(tmp_path / "nltk" / "taggers" / "averaged_perceptron_tagger_eng")
    empty = msgspec.msgpack.encode(WordNetData(synsets=[], index={}, exceptions={}, variant="empty"))
    monkeypatch.setattr(getting, "_compile_wordnet", lambda _: empty)
    sources = {"here": lambda: nullcontext([tmp_path / "nltk"])}
    getting.get(sources=sources)
    resources.wordnet.__wrapped__()
    path = resources.path_of("wordnet")
    path.write_bytes(path.read_bytes().replace(b"empty", b"emptz"))
    with pytest.raises(BadInputError, match="assay data get --overwrite"):
        resources.wordnet.__wrapped__()
    getting.get(overwrite=True, sources=sources)
    assert resources.wordnet.__wrapped__().data.variant == "empty"


def test_a_missing_resource_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    with pytest.raises(UserError, match="assay data get"):
        resources.wordnet.__wrapped__()
    resources.home().mkdir(parents=True)
    (resources.home() / "wordnet.msgpack").write_bytes(b"\x81")
    with pytest.raises(BadInputError, match="assay data get --overwrite"):
        resources.wordnet.__wrapped__()
