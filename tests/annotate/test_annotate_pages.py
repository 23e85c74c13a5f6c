"""Annotating over the network: everybody sees their own task, changes are theirs, and files are those of the CLI."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.fixtures.annotation import HOST, HOSTILE, OWNER, Visit, cases, csrf_of, site_of

import assay as package
from assay.annotate.answer_store import faults
from assay.annotate.merge_answers import merge_answers
from assay.annotate.sample import draw_sample
from assay.core.label import Label
from assay.serve.application import make_application
from assay.serve.site import Site


def start(page: str) -> dict[str, Any]:
    found = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def first(client: TestClient) -> str:
    name: str = start(client.get("/task").text)["cases"][0]["case"]
    return name


def say(client: TestClient, case: str, label: str, *, base: int = 0, request: str = "r") -> Any:
    body = {"case": case, "said": {"label": label}, "base": base, "request": request}
    return client.post("/api/task/answer", json=body)


@pytest.mark.parametrize("path", ["/", "/annotate", "/annotate/task/check", "/annotate/file/bob.csv/check"])
def test_an_annotator_is_nobody_elsewhere(visit: Visit, path: str) -> None:
    assert visit("ann").get(path).status_code == 401


def test_a_page_of_somebody_else_can_not_change_my_answers(visit: Visit) -> None:
    ann, bob = visit("ann"), visit("bob")
    ann.headers["x-csrf"] = bob.headers["x-csrf"]
    assert say(ann, first(ann), "neutral").status_code == 403


def test_annotators_see_nothing_but_texts_and_questions(site: Site, visit: Visit) -> None:
    ann, bob, store = visit("ann"), visit("bob"), site.tasks.get("check")
    assert say(bob, first(bob), "neutral").status_code == 200
    names = [each["case"] for each in start(ann.get("/task").text)["cases"]]
    seen = ann.get("/task").text + "".join(ann.get(f"/api/task/case/{name}").text for name in names)
    for case in store.drawn.values():
        assert case.id not in seen
        assert case.key not in seen
    for word in ("bob", "alpha", "agree", "negation", "seq"):
        assert word not in seen.replace("negation word", "")
    assert ann.get(f"/api/task/case/{first(bob)}").status_code == 404
    assert {*names}.isdisjoint(each["case"] for each in start(bob.get("/task").text)["cases"])


def test_hostile_text_stays_text(site: Site, visit: Visit) -> None:
    owner = visit()
    pages = [visit("ann").get("/task"), owner.get("/annotate/task/check"), owner.get("/annotate/decide/check")]
    made = owner.post(
        "/annotate/new",
        data={"name": HOSTILE.replace("/", ""), "source": "corpus:bundled", "size": 3}
        | {"people": "<b>eve<b>", "guidelines": HOSTILE},
    )
    assert made.status_code == 200
    pages += [made, owner.get("/annotate")]
    task = site.tasks.names()[0]
    token = site.tasks.token(task, "<b>eve<b>")
    pages.append(
        TestClient(make_application(site, hosts={HOST}), base_url=f"http://{HOST}").get(f"/task?token={token}")
    )
    for page in pages:
        assert page.status_code == 200
        assert "<img src=x" not in page.text
        assert "<b>eve" not in page.text
        assert "<script>alert" not in page.text


def test_a_second_tab_is_told_and_a_lost_reply_is_repeated(site: Site, visit: Visit) -> None:
    ann = visit("ann")
    case = first(ann)
    saved = say(ann, case, "neutral", request="1")
    assert saved.json()["version"] == 1
    assert say(ann, case, "neutral", request="1").json()["version"] == 1
    conflict = say(ann, case, "entailment", request="2")
    assert conflict.status_code == 409
    assert conflict.json()["now"]["said"] == {"label": "neutral"}
    undone = ann.post("/api/task/undo", json={**saved.json()["undo"], "request": "3"})
    assert (undone.json()["said"], undone.json()["version"], undone.json()["undo"]) == ({}, 2, None)
    again = ann.post("/api/task/undo", json={"case": case, "version": 1, "request": "4"})
    assert again.status_code == 409
    assert not faults(site.tasks.get("check"))


@pytest.mark.parametrize(
    "body",
    [
        {"case": "c0", "said": {}, "base": 0, "request": "r"},
        {"said": {"label": "maybe"}, "base": 0, "request": "r"},
        {"said": {"other": "neutral"}, "base": 0, "request": "r"},
        {"said": {"label": 7}, "base": 0, "request": "r"},
        {"said": {"label": "neutral"}, "base": 0, "request": ""},
        {"said": {"label": "neutral"}, "base": 0, "request": "r", "person": "bob"},
    ],
)
def test_what_is_no_answer_is_refused(visit: Visit, body: dict[str, Any]) -> None:
    ann = visit("ann")
    refused = ann.post("/api/task/answer", json={"case": first(ann), **body})
    assert refused.status_code in (404, 422)
    assert refused.json()["error"]


def test_a_new_link_ends_the_old_one_and_links_survive_a_restart(site: Site, visit: Visit) -> None:
    ann = visit("ann")
    old = site.tasks.token("check", "ann")
    restarted = site_of(site.folder)
    other = TestClient(make_application(restarted, hosts={HOST}), base_url=f"http://{HOST}")
    assert other.get(f"/task?token={old}").status_code == 200
    assert restarted.tasks.token("check", "ann") is None
    assert visit().post("/annotate/invite/check", data={"name": "ann"}).status_code == 200
    assert ann.get("/task").status_code == 401
    assert ann.get(f"/task?token={old}").status_code == 401
    assert old
    assert old not in (site.folder / "check" / "answers.sqlite").read_bytes().decode("latin-1")


def test_the_owner_can_try_a_link_and_stays_the_owner(site: Site, visit: Visit) -> None:
    owner = visit()
    assert owner.get("/task").status_code == 404
    assert owner.get(f"/task?token={site.tasks.token('check', 'ann')}").status_code == 200
    assert owner.get("/annotate").status_code == 200


def test_files_are_those_of_the_command_line(site: Site, visit: Visit, tmp_path: Path) -> None:
    ann = visit("ann")
    draw_sample(cases(), tmp_path / "cli", annotators=("ann",), size=12, layout="label")
    assert visit().get("/annotate/file/ann.csv/check").content == (tmp_path / "cli" / "ann.csv").read_bytes()
    for number, each in enumerate(start(ann.get("/task").text)["cases"]):
        say(ann, each["case"], "neutral", request=str(number))
    sheet = visit().get("/annotate/file/ann.csv/check")
    assert sheet.headers["content-disposition"] == "attachment; filename*=UTF-8''ann.csv"
    sent = visit().post("/api/annotate/file/check?name=dee.csv", content=sheet.content)
    assert sent.json()["told"] == "dee: 12 new answers, 0 known"
    assert visit().get("/annotate/file/dee.csv/check").content == sheet.content
    for name in ("ann.csv", "dee.csv"):
        (tmp_path / name).write_bytes(visit().get(f"/annotate/file/{name}/check").content)
    merge_answers(site.folder / "check", tmp_path / "gold.jsonl", files=[tmp_path / "ann.csv", tmp_path / "dee.csv"])
    missing = visit().get("/annotate/file/gold.jsonl/check").text
    assert missing == "", "bob has not answered"
    assert len((tmp_path / "gold.jsonl").read_text().splitlines()) == 12


@pytest.mark.parametrize("name", ["../x.csv", "x/y.csv", "", "..", "x.txt", "key.csv", "adjudication\\..csv"])
def test_an_uploaded_file_can_not_go_elsewhere(site: Site, visit: Visit, name: str) -> None:
    before = sorted(site.folder.rglob("*"))
    sent = visit().post("/api/annotate/file/check", params={"name": name}, content=b"id,label\n")
    assert sent.status_code == 422
    assert "/tmp" not in sent.text
    assert [path for path in sorted(site.folder.rglob("*")) if path not in before] == []


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../x"},
        {"name": "x/../../../y"},
        {"name": "x/y"},
        {"name": ""},
        {"name": ".x"},
        {"source": "/etc/passwd"},
        {"size": "0"},
        {"size": "many"},
        {"people": "key"},
        {"layout": "errors"},
    ],
)
def test_a_task_that_can_not_be_made_leaves_nothing(site: Site, visit: Visit, change: dict[str, str]) -> None:
    wanted = {"name": "new", "source": "corpus:bundled", "size": "3", "people": "eve"}
    refused = visit().post("/annotate/new", data={**wanted, "layout": "label", **change})
    assert refused.status_code in (404, 422)
    assert site.tasks.names() == ["check"]


def test_a_decision_counts_and_comes_from_a_cell(site: Site, visit: Visit) -> None:
    ann, bob, owner, store = visit("ann"), visit("bob"), visit(), site.tasks.get("check")
    key = next(iter(store.drawn))
    for client, name, label in ((ann, "ann", "neutral"), (bob, "bob", "contradiction")):
        shown = next(each.shown for each in store.places(store.person(name)) if each.key == key)
        assert say(client, shown, label).status_code == 200
    page = owner.get("/annotate/task/check").text
    (link,) = re.findall(r'href="(/annotate/decide/[^"]*)" class="apart"', page)
    data = start(owner.get(link.replace("&amp;", "&")).text)
    assert [each["case"] for each in data["cases"]] == [key]
    found = owner.get(f"/api/decide/case/{key}?task=check").json()
    assert [(each["name"], each["said"]) for each in found["others"]][:2] == [
        ("ann", {"label": "neutral"}),
        ("bob", {"label": "contradiction"}),
    ]
    body = {"case": key, "said": {"label": "entailment"}, "base": 0, "request": "1"}
    assert owner.post("/api/decide/answer?task=check", json=body).status_code == 200
    (line,) = owner.get("/annotate/file/gold.jsonl/check").text.splitlines()
    assert (json.loads(line)["gold_label"], json.loads(line)["adjudicated"]) == ("entailment", True)
    assert owner.get("/annotate/decide/check").status_code == 200, "nothing is left to decide"
    undone = owner.post("/api/decide/undo?task=check", json={"case": key, "version": 1, "request": "2"})
    assert undone.json()["said"] == {}


def test_the_errors_of_a_model_are_sorted(tmp_path: Path, visit: Visit) -> None:
    package.run(
        package.read("bundled", limit=12),
        families="negation",
        models={"never": lambda pairs: ["contradiction"] * len(pairs)},
        out=tmp_path / "errors" / "runs",
    )
    served = site_of(tmp_path / "errors")
    owner = visit(served=served)
    (source,) = re.findall(r'value="(errors:[^"]+)"', owner.get("/annotate").text)
    made = owner.post("/annotate/new", data={"name": "why", "source": source, "size": "4", "people": "eve"})
    assert made.status_code == 200, made.text
    token = served.tasks.token("annotations/why", "eve")
    eve = TestClient(make_application(served, hosts={HOST}), base_url=f"http://{HOST}")
    data = start(eve.get(f"/task?token={token}").text)
    assert [each["column"] for each in data["questions"]] == ["category"]
    shown = eve.get(f"/api/task/case/{data['cases'][0]['case']}").json()
    assert shown["labels"][1] == Label.CONTRADICTION
    suites = re.findall(r'value="(suite:[^"]+)"', owner.get("/annotate").text)
    assert suites, "the run's own suite can be drawn from, too"


def test_claims_are_judged_as_supported_or_not(tmp_path: Path, visit: Visit) -> None:
    """Unless the owner chooses other questions."""
    rows = "".join(f"It cost {n}.,It cost {n + n % 2}.,{('yes', 'no')[n % 2]}\n" for n in range(8))
    (tmp_path / "claims.csv").write_text(f"evidence,claim,supported\n{rows}")
    served = site_of(tmp_path)
    form = {"name": "claims", "source": "corpus:claims.csv", "size": "4", "people": "eve", "layout": ""}
    assert visit(served=served).post("/annotate/new", data=form).status_code == 200
    token = served.tasks.token("annotations/claims", "eve")
    eve = TestClient(make_application(served, hosts={HOST}), base_url=f"http://{HOST}")
    page = eve.get(f"/task?token={token}").text
    assert page.index("<dt>Claim</dt>") < page.index("<dt>Evidence</dt>")
    data = start(page)
    (question,) = data["questions"]
    assert question["text"] == "Does the evidence support the claim?"
    assert [each["name"] for each in question["choices"]] == ["supported", "not supported"]
    store = served.tasks.get("annotations/claims")
    person = store.person("eve")
    place = store.places(person)[0]
    store.answer(person, place.key, {"label": "not supported"}, base=0, request="r")
    assert store.state(person, place.key).done


def test_an_owner_may_ask_a_question_of_their_own(tmp_path: Path, visit: Visit) -> None:
    served = site_of(tmp_path)
    owner = visit(served=served)
    form = {"name": "own", "source": "corpus:bundled", "size": "4", "people": "eve, bob", "question": "How clear?"}
    assert owner.post("/annotate/new", data={**form, "choices": "clear"}).status_code == 422
    assert owner.post("/annotate/new", data={**form, "choices": "Clear, not clear"}).status_code == 200
    store = served.tasks.get("annotations/own")
    for name, said in (("eve", "clear"), ("bob", "not clear")):
        person = store.person(name)
        place = next(each for each in store.places(person) if each.key == next(iter(store.drawn)))
        store.answer(person, place.key, {"category": said}, base=0, request=name)
    page = owner.get("/annotate/task/annotations/own").text
    assert '<th scope="row">How clear?</th>' in page
    data = start(owner.get("/annotate/decide/annotations/own").text)
    (question,) = data["questions"]
    assert (question["text"], [each["name"] for each in question["choices"]]) == ("How clear?", ["clear", "not clear"])


def test_files_beside_the_key_can_be_read(tmp_path: Path, visit: Visit) -> None:
    draw_sample(cases(), tmp_path / "files" / "check", annotators=("ann", "bob"), size=12, layout="label")
    served = site_of(tmp_path / "files")
    owner = visit(served=served)
    assert "Read ann.csv, bob.csv" in owner.get("/annotate/task/check").text
    assert "ann: 0 new answers" in owner.post("/annotate/read/check").text
    assert [each.name for each in served.tasks.get("check").people()] == ["ann", "bob"]


def test_signing_in_needs_the_right_token(site: Site) -> None:
    client = TestClient(make_application(site, hosts={HOST}), base_url=f"http://{HOST}")
    assert client.get("/task?token=wrong").status_code == 401
    assert client.get("/task").status_code == 401
    assert csrf_of(client.get(f"/annotate?token={OWNER}").text)
