"""The table of letters, which is made from WordNet."""

import runpy
from pathlib import Path

import pytest
from tests.conftest import ROOT

import assay.language.resources.data
from assay.language.resources.installed import wordnet

TABLE = Path(assay.language.resources.data.__file__).parent / "letters.txt"


@pytest.mark.usefixtures("english")
def test_the_table_is_what_the_tool_makes() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "letters.py"))
    rows = made["rows"](synset.definition for synset in wordnet().data.synsets)
    assert TABLE.read_text(encoding="utf-8") == made["HEAD"] + "\n".join(rows) + "\n"
