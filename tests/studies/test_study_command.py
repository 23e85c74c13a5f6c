"""The studies, as a user asks for them."""

import json
from pathlib import Path

import pytest
from tests.conftest import Assay
from tests.house import load_tool

from assay.core.errors import UserError


def test_support_is_shown_and_written(assay: Assay) -> None:
    row = '{"premise": "If it rains, we go.", "hypothesis": "it rains", "label": "neutral"}\n'
    shown = assay("study", "support", "--from", "-", "--out", "found.tsv", stdin=row)
    assert "not counted" in shown.stdout
    assert "no pair has a binary parse tree" in shown.stdout
    assert "2,158 / 261" in shown.stdout
    told = json.loads(assay("study", "support", "--from", "found.tsv", "--json").stdout)
    assert told["counts"]["tokens"]["subsequence"] == {"support": 0, "contradict": 1, "labels": {"neutral": 1}}
    assert told["counts"]["released"]["constituent"] is None
    assert told["published"]["counts"]["constituent"] == {"support": 1004, "contradict": 58}


def test_a_choice_of_pairs_needs_a_file(assay: Assay) -> None:
    assert "--out FILE" in assay("study", "support", "--set", "side=support", code=2).stderr


TREES = {
    "sentence1": "the big dog sleeps in the house",
    "sentence2": "a red cat runs in the park",
    "sentence1_binary_parse": "( ( ( the big ) dog ) ( ( sleeps in ) ( the house ) ) )",
    "sentence2_binary_parse": "( ( ( a red ) cat ) ( ( runs in ) ( the park ) ) )",
}


def saved(name: str, folder: Path) -> str:
    pytest.importorskip("torch", reason="systems need PyTorch")
    from tests.models.small_systems import make

    from assay.core import registry
    from assay.models.systems.system import save_system

    save_system(make(name), registry.systems.resolve(name), folder)
    return f"trained:{folder}"


def rows() -> str:
    labels = ("entailment", "neutral", "contradiction", "-")
    return "".join(json.dumps({"gold_label": label, **TREES}) + "\n" for label in labels)


def test_what_other_trees_cost_is_shown(tmp_path: Path) -> None:
    tool, model = load_tool("tree_origins"), saved("spinn", tmp_path / "spinn")
    (tmp_path / "pairs.jsonl").write_text(rows(), encoding="utf-8")
    told = tool.compare_origins(model, tmp_path / "pairs.jsonl")
    assert told.pairs == 3  # one pair has no label
    own, parser, right = (told.trees[origin] for origin in ("own", "parser", "right"))
    assert (own.f1, own.gain, own.changed) == (1.0, 0.0, 0.0)
    assert right.f1 == pytest.approx(0.4)  # of five parts of a text, the last two and the last four words
    assert parser.f1 > right.f1
    assert [each.accuracy for each in (own, parser, right)] == pytest.approx([1 / 3] * 3)  # each label once
    assert "on 3 pairs of pairs.jsonl" in tool.tables(told)[0]


def test_trees_need_parses_and_a_system_that_reads_them(tmp_path: Path) -> None:
    (tmp_path / "bare.jsonl").write_text('{"premise": "a dog", "hypothesis": "a cat", "label": "neutral"}\n')
    for system, message in (("spinn", "brings binary parses of both texts"), ("cbow", "reads no trees")):
        model = saved(system, tmp_path / system)
        with pytest.raises(UserError, match=message):
            load_tool("tree_origins").compare_origins(model, tmp_path / "bare.jsonl")
