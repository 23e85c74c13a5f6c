"""Words that give labels away, and pairs that are alike, on sets whose truth is known."""

from collections.abc import Sequence
from math import comb, isclose
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.audit.audit_result import FamilyAudit, LabelTexts, Repeated, TrainingOverlap, WordSpread, concerns_of
from assay.audit.giveaway_words import count_together, find_giveaways, phrases_of, upper_tail
from assay.audit.minhash import Index, PairTokenSets, Prints, find_repeated, join_prints, prints_of
from assay.core.estimate import Estimate
from assay.evaluate.surface_shortcuts import LabelledFolds, ShortcutFeatures

LABELS = ("entailment", "neutral", "contradiction")
VOCABULARY = [f"word{number}" for number in range(120)]


def random_set(seed: int, *, number: int = 600, planted: str = "") -> tuple[LabelledFolds, ShortcutFeatures]:
    """Words and labels that have nothing to do with each other, apart from a planted one."""
    rng = Random(seed)
    labelled, phrases = LabelledFolds(), ShortcutFeatures()
    for n in range(number):
        label = rng.choice(LABELS)
        words = rng.choices(VOCABULARY, k=8)
        if planted and label == "contradiction" and rng.random() < 0.3:
            words.append(planted)
        labelled.add(label, f"premise {n}", f"pair {n}")
        phrases.add(phrases_of(" ".join(words)))
    return labelled, phrases


def test_chance_is_not_accused() -> None:
    """At a level of 0.05, one set in twenty may have a false alarm; four or more of forty have probability 0.14."""
    alarms = sum(bool(find_giveaways(*random_set(seed), "hypothesis")) for seed in range(40))
    assert alarms <= 3


def test_a_planted_word_is_found_and_nothing_else() -> None:
    for seed in range(5):
        found = find_giveaways(*random_set(seed, planted="never"), "hypothesis")
        assert [(each.phrase, each.label) for each in found] == [("never", "contradiction")]
        assert found[0].share == 1.0
        assert found[0].p < 1e-6


def test_a_source_pair_counts_once_however_many_cases_it_makes() -> None:
    labelled, phrases = random_set(3)
    for _ in range(200):
        labelled.add("contradiction", "premise 0", "pair 0")
        phrases.add(["never"])
    assert not [each for each in find_giveaways(labelled, phrases, "hypothesis") if each.phrase == "never"]


def test_a_pair_with_several_labels_is_shared_among_them() -> None:
    labelled, phrases = LabelledFolds(), ShortcutFeatures()
    for label in ("neutral", "contradiction", "contradiction", "neutral"):
        labelled.add(label, "premise", "pair")
        phrases.add(["some"])
    labelled.add("neutral", "other", "other")
    phrases.add(["none"])
    counted = count_together(labelled, phrases)
    assert counted.pairs.tolist() == [1, 1]
    assert counted.labels.tolist() == [[0.5, 0.5], [1.0, 0.0]]
    assert counted.expected.tolist() == [0.75, 0.25]


@given(st.integers(1, 60), st.data(), st.floats(0.02, 0.98))
def test_the_tail_is_exact(n: int, data: st.DataObject, share: float) -> None:
    hits = data.draw(st.integers(0, n))
    exact = sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(hits, n + 1))
    assert isclose(upper_tail(hits, n, share), min(1.0, exact), rel_tol=1e-9)


def read(premise: str, hypothesis: str) -> PairTokenSets:
    return PairTokenSets(premise.split(), hypothesis.split(), "")


def texts(rng: Random, *, length: int = 14) -> tuple[list[str], list[str]]:
    return rng.choices(VOCABULARY, k=length), rng.choices(VOCABULARY, k=length)


def changed(words: Sequence[str], place: int) -> list[str]:
    return [*words[:place], "another", *words[place + 1 :]]


def labelled_as(labels: Sequence[str]) -> LabelledFolds:
    made = LabelledFolds()
    for number, label in enumerate(labels):
        made.add(label, str(number))
    return made


@pytest.mark.parametrize("seed", range(3))
def test_planted_repeats_are_counted_exactly(seed: int) -> None:
    rng = Random(seed)
    pairs = [texts(rng) for _ in range(300)]
    labels = rng.choices(LABELS, k=300)
    again = [*((pairs[n], labels[n]) for n in range(10)), *((pairs[n], f"not {labels[n]}") for n in range(10, 14))]
    near = [((changed(one, 13), other), labels[n]) for n, (one, other) in enumerate(pairs[100:120], 100)]
    contrasts = [((one, changed(other, 0)), f"not {labels[n]}") for n, (one, other) in enumerate(pairs[200:205], 200)]
    everything = [*zip(pairs, labels, strict=True), *again, *near, *contrasts]
    prints = prints_of(PairTokenSets(*pair, "") for pair, _ in everything)
    found = find_repeated(prints, labelled_as([label for _, label in everything]))
    assert found == Repeated(exact=14, conflicting=4, near=20, templates=1)


def test_near_repeats_of_one_source_pair_do_not_count() -> None:
    one, other = texts(Random(5))
    labelled = LabelledFolds()
    for _ in range(2):
        labelled.add("neutral", "premise", "pair")
    prints = prints_of([PairTokenSets(one, other, ""), PairTokenSets(changed(one, 3), other, "")])
    assert find_repeated(prints, labelled).near == 0


def test_training_pairs_are_looked_up_in_batches() -> None:
    rng = Random(7)
    pairs = [texts(rng) for _ in range(200)]
    index = Index(prints_of(PairTokenSets(*pair, f"template {n}") for n, pair in enumerate(pairs)))
    training = [PairTokenSets(*texts(rng), f"other {n}") for n in range(300)]
    training += [PairTokenSets(*pair, "") for pair in pairs[:12]]
    training += [PairTokenSets(one, changed(other, 0), "") for one, other in pairs[50:65]]
    training += [PairTokenSets(*texts(rng), "template 90"), PairTokenSets(pairs[100][0], ["nothing", "else"], "")]
    rng.shuffle(training)
    found = index.overlap("some", [prints_of(training[:100]), prints_of(training[100:])])
    assert (found.pairs, found.cases) == (len(training), 200)
    assert (found.exact, found.near, found.of_training) == (12, 15, 27)
    assert found.template == 13  # the exact ones, and the one with the same template
    assert found.premise == 12 + 15 + 1


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), min_size=1, max_size=8))
def test_any_text_has_prints_and_parts_can_be_joined(pairs: list[tuple[str, str]]) -> None:
    reads = [read(*pair) for pair in pairs]
    whole, parts = prints_of(reads), join_prints([prints_of([each]) for each in reads])
    for name in Prints._fields:
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name
    assert [whole.sides(row) for row in range(len(whole))] == [parts.sides(row) for row in range(len(parts))]


def test_signatures_agree_as_often_as_shingles_do() -> None:
    rng = Random(11)
    one, other = texts(rng, length=200)
    prints = prints_of([PairTokenSets(one, other, ""), PairTokenSets([*one[:100], *other[:100]], other, "")])
    (first, second), (third, fourth) = prints.sides(0), prints.sides(1)
    shared = len(first & third) + len(second & fourth)
    alike = shared / (len(first) + len(second) + len(third) + len(fourth) - shared)
    assert abs(float(np.mean(prints.signature[0] == prints.signature[1])) - alike) < 0.2


def family(value: float, low: float, *, exact: int = 0) -> FamilyAudit:
    spread = WordSpread(low=1, median=2, high=3)
    return FamilyAudit(
        n=100,
        labels={label: LabelTexts(n=50, premise=spread, hypothesis=spread) for label in LABELS[:2]},
        shortcuts=(
            Estimate(name="most frequent label", value=0.5, low=0.4, high=0.6, n=100),
            Estimate(name="overlap", value=value, low=low, high=1.0, n=100),
        ),
        giveaways=(),
        found=0,
        repeated=Repeated(exact=exact, conflicting=0, near=0, templates=100),
        not_english=0,
    )


def overlap(*, near: int, template: int) -> TrainingOverlap:
    return TrainingOverlap(
        name="t", pairs=9, cases=100, exact=0, near=near, template=template, premise=0, of_training=0
    )


def test_only_what_is_sure_and_large_is_a_concern() -> None:
    assert not concerns_of({"original": family(0.6, 0.54)}, ())
    assert not concerns_of({"original": family(0.6, 0.54)}, [overlap(near=0, template=9)])
    assert [each.kind for each in concerns_of({"original": family(0.6, 0.54)}, [overlap(near=1, template=10)])] == [
        "training",
        "templates",
    ]
    assert [each.kind for each in concerns_of({"original": family(0.6, 0.56)}, ())] == ["shortcut"]
    assert [each.kind for each in concerns_of({"original": family(0.5, 0.4, exact=1)}, ())] == ["duplicates"]
