"""Swapping: the texts change sides, nothing else, and what is expected depends on the label."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import pair

import assay
from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.serialise import to_json
from assay.run.build.suite_builder import CaseFile
from assay.storage.files import digest
from assay.stress.swap import SAME, Swap, SwapCheck

RECIPE = Recipe(transform="swap/v1", seed=0)
Text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def swapped(source: Pair) -> Case:
    made = Swap()(source, Random(0))
    assert isinstance(made, list)
    (edit,) = made
    return case_from(source, edit, family="swap", recipe=RECIPE)


@given(premise=Text, hypothesis=Text, label=st.sampled_from(Label))
def test_the_sides_change_and_the_label_says_what_is_expected(premise: str, hypothesis: str, label: Label) -> None:
    source = pair(premise=premise, hypothesis=hypothesis, label=label)
    if premise == hypothesis:
        assert Swap()(source, Random(0)) is SAME
        return
    case = swapped(source)
    assert (case.premise, case.hypothesis, case.label) == (hypothesis, premise, None)
    assert case.compared_with is label
    assert case.expects == ("drop" if label is Label.ENTAILMENT else "hold")
    assert SwapCheck()(case) is None


def test_the_paper_swaps_equal_texts_too() -> None:
    assert isinstance(Swap(fidelity="paper")(pair(premise="A", hypothesis="A"), Random(0)), list)


def broken(case: Case, **fields: Any) -> Case:
    edit = msgspec.structs.replace(case.provenance.edit, **fields)
    return msgspec.structs.replace(case, provenance=msgspec.structs.replace(case.provenance, edit=edit))


def labelled(case: Case, label: Label) -> Case:
    """The case as if its source pair had another label."""
    return msgspec.structs.replace(case, provenance=msgspec.structs.replace(case.provenance, label=label))


CASE = swapped(pair())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (msgspec.structs.replace(CASE, premise=CASE.hypothesis, hypothesis=CASE.premise), "undoing"),
        (msgspec.structs.replace(CASE, premise="Somebody cooks"), "undoing"),
        (broken(CASE, premise=(Replacement(0, "", ""),)), "undoing"),
        (broken(CASE, label=Label.NEUTRAL), "has no label"),
        (broken(CASE, expects="hold"), "entailment should drop"),
        (broken(CASE, expects="label"), "entailment should drop"),
        (labelled(CASE, Label.NEUTRAL), "entailment should drop"),
    ],
)
def test_the_check_finds_what_is_wrong(wrong: Case, said: str) -> None:
    assert SwapCheck()(CASE) is None
    found = SwapCheck()(wrong)
    assert isinstance(found, Skip)
    assert said in found.reason


def test_a_suite_of_it_holds_the_original_pairs(tmp_path: Path) -> None:
    suite = assay.build("swap", assay.read("bundled", limit=9), out=tmp_path / "suite")
    assay.verify(suite.folder)
    assert list(suite.manifest.counts) == ["original", "swap"]
    cases = list(suite)
    for original, other in zip(cases[::2], cases[1::2], strict=True):
        assert (original.premise, original.hypothesis) == (other.hypothesis, other.premise)
        assert original.origin == other.origin
    together = assay.build(["swap", "original"], assay.read("bundled", limit=9), out=tmp_path / "together")
    assert [recipe.transform for recipe in together.manifest.recipes] == ["swap/v1", "original/v1"]


@pytest.mark.parametrize("storage", ["jsonl", "jsonl.zst", "parquet"])
def test_every_case_of_a_suite_is_swapped(tmp_path: Path, storage: Any) -> None:
    first = assay.build(["original", "negation"], assay.read("bundled", limit=9), out=tmp_path / "a", storage=storage)
    second = assay.build("swap", tmp_path / "a", out=tmp_path / "b", storage=storage)
    assay.verify(second.folder)
    by_id = {case.id: case for case in first}
    made = [case for case in second if case.family == "swap"]
    assert [case.origin for case in made] == list(by_id)
    for case in made:
        source = by_id[case.origin]
        assert (case.premise, case.hypothesis, case.label) == (source.hypothesis, source.premise, None)
        assert case.compared_with is source.label
        assert case.group == {**source.group, "family": source.family}
        assert case.root == source.origin
    again = assay.build("negation", tmp_path / "b", out=tmp_path / "c")
    assert again.manifest.source.format == "assay-suite/v1"
    assert {case.root for case in again} == {case.origin for case in first}
    assert again.manifest.source.skipped == {"a case without a label": len(made)}


@pytest.mark.parametrize("storage", ["jsonl", "jsonl.zst", "parquet"])
def test_a_suite_that_repeats_the_label_of_the_source_pair_is_read_without_it(tmp_path: Path, storage: Any) -> None:
    suite = assay.build("swap", assay.read("bundled", limit=9), out=tmp_path / "new", storage=storage)
    repeating = [msgspec.json.decode(line) for line in suite.lines()]
    for case in repeating:
        case["label"] = case["provenance"]["label"]
    (tmp_path / "old").mkdir()
    with CaseFile(tmp_path / "old", storage) as file:
        for case in repeating:
            file.write(msgspec.json.encode(case) + b"\n")
    manifest = msgspec.structs.replace(suite.manifest, digest=file.digest, file_digest=digest(file.path))
    (tmp_path / "old" / "manifest.json").write_bytes(to_json(manifest.sealed()))
    old = assay.Suite.open(tmp_path / "old")
    assay.verify(old.folder)
    assert [case.label for case in old] == [case.label for case in suite]
    assert list(old.to_pandas()["label"].isna()) == [case.family == "swap" for case in suite]
