"""The page in a browser: drawn in every light, usable by keyboard and screen reader, and deaf to hostile text."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright
from tests.figures import measured
from tests.reports.conftest import with_estimates
from tests.reports.test_page import HOSTILE, renamed

from assay.core.run import RunRecord
from assay.reports.view import View, view_of
from assay.reports.write.page.document import page as document

DESK = {"width": 1280, "height": 900}
PATIENCE = 600_000
"""Milliseconds; only a page that hangs takes so long."""
PHONE = {"width": 390, "height": 844}

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; where it is missing, CI fails and everybody else is told how to get it."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        missing = "no Chromium here (`make browser`, or apt-get install chromium)"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def file(view: View, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(document(view), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Browser, file: Path) -> Iterator[Open]:
    """Opens the page; whatever it says on the console, throws or asks of the network is an error."""
    wrong: list[str] = []
    contexts = []

    def said(message: ConsoleMessage) -> None:
        wrong.append(f"{message.type}: {message.text}")

    def asked(request: Request) -> None:
        if not request.url.startswith(("file:", "data:")):
            wrong.append(f"asked for {request.url}")

    def call(path: Path = file, **options: object) -> Page:
        context = browser.new_context(**{"viewport": DESK, **options})  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", said)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.on("request", asked)
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-drawn]", state="attached")
        return page

    yield call
    assert not wrong
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    "options",
    [{}, {"color_scheme": "dark"}, {"viewport": PHONE, "is_mobile": True, "color_scheme": "dark"}],
    ids=["light", "dark", "phone"],
)
def test_it_is_drawn_and_accessible(opened: Open, options: dict[str, object]) -> None:
    page = opened(**options)
    for box in page.locator("[data-chart]").all():
        box.scroll_into_view_if_needed()
        box.locator("svg path, svg line").first.wait_for(state="attached")
    assert page.get_attribute("html", "data-drawn") == "all"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "it scrolls sideways"
    found = [each for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
    assert [f"{each['id']}: {each['nodes'][0]['html']}" for each in found] == []


def test_models_are_picked_in_tables_charts_and_examples(opened: Open) -> None:
    page = opened()
    page.locator("[data-chart=heatmap]").scroll_into_view_if_needed()
    page.locator("[data-chart=heatmap] svg").wait_for()
    page.get_by_role("checkbox", name="overlap", exact=True).uncheck()
    texts = "[...document.querySelectorAll('[data-chart=heatmap] text')].map(each => each.textContent)"
    page.wait_for_function(f"!{texts}.includes('overlap') && {texts}.includes('majority')")
    assert page.locator('table[data-sheet="swap"] tr[data-model="assay:overlap/v1"]:visible').count() == 0
    assert page.locator('table[data-sheet="swap"] tr[data-model="assay:majority/v1"]:visible').count() == 3
    page.locator("[data-chart=confusion]").scroll_into_view_if_needed()
    page.locator("[data-chart=confusion] svg").wait_for()
    assert "overlap" not in page.locator("[data-chart=confusion] text").all_text_contents()


def test_a_model_that_is_not_picked_has_no_column_in_the_groups(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    figures = [measured("travel", 0.6), measured("fiction", 0.4)]
    path = tmp_path / "groups.html"
    path.write_text(document(view_of([with_estimates(run, *run.estimates, *figures)])), encoding="utf-8")
    page = opened(path)
    table = page.locator('table[data-sheet="groups"]')
    models = table.locator("th[data-model]").all_text_contents()
    assert {"overlap", "majority"} < {*models}
    page.locator("#groups details").evaluate("each => (each.open = true)")
    columns = table.locator("thead th").count()
    box = page.get_by_role("checkbox", name="overlap", exact=True)
    for pick, left in ((box.uncheck, columns - 1), (box.check, columns)):
        pick()
        rows = table.locator("tr").all()
        assert [row.locator("th:visible, td:visible").count() for row in rows] == [left] * len(rows)
        assert table.get_by_role("button", name="overlap", exact=True).is_visible() == (left == columns)


def test_tables_are_sorted_and_filtered_by_keyboard(opened: Open) -> None:
    page = opened()
    table = page.locator('table[data-sheet="swap"]')
    button = table.get_by_role("button", name="original", exact=True)
    button.focus()
    for way in ("ascending", "descending"):
        page.keyboard.press("Enter")
        assert table.locator("th[aria-sort]").get_attribute("aria-sort") == way
        cells = table.locator("tbody tr td:nth-child(3)").evaluate_all("all => all.map(td => Number(td.dataset.value))")
        assert cells == sorted(cells, reverse=way == "descending")
    page.get_by_role("searchbox", name="Premise and hypothesis swapped").fill("overlap neutral")
    assert table.locator("tbody tr:visible").count() == 1
    assert page.get_by_role("status").filter(has_text="1 of 9 rows").count() == 1


def test_the_keyboard_reaches_everything(opened: Open) -> None:
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the results"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName"))
    assert reached >= {"A", "INPUT", "BUTTON", "DIV"}
    proof = page.locator(".example:visible details").first
    proof.locator("summary").focus()
    page.keyboard.press("Enter")
    assert proof.get_attribute("open") is not None


def test_hostile_text_is_shown_and_never_obeyed(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(document(renamed(run, HOSTILE)), encoding="utf-8")
    page = opened(path)
    assert page.locator("img").count() == 0
    assert "alert(1)" in page.locator("#verdict").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "a long word widens the page"


def test_no_text_becomes_code(browser: Browser, file: Path) -> None:
    page = browser.new_page()
    page.goto(file.as_uri())
    tried = """() => new Promise(done => setTimeout(() => {
        try { done(String(new Function("return 1")())); } catch (error) { done(error.name); }
    }))"""
    assert page.evaluate(tried) == "EvalError"
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = 1";
            document.body.append(script);
        }"""
    )
    assert page.evaluate("window.ran") is None
    page.close()


def test_charts_are_drawn_when_they_come_near(opened: Open, browser: Browser, file: Path) -> None:
    page = opened()
    assert page.get_attribute("html", "data-drawn") == "near"
    assert page.locator("[data-chart=confidence] svg").count() == 0
    page.locator("nav a[href='#calibration']").click()
    page.locator("[data-chart=confidence] svg").wait_for()
    top = page.locator("#calibration-title").evaluate("title => title.getBoundingClientRect().top")
    assert 0 < top < DESK["height"] / 3, "what was drawn has moved the title away"
    eager = browser.new_page()
    eager.set_default_timeout(PATIENCE)
    eager.add_init_script("delete window.IntersectionObserver")
    eager.goto(file.as_uri())
    eager.wait_for_selector("html[data-drawn=all]", state="attached")
    eager.close()


@pytest.mark.parametrize("width", [DESK["width"], 700])
def test_no_title_is_covered_by_what_sticks_to_the_top(opened: Open, width: int) -> None:
    page = opened(viewport={"width": width, "height": 900})
    page.locator(".pick").evaluate(
        "box => { for (let i = 0; i < 9; i++) box.append(box.lastElementChild.cloneNode(true)) }"
    )
    page.set_viewport_size({"width": width - 10, "height": 900})
    page.locator("nav a[href='#swap']").click()
    page.wait_for_function("""() => {
        const [title, box] = ["#swap-title", ".pick"].map(name => document.querySelector(name).getBoundingClientRect());
        return box.bottom < title.top && title.top < window.innerHeight;
    }""")


def test_no_answer_is_broken_on_a_phone(opened: Open) -> None:
    page = opened(viewport=PHONE, is_mobile=True)
    lines = """cells => cells.map(cell => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return [cell.textContent, range.getClientRects().length];
    }).filter(([text, lines]) => text && lines > 1)"""
    assert page.locator(".example:not([hidden]) .answers td").evaluate_all(lines) == []


def test_paper_is_white_and_holds_what_matters(opened: Open) -> None:
    page = opened(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 30, 36)"
    assert not page.locator("nav").is_visible()
    assert page.locator("#verdict").is_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_selector("html[data-drawn=all]", state="attached")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("table[data-sheet=subcases]").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
