"""assay gate."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.conftest import Assay


@pytest.fixture
def stored(assay: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    assay("run", "--limit", 60, "--family", "negation", "--model", "assay:majority", "--quiet")
    [folder] = (tmp_path / "runs").iterdir()
    return folder


def test_exit_codes_and_reasons(assay: Assay, stored: Path) -> None:
    assert "passes" in assay("gate", stored, "--rule", "negation.accuracy>=0.3", "--no-worse-than", stored).stdout
    broken = assay("gate", stored, "--rule", "negation.accuracy>=0.9", code=1)
    assert "broken" in broken.stdout
    assert "does not pass" in broken.stdout
    assert broken.stderr == ""
    assert "did you mean 'negation'" in assay("gate", stored, "--rule", "negatoin.accuracy>=0.9", code=2).stderr
    assay("gate", stored, code=2)
    assert "inconclusive" in assay("gate", stored, "--no-worse-than", stored, "--margin", "0.001", code=4).stdout
    assay("gate", stored / "nowhere", "--rule", "negation.accuracy>=0.9", code=2)


def test_json_junit_and_annotations(
    assay: Assay, stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = ("--rule", "negation.accuracy>=0.9")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    done = assay("gate", stored, *rule, "--json", "--junit", "out/gate.xml", code=1)
    told = json.loads(done.stdout)
    assert (told["outcome"], told["rules"][0]["holds"], told["run"]) == ("fail", False, stored.name)
    assert done.stderr.startswith("::error title=assay gate::majority: negation.accuracy>=0.9")
    assert ElementTree.parse(tmp_path / "out" / "gate.xml").getroot().get("failures") == "1"
    monkeypatch.setenv("GITHUB_ACTIONS", "false")
    assert not assay("gate", stored, *rule, code=1).stderr


def test_rules_from_a_file(assay: Assay, stored: Path, tmp_path: Path) -> None:
    (tmp_path / "gate.yaml").write_text('rule: ["negation.accuracy>=0.3", "*.drop<=0.5"]\n')
    told = json.loads(assay("gate", stored, "--config", "gate.yaml", "--json").stdout)
    assert [each["rule"] for each in told["rules"]] == ["negation.accuracy>=0.3", "*.drop<=0.5"]
