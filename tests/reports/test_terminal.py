"""Tables in the terminal: nothing cut, nothing obeyed."""

import io
import re
from collections.abc import Mapping, Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY, Label
from assay.core.run import RunRecord, RunSpec
from assay.core.suite import Manifest, Source
from assay.reports.findings import findings, swap_verdict
from assay.reports.printable import printable, printable_lines
from assay.reports.tables.figures import accuracy_table, band_table, confusion_table, severity_table, swap_table
from assay.reports.write.terminal import (
    MOST_PROBLEMS,
    MOST_VALUES,
    inspection,
    plain_table,
    score_summary,
    suite_summary,
    summary,
)

HOSTILE = "[red]x[/red][link=http://evil]\x1b[31m\x1b]0;owned\x07\x9b2J\u202e\u200b\u2066 :smile: a\rb\nc"
"""Markup, escape sequences of both kinds, a bell, marks of direction, an emoji's name and line breaks."""

SHOWN = r"[red]x[/red][link=http://evil]\x1b[31m\x1b]0;owned\x07\x9b2J\u202e\u200b\u2066 :smile: a\rb\nc"

OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def drawn(thing: RenderableType, *, width: int = 100) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(thing)
    return out.getvalue()


def joined(text: str) -> str:
    """All that is shown, without the layout: folded text reads on."""
    return re.sub(r"[\s─]", "", text)


def share(value: float | None = 0.5, /, *, n: int = 40, **where: str) -> Estimate:
    spread = {} if value is None else {"low": max(0.0, value - 0.05), "high": min(1.0, value + 0.05)}
    return Estimate(
        name="accuracy", value=value, n=n, slice={"model": "assay:overlap/v1", "suite": "stress", **where}, **spread
    )


def figure(name: str, value: float, /, **where: str) -> Estimate:
    return Estimate(name=name, value=value, n=40, slice={"model": "assay:overlap/v1", "suite": "stress", **where})


def swapping(label: str, before: float, after: float, *, spread: float = 0.02) -> list[Estimate]:
    where = {"model": "assay:overlap/v1", "suite": "stress", "family": "swap", "label": label}
    drop = before - after
    return [
        Estimate(name="kept", value=after, n=40, slice=where),
        Estimate(name="source", value=before, n=40, slice=where),
        Estimate(name="drop", value=drop, low=drop - spread, high=drop + spread, n=40, slice=where),
        Estimate(name="holm", value=1.0 if abs(drop) < spread else 0.0001, n=40, slice=where),
    ]


def lost(
    label: str, before: float, after: float, *, p: float = 0.0001, model: str = "assay:overlap/v1"
) -> list[Estimate]:
    """What a family says about one label, or about all of it."""
    whole = {"model": model, "suite": "stress", "family": "negation"}
    where = {**whole, "label": label} if label else whole
    values = {"accuracy": after, "source": before, "drop": before - after, "holm": p}
    found = [Estimate(name=name, value=value, n=40, slice=where) for name, value in values.items()]
    return [Estimate(name="consistency", value=0.1, n=40, slice=whole), *found]


def bench(
    *, models: Sequence[str], families: Sequence[str], labels: Sequence[str] = THREE_WAY, n: int = 750
) -> list[Estimate]:
    found = []
    for model in models:
        for family in families:
            found.append(share(n=n, model=model, family=family))
            found += [share(1.0, n=n, model=model, family=family, label=label) for label in labels]
    return found


def manifest(**fields: object) -> Manifest:
    source = Source(name=HOSTILE, format="pairs/v1", digest="", rows=3, pairs=2, labels={}, skipped={HOSTILE: 1})
    values: dict[str, object] = {
        "source": source,
        "recipes": (),
        "seed": 0,
        "storage": "jsonl",
        "cases": 2,
        "counts": {HOSTILE: {HOSTILE: 2}},
        "skips": {HOSTILE: {HOSTILE: 1}},
        "digest": "",
        "file_digest": "",
        "versions": {},
    }
    return Manifest(**{**values, **fields})  # type: ignore[arg-type]


class TestLayout:
    MODELS = ("assay:majority/v1", "assay:hypothesis-words/v1", "assay:overlap/v1")
    FAMILIES = ("original", "word-overlap", "negation", "length-mismatch")

    @pytest.mark.parametrize("width", [80, 100, 200])
    @pytest.mark.parametrize("labels", [THREE_WAY, (Label.ENTAILMENT, Label.NON_ENTAILMENT)])
    def test_a_bench_fits_with_every_name_whole(self, width: int, labels: Sequence[str]) -> None:
        table = drawn(accuracy_table(bench(models=self.MODELS, families=self.FAMILIES, labels=labels)), width=width)
        assert max(map(len, table.splitlines())) <= width
        words = set(table.split())
        assert {"majority", "hypothesis-words", "overlap", *self.FAMILIES, *labels, "all", "95", "cases"} <= words
        assert "…" not in table

    def test_four_labels_and_large_counts_fit(self) -> None:
        table = drawn(accuracy_table(bench(models=self.MODELS, families=["original"], labels=list(Label), n=549_367)))
        assert max(map(len, table.splitlines())) <= 100
        assert {*Label, "549,367"} <= set(table.split())

    def test_long_names_are_folded_not_cut(self) -> None:
        name = "a-family-with-a-name-that-nobody-should-give-" * 3
        table = drawn(accuracy_table(bench(models=["hf:somebody/" + name], families=["original", name])))
        assert max(map(len, table.splitlines())) <= 100
        assert "…" not in table
        start = table.splitlines()[0].index(" all ")
        first = "".join(line[:start].strip() for line in table.splitlines())
        assert first.count("a-family-with-a-name-that-nobody-should-give-") == 6

    def test_figures_stand_where_they_belong(self) -> None:
        found = [
            share(0.9, family="original"),
            share(0.25, family="negation"),
            share(None, family="shout", n=0),
            share(0.75, family="negation", label="neutral"),
            figure("drop", 0.65, family="negation"),
            figure("consistency", 0.2, family="negation"),
        ]
        lines = drawn(accuracy_table(found)).splitlines()
        assert lines[0].split() == ["all", "95", "%", "change", "both", "neutral", "cases"]
        assert [line.split() for line in lines[2:]] == [
            ["overlap"],
            ["original", "90.0", "85.0-95.0", "-", "40"],
            ["negation", "25.0", "20.0-30.0", "-65.0", "20.0", "75.0", "40"],
            ["shout", "-", "-", "-", "0"],
        ]

    def test_nothing_is_compared_where_there_are_no_original_pairs(self) -> None:
        table = drawn(accuracy_table([share(family="heuristics"), share(family="heuristics", heuristic="subsequence")]))
        assert "change" not in table
        assert "subsequence" not in table

    def test_a_family_can_be_shown_by_a_group(self) -> None:
        found = [share(0.5, family="heuristics"), share(0.25, family="heuristics", heuristic="subsequence")]
        rows = [each.split() for each in drawn(accuracy_table(found, within="heuristic")).splitlines()]
        assert ["subsequence", "25.0", "20.0-30.0", "40"] in rows

    @pytest.mark.parametrize("width", [80, 100])
    def test_swapping_is_a_table_with_verdicts(self, width: int) -> None:
        found = [
            each
            for label, before, after in (("entailment", 0.9, 0.9), ("neutral", 0.8, 0.6))
            for each in swapping(label, before, after)
        ]
        table = drawn(swap_table(found), width=width)
        assert max(map(len, table.splitlines())) <= width
        rows = [each.split() for each in table.splitlines()]
        assert ["entailment", "90.0", "90.0", "+0.0", "-2.0", "+2.0", "1.000", "does", "not"] in [
            row[:9] for row in rows
        ]
        (neutral,) = (row for row in rows if row[:1] == ["neutral"])
        assert neutral[:7] == ["neutral", "80.0", "60.0", "+20.0", "+18.0", "+22.0", "<0.001"]
        assert "…" not in table

    def test_a_ladder_is_a_curve_with_its_area(self) -> None:
        found = [share(0.9 - rung / 10, family="negation", severity=str(rung)) for rung in (10, 0, 2)]
        found.append(figure("area", 0.55, family="negation"))
        rows = [each.split() for each in drawn(severity_table(found)).splitlines()]
        assert rows[0] == ["0", "2", "10", "area", "95", "%", "cases"]
        assert rows[-1] == ["negation", "90.0", "70.0", "-10.0", "55.0", "-", "40"]

    def test_confusion_is_told_for_each_model(self) -> None:
        found = [
            figure("answers", value, model=model, family="negation", label="neutral", answer=answer)
            for model, value in (("a", 0.75), ("b", 0.25))
            for answer in ("entailment", "neutral")
        ]
        rows = [each.split() for each in drawn(confusion_table(found)).splitlines()]
        assert rows[0] == ["label", "entailment", "neutral", "cases"]
        assert [row for row in rows[2:] if row] == [
            ["a"],
            ["negation", "neutral", "75.0", "75.0", "40"],
            ["b"],
            ["negation", "neutral", "25.0", "25.0", "40"],
        ]

    def test_seeds_are_a_band_and_told_once(self) -> None:
        where = {"model": "trained:x", "suite": "stress", "family": "negation", "seeds": "2"}
        found = [Estimate(name="band", value=0.2, low=0.1, high=0.3, n=40, slice=where)]
        for seed, after, p in ((1, 0.1, 0.0001), (2, 0.3, 0.04)):
            found += lost("neutral", 0.9, after, p=p, model=f"trained:x@{seed}")
        rows = [each.split() for each in drawn(band_table(found)).splitlines()]
        assert rows[-1] == ["negation", "20.0", "10.0-30.0", "2", "40"]
        assert findings(found) == [
            "trained:x: right on 90.0 % of neutral, but on 20.0 % in negation (p 0.040; means of 2 seeds)."
        ]
        assert findings(found[:6]) == []  # the other seed does not have it

    def test_a_group_is_a_table_of_its_own_unless_it_is_too_large(self) -> None:
        found = [share(family="original")]
        for value in ("travel", "fiction"):
            found.append(share(0.25, family="original", genre=value))
            found.append(share(1.0, family="original", genre=value, label="neutral"))
        found += [share(family="original", template=f"t{i}") for i in range(MOST_VALUES + 1)]
        shown = drawn(score_summary(found))
        rows = [line.split() for line in shown.splitlines()]
        assert ["genre", "all", "95", "%", "neutral", "cases"] in rows
        assert ["travel", "25.0", "20.0-30.0", "100.0", "40"] in rows
        assert f"template: {MOST_VALUES + 1} values; --json lists them all" in shown
        assert "t7" not in shown

    def test_a_group_of_several_families_names_them(self) -> None:
        found = [share(family=family, genre="travel") for family in ("original", "negation")]
        shown = drawn(score_summary(found))
        assert ["negation", "travel", "50.0", "45.0-55.0", "40"] in [line.split() for line in shown.splitlines()]


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
        "skipped": {HOSTILE: 1},
        "notes": [HOSTILE],
        "problems": [{"where": HOSTILE, "reason": HOSTILE, "detail": HOSTILE}],
        "examples": [{"id": HOSTILE, HOSTILE: HOSTILE}],
    }
    HOSTILE_SLICE = share(family=HOSTILE, model=HOSTILE)

    @pytest.mark.parametrize(
        ("thing", "times"),
        [
            (accuracy_table([HOSTILE_SLICE]), 2),
            (score_summary([HOSTILE_SLICE, share(family=HOSTILE, model=HOSTILE, genre=HOSTILE)]), 3),
            (plain_table([{HOSTILE: HOSTILE}]), 2),
            (suite_summary(manifest()), 6),
            (inspection(FOUND), 10),
        ],
        ids=["accuracy", "score", "list", "suite", "inspection"],
    )
    def test_markup_and_escapes_are_shown_as_they_are(self, thing: RenderableType, times: int) -> None:
        shown = drawn(thing, width=400)
        assert not OBEYED.search(shown)
        assert joined(shown).count(joined(SHOWN)) == times

    def test_a_run_with_its_findings_too(self) -> None:
        found = [share(0.1, model=HOSTILE, family="negation"), *lost("neutral", 0.9, 0.1, model=HOSTILE)]
        spec = RunSpec(suites={}, models=())
        record = RunRecord(
            id="r", created="", spec=spec, suites={"stress": manifest()}, models=(), estimates=tuple(found), versions={}
        )
        shown = drawn(summary(record), width=400)
        assert not OBEYED.search(shown)
        assert joined(f"{SHOWN}: right on 90.0 % of neutral, but on 10.0 % in negation") in joined(shown)
        assert joined(shown).count(joined(SHOWN)) == 4


def test_findings_tell_clear_losses_only() -> None:
    found = [
        *lost("neutral", 0.9, 0.7),
        *lost("entailment", 0.9, 0.2, p=0.0312),
        *lost("contradiction", 0.5, 0.45),
        *lost("non-entailment", 0.9, 0.1, p=0.05),
    ]
    assert findings(found) == [
        "overlap: right on 90.0 % of entailment, but on 20.0 % in negation (p 0.031).",
        "overlap: right on 90.0 % of neutral, but on 70.0 % in negation (p <0.001).",
    ]
    assert findings(lost("neutral", 0.2, 0.9)) == []
    assert findings([share(0.2, family="negation", label="neutral")]) == []


def test_families_with_labels_of_their_own_are_told_whole() -> None:
    whole = [each for each in lost("", 0.6, 0.1) if each.name != "consistency"]
    assert findings([*whole, *lost("neutral", 0.9, 0.1)[1:]]) == [
        "overlap: right on 60.0 % of the source pairs, but on 10.0 % in negation (p <0.001)."
    ]


@pytest.mark.parametrize(
    ("label", "before", "after", "spread", "words", "expected"),
    [
        ("entailment", 0.9, 0.3, 0.05, "drops, as it should", True),
        ("entailment", 0.9, 0.9, 0.02, "does not drop: it does not tell the sides apart", False),
        ("entailment", 0.8, 0.9, 0.02, "does not drop: it does not tell the sides apart", False),
        ("entailment", 0.9, 0.84, 0.05, "drops a little", True),
        ("entailment", 0.9, 0.88, 0.2, "undecided", True),
        ("entailment", 0.0, 0.0, 0.02, "never right, so nothing can drop", True),
        ("neutral", 0.9, 0.89, 0.02, "holds, as it should", True),
        ("neutral", 0.9, 0.5, 0.02, "falls, and should hold", False),
        ("contradiction", 0.5, 0.9, 0.02, "rises, and should hold", False),
        ("contradiction", 0.5, 0.45, 0.2, "undecided", True),
        ("contradiction", 0.0, 0.0, 0.02, "never right at all", True),
        ("non-entailment", 0.5, 0.5, 0.02, "holds, as it should", True),
    ],
)
def test_verdicts_on_swapping(
    label: str, before: float, after: float, spread: float, words: str, expected: bool
) -> None:
    figures = swapping(label, before, after, spread=spread)
    assert swap_verdict(*figures[1:]) == (words, expected)
    told = findings(figures)
    p = "" if words.startswith("does not") and abs(before - after) < spread else " (p <0.001)"
    assert told == ([] if expected else [f"overlap: when the sides are swapped, {label} {words}{p}."])


def test_confidence_that_is_far_off_is_told() -> None:
    def error(family: str, value: float) -> Estimate:
        return msgspec.structs.replace(share(value, family=family), name="calibration-error")

    assert findings([error("original", 0.2), error("negation", 0.3)]) == [
        "overlap: its confidence is off by 30.0 points in negation."
    ]
    assert findings([error("original", 0.14)]) == []  # its interval goes down to nine points


def test_many_problems_are_counted_and_long_texts_cut() -> None:
    problem = {"where": "x:1", "reason": "not JSON", "detail": ""}
    problems = [problem] * (MOST_PROBLEMS + 2)
    base = {"name": "x", "rows": 1, "pairs": 0, "format": "", "labels": {}, "skipped": {}, "notes": []}
    shown = drawn(inspection({**base, "problems": problems, "examples": [{"premise": "a" * 1000}]}))
    assert shown.count("not JSON") == MOST_PROBLEMS
    assert "... and 2 more; --json lists them all" in shown
    assert joined(shown).count("a" * 200 + "...") == 1


class TestManyModels:
    """More models than have tables of their own stand side by side."""

    MODELS = ("assay:majority/v1", "assay:decomposable-attention/v1", "hf:somebody/a-model-with-a-long-name", "cmd:x")
    FAMILIES = (
        "original",
        "lexical",
        "word-overlap",
        "negation",
        "length-mismatch",
        "spelling",
        "antonymy",
        "numeracy",
    )

    @staticmethod
    def shown(found: Sequence[Estimate], width: int = 100) -> str:
        record = RunRecord(
            id="r",
            created="",
            spec=RunSpec(suites={}, models=()),
            suites={"stress": manifest()},
            models=(),
            estimates=tuple(found),
            versions={},
        )
        return drawn(summary(record), width=width)

    @pytest.mark.parametrize("width", [60, 80, 100, 140])
    def test_a_line_a_model_fits_with_every_family(self, width: int) -> None:
        shown = self.shown(bench(models=self.MODELS, families=self.FAMILIES, labels=THREE_WAY), width)
        assert max(map(len, shown.splitlines())) <= max(width, 75)  # the line that names the command
        assert "…" not in shown
        heads = {word for each in self.FAMILIES for word in each.replace("-", "- ").split()}
        assert heads <= set(shown.split())
        tables = [each for each in shown.splitlines() if each.startswith("decomposable-attention ")]
        assert sum(len(each.split()) - 1 for each in tables) == len(self.FAMILIES)
        assert len(tables) == {60: 3, 80: 2, 100: 1, 140: 1}[width]

    def test_a_loss_and_a_strange_swap_are_marked(self) -> None:
        found = [share(0.5, model=model, family="negation") for model in self.MODELS]
        found += [share(0.7, model=model, family="original") for model in self.MODELS]
        found += lost("neutral", 0.9, 0.1, model="cmd:x")
        found += lost("entailment", 0.9, 0.2, model="cmd:x")
        loss = figure("drop", 0.2, model="cmd:x", family="negation")
        found.append(msgspec.structs.replace(loss, low=0.1, high=0.3))
        found += [
            msgspec.structs.replace(e, slice={**e.slice, "model": "cmd:x"}) for e in swapping("neutral", 0.8, 0.6)
        ]
        lines = [each.split() for each in self.shown(found).splitlines()]
        assert ["cmd:x", "50.0*", "70.0"] in lines
        assert ["majority", "50.0", "70.0"] in lines
        assert ["cmd:x", "-20.0*"] in lines
        assert "cmd:x: right on 90.0 % of neutral, but on 10.0 % in negation (p <0.001); 2 more." in " ".join(
            word for each in lines for word in each
        )

    def test_the_best_on_the_source_pairs_is_shown_by_label(self) -> None:
        found = [share(0.5, model=model, family="negation") for model in self.MODELS]
        found += [share(0.7, model=model, family="original") for model in self.MODELS]
        found += [share(0.8, model="cmd:y", family="original"), share(0.1, model="cmd:y", family="negation")]
        found += [share(0.4, model="cmd:y", family="negation", label=Label.NEUTRAL)]
        _, _, below = self.shown(found).partition("cmd:y, the best on the source pairs, by label:")
        lines = [each.split() for each in below.splitlines()]
        assert ["all", "95", "%", "neutral", "cases"] in lines
        shares = {each[0]: each[1] for each in lines if len(each) > 1}
        assert (shares["original"], shares["negation"]) == ("80.0", "10.0")

    def test_the_best_may_be_a_system_of_several_seeds(self) -> None:
        models = [f"trained:x@{seed}" for seed in range(1, 6)]
        where = {"model": "trained:x", "suite": "stress", "family": "original", "seeds": "5"}
        found = [share(0.7, model=model, family="original") for model in self.MODELS]
        found += [share(0.9, model=model, family="original") for model in models]
        found.append(Estimate(name="band", value=0.9, low=0.9, high=0.9, n=40, slice=where))
        _, title, below = self.shown(found).partition("trained:x, the best on the source pairs, by label:")
        assert title
        assert "Several seeds of one system" in below

    def test_one_family_is_shown_by_label(self) -> None:
        found = [share(0.5, model=model, family="heuristics") for model in self.MODELS]
        found += [share(0.9, model="cmd:x", family="heuristics", label=Label.ENTAILMENT)]
        lines = [each.split() for each in self.shown(found).splitlines()]
        assert ["heuristics", "entailment"] in lines
        assert ["cmd:x", "50.0", "90.0"] in lines
        assert ["majority", "50.0", "-"] in lines

    def test_seeds_of_one_system_are_one_model(self) -> None:
        models = [f"trained:x@{seed}" for seed in range(1, 6)]
        where = {"model": "trained:x", "suite": "stress", "family": "negation", "seeds": "5"}
        found = [share(0.5, model=model, family="negation") for model in (*models, *self.MODELS)]
        found.append(Estimate(name="band", value=0.2, low=0.1, high=0.3, n=40, slice=where))
        shown = self.shown(found)
        assert ["trained:x", "20.0"] in [each.split() for each in shown.splitlines()]
        assert "trained:x@1" not in shown
