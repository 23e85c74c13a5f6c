"""Burial: filler that shares nothing with the pair, at every depth; models that truncate are found out."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.conftest import pair

import assay
from assay.core.case import Case
from assay.core.edit import Replacement
from assay.core.label import Label
from assay.core.pair import Pair
from assay.language.text.tokens import tokens
from assay.run.build.case_builder import BuildStep, unproven
from assay.run.build.recipes import recipes_for
from assay.stress.burial.build import label_of
from assay.stress.burial.check import POINTING, SHARED
from assay.stress.burial.filler import Filler, gather_filler, store_filler

TREES = ["oak", "elm", "ash", "fir", "yew", "birch", "cedar", "maple", "larch", "aspen"]
PLACES = ["hill", "lake", "road", "wall", "gate", "pond", "barn", "mill", "quay", "field"]
CORPUS = [
    Pair(
        id=f"filler-{tree}-{place}",
        premise=f"A young {tree} is growing by a {place} in Ruritania.",
        hypothesis=f"Children climb near {tree} roots beyond a {place}.",
        label=Label.NEUTRAL,
    )
    for shift in range(10)
    for tree, place in zip(TREES, [*PLACES[shift:], *PLACES[:shift]], strict=True)  # neighbours differ
]
DECIDING = {
    "Maria sold three violins.": ("Maria sold violins.", Label.ENTAILMENT),
    "The baker burned 40 loaves.": ("The baker burned bread.", Label.ENTAILMENT),
    "Otto painted ships.": ("Otto painted vessels.", Label.ENTAILMENT),
    "The nurse wore red gloves.": ("The nurse wore gloves.", Label.ENTAILMENT),
}
PAIRS = [
    Pair(id=f"p{number}", premise=premise, hypothesis=hypothesis, label=label)
    for number, (premise, (hypothesis, label)) in enumerate(DECIDING.items())
]


def step(variant: str = "", **switches: str) -> BuildStep:
    name = store_filler(gather_filler(CORPUS))
    given = {"burial.filler": name, **{f"burial.{key}": value for key, value in switches.items()}}
    return BuildStep(recipes_for([f"burial{variant}"], seed=0, switches=given)[-1])


def cases(each: Pair, variant: str = "", **switches: str) -> list[Case]:
    return [case for case in step(variant, **switches).cases(each) if isinstance(case, Case)]


def test_the_sentence_is_at_every_depth_of_every_length() -> None:
    found = cases(PAIRS[0], lengths="128+512", per_pair="0")
    assert len(found) == 10
    for case in found:
        length, depth = int(case.group["length"]), int(case.group["depth"])
        assert length - 40 <= len(tokens(case.premise)) <= length
        before = len(tokens(case.premise[: case.premise.index(PAIRS[0].premise)]))
        rest = len(tokens(case.premise)) - len(tokens(PAIRS[0].premise))
        assert abs(100 * before / rest - depth) <= 1000 / length
        assert case.label is Label.ENTAILMENT
        assert not unproven(case)


def test_a_long_claim_ends_with_the_sentence_that_decides() -> None:
    (case,) = cases(
        pair(premise="Otto painted ships.", hypothesis="Otto sank.", label=Label.NEUTRAL), ":claim", lengths="64"
    )
    assert case.hypothesis.endswith(" Otto sank.")
    assert case.hypothesis.removesuffix("Otto sank.") in case.premise
    assert case.premise.endswith(" Otto painted ships.")
    assert 24 <= len(tokens(case.hypothesis)) <= 64


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A man sleeps.", "A man runs.", Label.NON_ENTAILMENT),
        ("The old baker slept at noon.", "The baker ran at noon.", Label.CONTRADICTION),
        ("Maria sleeps.", "Maria runs.", Label.CONTRADICTION),
        ("Maria sleeps.", "The woman runs.", Label.NON_ENTAILMENT),
    ],
)
def test_contradictions_need_a_subject_that_ties_the_sentences(premise: str, hypothesis: str, label: Label) -> None:
    each = pair(premise=premise, hypothesis=hypothesis, label=Label.CONTRADICTION)
    assert label_of(each) is label
    found = cases(each, lengths="128")
    assert {case.label for case in found} == {label}


@pytest.mark.parametrize(
    ("added", "reason"),
    [
        ("A violinist sold tickets in Ruritania.", SHARED),
        ("Three young oaks grow.", SHARED),
        ("Maria climbed a hill.", SHARED),
        ("That was a lie.", POINTING),
    ],
)
def test_filler_that_touches_the_pair_is_refused(added: str, reason: object) -> None:
    case = cases(PAIRS[0], lengths="128")[0]
    edit = case.provenance.edit
    (old,) = edit.premise
    new = Replacement(old.start, "", f"{old.new} {added}")
    changed = msgspec.structs.replace(
        case,
        premise=case.premise + f" {added}",
        provenance=msgspec.structs.replace(case.provenance, edit=msgspec.structs.replace(edit, premise=(new,))),
    )
    assert not unproven(case)
    assert unproven(changed) == reason.reason  # type: ignore[attr-defined]


def test_filler_has_no_pointing_word_in_parts_of_a_word_either() -> None:
    alone = "The bakery sells warm bread."
    others = ("It's warm in the bakery.", "The all-night bakery sells bread.", "The no-frills bakery sells bread.")
    assert gather_filler(map(premise_alone, [alone, *others])).texts == (alone,)


def premise_alone(text: str) -> Pair:
    return Pair(id=text, premise=text, hypothesis="A false text stands here.", label=Label.CONTRADICTION)


def test_filler_is_true_and_has_whole_sentences() -> None:
    parts = ("As mentioned on page 4.", "The mayor (, lit.", "Hill met J. A. Smith A.", "A red barn behind oaks.")
    headings = (
        "Fronts A front is a border.",
        "D maps are useful.",
        "Rocks are stones 2 .",
        "Methods used by farmers in Ruritania.",
    )
    orders = (
        "Bake the bread for an hour.",
        "With Ada Moss and Lena Ott.",
        "Several members are here, as well as Sens.",
    )
    assert not gather_filler(map(premise_alone, headings + orders)).texts
    assert not gather_filler(map(premise_alone, parts)).texts
    both = Pair(id="1", premise="Two bakers sell bread.", hypothesis="Bakers sell bread.", label=Label.ENTAILMENT)
    assert gather_filler([both]).texts == (both.premise, both.hypothesis)


def test_filler_does_not_say_the_same_twice() -> None:
    both = ("The mill was badly damaged in May.", "The mill was damaged in May.")
    pool = gather_filler(map(premise_alone, [*both, "Two bakers are in Norland.", "A fox is behind the fence."]))
    assert len(pool.texts) == 4
    for seed in range(8):
        drawn = pool.draw_sentences("It rains.", 40, Random(seed)) or []
        assert len({*both} & {pool.texts[number] for number in drawn}) == 1


def test_filler_is_drawn_in_one_walk() -> None:
    pool = gather_filler(premise_alone(f"Item {number} is in box {number * 7}.") for number in range(5000))
    passed: list[int] = []

    class Counted(tuple[int, ...]):
        def __getitem__(self, place: object) -> object:  # type: ignore[override]
            passed.append(1)
            return super().__getitem__(place)  # type: ignore[call-overload]

    counted = Filler(pool.texts, Counted(pool.sizes))
    assert counted.draw_sentences("It rains.", 200, Random(1))
    assert len(passed) <= 2 * len(pool.texts), "each sentence is passed once at most"


def reader(most: int) -> Callable[[list[tuple[str, str]]], list[str]]:
    """Sees the first words of a premise, and knows which sentence decides each claim."""
    decides = {hypothesis: premise for premise, (hypothesis, _) in DECIDING.items()}

    def predict(pairs: list[tuple[str, str]]) -> list[str]:
        seen = ((" ".join(premise.split()[:most]), hypothesis) for premise, hypothesis in pairs)
        return ["entailment" if decides.get(h, "-") in p else "neutral" for p, h in seen]

    return predict


def test_a_model_that_truncates_is_exposed_and_one_that_reads_is_not(tmp_path: Path) -> None:
    models = {"cuts": reader(200), "reads": reader(10**6)}
    switches = {"burial.lengths": "128+512", "burial.per_pair": "0"}
    record = assay.run([*PAIRS, *CORPUS], families="burial", switches=switches, models=models, out=tmp_path)
    found = {
        (model, place): each.value
        for (model, place, label), each in record.find("accuracy", by=["model", "place", "label"]).items()
        if label == "entailment"
    }
    for depth in (0, 25, 50, 75, 100):
        assert found["object:reads", f"512@{depth}"] == 1.0
        assert found["object:cuts", f"128@{depth}"] == 1.0
        assert found["object:cuts", f"512@{depth}"] == (1.0 if depth <= 25 else 0.0)
    assay.verify(tmp_path / record.id, deep=True)


def test_it_is_built_only_if_it_is_named() -> None:
    assert not any("burial" in recipe.transform for recipe in recipes_for(["all"], seed=0))
