"""Labels are proven from the sentences alone."""

from collections import Counter, defaultdict
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Fidelity
from assay.stress.formulas import Every, Formula, Not, Some, facts_of
from assay.stress.heuristics.build import GeneratedPairs
from assay.stress.heuristics.counterexample import CONVENTIONS, Atom, find_world, prove

YES, NO = Label.ENTAILMENT, Label.NON_ENTAILMENT

CONVENTIONAL: dict[str, set[str | None]] = {
    "le_relative_clause": {"relative clause"},
    "le_conjunction": {"conjoined"},
    "se_conjunction": {"conjoined"},
    "se_adjective": {"bare plural"},
    "se_understood_object": {"understood object"},
    "ce_embedded_under_since": {"subordinator"},
    "ce_after_since_clause": {"in case", None},
    "ce_embedded_under_verb": {"factive"},
    "ce_adverb": {"adverb"},
}
"""The conventions that the labels of a subcase rest on; all other subcases need none."""


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_every_real_label_is_proven(real: list[Pair], step: int) -> None:
    readings: Counter[tuple[str, int]] = Counter()
    conventions: defaultdict[str, set[str | None]] = defaultdict(set)
    for pair in real[::step]:
        proof = prove(pair.premise, pair.hypothesis)
        assert proof.label is pair.label, (pair.premise, pair.hypothesis, proof)
        assert (proof.world is not None) == (pair.label is NO)
        readings[pair.group["subcase"], proof.readings] += 1
        conventions[pair.group["subcase"]] |= {name.partition(":")[0] for name in proof.conventions} or {None}
    assert {name for name, count in readings if count > 1} == {"sn_past_participle"}
    assert readings["sn_past_participle", 2] == 27 or step > 1
    assert {name: used for name, used in conventions.items() if used != {None}} == CONVENTIONAL


@pytest.mark.parametrize("fidelity", ["strict", "code"])
@pytest.mark.parametrize("split", ["evaluation", "training"])
def test_every_generated_label_is_proven(fidelity: Fidelity, split: str) -> None:
    for pair in GeneratedPairs(40, fidelity=fidelity, split=split, seed=11):  # type: ignore[arg-type]
        assert prove(pair.premise, pair.hypothesis).label is pair.label, pair


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("The actor ran .", "The actor ran .", YES),
        ("The actor ran .", "The actors ran .", NO),
        ("Happy actors ran .", "Actors ran .", YES),
        ("Actors ran .", "Happy actors ran .", NO),
        ("The judge ate the rice .", "The judge ate .", YES),
        ("The judge ate .", "The judge ate the rice .", NO),
        ("The judge hid the actor .", "The judge hid .", NO),
        ("Unless the judge ran , the actor slept .", "The judge ran , or the actor slept .", YES),
        ("If the judge ran , the actor slept .", "The actor slept .", NO),
        ("Whether or not the judge ran , the actor slept .", "The actor slept .", YES),
        ("The judge ran , and the actor slept .", "The judge ran , or the actor slept .", YES),
        ("The judge ran , or the actor slept .", "The judge ran , and the actor slept .", NO),
        ("The judge knew that the actor said that the lawyer ran .", "The actor said that the lawyer ran .", YES),
        ("The judge knew that the actor said that the lawyer ran .", "The lawyer ran .", NO),
        ("The judge said that the actor who ran slept .", "The actor ran .", YES),
        ("The judge and the actor saw the lawyer .", "The lawyer was helped by the judge .", NO),
        ("The judge helped the lawyer .", "The lawyer was helped by the judge .", YES),
        ("The actor paid in the office ran .", "The actor paid .", NO),
        ("The actor paid in the office .", "The actor ran .", NO),
    ],
)
def test_meaning_is_read_off_the_words(premise: str, hypothesis: str, label: Label) -> None:
    assert prove(premise, hypothesis).label is label


def test_what_is_not_of_the_fragment_is_not_proven() -> None:
    assert prove("A cook fries eggs .", "The actor ran .").reason == "the premise is not in the fragment"
    assert prove("The actor ran .", "Eggs !").reason == "the hypothesis is not in the fragment"


def test_readings_that_differ_prove_nothing() -> None:
    proof = prove(
        "The judge knew that the actor believed the lawyer paid in the office .", "The actor believed the lawyer ."
    )
    assert (proof.label, proof.reason, proof.readings) == (None, "its readings differ", 2)


def test_every_convention_is_explained() -> None:
    used = {name for names in CONVENTIONAL.values() for name in names if name}
    assert used == set(CONVENTIONS)


ATOMS = [Atom(name, ()) for name in "abcd"]
Formulas: st.SearchStrategy[Formula] = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(Every, st.lists(inner, max_size=3).map(tuple)),
        st.builds(Some, st.lists(inner, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)


def holds(formula: Formula, world: frozenset[Atom]) -> bool:
    match formula:
        case Not(part):
            return not holds(part, world)
        case Every(parts):
            return all(holds(part, world) for part in parts)
        case Some(parts):
            return any(holds(part, world) for part in parts)
        case _:
            return formula in world


@given(st.lists(Formulas, max_size=3), Formulas)
def test_worlds_are_those_of_a_truth_table(true: list[Formula], false: Formula) -> None:
    atoms = sorted({atom for formula in [*true, false] for atom in facts_of(formula)})
    worlds = [
        frozenset(a for a, on in zip(atoms, bits, strict=True) if on) for bits in product((0, 1), repeat=len(atoms))
    ]
    fitting = [world for world in worlds if all(holds(each, world) for each in true) and not holds(false, world)]
    found = find_world(true, false=false)
    assert (found in fitting) if fitting else found is None
