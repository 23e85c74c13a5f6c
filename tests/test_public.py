"""The public surface: sorted, complete, and typed."""

from pathlib import Path
from typing import assert_type

import pytest

import assay
from assay import _HOMES
from assay.core.label import THREE_WAY
from assay.corpora.reading import CorpusReader


def test_the_surface_is_sorted_and_complete() -> None:
    assert assay.__all__ == sorted(assay.__all__)
    assert set(assay.__all__) == {*_HOMES, "__version__"}
    assert dir(assay) == assay.__all__


@pytest.mark.parametrize("name", assay.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(assay, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'biuld'"):
        assay.biuld  # noqa: B018


def test_no_public_name_is_a_room() -> None:
    rooms = {path.parent.name for path in Path(assay.__file__).parent.glob("*/__init__.py")}
    assert "bench" in rooms
    assert not rooms & set(assay.__all__)


def test_a_type_checker_sees_the_types(tmp_path: Path) -> None:
    corpus = assert_type(assay.read("bundled", limit=3), CorpusReader)
    assert isinstance(corpus, CorpusReader)
    suite = assert_type(assay.build("negation", corpus, out=tmp_path / "suite"), assay.Suite)
    assert isinstance(suite, assay.Suite)
    record = assert_type(assay.run(corpus, models="assay:overlap", out=tmp_path), assay.RunRecord)
    assert isinstance(record, assay.RunRecord)
    assert {pair.label for pair in corpus} == set(assert_type([assay.Label.NEUTRAL, *THREE_WAY], list[assay.Label]))
