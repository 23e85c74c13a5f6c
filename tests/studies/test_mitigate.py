"""From the diagnosis of a model whose reasons are known to a plan of mitigations, and to before and after."""

from pathlib import Path
from typing import Any

import pytest
from tests import tiny_classifier
from tests.conftest import Assay
from tests.run.diagnosed_models import SHORTCUTS, Rule, truth, words_shared

import assay as toolkit
from assay.studies.mitigation.mitigation_effects import describe_result, mitigation_results, mitigations_sheet
from assay.studies.mitigation.mitigations import WITHHELD, MitigationProposal
from assay.studies.plan.joint_records import open_study
from assay.studies.plan.study_plan import StudyPlan
from assay.studies.plans import mitigate, study

RULES = {
    "words": words_shared,
    "negation": SHORTCUTS["negation"][0],
    "wording": SHORTCUTS["first-words"][0],
    "length": SHORTCUTS["length"][0],
    "either-side": SHORTCUTS["either-side"][0],
    "always": SHORTCUTS["always"][0],
    "oracle": truth,
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of models that each follow one shortcut, and of one that follows none."""
    out = tmp_path_factory.mktemp("runs")
    models = {name: Rule(rule) for name, rule in RULES.items()}
    families = ["word-overlap", "negation", "length-mismatch", "swap", "heuristics"]
    record = toolkit.run(families=families, models=models, per_subcase=20, out=out)
    assert record.folder
    return record.folder


def proposed(run: Path, model: str, **more: Any) -> MitigationProposal:
    found = mitigate(run, model=f"object:{model}", **more)
    assert isinstance(found, MitigationProposal)
    return found


def planned(made: MitigationProposal, folder: Path) -> StudyPlan:
    (folder / "mitigation.yaml").write_text(made.text)
    return made.plan()


@pytest.mark.parametrize(
    ("model", "shortcut", "mitigations", "treated"),
    [
        (
            "words",
            "overlap",
            ["poe-overlap", "reweight-overlap", "draw-overlap", "confreg-overlap", "heuristics-copies"],
            "heuristics",
        ),
        ("negation", "negation", ["poe-hypothesis", "negation-copies"], "negation"),
        ("length", "length", ["length-mismatch-copies"], "length-mismatch"),
        ("either-side", "order", ["swapped"], "swap"),
    ],
)
def test_each_shortcut_gets_its_mitigations_and_a_plan_that_can_be_read(
    run: Path, tmp_path: Path, model: str, shortcut: str, mitigations: list[str], treated: str
) -> None:
    made = proposed(run, model)
    assert [each.name for each in made.shortcuts] == [shortcut]
    plan = planned(made, tmp_path)
    assert plan.conditions == ("untreated", *mitigations, "poe-shallow", "ambiguous-third")
    assert plan.baseline == "untreated"
    assert plan.mitigations
    assert {*plan.mitigations.treated} == {*plan.conditions} - {"untreated"}
    for suites in plan.mitigations.treated.values():
        assert suites == (treated,)
        assert {*plan.suites} - {*suites, *plan.mitigations.real}, "nothing is withheld"


def test_comments_say_which_shortcut_with_which_figures(run: Path) -> None:
    made = proposed(run, "words")
    [effect] = made.shortcuts
    before = made.text.split("  poe-overlap: ")[0]
    assert "# Against overlap (entailment if" in before
    assert f"followed in 100% of {effect.n:,} cases" in " ".join(before.replace("#", " ").split())


def test_what_is_added_and_what_is_withheld_have_no_subcase_in_common(run: Path, tmp_path: Path) -> None:
    plan = planned(proposed(run, "words"), tmp_path)
    assert plan.suites["other-subcases"].subcases == WITHHELD
    assert not {*plan.suites["heuristics"].subcases} & {*WITHHELD}
    [copies] = [each for each in plan.trainings if each.condition == "heuristics-copies"]
    assert {*copies.withhold["subcase"]} == {*WITHHELD}


def test_another_clause_is_withheld_from_copies_with_a_clause(run: Path, tmp_path: Path) -> None:
    plan = planned(proposed(run, "negation"), tmp_path)
    [copies] = [each for each in plan.trainings if each.condition == "negation-copies"]
    assert copies.augment
    assert copies.augment.suite.switches == {}
    assert plan.suites["other-negation"].switches == {"tautology": "and green is not red"}


def test_a_model_that_assay_trained_is_trained_again_as_it_was(tmp_path: Path) -> None:
    record = toolkit.run(
        toolkit.read("bundled", limit=450),
        families=["negation", "heuristics"],
        models=["assay:overlap", "assay:cbow"],
        per_subcase=20,
        out=tmp_path,
    )
    assert record.folder
    found = mitigate(record.folder)
    assert isinstance(found, MitigationProposal)
    assert (found.subject.model, found.subject.system, found.subject.is_own) == ("assay:cbow/v1", "cbow", True)
    plan = planned(found, tmp_path)
    assert plan.models == ("assay:cbow",)
    assert {(each.system, each.preset) for each in plan.trainings} == {("cbow/v1", "laptop")}
    other = mitigate(record.folder, system="esim")
    assert isinstance(other, MitigationProposal)
    assert (other.subject.system, other.subject.is_own) == ("esim", False)


@pytest.mark.parametrize(
    ("names", "option", "system"),
    [
        (None, "", "bert"),
        (["LABEL_0", "LABEL_1", "LABEL_2"], "?labels=e,n,c", "decomposable-attention"),
    ],
)
def test_a_classifier_that_names_its_labels_is_itself_trained_further(
    names: list[str] | None, option: str, system: str, tmp_path: Path
) -> None:
    pytest.importorskip("transformers", reason="the model is one of transformers")
    folder = tiny_classifier.save(tmp_path / "mine", names=names)
    model = f"hf:{folder}{option}"
    record = toolkit.run(
        toolkit.read("bundled", limit=40), families=["negation", "heuristics"], models=[model], out=tmp_path / "runs"
    )
    assert record.folder
    found = mitigate(record.folder, model=model)
    assert isinstance(found, MitigationProposal), found
    assert found.subject.system == system
    plan = planned(found, tmp_path)
    assert {each.system.partition("/")[0] for each in plan.trainings} == {system}
    if system == "bert":
        assert {each.switches["checkpoint"] for each in plan.trainings} == {str(folder)}
        assert plan.models == (model,)
    else:
        assert f"stands in for {model}" in " ".join(found.text.replace("#", " ").split())


def test_files_of_yours_become_tests_and_hans_is_no_stranger_to_generated_pairs(run: Path, tmp_path: Path) -> None:
    line = '{"id": "1", "premise": "A man sleeps.", "hypothesis": "A man rests.", "label": "entailment"%s}\n'
    for name, more in (("a", ""), ("b", ""), ("c", ""), ("mine", ""), ("hans", ', "subcase": "cn_adverb"')):
        (tmp_path / f"{name}.jsonl").write_text(line % more)
    made = proposed(
        run,
        "words",
        data=tmp_path,
        train=("a.jsonl", "b.jsonl"),
        dev="b.jsonl",
        test="c.jsonl",
        withheld=("mine.jsonl", "hans.jsonl"),
    )
    plan = planned(made, tmp_path)
    assert plan.data == str(tmp_path)
    assert plan.trainings[0].sources == ("train", "train-2")
    assert plan.mitigations
    assert plan.mitigations.treated["poe-overlap"] == ("heuristics",)
    assert plan.mitigations.treated["heuristics-copies"] == ("heuristics", "hans")
    assert {"mine", "hans"} <= {*plan.suites}


def test_mitigations_run_to_before_and_after(run: Path, tmp_path: Path, assay: Assay) -> None:
    pytest.importorskip("torch", reason="training needs PyTorch")
    path = tmp_path / "mitigation.yaml"
    done = assay("study", "mitigate", run, "--model", "object:words", "--system", "cbow", "--out", path)
    assert "poe-overlap" in done.stdout
    assert f"assay study run {path}" in done.stderr
    assert "the bundled corpus is used" in done.stderr
    again = assay("study", "mitigate", run, "--model", "object:words", "--out", path, code=2)
    assert "already exists" in again.stderr
    only = [f"condition={name}" for name in ("untreated", "confreg-overlap", "ambiguous-third")]
    chosen = [part for each in (*only, "seed=0") for part in ("--only", each)]
    ran = assay(
        "study", "run", path, "--preset", "tiny", "--sample", 60, "--workers", 1, *chosen, "--out", tmp_path / "s"
    )
    assert "Before and after" in ran.stdout
    [folder] = (tmp_path / "s").glob("mitigation-*")
    record = open_study(folder)
    assert not record.missing
    found = mitigation_results(record)
    assert [each.condition for each in found] == ["confreg-overlap", "ambiguous-third"]
    for course in found:
        assert [change.after.slice["suite"] for change in course.of("real")] == ["real"]
        assert [change.after.slice["suite"] for change in course.of("treated")] == ["heuristics"]
        assert {"other-subcases", "negation"} <= {change.after.slice["suite"] for change in course.of("withheld")}
        for change in course.changes:
            assert change.test
            moved = change.after.band.mean - change.before.band.mean
            assert change.test.difference == pytest.approx(moved)
        assert describe_result(course) in " ".join(ran.stdout.split())
    page = (folder / "report.html").read_text()
    assert "<h2>Before and after</h2>" in page
    assert mitigations_sheet(record).rows[0].cells[0].text in page


def test_only_a_cell_that_learns_from_another_brings_that_one_along(run: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs PyTorch")
    plan = planned(proposed(run, "words", system="cbow"), tmp_path)
    only = {"condition": ["ambiguous-third"], "seed": ["1"]}
    record = study(plan, out=tmp_path / "s", preset="tiny", sample=40, only=only, workers=1)
    assert record
    assert [(training.condition, training.seed) for training in record.trainings] == [
        ("untreated", 1),
        ("ambiguous-third", 1),
    ]
    whole, part = record.trainings
    assert part.pairs < whole.pairs


def test_a_no_shortcut_model_gets_nothing(run: Path, tmp_path: Path, assay: Assay) -> None:
    done = assay("study", "mitigate", run, "--model", "object:oracle", "--out", tmp_path / "plan.yaml")
    assert "object:oracle follows no shortcut that shows in this run" in done.stdout
    assert "Nothing was written." in done.stderr
    done = assay("study", "mitigate", run, "--model", "object:always", "--out", tmp_path / "plan.yaml")
    assert "Assay has no mitigation for that" in done.stdout
    assert not (tmp_path / "plan.yaml").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "object:wrods"], "No model 'object:wrods'"),
        (["--model", "object:words", "--system", "esmi"], "No system 'esmi'; did you mean 'esim'?"),
        (
            ["--model", "object:words", "--from", "a.jsonl"],
            "go together; add --dev and --test.",
        ),
        (["--model", "object:words", "--set", "withheld=a.jsonl"], "Name your own pairs with --from, --dev and --test"),
        (["--model", "object:words", "--data", "."], "mnli/train_subset.jsonl.gz: no such file"),
    ],
)
def test_bad_options_say_what_to_give(
    run: Path, tmp_path: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch, options: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in assay("study", "mitigate", run, *options, code=2).stderr
    assert not list(tmp_path.iterdir())


def test_an_unknown_run_is_refused(tmp_path: Path, assay: Assay) -> None:
    assert "nowhere" in assay("study", "mitigate", tmp_path / "nowhere", code=2).stderr
