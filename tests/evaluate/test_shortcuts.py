"""What the surface of cases gives away, measured on cases whose shortcuts are known."""

from collections import Counter
from math import log
from random import Random

import pytest
from tests.conftest import pair

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit, Replacement
from assay.core.label import Label
from assay.evaluate.surface_shortcuts import (
    FOLDS,
    LabelledFolds,
    ShortcutFeatures,
    find_predictable,
    guess_labels,
    measure_shortcuts,
)

LABELS = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)
RECIPE = Recipe(transform="toy/v1", seed=0)


def cases(hint: str, *, number: int = 300, per_source: int = 1) -> list[Case]:
    """Cases whose label shows in the hypothesis's words, in the edited words, in the length, or nowhere."""
    rng = Random(1)
    made = []
    for n in range(number):
        label = rng.choice(LABELS)
        words = ["the", "cook", rng.choice(("sings", "sleeps"))]
        new = rng.choice(("hat", "cap", "hood"))
        if hint == "words":
            words.append({LABELS[0]: "outside", LABELS[1]: "sadly", LABELS[2]: "never"}[label])
        elif hint == "edit" or (hint == "most edits" and n % 5):
            new = {LABELS[0]: "hat", LABELS[1]: "cap", LABELS[2]: "hood"}[label]
        elif hint == "length":
            words += ["again"] * (LABELS.index(label) + 1)
        source = pair(n // per_source, premise=f"A red scarf of cook {n // per_source}.", hypothesis=" ".join(words))
        edit = Edit(label=label, premise=(Replacement(6, "scarf", new),))
        made.append(case_from(source, edit, family="toy", recipe=RECIPE, number=n % per_source))
    return made


def test_each_shortcut_is_found_by_the_one_that_looks_at_it() -> None:
    for hint, field in (("words", "hypothesis_words"), ("edit", "edited_words"), ("length", "lengths")):
        found = measure_shortcuts(cases(hint))["toy"]
        assert getattr(found, field) == 1.0, hint
    assert measure_shortcuts(cases("words"))["toy"].edited_words < 0.45
    assert measure_shortcuts(cases("edit"))["toy"].hypothesis_words < 0.45


def test_small_families_are_balanced_too() -> None:
    for number in (60, 300):
        made = cases("edit", number=number)
        dropped = {*find_predictable(made, {"toy"})}
        left = measure_shortcuts(case for n, case in enumerate(made) if n not in dropped)["toy"]
        assert dropped
        assert left.edited_words <= left.majority + 0.05
    assert not find_predictable(cases("edit", number=40), {"toy"})
    assert not find_predictable(cases("nothing"), {"other"})


def test_sources_with_several_cases_lose_theirs_first() -> None:
    made = cases("most edits", number=300, per_source=3)
    dropped = {*find_predictable(made, {"toy"})}
    assert len(dropped) > 100
    assert len({case.origin for n, case in enumerate(made) if n not in dropped}) == 100


def test_where_nothing_gives_the_label_away_guessing_is_no_better_than_chance() -> None:
    found = measure_shortcuts(cases("nothing"))["toy"]
    assert found.n == 300
    assert 0.33 < found.majority < 0.4
    assert max(found.hypothesis_words, found.edited_words, found.lengths) < found.majority + 0.06


def test_nothing_is_learnt_from_the_same_source() -> None:
    """A feature that only one source has tells nothing, however often the source occurs."""
    labelled, features = LabelledFolds(), ShortcutFeatures()
    for number in range(60):
        for _ in range(3):
            labelled.add(LABELS[number % 3], f"source {number}")
            features.add([f"only here {number}"])
    assert guess_labels(labelled, features).right <= 0.4


def test_cases_that_claim_no_label_are_left_out() -> None:
    edit = Edit(expects="hold", premise_from="hypothesis", hypothesis_from="premise")
    case = case_from(pair(premise="It rains.", hypothesis="It is wet."), edit, family="swap", recipe=RECIPE)
    assert measure_shortcuts([case]) == {}


def test_one_case_and_one_label_are_no_trouble() -> None:
    found = measure_shortcuts(cases("nothing", number=1))["toy"]
    assert (found.n, found.majority) == (1, 1.0)


def test_scores_are_those_of_naive_bayes_learned_from_the_other_folds() -> None:
    rng, labelled, features = Random(2), LabelledFolds(), ShortcutFeatures()
    items = [(str(rng.randrange(12)), rng.choice("abb"), rng.choices("xyz", k=2)) for _ in range(40)]
    for source, label, words in items:
        labelled.add(label, source)
        features.add(words)
    folds = labelled.fold_of.tolist()
    assert 1 < len({*folds}) <= FOLDS
    scores = features.scores(labelled)
    for i, (_, _, words) in enumerate(items):
        others = [items[j] for j in range(len(items)) if folds[j] != folds[i]]
        for label, number in labelled.names.items():
            own = [other for other in others if other[1] == label]
            counts = Counter(word for other in own for word in other[2])
            expected = log(len(own) + 1) + sum(log((counts[w] + 1) / (counts.total() + 3)) for w in words)
            assert scores[i, number] == pytest.approx(expected)
