"""The page: its figures are the record's, nothing in it is obeyed, and nothing leaves it."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fixtures.reports import with_estimates

import assay
from assay.core.estimate import Estimate
from assay.core.run_record import RunRecord
from assay.reports.charts.heatmap import contrast, fill, ink
from assay.reports.charts.vegalite import by_model
from assay.reports.page.html_page import page
from assay.reports.tables.accuracy_tables import variants
from assay.reports.tables.diagnosis_tables import DIAGNOSIS
from assay.reports.view import ReportView, view_of

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>'\"&\u202e\u2066 {{ 7 * 7 }}"
LONG = "w" * 10_000


class Page(HTMLParser):
    """What a browser would see: tables, scripts, and every element with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[tuple[str, str | None]]]] = {}
        self.models: dict[str, list[str]] = {}
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.grids: dict[str, list[dict[str, str | None]]] = {}
        self._table: str | None = None
        self._grid = ""
        self._cell = self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        if tag == "table":
            self._table = found.get("data-sheet")
            self._grid = found.get("data-grid") or ""
            if self._table:
                self.tables[self._table], self.models[self._table] = [], []
        elif tag == "tr" and self._table:
            self.tables[self._table].append([])
            self.models[self._table].append(found.get("data-model") or "")
        elif tag == "td" and self._grid and found.get("data-tip"):
            self.grids.setdefault(self._grid, []).append(found)
        elif tag in ("td", "th") and self._table:
            self.tables[self._table][-1].append(("", found.get("data-value")))
            self._cell = True
        elif tag == "script":
            self.scripts.append("")
            self._script = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._cell = False
        elif tag == "table":
            self._table = None
        elif tag == "script":
            self._script = False

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[-1] += data
        else:
            self.text += data
        if self._cell and self._table:
            text, value = self.tables[self._table][-1][-1]
            self.tables[self._table][-1][-1] = (text + data, value)

    def rows(self, sheet: str) -> list[dict[str, tuple[str, str | None]]]:
        """The rows of a table by column, each with its model."""
        head, *body = self.tables[sheet]
        named = [dict(zip([name for name, _ in head], row, strict=True)) for row in body]
        return [{**row, "*": (model, None)} for row, model in zip(named, self.models[sheet][1:], strict=True)]

    @property
    def charts(self) -> dict[str, Any]:
        """The charts' specifications."""
        found: dict[str, Any] = json.loads(self.scripts[0])["charts"]
        return found

    @property
    def cases(self) -> list[dict[str, Any]]:
        """The examples that the script shows."""
        found: list[dict[str, Any]] = json.loads(self.scripts[0])["examples"]["cases"]
        return found


@pytest.fixture(scope="module")
def html(view: ReportView) -> str:
    return page(view)


@pytest.fixture(scope="module")
def parsed(html: str) -> Page:
    return Page(html)


@pytest.fixture(scope="module")
def record(stored: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((stored / "record.json").read_bytes())
    return found


def figure(record: dict[str, Any], name: str, **where: str) -> Any:
    (found,) = (e for e in record["estimates"] if e["name"] == name and e["slice"] == where)
    return found


def ends_of(found: dict[str, Any]) -> str:
    """The interval as the page writes it, with the mark of few clusters."""
    return f"{'~' if found['clusters'] < 30 else ''}{found['low'] * 100:.1f}-{found['high'] * 100:.1f}"


class TestFigures:
    def test_accuracy_is_the_records(self, parsed: Page, record: dict[str, Any]) -> None:
        rows = parsed.rows("accuracy")
        assert {row["family"][0] for row in rows} >= {"original", "negation", "lexical", "heuristics"}
        for row in rows:
            family = row["family"][0]
            where = {
                "model": row["*"][0],
                "suite": "heuristics" if family == "heuristics" else "stress",
                "family": family,
            }
            found = figure(record, "accuracy", **where)
            assert float(row["accuracy"][1] or "") == found["value"]
            assert row["accuracy"][0] == f"{found['value'] * 100:.1f}"
            assert row["95%"][0] == ends_of(found)
            assert row["cases"][0] == f"{found['n']:,}"
            if row["change"][0]:
                assert float(row["change"][1] or "") == -figure(record, "drop", **where)["value"]
                assert float(row["p"][1] or "nan") == figure(record, "holm", **where)["value"] or not row["p"][1]
            for label in ("entailment", "neutral", "contradiction", "non-entailment"):
                if row[label][1] is not None:
                    assert float(row[label][1] or "") == figure(record, "accuracy", **where, label=label)["value"]

    def test_every_other_figure_is_one_of_the_records(self, parsed: Page, record: dict[str, Any]) -> None:
        there: dict[str, set[float]] = {}
        for e in record["estimates"]:
            model = e["slice"]["model"]
            there.setdefault(model, {0.0}).update(v for v in (e["value"], e["n"]) if v is not None)
            if e["name"] == "drop" and e["value"] is not None:
                there[model].add(-e["value"])
        sheets = set(parsed.tables) - {"groups", "related", "skips", "fallbacks", *DIAGNOSIS}
        assert sheets
        for sheet in sheets:
            for row in parsed.rows(sheet):
                for text, value in row.values():
                    assert value is None or float(value) in there[row["*"][0]], f"{sheet}: {text}"

    def test_the_diagnosis_is_that_of_the_record(self, parsed: Page, record: dict[str, Any]) -> None:
        there = {each["model"]: each for each in record["diagnosis"]["profiles"]}
        for row in parsed.rows("shortcuts"):
            effects = there[row["*"][0]]["effects"]
            assert (row["given"][1], row["otherwise"][1]) in {(str(e["followed"]), str(e["base"])) for e in effects}
        headline = there["assay:overlap/v1"]["headline"]
        assert f"{headline[0].upper()}{headline[1:]}" in parsed.text

    def test_charts_draw_the_records_figures(self, parsed: Page, record: dict[str, Any]) -> None:
        for row in parsed.charts["changes"]["data"]["values"]:
            suite = "heuristics" if row["family"] == "heuristics" else "stress"
            found = figure(record, "drop", model=row["model"], suite=suite, family=row["family"])
            assert (row["value"], row["cases"]) == (found["value"], found["n"])
        drawn = {e for chart in parsed.charts.values() for row in chart["data"]["values"] for e in [row["model"]]}
        assert drawn == {each["model"] for each in record["models"]}

    def test_heatmaps_show_the_records_figures(self, parsed: Page, record: dict[str, Any]) -> None:
        for cell in parsed.grids["heatmap"]:
            family = cell["data-family"] or ""
            suite = "heuristics" if family == "heuristics" else "stress"
            where = {
                "model": cell["data-model"] or "",
                "suite": suite,
                "family": family,
                "label": cell["data-label"] or "",
            }
            found = figure(record, "accuracy", **where)
            ends = ends_of(found)
            assert cell["data-tip"] == f"{found['value'] * 100:.1f}% right (95%: {ends}), {found['n']:,} cases"
        labels = [e for e in record["estimates"] if e["name"] == "accuracy" and "label" in e["slice"]]
        assert len(parsed.grids["heatmap"]) == sum(len(e["slice"]) == 4 for e in labels)
        assert {*parsed.grids} == {"heatmap", "subcases", "categories"}

    def test_all_parts_are_there(self, parsed: Page) -> None:
        ids = {found["id"] for _, found in parsed.elements if found.get("id")}
        wanted = "verdict accuracy swap heuristics subcases categories severity confusion related examples skips"
        assert ids >= {*wanted.split(), "about", "again", "calibration"}
        charts = {found["data-chart"] for _, found in parsed.elements if found.get("data-chart")}
        assert charts == set(parsed.charts)

    def test_digests_and_the_command_are_told(self, parsed: Page, record: dict[str, Any]) -> None:
        for manifest in record["suites"].values():
            assert manifest["digest"] in parsed.text
        assert "assay run --from bundled --family negation" in parsed.text
        assert "--limit 90" in parsed.text

    def test_examples_show_the_edit_and_the_proof(self, parsed: Page, record: dict[str, Any]) -> None:
        assert len(parsed.cases) == len(record["examples"])
        edits = [piece for case in parsed.cases for piece in case["hypothesis"] if not isinstance(piece, str)]
        assert [1, " and false is not true"] in edits
        assert any(kind == 2 for kind, _ in edits)
        assert any("Proof for added tautologies" in line for case in parsed.cases for line in case["why"])

    def test_the_first_screen_has_a_headline_and_three_telling_edits(self, html: str, view: ReportView) -> None:
        first = html[html.index('<section class="first') : html.index("</section>")]
        assert first.count("<h1 ") == 1
        assert first.count('<article class="edit">') == 3
        assert "<ins>" in first


class TestPolicy:
    def test_scripts_and_style_are_allowed_by_hash_only(self, html: str, parsed: Page) -> None:
        (policy,) = (a["content"] for _, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy")
        assert policy
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert "http" not in policy
        allowed = set(re.findall(r"'sha256-([^']+)'", policy))
        style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
        assert style
        for text in (style[1], *parsed.scripts[1:]):
            assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in allowed
        assert len(allowed) == 3

    def test_nothing_is_fetched_and_nothing_is_handled_inline(self, parsed: Page) -> None:
        for tag, found in parsed.elements:
            assert tag not in ("iframe", "object", "embed", "base", "form", "img", "audio", "video"), tag
            assert not [name for name in found if name.startswith("on") or name in ("src", "srcset", "style")], tag
            assert (found.get("href") or "#").startswith(("#", "data:,")), found


def renamed(run: RunRecord, text: str) -> ReportView:
    """The run with hostile names and texts everywhere."""

    def bad(e: Estimate) -> Estimate:
        return msgspec.structs.replace(e, slice={**e.slice, "model": f"{e.slice['model']} {text}"})

    examples = [
        msgspec.structs.replace(
            e,
            case=msgspec.structs.replace(e.case, premise=text + e.case.premise, hypothesis=LONG, group={text: text}),
            answers={f"{model} {text}": answer for model, answer in e.answers.items()},
        )
        for e in run.examples
    ]
    changed = msgspec.structs.replace(
        run,
        models=tuple(msgspec.structs.replace(m, model=f"{m.model} {text}", notes=(text,)) for m in run.models),
        suites={
            name: msgspec.structs.replace(
                each,
                source=msgspec.structs.replace(each.source, name=text, notes=(text,), skipped={text: 1}),
                skips={text: {text: 3}},
            )
            for name, each in run.suites.items()
        },
        examples=tuple(examples),
        cards={"stress": {text: text}},
        about={f"{m.model} {text}": text for m in run.models},
    )
    return view_of([with_estimates(changed, *map(bad, run.estimates))])


class TestHostileText:
    def test_markup_is_shown_and_never_obeyed(self, run: RunRecord, parsed: Page) -> None:
        seen, usual = Page(page(renamed(run, HOSTILE))), Page(page(renamed(run, "x")))
        # Long names may be broken into lines, at places that depend on the name.
        found, expected = ([tag for tag, _ in each.elements if tag != "wbr"] for each in (seen, usual))
        assert found == expected
        assert len(seen.scripts) == len(parsed.scripts) == 3
        assert seen.scripts[1:] == parsed.scripts[1:]
        assert "alert(1)" in seen.text
        assert "\u202e" not in seen.text
        assert not any("\u202e" in json.dumps(case, ensure_ascii=False) for case in seen.cases)
        assert r"\u202e" in seen.text
        assert "{{ 7 * 7 }}" in seen.text

    @settings(max_examples=8)
    @given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
    def test_no_text_changes_the_elements(self, run: RunRecord, text: str) -> None:
        few = run.find("accuracy", family="negation").values()
        small = msgspec.structs.replace(run, estimates=tuple(few), examples=run.examples[:2])
        plain = [tag for tag, _ in Page(page(renamed(small, "x"))).elements]
        assert [tag for tag, _ in Page(page(renamed(small, text))).elements] == plain


def test_no_two_models_look_the_same() -> None:
    rows = [{"name": f"model-{rank}", "rank": rank} for rank in range(20)]
    assert len({*by_model(rows)["scale"]["range"]}) == len(rows)


@pytest.mark.parametrize(
    ("families", "shown"), [(["spelling:keyboard"], 0), (["spelling:keyboard", "spelling:adjacent-swap"], 2)]
)
def test_a_variant_that_is_alone_is_not_told_twice(tmp_path: Path, families: list[str], shown: int) -> None:
    record = assay.run(
        assay.read("bundled", limit=9), families=families, models="assay:majority", out=tmp_path, cache=False
    )
    assert len(variants(view_of([record])).rows) == shown


def test_every_figure_of_a_heatmap_can_be_read() -> None:
    colours = [fill(share / 100) for share in range(101)]
    assert min(contrast(ink(colour), colour) for colour in colours) >= 4.5
