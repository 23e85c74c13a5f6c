"""Diagnoses of models whose reasons are known: each is named correctly, and nothing else is."""

import re
from pathlib import Path

import msgspec
import pytest
from tests.run.diagnosed_models import BASELINES, HONEST, SHORTCUTS, Rule, mixed, truth, two_rules, words_shared

import assay
from assay.core.errors import CheckFailedError, UnknownNameError
from assay.core.judgement import Profile
from assay.core.run_record import RunRecord
from assay.core.serialise import to_json
from assay.evaluate.diagnose.text_features import is_number, negates
from assay.run.diagnose_run import diagnose_run
from assay.run.predict.model_names import ModelLike
from assay.run.stored_run import StoredRun, run_folder

FAMILIES = ["word-overlap", "negation", "length-mismatch", "swap", "heuristics"]

MIXED = {
    f"mostly-{name}": (mixed(0.7, rule), shortcut)
    for name, (rule, shortcut) in SHORTCUTS.items()
    if shortcut not in ("constant", "prior")
}
"""Models that follow a shortcut in seven of ten cases, and are right in the others."""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    models: dict[str, str | ModelLike] = {name: Rule(answer) for name, answer in HONEST.items()}
    models |= {name: Rule(answer) for name, (answer, _) in {**SHORTCUTS, **MIXED}.items()}
    models |= {"two-rules": Rule(two_rules), **{name: name for name in BASELINES}}
    return assay.run(families=FAMILIES, models=models, per_subcase=20, out=tmp_path_factory.mktemp("runs"))


def profile(record: RunRecord, name: str) -> Profile:
    assert record.diagnosis
    [found] = [each for each in record.diagnosis.profiles if each.model in (f"object:{name}", f"{name}/v1")]
    return found


def followed(record: RunRecord, name: str) -> list[str]:
    return [each.name for each in profile(record, name).followed]


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_model_gets_no_diagnosis(record: RunRecord, name: str) -> None:
    assert followed(record, name) == []
    assert profile(record, name).headline == "follows no shortcut that shows in this run"


@pytest.mark.parametrize("name", SHORTCUTS)
def test_a_shortcut_is_named_and_nothing_else(record: RunRecord, name: str) -> None:
    assert followed(record, name) == [SHORTCUTS[name][1]]


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_is_diagnosed_as_what_it_is(record: RunRecord, name: str) -> None:
    assert followed(record, name) == [BASELINES[name]]


@pytest.mark.parametrize("name", MIXED)
def test_a_shortcut_is_named_even_if_it_is_not_always_followed(record: RunRecord, name: str) -> None:
    assert followed(record, name) == [MIXED[name][1]]


def test_two_shortcuts_are_both_named(record: RunRecord) -> None:
    assert {*followed(record, "two-rules")} == {"overlap", "negation"}


def test_shortcuts_that_the_cases_cannot_separate_are_all_named(tmp_path: Path) -> None:
    """A clause with "not" and a number is added, so that every negation word comes with a number."""
    words = re.compile(r"[\w']+")
    pairs = [
        pair
        for pair in assay.read("bundled")
        if not any(
            is_number(word) or negates(word) for word in words.findall(f"{pair.premise} {pair.hypothesis}".lower())
        )
    ]
    found = assay.run(
        pairs,
        families=["negation"],
        models={"not": lambda texts: ["contradiction" if " not " in h else "neutral" for _, h in texts]},
        switches={"negation.tautology": "and two is not three"},
        out=tmp_path,
    )
    assert followed(found, "not") == []
    assert "can't tell which: a negation word or a number" in profile(found, "not").headline


def test_every_effect_has_an_interval_around_it_and_a_corrected_p(record: RunRecord) -> None:
    assert record.diagnosis
    effects = [each for found in record.diagnosis.profiles for each in found.effects]
    assert len(effects) > 200
    for each in effects:
        if each.name != "constant":
            assert each.low is not None
            assert each.high is not None
            assert each.difference is not None
            assert -1 <= each.low - 1e-9 <= each.difference <= each.high + 1e-9
        assert each.p is not None
        assert 0 <= each.p <= 1


def test_what_a_broader_shortcut_explains_is_said(record: RunRecord) -> None:
    [few] = [each for each in profile(record, "assay:overlap").effects if each.name == "few-shared"]
    assert (few.followed, few.follows, few.explained_by) == (1.0, False, ("overlap",))


def test_headlines_tell_models_apart(record: RunRecord) -> None:
    assert profile(record, "assay:majority").headline == "always answers entailment"
    assert profile(record, "shares-words").headline.startswith("treats shared words as entailment (100% of the ")
    assert "a negation word as contradiction" in profile(record, "negation").headline
    assert "entailment falls from 8" in profile(record, "not-entailed").headline


def test_a_matrix_counts_every_copy_once(record: RunRecord) -> None:
    for each in profile(record, "not-entailed").moves:
        assert sum(map(sum, each.counts)) == each.n
    [moved] = [e for e in profile(record, "not-entailed").moves if (e.family, e.label) == ("negation", "entailment")]
    entailment, neutral = moved.answers.index("entailment"), moved.answers.index("neutral")
    assert moved.counts[neutral][entailment] == 0
    assert moved.counts[entailment][neutral] + moved.counts[neutral][neutral] == moved.n
    [shift] = [each for each in moved.shifts if each.answer == "entailment"]
    assert shift.before == pytest.approx(moved.counts[entailment][neutral] / moved.n)
    assert shift.after == 0
    assert shift.low < shift.after - shift.before < shift.high < 0
    assert shift.p < 1e-9


def test_the_oracle_has_nothing_to_regress_and_shares_no_error(record: RunRecord) -> None:
    found = profile(record, "oracle").regression
    assert found
    assert (found.wrong, found.coefficients, found.why_not) == (0, (), "fewer than 10 errors")
    assert record.diagnosis
    with_oracle = [each for each in record.diagnosis.versus if "object:oracle" in (each.first, each.second)]
    assert {(each.both_wrong, each.kappa) for each in with_oracle} == {(0, None)}
    assert record.diagnosis.all_wrong == 0


def test_negation_goes_with_the_errors_of_who_follows_it(record: RunRecord) -> None:
    found = profile(record, "mostly-negation").regression
    assert found
    [negation] = [each for each in found.coefficients if each.name == "negation"]
    assert negation.value is None
    assert negation.why_not.endswith("cases without it are right")
    others = [each for each in found.coefficients if each.name in ("number", "rarest word", "premise length")]
    assert all(each.p is not None and each.p > 0.01 for each in others)


def test_an_older_run_is_diagnosed_from_its_answers(record: RunRecord) -> None:
    older = msgspec.structs.replace(record, diagnosis=None).stored_in(record.folder or Path())
    found = assay.diagnose(older, models=["object:negation"])
    assert [each.model for each in found.profiles] == ["object:negation"]
    assert found.profiles[0] == profile(record, "negation")
    assert {"object:negation"} <= {*found.only_right}
    assert all("object:negation" in (each.first, each.second) for each in found.versus)


def test_a_changed_diagnosis_is_noticed(tmp_path: Path) -> None:
    record = assay.run(assay.read("bundled", limit=60), families="negation", models="assay:overlap", out=tmp_path)
    assert record.folder
    assert record.diagnosis
    assay.verify(record.folder, deep=True)
    [found] = record.diagnosis.profiles
    changed = msgspec.structs.replace(found, headline="reads every word")
    forged = record.diagnosed(msgspec.structs.replace(record.diagnosis, profiles=(changed,))).sealed()
    (record.folder / "record.json").write_bytes(to_json(forged))
    with pytest.raises(CheckFailedError, match="its diagnosis does not match its answers"):
        assay.verify(record.folder, deep=True)


def test_an_unknown_model_is_refused(record: RunRecord) -> None:
    with pytest.raises(UnknownNameError, match="No model 'esmi'"):
        assay.diagnose(record, models="esmi")


def test_the_seeds_of_a_system_share_a_headline(tmp_path: Path) -> None:
    seeds = {f"mine@{seed}": Rule(mixed(0.9, two_rules if seed else words_shared)) for seed in range(3)}
    record = assay.run(families=["negation", "heuristics"], models=seeds, per_subcase=20, out=tmp_path)
    assert record.diagnosis
    assert "a negation word" in record.diagnosis.headline("object:mine@1")
    shared = record.diagnosis.headline("object:mine")
    assert shared.startswith("treats shared words as entailment (")
    assert "negation word" not in shared


@pytest.mark.parametrize("families", [["heuristics"], ["swap"], ["negation"]])
def test_few_families_are_enough_for_some_diagnosis(families: list[str], tmp_path: Path) -> None:
    rules = {"words": Rule(words_shared), "oracle": Rule(truth), "always": Rule(SHORTCUTS["always"][0])}
    record = assay.run(assay.read("bundled", limit=60), families=families, models=rules, per_subcase=5, out=tmp_path)
    assert record.diagnosis
    assert followed(record, "oracle") == []
    assert followed(record, "always") == ["constant"]


def test_two_labels_are_enough(tmp_path: Path) -> None:
    record = assay.run(
        assay.read("bundled"),
        families=["negation", "heuristics"],
        models={"words": Rule(words_shared), "negation": Rule(SHORTCUTS["negation"][0]), "oracle": Rule(truth)},
        per_subcase=20,
        two_way=True,
        out=tmp_path,
    )
    assert followed(record, "words") == ["overlap"]
    assert followed(record, "negation") == ["negation"]
    assert "as non-entailment" in profile(record, "negation").headline
    assert followed(record, "oracle") == []


def test_of_a_large_run_some_source_pairs_are_looked_at(record: RunRecord) -> None:
    stored = StoredRun.of(run_folder(record), record)
    found = diagnose_run(stored, record.spec, most=1_500)
    assert found.drawn_from == sum(manifest.cases for manifest in record.suites.values())
    assert found.n < 1_900
    overlap = found.of("assay:overlap/v1")
    assert overlap
    assert [each.name for each in overlap.followed] == followed(record, "assay:overlap")
