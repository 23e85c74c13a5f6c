"""The page in a browser: drawn in every light, usable by keyboard and screen reader, and deaf to hostile text."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request
from tests.figures import measured, share
from tests.fixtures.reports import with_estimates
from tests.reports.test_page import HOSTILE, renamed

from assay.core.comparison import ComparedSlice, Comparison, Comparisons
from assay.core.run_record import RunRecord
from assay.reports.page.html_page import comparison_page
from assay.reports.page.html_page import page as document
from assay.reports.view import ReportView, view_of

DESK = {"width": 1280, "height": 900}
PATIENCE = 600_000
"""Milliseconds; only a page that hangs takes so long."""
PHONE = {"width": 390, "height": 844}

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def file(view: ReportView, tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    assert serious(page) == [], "closed"
    open_all(page)
    for box in page.locator("[data-chart]").all():
        box.scroll_into_view_if_needed()
        box.locator("svg path, svg line").first.wait_for(state="attached")
    assert page.get_attribute("html", "data-drawn") == "all"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "it scrolls sideways"
    assert serious(page) == [], "open"


def serious(page: Page) -> list[str]:
    """What keeps people from using the page."""
    found = [each for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found]


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details.part').forEach(each => (each.open = true))")


def choice(page: Page, name: str) -> Locator:
    """A filter of the examples."""
    return page.locator(f".cases-tools select[name={name}]")


def pick(page: Page, name: str, *, on: bool) -> None:
    """Pick a model in the bar, or not."""
    page.locator(".picker").evaluate("each => (each.open = true)")
    page.get_by_role("checkbox", name=name, exact=True).set_checked(on)


def test_models_are_picked_in_tables_charts_and_examples(opened: Open) -> None:
    page = opened()
    open_all(page)
    pick(page, "overlap (baseline)", on=False)
    assert page.locator('.grid [data-model="assay:overlap/v1"]:visible').count() == 0
    assert page.locator('.grid [data-model="assay:majority/v1"]:visible').count() > 0
    assert page.locator('table[data-sheet="swap"] tr[data-model="assay:overlap/v1"]:visible').count() == 0
    page.locator("#swap .behind").evaluate("each => (each.open = true)")
    assert page.locator('table[data-sheet="swap"] tr[data-model="assay:majority/v1"]:visible').count() == 3
    page.locator("[data-chart=confusion]").scroll_into_view_if_needed()
    page.locator("[data-chart=confusion] svg").wait_for()
    assert "overlap (baseline)" not in page.locator("[data-chart=confusion] text").all_text_contents()
    assert "overlap" not in page.locator(".said").first.inner_text()
    page.get_by_role("button", name="None", exact=True).click()
    assert page.locator(".picker .count").inner_text() == "0 of 3"
    assert page.locator(".example").count() == 0
    page.get_by_role("button", name="All", exact=True).click()
    assert page.locator(".picker .count").inner_text() == "all 3"
    assert page.locator(".example").count() > 0


def test_a_cell_says_its_figure_and_leads_to_its_cases(opened: Open) -> None:
    page = opened()
    cell = page.locator(
        '[data-grid=heatmap] td[data-model="assay:overlap/v1"][data-family=negation][data-label=entailment]'
    )
    cell.locator("button").hover()
    assert (cell.get_attribute("data-tip") or "-") in page.get_by_role("tooltip").inner_text()
    assert re.search(r"% right \(95%: .*\), [0-9]+ cases", page.get_by_role("tooltip").inner_text())
    cell.locator("button").click()
    page.locator(".example").first.wait_for()
    assert page.locator(".example h3").evaluate_all("all => all.every(each => each.textContent.startsWith('negation'))")
    assert {*page.locator(".example > p > b").all_inner_texts()} == {"entailment"}
    assert page.locator(".example").count() == page.locator(".said li.bad", has_text="overlap").count()
    assert "--family negation --model assay:overlap/v1" in page.locator(".rest code").inner_text()


def test_a_view_is_a_link(opened: Open, browser: Browser) -> None:
    page = opened()
    open_all(page)
    pick(page, "majority (baseline)", on=False)
    choice(page, "family").select_option("word-overlap")
    page.get_by_label("Search the texts").fill("the")
    page.wait_for_function("() => location.hash.includes('q=the')")
    found = page.locator(".count", has_text="examples").inner_text()
    link = page.url
    other = browser.new_page()
    other.goto(link)
    other.wait_for_selector("html[data-drawn]", state="attached")
    assert other.locator(".count", has_text="examples").inner_text() == found
    assert choice(other, "family").input_value() == "word-overlap"
    assert other.locator("details.part:not([open])").count() == 0
    assert other.locator('.grid [data-model="assay:majority/v1"]:visible').count() == 0
    other.close()


def test_examples_are_searched_and_filtered(opened: Open) -> None:
    page = opened()
    page.locator("#examples > summary").click()
    count = page.locator(".count", has_text="examples")
    every = int(count.inner_text().split()[0])
    words = page.locator(".example .texts").first.inner_text().split()
    longest = max(words, key=len).strip(".,;")
    page.get_by_label("Search the texts").fill(longest)
    page.wait_for_function(
        "text => document.querySelector('.cases-tools .count').textContent !== text", arg=f"{every} of {every} examples"
    )
    assert all(longest.lower() in each.lower() for each in page.locator(".example").all_inner_texts())
    page.get_by_role("button", name="Clear", exact=True).click()
    assert count.inner_text() == f"{every} of {every} examples"
    choice(page, "show").select_option("flipped")
    assert page.locator(".example").count() > 0
    assert all(each.locator("li.bad strong").count() for each in page.locator(".example").all())
    choice(page, "model").select_option("assay:overlap/v1")
    choice(page, "show").select_option("disagree")
    choice(page, "with").select_option("assay:majority/v1")
    for said in page.locator(".example .said").all():
        sides = [line for line in said.locator("li").all_inner_texts() if "overlap" in line or "majority" in line]
        assert len(sides) == 2


def test_a_long_premise_is_unfolded(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_text(document(renamed(run, "long words " * 60)), encoding="utf-8")
    page = opened(path)
    page.locator("#examples > summary").click()
    text = page.locator(".example .texts dd").first
    folded = text.bounding_box()
    text.get_by_role("button", name="Show all of it").click()
    unfolded = text.bounding_box()
    assert folded
    assert unfolded
    assert unfolded["height"] > 1.5 * folded["height"]


def test_commands_are_copied(opened: Open) -> None:
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.locator("#again > summary").click()
    page.locator("#again").get_by_role("button", name="Copy the command").first.click()
    page.locator(".copy", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("assay run ")


def test_a_model_that_is_not_picked_has_no_column_in_the_groups(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    figures = [measured("travel", 0.6), measured("fiction", 0.4)]
    path = tmp_path / "groups.html"
    path.write_text(document(view_of([with_estimates(run, *run.estimates, *figures)])), encoding="utf-8")
    page = opened(path)
    open_all(page)
    table = page.locator('table[data-sheet="groups"]')
    models = table.locator("th[data-model]").all_text_contents()
    assert {"overlap (baseline)", "majority (baseline)"} < {*models}
    columns = table.locator("thead th").count()
    for on, left in ((False, columns - 1), (True, columns)):
        pick(page, "overlap (baseline)", on=on)
        rows = table.locator("tr").all()
        assert [row.locator("th:visible, td:visible").count() for row in rows] == [left] * len(rows)
        assert table.get_by_role("button", name="overlap (baseline)", exact=True).is_visible() == (left == columns)


def test_tables_are_sorted_and_filtered_by_keyboard(opened: Open) -> None:
    page = opened()
    page.evaluate("document.querySelectorAll('#swap, #swap details').forEach(each => (each.open = true))")
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
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName"))
    assert reached >= {"DIV", "BUTTON", "SUMMARY"}
    cells = page.locator("[data-grid=heatmap] td button")
    cells.first.focus()
    here = "document.activeElement.parentElement.dataset"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(f"[{here}.family, {here}.label]") == ["lexical", "contradiction"]
    tip = page.get_by_role("tooltip")
    tip.wait_for()
    page.evaluate("scrollBy(0, 5)")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert tip.is_visible()
    page.keyboard.press("Enter")
    page.locator(".example").first.wait_for()
    proof = page.locator(".example details").first
    proof.locator("summary").focus()
    page.keyboard.press("Enter")
    assert proof.get_attribute("open") is not None


def test_hostile_text_is_shown_and_never_obeyed(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(document(renamed(run, HOSTILE)), encoding="utf-8")
    page = opened(path)
    assert page.locator("img").count() == 0
    open_all(page)
    assert "alert(1)" in page.locator("#verdict").inner_text()
    assert "alert(1)" in page.locator(".example").first.inner_text()
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "a long word widens the page"


def test_a_comparison_is_a_page_with_differences_and_the_trend(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    later = msgspec.structs.replace(run, id=f"later {HOSTILE}", created=f"{run.created}9")
    row = ComparedSlice(
        slice={"suite": "stress", "family": f"negation {HOSTILE}"},
        n=90,
        candidate=0.5,
        baseline=0.2,
        difference=0.3,
        low=0.2,
        high=0.4,
        only_candidate=30,
        p=0.001,
        adjusted=0.002,
        verdict="better",
    )
    model = "assay:overlap/v1"
    pair = Comparison(
        candidate=model, candidate_run=later.id, baseline=model, baseline_run=run.id, test="paired", slices=(row,)
    )
    found = Comparisons(runs=(run.id, run.id, later.id), comparisons=(pair,), bands=(), notes=(HOSTILE,))
    path = tmp_path / "comparison.html"
    path.write_text(comparison_page(found, [run, run, later]), encoding="utf-8")
    page = opened(path)
    assert "Better: negation" in page.locator(".versus").inner_text()
    open_all(page)
    for box in page.locator("[data-chart]").all():
        box.scroll_into_view_if_needed()
        box.locator("svg path").first.wait_for(state="attached")
    assert page.locator("[data-chart^=trend]").count() == len(run.models)
    assert page.locator("img").count() == 0
    assert serious(page) == []


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


def test_charts_are_drawn_when_their_part_is_opened(opened: Open, browser: Browser, file: Path) -> None:
    page = opened()
    assert page.get_attribute("html", "data-drawn") == "near"
    assert page.locator("[data-chart] svg").count() == 0
    page.goto(f"{file.as_uri()}#calibration")
    page.locator("[data-chart=confidence] svg").wait_for()
    top = page.locator("#calibration h2").evaluate("title => title.getBoundingClientRect().top")
    bar = page.locator(".bar").evaluate("bar => bar.getBoundingClientRect().bottom")
    assert bar < top < DESK["height"], "what was drawn has moved the title away, or the bar covers it"
    eager = browser.new_page()
    eager.set_default_timeout(PATIENCE)
    eager.add_init_script("delete window.IntersectionObserver")
    eager.goto(file.as_uri())
    eager.get_by_role("button", name="Open all parts").click()
    eager.wait_for_selector("html[data-drawn=all]", state="attached")
    eager.close()


def test_no_name_is_cut_and_bars_stay_narrow(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    path = tmp_path / "one.html"
    one = [e for e in run.estimates if e.slice["model"] == "assay:overlap/v1"]
    path.write_text(document(view_of([with_estimates(run, *one)])), encoding="utf-8")
    page = opened(path)
    open_all(page)
    chart = page.locator("[data-chart=confusion]")
    chart.scroll_into_view_if_needed()
    chart.locator("svg").wait_for()
    assert not [each for each in chart.locator("text").all_text_contents() if "\u2026" in each]
    widths = chart.locator(".mark-rect path").evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
    assert 0 < max(widths) < 260


def test_nine_models_fit_into_ten_screens_and_twelve_pages(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    path = tmp_path / "nine.html"
    path.write_text(document(nine(run)), encoding="utf-8")
    page = opened(path)
    assert page.evaluate("document.documentElement.scrollHeight / window.innerHeight") <= 10
    assert page.locator(".edits").bounding_box()["y"] < DESK["height"]  # type: ignore[index]
    outside = "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"
    assert page.locator(".grid thead th.of").evaluate_all(outside) == [], "names run into each other"
    page.pdf(path=tmp_path / "nine.pdf", format="A4")
    pages = [len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "nine.pdf").read_bytes()))]
    assert pages[0] <= 12


def test_few_models_and_all_families_fit_into_one_screen(opened: Open, run: RunRecord, tmp_path: Path) -> None:
    path = tmp_path / "two.html"
    families = [f"family-{number}" for number in range(15)]
    labels = ("entailment", "neutral", "contradiction")
    models = [each.model for each in run.models][:2]
    figures = [
        share(0.5, model=model, family=family, label=label)
        for model in models
        for family in families
        for label in labels
    ]
    path.write_text(document(view_of([with_estimates(run, *figures)])), encoding="utf-8")
    box = opened(path).locator(".heat").bounding_box()
    assert box
    assert box["y"] + box["height"] <= DESK["height"]


def nine(run: RunRecord) -> ReportView:
    """The run as if nine models had answered."""
    names = ["python:mymodel:predict_all", *(f"assay:a-model-with-a-long-name-{n}/v1" for n in range(8))]
    own = [e for e in run.estimates if e.slice["model"] == "assay:overlap/v1"]
    answers = next(each for each in run.models if each.model == "assay:overlap/v1")
    replace = msgspec.structs.replace
    models = tuple(replace(answers, model=name, reference=n > 4) for n, name in enumerate(names))
    figures = [replace(e, slice={**e.slice, "model": name}) for name in names for e in own]
    examples = tuple(replace(e, answers=dict.fromkeys(names, e.answers["assay:overlap/v1"])) for e in run.examples)
    other = replace(run, models=models, examples=examples, about={}, diagnosis=None)
    return view_of([with_estimates(other, *figures)])


def test_no_answer_is_broken_on_a_phone(opened: Open) -> None:
    page = opened(viewport=PHONE, is_mobile=True)
    lines = """cells => cells.map(cell => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return [cell.textContent, range.getClientRects().length];
    }).filter(([text, lines]) => text && lines > 1)"""
    page.locator("#examples > summary").click()
    assert page.locator(".example .said b").evaluate_all(lines) == []
    assert page.locator("[data-grid] td button").evaluate_all(lines) == []
    assert page.locator(".heat .scroll.more").count() == 1, "nothing says that there is more to the right"


def test_paper_is_white_and_holds_what_matters(opened: Open) -> None:
    page = opened(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 30, 36)"
    assert not page.locator(".bar").is_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_selector("html[data-drawn=all]", state="attached")
    assert page.locator("#verdict").is_visible()
    assert page.locator("[data-grid=subcases]").is_visible()
    assert not page.locator("table[data-sheet=subcases]").is_visible()
    assert not page.locator("#skips").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("details.part[open]").count() == 0
