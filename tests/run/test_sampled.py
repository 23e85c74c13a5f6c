"""Smaller suites of the same kind."""

from pathlib import Path

import pytest

import assay
from assay.run.build.case_selection import sample_suite
from assay.storage.suite import Suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return assay.build(
        ["original", "negation"], assay.read("bundled", limit=40), out=tmp_path_factory.mktemp("s") / "s"
    )


def test_a_sample_is_a_whole_suite_of_whole_pairs(suite: Suite, tmp_path: Path) -> None:
    small = sample_suite(suite, 10, tmp_path / "small")
    assay.verify(small.folder)
    assert Suite.open(small.folder).manifest == small.manifest
    assert len({case.root for case in small}) == 10
    kept = {case.root for case in small}
    assert [case for case in suite if case.root in kept] == list(small)
    assert small.manifest.source.notes[-1] == "A sample: 10 of 40 source pairs."


def test_a_larger_sample_holds_a_smaller_one(suite: Suite, tmp_path: Path) -> None:
    small, large = (sample_suite(suite, n, tmp_path / str(n)) for n in (5, 20))
    assert {case.id for case in small} < {case.id for case in large}


def test_no_more_pairs_than_there_are_is_the_suite_itself(suite: Suite, tmp_path: Path) -> None:
    assert sample_suite(suite, 40, tmp_path / "x") is suite
    assert not (tmp_path / "x").exists()


def test_any_storage_can_be_sampled(suite: Suite, tmp_path: Path) -> None:
    corpus = assay.read("bundled", limit=40)
    table = assay.build(["original", "negation"], corpus, out=tmp_path / "t", storage="parquet")
    one, other = sample_suite(suite, 7, tmp_path / "one"), sample_suite(table, 7, tmp_path / "other")
    assert one.manifest.digest == other.manifest.digest
