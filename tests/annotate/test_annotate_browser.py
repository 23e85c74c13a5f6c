"""Two people and an owner in real browsers: by keyboard alone, in two tabs, and while the server is away."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from tests.fixtures.annotation import OWNER, sampled, site_of

from assay.annotate.answer_store import AnswerStore, faults, history
from assay.serve.application import make_application
from assay.serve.site import Site

PATIENCE = 120_000
"""Milliseconds; only a page that hangs takes so long."""
SIZES = {"desk": (1440, 900), "small desk": (1024, 768), "phone": (390, 844)}

expect.set_options(timeout=PATIENCE)

Visitor = Callable[..., Page]


class Served:
    """A server in a thread, and the task that it serves."""

    def __init__(self, folder: Path, layout: str) -> None:
        sampled(folder, layout, many=6)
        self.site: Site = site_of(folder)
        for name in ("ann", "bob"):
            self.site.tasks.invite("check", self.store.add(name))
        listening = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(make_application(self.site, hosts={self.host}), log_config=None)
        self.server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        while not self.server.started:
            time.sleep(0.01)

    @property
    def store(self) -> AnswerStore:
        return self.site.tasks.get("check")

    def link(self, name: str) -> str:
        if name == "owner":
            return f"http://{self.host}/annotate/task/check?token={OWNER}"
        return f"http://{self.host}/task?token={self.site.tasks.token('check', name)}"

    def stop(self) -> None:
        self.server.should_exit = True
        self._thread.join()


@pytest.fixture
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    made = Served(tmp_path, getattr(request, "param", "label"))
    yield made
    made.stop()


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Visitor]:
    """Somebody's browser; whatever a page throws, says on the console or asks of others is an error."""
    wrong: list[str] = []
    contexts: list[BrowserContext] = []

    def call(name: str, *, size: str = "desk", dark: bool = False, beside: Page | None = None) -> Page:
        width, height = SIZES[size]
        context = (
            beside.context
            if beside
            else browser.new_context(
                viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
            )
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda said: (
                wrong.append(said.text)
                if "ERR_FAILED" not in said.text + str(said.args) and "409" not in said.text
                else None
            ),
        )
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on(
            "request",
            lambda asked: (
                None if served.host in asked.url or asked.url.startswith("data:") else wrong.append(asked.url)
            ),
        )
        page.goto(served.link(name))
        if name != "owner":
            expect(page.locator("#name")).to_contain_text("Case 1 of 6")
        return page

    yield call
    for context in {id(each): each for each in contexts}.values():
        context.close()
    assert not wrong


def settle(page: Page, done: int) -> None:
    """Wait until so many cases are answered and stored."""
    expect(page.locator("#count")).to_have_text(f"{done} of 6 answered")


def test_two_people_answer_at_once_and_the_owner_decides(served: Served, visit: Visitor) -> None:
    ann, bob, owner = visit("ann"), visit("bob"), visit("owner")
    for number in range(6):  # by turns, without waiting for each other
        ann.keyboard.press("1")
        bob.keyboard.press("1" if number else "3")
        for page in (ann, bob):
            settle(page, number + 1)
            if number < 5:
                expect(page.locator("#name")).to_contain_text(f"Case {number + 2} of 6")
    expect(ann.locator("#finished")).to_contain_text("Thank you")
    # The owner's page follows by itself, and a click on the matrix leads to the case.
    expect(owner.locator("[data-live=people]")).to_contain_text("6 of 6")
    expect(owner.locator(".matrix a.apart")).to_have_text("1")
    expect(owner.locator(".matrix a.same")).to_have_text("5")
    owner.click(".matrix a.apart")
    expect(owner.locator("#others")).to_contain_text("label: contradiction")
    owner.keyboard.press("2")
    expect(owner.locator("#count")).to_have_text("1 of 1 answered")
    owner.goto(f"http://{served.host}/annotate/task/check")
    expect(owner.locator("main")).to_contain_text("1 decided")
    expect(owner.locator("main")).not_to_contain_text("on which people disagree")
    assert "alpha" not in ann.content()
    assert [each.person for each in history(served.store)].count("ann") == 6
    assert not faults(served.store)


def test_keys_undo_and_moving(served: Served, visit: Visitor) -> None:
    page = visit("ann")
    page.keyboard.press("2")
    settle(page, 1)
    expect(page.locator("#name")).to_contain_text("Case 2 of 6")
    page.keyboard.press("u")
    settle(page, 0)
    expect(page.locator("#name")).to_contain_text("Case 1 of 6")
    expect(page.locator('.choice[aria-pressed="true"]')).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#name")).to_contain_text("Case 3 of 6")
    page.keyboard.press("o")
    expect(page.locator("#name")).to_contain_text("Case 4 of 6")
    page.locator("#single").uncheck()
    page.locator("#name").focus()
    page.keyboard.press("1")
    page.locator(".choice").first.focus()
    page.keyboard.press("Enter")  # a button works without the short keys
    settle(page, 1)
    assert len(history(served.store)) == 3


def test_two_tabs_on_one_case_show_the_conflict(served: Served, visit: Visitor) -> None:
    one = visit("ann")
    two = visit("ann", beside=one)
    one.keyboard.press("1")
    settle(one, 1)
    two.keyboard.press("3")
    expect(two.locator("#conflict")).to_be_visible()
    expect(two.locator("#theirs")).to_have_text("label: entailment")
    expect(two.locator("#mine")).to_have_text("label: contradiction")
    two.keyboard.press("2")
    expect(two.locator("#conflict")).to_be_hidden()
    settle(two, 1)
    expect(two.locator("#status")).to_have_text("Saved.")
    said = [each.said["label"] for each in history(served.store)]
    assert said == ["entailment", "contradiction"]


def test_an_answer_waits_for_the_server(served: Served, visit: Visitor) -> None:
    page = visit("ann")
    away = True

    def fail(route: Route) -> None:
        route.abort() if away else route.continue_()

    page.route("**/api/task/answer", fail)
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Not saved yet")
    assert not history(served.store)
    away = False
    settle(page, 1)
    assert len(history(served.store)) == 1


@pytest.mark.parametrize("served", ["notes"], indirect=True)
def test_notes_are_saved_when_they_are_left(served: Served, visit: Visitor) -> None:
    page = visit("ann")
    page.keyboard.type("It's odd: 1 < 2 & u")
    page.keyboard.press("Control+Enter")
    settle(page, 1)
    expect(page.locator("textarea")).to_have_value("")
    page.keyboard.type("-")
    page.locator("#previous").click()
    settle(page, 2)
    expect(page.locator("textarea")).to_have_value("It's odd: 1 < 2 & u")


@pytest.mark.parametrize("served", ["events"], indirect=True)
def test_questions_that_an_answer_makes_pointless_are_skipped(served: Served, visit: Visitor) -> None:
    page = visit("ann")
    page.keyboard.press("n")
    expect(page.locator(".question").nth(1)).to_have_class("question needless")
    page.keyboard.press("n")
    settle(page, 1)
    (last,) = served.store.states(served.store.person("ann")).values()
    assert last.said == {"q1_same_event": "no", "q3_incorrect": "no"}


@pytest.mark.parametrize(("size", "dark"), [("desk", False), ("small desk", True), ("phone", False), ("phone", True)])
def test_pages_fit_and_have_names_for_screen_readers(served: Served, visit: Visitor, size: str, dark: bool) -> None:
    ann = visit("ann", size=size, dark=dark)
    ann.keyboard.press("2")
    settle(ann, 1)
    bob = visit("bob", size=size, dark=dark)
    bob.keyboard.press("1")
    settle(bob, 1)
    owner = visit("owner", size=size, dark=dark)
    pages = [ann, owner]
    for path in ("/annotate", "/annotate/decide/check"):
        other = visit("owner", beside=owner)
        other.goto(f"http://{served.host}{path}")
        pages.append(other)
    for page in pages:
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, page.url
        found = Axe().run(page).response["violations"]
        assert not [each for each in found if each["impact"] in ("serious", "critical")], page.url
