"""The WordNet baseline beside the paper's figures."""

import json
from pathlib import Path

import pytest
from tests.conftest import Assay
from tests.house import load_tool

from assay.core.errors import BadInputError
from assay.language.resources.installed import wordnet
from assay.reports.write import markdown

tool = load_tool("wordnet_settings")

NEAREST = {
    "senses": ("any",),
    "edges": (2, 3),
    "count": ("each",),
    "instances": (True,),
    "similar": ("no", "synonym"),
    "antonyms": ("word", "similar"),
}
"""The part of the settings around the best; trying all takes a minute."""


@pytest.fixture(autouse=True)
def english() -> None:
    wordnet()


def test_real_pairs_come_near_the_published_figures(shared: Path) -> None:
    published = tool.published_shares()
    found = tool.try_settings(shared / "breaking_nli" / "dataset.jsonl.gz", published, grid=NEAREST)
    assert (found.tried, found.literal.model) == (48, "assay:wordnet")
    assert found.best.model == "assay:wordnet?order=nec&edges=3&similar=synonym&antonyms=similar"
    assert found.best.distance < 0.025 < 0.1 < found.literal.distance
    near = {name for name, share in found.best.categories.items() if abs(share - published[name]) < 0.02}
    assert set(published) - near == {"nationalities", "vegetables", "instruments"}
    assert sum(found.pairs.values()) == 8193
    [sheet] = [part for part in tool.tables(found) if not isinstance(part, str)]
    assert markdown.table(sheet).count("\n|") == 16


def pairs(path: Path, category: str) -> Path:
    row = {"premise": "A red car.", "hypothesis": "A blue car.", "label": "contradiction", "category": category}
    path.write_text(json.dumps(row) + "\n")
    return path


def test_another_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"category 'colours' of the pair 'text-[0-9a-f]+' has no published figure"):
        tool.try_settings(pairs(tmp_path / "mine.jsonl", "colours"), {"colors": 0.9})


def test_a_run_counts_what_the_model_could_not_judge(assay: Assay) -> None:
    command = ("run", "--limit", 6, "--family", "negation", "--model", "assay:wordnet", "--workers", 1)
    assert "gave no usable answer to 12 of 12 cases" in assay(*command).stdout
    assert "the texts differ in several places" in assay(*command, "--json").stdout
