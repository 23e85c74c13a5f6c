"""Generated pairs become a suite like any other, proven as it is built and when it is verified."""

from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.conftest import Assay, case

import assay
from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit, Skip
from assay.core.errors import AssayError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Corpus
from assay.corpora.reader import read
from assay.run.api import build
from assay.run.build.suite_builder import build_suite, generated
from assay.run.workers.pool import worker_pool
from assay.storage.suite import Suite
from assay.stress.heuristics.build import OTHER, WRONG_LABEL, GeneratedPairs, Heuristics
from assay.stress.heuristics.check import HeuristicsCheck

OWN = '[nouns]\nnurse = "nurses"\n'


@pytest.mark.parametrize(
    "corpus",
    [
        GeneratedPairs(10),
        GeneratedPairs(10, fidelity="code", split="training"),
        GeneratedPairs(30, grammar=OWN, seed=4),
    ],
    ids=["strict", "code", "own"],
)
def test_a_suite_is_built_and_verified(corpus: GeneratedPairs, tmp_path: Path) -> None:
    assert isinstance(corpus, Corpus)
    with worker_pool(1) as pool:
        suite = build_suite(corpus, [corpus.recipe()], tmp_path / "suite", pool=pool)
    assay.verify(tmp_path / "suite")
    cases = list(suite)
    assert [(each.premise, each.hypothesis, each.label) for each in cases] == [
        (pair.premise, pair.hypothesis, pair.label) for pair in corpus
    ]
    assert suite.manifest.counts == {"heuristics": corpus.summary().labels}
    assert {tuple(each.group) for each in cases} == {("heuristic", "subcase", "template")}


def test_the_real_set_makes_a_suite(real: list[Pair], tmp_path: Path) -> None:
    transform = Heuristics(fidelity="code")
    for pair in real[::500]:
        (edit,) = transform(pair, Random(0))  # type: ignore[misc]
        assert edit.facts["template"].startswith("temp")
        assert edit.apply(pair) == (pair.premise, pair.hypothesis)


def heuristics_case(premise: str, hypothesis: str, label: Label, **options: str) -> Case:
    pair = Pair(id="1", premise=premise, hypothesis=hypothesis, label=label)
    recipe = Recipe(transform="heuristics/v1", options=dict(options), seed=0)
    return case_from(pair, Edit(), family="heuristics", recipe=recipe)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (heuristics_case("The actor saw the judge .", "The judge saw the actor .", Label.NON_ENTAILMENT), None),
        (heuristics_case("The actor saw the judge .", "The judge saw the actor .", Label.NEUTRAL), None),
        (
            heuristics_case("The actor saw the judge .", "The judge saw the actor .", Label.ENTAILMENT),
            "the proof gives the other label",
        ),
        (
            heuristics_case("The actor saw the judge .", "The judge saw the the actor .", Label.NEUTRAL),
            "an error of the released",
        ),
        (heuristics_case("The nurse near the judge ran .", "The nurse ran .", Label.ENTAILMENT), "not in the fragment"),
        (heuristics_case("The nurse near the judge ran .", "The nurse ran .", Label.ENTAILMENT, grammar=OWN), None),
        (case(), "not in the fragment"),
    ],
)
def test_the_check_proves_or_says_why_not(made: Case, reason: str | None) -> None:
    found = HeuristicsCheck()(made)
    assert found is None if reason is None else found and reason in found.reason


def test_a_changed_case_is_caught() -> None:
    made = heuristics_case("The actor saw the judge .", "The judge saw the actor .", Label.NON_ENTAILMENT)
    found = HeuristicsCheck()(msgspec.structs.replace(made, hypothesis="The judge saw the lawyer ."))
    assert found is not None
    assert "undoing" in found.reason


def test_other_pairs_are_left_out_with_a_reason() -> None:
    assert Heuristics()(Pair(id="1", premise="A", hypothesis="B", label=Label.NEUTRAL), Random(0)) is OTHER
    wrong = Pair(
        id="1", premise="The actor saw the judge .", hypothesis="The judge saw the actor .", label=Label.ENTAILMENT
    )
    found = Heuristics()(wrong, Random(0))
    assert isinstance(found, Skip)
    assert found is WRONG_LABEL


def test_quirks_are_switches(assay: Assay, tmp_path: Path) -> None:
    def tags(*words: str) -> set[str]:
        assay("build", "heuristics", "--per-subcase", 30, "--out", "suite", "--overwrite", "--quiet", *words)
        assay("export", "suite", "--to", "hans", "--out", "set.txt", "--overwrite", "--quiet")
        pairs = list(read(tmp_path / "set.txt"))
        doubled = any(" the the " in pair.hypothesis for pair in pairs)
        tagged = any("(NN judges)" in str(pair.parses) for pair in pairs)
        return {name for name, found in (("doubled-the", doubled), ("object-tag", tagged)) if found}

    assert tags("--fidelity", "code") == {"doubled-the", "object-tag"}
    assert tags("--fidelity", "code", "--set", "quirks=none") == set()
    assert tags("--fidelity", "code", "--set", "quirks=doubled-the") == {"doubled-the"}
    assert tags("--set", "quirks=object-tag") == {"object-tag"}


@pytest.mark.parametrize(("switch", "said"), [("quirk=none", "No switch 'quirk'"), ("quirks=x", "No quirk 'x'")])
def test_an_unknown_switch_is_refused(switch: str, said: str, assay: Assay) -> None:
    assert said in assay("build", "heuristics", "--set", switch, "--out", "suite", code=2).stderr


def test_python_generates_as_the_command_line_does(tmp_path: Path, assay: Assay) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(OWN)
    pairs = generated(2, split="training", seed=3, switches={"fidelity": "code"}, grammar=own)
    made = build("heuristics", pairs, out=tmp_path / "python")
    options = ("--set", f"split=training,grammar={own}", "--seed", 3, "--fidelity", "code", "--out", "shell")
    assay("build", "heuristics", "--per-subcase", 2, *options)
    assert made.manifest.digest == Suite.open(tmp_path / "shell").manifest.digest


def test_python_needs_no_source(tmp_path: Path) -> None:
    made = build(["heuristics/v1"], seed=5, out=tmp_path / "suite", per_subcase=1)
    assert (len(made), made.manifest.seed) == (30, 5)


def test_what_generated_pairs_are_not_for(tmp_path: Path) -> None:
    for families, source, switches, said in [
        (["heuristics", "negation"], None, {}, "build them separately"),
        ("negation", generated(1), {}, "Generated pairs are for heuristics, not for negation"),
        ("heuristics", generated(1), {"fidelity": "code"}, "pass switches to `generated"),
        ("heuristics", None, {"typos": "2"}, "No switch 'typos'"),
    ]:
        with pytest.raises(AssayError, match=said):
            build(families, source, out=tmp_path / "s", switches=switches)
