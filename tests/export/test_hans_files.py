"""Exporting in the columns of the released HANS files: ids, order, labels and parses are what was generated."""

import json
from pathlib import Path

import pytest

import assay as package
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Fidelity
from assay.corpora.formats.row_writer import HANS_COLUMNS
from assay.export.export_suite import export
from assay.run.api import build
from assay.stress.heuristics.build import GeneratedPairs

# Written by hand after the description of the released parses: premise and hypothesis, then their four trees.
TREES = [
    (
        ("The actor next to the judges saw the doctors .", "The judges saw the doctors ."),
        "( ( ( The actor ) ( next ( to ( the judges ) ) ) ) ( ( saw ( the doctors ) ) . ) )",
        "( ( The judges ) ( ( saw ( the doctors ) ) . ) )",
        "(ROOT (S (NP (NP (DT The) (NN actor)) (ADVP (JJ next) (PP (TO to) (NP (DT the) (NNS judges))))) "
        "(VP (VBD saw) (NP (DT the) (NN doctors))) (. .)))",
        "(ROOT (S (NP (DT The) (NNS judges)) (VP (VBD saw) (NP (DT the) (NN doctors))) (. .)))",
    ),
    (
        ("Whether or not the actor ran , the judge slept .", "The actor ran ."),
        "( ( Whether ( or ( not ( ( the actor ) ran ) ) ) ) ( , ( ( ( the judge ) slept ) . ) ) )",
        "( ( The actor ) ( ran . ) )",
        "(ROOT (S (SBAR (IN Whether) (CC or) (RB not) (S (NP (DT the) (NN actor)) (VP (VBD ran)))) (, ,) "
        "(S (NP (DT the) (NN judge)) (VP (VBD slept))) (. .)))",
        "(ROOT (S (NP (DT The) (NN actor)) (VP (VBD ran)) (. .)))",
    ),
    (
        ("The actors were helped by the judge .", "The judge helped the actors ."),
        "( ( The actors ) ( ( were ( helped ( by ( the judge ) ) ) ) . ) )",
        "( ( The judge ) ( ( helped ( the actors ) ) . ) )",
        "(ROOT (S (NP (DT The) (NNS actors)) (VP (VBD were) (VP (VBN helped) (PP (IN by) (NP (DT the) (NN judge))))) "
        "(. .)))",
        "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD helped) (NP (DT the) (NNS actors))) (. .)))",
    ),
    (
        ("The actor saw the judge who helped the lawyer .", "The judge saw the the lawyer ."),
        "( ( The actor ) ( ( saw ( ( the judge ) ( who ( helped ( the lawyer ) ) ) ) ) . ) )",
        "( ( The judge ) ( ( saw ( the lawyer ) ) . ) )",
        "(ROOT (S (NP (DT The) (NN actor)) (VP (VBD saw) (NP (NP (DT the) (NN judge)) (SBAR (WHNP (WP who)) "
        "(S (VP (VBD helped) (NP (DT the) (NN lawyer))))))) (. .)))",
        "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD saw) (NP (DT the) (NN lawyer))) (. .)))",
    ),
]


@pytest.mark.parametrize("ending", [".txt", ".jsonl"])
@pytest.mark.parametrize("fidelity", ["strict", "code"])
def test_what_was_generated_comes_back_whole(ending: str, fidelity: Fidelity, tmp_path: Path) -> None:
    build("heuristics", GeneratedPairs(6, fidelity=fidelity, seed=4), out=tmp_path / "suite")
    out = export(tmp_path / "suite", "hans", out=tmp_path / f"set{ending}")
    corpus = package.read(out)
    found = list(corpus)
    assert corpus.format == "hans/v1"
    assert found == list(GeneratedPairs(6, fidelity=fidelity, seed=4))
    assert [pair.id for pair in found] == [f"ex{n}" for n in range(180)]


def test_the_columns_are_the_released_ones(tmp_path: Path) -> None:
    build("heuristics", GeneratedPairs(1), out=tmp_path / "suite")
    table = export(tmp_path / "suite", "hans", out=tmp_path / "set.txt").read_text(encoding="utf-8").splitlines()
    lines = export(tmp_path / "suite", "hans", out=tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines()
    assert tuple(table[0].split("\t")) == HANS_COLUMNS
    assert table[0].startswith("gold_label\tsentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\t")
    rows = [dict(zip(HANS_COLUMNS, line.split("\t"), strict=True)) for line in table[1:]]
    assert rows == list(map(json.loads, lines))
    assert {row["gold_label"] for row in rows} == {"entailment", "non-entailment"}


def test_the_trees_are_the_released_ones(tmp_path: Path) -> None:
    source = tmp_path / "pairs.jsonl"
    rows = [{"premise": premise, "hypothesis": hypothesis, "label": "neutral"} for (premise, hypothesis), *_ in TREES]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    build("original", source, out=tmp_path / "suite")
    out = export(tmp_path / "suite", "hans", out=tmp_path / "set.txt")
    for line, (_, *trees) in zip(out.read_text(encoding="utf-8").splitlines()[1:], TREES, strict=True):
        assert line.split("\t")[1:5] == trees


def test_other_suites_keep_their_ids_and_have_no_trees(tmp_path: Path) -> None:
    suite = build(["original", "negation"], package.read("bundled", limit=2), out=tmp_path / "suite")
    found = list(package.read(export(tmp_path / "suite", "hans", out=tmp_path / "set.txt")))
    assert [pair.id for pair in found] == [case.id for case in suite]
    assert [pair.parses for pair in found] == [None] * 4
    assert {pair.label for pair in found} <= {Label.ENTAILMENT, Label.NON_ENTAILMENT}


def test_a_released_file_gets_back_what_it_lacks(shared: Path, tmp_path: Path) -> None:
    source = package.read(shared / "hans" / "heuristics_evaluation_set.txt.gz", limit=50)
    build("heuristics", source, out=tmp_path / "suite")
    found: list[Pair] = list(package.read(export(tmp_path / "suite", "hans", out=tmp_path / "set.txt")))
    assert [pair.id for pair in found] == [f"ex{n}" for n in range(50)]
    assert {pair.group["template"] for pair in found} == {"temp1"}
    assert all(pair.parses and pair.parses.hypothesis_binary for pair in found)
