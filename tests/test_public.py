"""The public surface: sorted, complete, and typed."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import assert_type

import pytest

import assay
from assay import _HOMES
from assay.core import errors, fakes, protocols
from assay.core.label import THREE_WAY
from assay.corpora.reader import CorpusReader


def test_the_surface_is_sorted_and_complete() -> None:
    assert assay.__all__ == sorted(assay.__all__)
    assert set(assay.__all__) == {*_HOMES, "__version__"}
    assert dir(assay) == assay.__all__


def test_the_surface_is_small() -> None:
    assert len(assay.__all__) <= 40


def test_all_that_a_plug_in_needs_is_public() -> None:
    assert (assay.errors, assay.protocols) == (errors, protocols)
    assert {"FakeCorpus", "FakeModel"} <= {*assay.__all__} & {*vars(fakes)}


def test_only_three_names_are_modules() -> None:
    modules = [name for name in assay.__all__ if isinstance(getattr(assay, name), ModuleType)]
    assert modules == ["errors", "protocols", "registry"]


def test_every_name_is_there() -> None:
    assert [name for name in assay.__all__ if getattr(assay, name) is None] == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'biuld'"):
        getattr(assay, "biuld")  # noqa: B009


def test_no_package_hides_a_public_function() -> None:
    packages = {path.parent.name for path in Path(assay.__file__).parent.glob("*/__init__.py")}
    assert {"run", "score"} <= packages & set(assay.__all__)
    for name in packages & set(assay.__all__):
        importlib.import_module(f"assay.{name}")
        assert not isinstance(getattr(assay, name), ModuleType)


def test_a_type_checker_sees_the_types(tmp_path: Path) -> None:
    corpus = assert_type(assay.read("bundled", limit=3), CorpusReader)
    assert isinstance(corpus, CorpusReader)
    suite = assert_type(assay.build("negation", corpus, out=tmp_path / "suite"), assay.Suite)
    assert isinstance(suite, assay.Suite)
    models = {"mine": lambda pairs: ["neutral"] * len(pairs)}
    record = assert_type(assay.run(list(corpus), families="negation", models=models, out=tmp_path), assay.RunRecord)
    assert isinstance(record, assay.RunRecord)
    assert {pair.label for pair in corpus} == set(assert_type([assay.Label.NEUTRAL, *THREE_WAY], list[assay.Label]))
