"""Tables in the terminal: nothing cut, nothing obeyed."""

import re
from collections.abc import Mapping, Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import RenderableType
from tests.figures import MODEL, band, figure, grid, lost, manifest, record_of, share, swapping
from tests.fixtures.reports import OBEYED_BY_TERMINALS as HOSTILE
from tests.fixtures.reports import drawn

from assay.core.estimate import CertifiedThreshold, CurveLine, Estimate, SupportCurve
from assay.core.label import THREE_WAY, Label
from assay.core.manifest import NOT_DRAWN
from assay.core.run_record import CorpusReading, FromCorpus, RunRecord
from assay.evaluate.verdict import judge_estimates
from assay.reports.formatting import FEWEST_SHOWN, printable, printable_lines
from assay.reports.tables.accuracy_tables import accuracy, certified_thresholds, confusion, seeds, severity
from assay.reports.tables.group_tables import swap
from assay.reports.tables.overview_table import overview
from assay.reports.tables.report_tables import related_sheet
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn, SheetRow, numbers, plain_sheet, texts
from assay.reports.terminal.run_summary import figure_summary, full_summary
from assay.reports.terminal.suite_summary import MOST_PROBLEMS, inspection_summary, suite_summary
from assay.reports.terminal.terminal_tables import SheetTable, run_screen, verdict_screen
from assay.reports.view import ReportView, view_of
from assay.score.score_answers import Score
from assay.score.score_summary import MOST_VALUES, score_summary

SHOWN = r"[red]x[/red][link=http://evil]\x1b[31m\x1b]0;owned\x07\x9b2J\u202e\u200b\u2066 :smile: a\rb\nc"

OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def joined(text: str) -> str:
    """All that is shown, without the layout: folded text reads on."""
    return re.sub(r"[\s─]", "", text)


def of(estimates: Sequence[Estimate]) -> ReportView:
    return view_of([record_of(estimates)])


def scored(estimates: Sequence[Estimate]) -> RenderableType:
    judgement, found = judge_estimates(estimates, {}), tuple(estimates)
    score = Score(
        cases=9, answered=9, missing=0, missing_counted="stop", unknown=0, estimates=found, judgement=judgement
    )
    return score_summary(score)


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


class TestLayout:
    MODELS = ("assay:majority/v1", "assay:hypothesis-words/v1", "assay:overlap/v1")
    FAMILIES = ("original", "word-overlap", "negation", "length-mismatch")

    @pytest.mark.parametrize("width", [80, 100, 200])
    @pytest.mark.parametrize("labels", [THREE_WAY, (Label.ENTAILMENT, Label.NON_ENTAILMENT)])
    def test_a_bench_fits_with_every_name_whole(self, width: int, labels: Sequence[str]) -> None:
        sheet = accuracy(of(grid(models=self.MODELS, families=self.FAMILIES, labels=labels)))
        table = drawn(SheetTable(sheet), width=width)
        assert max(map(len, table.splitlines())) <= width
        names = {"majority", "hypothesis-words", "overlap", *self.FAMILIES, "accuracy", "95%", "cases"}
        assert names <= {*table.split()}
        assert all(joined(table).count(label) >= 1 for label in labels)
        assert "…" not in table

    def test_four_labels_and_large_counts_fit(self) -> None:
        found = grid(models=self.MODELS, families=["original"], labels=list(Label), n=549_367)
        table = drawn(SheetTable(accuracy(of(found))))
        assert max(map(len, table.splitlines())) <= 100
        assert {"entailment", "neutral", "contradiction", "549,367"} <= {*table.split()}

    def test_long_names_are_folded_not_cut(self) -> None:
        name = "a-family-with-a-name-that-nobody-should-give-" * 3
        table = drawn(SheetTable(accuracy(of(grid(models=["hf:somebody/" + name], families=["original", name])))))
        assert max(map(len, table.splitlines())) <= 100
        assert "…" not in table
        start = table.splitlines()[0].index(" accuracy ")
        first = "".join(line[:start].strip() for line in table.splitlines())
        assert first.count("a-family-with-a-name-that-nobody-should-give-") == 6

    def test_figures_are_where_they_belong(self) -> None:
        found = [
            share(0.9, family="original"),
            share(0.25, family="negation"),
            share(None, family="shout", n=0),
            share(0.75, family="negation", label="neutral"),
            figure("drop", 0.65, family="negation"),
            figure("consistency", 0.2, family="negation"),
        ]
        lines = rows(drawn(SheetTable(accuracy(of(found))), width=90))
        assert lines[0] == [
            "family",
            *["accuracy", "95%", "change", "95%", "of", "it", "p", "both", "neutral", "cases"],
        ]
        assert lines[2:6] == [
            ["overlap"],
            ["original", "90.0", "85.0-95.0", "-", "40"],
            ["negation", "25.0", "20.0-30.0", "-65.0", "20.0", "75.0", "40"],
            ["shout", "-", "-", "-", "0"],
        ]

    def test_nothing_is_compared_where_there_are_no_original_pairs(self) -> None:
        found = of([share(family="heuristics"), share(family="heuristics", heuristic="subsequence")])
        assert "change" not in drawn(SheetTable(accuracy(found))).lower()

    def test_a_family_is_shown_by_its_heuristics(self) -> None:
        found = [share(0.5, family="heuristics"), share(0.25, family="heuristics", heuristic="subsequence")]
        assert ["subsequence", "25.0", "20.0-30.0", "40"] in rows(drawn(full_summary(record_of(found))))

    @pytest.mark.parametrize("width", [80, 100])
    def test_swapping_is_a_table_with_verdicts(self, width: int) -> None:
        found = [*swapping("entailment", 0.9, 0.9), *swapping("neutral", 0.8, 0.6)]
        table = drawn(SheetTable(swap(of(found))), width=width)
        assert max(map(len, table.splitlines())) <= width
        figures = {
            "entailment": "90.0 90.0 +0.0 -2.0 to +2.0 1.000",
            "neutral": "80.0 60.0 +20.0 +18.0 to +22.0 <0.001",
        }
        verdicts = {"entailment": "does not drop, but", "neutral": "falls, but should hold"}
        for label in figures:
            (shown, *below) = (" ".join(row[1:]) for row in rows(table) if row[:1] == [label])
            assert shown.startswith(figures[label])
            assert verdicts[label] in " ".join((shown, *below))
        assert "…" not in table

    def test_a_ladder_is_a_curve_with_its_area(self) -> None:
        found = [share(0.9 - rung / 10, family="negation", severity=str(rung)) for rung in (10, 0, 2)]
        found.append(figure("area", 0.55, family="negation"))
        lines = rows(drawn(SheetTable(severity(of(found)))))
        assert lines[0] == ["family", "strength", "0", "strength", "2", "strength", "10", "area", "95%", "cases"]
        assert lines[3] == ["negation", "90.0", "70.0", "-10.0", "55.0", "-", "40"]

    def test_confusion_is_shown_for_each_model(self) -> None:
        found = [
            figure("answers", value, model=model, family="negation", label="neutral", answer=answer)
            for model, value in (("a", 0.75), ("b", 0.25))
            for answer in ("entailment", "neutral")
        ]
        lines = [row for row in rows(drawn(SheetTable(confusion(of(found))))) if row]
        assert lines[0] == ["family", "label", "entailment", "neutral", "cases"]
        assert lines[2:6] == [
            ["a"],
            ["negation", "neutral", "75.0", "75.0", "40"],
            ["b"],
            ["negation", "neutral", "25.0", "25.0", "40"],
        ]

    def test_seeds_are_a_band_and_told_once(self) -> None:
        found = [band(0.2, family="negation")]
        for seed, after, p in ((1, 0.1, 0.0001), (2, 0.3, 0.04)):
            found += lost("neutral", 0.9, after, p=p, model=f"trained:x@{seed}")
        assert ["negation", "20.0", "10.0-30.0", "2", "40"] in rows(drawn(SheetTable(seeds(of(found)))))
        shown = drawn(full_summary(record_of(found)))
        assert shown.count("neutral falls from 90.0% to 20.0% in negation (p 0.040; means of 2 seeds).") == 1
        assert "trained:x@1: right on" not in shown

    def test_a_group_is_a_table_of_its_own_unless_it_is_too_large(self) -> None:
        found = [share(family="original")]
        for value in ("travel", "fiction"):
            found.append(share(0.25, family="original", genre=value))
            found.append(share(1.0, family="original", genre=value, label="neutral"))
        found += [share(family="original", template=f"t{i}") for i in range(MOST_VALUES + 1)]
        shown = drawn(scored(found))
        assert ["genre", "accuracy", "95%", "neutral", "cases"] in rows(shown)
        assert ["travel", "25.0", "20.0-30.0", "100.0", "40"] in rows(shown)
        assert f"template: {MOST_VALUES + 1} values; --json lists them all" in shown
        assert "t7" not in shown

    def test_a_group_of_several_families_names_them(self) -> None:
        found = [share(family=family, genre="travel") for family in ("original", "negation")]
        assert ["negation", "travel", "50.0", "45.0-55.0", "40"] in rows(drawn(scored(found)))


class TestRoom:
    """A table takes the room that there is."""

    SHEET = Sheet(
        "s",
        "",
        "Note.",
        (
            *texts("name"),
            SheetColumn("one-figure", True),
            SheetColumn("detail", True, is_detail=True, note="Detail: d."),
            *numbers("two"),
        ),
        (
            SheetRow(
                "", (SheetCell("x" * 30), SheetCell("1.0", 1.0, True), SheetCell("2.0", 2.0), SheetCell("3.0", 3.0))
            ),
        ),
        mark="wrong",
    )

    @pytest.mark.parametrize(
        ("width", "heads", "legend"),
        [
            (80, ["name", "one-figure", "detail", "two"], "Note. Detail: d. *: wrong."),
            (42, ["name", "figure", "two"], "Note. *: wrong."),
            (37, ["name", "figure"], "Note. *: wrong."),
        ],
        ids=["all of it", "without details", "in two tables"],
    )
    def test_what_does_not_fit_is_broken_left_out_or_below(self, width: int, heads: list[str], legend: str) -> None:
        shown = drawn(SheetTable(self.SHEET), width=width)
        assert max(map(len, shown.splitlines())) <= width
        head = next(line.split() for line in shown.splitlines() if line.startswith("name"))
        assert head == heads
        assert legend in " ".join(shown.split())
        assert ("3.0" in shown, "1.0*" in shown) == (True, True)
        assert shown.count("x") == 30 * shown.count("name")


class TestHostileText:
    def test_printable_shows_what_can_not_be_seen(self) -> None:
        assert printable(HOSTILE) == SHOWN
        assert printable("Zoë says 日本語") == "Zoë says 日本語"
        assert printable_lines("a\n  b\x1b") == "a\n  b\\x1b"

    @given(st.text(st.characters()))
    def test_nothing_printable_is_obeyed(self, text: str) -> None:
        assert printable(text).isprintable()

    FOUND: Mapping[str, object] = {
        "name": HOSTILE,
        "rows": 3,
        "pairs": 2,
        "format": "pairs/v1",
        "labels": {HOSTILE: 1},
        "lengths": None,
        "skipped": {HOSTILE: 1},
        "notes": [HOSTILE],
        "problems": [{"where": HOSTILE, "reason": HOSTILE, "detail": HOSTILE}],
        "examples": [{"id": HOSTILE, HOSTILE: HOSTILE}],
    }
    HOSTILE_SLICE = share(family=HOSTILE, model=HOSTILE)

    @pytest.mark.parametrize(
        ("thing", "times"),
        [
            (SheetTable(accuracy(of([HOSTILE_SLICE]))), 2),
            (scored([HOSTILE_SLICE, share(family=HOSTILE, model=HOSTILE, genre=HOSTILE)]), 4),
            (SheetTable(plain_sheet([{HOSTILE: HOSTILE}])), 2),
            (suite_summary(manifest(HOSTILE)), 6),
            (inspection_summary(FOUND), 10),
        ],
        ids=["accuracy", "score", "list", "suite", "inspection"],
    )
    def test_markup_and_escapes_are_shown_as_they_are(self, thing: RenderableType, times: int) -> None:
        shown = drawn(thing, width=400)
        assert not OBEYED.search(shown)
        assert joined(shown).count(joined(SHOWN)) == times

    def test_a_run_with_its_findings_too(self) -> None:
        found = [share(0.1, model=HOSTILE, family="negation"), *lost("neutral", 0.9, 0.1, model=HOSTILE)]
        shown = drawn(full_summary(record_of(found, suite=manifest(HOSTILE))), width=400)
        assert not OBEYED.search(shown)
        assert joined(f"{SHOWN}: neutral falls from 90.0% to 10.0% in negation") in joined(shown)
        assert joined(shown).count(joined(SHOWN)) == 4

    def test_names_of_corpora_beside_published_figures(self) -> None:
        found = [share(0.1, model=HOSTILE, suite=HOSTILE, family="negation")]
        shown = drawn(SheetTable(related_sheet(view_of([record_of(found, suite=manifest(HOSTILE))]))), width=400)
        assert not OBEYED.search(shown)
        assert joined(SHOWN) in joined(shown)


def test_many_problems_are_counted_and_long_texts_cut() -> None:
    problem = {"where": "x:1", "reason": "not JSON", "detail": ""}
    problems = [problem] * (MOST_PROBLEMS + 2)
    base = {"name": "x", "rows": 1, "pairs": 0, "format": "", "labels": {}, "lengths": None, "skipped": {}, "notes": []}
    shown = drawn(inspection_summary({**base, "problems": problems, "examples": [{"premise": "a" * 1000}]}))
    assert shown.count("not JSON") == MOST_PROBLEMS
    assert "... and 2 more; --json lists them all" in shown
    assert joined(shown).count("a" * 200 + "...") == 1


class TestScreen:
    """A run on one screen."""

    MODELS = ("cmd:x", "hf:somebody/a-model-with-a-long-name", "assay:decomposable-attention/v1", "assay:overlap/v1")
    FAMILIES = ("original", "lexical", "word-overlap", "negation", "length-mismatch", "spelling", "antonymy")

    @staticmethod
    def record(found: Sequence[Estimate], counts: Mapping[str, Mapping[str, int]] | None = None) -> RunRecord:
        made = record_of(found, suite=manifest(counts=counts or {"original": {"neutral": 40}}))
        models = [msgspec.structs.replace(each, reference=each.model == MODEL) for each in made.models]
        return msgspec.structs.replace(made, models=tuple(models))

    @pytest.mark.parametrize("width", [60, 80, 100, 140])
    def test_it_fits(self, width: int) -> None:
        found = grid(models=self.MODELS, families=self.FAMILIES, labels=THREE_WAY)
        shown = drawn(run_screen(self.record(found)), width=width)
        assert max(map(len, shown.splitlines())) <= width
        if width >= 100:
            assert len(shown.splitlines()) <= 40

    def test_a_loss_is_marked_where_the_label_stays_but_never_for_a_baseline(self) -> None:
        found = []
        for model in ("cmd:x", MODEL):
            found += [share(0.9, model=model, family="original"), *lost("", 0.9, 0.2, model=model)]
            where = {"model": model, "suite": "stress", "family": "antonymy"}
            values = {"accuracy": 0.1, "source": 0.9, "drop": 0.8, "holm": 0.001}
            found += [Estimate(name=name, value=value, n=40, slice=where) for name, value in values.items()]
        lines = rows(drawn(run_screen(self.record(found))))
        assert ["cmd:x", "90.0", "20.0*", "10.0"] in lines
        assert ["overlap", "90.0", "20.0", "10.0"] in lines

    def test_baselines_get_no_verdict(self) -> None:
        found = [share(0.9, model=model, family="original") for model in ("cmd:x", MODEL)]
        record = self.record(found)
        assert drawn(verdict_screen(record)).split()[0] == "cmd:x"
        assert "overlap" not in drawn(verdict_screen(record))

    def test_each_test_has_its_own_best_guess(self) -> None:
        counts = {"original": {"entailment": 10, "neutral": 30}, "antonymy": {"contradiction": 40}}
        found = [share(0.5, family="original"), share(0.5, family="antonymy"), figure("drop", 0.0, family="antonymy")]
        assert ["best", "guess", "75.0", "100.0"] in rows(drawn(run_screen(self.record(found, counts))))

    def test_tests_with_few_cases_are_left_out_and_named(self) -> None:
        found = [share(0.5, n=40, family="original"), share(0.7, n=FEWEST_SHOWN - 1, family="negation")]
        found.append(figure("consistency", 0.5, family="negation"))
        sheet = overview(of(found))
        assert [column.name for column in sheet.columns] == ["model", "original"]
        assert f"Fewer than {FEWEST_SHOWN} cases: negation ({FEWEST_SHOWN - 1})." in sheet.note
        lines = rows(drawn(run_screen(self.record(found))))
        assert ["overlap", "50.0"] in lines
        assert ["cases", "40"] in lines

    def test_logic_is_compared_with_the_best_guess(self) -> None:
        counts = {"scope": {"entailment": 30, "neutral": 10}}
        shown = drawn(run_screen(self.record([share(0.6, family="scope")], counts)))
        assert "no model is significantly above the best guess" in shown
        assert "scope 60 vs 75" in shown
        shown = drawn(run_screen(self.record([share(0.9, family="scope")], counts)))
        assert "significantly above the best guess on scope" in shown

    def test_seeds_of_one_system_are_one_row(self) -> None:
        models = [f"trained:x@{seed}" for seed in range(1, 6)]
        found = [share(0.5, model=model, family="original") for model in (*models, *self.MODELS)]
        found.append(band(0.2, seeds=5, family="original"))
        shown = drawn(run_screen(self.record(found)))
        assert ["trained:x", "20.0"] in rows(shown)
        assert "trained:x@1" not in shown

    def test_it_says_how_long_it_took(self) -> None:
        made = self.record([share(0.5, family="original")])
        models = tuple(msgspec.structs.replace(each, seconds_per_pair=0.0123) for each in made.models)
        shown = drawn(run_screen(msgspec.structs.replace(made, seconds=114.0, models=models)))
        assert "1 min 54 s" in shown.splitlines()[0]
        assert "12 ms/pair" in shown

    def test_a_sample_is_no_fault_of_the_data(self) -> None:
        made = manifest(counts={"original": {"neutral": 40}})
        skipped = {NOT_DRAWN: 500, "no gold label": 50}
        source = msgspec.structs.replace(made.source, rows=750, pairs=200, skipped=skipped)
        record = record_of([share(family="original")], suite=msgspec.structs.replace(made, source=source))
        for shown in (drawn(run_screen(record)), drawn(full_summary(record))):
            assert "sample: 200 of 700 pairs" in shown
            assert "50 of 750 records: no gold label" in shown
            assert NOT_DRAWN not in shown

    def test_the_next_command_reads_the_same_corpus(self) -> None:
        reading = CorpusReading(source="my pairs.csv", columns={"premise": "evidence"}, limit=90)
        made = self.record([share(0.5, model="assay:minilm/v1", family="original")])
        own = {"stress": FromCorpus(reading=reading, recipes=())}
        words_of_own = "assay run --from 'my pairs.csv' --model hf:NAME --columns premise=evidence"
        for suites, pairs, words in (
            ({}, 2, "assay run --model hf:NAME --sample 300"),
            (own, 301, f"{words_of_own} --sample 300"),
            (own, 300, words_of_own),
        ):
            spec = msgspec.structs.replace(made.spec, suites=suites)
            source = msgspec.structs.replace(made.suites["stress"].source, pairs=pairs)
            manifests = {"stress": msgspec.structs.replace(made.suites["stress"], source=source)}
            record = msgspec.structs.replace(made, spec=spec, suites=manifests)
            shown = drawn(run_screen(record, folder="runs/x"))
            assert f"Next    {words}\n" in shown


def test_single_tables_are_shown_by_name() -> None:
    found = [share(family="negation"), *swapping("neutral", 0.8, 0.6)]
    shown = drawn(figure_summary(record_of(found), ["accuracy", "severity", "findings"]))
    assert shown.startswith("accuracy\n")
    assert "not measured" in shown.partition("\nseverity\n")[2]
    assert "neutral falls, but should hold" in shown


def test_a_table_of_thresholds_says_why_it_is_empty() -> None:
    shown = " ".join(drawn(figure_summary(record_of([share(family="original")]), ["certified"])).split())
    assert "thresholds need two labels. Run again with --two-way" in shown
    two = manifest(counts={"original": {"entailment": 20, "non-entailment": 20}})
    two = msgspec.structs.replace(
        two, source=msgspec.structs.replace(two.source, labels={"entailment": 20, "non-entailment": 20})
    )
    shown = " ".join(drawn(figure_summary(record_of([share(family="original")], suite=two), ["certified"])).split())
    assert "need a model that gives scores" in shown


def test_a_certified_threshold_that_accepts_nothing_is_not_shown() -> None:
    none = CertifiedThreshold(
        bound=0.05, confidence=0.95, threshold=0.99, false_support=0.0, recall=0.0, unsupported=80
    )
    where = {"model": "m", "suite": "stress", "family": "original"}
    for recall, said in ((0.0, 0), (0.4, 1)):
        own = msgspec.structs.replace(none, recall=recall)
        curve = SupportCurve(
            slice=where,
            n=160,
            supported=80,
            threshold=0.5,
            chosen=None,
            thresholds=(),
            lines={},
            reliability=(),
            coverage=(),
            risk=CurveLine(value=(), low=(), high=()),
            certified=(own,),
        )
        record = msgspec.structs.replace(record_of([share(family="original")]), support=(curve,))
        (row,) = certified_thresholds(view_of([record])).rows
        assert [cell.text for cell in row.cells].count("0.99") == said


def test_a_score_without_anything_is_empty() -> None:
    assert drawn(scored([])).strip() == ""
