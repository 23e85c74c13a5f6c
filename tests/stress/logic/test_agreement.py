"""Two methods that share no rules agree on every form, and each is caught when the other is changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import msgspec
import pytest

from assay.core.label import Label
from assay.stress.logic import natural_logic
from assay.stress.logic.fillings import Fillings
from assay.stress.logic.logic_lexicon import standard_logic_lexicon
from assay.stress.logic.natural_logic import quantity_label
from assay.stress.logic.operators import Operators, load_operators
from assay.stress.logic.pair_forms import LABELLING, LOGIC_FAMILIES, PairForm, forms_of
from assay.stress.logic.proof import prover, statements
from assay.stress.logic.proof.prover import EncodedPair, Prover, in_one_sense
from assay.stress.logic.proof.sentence_reader import read_text
from assay.stress.logic.proof.world_models import NounHierarchy
from assay.stress.logic.template_family import LogicFamily, logic_family

LEFT_OUT = {"scope": 0, "monotonicity": 0, "conjunction": 9, "quantifiers": 52, "comparatives": 49, "conditionals": 16}
"""How many forms have a label that depends on a reading."""


@pytest.mark.parametrize("name", LOGIC_FAMILIES)
def test_both_methods_agree_on_every_form(name: str) -> None:
    family = logic_family(name)
    assert dict(family.left_out) == ({"its readings differ": LEFT_OUT[name]} if LEFT_OUT[name] else {})
    assert len(family.verified_forms) == len(family.forms) - LEFT_OUT[name]
    assert {each.label for each in family.verified_forms} == set(family.labels)


@contextmanager
def changed_meanings(**meanings: object) -> Iterator[None]:
    """Determiners that mean something else to the proof."""
    prover._prove_form.cache_clear()
    with mock.patch.dict(statements.DETERMINERS, meanings):
        yield
    prover._prove_form.cache_clear()


def disagreements(family: LogicFamily, table: Operators | None = None) -> int:
    """Forms that natural logic, with other operators, labels otherwise than the worlds do."""
    count = 0
    for template in family.templates:
        for form in forms_of(template, family.name, table):
            proof = family.prover(*Fillings(form, family.lexicon).first())
            count += None not in (proof.label, form.label) and proof.label is not form.label
    return count


TURNED = {"up": "down", "down": "up", "none": "up"}

USED = ("every", "all", "some", "most", "few", "at least N", "at most N", "exactly N")
"""Determiners under which something is replaced."""


@pytest.mark.parametrize("part", ["restrictor", "scope"])
@pytest.mark.parametrize("name", USED)
def test_a_flipped_polarity_of_a_determiner_is_caught(name: str, part: str) -> None:
    table = load_operators()
    entry = table.determiners[name]
    flipped = msgspec.structs.replace(entry, **{part: TURNED[getattr(entry, part)]})
    wrong = msgspec.structs.replace(table, determiners={**table.determiners, name: flipped})
    assert disagreements(logic_family("monotonicity"), wrong)


@pytest.mark.parametrize("name", ["not", "never", "without", "it is not true that"])
def test_a_flipped_negation_is_caught(name: str) -> None:
    table = load_operators()
    wrong = msgspec.structs.replace(table, negations={**table.negations, name: "up"})
    assert disagreements(logic_family("scope"), wrong)


def test_a_flipped_pronoun_or_condition_is_caught() -> None:
    table = load_operators()
    assert disagreements(logic_family("scope"), msgspec.structs.replace(table, pronouns={"nobody": "up"}))
    for part in ("clause", "main"):
        entry = table.subordinators["if"]
        flipped = msgspec.structs.replace(entry, **{part: TURNED[getattr(entry, part)]})
        wrong = msgspec.structs.replace(table, subordinators={"if": flipped})
        assert disagreements(logic_family("monotonicity"), wrong), part


@pytest.mark.parametrize("name", [name for name, entry in load_operators().determiners.items() if entry.opposite])
def test_a_wrong_opposite_is_caught(name: str) -> None:
    entry = load_operators().determiners[name]
    said, other = (text.replace("N", "three") for text in (name, entry.opposite))
    noun = "violinist" if "every" in name else "violinists"
    prover = Prover(standard_logic_lexicon())
    if name == "none":
        said, noun = "no", "violinists"
    for one, two in ((said, other), (other, said)):
        label = prover(f"{one} {noun} laughed.".capitalize(), f"{two} {noun} laughed.".capitalize()).label
        assert label is Label.CONTRADICTION, (one, two)


PARTS = ("all", "not all", "some", "none", "most", "few", "at least N", "fewer than N", "more than N", "at most N")


@pytest.mark.parametrize("name", [*PARTS, "exactly N", "N"])
def test_a_determiner_that_says_another_amount_is_caught(name: str) -> None:
    table = load_operators()
    wrong = msgspec.structs.replace(table.determiners[name], count=((0, 1),), share=((0, 4),))
    changed = msgspec.structs.replace(table, determiners={**table.determiners, name: wrong})
    with mock.patch.dict(LABELLING, {"quantifiers": lambda one, other: quantity_label(one, other, changed)}):
        assert disagreements(logic_family("quantifiers"))


MEANINGS = {
    "every": lambda both, first, _n, _s: both < first,
    "not every": lambda both, first, _n, _s: both == first,
    "all": lambda both, first, _n, _s: 2 * both > first,
    "not all": lambda both, first, _n, _s: both == 0,
    "some": lambda both, first, _n, _s: both == first,
    "no": lambda both, _first, _n, _s: both <= 1,
    "most": lambda both, first, _n, _s: 2 * both >= first,
    "few": lambda both, first, _n, _s: 2 * both > first,
    "at least N": lambda both, _first, n, _s: both <= n,
    "fewer than N": lambda both, _first, n, _s: both <= n,
    "more than N": lambda both, _first, n, _s: both >= n,
    "at most N": lambda both, _first, n, _s: both < n,
    "exactly N": lambda both, _first, n, _s: both >= n,
    "N": lambda both, _first, n, _s: both <= n,
}


@pytest.mark.parametrize("name", MEANINGS)
def test_another_meaning_of_a_determiner_is_caught(name: str) -> None:
    with changed_meanings(**{name: MEANINGS[name]}):
        assert any(
            sum(bool(logic_family(each).verdict(form)) for form in logic_family(each).forms) > LEFT_OUT[each]
            for each in ("quantifiers", "monotonicity")
        )


def test_a_wrong_link_or_rule_is_caught() -> None:
    with mock.patch.dict(natural_logic.TURNED, {">": ">", "<": "<"}):
        assert disagreements(logic_family("comparatives"))
    for name, (first, as_it_is) in natural_logic.WORDS.items():
        other = (first, not as_it_is) if name == "unless" else (not first, as_it_is)  # "unless" works both ways
        with mock.patch.dict(natural_logic.WORDS, {name: other}):
            assert disagreements(logic_family("conditionals")), name


@pytest.mark.parametrize("name", LOGIC_FAMILIES)
def test_a_swapped_label_is_caught(name: str) -> None:
    family = logic_family(name)
    for each in family.verified_forms:
        for label in set(family.labels) - {each.label}:
            assert family.verdict(each.form._replace(label=label)), each.form.id


def codes(form: PairForm) -> tuple[list[str], list[str], NounHierarchy]:
    coded = Prover(standard_logic_lexicon()).encode_pair(*Fillings(form, standard_logic_lexicon()).first())
    assert isinstance(coded, EncodedPair)
    return coded.premise.split(), coded.hypothesis.split(), NounHierarchy(coded.covered)


@pytest.mark.parametrize("name", ["monotonicity", "quantifiers"])
def test_larger_worlds_change_no_label(name: str) -> None:
    for each in logic_family(name).verified_forms[::7]:
        said, claimed, lexical = codes(each.form)
        for one in read_text(said, statements.Senses()):
            for other in read_text(claimed, statements.Senses()):
                found = [in_one_sense(one, other, lexical, statements.Senses(), spare=more) for more in (0, 2)]
                assert found[0] == found[1], each.form.id
