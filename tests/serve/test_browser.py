"""The views in a browser: drawn in every light, usable by keyboard and screen reader, and deaf to hostile text."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page
from tests.fixtures.web import TOKEN

from assay.reports.page.html_page import page
from assay.run.stored_run import open_run
from assay.serve.access_tokens import Role
from assay.serve.application import allowed_hosts, make_application
from assay.serve.run_view import run_view
from assay.serve.server import http_server
from assay.serve.site import Site

PATIENCE = 120_000
"""Milliseconds; only a page that hangs takes so long."""

SIZES = {
    "desk": {"width": 1440, "height": 900},
    "tablet": {"width": 1024, "height": 800},
    "phone": {"width": 390, "height": 844},
}

VIEWS = (
    "/",
    "/runs/RUN",
    "/runs/RUN/cases?model=assay:overlap/v1&show=wrong",
    "/runs/RUN/cases?show=wrong&view=table",
    "/runs/RUN/cases/3",
    "COMPARE",
    "/compare",
    "/audits/RUN:stress",
    "/try",
    "/studies",
    "/start",
)

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def address(served: Path) -> Iterator[str]:
    """A server of the run, in a thread."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    site = Site(served, models=["assay:overlap"], port=port)
    site.access.admit(TOKEN, "owner", Role.OWNER)
    app = make_application(site, hosts=allowed_hosts("127.0.0.1", port))
    server = http_server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(30)
    site.close()


@pytest.fixture
def opened(browser: Browser, address: str, served: Path) -> Iterator[Open]:
    """Opens a view; whatever it says on the console, throws or asks of other hosts is an error."""
    wrong: list[str] = []
    contexts = []
    run = min(each.parent.name for each in served.glob("*/record.json"))

    def said(message: ConsoleMessage) -> None:
        wrong.append(f"{message.type}: {message.text}")

    def call(path: str, **options: object) -> Page:
        models = f"of={run}/assay:majority/v1&of={run}/assay:hypothesis-words/v1"
        path = path.replace("COMPARE", f"/compare?{models}").replace("RUN", run)
        context = browser.new_context(**{"viewport": SIZES["desk"], **options})  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", said)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.on("request", lambda asked: None if asked.url.startswith((address, "data:")) else wrong.append(asked.url))
        page.goto(f"{address}{path}{'&' if '?' in path else '?'}token={TOKEN}")
        page.wait_for_selector("main:not(:has([data-reload]))")  # a page that waits for an audit reloads by itself
        return page

    yield call
    assert not wrong
    for context in contexts:
        context.close()


def serious(page: Page) -> list[str]:
    """What keeps people from using the page."""
    found = [each for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found]


@pytest.mark.parametrize("path", VIEWS)
def test_a_view_fits_every_screen_and_is_accessible(opened: Open, path: str) -> None:
    for size, light in (("desk", "light"), ("tablet", "dark"), ("phone", "dark")):
        page = opened(path, viewport=SIZES[size], color_scheme=light)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{size}: scrolls sideways"
        wider = page.evaluate(
            "[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth + 2).length"
        )
        assert page.locator(".scroll.more").count() == wider, f"{size}: a table is cut without a hint"
        assert serious(page) == [], size
        assert TOKEN not in page.url


@pytest.mark.parametrize("path", ["/runs/RUN", "/runs/RUN/cases", "COMPARE"])
def test_a_copied_link_says_who_can_open_it(opened: Open, path: str) -> None:
    page = opened(path, permissions=["clipboard-read", "clipboard-write"])
    page.locator("[data-copy-link], [data-copy=link]").first.click()
    page.get_by_text("Only people who are signed in to this server can open this link.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_run_is_downloaded_and_opens_without_the_server(opened: Open, browser: Browser, tmp_path: Path) -> None:
    page = opened("/runs/RUN")
    with page.expect_download() as sent:
        page.get_by_role("link", name="Download to share").click()
    place = tmp_path / sent.value.suggested_filename
    sent.value.save_as(place)
    colleague = browser.new_context(offline=True).new_page()
    colleague.goto(f"file://{place}")
    assert colleague.locator("h1").inner_text() == page.locator("h1").inner_text()
    assert colleague.locator(".grid [data-tip]").count() > 20
    assert colleague.locator("[data-copy=link]").count() == 0, "the path of a file is no link"
    assert colleague.get_by_text("assay show").count() == 0
    assert serious(colleague) == []
    colleague.context.close()


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_no_legend_of_a_run_is_cut(browser: Browser, claims_folder: Path, tmp_path: Path, size: str) -> None:
    (place,) = claims_folder.glob("*/record.json")
    (tmp_path / "run.html").write_text(page(run_view(open_run(place.parent))), encoding="utf-8")
    opened = browser.new_page(viewport=SIZES[size])  # type: ignore[arg-type]
    opened.goto(f"file://{tmp_path}/run.html")
    opened.locator("#thresholds > summary").click()
    chart = opened.locator("[data-chart=thresholds-curve]")
    chart.scroll_into_view_if_needed()
    chart.locator(".role-legend-label").first.wait_for()
    right = "(text) => text.getBoundingClientRect().right"
    ends = chart.evaluate(f"(box) => [...box.querySelectorAll('.role-legend-label text')].map({right})")
    assert len(ends) == 4
    assert max(ends) <= chart.evaluate("(box) => box.closest('.scroll').getBoundingClientRect().right")
    opened.close()


def test_a_family_has_one_name_and_says_what_it_tests(opened: Open) -> None:
    page = opened("/runs/RUN")
    table = page.locator(".overview thead tr:not(.groups) th").all_text_contents()
    grid = page.locator("[data-grid=heatmap] tbody th").all_text_contents()
    assert {*table} - {"model", "help", "mislead"} <= {*grid}
    for place in (".overview th", "[data-grid=heatmap] tbody th"):
        name = page.locator(place, has_text="word-overlap")
        name.evaluate("(name) => new Promise((done) => (name.scrollIntoView(), setTimeout(done, 300)))")
        name.click()  # scrolling would hide what it says
        page.get_by_role("tooltip").get_by_text("Adds words that the premise lacks").wait_for()
        assert "For example: " in page.get_by_role("tooltip").inner_text()
        page.keyboard.press("Escape")


def test_a_new_user_finds_what_two_models_disagree_on(opened: Open) -> None:
    page = opened("/")
    page.locator("tr.run a").last.click()
    page.get_by_role("link", name="All cases").click()
    for name, value in (
        ("model", "assay:hypothesis-words/v1"),
        ("other", "assay:overlap/v1"),
        ("show", "differ"),
        ("order", "disagreement"),
    ):
        page.locator(f"select[name={name}]").select_option(value)
        page.wait_for_url(f"**{name}=**")
    page.locator("input[name=down]").check(no_wait_after=True)
    page.wait_for_url("**down=1**")
    page.locator(".facets a", has_text="negation").click()
    page.wait_for_url("**family=negation**")
    assert "order=disagreement" in page.url
    assert page.locator("article.case").count() > 0
    assert page.locator(".chip", has_text="Family: negation").count() == 1
    again = opened(page.url.partition(page.url.split("/runs")[0])[2])
    assert again.locator("article.case").all_inner_texts() == page.locator("article.case").all_inner_texts()


def test_a_comparison_leads_to_them_by_clicks_alone(opened: Open) -> None:
    page = opened("/")
    run = page.locator("tbody", has=page.locator("tr.run")).last
    for model in ("hypothesis-words", "overlap"):
        run.get_by_role("checkbox", name=f"Compare {model} ").check()
    page.get_by_role("button", name="Compare the chosen models").click()
    page.get_by_text("cases where they disagree most").click()
    page.get_by_role("link", name="cases where their answers differ").click()
    page.locator(".facets a", has_text="negation").click()
    page.wait_for_url("**family=negation**")
    assert all(part in page.url for part in ("show=differ", "order=disagreement", "down=1"))
    case = page.locator("article.case").first
    label = case.locator("p", has_text="Right: ").locator("b").inner_text()
    case.locator(".family a").click()
    page.get_by_role("link", name="Try this pair").click()
    assert page.locator("[name=premise]").input_value()
    assert page.locator("[name=label]").input_value() == label


def test_a_cell_leads_to_its_cases(opened: Open) -> None:
    page = opened("/runs/RUN")
    cell = page.locator(".heat td[data-family=negation][data-label=neutral][data-tip]").first
    said = re.search(r"[\d.]+", cell.get_attribute("data-tip") or "")  # a cell of fewer than 20 cases has no text
    assert said
    cell.locator("button").click()
    page.wait_for_url("**/cases?**")
    wrong = int(page.locator(".total b").inner_text().replace(",", ""))
    page.goto(page.url.replace("show=wrong", "show=right"))
    right = int(page.locator(".total b").inner_text().replace(",", ""))
    assert 100 * right / (right + wrong) == pytest.approx(float(said[0]), abs=0.06)


@pytest.mark.parametrize("view", ["", "&view=table"])
def test_a_whole_card_leads_to_its_case(opened: Open, view: str) -> None:
    page = opened(f"/runs/RUN/cases?family=negation{view}")
    text = page.locator(".claim, .dense .two-lines").first
    text.select_text()
    text.dispatch_event("click")
    assert "/cases?" in page.url, "selecting text leads nowhere"
    page.evaluate("getSelection().removeAllRanges()")
    text.click()
    page.wait_for_url("**/cases/*at=0*")


def test_the_keyboard_alone_is_enough(opened: Open) -> None:
    page = opened("/runs/RUN/cases")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.get_by_role("searchbox").focus()
    page.keyboard.type('"false is not true"')
    page.keyboard.press("Enter")
    page.wait_for_url("**words=**")
    assert page.locator("article.case").count() > 0
    page.locator(".facets a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**words=**")


def test_a_pair_is_tried(opened: Open) -> None:
    page = opened("/try")
    page.locator("[name=premise]").fill("A cook fries two eggs.")
    page.locator("[name=hypothesis]").fill("A cook <img src=x onerror=alert(1)> fries eggs.")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("heading", name="Words that carry the answer").wait_for()
    assert page.locator("img").count() == 0
