"""A checker that gives one score: from a run to its threshold, its report and its gate."""

import json
from pathlib import Path

import pytest
from tests.fixtures.reports import drawn

import assay
from assay.cli.report import TABLES
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.run_record import RunRecord
from assay.reports.tables.report_tables import ARTICLE
from assay.reports.terminal.run_summary import figure_summary, full_summary
from assay.reports.view import view_of
from assay.reports.write.latex import Style
from assay.reports.write.output_formats import Format, write_report
from assay.run.verify_stored import examine_run
from assay.score.score_answers import Score

NAMES = {"SUPPORTED": "entailment", "REFUTED": "non-entailment"}


def checker(pairs: list[tuple[str, str]]) -> list[float]:
    """The share of words that occur in the evidence, a little less where the claim is long."""
    found = []
    for evidence, claim in pairs:
        words = claim.lower().strip(".").split()
        found.append(0.9 * sum(word in evidence.lower() for word in words) / len(words))
    return found


def score_of(number: int) -> float:
    """Below one half for odd numbers, which are refuted; spread evenly."""
    return (number * 37 % 50 + 50 * (number % 2 == 0)) / 100


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("claims") / "claims.csv"
    lines = ["id,premise,hypothesis,label,score"]
    for number in range(80):
        evidence = f"The mill in Cork was built in {1900 + number} by a baker"
        supported = number % 2 == 0
        claim = "The mill was built by a baker." if supported else "The mill was sold to a doctor."
        label = "SUPPORTED" if supported else "REFUTED"
        lines.append(f"c{number},{evidence}.,{claim},{label},{score_of(number)}")
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def record(claims: Path, tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    corpus = assay.read(str(claims), labels=NAMES)
    models = {"checker": checker, "scores": f"predictions:{claims}?threshold=0.3"}
    out = tmp_path_factory.mktemp("runs")
    return assay.run(corpus, families=["original"], models=models, out=out, cache=False)


def test_the_record_holds_thresholds_and_curves(record: RunRecord) -> None:
    by_model = {curve.slice["model"]: curve for curve in record.support}
    assert len(by_model) == 2
    assert by_model["object:checker"].threshold == 0.5
    (scores,) = (curve for model, curve in by_model.items() if model.startswith("predictions:"))
    assert scores.threshold == 0.3
    assert scores.chosen is not None
    assert 0.44 < scores.chosen < 0.56, "between the highest refuted and the lowest supported claim of a half"
    assert (scores.n, scores.supported) == (80, 40)
    own = record.find("false-support")
    refuted = [score_of(number) for number in range(1, 80, 2)]
    expected = sum(score >= 0.3 for score in refuted) / len(refuted)
    assert own[scores.slice["model"], "stress", "original"].value == expected
    assert examine_run(record.folder or "", deep=True).damages == []


def test_a_changed_curve_is_noticed(record: RunRecord) -> None:
    import msgspec

    from assay.core.serialise import to_json

    assert record.folder is not None
    path = record.folder / "record.json"
    before = path.read_bytes()
    other = msgspec.structs.replace(record.support[0], chosen=0.123)
    path.write_bytes(to_json(msgspec.structs.replace(record, support=(other, *record.support[1:])).sealed()))
    try:
        assert any("threshold curves" in each for each in examine_run(record.folder, deep=True).damages)
    finally:
        path.write_bytes(before)


def test_the_gate_takes_thresholds(record: RunRecord) -> None:
    found = assay.gate(
        record,
        rules=[
            "claims.supported.recall>=0.9 at threshold=0.5",
            "claims.false-support<=0.05 at threshold=chosen",
            "claims.SUPPORTED.recall>=0.9",
            "*.roc-auc>=0.99",
        ],
    )
    assert found.passed
    assert len(found.rules) == 8
    assert not assay.gate(record, rules="claims.false-support<=0.1").passed, "0.3 is too low for the file's scores"


def test_one_class_gives_no_diagnosis_and_no_area_under_a_curve(tmp_path: Path) -> None:
    pairs = [
        assay.Pair(
            id=f"c{n}", premise=f"The mill was built in {1800 + n}.", hypothesis="A mill.", label=Label.ENTAILMENT
        )
        for n in range(60)
    ]
    models = {"checker": lambda asked: [0.5 + len(premise) % 3 / 10 for premise, _ in asked]}
    found = assay.run(pairs, families=["original"], models=models, two_way=True, out=tmp_path, cache=False)
    assert found.diagnosis is not None
    (profile,) = found.diagnosis.profiles
    assert profile.followed == ()
    assert "always" not in profile.headline
    assert not {"constant", "prior"} & {each.name for each in profile.effects}
    (page,) = write_report(view_of([found]), "html").values()
    assert b"Right for the right reasons? 1 model on" in page
    with pytest.raises(UserError, match="one class only: all cases are supported"):
        assay.gate(found, rules="claims.roc-auc>=0.9")
    with pytest.raises(UserError, match="no threshold was chosen"):
        assay.gate(found, rules="claims.false-support<=0.1 at threshold=chosen")


@pytest.mark.parametrize("to", ["html", "md", "json", "csv"])
def test_every_format_shows_them(record: RunRecord, to: Format) -> None:
    (content,) = write_report(view_of([record]), to).values()
    text = content.decode()
    if to == "json":
        assert len(json.loads(text)["support"]) == 2
    else:
        assert ("false-support" if to == "csv" else "false support") in text
    if to == "html":
        for chart in ("thresholds-curve", "thresholds-reliability", "thresholds-risk"):
            assert f'data-chart="{chart}"' in text


def test_an_article_has_a_table_of_thresholds(record: RunRecord) -> None:
    view = view_of([record])
    assert tuple(ARTICLE) == TABLES
    plain, with_ends = (
        write_report(view, "latex", style=Style(["thresholds"], intervals=ends))["report.tex"].decode()
        for ends in (False, True)
    )
    assert r"\label{tab:assay-thresholds}" in plain
    assert "chosen" in plain
    assert r"\tiny" not in plain
    balanced = record.find("balanced-accuracy", ["model", "suite", "family"])
    for each in balanced.values():
        assert each.value is not None
        assert f" {100 * each.value:.1f} " in plain
    assert with_ends.count(r"\tiny") > 2 * len(balanced)


def test_the_summary_names_the_command_that_shows_the_rest(record: RunRecord) -> None:
    shown = drawn(full_summary(record))
    assert "`assay show RUN --table thresholds`" in shown
    assert ("McNemar" in shown) == ("(p " in shown)


def test_the_terminal_shows_them(record: RunRecord) -> None:
    assert "chosen" in drawn(full_summary(record))
    assert "AP" in drawn(figure_summary(record, ["thresholds"]), width=200)


def test_scores_are_judged_by_two_labels_unless_three_are_wanted(tmp_path: Path) -> None:
    asked = []

    def counted(pairs: list[tuple[str, str]]) -> list[float]:
        asked.append(len(pairs))
        return [0.5] * len(pairs)

    corpus = assay.read("bundled", limit=300)
    with pytest.raises(UserError, match=r"can't tell neutral from contradiction.*\n.*two_way=False"):
        assay.run(corpus, families=["original"], models={"one": counted}, out=tmp_path, cache=False, two_way=False)
    assert sum(asked) < 300, "it stops at the first answers"
    made = assay.run(corpus, families=["original"], models={"one": counted}, out=tmp_path, cache=False)
    assert made.label_space.is_binary
    assert "so everything is judged by two labels" in made.models[0].notes[-1]
    assert made.support[0].chosen is None, "one score for everything has no threshold to choose"


@pytest.mark.parametrize("columns", ["id,premise,hypothesis,label,score", "evidence,claim,label,score"])
def test_a_file_with_labels_and_scores_has_the_figures_of_its_run(columns: str, claims: Path, tmp_path: Path) -> None:
    header, *rows = claims.read_text().splitlines()
    start = 0 if columns == header else 1
    lines = [columns, *(",".join(row.split(",")[start:]) for row in (*rows, *rows))]  # each premise twice
    (path := tmp_path / "twice.csv").write_text("\n".join(lines))
    alone = assay.score(path, labels=NAMES)
    (corpus := tmp_path / "corpus.csv").write_text(
        "\n".join([header, *(f"{copy}{row}" for copy in "xy" for row in rows)])
    )
    joined = assay.score(assay.read(str(corpus), labels=NAMES), corpus, labels=NAMES)

    def figures(found: Score) -> set[tuple[object, ...]]:
        kept = ("threshold", "label")
        return {
            (e.name, e.value, e.low, e.high, e.n, *(e.slice.get(key) for key in kept))
            for e in found.estimates
            if e.name not in ("brier", "calibration-error")  # their intervals are drawn, by the name of the family
        }

    assert figures(alone) == figures(joined)
    assert any(e.slice.get("threshold") == "chosen" for e in alone.estimates)


def test_lines_without_a_premise_are_independent(tmp_path: Path) -> None:
    lines = [f"{'SUPPORTED' if n % 2 else 'REFUTED'},{0.8 if n % 2 or n % 20 == 0 else 0.2}" for n in range(200)]
    (path := tmp_path / "bare.csv").write_text("\n".join(["label,score", *lines]))
    (accuracy,) = (
        e
        for e in assay.score(path, labels=NAMES).estimates
        if e.name == "accuracy" and e.slice.keys() == {"model", "suite", "family"}
    )
    assert (accuracy.value, accuracy.n) == (0.95, 200)
    assert accuracy.low == pytest.approx(0.91, abs=0.01)
    assert accuracy.high == pytest.approx(0.97, abs=0.01)


def test_a_file_is_scored_at_a_threshold(claims: Path) -> None:
    low, high = (
        assay.score(assay.read(str(claims), labels=NAMES), claims, labels=NAMES, threshold=t) for t in (0.3, 0.6)
    )
    recalls = [
        next(e.value for e in found.estimates if e.name == "recall" and e.slice.get("label") == "entailment")
        for found in (low, high)
    ]
    assert recalls[0] == 1.0
    assert recalls[1] is not None
    assert recalls[1] < 1.0
    with pytest.raises(UserError, match="from 0 to 1"):
        assay.score(assay.read(str(claims), labels=NAMES), claims, labels=NAMES, threshold=1.5)
