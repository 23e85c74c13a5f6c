"""The file of known forms: made if it is missing, stale or damaged, and never needed."""

from pathlib import Path

import msgspec
import pytest

from assay.language.resources import installed as resources
from assay.language.resources.wordnet_database import WordNetData
from assay.language.words import word_forms

INDEX = {"walrus": {"n": [0]}, "gloop": {"v": [0]}, "sea_cow": {"n": [0]}, "xu": {"n": [0]}, "ox": {"n": [0]}}
EXCEPTIONS = {"n": {"walri": ["walrus"], "xun": ["xu"], "xuxu": ["xu"], "oxen": ["ox"], "nowt": ["nothing_known"]}}


def store(**index: dict[str, list[int]]) -> None:
    data = WordNetData(synsets=[], index=INDEX | index, exceptions=EXCEPTIONS, variant="small")
    resources.resource_folder().mkdir(parents=True, exist_ok=True)
    (resources.resource_folder() / "wordnet.msgpack").write_bytes(msgspec.msgpack.encode(data))


def known() -> frozenset[str]:
    """What a new process knows."""
    return word_forms._load_forms.__wrapped__().known


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    store()


def test_lemmas_inflections_and_lists_are_in_and_the_rest_is_not() -> None:
    expected = {"walrus", "walruss", "walruses", "walri", "gloop", "gloops", "gloopes", "glooped", "glooping"}
    expected |= {"oxes", "oxen"}  # a short lemma counts only if it is listed, and nothing but letters does
    assert known() - word_forms.listed_words() == expected
    assert word_forms.listed_words() < known()


def test_a_missing_file_is_made_and_read_the_next_time() -> None:
    assert not word_forms.forms_path().exists()
    made = known()
    assert word_forms.forms_path().is_file()
    assert known() == made
    read = word_forms._read_forms(word_forms.forms_path())
    assert read is not None
    assert read.known == made


def test_what_it_was_derived_from_tells_the_file() -> None:
    known()
    before = word_forms.forms_path()
    store(wug={"n": [0]}, wugling={"n": [0]})
    assert word_forms.forms_path() != before
    assert "wuglings" in known()
    assert word_forms.forms_path().is_file()


@pytest.mark.parametrize("damage", [b"", b"x", b"\n", b"0123\nabc\ndef"])
def test_a_damaged_file_is_made_again(damage: bytes) -> None:
    made, path = known(), word_forms.forms_path()
    whole = path.read_bytes()
    for damaged in (damage, whole[:-7], whole.replace(b"walrus", b"walrux")):
        path.write_bytes(damaged)
        assert known() == made
        assert path.read_bytes() == whole


def test_a_folder_that_takes_no_file_does_no_harm() -> None:
    word_forms.forms_path().mkdir()
    assert "gloops" in known()
