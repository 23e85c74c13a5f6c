"""Digests next to files, or one folder above."""

from pathlib import Path

import pytest

from assay.core.errors import BadInputError
from assay.storage.files import DIGESTS_FILE, digest, known_digests, refuse_changed, write_digests


def test_digests_are_found_in_the_folder_or_above(tmp_path: Path) -> None:
    one, shared = tmp_path / "one", tmp_path / "words"
    for folder in (one, shared):
        folder.mkdir()
        (folder / "weights").write_text(folder.name)
    assert known_digests(one) == {}
    write_digests(tmp_path, ["one/weights", "words/weights"])
    assert known_digests(one) == {"weights": digest(one / "weights"), "../words/weights": digest(shared / "weights")}
    write_digests(one, ["weights"])
    assert known_digests(one) == {"weights": digest(one / "weights")}


def test_a_changed_file_is_refused_and_an_unknown_one_is_not(tmp_path: Path) -> None:
    refuse_changed(tmp_path / "weights", "a", None)
    refuse_changed(tmp_path / "weights", "a", "a")
    with pytest.raises(BadInputError, match=r"(?s)weights: damaged.*digests.json"):
        refuse_changed(tmp_path / "weights", "a", "b")


def test_damaged_digests_are_named(tmp_path: Path) -> None:
    (tmp_path / DIGESTS_FILE).write_text("{")
    with pytest.raises(BadInputError, match=r"digests\.json: damaged"):
        known_digests(tmp_path)
