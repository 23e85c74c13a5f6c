"""Studies from a plan: bad plans, training runs that are shared, a kill, a training run that fails."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.conftest import Assay

from assay.core.errors import BadInputError, UserError
from assay.run.workers.pool import InlineExecutor
from assay.storage.suite import Suite
from assay.studies.plan.joint_records import open_study
from assay.studies.plan.plan_file import built_in_plans, read_plan
from assay.studies.plan.study_data import StudyData, list_suites
from assay.studies.plan.study_record import StudyRecord
from assay.studies.plan.training_runs import list_trainings
from assay.studies.plans import study

pytest.importorskip("torch", reason="training needs PyTorch")

PLAN = """\
title: A small one
corpora:
  train: {file: train.jsonl, part: train}
  dev: {file: dev.jsonl, part: dev}
  test: {file: test.jsonl, part: test}
train: {from: train, dev: dev, preset: tiny, sample: 60, dev-sample: 40}
systems:
  cbow: {}
conditions:
  0 %: {swap: 0}
  50 %: {swap: 50}
seeds: [0, 1]
suites:
  test: {from: test, families: [original, negation], sample: 40}
tables:
  - title: By family
"""


def plan_file(folder: Path, old: str = "", new: str = "") -> Path:
    """The plan with something changed."""
    assert old in PLAN
    path = folder / "plan.yaml"
    path.write_text(PLAN.replace(old, new, 1) if old else PLAN)
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that was never interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    study(read_plan(plan_file(folder)), out=folder / "studies", workers=1)
    return folder


def only_record(folder: Path) -> StudyRecord:
    (path,) = folder.glob("plan-*/study.json")
    return open_study(path)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("title: A", "titel: A", 1, "no key 'titel' in the plan; did you mean 'title'?"),
        ("  cbow: {}", "  cbwo: {}", 8, "No system 'cbwo'; did you mean 'cbow'?"),
        ("{swap: 50}", "{swpa: 50}", 11, "no key 'swpa' in 50 %; did you mean 'swap'?"),
        ("{swap: 50}", "{swap: 500}", 11, "swap must be a percentage from 0 to 100, not '500'"),
        ("{swap: 50}", "{redraw: 0}", 11, "redraw must be more than 0%"),
        ("{swap: 50}", "{set: {hiden: 3}}", 11, "No switch 'hiden'"),
        ("{swap: 50}", "{regularise: magic}", 11, "regularise can't be 'magic'"),
        ("{swap: 50}", "{bias: overlap}", 11, "--bias needs a method"),
        ("{swap: 50}", "{augment: {families: heuristics}}", 11, "augment needs `share`"),
        ("{swap: 50}", "{augment: {families: heuristics, share: 5, pairs: 9}}", 11, "`share` or `pairs`, not both"),
        ("title: By family", "title: By family\n    measure: auc", 17, "no measure 'auc' in tables, number 1"),
        ("{from: train,", "{from: trian,", 6, "no corpus 'trian' in train; did you mean 'train'?"),
        ("preset: tiny", "preset: huge", 6, "no preset 'huge' in train"),
        ("[original, negation]", "[original, negatoin]", 14, "No family 'negatoin'; did you mean 'negation'?"),
        ("{from: test,", "{from: tset,", 14, "no corpus 'tset' in test; did you mean 'test'?"),
        ("title: By family", "title: By family\n    by: lable", 17, "no slice 'lable'"),
        ("title: By family", "title: By family\n    suites: tset", 17, "no suite 'tset'"),
        ("{swap: 50}", "{debias: drwa, bias: overlap}", 11, "debias can't be 'drwa'; did you mean 'draw'?"),
        ("{swap: 50}", "{debias: draw, bias: overlap, set: {focus: 1.5}}", 11, "focus can't be '1.5': expected float"),
        ("  cbow: {}", "  bert: {set: {checkpoint: ./nowhere}}", 8, "./nowhere is neither a local folder nor a name"),
        ("{swap: 50}", "{map-from: 5 %}", 11, "no condition '5 %' in 50 %; did you mean '0 %'?"),
        ("{from: test,", "{subcases: [cn_advreb], from: test,", 14, "no subcase 'cn_advreb' in test; did you mean"),
        (
            "seeds: [0, 1]",
            "before-and-after: {real: tset}\nseeds: [0]",
            12,
            "no suite 'tset' in before-and-after; did you mean 'test'?",
        ),
        (
            "title: By family",
            "title: By family\n    by: label\nbefore-and-after: {real: test}",
            18,
            "before-and-after needs a table of all suites",
        ),
        ("seeds: [0, 1]", "models: [assay:cobw]\nseeds: [0]", 12, "No model 'cobw'; did you mean 'cbow'?"),
        ("seeds: [0, 1]", "seeds: [0, 0]", 12, "seeds must be different whole numbers"),
        ("seeds: [0, 1]", "baseline: 5 %\nseeds: [0]", 12, "no condition '5 %' in the plan; did you mean '50 %'?"),
    ],
)
def test_a_bad_plan_says_where_and_guesses(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    with pytest.raises(BadInputError, match=re.escape(said)) as caught:
        read_plan(plan_file(tmp_path, old, new))
    assert caught.value.where == f"{tmp_path / 'plan.yaml'}:{line}"


@pytest.mark.parametrize("name", built_in_plans())
def test_every_built_in_plan_can_be_read(name: str) -> None:
    plan = read_plan(built_in_plans()[name])
    assert plan.tables
    assert plan.trainings


def digests(path: Path, out: Path) -> dict[tuple[str, str, int], str]:
    plan = read_plan(path)
    data = StudyData(plan, None, out)
    trainings = list_trainings(plan, data, out, list_suites(plan.suites, data))
    return {(training.system, training.condition, training.seed): training.digest for training in trainings}


def test_plans_share_the_cells_that_are_the_same(tmp_path: Path) -> None:
    own = digests(plan_file(tmp_path), tmp_path / "out")
    assert len({*own.values()}) == 4
    other_names = digests(plan_file(tmp_path, "0 %: {swap: 0}", "none: {}"), tmp_path / "elsewhere")
    assert other_names["cbow", "none", 0] == own["cbow", "0 %", 0]
    assert other_names["cbow", "50 %", 1] == own["cbow", "50 %", 1]
    other_tests = digests(plan_file(tmp_path, "negation], sample: 40}", "negation], sample: 50}"), tmp_path / "out")
    assert other_tests == own
    for old, new in (("sample: 60", "sample: 61"), ("{swap: 0}", "{set: {epochs: 3}}"), ("preset: tiny", "swap: 1")):
        changed = digests(plan_file(tmp_path, old, new), tmp_path / "out")
        assert changed["cbow", "0 %", 0] != own["cbow", "0 %", 0]


def test_a_digest_stays_what_it_was(tmp_path: Path) -> None:
    """Made when studies were: if this changes without a change of settings, finished trainings would be repeated."""
    assert digests(plan_file(tmp_path), tmp_path / "out")["cbow", "50 %", 1] == "317af07db5603160"


def test_a_study_ends_in_a_record_and_is_not_done_twice(assay: Assay, whole: Path) -> None:
    record = only_record(whole / "studies")
    assert [(training.system, training.condition, training.seed) for training in record.trainings] == [
        ("cbow", condition, seed) for seed in (0, 1) for condition in ("0 %", "50 %")
    ]
    assert {figure.band.n for figure in record.tables[0].figures} == {2}
    assert {test.condition for test in record.tables[0].tests} == {"50 %"}
    assert not record.missing
    again = assay("study", "run", whole / "plan.yaml", "--out", whole / "studies")
    assert "4 training runs, 4 of them finished" in again.stderr
    assert "By family" in again.stdout
    assert only_record(whole / "studies").result == record.result
    (folder,) = (whole / "studies").glob("plan-*")
    assert "<h2>By family</h2>" in (folder / "report.html").read_text()
    assert "negation" in assay("show", whole / "studies" / record.trainings[0].run).stdout
    for to, said in (("md", "# A small one"), ("latex", r"\begin{tabular}"), ("json", '"published": []')):
        assert said in assay("study", "show", folder, "--to", to).stdout


def test_a_part_of_the_pairs_is_drawn_for_each_epoch_by_what_the_bias_gets_wrong(tmp_path: Path) -> None:
    path = plan_file(tmp_path, "{swap: 50}", "{redraw: 50, debias: draw, bias: overlap, set: {focus: 0.9}}")
    study(read_plan(path), out=tmp_path / "studies", workers=1, only={"seed": ["0"]})
    record = only_record(tmp_path / "studies")
    assert "Each epoch draws 50% of the training pairs." in record.reduced
    training = next(training for training in record.trainings if training.condition == "50 %")
    (log,) = (tmp_path / "studies" / "cells").glob(f"*-{training.digest}/trained/log.jsonl")
    steps = [json.loads(line) for line in log.read_text().splitlines()]
    assert 15 <= steps[0]["pairs"] <= 45  # half of 60, give or take what chance does
    assert not record.missing


def test_a_dry_run_tries_each_kind_of_training_once_and_trains_nothing(assay: Assay, tmp_path: Path) -> None:
    path = plan_file(tmp_path, "50 %: {swap: 50}", "50 %: {swap: 50}\n  logic: {regularise: logic}")
    done = assay("study", "run", path, "--workers", 1, "--only", "seed=0", "--dry-run")
    assert "3 training runs: about" in done.stderr
    assert "One seed is too few for a verdict" in done.stderr
    assert len(list((tmp_path / "studies").glob("trials/cbow-*.json"))) == 2
    assert not list((tmp_path / "studies").glob("cells/*/trained"))


def test_a_training_that_learns_from_another_is_not_tried_before_it(assay: Assay, tmp_path: Path) -> None:
    path = plan_file(tmp_path, "{swap: 50}", "{debias: confreg, bias: overlap, teacher: 0 %}")
    said = assay("study", "run", path, "--out", tmp_path / "studies", "--dry-run").stderr
    assert "4 training runs" in said
    assert "may fail" not in said


def test_a_training_with_added_pairs_is_tried_before_they_are_made(assay: Assay, tmp_path: Path) -> None:
    added = "{augment: {from: train, families: negation, share: 30}, set: {epochs: 3}}"
    path = plan_file(tmp_path, "{swap: 50}", added)
    assay("study", "run", path, "--workers", 1, "--only", "seed=0", "--only", "condition=50 %", "--dry-run")
    (trial,) = (tmp_path / "studies").glob("trials/cbow-*.json")
    assert json.loads(trial.read_text())["epochs"] == 3
    assert json.loads(trial.read_text())["epoch"] > 0


ADDED = """\
title: Added pairs
corpora:
  train: {file: train.jsonl, part: train}
  more: {file: more.jsonl, part: test}
  dev: {file: dev.jsonl, part: dev}
  hans: {file: hans.txt, part: heuristics}
train: {from: train, dev: dev, preset: tiny, dev-sample: 40}
systems: [cbow]
conditions:
  pairs alone: {}
  a union: {from: [train, more]}
  copies: {augment: {from: train, families: negation, share: 50}}
  generated: {augment: {families: heuristics, pairs: 60}}
suites:
  dev: {from: dev, families: original, sample: 30}
  hans: {from: hans, families: original}
tables:
  - {title: Ranking, suites: hans, measure: roc-auc}
  - {title: Errors, suites: dev, measure: false-neutral}
  - {title: Directions, suites: dev, by: [label, answer], measure: direction}
"""


def test_pairs_are_added_to_all_others_unless_the_plan_limits_them(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(ADDED)
    plan = read_plan(path)
    data = StudyData(plan, None, tmp_path)
    trained = {each.condition: each for each in list_trainings(plan, data, tmp_path, list_suites(plan.suites, data))}
    own, more = data.size("train"), data.size("more")
    pairs = {name: each.pairs for name, each in trained.items()}
    assert pairs == {"pairs alone": own, "a union": own + more, "copies": 2 * own, "generated": own + 60}
    study(plan, out=tmp_path / "studies", workers=1, sample=50, executor=InlineExecutor())
    record = only_record(tmp_path / "studies")
    assert [training.pairs for training in record.trainings] == [50, 100, 100, 110]  # two of each of 30 subcases
    assert "50 training pairs of the " + f"{own:,} in train." in record.reduced
    assert not [line for line in record.reduced if "take the place" in line or "equal parts" in line]
    ranking, errors, directions = record.tables
    for table in (ranking, errors):
        assert {figure.condition for figure in table.figures} == {*pairs}
    for condition in pairs:
        shares = [each.band.mean for each in directions.figures if each.condition == condition]
        assert sum(shares) == pytest.approx(1.0)
    assert not any(table.tests for table in record.tables)


def test_a_corpus_with_a_sample_is_drawn_once_for_all_seeds(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(ADDED.replace("part: train}", "part: train, sample: 40}", 1) + "seeds: [0, 1]\n")
    plan = read_plan(path)
    data = StudyData(plan, None, tmp_path)
    trainings = list_trainings(plan, data, tmp_path, list_suites(plan.suites, data))
    first, second = ({each.condition: each for each in trainings if each.seed == seed} for seed in (0, 1))
    for condition, pairs in (("pairs alone", 40), ("a union", 40 + data.size("more")), ("copies", 80)):
        assert first[condition].pairs == second[condition].pairs == pairs
        assert first[condition].spec == second[condition].spec
        assert first[condition].digest != second[condition].digest
    assert first["generated"].added != second["generated"].added
    drawn_anew = digests(plan_file(tmp_path, "sample: 60", "sample: 40"), tmp_path / "out")
    (tmp_path / "plan.yaml").write_text(
        PLAN.replace("part: train}", "part: train, sample: 40}").replace("sample: 60", "sample: 40", 1)
    )
    assert not {*drawn_anew.values()} & {*digests(path, tmp_path / "out").values()}
    study(plan, out=tmp_path / "studies", workers=1, only=("condition=pairs alone",), executor=InlineExecutor())
    reduced = only_record(tmp_path / "studies").reduced
    assert f"40 training pairs of the {data.size('train'):,} in train, the same for all seeds." in reduced


def test_a_killed_study_goes_on_to_the_same_result(whole: Path, tmp_path: Path) -> None:
    path = plan_file(tmp_path)
    command = [sys.executable, "-m", "assay", "study", "run", str(path), "--workers", "1"]
    process = subprocess.Popen([*command, "--out", str(tmp_path / "killed")])
    while not list(tmp_path.glob("killed/cells/*/done-*.json")):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not list(tmp_path.glob("killed/plan-*/study.json"))
    study(read_plan(path), out=tmp_path / "killed", workers=2)
    killed, expected = only_record(tmp_path / "killed"), only_record(whole / "studies")
    assert killed.result == expected.result
    assert killed.tables == expected.tables


def test_a_damaged_record_of_a_cell_is_made_again(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole / "studies", tmp_path / "studies")
    before = only_record(tmp_path / "studies")
    record = next((tmp_path / "studies").glob("cells/*/runs/*/*/record.json"))
    record.write_bytes(record.read_bytes().replace(b'"seed": 0', b'"seed": 7', 1))
    study(read_plan(plan_file(tmp_path)), out=tmp_path / "studies", executor=InlineExecutor())
    after = only_record(tmp_path / "studies")
    assert not after.missing
    assert after.result == before.result


def test_damaged_data_of_a_study_are_written_again(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole / "studies" / "data", tmp_path / "data")
    plan = read_plan(whole / "plan.yaml")
    wanted = StudyData(plan, None, whole / "studies").digest("test")
    path = tmp_path / "data" / "test.jsonl"
    path.write_bytes(path.read_bytes().replace(b"a", b"e", 1))
    assert StudyData(plan, None, tmp_path).digest("test") == wanted


def test_the_workers_of_an_executor_give_the_same_result(whole: Path, tmp_path: Path) -> None:
    wanted = {"workers": 2, "only": {"seed": ["0"]}}
    study(read_plan(plan_file(tmp_path)), out=tmp_path / "studies", executor=InlineExecutor(), **wanted)
    shared, expected = only_record(tmp_path / "studies"), only_record(whole / "studies")
    assert len(shared.trainings) == 2
    assert {(training.digest, training.accuracy) for training in shared.trainings} <= {
        (training.digest, training.accuracy) for training in expected.trainings
    }


def test_a_cell_that_fails_is_named_and_the_others_go_on(assay: Assay, tmp_path: Path) -> None:
    path = plan_file(tmp_path, "{swap: 50}", "{set: {hidden: -1}}")
    done = assay("study", "run", path, "--only", "seed=0", "--workers", 1, code=1)
    assert "A trial failed, so this training run may fail: cbow, 50 %, seed 0: RuntimeError" in done.stderr
    assert "Failed: cbow, 50 %, seed 0" in done.stderr
    assert r"\n" not in done.stderr
    record = only_record(tmp_path / "studies")
    (missing,) = record.missing
    assert missing.condition == "50 %"
    assert "Traceback" in (tmp_path / "studies" / missing.log).read_text()
    assert [training.condition for training in record.trainings] == ["0 %"]
    assert "Missing: training runs that failed" in done.stdout
    assert missing.log in done.stdout.replace("\n", "").replace(" ", "")


def test_data_that_are_not_there_are_named_before_anything_starts(tmp_path: Path, assay: Assay) -> None:
    said = assay("study", "run", plan_file(tmp_path), "--data", tmp_path, code=2).stderr
    assert f"{tmp_path / 'train.jsonl'}: no such file" in said
    said = assay("study", "run", plan_file(tmp_path), "--only", "system=cbwo", code=2).stderr
    assert "No system 'cbwo' in this study; did you mean 'cbow'?" in said
    said = assay("study", "run", "swap-trainign", code=2).stderr
    assert "did you mean 'swap-training'?" in said
    with pytest.raises(UserError, match="needs systems"):
        read_plan(plan_file(tmp_path, "systems:\n  cbow: {}\n", ""))


CONDITIONS = """\
title: Half of the conditions
corpora:
  train: {file: train.jsonl, part: train}
  dev: {file: dev.jsonl, part: dev}
train: {from: train, dev: dev, preset: tiny, sample: 80, dev-sample: 40}
systems: [cbow]
conditions:
  half: {augment: {families: scope, share: 40}, withhold: {subcase: [two-out, two-in, one-out, none]}}
suites:
  scope: {families: scope, per-subcase: 5}
tables:
  - title: By condition
    by: subcase
"""


def test_half_of_the_conditions_are_withheld_from_training_and_all_are_tested(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(CONDITIONS)
    study(read_plan(path), out=tmp_path / "studies", workers=1, executor=InlineExecutor())
    record = only_record(tmp_path / "studies")
    assert len({figure.slice["subcase"] for figure in record.tables[0].figures}) == 8
    (added,) = (tmp_path / "studies" / "suites").glob("added-*")
    trained = {case.group["subcase"] for case in Suite.open(added)}
    assert trained == {"one-in-not", "one-in-other", "one-of-each-noun", "one-of-each-clause"}
    path.write_text(CONDITIONS.replace("two-in,", "two-inn,"))
    with pytest.raises(BadInputError, match=r"no subcase 'two-inn'.*did you mean 'two-in'"):
        read_plan(path)
