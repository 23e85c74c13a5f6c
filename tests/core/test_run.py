"""The record of a run: figures found by what they are about, its folder, and how it looks."""

import sys
from pathlib import Path

import msgspec
import pytest
from tests.figures import lost, record_of, share

import assay
from assay.core.errors import MissingExtraError, UnknownNameError, UserError
from assay.core.estimate import CurveLine, SupportCurve
from assay.core.run_record import RunRecord
from assay.core.serialise import to_json
from assay.run.stored_run import open_run

FIGURES = [
    share(0.5, family="negation", model="a"),
    share(0.25, family="negation", model="b"),
    share(0.75, family="negation", model="a", label="neutral"),
    share(0.1, family="negation", model="a", genre="travel"),
    share(0.9, family="original", model="a"),
    share(0.3, family="negation", model="a", name="drop"),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs."""
    out = tmp_path_factory.mktemp("runs")
    corpus = assay.read("bundled", limit=30)
    models = ["assay:majority", "assay:overlap"]
    assay.run(corpus, families="original", models=models, out=out, cache=False)
    assay.run(corpus, families="negation", models=models, out=out, cache=False)
    return out


@pytest.fixture(scope="module")
def newest(runs: Path) -> RunRecord:
    return open_run(runs)


class TestFind:
    def test_figures_are_found_by_exactly_what_they_are_measured_by(self) -> None:
        record = record_of(FIGURES)
        found = record.find("accuracy", by=("model", "family"))
        assert {key: e.value for key, e in found.items()} == {
            ("a", "negation"): 0.5,
            ("b", "negation"): 0.25,
            ("a", "original"): 0.9,
        }
        assert [*record.find("accuracy", by=("family", "genre"))] == [("negation", "travel")]
        assert [*record.find("drop")] == [("a", "stress", "negation")]

    def test_some_of_them_are_kept(self) -> None:
        record = record_of(FIGURES)
        assert [*record.find("accuracy", by=["model"], family="negation")] == [("a",), ("b",)]
        assert record.find("accuracy", by=["label"], model="a")["neutral",].value == 0.75
        assert record.find("accuracy", by=["label"], model="b") == {}

    def test_two_figures_of_one_key_are_refused_with_the_way_out(self) -> None:
        both = [share(family="negation", suite=suite) for suite in ("one", "two")]
        with pytest.raises(UserError, match="for suite 'one' and 'two'") as refused:
            record_of(both).find("accuracy", by=("model", "family"))
        assert "Add 'suite' to `by`, or choose one: suite='one'." in str(refused.value)
        assert len(record_of(both).find("accuracy", by=("model", "family"), suite="two")) == 1

    @pytest.mark.parametrize(
        ("name", "by", "said"),
        [("acuracy", ["model"], "did you mean 'accuracy'"), ("accuracy", ["modle"], "did you mean 'model'")],
    )
    def test_wrong_names_are_refused_with_a_guess(self, name: str, by: list[str], said: str) -> None:
        with pytest.raises(UnknownNameError, match=said):
            record_of(FIGURES).find(name, by=by)


class TestFolder:
    def test_a_record_knows_where_it_is_stored(self, runs: Path, tmp_path: Path) -> None:
        made = assay.run(assay.read("bundled", limit=9), families="original", models="assay:majority", out=tmp_path)
        assert made.folder == tmp_path / made.id
        read = open_run(made.folder)
        assert (read, read.folder) == (made, made.folder)
        assert b"_folder" not in to_json(made)
        assert str(tmp_path).encode() not in (made.folder / "record.json").read_bytes()

    def test_a_folder_of_runs_means_its_newest(self, runs: Path, newest: RunRecord) -> None:
        assert newest.folder == max(runs.iterdir(), key=lambda run: (run / "record.json").stat().st_mtime_ns)
        assert assay.gate(runs, rules="negation.accuracy>=0").run == newest.id
        assert {each.case.family for each in assay.failures(runs, 1)} == {"negation"}
        assert assay.compare(runs, models=["majority", "overlap"]).runs == (newest.id,)
        assert assay.report(runs, to="csv").parent == newest.folder

    def test_a_record_is_as_good_as_its_folder(self, runs: Path, newest: RunRecord) -> None:
        assert assay.failures(newest, 1) == assay.failures(runs, 1)
        assert assay.compare(newest, models=["majority", "overlap"]) == assay.compare(
            runs, models=["majority", "overlap"]
        )
        rules = "negation.accuracy>=0"
        assert assay.gate(newest, rules=rules, no_worse_than=newest) == assay.gate(
            runs, rules=rules, no_worse_than=runs
        )
        assert assay.report([newest], to="md") == assay.report(runs, to="md")

    def test_a_record_without_a_folder_is_refused(self) -> None:
        with pytest.raises(UserError, match="does not know where it is stored"):
            assay.failures(record_of(FIGURES))


def test_a_record_prints_as_a_small_table(newest: RunRecord) -> None:
    caption, head, *rows, verdicts = repr(newest).splitlines()
    assert caption.startswith(f"{newest.id}: accuracy in %")
    assert caption.endswith(f"stored in {str(newest.folder)!r}")
    assert head.split() == [
        "suite",
        "family",
        "assay:majority/v1",
        "(baseline)",
        "assay:overlap/v1",
        "(baseline)",
        "cases",
    ]
    assert [row.split()[1] for row in rows] == ["original", "negation"]
    for row in rows:
        found = newest.find("accuracy", by=("family", "model"))
        shown = [f"{(found[row.split()[1], model].value or 0) * 100:.1f}" for model in newest.spec.models]
        assert [each.rstrip("*") for each in row.split()[2:4]] == shown
    assert verdicts.split()[0] == "verdict"


def test_a_loss_is_marked_in_a_notebook() -> None:
    shown = record_of([*lost("", 0.6, 0.1), share(0.6, family="original")])._repr_html_()
    assert ">10.0*</td>" in shown
    assert ">60.0</td>" in shown


class TestFrames:
    def test_pandas_has_one_row_for_each_figure(self, newest: RunRecord) -> None:
        frame = newest.to_pandas()
        assert list(frame.columns[:5]) == ["figure", "model", "suite", "family", "label"]
        assert list(frame.columns[-4:]) == ["value", "low", "high", "n"]
        assert list(frame["figure"]) == [e.name for e in newest.estimates]
        assert list(frame["n"]) == [e.n for e in newest.estimates]
        assert frame[frame.label.isna()].shape[0] == sum("label" not in e.slice for e in newest.estimates)

    def test_polars_has_the_same(self, newest: RunRecord) -> None:
        pytest.importorskip("polars", reason="polars is not installed")
        frame = newest.to_polars()
        assert frame["value"].to_list() == [e.value for e in newest.estimates]
        assert frame["label"].to_list() == [e.slice.get("label") for e in newest.estimates]

    def test_a_group_that_is_called_like_a_value_has_a_column_of_its_own(self) -> None:
        record = record_of([share(0.5, family="original", value="high", n=7)])
        frame = record.to_pandas()
        assert (frame["value"][0], frame["slice.value"][0], frame["n"][0]) == (0.5, "high", 7)

    def test_a_threshold_curve_has_a_row_for_each_threshold(self) -> None:
        curve = SupportCurve(
            slice={"model": "m", "family": "original"},
            n=9,
            supported=4,
            threshold=0.5,
            chosen=None,
            thresholds=(0.0, 0.5),
            lines={"precision": CurveLine(value=(0.4, None), low=(0.2, None), high=(0.6, None))},
            reliability=(),
            coverage=(),
            risk=CurveLine(value=(), low=(), high=()),
        )
        frame = curve.to_pandas()
        names = ["model", "family", "threshold", "precision", "precision.low", "precision.high"]
        assert list(frame.columns) == names
        assert list(frame.iloc[0]) == ["m", "original", 0.0, 0.4, 0.2, 0.6]
        assert frame[names[3:]].iloc[1].isna().all()
        pytest.importorskip("polars", reason="polars is not installed")
        assert curve.to_polars().rows()[1] == ("m", "original", 0.5, None, None, None)

    @pytest.mark.parametrize("name", ["pandas", "polars"])
    def test_a_missing_library_is_told_with_the_command(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MissingExtraError, match=rf"pip install '\.\[{name}\]'"):
            getattr(record_of(FIGURES), f"to_{name}")()


def test_what_was_decided_is_stored(runs: Path, newest: RunRecord) -> None:
    assert newest.folder
    stored = msgspec.json.decode((newest.folder / "record.json").read_bytes())
    assert stored["schema"] == 3
    assert [each["model"] for each in stored["judgement"]["verdicts"]] == ["assay:majority/v1", "assay:overlap/v1"]
    assert stored["examples"]
    assert stored["cards"]["stress"]["licence"] == "Apache-2.0"
    assert set(stored["about"]) == {"assay:majority/v1", "assay:overlap/v1"}
