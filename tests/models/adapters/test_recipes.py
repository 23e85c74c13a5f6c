"""Every recipe of the pages about models runs, page by page, in a folder that has models."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests import tiny_classifier
from tests.conftest import ROOT
from tests.examples import examples

from assay.cli import main

PAGES = [ROOT / "docs" / "how-to" / "models.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_recipes_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    if "my-model" in text:
        pytest.importorskip("transformers")
        tiny_classifier.save(tmp_path / "my-model")
    found = examples(text)
    assert found
    python = "\n".join(example.text for example in found if example.kind == "python")
    exec(compile(python, page.name, "exec"), {"__name__": "example"})
    for example in found:
        if example.kind == "console":
            main.assay.main(shlex.split(example.text)[1:], standalone_mode=False)
    assert "cases, seed 0" in capsys.readouterr().out


def test_every_kind_and_option_is_on_the_page() -> None:
    import msgspec

    from assay.core import registry

    pages = {
        name: (ROOT / "docs" / "how-to" / f"{name}.md").read_text(encoding="utf-8") for name in ("models", "judge")
    }
    listed = dict(re.findall(r"^\| `(\w+):` \| (.*) \|$", pages["models"], re.MULTILINE))
    for name in registry.adapters.names():
        if registry.adapters.target(name).source != "nli-assay":
            continue
        kind: Any = registry.adapters.get(name)
        short = name.partition("/")[0]
        assert f"`{short}:" in pages["models"]
        if options := {field.name for field in msgspec.structs.fields(kind)} - {"what"}:
            shown = re.findall(r"^\| `(\w+)` \|", pages["judge"], re.MULTILINE)
            assert options == set(shown if short == "openai" else re.findall(r"`(\w+)`", listed[short])), name
