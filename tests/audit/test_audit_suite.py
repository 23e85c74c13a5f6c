"""Audits of whole suites and corpora."""

import importlib
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from tests.conftest import pair

import assay
from assay.core.case import Recipe, case_from
from assay.core.edit import Edit
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS
from assay.core.pair import Pair
from assay.evaluate.surface_shortcuts import EDITED, HYPOTHESIS, LENGTHS
from assay.run.predict.direct_answers import suite_of

LABELS = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)
WORDS = [
    f"{one}{two}" for one in ("ba", "de", "ki", "lo", "mu", "ra", "se", "to") for two in ("ler", "min", "sop", "tik")
]


def clean(seed: int, *, number: int = 600, planted: str = "", labels: tuple[Label, ...] = LABELS) -> list[Pair]:
    """Pairs of random words and labels."""
    rng = Random(seed)
    made = []
    for n in range(number):
        label = rng.choice(labels)
        hypothesis = rng.choices(WORDS, k=8)
        if planted and label is labels[-1] and rng.random() < 0.5:
            hypothesis[3] = planted
        premise = " ".join(rng.choices(WORDS, k=12))
        made.append(pair(n, premise=f"{premise}.", hypothesis=f"{' '.join(hypothesis)}.", label=label))
    return made


def test_a_clean_corpus_is_not_accused() -> None:
    accused = [seed for seed in range(12) if assay.audit(clean(seed)).concerns]
    assert len(accused) <= 2


@pytest.mark.parametrize("seed", range(3))
def test_a_planted_word_is_a_concern(seed: int) -> None:
    found = assay.audit(clean(seed, planted="never"))
    kinds = {each.kind: each for each in found.concerns}
    assert kinds["words"].what == "never"
    assert kinds["shortcut"].what == HYPOTHESIS
    assert {each.what for each in found.concerns if each.kind == "shortcut"} == {HYPOTHESIS}


def test_planted_repeats_are_counted() -> None:
    pairs = clean(1)
    copies = [
        pair(1000 + n, premise=each.premise, hypothesis=each.hypothesis.upper(), label=each.label)
        for n, each in enumerate(pairs[:25])
    ]
    found = assay.audit([*pairs, *copies])
    assert found.families["original"].repeated.exact == 25
    assert [each.kind for each in found.concerns] == ["duplicates"]


def test_training_data_in_the_corpus_is_counted(tmp_path: Path) -> None:
    pairs = clean(2)
    train = [
        *clean(3),
        *(pair(2000 + n, premise=each.premise, hypothesis=each.hypothesis) for n, each in enumerate(pairs[:30])),
    ]
    found = assay.audit(pairs, train=train)
    assert [(each.pairs, each.exact, each.of_training) for each in found.training] == [(630, 30, 30)]
    assert "training" in {each.kind for each in found.concerns}
    corpora: list[Iterable[Pair]] = [assay.read("bundled"), train]
    several = assay.audit(pairs, train=corpora)
    assert [(each.name, each.exact) for each in several.training] == [("bundled", 0), ("pairs", 30)]


def test_raw_and_tokenised_texts_are_the_same() -> None:
    raw = [pair(1, premise="The cook didn't fry it (yet).", hypothesis="It's raw, isn't it?")]
    split = [pair(1, premise="The cook did n't fry it ( yet ) .", hypothesis="It 's raw , is n't it ?")]
    assert assay.audit(raw, train=split).training[0].exact == 1


def test_templates_are_noticed_although_the_words_differ() -> None:
    """What a model trained on heuristics has seen, when it is tested on heuristics."""
    test, train = (assay.generated(20, seed=seed) for seed in (0, 1))
    found = assay.audit(test, train=[train])
    overlap = found.training[0]
    assert overlap.template > 0.9 * overlap.cases
    assert overlap.exact < 0.1 * overlap.cases
    assert "templates" in {each.kind for each in found.concerns}


def test_natural_texts_share_no_templates() -> None:
    found = assay.audit("bundled", train=[assay.generated(20)])
    assert found.training[0].template == 0
    assert not {"training", "templates"} & {each.kind for each in found.concerns}


def test_hans_is_recognised_in_hans(shared: Path) -> None:
    hans = list(assay.read(shared / "hans" / "heuristics_evaluation_set.txt.gz"))[::5]
    found = assay.audit(hans[::2], train=hans[1::2])
    overlap = found.training[0]
    assert overlap.template > 0.95 * overlap.cases
    assert overlap.exact == 0
    natural = assay.audit(assay.read(shared / "snli" / "snli_1.0_test.jsonl.gz", limit=2000), train=hans)
    assert natural.training[0].template < 0.01 * natural.cases


def test_the_figures_are_those_of_the_manifest(tmp_path: Path) -> None:
    families = ["original", "negation", "spelling", "antonymy", "numeracy", "swap"]
    suite = assay.build(families, assay.read("bundled", limit=300), out=tmp_path / "suite")
    found = assay.audit(suite)
    assert suite.manifest.shortcuts
    assert {*found.families} == {*suite.manifest.shortcuts}
    assert found.unclaimed == sum(suite.manifest.counts["swap"].values())
    for name, family in found.families.items():
        stored = suite.manifest.shortcuts[name]
        measured = {each.name: round(each.value or 0.0, 4) for each in family.shortcuts}
        assert (family.n, round(family.majority.value or 0.0, 4)) == (stored.n, stored.majority)
        assert (measured[HYPOTHESIS], measured[LENGTHS]) == (stored.hypothesis_words, stored.lengths)
        assert measured.get(EDITED, stored.edited_words) == stored.edited_words
        assert (EDITED in measured) is (name != "original")


def test_two_labels_are_judged_as_two(tmp_path: Path) -> None:
    two = (Label.ENTAILMENT, Label.NON_ENTAILMENT)
    suite = assay.build(["original", "antonymy"], _two_way(), out=tmp_path / "suite")
    found = assay.audit(tmp_path / "suite")
    assert found.two_way
    assert {label for family in found.families.values() for label in family.labels} <= set(two)
    assert suite.manifest.shortcuts
    assert suite.manifest.shortcuts["original"].majority == round(found.families["original"].majority.value or 0, 4)
    assert not assay.audit(suite, two_way=False).two_way


def _two_way() -> list[Pair]:
    bundled = list(assay.read("bundled", limit=120))
    return [
        pair(n, premise=each.premise, hypothesis=each.hypothesis, label=TWO_LABELS.read(each.label))
        for n, each in enumerate(bundled)
    ]


def test_three_labels_can_be_judged_as_two() -> None:
    found = assay.audit(clean(4), two_way=True)
    assert {*found.families["original"].labels} == {"entailment", "non-entailment"}


def test_one_label_is_a_concern() -> None:
    found = assay.audit(clean(5, labels=(Label.NEUTRAL,)))
    assert [(each.kind, each.what) for each in found.concerns] == [("balance", "neutral")]


def test_nothing_to_audit_is_an_error(tmp_path: Path) -> None:
    recipe = Recipe(transform="swap/v1", seed=0)
    swapped = case_from(pair(), Edit(expects="hold"), family="swap", recipe=recipe)
    with pytest.raises(assay.errors.BadInputError, match="no case has a label"):
        assay.audit(suite_of([swapped], tmp_path / "suite"))
    with pytest.raises(assay.UserError, match="no pairs"):
        assay.audit([])


def test_only_so_many_cases_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("assay.audit.audit_suite"), "MOST", 100)
    found = assay.audit(clean(6, number=130))
    assert (found.cases, found.families["original"].n) == (130, 100)
    assert "30 cases were not examined" in " ".join(found.notes)
