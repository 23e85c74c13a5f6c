"""The families become suites like any other: proven, balanced, with a ladder, splits and a user's own words."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tests.conftest import Assay

import assay as package
from assay.core.case import case_from
from assay.core.edit import Edit
from assay.core.errors import AssayError, BadInputError
from assay.core.label import Label
from assay.evaluate.surface_shortcuts import SHORTCUTS, SurfaceFeatures, guess_labels
from assay.run.api import build
from assay.run.build.suite_builder import generated
from assay.stress.logic.build import LogicPairs
from assay.stress.logic.check import LogicCheck
from assay.stress.logic.fillings import write_words
from assay.stress.logic.pair_forms import LOGIC_FAMILIES
from assay.stress.logic.template_family import logic_family

MOST_ABOVE_CHANCE = 0.03
MOST_OF_QUANTIFIERS = 0.045
"""No weights of the forms balance "some", "none" and "exactly" in a hypothesis fully."""


@pytest.mark.parametrize("name", LOGIC_FAMILIES)
def test_a_suite_is_built_and_verified(name: str, tmp_path: Path) -> None:
    suite = build(name, out=tmp_path / "suite", per_subcase=6, ladder=1)
    package.verify(tmp_path / "suite")
    cases = list(suite)
    rungs = Counter(case.group["severity"] for case in cases)
    assert rungs["0"] == rungs["1"] == len(cases) / 2
    plain, harder = cases[:2]
    assert harder.premise.endswith(plain.premise)
    assert harder.premise.count(".") == plain.premise.count(".") + 1
    assert (harder.hypothesis, harder.label) == (plain.hypothesis, plain.label)


@pytest.mark.parametrize("name", LOGIC_FAMILIES)
def test_no_shortcut_is_above_chance(name: str) -> None:
    subcases = len({template.subcase for template in logic_family(name).templates})
    corpus, seen = LogicPairs(name, 4000 // subcases, seed=1), SurfaceFeatures(SHORTCUTS)
    recipe = corpus.recipe()
    for pair in corpus:
        seen.add(case_from(pair, Edit(), family=name, recipe=recipe))
    for shortcut, features in seen.features.items():
        found = guess_labels(seen.labelled, features)
        most = MOST_OF_QUANTIFIERS if name == "quantifiers" else MOST_ABOVE_CHANCE
        assert found.right <= found.majority + most, (shortcut, found)


@pytest.mark.parametrize("name", LOGIC_FAMILIES)
def test_halves_share_no_premise_and_seeds_differ(name: str) -> None:
    halves = [{pair.premise for pair in LogicPairs(name, 40, split=split)} for split in ("evaluation", "training")]
    assert not halves[0] & halves[1]
    first, again, other = ([pair.premise for pair in LogicPairs(name, 10, seed=seed)] for seed in (0, 0, 1))
    assert first == again != other


def test_a_wrong_label_or_a_changed_text_is_caught() -> None:
    corpus = LogicPairs("scope", 4)
    for pair in corpus:
        case = case_from(pair, Edit(), family="scope", recipe=corpus.recipe())
        assert LogicCheck()(case) is None
        wrong = Label.NEUTRAL if case.label is Label.ENTAILMENT else Label.ENTAILMENT
        relabelled = case_from(
            msgspec.structs.replace(pair, label=wrong), Edit(), family="scope", recipe=corpus.recipe()
        )
        assert LogicCheck()(relabelled) is not None
        assert LogicCheck()(msgspec.structs.replace(case, premise=case.premise + " Adam sang.")) is not None


def test_subcases_can_be_chosen_and_pools_end(tmp_path: Path) -> None:
    assert len(list(generated(3, family="conditionals", subcases=["unless", "chain"]))) == 6
    with pytest.raises(AssayError, match="No subcase 'unles'; did you mean 'unless'"):
        list(generated(3, family="conditionals", subcases=["unles"]))
    with pytest.raises(AssayError, match="different pairs in the evaluation split"):
        list(generated(10**15, family="scope"))
    with pytest.raises(AssayError, match="negation has no templates"):
        generated(3, family="negation")
    with pytest.raises(AssayError, match="Generated pairs are for scope, not for negation"):
        build("negation", generated(1, family="scope"), out=tmp_path / "suite")


OWN = """
names = ["Yusuf"]

[people]
nurse = ["midwife"]

[things.furniture]
verbs = ["buy"]
nouns = { chair = ["stool", "armchair"] }

[[templates]]
family = "scope"
id = "mine"
subcase = "mine"
sentence = "neither NAME1 nor NAME2 DEED {THING}"
"""


def test_your_own_words_and_templates_are_used(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(OWN.replace("neither NAME1 nor NAME2", "NAME1 never"))
    assay("build", "scope", "--per-subcase", 400, "--set", "grammar=mine.toml", "--out", "suite", "--quiet")
    assay("verify", "suite")
    text = " ".join(case.premise for case in package.Suite.open(tmp_path / "suite"))
    assert "Yusuf" in text
    assert "armchair" in text
    assert "subcase" in str(package.Suite.open(tmp_path / "suite").manifest.recipes)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Yusuf"', '"yusuf"', "mine.toml:2: 'yusuf' is not a name"),
        ('"midwife"', '"dog"', "mine.toml:5: 'dog'"),
        ('"stool"', '"arm chair"', "mine.toml:9: 'arm chair' is not one word"),
        ('["stool", "armchair"]', '["chair"]', "mine.toml:9: 'chair' would cover itself"),
        ("neither NAME1 nor NAME2", "several <PERSONS>", "mine.toml:15: 'several' has no polarity"),
        ("neither NAME1 nor NAME2", "NAMES", "mine.toml:15: no slot 'NAMES'; did you mean 'NAME'?"),
        (
            "neither NAME1 nor NAME2",
            "NAME1 quickly",
            "mine.toml:15: the template 'mine': the word 'quickly' is not known",
        ),
        ("neither NAME1 nor NAME2", "NAME1 not", "mine.toml:13: the template 'mine': the premise"),
        ("names =", "namez =", "mine.toml:2: Object contains unknown field `namez`"),
        ('["Yusuf"]', "3", "mine.toml:2: Expected `array`, got `int`"),
        ('["Yusuf"]', '["Yusuf"', "mine.toml:4: "),
        ("{THING}", "THING", "mine.toml:15: the pattern"),
        (
            "neither NAME1 nor NAME2",
            "[no <PERSON> ACT1] , and no PERSON",
            "mine.toml:13: the template 'mine': it",
        ),
        ('family = "scope"', 'family = "scop"', "mine.toml:12: no family 'scop'; did you mean 'scope'?"),
        ('id = "mine"', 'id = "in-no"', "mine.toml:13: the id 'in-no' is taken"),
        ('id = "mine"', 'id = "mine"\nlabel = "contradiction"', "its label is"),
    ],
)
def test_a_wrong_entry_is_named_with_its_line(old: str, new: str, said: str, assay: Assay, tmp_path: Path) -> None:
    text = OWN if "several" in new or "NAMES" in new else OWN.replace("neither NAME1 nor NAME2", "NAME1 never")
    old = old if old in text else "NAME1 never"
    (tmp_path / "mine.toml").write_text(text.replace(old, new))
    shown = assay("build", "scope", "--set", "grammar=mine.toml", "--out", "suite", code=2).stderr
    assert said in shown.replace(f"{tmp_path}/", "")


def own_template(family: str, **lists: str) -> str:
    lines = [f'family = "{family}"', 'id = "mine"', 'subcase = "mine"', *(f"{name} = {lists[name]}" for name in lists)]
    return "\n".join(["[[templates]]", *lines])


def test_commas_and_full_stops_may_be_attached_to_words() -> None:
    text = own_template(
        "conditionals",
        premises='["if NAME1 is STATE1, NAME2 is STATE2. NAME1 is STATE1."]',
        hypotheses='["NAME2 is STATE2."]',
    )
    (form,) = [form for form in logic_family("conditionals", text).forms if form.template == "mine"]
    assert form.label is Label.ENTAILMENT
    assert write_words(form.premise) == "If NAME1 is STATE1, NAME2 is STATE2. NAME1 is STATE1."


@pytest.mark.parametrize(
    ("family", "pattern", "said"),
    [
        ("conditionals", "if NAME1 is STATE1 then NAME2 is STATE2", "5: 'if NAME1 .* has no comma"),
        ("conditionals", "unless NAME1 is STATE1 NAME2 is STATE2", "5: 'unless NAME1 .* has no comma"),
        ("conditionals", "If NAME1 is STATE1, NAME2 is STATE2", "5: .*'If' is not known; did you mean 'if'?"),
        ("conditionals", "NAME1 is STATE1 . . NAME2 is STATE2", "5: .* has a sentence without words"),
        ("comparatives", "NAME1 is the tallest", "5: 'NAME1 is the tallest' does not compare two people"),
        ("comparatives", "NAME1 SCALE.more", "5: 'NAME1 SCALE.more' does not compare two people"),
        ("quantifiers", "", "5: the pattern '' has a sentence without words"),
        ("quantifiers", "all of the <PERSONS ACT1", "5: '<' has no partner"),
        ("scope", "no <PERSON who [ACT1] DEED {THING}", "5: '<' has no partner"),
        ("scope", "no <PERSON> who [ACT1 DEED {THING}", r"5: '\[' has no partner"),
        ("scope", "no <PERSON> who ACT1] DEED {THING}", "5: ']' has no partner"),
        ("scope", "No <PERSON> DEED {THING}", "5: 'No' has no polarity; did you mean 'no'?"),
    ],
)
def test_a_pattern_that_cant_be_read_is_named_with_its_line(family: str, pattern: str, said: str) -> None:
    lists = {"sentence": f'"{pattern}"'}
    if family != "scope":
        lists = {"premises": f'["{pattern}"]', "hypotheses": '["NAME1 is SCALE.more than NAME2"]'}
    with pytest.raises(BadInputError, match=f"mine.toml:{said}"):
        logic_family(family, own_template(family, **lists), file="mine.toml")


@pytest.mark.parametrize("family", ["conditionals", "comparatives"])
def test_a_hypothesis_has_one_sentence(family: str) -> None:
    one = {"conditionals": "NAME1 is STATE1", "comparatives": "NAME1 is SCALE.more than NAME2"}[family]
    text = own_template(family, premises=f'["{one}"]', hypotheses=f'["{one}. {one}"]')
    with pytest.raises(BadInputError, match=r"mine.toml:6: the hypothesis .* has several sentences"):
        logic_family(family, text, file="mine.toml")


@pytest.mark.parametrize("family", ["scope", "comparatives", "conditionals"])
def test_a_family_from_templates_only_refuses_a_corpus(family: str, assay: Assay, tmp_path: Path) -> None:
    said = assay("build", family, "--from", "bundled", "--out", "suite", code=2).stderr
    assert f"{family} is made from templates, not from a corpus." in said
    assert f"`assay build {family} --out FOLDER`" in said
    assert not (tmp_path / "suite").exists()
