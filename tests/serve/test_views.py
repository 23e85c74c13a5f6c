"""The views: figures are the record's, every filter lets through what it says, and hostile text stays text."""

import csv
import html
import io
import json
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import numpy
import pytest
from starlette.testclient import TestClient
from tests.conftest import Planted
from tests.fixtures.web import HOST, HOSTILE, TOKEN, ClaimsClient, checker, claim_rows

import assay
from assay.core import registry
from assay.core.case import Case
from assay.core.comparison import ComparedSlice, Comparison
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS, LabelNames
from assay.evaluate.margin import noninferiority_p, smallest_margin
from assay.evaluate.model_comparison import compared_shares, judge_differences
from assay.evaluate.paired import paired_shares
from assay.gate.metric_rules import check, rule
from assay.reports.claims_comparison import as_false_support
from assay.reports.formatting import FEWEST_SHOWN, as_written
from assay.reports.headline import headlines
from assay.reports.tables.comparison_tables import outcome_words
from assay.reports.threshold_points import ThresholdPoint, first_within, nearest, points_of, threshold_within
from assay.reports.view import view_of
from assay.run.case_index.case_filter import CaseFilter, FilteredCases
from assay.run.case_index.case_index import CaseIndex, IndexedCase
from assay.run.case_index.index_builder import build_index
from assay.run.compare_runs import compare_runs
from assay.serve import jobs
from assay.serve.access_tokens import Role
from assay.serve.addresses import compare_link
from assay.serve.application import make_application
from assay.serve.facet_words import facet_words
from assay.serve.model_differences import differences
from assay.serve.run_view import metrics_of, run_view
from assay.serve.served_runs import RunNotes, RunOverview, tell_apart
from assay.serve.site import Site
from assay.serve.views.compare_models import (
    _elsewhere,
    _fall_words,
    _verdict,
    dropped_labels,
    undecided_words,
)
from assay.serve.views.threshold_view import _marks, cheapest_at, propose_gate
from assay.serve.views.web_api import CaseList, CaseOnList, RunOnList
from assay.storage.suite import Suite


@pytest.fixture
def index(site: Site, run: RunOverview) -> CaseIndex:
    return CaseIndex(build_index(run.folder), run.folder, run.record)


def visible(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def owner_of(folder: Path) -> TestClient:
    """The owner's browser at a folder."""
    site = Site(folder, port=80)
    person = site.access.admit(TOKEN, "owner", Role.OWNER)
    return TestClient(make_application(site, hosts={HOST}), cookies={site.cookie: person.session})


def test_figures_in_the_index_are_those_of_the_record(index: CaseIndex, run: RunOverview) -> None:
    checked = 0
    for each in run.record.estimates:
        where = dict(each.slice)
        model = where.pop("model")
        if each.value is not None and model in index.described.models:
            right = len(FilteredCases(index, CaseFilter(model=model, show="right", facets=where)))
            wrong = len(FilteredCases(index, CaseFilter(model=model, show="wrong", facets=where)))
            assert right + wrong == each.n
            assert right / each.n == pytest.approx(each.value)
            checked += 1
    assert checked > 30


def test_figures_on_the_pages_are_those_of_the_record(client: TestClient, run: RunOverview) -> None:
    shown, view = client.get("/").text, view_of([run.record])
    for (model, family), each in run.record.find("accuracy", ("model", "family"), suite="stress").items():
        assert each.value is not None
        assert f"{view.name(model)}, {family}: </span>{each.value * 100:.0f}</a>" in shown
    listed = msgspec.json.decode(client.get("/api/runs").content, type=list[RunOnList])
    assert listed[-1].accuracy == run.record.estimates


def test_counts_of_facets_are_those_of_the_cases(index: CaseIndex, run: RunOverview) -> None:
    counts = {each.value: each.n for each in FilteredCases(index, CaseFilter()).counts("family")}
    families: dict[str, int] = {}
    for manifest in run.record.suites.values():
        for family, labels in manifest.counts.items():
            families[family] = families.get(family, 0) + sum(labels.values())
    assert counts == families
    narrow = FilteredCases(index, CaseFilter(facets={"family": "negation", "label": "neutral"}))
    assert len(narrow) == next(each.n for each in narrow.counts("label") if each.value == "neutral")
    assert {each.value for each in narrow.counts("family")} > {"negation"}, "a facet ignores its own filter"


@pytest.mark.parametrize("show", ["wrong", "right", "flipped", "alone", "differ", "beats"])
def test_each_choice_of_answers_is_what_it_says(index: CaseIndex, show: str) -> None:
    one, other = "assay:hypothesis-words/v1", "assay:overlap/v1"
    choice = msgspec.convert({"model": one, "other": other, "show": show}, CaseFilter)
    chosen = {*FilteredCases(index, choice).ordered().tolist()}
    assert chosen
    for row in index.rows(range(len(index))):
        answer, gold = TWO_LABELS.read(row.answers[one].label), TWO_LABELS.read(row.case.compared_with)
        right = row.case.expects == "label" and answer is gold
        if row.case.label is not Label.NON_ENTAILMENT:
            right = row.case.expects == "label" and row.answers[one].label is row.case.label
        failed = row.failed
        is_chosen = {
            "wrong": failed[one],
            "right": right,
            "flipped": failed[one] and row.held[one],
            "alone": failed[one] and sum(failed.values()) == 1,
            "differ": row.answers[one].label is not row.answers[other].label,
            "beats": right and failed[other],
        }[show]
        assert is_chosen is (row.number in chosen), row


def test_words_phrases_and_beginnings_are_found(index: CaseIndex) -> None:
    def texts(words: str) -> list[str]:
        rows = index.rows(FilteredCases(index, CaseFilter(words=words)).ordered().tolist())
        return [f"{row.case.premise} {row.case.hypothesis}".lower() for row in rows]

    assert all("false is not true" in text for text in texts('"false is not true"'))
    assert len(texts('"false is not true"')) == len(FilteredCases(index, CaseFilter(facets={"family": "negation"})))
    assert all(re.search(r"\bfal", text) for text in texts("fal*"))
    assert texts('"not false is true" nothing-is-like-this') == []
    for strange in ('"', "AND", "a NEAR b", "x:y", "*", "(", "-", "'; DROP TABLE words;--", "\x00"):
        texts(strange)


def test_an_order_is_kept(index: CaseIndex) -> None:
    one, other = "assay:hypothesis-words/v1", "assay:overlap/v1"
    choice = CaseFilter(model=one, other=other, order="disagreement", down=True)
    rows = FilteredCases(index, choice).ordered()
    apart = index.disagreement(one, other, rows)
    assert (apart[:-1] >= apart[1:]).all()
    sure = [
        row.answers[one].probabilities
        for row in index.rows(FilteredCases(index, CaseFilter(order="confidence", model=one, down=True)).rows(0, 9))
    ]
    given = [max(each.values()) for each in sure if each]
    assert given == sorted(given, reverse=True)


def test_the_largest_differences_are_real(index: CaseIndex) -> None:
    one, other = "assay:majority/v1", "assay:hypothesis-words/v1"
    own, found = differences(index, one, other)
    assert not own, "these pairs are no claims"
    assert len(found) > 10
    sure = [each.is_significant for each in found]
    assert any(sure)
    assert sure == sorted(sure, reverse=True)
    for each in found:
        only = FilteredCases(index, CaseFilter(model=one, other=other, show="beats", facets=each.where))
        assert len(only) == each.only_one
        assert each.interval.low <= each.other - each.one <= each.interval.high


def numbered_claims() -> str:
    """Claims of which a third have a number; the answers to each kind depend on the model."""
    rows = ["id,evidence,claim,label"]
    for place in range(180):
        topic = "sport" if place % 2 else "town"
        said = f"the club of {topic} paid {place + 2} euros" if place % 3 == 0 else f"club{place} is in the {topic}"
        label = "supported" if place % 4 < 2 else "not supported"
        rows.append(f"c{place},evidence{place} about {topic} .,{said} .,{label}")
    return "\n".join(rows) + "\n"


def test_a_regression_on_one_kind_of_claims_shows_although_the_total_improves(tmp_path: Path) -> None:
    """The new model accepts every claim with a number, and is right on everything else."""
    source = tmp_path / "claims.csv"
    source.write_text(numbered_claims())
    labels = dict(line.rsplit(",", 2)[1:] for line in numbered_claims().splitlines()[1:])

    def new(pairs: list[tuple[str, str]]) -> list[float]:
        return [0.9 if "euros" in claim or labels.get(claim) == "supported" else 0.1 for _, claim in pairs]

    def old(pairs: list[tuple[str, str]]) -> list[float]:
        """Right on all numbers, and wrong on three of five others."""
        odd = ["euros" not in claim and int(re.sub(r"\D", "", claim) or 4) % 5 < 3 for _, claim in pairs]
        right = [labels.get(claim) == "supported" for _, claim in pairs]
        return [0.9 if one != other else 0.1 for one, other in zip(right, odd, strict=True)]

    models = {"old": old, "new": new}
    record = assay.run(source, families=("original",), models=models, out=tmp_path, cache=False)
    build_index(tmp_path / record.id)
    link = compare_link(*(f"{record.id}/{each.model}" for each in record.models))
    page = visible(html.unescape(owner_of(tmp_path).get(link).text.replace("&lt;", "")))
    assert "object:new is right more often than object:old" in page
    assert "false support: a number 0.0 100.0 +100.0 +77.3 to +100.0 0 30 30 0.001 worse" in page
    assert "recall: a number 100.0 100.0 +0.0 -11.4 to +11.4 0 0 30 1.000 not significant" in page
    assert "Accuracy on your claims: pass yes: a larger loss is excluded (one-sided" in page
    assert "they could only exclude a rise of 3.9 points" in page
    assert "At most 10% false support model threshold, certified recall threshold, on these claims recall" in page
    assert "object: new none - none -" in page, "too many numbers have the highest score"


def test_files_of_answers_are_called_after_their_files_once(tmp_path: Path) -> None:
    source = tmp_path / "claims.csv"
    source.write_text(numbered_claims())
    ids = [line.partition(",")[0] for line in numbered_claims().splitlines()[1:]]
    sides = []
    for name, score in (("old", 0.2), ("new", 0.9)):
        file = tmp_path / f"{name}.csv"
        file.write_text("id,score\n" + "".join(f"{each},{score}\n" for each in ids))
        made = assay.run(source, families=("original",), models=f"predictions:{file}", out=tmp_path, cache=False)
        sides.append(f"{made.id}/{made.models[0].model}")
    page = visible(owner_of(tmp_path).get(compare_link(*sides)).text).partition("Swap")[0]
    assert re.search(r"Baseline: old\.csv on claims\.csv ?, .* Candidate: new\.csv on claims\.csv ?, ", page)
    assert "predictions:" not in page


def test_a_case_shows_everything(client: TestClient, run: RunOverview, index: CaseIndex) -> None:
    number = FilteredCases(index, CaseFilter(facets={"family": "negation"})).rows(0, 1)[0]
    row = index.row(number)
    text = visible(client.get(f"/runs/{run.record.id}/cases/{number}").text)
    for expected in (row.case.premise, row.case.id, row.case.origin, "and false is not true", "original", "Right: "):
        assert expected in text
    for model in ("majority", "hypothesis-words", "overlap"):
        assert model in text


def test_exports_are_what_is_shown(client: TestClient, run: RunOverview, index: CaseIndex, site: Site) -> None:
    query = "family=negation&label=neutral"
    chosen = FilteredCases(index, CaseFilter(facets={"family": "negation", "label": "neutral"}))
    lines = client.get(f"/runs/{run.record.id}/cases.jsonl?{query}").content.splitlines()
    cases = [msgspec.convert(msgspec.json.decode(line)["case"], Case) for line in lines]
    assert cases == [row.case for row in index.rows(chosen.ordered().tolist())]
    table = [*csv.DictReader(io.StringIO(client.get(f"/runs/{run.record.id}/cases.csv?{query}").text))]
    assert [each["id"] for each in table] == [case.id for case in cases]
    answer = client.post(f"/runs/{run.record.id}/suite?{query}", data={"name": f"Mine {time.time_ns()}"})
    assert answer.status_code == 200
    (place,) = re.findall(r"<code>(suites/[\w-]+)</code>", answer.text)
    suite = Suite.open(site.folder / place)
    assert [*suite] == cases
    assay.verify(suite.folder)


def test_a_table_has_the_words_and_the_numbers_of_the_page(tmp_path: Path) -> None:
    source = tmp_path / "claims.csv"
    source.write_text(claim_rows())
    record = assay.run(source, families=("negation",), models="assay:hypothesis-words", out=tmp_path, cache=False)
    browser, here, name = owner_of(tmp_path), f"/runs/{record.id}/cases", "hypothesis-words (baseline)"
    table = [*csv.DictReader(io.StringIO(browser.get(f"{here}.csv").text))][:20]
    shown = re.findall(
        r'Right: <b>(.*?)</b>.*?<b>(.*?)</b> <span class="by">.*?</span> <span class="quiet">(\d+)%',
        browser.get(here).text,
        re.DOTALL,
    )
    sure = [float(each[f"{name} probability of its answer"]) for each in table]
    told = zip(table, sure, strict=True)
    assert [(each["label"], each[f"{name} answer"], f"{100 * of:.0f}") for each, of in told] == shown
    support = [float(each[f"{name} probability of supported"]) for each in table]
    added = [
        one + other
        for each, one, other in zip(table, sure, support, strict=True)
        if each[f"{name} answer"] != "supported"
    ]
    assert added == pytest.approx([1.0] * len(added), abs=1e-4)
    assert added
    assert {"evidence", "claim"} <= {*table[0]}


def test_a_filter_is_saved_under_a_name(client: TestClient, run: RunOverview, site: Site) -> None:
    answer = client.post(f"/runs/{run.record.id}/slices?family=negation&show=wrong", data={"name": "my slice"})
    assert answer.status_code == 303
    assert site.slices.get("my slice").facets == {"family": "negation"}
    assert "my slice</a>" in client.get(answer.headers["location"]).text
    refused = client.post(f"/runs/{run.record.id}/slices?family=negation", data={"name": "../x"})
    assert refused.status_code == 422


def test_no_answer_to_a_swapped_case_is_called_right_or_wrong(client: TestClient, run: RunOverview) -> None:
    """Its label is not claimed: not in a list, not on the page of a case, and not for a pair that is tried."""
    cases = client.get(f"/runs/{run.record.id}/cases?family=swap").text
    assert "no answer is called right or wrong" in cases
    assert not re.search(r'<li class="(good|bad)', cases)
    assert re.search(r'<li class="(good|bad)', client.get(f"/runs/{run.record.id}/cases?family=negation").text)
    case = re.search(r'href="([^"]*/cases/[0-9]+)', cases)
    assert case
    assert not re.search(r'<td class="(fine|bad)', client.get(case[1]).text)
    pair = {"premise": "A cook fries two eggs.", "hypothesis": "Nobody fries eggs.", "label": "contradiction"}
    tried = client.post("/try", data={**pair, "do": "stress"}).text
    swapped = tried[tried.index('class="family" title="Swaps') :].partition("</article>")[0]
    assert "contradiction should hold; no answer is called right or wrong" in swapped
    assert not re.search(r'<li class="(good|bad)', swapped)


def test_a_pair_is_tried_and_kept(client: TestClient, site: Site) -> None:
    pair = {"premise": "A cook fries two eggs.", "hypothesis": "A cook fries eggs.", "label": "entailment"}
    text = visible(client.post("/try", data={**pair, "do": "stress"}).text)
    for expected in ("overlap", "Words that carry the answer", "negation", "false is not true"):
        assert expected in text
    for _ in range(2):
        assert client.post("/try", data={**pair, "do": "keep"}).status_code == 200
    (case,) = Suite.open(site.folder / "suites/my-pairs")
    assert (case.premise, case.label) == (pair["premise"], Label.ENTAILMENT)


def test_a_run_is_started_and_told_about(client: TestClient, site: Site) -> None:
    before = len(site.runs.readable())
    form = {"source": "bundled", "sample": "30", "family:negation": "1", "model:assay:overlap": "1"}
    assert client.post("/start", data=form).status_code == 303
    events = client.get("/start/1/events").text
    assert '"state": "done"' in events
    assert '"stage": "Measuring"' in events
    assert '"whole": 1.0' in events
    assert len(site.runs.readable()) == before + 1
    assert client.post("/start", data={"source": "../../etc", "model:assay:overlap": "1"}).status_code == 422
    sent = client.post("/start", data={"source": "bundled", "model:cmd:true": "1"})
    assert "no_model" in sent.headers["location"], "a model that is not offered is none"
    assert len(site.jobs.all()) == 1


OWN = "claim,evidence,label\n" + "".join(
    f"A cook fries {number} eggs.,A cook fries {number} eggs in a pan.,{('supported', 'not supported')[number % 2]}\n"
    for number in range(2, 22)
)
"""Claims with two labels."""


def test_a_run_on_ones_own_file_is_the_command_of_the_shell(client: TestClient, site: Site, planted: Planted) -> None:
    """Also in a folder with modules that are called like those of the standard library."""
    (site.folder / "corpora").mkdir(exist_ok=True)
    (site.folder / "corpora" / "claims.csv").write_text(OWN)
    form = {"source": "corpus:corpora/claims.csv", "family:negation": "1", "model:assay:overlap": "1"}
    client.post("/start", data={**form, "two_way": "two-way"})
    assert '"state": "done"' in client.get("/start/1/events").text
    job = site.jobs.get("1")
    assert job.words[-1] == "--two-way"
    record = site.runs.get(job.run).record
    assert record.suites["stress"].source.name == "claims.csv"
    assert record.spec.two_way is True
    assert planted.imported() == []


def test_a_file_is_dropped_previewed_and_run_under_a_name(client: TestClient, site: Site) -> None:
    for _ in range(2):  # the same file twice is one file
        answer = client.post("/api/corpora", content=OWN.encode(), headers={"x-file-name": "..%2FMy%20claims.csv"})
        source = answer.json()["source"]
        assert source == "corpus:corpora/my-claims.csv"
    other = client.post(
        "/api/corpora", content=OWN.encode() + b"x,y,supported\n", headers={"x-file-name": "my claims.csv"}
    )
    assert other.json()["source"] == "corpus:corpora/my-claims-2.csv"
    text = visible(client.get("/start", params={"source": source}).text)
    assert "20 pairs of 20 rows" in text
    assert "not supported 10" in text
    assert "A cook fries 2 eggs in a pan." in text
    assert "columns were read as premise=evidence, hypothesis=claim" in text
    assert "overrides" not in text, "the page has fields for that"
    form = {"source": source, "family:negation": "1", "model:assay:overlap": "1", "name": "My first"}
    client.post("/start", data=form)
    assert '"state": "done"' in client.get("/start/1/events").text
    run = site.jobs.get("1").run
    assert site.runs.get(run).name == "My first"
    page = client.get("/start").text
    assert f'<a class="button main" href="/runs/{run}">See the results</a>' in page
    assert "<progress" not in page


def test_the_form_keeps_what_was_chosen(client: TestClient, site: Site) -> None:
    source = client.post("/api/corpora", content=OWN.encode(), headers={"x-file-name": "kept.csv"}).json()["source"]
    chosen = {"source": source, "sample": "12", "family:negation": "1", "model:assay:overlap": "1", "seed": "3"}
    answer = client.post("/start", data={**chosen, "two_way": "two-way", "name": "Once", "csrf": "secret"})
    assert "secret" not in answer.headers["location"]
    page = client.get(answer.headers["location"]).text
    for name in ("family:negation", "model:assay:overlap"):
        assert f'name="{name}" value="1" checked' in page
    assert page.count(" checked") == 2
    for name, value in (("sample", "12"), ("seed", "3")):
        assert re.search(rf'name="{name}"[^>]* value="{value}"', page)
    assert "<option selected>two-way" in page
    assert 'value="Once"' not in page
    assert "kept.csv is chosen" in visible(page)
    assert page.index('name="sample"') < page.index("More options"), "the size is in sight"
    assert '"state": "done"' in client.get("/start/1/events").text


def test_a_file_that_cant_be_read_says_why_and_takes_columns(client: TestClient) -> None:
    odd = OWN.replace("claim,evidence,label", "one,two,three").encode()
    source = client.post("/api/corpora", content=odd, headers={"x-file-name": "odd.csv"}).json()["source"]
    page = client.get("/start", params={"source": source}).text
    assert "Choose above what its columns and labels mean." in page
    assert "--columns" not in page, "the page has fields for that"
    assert '<button type="submit" disabled>Start' in page
    named = {"source": source, "premise": "two", "hypothesis": "one", "label": "three"}
    found = client.get("/start", params=named).text
    assert "20 pairs of 20 rows" in visible(found)
    assert 'name="columns" value="premise=two, hypothesis=one, label=three"' in found
    refused = client.post("/api/corpora", content=b"#!/bin/sh", headers={"x-file-name": "x.sh"})
    assert refused.status_code == 422
    assert "not a table of pairs" in refused.json()["error"]
    assert "(" not in refused.json()["hint"]
    empty = client.post("/api/corpora", content=b"\n", headers={"x-file-name": "x.csv"})
    assert empty.status_code == 422
    assert "empty" in empty.json()["error"]


def test_a_column_of_groups_is_offered_and_read_if_it_is_chosen(client: TestClient) -> None:
    head, *rows = OWN.strip().split("\n")
    lines = [f"{head},topic", *(f"{row},{('sea', 'land')[place % 2]}" for place, row in enumerate(rows))]
    sent = client.post("/api/corpora", content="\n".join(lines).encode(), headers={"x-file-name": "t.csv"})
    page = client.get("/start", params={"source": (source := sent.json()["source"])}).text
    assert "column 'topic' is not read: 2 values" in html.unescape(page)
    assert 'name="group:topic" value="topic">' in page
    found = client.get("/start", params={"source": source, "group:topic": "topic"}).text
    assert 'name="group:topic" value="topic" checked>' in found
    assert 'name="columns" value="topic=topic"' in found
    assert "is not read" not in found


def test_a_file_without_labels_says_so_once(client: TestClient) -> None:
    bare = OWN.replace(",label", ",topic").encode()
    source = client.post("/api/corpora", content=bare, headers={"x-file-name": "bare.csv"}).json()["source"]
    shown = visible(client.get("/start", params={"source": source}).text)
    assert shown.count("There is no label column. Choose one above.") == 1
    assert "gold_label" not in shown
    found = client.get("/start", params={"source": source, "label": "topic"}).text
    assert "20 pairs of 20 rows" in visible(found)


def test_the_form_offers_named_models_and_all_that_come_with_assay(client: TestClient, tmp_path: Path) -> None:
    page = client.get("/start").text
    offered = re.findall(r'name="model:([^"]+)"', page)
    assert offered[0] == "assay:overlap", "the one that was named at the start"
    assert len(offered) == len({*offered})
    own = {f"assay:{name.partition('/')[0]}" for name in registry.models.newest()} - {"assay:contrarian"}
    assert own == {*offered}, "without models of plug-ins, which nobody named"
    assert page.index("more that come with Assay") < page.index('name="model:assay:spinn"')


def test_a_form_without_a_model_is_refused_where_it_is(client: TestClient, site: Site) -> None:
    sent = client.post("/start", data={"source": "bundled", "sample": "30", "family:negation": "1"})
    assert sent.status_code == 303
    page = client.get(sent.headers["location"]).text
    assert "No model is chosen. Choose one or more." in visible(page)
    assert re.search(r'name="sample"[^>]* value="30"', page)
    assert not re.search(r'name="model:[^"]+" value="1" checked', page)
    assert site.jobs.all() == []


def test_a_stopped_run_leaves_the_form_as_it_is(client: TestClient) -> None:
    client.post("/start", data={"source": "bundled", "sample": "30", "model:assay:overlap": "1"})
    given = {"do": "stop", "kept": "sample=40&family%3Anegation=1&model%3Aassay%3Aspinn=1&csrf=secret"}
    there = client.post("/start/1", data=given).headers["location"]
    assert "secret" not in there
    page = client.get(there).text
    assert re.search(r'name="sample"[^>]* value="40"', page)
    for name in ("family:negation", "model:assay:spinn"):
        assert f'name="{name}" value="1" checked' in page
    assert 'name="kept" value="' in page


def test_lines_are_pasted(client: TestClient) -> None:
    answer = client.post("/start/paste", data={"text": OWN.replace("\n", "\r\n"), "name": "mine"})
    assert answer.status_code == 303
    assert "20 pairs of 20 rows" in visible(client.get(answer.headers["location"]).text)


def test_the_page_shows_why_a_run_failed(client: TestClient, site: Site) -> None:
    form = {"source": "bundled", "sample": "3", "family:negation": "1", "model:assay:overlap": "1"}
    client.post("/start", data=form)
    assert '"state": "failed"' in client.get("/start/1/events").text
    fact, hint = site.jobs.get("1").lines
    assert fact.startswith("--sample 3: ")
    assert re.fullmatch(r"  Ask for \d+ or more\.", hint)
    assert f"{fact}\n{hint}" in html.unescape(client.get("/start").text)


def test_the_queue_has_an_end_and_forgets_old_jobs(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.jobs, "_work", lambda: None)
    for _ in range(jobs.MOST_WAITING):
        site.jobs.start([])
    with pytest.raises(UserError, match="20 runs are waiting already"):
        site.jobs.start([])
    for _ in range(jobs.MOST_LISTED):
        site.jobs.stop(site.jobs.all()[0])
        newest = site.jobs.start([])
    listed = site.jobs.all()
    assert len(listed) == jobs.MOST_LISTED
    assert listed[0] is newest
    assert sum(each.state == "waiting" for each in listed) == jobs.MOST_WAITING


def test_a_run_that_waits_can_be_stopped_and_continued(client: TestClient, site: Site) -> None:
    form = {"source": "bundled", "sample": "30", "family:negation": "1", "model:assay:overlap": "1"}
    for _ in range(2):
        client.post("/start", data=form)
    client.post("/start/2", data={"do": "stop"})
    assert site.jobs.get("2").state == "stopped"
    client.post("/start/2", data={"do": "resume"})
    assert '"state": "done"' in client.get("/start/3/events").text


def test_a_run_gets_a_name_notes_and_tags_and_keeps_its_seal(client: TestClient, run: RunOverview) -> None:
    here = f"/runs/{run.id}"
    before = (run.folder / "record.json").read_bytes()
    given = {"name": " A  baseline ", "notes": "First\r\nline <b>", "tags": "nightly, release,, nightly"}
    assert client.post(f"{here}/notes", data=given).status_code == 303
    for page in (client.get(here), client.get("/"), client.get(f"{here}/cases"), client.get("/?tag=release")):
        assert "A baseline" in page.text
    assert "First\nline &lt;b&gt;" in client.get(here).text
    assert "A baseline" not in client.get("/?tag=no-such-tag").text
    assert (run.folder / "record.json").read_bytes() == before
    assay.verify(run.folder)
    assert client.post(f"{here}/notes", data={"name": "x" * 81}).status_code == 422
    client.post(f"{here}/notes", data={})
    assert "A baseline" not in client.get("/").text


def test_damaged_notes_hide_nothing(client: TestClient, run: RunOverview) -> None:
    (run.folder / "notes.json").write_text("{")
    assert client.get(f"/runs/{run.id}").status_code == 200
    (run.folder / "notes.json").unlink()


def test_the_page_of_claims_starts_with_their_numbers(claims: ClaimsClient) -> None:
    text = visible(claims.get(claims.run).text)
    record = claims.record
    (model,) = [each.model for each in record.models]
    for name in ("accuracy", "false-support", "roc-auc"):
        value = record.find(name, ("family",), model=model)[("original",)].value
        assert value is not None
        assert f"{100 * value:.1f}" in text[: text.index("By family") if "By family" in text else 1500]
    assert "not supported" in text
    assert "non-entailment" not in text[:1500]


def test_a_run_is_shared_as_one_file(claims: ClaimsClient) -> None:
    (link,) = re.findall(r'href="([^"]+)" download', claims.get(claims.run).text)
    sent = claims.get(link)
    assert re.fullmatch(r'attachment; filename="[\w-]+\.html"', sent.headers["content-disposition"])
    assert "not supported" in visible(sent.text)
    assert not re.findall(r'(?:src|href)="(?!#|data:)', sent.text), "the file needs no server"
    assert str(claims.folder) not in sent.text
    shown = visible(sent.text)
    for metric in metrics_of(run_view(claims.record), claims.record.id, claims.record.models[0].model):
        assert f"{metric.name} {metric.value} {metric.note}" in shown, "the cards of the page"
    (run,) = Site(claims.folder, port=80).runs.readable()
    assert shown.index(run.name) < shown.index("False support")
    assert not re.findall(r"assay (?:show|report|run|verify)", sent.text.split("<script>")[0])
    examples = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', sent.text)[0])
    wrong = FilteredCases(claims.index, CaseFilter(show="wrong", order="worst")).rows(0, 20)
    assert len(wrong) == 20
    held = [case["facts"]["id"] for case in examples["examples"]["cases"]]
    assert held == [row.case.id for row in claims.index.rows(wrong)], "the worst, in the order of the page"
    assert examples["examples"]["worst"] == {claims.record.models[0].model: [*range(20)]}
    assert "verify" not in json.dumps(examples)


def test_a_comparison_is_shared_as_one_file(client: TestClient, run: RunOverview, site: Site) -> None:
    one, other = (f"{run.id}/{model.model}" for model in run.record.models[:2])
    page = client.get("/compare", params={"of": [one, other]}).text
    (link,) = re.findall(r'href="([^"]+)" download', page)
    sent = client.get(html.unescape(link))
    assert re.fullmatch(r'attachment; filename="[\w-]+\.html"', sent.headers["content-disposition"])
    for words in outcome_words(
        compare_runs([run.folder], models=(one.partition("/")[2], other.partition("/")[2]), margin=0.03).comparisons[0]
    ):
        assert words in html.unescape(visible(sent.text))
    assert not re.findall(r'(?:src|href)="(?!#|data:)', sent.text), "the file needs no server"
    assert str(site.folder) not in sent.text
    assert client.get("/compare/report.html", params={"of": one}).status_code == 422


def test_each_model_of_a_run_leads_to_its_own_failures(tmp_path: Path) -> None:
    source = tmp_path / "claims.csv"
    source.write_text(claim_rows())
    models = {"one": checker, "other": checker}
    record = assay.run(source, families=("negation", "heuristics"), models=models, out=tmp_path, cache=False)
    page = html.unescape(owner_of(tmp_path).get(f"/runs/{record.id}").text)
    for name in (each.model for each in record.models):
        (link,) = re.findall(rf'<a class="button main" href="([^"]+)">Worst failures of {name}</a>', page)
        assert f"model={quote(name)}&" in link
        (threshold,) = re.findall(rf'<a class="button" href="([^"]+)">Choose a threshold for {name}</a>', page)
        assert threshold.endswith(f"model={quote(name)}")
        shown = visible(owner_of(tmp_path).get(link).text)
        assert "claims.csv and its edits only; cases from templates are left out." in shown


def test_the_threshold_view_shows_the_records_numbers_and_what_flips(claims: ClaimsClient) -> None:
    (curve,) = [each for each in claims.record.support if each.slice["family"] == "original"]
    at = next(each.threshold for each in curve.certified if each.threshold is not None)
    page = claims.get(f"{claims.run}/threshold?at={at}").text
    text = visible(page)
    certified = next(each for each in curve.certified if each.threshold == at)
    assert certified.false_support is not None
    assert certified.recall is not None
    assert f"{as_written(at)} {100 * certified.recall:.1f}%" in text
    assert f"claims.false-support<={certified.bound:g} at threshold={as_written(at)}" in html.unescape(page), (
        "a gate that it can keep"
    )
    lowest = visible(claims.get(f"{claims.run}/threshold?at=0").text)
    assert "No bound on false support is certified at 0," in lowest
    assert "assay gate" not in lowest
    assert curve.threshold is not None
    rows = [row for row in claims.index.rows(range(len(claims.index))) if row.case.family == "original"]
    for label, name in ((Label.ENTAILMENT, "supported"), (Label.NON_ENTAILMENT, "not supported")):
        flips = [row for row in rows if row.case.label is label and curve.threshold <= _score(row) < at]
        assert (f"{len(flips)} {name} stop passing" in text) == bool(flips)
    own = claims.get(f"{claims.run}/threshold?at={curve.threshold}").text
    assert "the model's own answers let the same claims pass" in visible(own)
    assert claims.get(f"{claims.run}/threshold?at=high").status_code == 422


def test_cards_lists_and_the_threshold_view_count_the_same_answers(tmp_path: Path) -> None:
    """The most probable of three labels often has a score below 0.5: no page may count another answer than the rest."""
    source = tmp_path / "claims.csv"
    source.write_text(claim_rows())
    record = assay.run(source, families=("negation",), models={"three": _of_three}, out=tmp_path, cache=False)
    site = Site(tmp_path, port=80)
    person = site.access.admit(TOKEN, "owner", Role.OWNER)
    browser = TestClient(make_application(site, hosts={HOST}), cookies={site.cookie: person.session})
    index = CaseIndex(build_index(tmp_path / record.id), tmp_path / record.id, record)
    rows = [row for row in index.rows(range(len(index))) if row.case.family == "original"]
    page = html.unescape(browser.get(f"/runs/{record.id}").text)
    for title, label in (("False support", Label.NON_ENTAILMENT), ("Recall", Label.ENTAILMENT)):
        own = [row for row in rows if row.case.label is label]
        passed = [row for row in own if next(iter(row.answers.values())).label is Label.ENTAILMENT]
        assert 0 < sum(_score(row) < 0.5 for row in passed) < len(passed)
        found = re.search(rf'<a href="([^"]*)"><span class="what">{title}</span> <b>([\d.]+)%', page)
        assert found
        assert found[2] == f"{100 * len(passed) / len(own):.1f}"
        assert f"<b>{len(passed)}</b> case" in browser.get(found[1]).text
        threshold = browser.get(f"/runs/{record.id}/threshold?at=0.5").text
        assert f"now {found[2]}%" in visible(threshold)
        stop = sum(_score(row) < 0.5 for row in passed)
        name = "supported" if label is Label.ENTAILMENT else "not supported"
        assert f"{stop} {name} stop passing" in visible(threshold)
    (accuracy,) = record.find("accuracy", ("model",), family="original").values()
    assert accuracy.value == sum(_is_right(row) for row in rows) / len(rows)


def _of_three(pairs: list[tuple[str, str]]) -> list[dict[str, float]]:
    """Supported with a score of 0.9, 0.42 or 0.1."""
    scores = [(0.9, 0.42, 0.1)[len(claim) % 3] for _, claim in pairs]
    return [{"entailment": score, "neutral": (1 - score) / 2, "contradiction": (1 - score) / 2} for score in scores]


def _is_right(row: IndexedCase) -> bool:
    ((answer,),) = [row.answers.values()]
    return (answer.label is Label.ENTAILMENT) == (row.case.label is Label.ENTAILMENT)


def _score(row: IndexedCase) -> float:
    ((answer,),) = [row.answers.values()]
    return (answer.probabilities or {})[Label.ENTAILMENT]


def test_every_bar_of_the_threshold_view_leads_to_its_claims(claims: ClaimsClient) -> None:
    page = html.unescape(claims.get(f"{claims.run}/threshold").text)
    bars = re.findall(r'<a href="([^"]*)" tabindex="-1"><title>([\d,]+) ', page)
    (curve,) = [each for each in claims.record.support if each.slice["family"] == "original"]
    assert sum(int(n.replace(",", "")) for _, n in bars) == curve.n
    for link, n in bars:
        assert f"<b>{n}</b> case" in claims.get(link).text


def test_a_threshold_is_chosen_by_the_cost_of_its_mistakes(claims: ClaimsClient) -> None:
    (measured,) = [each for each in claims.record.support if each.slice["family"] == "original"]
    curve = msgspec.structs.replace(measured, n=200, supported=100)
    points = [
        ThresholdPoint(at, {"false-support": (passing, None, None), "recall": (recall, None, None)})
        for at, passing, recall in ((0.2, 0.5, 1.0), (0.5, 0.2, 0.8), (0.9, 0.0, 0.3))
    ]
    chosen = [cheapest_at(points, curve, cost) for cost in (0.1, 1, 10)]
    assert chosen == points, "a costly false support asks for a high threshold"
    text = visible(claims.get(f"{claims.run}/threshold?cost=5").text)
    said = re.search(r"Then ([\d.]+) costs least on these claims", text)
    assert said
    assert f"Threshold {said[1]} " in text
    assert claims.get(f"{claims.run}/threshold?cost=0").status_code == 422


def test_a_run_without_scores_has_no_threshold(client: TestClient, run: RunOverview) -> None:
    assert client.get(f"/runs/{run.id}/threshold").status_code == 404


def test_the_worst_come_first_and_false_support_before_all(claims: ClaimsClient, index: CaseIndex) -> None:
    model = "assay:hypothesis-words/v1"
    rows = [*index.rows(FilteredCases(index, CaseFilter(model=model, order="worst")).ordered().tolist())]
    kinds = [(not row.failed[model], row.source is not None and not row.held[model]) for row in rows]
    wrong = [kind for kind in kinds if not kind[0]]
    assert kinds[: len(wrong)] == sorted(wrong), "wrong ones first, copies of a pair that was wrong before after them"
    assert len({*wrong}) == 2
    own = claims.index
    (checker,) = own.described.models
    found = [*own.rows(FilteredCases(own, CaseFilter(order="worst", show="wrong")).ordered().tolist())]
    answers = [TWO_LABELS.read(row.answers[checker].label) for row in found]
    assert answers == sorted(answers, key=lambda answer: answer is not Label.ENTAILMENT)
    assert len({*answers}) == 2


def test_confidence_is_sorted_by_its_exact_value_not_by_whole_percent(index: CaseIndex) -> None:
    model = "assay:hypothesis-words/v1"
    rows = FilteredCases(index, CaseFilter(model=model, order="worst", show="wrong")).ordered().tolist()
    for is_new in (True, False):
        part = [row.number for row in index.rows(rows) if (row.source is None or bool(row.held[model])) is is_new]
        exact = index.of_model("confidence", model)[part].tolist()
        assert exact == sorted(exact, reverse=True)
        assert len({round(share, 2) for share in exact}) < len({*exact})


def test_equally_bad_answers_are_of_different_families_and_pairs_first(index: CaseIndex) -> None:
    model = "assay:majority/v1"
    chosen = FilteredCases(index, CaseFilter(model=model, order="worst", show="wrong"))
    every = [*index.rows(chosen.ordered().tolist())]
    new = [row for row in every if row.source is None or row.held[model]]
    families = {row.case.family for row in new}
    first = every[: len(families)]
    assert len(families) > 2
    assert {row.case.family for row in first} == families, "all answers of this model are equally confident"
    assert len({row.case.origin for row in first}) == len(first)
    assert chosen.rows(5, 5) == [row.number for row in every[5:10]], "the second page goes on"


def test_confidence_falls_across_the_pages_of_each_part_of_the_worst(claims: ClaimsClient) -> None:
    parts: dict[str, list[float]] = {}
    number = 0
    while (page := claims.get(f"{claims.run}/cases?show=wrong&order=worst&page={(number := number + 1)}").text).count(
        'class="case"'
    ):
        first, *others = re.split(r'<li class="section"><h2>(.*?)</h2>', page)
        assert 'class="case"' not in first, "each page says in which part it begins"
        for name, text in zip(others[::2], others[1::2], strict=True):
            parts.setdefault(name, []).extend(
                map(float, re.findall(r'class="by">[^<]*</span> <span class="quiet">(\d+)%', text))
            )
    assert number > 3
    assert next(iter(parts)) == "False support, the most confident first"
    assert sum(map(len, parts.values())) == len(FilteredCases(claims.index, CaseFilter(show="wrong")))
    for shares in parts.values():
        assert shares == sorted(shares, reverse=True)


def test_facets_and_their_values_are_in_ordinary_words(client: TestClient, run: RunOverview, index: CaseIndex) -> None:
    text = visible(client.get(f"/runs/{run.id}/cases").text)
    for words in ("Sentence pattern The construction of these sentences.", "Replaced word The word of the source pair"):
        assert words in text
    assert "ln_" not in text
    assert "subject/object swap: shared words mislead" in text
    made = [facet for facet in index.groups if facet.removeprefix("group.") in ("old", "new", "subcase", "template")]
    assert made
    assert all(facet_words(facet).about for facet in made)


def test_a_case_leads_to_the_next_in_its_list(client: TestClient, run: RunOverview, index: CaseIndex) -> None:
    rows = FilteredCases(index, CaseFilter(facets={"family": "negation"}, order="length")).ordered().tolist()
    here = f"/runs/{run.id}/cases"
    page = client.get(f"{here}/{rows[1]}?family=negation&order=length&at=1").text
    assert f'rel="prev" href="{here}/{rows[0]}?family=negation&amp;order=length&amp;at=0"' in page
    assert f'rel="next" href="{here}/{rows[2]}?family=negation&amp;order=length&amp;at=2"' in page
    assert f"2 of {len(rows):,}" in visible(page)
    last = client.get(f"{here}/{rows[-1]}?family=negation&order=length&at={len(rows) - 1}").text
    assert 'rel="prev"' in last
    assert 'rel="next"' not in last
    for stale in (f"{rows[1]}?family=negation&order=length&at=7", f"{rows[1]}?at=x", f"{rows[1]}"):
        assert 'class="near"' not in client.get(f"{here}/{stale}").text


def test_facets_show_the_share_that_is_wrong(client: TestClient, run: RunOverview) -> None:
    model = "assay:overlap/v1"
    accuracy = run.record.find("accuracy", ("family",), model=model, suite="stress")
    text = visible(client.get(f"/runs/{run.id}/cases?model={model}&show=wrong&suite=stress").text)
    for (family,), each in accuracy.items():
        assert each.value is not None
        assert f"{family} {round(each.n * (1 - each.value)):,} of {each.n:,}" in text


def test_an_audit_and_studies_are_shown(client: TestClient, run: RunOverview) -> None:
    assert "assay study run" in client.get("/studies").text
    address = f"/audits/{run.record.id}:stress"
    for _ in range(60):
        answer = client.get(address)
        if answer.status_code == 200:
            break
        time.sleep(1)
    assert "Right without reading" in visible(answer.text)


def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    site = Site(tmp_path)
    person = site.access.admit("t", "owner", Role.OWNER)
    client = TestClient(make_application(site, hosts={"testserver"}), cookies={site.cookie: person.session})
    assert "assay run" in client.get("/").text
    assert client.get("/compare").status_code == client.get("/studies").status_code == 200


def test_a_damaged_run_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "record.json").write_text("{}")
    site = Site(tmp_path)
    person = site.access.admit("t", "owner", Role.OWNER)
    client = TestClient(make_application(site, hosts={"testserver"}), cookies={site.cookie: person.session})
    assert "broken" in client.get("/").text


def test_hostile_text_stays_text(hostile: Path) -> None:
    """Texts, ids, groups, models and files that are called like code, in every view that shows them."""
    site = Site(hostile, models=["assay:overlap"], port=80)
    person = site.access.admit("t", "owner", Role.OWNER)
    client = TestClient(
        make_application(site, hosts={"testserver"}),
        cookies={site.cookie: person.session},
        headers={"x-csrf": person.csrf},
    )
    (run,) = site.runs.readable()
    here, (one, two) = f"/runs/{run.record.id}", [each.model for each in run.record.models]
    both = {"model": one, "other": two, "show": "differ", "order": "disagreement"}
    pair = {"premise": HOSTILE, "hypothesis": f"No {HOSTILE}", "label": "neutral"}
    pages = {
        "runs": client.get("/"),
        "runs by label": client.get("/?labels=1"),
        "run": client.get(here),
        "cases": client.get(f"{here}/cases", params=both),
        "found": client.get(f"{here}/cases", params={"words": HOSTILE}),
        "filtered": client.get(f"{here}/cases", params={f"group.{HOSTILE}": f"{HOSTILE}0"}),
        "nothing": client.get(f"{here}/cases", params={"family": HOSTILE}),
        "case": client.get(f"{here}/cases/1"),
        "compare": client.get("/compare", params={"of": [f"{run.record.id}/{model}" for model in (one, two)]}),
        "to try": client.get("/try", params=pair),
        "tried": client.post("/try", data={**pair, "do": "stress"}),
        "studies": client.get("/studies"),
        "annotate": client.get("/annotate"),
        "start": client.get("/start"),
        "no run": client.get(f"/runs/{quote(HOSTILE.replace('/', ''))}"),
        "no study": client.get(f"/studies/{quote(HOSTILE.replace('/', ''))}"),
        "no model": client.get(f"{here}/cases", params={"model": HOSTILE}),
    }
    for name, answer in pages.items():
        assert answer.status_code == (404 if name.startswith("no ") else 200), name
        for code in ("<script>alert", "<img"):
            assert code not in answer.text, name
        seen = re.sub(r'<script type="application/json".*?</script>', "", answer.text, flags=re.DOTALL)
        for invisible in "\u202e\x1b":
            assert invisible not in seen, name
    shown = [name for name, answer in pages.items() if "&lt;img src=x onerror=alert(2)&gt;" in answer.text]
    assert {*pages} - {*shown} <= {"studies", "nothing"}, "a page that shows none of it proves nothing"


def test_a_spreadsheet_takes_no_text_for_a_formula(hostile: Path) -> None:
    site = Site(hostile, port=80)
    person = site.access.admit("t", "owner", Role.OWNER)
    client = TestClient(make_application(site, hosts={"testserver"}), cookies={site.cookie: person.session})
    (run,) = site.runs.readable()
    table = csv.DictReader(io.StringIO(client.get(f"/runs/{run.record.id}/cases.csv").text))
    assert {each["premise"][:4] for each in table} == {"'=1+"}


def test_an_index_is_built_once_and_belongs_to_its_run(run: RunOverview) -> None:
    folder = build_index(run.folder)
    stamp = (folder / "index.json").stat().st_mtime_ns
    assert build_index(run.folder) == folder
    assert (folder / "index.json").stat().st_mtime_ns == stamp
    assert folder.name == run.record.seal


def test_reports_and_gates_know_a_saved_slice(
    client: TestClient, run: RunOverview, index: CaseIndex, tmp_path: Path
) -> None:
    """Figures on a slice are those of its cases, wherever they are shown."""
    query = "family=negation&label=neutral&words=not"
    assert client.post(f"/runs/{run.record.id}/slices?{query}", data={"name": "no. 1"}).status_code == 303
    choice = CaseFilter(words="not", facets={"family": "negation", "label": "neutral"})
    total = len(FilteredCases(index, choice))
    expected = {
        model: len(FilteredCases(index, msgspec.structs.replace(choice, model=model, show="right"))) / total
        for model in index.described.models
    }
    found = assay.gate(run.folder, rules='slice."no. 1".accuracy>=0.5')
    assert {each.slice["model"]: each.value for each in found.rules} == pytest.approx(expected)
    assert {each.n for each in found.rules} == {total}
    assert found.passed == all(value >= 0.5 for value in expected.values())
    assert assay.gate(run.folder, rules='slice."no. 1".neutral.accuracy>=0').passed
    text = assay.report(run.folder, to="csv", out=tmp_path / "figures.csv").read_text()
    assert text.count(",no. 1,") == 2 * len(expected), "for all labels, and for the one that there is"
    assert "Saved slices" in client.get(f"/runs/{run.record.id}").text


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("slice.unknown.accuracy>=0", "No slice 'unknown'"),
        ('slice."no. 2".accuracy>=0', "doesn't fit the run .*none of its cases"),
        ('slice."no. 4".accuracy>=0', "doesn't fit the run .*no facet 'group.unknown'"),
        ('slice."no. 3".neutral.accuracy>=0', "Known as label in no. 3: entailment"),
    ],
)
def test_a_rule_about_a_slice_that_does_not_fit_says_so(
    rule: str, fault: str, client: TestClient, run: RunOverview, site: Site
) -> None:
    site.slices.save("no. 2", CaseFilter(facets={"group.genre": "unknown"}))
    site.slices.save("no. 4", CaseFilter(facets={"group.unknown": "unknown"}))
    site.slices.save("no. 3", CaseFilter(facets={"label": "entailment"}))
    with pytest.raises(UserError, match=fault):
        assay.gate(run.folder, rules=rule)


def test_a_corpus_in_the_folder_can_be_chosen_and_none_elsewhere(
    client: TestClient, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = site.folder / "corpora" / "mine.jsonl"
    own.parent.mkdir(exist_ok=True)
    own.write_text('{"premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}\n')
    elsewhere = tmp_path / "secret.jsonl"
    elsewhere.write_text(own.read_text())
    link = own.with_name("link.jsonl")
    link.unlink(missing_ok=True)
    link.symlink_to(elsewhere)
    started: list[list[str]] = []
    monkeypatch.setattr(site.jobs, "start", lambda words, name: started.append(words))
    assert ">corpora/mine.jsonl</option>" in client.get("/start").text
    for source in ("corpora/mine.jsonl", "corpora/link.jsonl", str(elsewhere), "../secret.jsonl", "/etc/passwd"):
        client.post("/start", data={"source": f"corpus:{source}", "model:assay:overlap": "1"})
    assert started == [["--from", str(own), "--model", "assay:overlap"]]


def test_labels_without_a_meaning_are_listed_and_take_one(client: TestClient) -> None:
    odd = OWN.replace("not supported", "BAD").replace("supported", "OK").encode()
    source = client.post("/api/corpora", content=odd, headers={"x-file-name": "ok.csv"}).json()["source"]
    page = client.get("/start", params={"source": source}).text
    assert {*re.findall(r'<select name="means:(\w+)"', page)} == {"OK", "BAD"}
    assert '<button type="submit" disabled>Start' in page
    means = {"source": source, "means:OK": "entailment", "means:BAD": "non-entailment"}
    assert "not supported 10" in visible(client.get("/start", params=means).text)


def test_models_of_the_same_name_are_told_apart(run: RunOverview) -> None:
    later = run._replace(record=msgspec.structs.replace(run.record, id="later", created="2031-01-01T00:00"))
    named = later._replace(notes=RunNotes(name="release"))
    model = "checker=python:mine:v1"
    assert tell_apart((model, run), ("other=python:mine:v1", later)) == ("", "")
    assert tell_apart((model, run), ("checker=python:mine:v2", later)) == (" (v1)", " (v2)")
    assert tell_apart((model, run), (model, named)) == (f" ({run.name})", " (release)")
    assert tell_apart((model, run), (model, later)) == (f" ({run.when})", " (2031-01-01 00:00)")


def test_two_runs_are_put_side_by_side(site: Site, client: TestClient, run: RunOverview) -> None:
    """The other run's answers are those of its own index, wherever they are shown."""
    suites = {name: run.folder / "suites" / name for name in run.record.suites}
    again = assay.run(suites=suites, models=("assay:overlap", "assay:majority"), out=site.folder, cache=False)
    other = f"assay:majority/v1 in {again.id}"
    address = f"/runs/{run.record.id}/cases"
    query = {"beside": again.id, "model": "assay:overlap/v1", "other": other, "show": "differ", "order": "disagreement"}
    both = client.get(address, params=query).text
    alone = client.get(address, params={**query, "beside": "", "other": "assay:majority/v1"}).text
    assert re.findall(r"<b>[\d,]+</b> case", both) == re.findall(r"<b>[\d,]+</b> case", alone)
    assert re.search(r"majority \(baseline\) \([^)]*\)</option>", html.unescape(both)), "told apart by the run's name"
    listed = msgspec.json.decode(client.get(f"/api{address}", params=query).content, type=CaseList)
    assert f"<b>{listed.total:,}</b> case" in both
    assert {*listed.cases[0].answers} == {
        *(each.model for each in run.record.models),
        other,
        f"assay:overlap/v1 in {again.id}",
    }
    single = client.get(f"/api{address}/{listed.cases[0].number}", params={"beside": again.id})
    assert msgspec.json.decode(single.content, type=CaseOnList) == listed.cases[0]
    pair = {"of": [f"{run.record.id}/assay:overlap/v1", f"{again.id}/assay:majority/v1"]}
    compared = client.get("/compare", params=pair).text
    assert "differ most" in compared
    assert f"beside={again.id}" in compared
    one = assay.run(assay.read("bundled", limit=12), families="negation", models="assay:overlap", out=site.folder)
    for page in (address, f"/api{address}", f"/api{address}/0"):
        refused = client.get(page, params={"beside": one.id})
        assert refused.status_code == 422
        assert "have different suites" in refused.text
    assert client.post(f"{address[:-6]}/slices", params=query, data={"name": "x"}).status_code == 422


def test_the_older_run_is_the_baseline_whatever_was_clicked_first(
    site: Site, client: TestClient, run: RunOverview
) -> None:
    suites = {name: run.folder / "suites" / name for name in run.record.suites}
    again = assay.run(suites=suites, models="assay:overlap", out=site.folder, cache=False)
    older, newer = f"{run.id}/assay:overlap/v1", f"{again.id}/assay:overlap/v1"
    for clicked in ([older, newer], [newer, older]):
        answer = client.get("/compare", params={"of": clicked, "order": "age"})
        assert answer.headers["location"] == compare_link(older, newer)
    page = client.get(compare_link(older, newer)).text
    assert re.search(rf'Baseline: <b>[^<]*</b> in <a href="/runs/{run.id}">', page)
    assert f'href="{html.escape(compare_link(newer, older))}&amp;margin=3">Swap' in page
    assert re.search(
        rf'Baseline: <b>[^<]*</b> in <a href="/runs/{again.id}">', client.get(compare_link(newer, older)).text
    ), "an explicit order is kept"
    assert '<form method="get" action="/compare"><input type="hidden" name="order" value="age">' in client.get("/").text


def test_a_run_is_compared_with_a_later_one_as_the_candidate(tmp_path: Path) -> None:
    site = Site(tmp_path, port=80)
    person = site.access.admit(TOKEN, "owner", Role.OWNER)
    pairs = assay.read("bundled", limit=12)
    for _ in range(2):
        assay.run(pairs, families="negation", models={"mine": lambda asked: ["neutral"] * len(asked)}, out=tmp_path)
    newer, older = site.runs.readable()
    browser = TestClient(make_application(site, hosts={HOST}), cookies={site.cookie: person.session})
    link = compare_link(*(f"{each.id}/{each.record.models[0].model}" for each in (older, newer)))
    for each in (older, newer):
        assert f'href="{html.escape(link)}">Compare with' in browser.get(f"/runs/{each.id}").text
    baseline, candidate = (f"{each.id}/{each.record.models[0].model}" for each in (older, newer))
    chosen = re.findall(r'<option value="([^"]*)" selected>', browser.get("/compare").text)
    assert chosen == [baseline, candidate], "nothing needs to be chosen to compare the newest run with the one before"


def test_two_different_models_that_share_cases_are_preselected(tmp_path: Path) -> None:
    """Even where the newest run shares its cases with no other; the same model twice is no comparison."""
    browser = owner_of(tmp_path)

    def chosen(**params: str | list[str]) -> list[str]:
        return re.findall(r'<option value="([^"]*)" selected>', browser.get("/compare", params=params).text)

    made = []
    for name, limit in (("one", 12), ("two", 12), ("alone", 15)):
        models = {name: lambda asked: ["neutral"] * len(asked)}
        record = assay.run(assay.read("bundled", limit=limit), families="negation", models=models, out=tmp_path)
        made.append(f"{record.id}/{record.models[0].model}")
        if name == "one":
            assert "only one model here" in browser.get("/compare").text
    alone = made[2]
    one, two = sorted(
        made[:2],
        key=[f"{each.id}/{each.record.models[0].model}" for each in Site(tmp_path).runs.readable()][::-1].index,
    )
    assert chosen() == [one, two], "the older is the baseline"
    for each in (one, two):
        assert sorted(chosen(of=each)) == sorted([one, two])
    for of, said in (([], "You chose no model. Choose two"), ([two], "You chose one model. Choose another")):
        assert said in browser.get("/compare", params={"of": of, "order": "age"}).text
    assert "You chose" not in browser.get("/compare").text
    twice = browser.get("/compare", params={"of": [two, two]})
    assert twice.status_code == 422
    assert "Choose another model, or another run" in twice.text
    assert sorted(chosen(of=[two, two])) == sorted([one, two])
    assert sorted(chosen(of=[alone, alone])) == sorted([alone, two]), "no run has its cases, but two are never the same"
    assert browser.get(compare_link(one, two)).status_code == 200


def test_families_with_few_cases_are_hatched_in_the_list_of_runs(tmp_path: Path) -> None:
    site = Site(tmp_path, port=80)
    person = site.access.admit(TOKEN, "owner", Role.OWNER)
    record = assay.run(assay.read("bundled", limit=16), families="lexical", models="assay:overlap", out=tmp_path)
    browser = TestClient(make_application(site, hosts={HOST}), cookies={site.cookie: person.session})
    sizes = {
        each.slice["family"]: each.n
        for each in record.estimates
        if each.name == "accuracy" and each.slice.keys() == {"model", "suite", "family"}
    }
    assert min(sizes.values()) < FEWEST_SHOWN <= max(sizes.values())
    page = browser.get("/").text
    assert f"Hatched: fewer than {FEWEST_SHOWN} cases." in page
    for family, n in sizes.items():
        link = rf'<a class="([^"]*)" title="[^"]*" href="[^"]*family={family}[^"]*">(.*?)</a>'
        ((tone, said),) = re.findall(link, page)
        assert (tone == "small") == (n < FEWEST_SHOWN)
        assert bool(re.search(r"</span>\d+$", said)) == (n >= FEWEST_SHOWN)


def test_cases_as_a_table_are_the_same_in_the_same_order(client: TestClient, run: RunOverview) -> None:
    given = {"show": "wrong", "order": "worst", "model": run.record.models[0].model, "family": "negation"}
    cards, table = (
        client.get(f"/runs/{run.record.id}/cases", params=given | extra).text for extra in ({}, {"view": "table"})
    )
    pattern = re.compile(r'href="/runs/[^/"]*/cases/(\d+)[^"]*"[^>]*>negation')
    shown, listed = pattern.findall(cards), pattern.findall(table)
    assert shown
    assert listed[: len(shown)] == shown
    assert "view=table" in html.unescape(cards)
    assert '<input type="hidden" name="view" value="table">' in table, "another filter keeps the table"
    assert table.count('<td class="bad">') >= len(listed), "every answer of the model is marked as wrong"


def test_the_heads_of_the_table_sort_it(client: TestClient, run: RunOverview) -> None:
    address = f"/runs/{run.record.id}/cases?view=table&family=negation"
    head = re.compile(r'<th scope="col"([^>]*)><a href="([^"]*)"[^>]*>([^<]*)')
    name = "hypothesis-words"
    for title, order, down in (
        (name, "confidence", True),
        ("family", "family", False),
        ("right", "label", False),
        (name, "confidence", True),
        (name, "confidence", False),
    ):
        heads = {each.split()[0]: link for _, link, each in head.findall(html.unescape(client.get(address).text))}
        address = heads[title]
        asked = {one: other for one, _, other in (part.partition("=") for part in address.split("?")[1].split("&"))}
        assert (asked["order"], "down" in asked) == (order, down)
        assert asked["family"] == "negation", "the filter stays"
        assert (name in asked.get("model", "")) == (order == "confidence" or "model" in asked)
        (sort,) = [each for each, _, _ in head.findall(client.get(address).text) if each]
        assert sort == f' aria-sort="{"descending" if down else "ascending"}"'


def test_each_certified_threshold_has_its_gate_and_the_command_names_the_served_folder(claims: ClaimsClient) -> None:
    (curve,) = [each for each in claims.record.support if each.slice["family"] == "original"]
    certified = {each.threshold: each.bound for each in reversed(curve.certified) if each.threshold is not None}
    assert certified
    for threshold, bound in certified.items():
        page = html.unescape(claims.get(f"{claims.run}/threshold?at={threshold}").text)
        assert f"assay gate {claims.folder / claims.record.id} --model object:checker --rule" in page
        assert f"claims.false-support<={bound:g} at threshold={as_written(threshold)}" in page
        assert f"certified to be at most {100 * bound:g}%" in visible(page)
        assert 'class="on"' in page


def test_a_threshold_has_one_message_however_it_was_reached(claims: ClaimsClient) -> None:
    """A bound that is kept on these claims only is said to be so, beside what is certified."""
    (curve,) = [each for each in claims.record.support if each.slice["family"] == "original"]
    certified, strict = min((each.bound, each.threshold) for each in curve.certified if each.threshold), 0.05
    here = first_within(points_of(curve), strict)
    assert here is not None
    assert certified[0] > strict
    page = claims.get(f"{claims.run}/threshold?at={here.threshold}").text
    said = _use(page)
    assert said == _use(claims.get(f"{claims.run}/threshold?at={here.threshold}&bound=0.05").text)
    assert (
        " keeps 1% on these 52 unsupported claims only. None is certified to keep 1% for new claims: at least " in said
    )


def _use(page: str) -> str:
    return visible(page[page.index('id="use"') : page.index('aria-label="Certified thresholds"')])


def test_a_threshold_between_two_scores_is_honoured(claims: ClaimsClient) -> None:
    (curve,) = [each for each in claims.record.support if each.slice["family"] == "original"]
    rows = [row for row in claims.index.rows(range(len(claims.index))) if row.case.family == "original"]
    for at in (0.7431, 0.9743):
        assert at not in curve.thresholds
        text = visible(claims.get(f"{claims.run}/threshold?at={at}").text)
        assert f"Threshold {at} " in text
        for label, title in ((Label.NON_ENTAILMENT, "False support"), (Label.ENTAILMENT, "Recall")):
            scores = [_score(row) for row in rows if row.case.label is label]
            assert f"{title} {100 * sum(score >= at for score in scores) / len(scores):.1f}%" in text


def test_another_model_starts_from_its_own_threshold(tmp_path: Path) -> None:
    source = tmp_path / "claims.csv"
    source.write_text(claim_rows())
    models = {"one": checker, "other": checker}
    record = assay.run(source, families=("negation",), models=models, out=tmp_path, cache=False)
    page = owner_of(tmp_path).get(f"/runs/{record.id}/threshold?at=0.3").text
    (form,) = [each for each in re.findall(r"<form.*?</form>", page, re.DOTALL) if "<select" in each]
    assert 'name="at"' not in form


def test_a_gate_names_a_threshold_that_a_rule_can_find(claims: ClaimsClient) -> None:
    (curve,) = [each for each in claims.record.support if each.slice["family"] == "original"]
    (each, *_) = [each for each in curve.certified if each.threshold is not None]
    points = points_of(curve)
    found = propose_gate(curve, points, each.bound, nearest(points, each.threshold or 0))
    (result,) = check(rule(found.rule), [], curves=[curve])
    assert result.holds


def test_a_model_that_no_bound_fits_is_not_told_to_add_claims(tmp_path: Path) -> None:
    """Every unsupported claim has the highest score, so that no number of claims would certify a threshold."""
    source = tmp_path / "claims.csv"
    source.write_text(claim_rows())
    made = assay.run(source, families=("negation",), models={"checker": _sure}, out=tmp_path, cache=False)
    browser = owner_of(tmp_path)
    text = visible(browser.get(f"/runs/{made.id}/threshold").text)
    assert "at any threshold, so a gate has nothing to keep: too many unsupported claims pass" in text
    assert "so it takes another model" in text
    assert "more unsupported claims" not in text


def _sure(pairs: list[tuple[str, str]]) -> list[float]:
    return [1.0 for _ in pairs]


def test_every_verdict_is_followed_by_how_often_its_shortcut_is_taken(tmp_path: Path) -> None:
    models = {"one": _shared, "other": _shared}
    made = assay.run("bundled", families=("heuristics",), models=models, per_subcase=5, out=tmp_path, cache=False)
    browser = owner_of(tmp_path)
    text = visible(html.unescape(browser.get(f"/runs/{made.id}").text))
    told = headlines(view_of([made]))
    assert [bool(each.shortcuts) for each in told] == [True, True]
    for each in told:
        assert f"{each.name} {each.words}. {' '.join(each.shortcuts)} Accuracy" in text


def test_a_run_with_three_labels_says_how_to_get_a_threshold(tmp_path: Path, claims: ClaimsClient) -> None:
    labels = ("entailment", "neutral", "contradiction")
    lines = [f"A man ate {number} eggs.,A man ate.,{labels[number % 3]}" for number in range(30)]
    (tmp_path / "own.csv").write_text("\n".join(["premise,hypothesis,label", *lines]))
    own = tmp_path / "own.csv"
    made = assay.run(own, families=("negation",), models={"one": _shared}, out=tmp_path, cache=False)
    browser = owner_of(tmp_path)
    said = "To choose a threshold, start a run with the option two way"
    assert said in visible(browser.get(f"/runs/{made.id}").text)
    assert said not in visible(claims.get(claims.run).text)


def test_claims_without_names_of_their_own_are_supported_in_verdicts(tmp_path: Path) -> None:
    source = tmp_path / "claims.csv"
    source.write_text(claim_rows().replace(",not supported", ",0").replace(",supported", ",1"))
    pairs = assay.read(source, labels={"0": "non-entailment", "1": "entailment"})
    made = assay.run(pairs, families=("negation",), models={"one": _no_negation}, out=tmp_path, cache=False)
    assert made.diagnosis
    (profile,) = made.diagnosis.profiles
    assert "entailment falls from" in profile.headline
    view = run_view(made)
    assert view.diagnosis
    assert view.diagnosis.headline(profile.model) == profile.headline.replace("entailment falls", "supported falls")


def _no_negation(pairs: list[tuple[str, str]]) -> list[float]:
    return [0.1 if "not" in claim.split() else score for (_, claim), score in zip(pairs, checker(pairs), strict=True)]


def _shared(pairs: list[tuple[str, str]]) -> list[str]:
    return ["entailment" if {*claim.split()} <= {*text.split()} else "neutral" for text, claim in pairs]


def test_ten_of_many_flipped_claims_are_said_to_be_ten(claims: ClaimsClient) -> None:
    page = claims.get(f"{claims.run}/threshold?at=0").text
    counts = [int(n) for n in re.findall(r">(\d+) (?:not )?supported</a>", page)]
    assert any(n > 10 for n in counts)
    assert re.findall(r"The 10 most confident\. All (\d+)", visible(page)) == [str(n) for n in counts if n > 10]


def test_a_gain_that_costs_a_label_says_both() -> None:
    where = {"suite": "stress", "family": "quantities"}
    sizes: dict[str, Any] = {"n": 40, "p": 0.01, "adjusted": 0.01, "only_candidate": 20, "only_baseline": 3}
    gain = ComparedSlice(slice=where, verdict="better", candidate=0.8, baseline=0.4, difference=0.4, **sizes)
    few = {**sizes, "n": 3, "p": 0.25, "adjusted": 1.0}
    lost: dict[str, Any] = {"verdict": "not significant", "candidate": 0.0, "baseline": 1.0, "difference": -1.0, **few}
    label = ComparedSlice(slice={**where, "label": "entailment"}, **lost)
    other = ComparedSlice(slice={**where, "family": "roles", "label": "entailment"}, **lost)
    falls = dropped_labels([gain], [gain, label, other])
    assert falls == [label], "the other family is not said to be better"
    said = _verdict(("old", "new"), "claims", None, _elsewhere(None, [gain], falls))
    assert said == "new against old: better on the whole but not for every label in quantities"
    found = Comparison(
        candidate="new", candidate_run="b", baseline="old", baseline_run="a", test="paired", slices=(gain, label)
    )
    names = LabelNames({"supported": Label.ENTAILMENT})
    assert _fall_words(found, falls, "new", names) == [
        "In quantities, new is right on fewer supported cases: 100.0 → 0.0% of 3, not significant."
    ]
    assert len(_fall_words(found, [label, other, label], "new", names)) == 3, "one line each, and one about the rest"


def test_an_inconclusive_margin_says_in_plain_words_what_is_open_and_what_would_settle_it() -> None:
    small, large = (_compared(n, changed) for n, changed in ((30, 2), (400, 40)))
    few, many, _ = judge_differences([small, large, large], 0.02)
    assert few.margin is not None
    assert many.margin is not None
    assert (few.margin.tests, many.margin.tests) == (0, 2)
    assert many.margin.uncorrected == noninferiority_p(large, 0.02)
    assert many.margin.outcome == few.margin.outcome == "inconclusive"
    said = undecided_words(few, "claims")
    assert "These 30 claims are too few: even if no answer had changed" in said
    assert f"could only exclude a loss of {100 * smallest_margin(small):.1f} points" in said
    assert said.endswith(f"If nothing was lost, about {few.margin.more_pairs:,} more source pairs would show it.")
    assert "40 of 400 answers changed between right and wrong, 20 of them for the better." in (
        undecided_words(many, "claims")
    )
    own = msgspec.structs.replace(many, slice={"label": "non-entailment"}, only_candidate=15, only_baseline=25)
    assert "15 of them for the better. " in undecided_words(as_false_support(own), "unsupported claims")
    alone = msgspec.structs.replace(many, margin=msgspec.structs.replace(many.margin, uncorrected=0.03))
    assert "Alone, these claims would exclude a loss of 2 points. But 2 such questions are tested" in (
        undecided_words(alone, "claims")
    )


def _compared(n: int, changed: int) -> ComparedSlice:
    """A model that is right on half of n pairs, and another that differs on a few, half of them for the better."""
    counts = numpy.zeros((n, 4))
    counts[:, 0], counts[: n // 2, 1] = 1, 1
    counts[:changed, 1] = 0
    counts[: changed // 2, 2], counts[changed // 2 : changed, 3] = 1, 1
    return compared_shares({"suite": "s", "family": f"f{n}"}, paired_shares(counts))


def test_a_threshold_that_accepts_no_supported_claim_is_never_recommended(tmp_path: Path, claims: ClaimsClient) -> None:
    """A fifth of the unsupported claims score above every supported one, so nothing keeps a bound of 10% and recall."""
    address = _run_fooled(tmp_path, high=10, supported=0)
    browser = owner_of(tmp_path)
    assert "Threshold for 10% false support none" in visible(browser.get(address).text)
    page = browser.get(f"{address}/threshold?at=0.85").text
    assert "No supported claim passes at 0.85, so this threshold is of no use." in _use(page)
    assert "Let your checker accept" not in page
    assert "assay gate" not in page
    assert re.findall(r'data-at="(0\.[89]\d*)"', page) == [], "no link to a threshold that accepts nothing"
    for page in (claims.run, f"{claims.run}/threshold"):
        assert "of no use" not in claims.get(page).text


def test_a_certified_threshold_that_helps_nobody_is_called_so(tmp_path: Path) -> None:
    """It keeps its bound, but a smaller share of the supported claims passes than of the unsupported ones."""
    page = owner_of(tmp_path).get(f"{_run_fooled(tmp_path, high=4, supported=1)}/threshold?at=0.8").text
    assert "Supported claims pass no more often than unsupported ones here" in _use(page)
    assert "Let your checker accept" in page


def _run_fooled(folder: Path, *, high: int, supported: int) -> str:
    """The address of a run whose model gives some unsupported and supported claims the highest scores."""
    source = folder / "claims.csv"
    source.write_text(claim_rows())
    labels = {row["claim"]: row["label"] for row in csv.DictReader(io.StringIO(claim_rows()))}
    unsupported = [claim for claim, label in labels.items() if label == "not supported"]
    scores = dict.fromkeys(labels, 0.5) | dict.fromkeys(unsupported, 0.1)
    scores |= {claim: 0.8 + place / 100 for place, claim in enumerate(unsupported[-high:])}
    scores |= dict.fromkeys([claim for claim in labels if claim not in unsupported][:supported], 0.95)

    def fooled(pairs: list[tuple[str, str]]) -> list[float]:
        return [scores.get(claim, 0.1) for _, claim in pairs]

    made = assay.run(source, families=("negation",), models={"checker": fooled}, out=folder, cache=False)
    return f"/runs/{made.id}"


def test_the_summary_begins_with_the_numbers_of_the_cards(claims: ClaimsClient) -> None:
    """False support and recall of the model's own answers; a threshold only with its recall."""
    view = run_view(claims.record)
    (told,) = headlines(view)
    cards = {metric.name: metric.value for metric in metrics_of(view, claims.record.id, told.model)}
    first = told.evidence[0]
    assert first.startswith(f"{cards['False support']} false support (")
    assert f"; {cards['Recall']} recall (" in first
    (area,) = (fact for fact in told.evidence if fact.startswith("AUC"))
    assert f"; 10% false support at {cards['Threshold for 10% false support']} (recall " in area


def test_a_run_page_says_which_false_claims_get_past(tmp_path: Path) -> None:
    source = tmp_path / "claims.csv"
    source.write_text(claim_rows())
    assay.run(source, families=("quantities",), across=True, models={"checker": checker}, out=tmp_path, cache=False)
    site = Site(tmp_path, port=80)
    person = site.access.admit(TOKEN, "owner", Role.OWNER)
    client = TestClient(make_application(site, hosts={HOST}), cookies={site.cookie: person.session})
    (run,) = site.runs.readable()
    (told,) = headlines(run_view(site.runs.whole(run.id)))
    (passed,) = (fact for fact in told.evidence if fact.startswith("false claims that get past it: your own"))
    assert f"F{passed[1:]}." in visible(client.get(f"/runs/{run.id}").text)


def test_a_card_gives_the_recall_of_its_threshold_and_each_line_its_own_label(claims: ClaimsClient) -> None:
    (curve,) = [each for each in claims.record.support if each.slice["family"] == "original"]
    here = threshold_within(curve, 0.1)
    assert here is not None
    recall = 100 * (here.value("recall") or 0)
    card = visible(claims.get(claims.run).text).partition("Threshold for 10% false support ")[2]
    assert card.startswith(f"{as_written(here.threshold)} recall {recall:.1f}%; certified for new claims")
    labels = [(each.words, each.row) for each in _marks(curve)]
    assert len({row for _, row in labels}) == len(labels), "no two labels share a row"
    kept = {each.bound for each in curve.certified if each.threshold is not None}
    assert {float(bound) / 100 for words, _ in labels for bound in words.rstrip("%").split(", ")} == kept


def test_a_two_sided_interval_above_a_certified_bound_is_explained(tmp_path: Path) -> None:
    """At most 8 of 150 certify 10%, by a one-sided bound; the two-sided interval of 8 of 150 ends at 10.2%."""
    claims = {f"Person {n} ate {n + 2} eggs.": n for n in range(180)}
    lines = [f"{n},{claim},{claim},{'' if n < 30 else 'not '}supported" for claim, n in claims.items()]
    source = tmp_path / "many.csv"
    source.write_text("\n".join(["id,evidence,claim,label", *lines]))

    def sure(pairs: list[tuple[str, str]]) -> list[float]:
        return [0.9 if claims.get(claim, 99) < 38 else 0.1 for _, claim in pairs]

    made = assay.run(source, families=("negation",), models={"checker": sure}, out=tmp_path, cache=False)
    said = _use(owner_of(tmp_path).get(f"/runs/{made.id}/threshold?at=0.9").text)
    assert "At 0.9, false support is certified to be at most 10% (a one-sided 95% bound; the interval above" in said
