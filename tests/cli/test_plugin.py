"""A package of a user's own: its family, model and format, end to end through the command line."""

import importlib.metadata
import json
from pathlib import Path

import pytest
from tests.conftest import Assay

OWNER = "assay-example-plugin"
ROWS = [
    {"arrow": "A dog barks loudly. => A dog makes some noise.", "gold": "entailment"},
    {"arrow": "A dog barks loudly. => The dog sleeps.", "gold": "contradiction"},
    {"arrow": "A dog barks. => It is.", "gold": "neutral"},
    {"arrow": "A dog barks. => It is late.", "gold": "-"},
]


@pytest.fixture(autouse=True)
def installed() -> None:
    try:
        importlib.metadata.distribution(OWNER)
    except importlib.metadata.PackageNotFoundError:
        pytest.fail("install the example package: pip install --no-deps ./tests/plugin")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "arrows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


@pytest.mark.parametrize(
    ("kind", "name"), [("transforms", "shout/v1"), ("models", "assay:contrarian/v1"), ("formats", "arrow/v1")]
)
def test_what_it_adds_is_listed_under_its_name(assay: Assay, kind: str, name: str) -> None:
    listed = {row["name"]: row for row in json.loads(assay("list", kind, "--json").stdout)}
    assert listed[name]["from"] == OWNER
    assert listed[name]["what_it_is"]


def test_its_family_is_listed_with_an_example(assay: Assay) -> None:
    families = {row["family"]: row for row in json.loads(assay("list", "families", "--json").stdout)}
    assert any(word.isupper() and len(word) > 3 for word in families["shout"]["example"].split())


def test_its_format_is_recognised(assay: Assay, corpus: Path) -> None:
    found = json.loads(assay("show", corpus, "--json").stdout)
    assert (found["format"], found["rows"], found["pairs"]) == ("arrow/v1", 4, 3)
    assert found["examples"][0]["hypothesis"] == "A dog makes some noise."
    assay("show", corpus, "--input-format", "arrow")


def test_its_kind_of_model_takes_options(assay: Assay, corpus: Path) -> None:
    command = ("run", "--from", corpus, "--family", "original", "--json")
    found = assay(*command, "--model", "stubborn:contradiction?unless=is.", "--model", "stubborn:entailment")
    right = {
        estimate["slice"]["model"]: estimate["value"]
        for estimate in json.loads(found.stdout)["estimates"]
        if estimate["name"] == "accuracy" and set(estimate["slice"]) == {"model", "suite", "family"}
    }
    assert sorted(right.values()) == [pytest.approx(1 / 3), pytest.approx(2 / 3)]


def test_its_family_is_built(assay: Assay, corpus: Path, tmp_path: Path) -> None:
    manifest = json.loads(assay("build", "shout", "--from", corpus, "--out", "s", "--json").stdout)
    assert manifest["skips"] == {"shout": {"no long word in lower case": 1}}
    cases = [json.loads(line) for line in (tmp_path / "s" / "cases.jsonl").read_text().splitlines()]
    assert [case["id"] for case in cases] == ["shout/v1:row-1", "shout/v1:row-2"]
    assert cases[0]["hypothesis"] in ("A dog MAKES some noise.", "A dog makes SOME noise.")
    assay("verify", "s")


@pytest.mark.parametrize("workers", [1, 2])
def test_its_model_is_on_the_bench(program: Assay, corpus: Path, workers: int) -> None:
    words = ("--family", "shout", "--model", "assay:contrarian", "--model", "assay:majority", "--workers", workers)
    record = json.loads(program("run", "--from", corpus, *words, "--json").stdout)
    assert record["spec"]["models"] == ["assay:contrarian/v1", "assay:majority/v1"]
    figures = {
        (e["slice"]["model"], e["slice"]["family"]): e["value"]
        for e in record["estimates"]
        if e["name"] == "accuracy" and set(e["slice"]) == {"model", "suite", "family"}
    }
    assert figures["assay:contrarian/v1", "original"] == pytest.approx(1 / 3)
    assert figures["assay:contrarian/v1", "shout"] == pytest.approx(1 / 2)
