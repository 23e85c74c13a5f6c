"""A bundle: every link leads to a file, and its scripts show what a server shows."""

import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from starlette.testclient import TestClient
from tests.conftest import Assay
from tests.fixtures.web import HOSTILE, TOKEN
from tests.serve.test_browser import serious

import assay
from assay.core.errors import UserError
from assay.serve import bundle as write
from assay.serve.bundle import write_bundle
from assay.serve.served_runs import RunOverview

PATIENCE = 120_000
"""Milliseconds; only a page that hangs takes so long."""

FILTERS = (
    "family=negation&model=assay:overlap/v1&show=wrong",
    "model=assay:hypothesis-words/v1&other=assay:overlap/v1&show=differ&order=disagreement&down=1",
    "words=not&label=neutral&group.genre=fiction",
    'words="false is" tru*&model=assay:majority/v1&answer=neutral',
    'words=FÀLSE "is-not" don\'t',
    "model=assay:overlap/v1&show=flipped&order=variant",
    "model=assay:hypothesis-words/v1&show=beats&sure_from=40&sure_to=90&order=confidence&page=2",
    "suite=heuristics&order=length&down=1&page=3",
    "model=assay:majority/v1&order=worst&page=2",
    "model=assay:hypothesis-words/v1&show=wrong&order=worst",
    "words=nothinglikethis",
)


@pytest.fixture(scope="module")
def bundle(served: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of the oldest run; other tests may have started others."""
    home = tmp_path_factory.mktemp("bundle")
    oldest = min(each.parent for each in served.glob("*/record.json"))
    shutil.copytree(oldest, home / "runs" / oldest.name)
    out = home / "pages"
    assert write_bundle(home / "runs", out) == len([*out.rglob("*.html")])
    return out


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context()
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


def test_every_link_leads_to_a_file(bundle: Path) -> None:
    links = 0
    for page in bundle.rglob("*.html"):
        for address in re.findall(r'\b(?:href|src|action|data-cases)="([^"#]+)"', page.read_text()):
            if not address.startswith("data:"):
                path = page.parent / unquote(unescape(address).partition("?")[0])
                assert path.is_file(), f"{page.relative_to(bundle)}: {address}"
                links += 1
    assert links > 200


def test_no_file_names_a_folder_of_the_machine(tmp_path: Path) -> None:
    """Not the served folder, which has no study, and not where the pairs and the suite of a run came from."""
    served = tmp_path / "served"
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(
        "".join(
            f'{{"id": "{number}", "premise": "A cook fries {number} eggs.", "hypothesis": "A cook eats.", '
            f'"label": "{label}"}}\n'
            for number, label in enumerate(("entailment", "neutral", "contradiction") * 3)
        )
    )
    assay.build("swap", pairs, out=tmp_path / "built")
    assay.run(pairs, families="negation", models="assay:majority", out=served, cache=False)
    assay.run(suites=[tmp_path / "built"], models="assay:majority", out=served, cache=False)
    (served / "broken").mkdir()
    (served / "broken" / "record.json").write_text("{")
    write_bundle(served, tmp_path / "pages")
    commands = [page.read_text() for page in (tmp_path / "pages").glob("runs/*/index.html")]
    assert any("--from pairs.jsonl" in page for page in commands)
    assert any("=built " in page for page in commands)
    telling = [each for each in (tmp_path / "pages").rglob("*") if each.is_file() and str(tmp_path) in each.read_text()]
    assert not telling


def test_the_gate_of_a_copied_threshold_page_stays_and_says_so(
    claims_folder: Path, tmp_path: Path, context: BrowserContext
) -> None:
    """A bound that is chosen there can't change the gate, which the server makes."""
    write_bundle(claims_folder, tmp_path / "pages")
    page = context.new_page()
    page.goto((tmp_path / "pages" / "runs" / "1" / "threshold-1.html").as_uri())
    rules = page.locator("#use code").all_inner_texts()
    place = re.search(r"at threshold=([\d.]+)", " ".join(rules))
    assert place
    links = page.locator(".promises [data-at]").all()
    assert len(links) > 1
    for link in links:
        link.click()
        assert page.locator("#use code").all_inner_texts() == rules
        assert f"the gate stays that of {place[1]}, whatever is chosen" in page.locator("#use").inner_text()


def test_the_list_of_comparisons_has_short_names(bundle: Path) -> None:
    page = (bundle / "compare.html").read_text()
    assert "majority and hypothesis-words in " in page
    assert "/v1" not in page
    assert "your own machine" not in page


def test_models_of_two_runs_are_compared(tmp_path: Path) -> None:
    """Also where each run has one model, of another name; and both pages lead there."""
    pairs = assay.read("bundled", limit=12)
    for name in ("first", "second"):
        models = {name: lambda asked: ["neutral"] * len(asked)}
        assay.run(pairs, families="negation", models=models, out=tmp_path / "runs", cache=False)
    write_bundle(tmp_path / "runs", tmp_path / "pages")
    assert "second in " in (tmp_path / "pages" / "compare.html").read_text()
    assert (tmp_path / "pages" / "compare" / "1.html").is_file()
    found = [
        re.findall(r'href="../../compare/1.html">Compare with object:(\w+)', page.read_text())
        for page in (tmp_path / "pages").glob("runs/*/index.html")
    ]
    assert sorted(found) == [["first"], ["second"]]


def shown(page: Page) -> dict[str, str]:
    """What a list of cases says."""
    parts = {name: page.locator(name).all_text_contents() for name in (".total", ".facets", ".list", ".chip")}
    return {name: re.sub(r"\s+", "", "".join(found)) for name, found in parts.items()}


@pytest.mark.parametrize("number", range(len(FILTERS)))
def test_cases_are_those_of_the_server(
    bundle: Path, context: BrowserContext, client: TestClient, run: RunOverview, number: int
) -> None:
    """The same filter in both: cases, their order, answers and counts are the same, word by word."""
    place = bundle / "runs" / "1"
    wrong: list[str] = []
    page, served = context.new_page(), context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"file://{place}/cases.html?{FILTERS[number]}")
    page.wait_for_selector("body[data-ready]")
    answer = client.get(f"/runs/{run.record.id}/cases?{FILTERS[number]}")
    served.set_content(answer.text)
    assert answer.status_code == 200
    assert shown(page) == shown(served)
    assert not wrong


def test_a_case_is_shown_with_its_siblings(bundle: Path, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"file://{bundle}/runs/1/cases.html?family=negation")
    page.wait_for_selector("body[data-ready]")
    page.locator("article.case .family a").first.click()
    page.wait_for_selector("body[data-ready] .detail")
    assert page.locator(".detail .card").count() == 3
    assert page.locator("li[aria-current=true]").count() == 1
    assert page.locator("article.case").count() > 2
    page.get_by_role("link", name="Cases", exact=True).click()
    page.wait_for_url("**/cases.html?family=negation")


def test_a_cell_leads_to_its_cases(bundle: Path, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"file://{bundle}/runs/1/index.html")
    page.locator(".heat td[data-family=negation][data-label=neutral][data-tip] button").first.click()
    page.wait_for_url("**/cases.html?**")
    page.wait_for_selector("body[data-ready]")
    assert "Family: negation" in page.locator(".chosen").inner_text()


@pytest.mark.parametrize(
    "path", ["index.html", "compare.html", "runs/1/cases.html?family=negation", "runs/1/cases.html?case=3"]
)
def test_a_page_fits_a_phone_and_is_accessible(bundle: Path, browser: Browser, path: str) -> None:
    with browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark") as phone:
        page = phone.new_page()
        page.goto(f"file://{bundle}/{path}")
        if "?" in path:
            page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert serious(page) == []


def test_hostile_text_stays_text(hostile: Path, context: BrowserContext, tmp_path: Path) -> None:
    """What the scripts of a bundle build: cases that were found, one of them, and facets."""
    write_bundle(hostile, tmp_path / "pages")
    wrong: list[str] = []
    page = context.new_page()
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    filtered = urlencode({f"group.{HOSTILE}": f"{HOSTILE}0"})
    for query in ("words=script&order=length", filtered, "case=3"):
        page.goto(f"file://{tmp_path}/pages/runs/1/cases.html?{query}")
        page.wait_for_selector("body[data-ready]")
        assert "<img src=x onerror=alert(2)>" in page.locator("main").inner_text()
        assert "\u202e" not in page.locator("main").inner_text()
        assert page.locator("img").count() == 0
        assert page.locator("script:not([src]):not([type='application/json'])").count() == 0
    assert not wrong


def test_a_bundle_holds_no_secret_and_replaces_nothing(assay: Assay, served: Path, bundle: Path) -> None:
    assert not any(TOKEN in page.read_text() for page in bundle.rglob("*.html"))
    assert "already exists" in assay("serve", served, "--bundle", bundle, code=2).stderr
    words = ("serve", served, "--bundle", bundle, "--port", "1")
    assert "--port is not for --bundle" in assay(*words, code=2).stderr


def test_a_run_that_is_too_large_is_named(served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "MOST", 100)
    with pytest.raises(UserError, match="cases, and a bundle takes runs of at most 100"):
        write_bundle(served, tmp_path / "pages")
    assert not (tmp_path / "pages").exists()
