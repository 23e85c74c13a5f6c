"""The page of audits, made from stored audits."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import assay

DOCS = Path(__file__).parent.parent / "tools" / "docs"


@pytest.fixture
def audits() -> Iterator[Any]:
    sys.path.insert(0, str(DOCS))
    try:
        yield importlib.import_module("audits")
    finally:
        sys.path.remove(str(DOCS))


def test_the_page_shows_what_is_stored(audits: Any, tmp_path: Path) -> None:
    found = assay.audit("bundled", train=["bundled"])
    (tmp_path / "snli-test.json").write_bytes(msgspec.json.encode(found))
    page = audits.whole_page(tmp_path)
    hypothesis = next(each for each in found.families["original"].shortcuts if each.name == "hypothesis words")
    assert f"| {100 * (hypothesis.value or 0):.1f} (" in page
    assert "| SNLI test | bundled | 750 | 100.0 | 0.0 | 100.0 | 100.0 | 750 |" in page
    assert "100.0% of the cases are in bundled" in page


def test_every_stored_audit_is_on_the_page(audits: Any) -> None:
    stored = {path.stem for path in audits.FOLDER.glob("*.json")}
    assert stored == set(audits.TITLES)
