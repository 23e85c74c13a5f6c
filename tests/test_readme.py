"""Every example of the README runs, in the order in which it stands there, in one folder."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

README = Path(__file__).parent.parent / "README.md"

BLOCK = re.compile(
    r"(?P<excuse><!-- not run: [^>]+ -->\s*)?^```(?P<kind>python|console)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)


class Example(NamedTuple):
    """Something that a reader would try."""

    kind: str
    """python or console."""
    text: str
    """The code, or one command line."""


def examples(markdown: str) -> list[Example]:
    found = []
    for block in BLOCK.finditer(markdown):
        if block["excuse"]:
            continue
        if block["kind"] == "python":
            found.append(Example("python", block["text"]))
        else:
            joined = block["text"].replace("\\\n", " ")
            found += [
                Example("console", line.removeprefix("$ "))
                for line in joined.splitlines()
                if line.startswith("$ assay ")
            ]
    return found


def run(example: Example, folder: Path) -> "subprocess.CompletedProcess[str]":
    code = ["-c", example.text] if example.kind == "python" else ["-m", *shlex.split(example.text)]
    return subprocess.run(
        [sys.executable, "-W", "error", *code], cwd=folder, capture_output=True, text=True, timeout=120
    )


def test_the_readme_runs(tmp_path: Path) -> None:
    if not README.is_file():
        pytest.skip("no README here")
    found = examples(README.read_text(encoding="utf-8"))
    assert {example.kind for example in found} == {"python", "console"}
    for example in found:
        done = run(example, tmp_path)
        assert done.returncode == 0, f"{example.text}\n{done.stdout}\n{done.stderr}"


def test_examples_are_found_joined_and_excused() -> None:
    text = (
        "```python\nx = 1\n```\n"
        "<!-- not run: needs a network -->\n```python\ny = 2\n```\n"
        "```console\n$ assay run \\\n  --limit 3\noutput\n$ ls\n```\n"
        "```sh\nassay run\n```\n"
    )
    assert examples(text) == [Example("python", "x = 1\n"), Example("console", "assay run    --limit 3")]


def test_a_broken_example_is_seen(tmp_path: Path) -> None:
    assert run(Example("python", "1 / 0"), tmp_path).returncode == 1
    assert run(Example("console", "assay runn"), tmp_path).returncode == 2
