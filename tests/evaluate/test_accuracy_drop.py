"""Copies against their source pairs."""

import msgspec
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import pair
from tests.evaluate.conftest import columns
from tests.evaluate.reference import paired

from assay.core.case import Case, Provenance, Recipe, case_from
from assay.core.edit import Edit
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.evaluate.accuracy import AccuracyDrop
from assay.evaluate.paired import difference_intervals, mcnemar


def made(number: int, family: str, **edit: object) -> Case:
    recipe = Recipe(transform=f"{family}/v1", seed=0)
    return case_from(pair(number), Edit(**edit), family=family, recipe=recipe)  # type: ignore[arg-type]


def figures(answers: list[tuple[Case, bool]]) -> dict[tuple[str, ...], Estimate]:
    cases, encoder = columns([case for case, _ in answers])
    board = AccuracyDrop(["m"], suite="s", encoder=encoder)
    board.add(cases, numpy.array([[right for _, right in answers]]))
    [found] = board.estimates()
    assert {(e.slice["model"], e.slice["suite"]) for e in found} <= {("m", "s")}
    return {(e.name, *(v for k, v in e.slice.items() if k not in ("model", "suite"))): e for e in found}


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_figures_are_those_of_paired_shares(answers: list[tuple[bool, bool]]) -> None:
    asked = []
    for number, (before, after) in enumerate(answers):
        asked += [(made(number, "original"), before), (made(number, "negation"), after)]
    pairs = paired([[each] for each in answers])
    found = figures(asked)
    drop = found["drop", "negation"]
    assert (drop.value, drop.n) == (pairs.difference, len(answers))
    assert [(drop.low, drop.high)] == difference_intervals([pairs])
    assert found["source", "negation"].value == pairs.first
    assert found["consistency", "negation"].value == pairs.both / len(answers)
    assert found["mcnemar", "negation"].value == pytest.approx(mcnemar(pairs.only_first, pairs.only_second))
    assert found["drop", "negation", "entailment"] == msgspec.structs.replace(
        drop, slice={**drop.slice, "label": "entailment"}
    )


def test_the_order_of_families_does_not_matter() -> None:
    asked = [(made(1, "negation"), False), (made(1, "original"), True), (made(2, "original"), True)]
    assert figures(asked)["drop", "negation"].value == 1.0


def test_copies_without_their_source_are_not_compared() -> None:
    assert figures([(made(number, "negation"), True) for number in range(3)]) == {}


def test_a_label_of_its_own_is_compared_as_a_whole_only() -> None:
    found = figures([(made(1, "original"), True), (made(1, "antonymy", label=Label.CONTRADICTION), False)])
    assert set(found) == {("source", "antonymy"), ("drop", "antonymy"), ("mcnemar", "antonymy")}


def test_what_expects_no_label_has_no_consistency() -> None:
    found = figures([(made(1, "original"), True), (made(1, "swap", expects="drop"), False)])
    assert ("drop", "swap", "entailment") in found
    assert ("consistency", "swap") not in found


def test_copies_of_one_pair_are_one_cluster() -> None:
    asked = [(made(1, "original"), True), (made(2, "original"), True)]
    for number in (1, 2):
        at = asked.index((made(number, "original"), True)) + 1
        asked[at:at] = [(made(number, "spelling", variant=v), number == 1) for v in ("swap", "keyboard")]
    found = figures(asked)
    assert found["drop", "spelling"].n == 4
    assert found["drop", "spelling"].value == 0.5
    assert found["mcnemar", "spelling"].value == 1.0, "two copies that fall together are one fall"
    assert found["consistency", "spelling", "keyboard"].n == 2


def test_cases_of_one_root_are_one_cluster_whatever_they_were_made_of() -> None:
    """A suite of two copies a pair, swapped: two origins a root, which always agree."""

    def swapped(root: int, copy: int, family: str) -> Case:
        expects = "drop" if family == "swap" else "label"
        origin = msgspec.structs.replace(pair(10 * root + copy), id=f"{copy}:{root}", root=f"pair {root}")
        recipe = Recipe(transform=f"{family}/v1", seed=0)
        return case_from(origin, Edit(expects=expects), family=family, recipe=recipe)  # type: ignore[arg-type]

    together, apart = [], []
    for root in range(12):
        for copy in range(2):
            both = [(swapped(root, copy, "original"), True), (swapped(root, copy, "swap"), root < 6)]
            together += both
            apart += [(msgspec.structs.replace(each, provenance=alone(each)), right) for each, right in both]
    clustered, independent = figures(together), figures(apart)
    assert clustered["drop", "swap"].value == independent["drop", "swap"].value == 0.5
    assert clustered["drop", "swap"].n == 24
    assert clustered["mcnemar", "swap"].value > 20 * mcnemar(12, 0)  # type: ignore[operator]
    assert independent["mcnemar", "swap"].value == pytest.approx(mcnemar(12, 0))
    assert clustered["drop", "swap"].low < independent["drop", "swap"].low  # type: ignore[operator]


def alone(case: Case) -> Provenance:
    return msgspec.structs.replace(case.provenance, root="")
