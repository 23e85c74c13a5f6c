"""Every recipe of docs/models runs, page by page, in a folder that has models."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests import tiny_classifier
from tests.conftest import ROOT
from tests.examples import examples

from assay.cli import main

PAGES = sorted((ROOT / "docs" / "how-to" / "models").glob("*.md"))


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "README"], ids=lambda page: page.stem)
def test_the_recipes_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    if "my-model" in text:
        pytest.importorskip("transformers")
        tiny_classifier.save(tmp_path / "my-model")
    if "my-attention" in text:
        pytest.importorskip("torch")
        from tests.models.small_systems import make

        from assay.models.systems.checkpoint import save_system

        save_system(make("decomposable-attention"), "decomposable-attention/v1", tmp_path / "my-attention")
    found = examples(text)
    assert found
    python = "\n".join(example.text for example in found if example.kind == "python")
    exec(compile(python, page.name, "exec"), {"__name__": "example"})
    for example in found:
        if example.kind == "console":
            main.assay.main(shlex.split(example.text)[1:], standalone_mode=False)
    assert "cases, seed 0" in capsys.readouterr().out or page.stem == "openai"


def test_every_kind_has_a_page_and_every_option_a_line() -> None:
    import msgspec

    from assay.core import registry

    overview = (ROOT / "docs" / "how-to" / "models" / "README.md").read_text(encoding="utf-8")
    for name in registry.adapters.names():
        if registry.adapters.target(name).source != "nli-assay":
            continue
        kind: Any = registry.adapters.get(name)
        short = name.partition("/")[0]
        assert f"| `{short}:" in overview
        if options := {field.name for field in msgspec.structs.fields(kind)} - {"what"}:
            text = (ROOT / "docs" / "how-to" / "models" / f"{short}.md").read_text(encoding="utf-8")
            assert options == set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)), name
