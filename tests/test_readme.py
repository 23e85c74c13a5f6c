"""Every example of the README and of the guide runs, in the order of the page, in one folder."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT, Assay
from tests.examples import Example, examples
from tests.long_claims import write_claims

PAGES = ("README.md", "docs/how-to/migrate.md", "docs/tutorials/compare-two-models.md", "docs/tutorials/your-data.md")


def run(code: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page: str, tmp_path: Path, assay: Assay) -> None:
    found = examples((ROOT / page).read_text(encoding="utf-8"))
    assert "python" in {example.kind for example in found}
    write_claims(tmp_path / "claims.csv")  # the README takes it for granted; other pages write their own
    for example in found:
        if example.kind == "python":
            done = run(example.text, tmp_path)
            assert done.returncode == 0, f"{example.text}\n{done.stdout}\n{done.stderr}"
        else:
            name, *words = shlex.split(example.text, comments=True)
            assert name == "assay"
            assay(*words)


def test_examples_are_found_joined_and_excused() -> None:
    text = (
        "```python\nx = 1\n```\n"
        "<!-- not run: needs a network -->\n```python\ny = 2\n```\n"
        "```console\n$ assay run \\\n  --limit 3\noutput\n$ ls\n```\n"
        "```sh\nassay run\n```\n"
    )
    assert examples(text) == [Example("python", "x = 1\n"), Example("console", "assay run    --limit 3")]


def test_a_broken_example_is_seen(tmp_path: Path, assay: Assay) -> None:
    assert run("1 / 0", tmp_path).returncode == 1
    with pytest.raises(AssertionError, match="exit 2, not 0"):
        assay("runn")
