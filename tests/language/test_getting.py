"""Language data: what comes with Assay, and other editions, whose pickles must not run."""

import json
import os
import pickle
from pathlib import Path

import msgspec
import pytest
import zstandard
from tools import english_sources
from tools.english_sources import FILES, JSON, PICKLE, read_json, read_pickle, read_wordnet

from assay.core.errors import BadInputError, ExternalError, UserError
from assay.language.resources import installed as resources
from assay.language.resources import shipped as package
from assay.language.resources.installed import Tagger, TaggerData
from assay.language.resources.shipped import DIGESTS
from assay.language.resources.wordnet_database import WordNetData
from assay.storage.files import digest

EMPTY = msgspec.msgpack.encode(WordNetData(synsets=[], index={}, exceptions={}, variant="empty"))
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
        english_sources._compile_tagger(tmp_path, True)


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
        english_sources._compile_wordnet(tmp_path, False)
    with pytest.raises(BadInputError, match="not WordNet's database files"):
        read_wordnet(tmp_path, variant="x")


def test_a_source_that_has_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(ExternalError, match="has no wordnet"):
        english_sources.compile_resource(english_sources.source_of(str(tmp_path)), "wordnet")


def test_a_source_is_a_name_or_a_folder(tmp_path: Path) -> None:
    assert english_sources.source_of("system") == english_sources.SOURCES["system"]
    own = english_sources.source_of(str(tmp_path))
    assert own.any_edition
    with own.folders() as folders:
        assert folders == [tmp_path]
    with pytest.raises(UserError, match="No source 'nowhere': name a folder, or one of nltk, wheel, princeton, system"):
        english_sources.source_of("nowhere")


def test_the_first_folder_that_has_a_part_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    monkeypatch.setenv("NLTK_DATA", f"{first}{os.pathsep}{second}")
    write_json(second / "taggers" / "averaged_perceptron_tagger_eng")
    first.mkdir()
    compiled = english_sources.compile_resource(english_sources.SOURCES["nltk"], "tagger")
    assert msgspec.msgpack.decode(compiled, type=TaggerData).certain == {"the": "DT"}


def test_an_unknown_edition_is_only_taken_from_a_folder_that_you_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FILES:
        (tmp_path / name).write_text("")
    read = english_sources._compile_wordnet(tmp_path, True)
    assert read
    assert msgspec.msgpack.decode(read, type=WordNetData).variant == "WordNet, another edition"
    with pytest.raises(BadInputError, match="an unknown edition"):
        english_sources._compile_wordnet(tmp_path, False)


def test_a_resource_that_was_changed_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    resources.store_resource("wordnet", EMPTY)
    resources.wordnet.__wrapped__()
    path = resources.path_of("wordnet")
    path.write_bytes(EMPTY.replace(b"empty", b"emptz"))
    with pytest.raises(BadInputError, match="it is unpacked again"):
        resources.wordnet.__wrapped__()
    resources.store_resource("wordnet", b"\x81")
    with pytest.raises(BadInputError, match="it is unpacked again"):
        resources.wordnet.__wrapped__()


class TestShipped:
    """What comes with Assay."""

    def test_it_is_unpacked_when_it_is_first_used(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
        assert resources.load_resource_file("tagger")[1] == DIGESTS["tagger"]
        assert digest(resources.path_of("tagger")) == DIGESTS["tagger"]
        assert resources.load_resource_file("tagger")[1] == resources.digest_path("tagger").read_text()

    def test_a_home_that_takes_no_file_does_no_harm(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("ASSAY_DATA", str(tmp_path / "file"))
        assert resources.load_resource_file("tagger")[1] == DIGESTS["tagger"]

    def test_it_comes_back_after_another_edition(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
        resources.store_resource("wordnet", EMPTY)
        assert resources.wordnet.__wrapped__().data.variant == "empty"
        resources.path_of("wordnet").unlink()
        assert resources.wordnet.__wrapped__().data.variant == "WordNet 3.0 (Princeton)"

    @pytest.mark.parametrize("damage", [b"", b"junk", None])
    def test_damage_is_found(self, damage: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "tagger.msgpack.zst"
        path.write_bytes(zstandard.compress(EMPTY) if damage is None else damage)
        monkeypatch.setattr(package, "shipped_path", lambda _: path)
        with pytest.raises(ExternalError, match="Install Assay again"):
            package.load_shipped("tagger")

    @pytest.mark.parametrize("name", DIGESTS)
    def test_its_licence_is_next_to_it(self, name: str) -> None:
        licence = package.shipped_path(name).with_name(f"LICENSE.{name}.txt").read_text()
        assert "Permission" in licence
        assert "Copyright" in licence
