"""Makes the pictures of annotation that the documents show: `python tools/docs/annotation_screenshots.py`.

It draws a sample of the pairs that come with Assay, lets three made-up people answer, and takes pictures in Chromium.
With `--all FOLDER`, every page is taken at three widths, in daylight and in the dark, to look at.
"""

import argparse
import random
import shutil
import tempfile
from pathlib import Path

from app_screenshots import FOLDER, SIZES, opened, served
from playwright.sync_api import Browser, expect, sync_playwright

from assay.annotate.answer_store import AnswerStore
from assay.annotate.sample import draw_sample, drawn_from
from assay.core.label import THREE_WAY
from assay.serve.access_tokens import key_of

PEOPLE = {"ann": (40, 0.9), "bob": (40, 0.8), "cid": (23, 0.85)}
"""How many cases each has answered, and how often with the built label."""

TOKEN = "a-token-for-pictures"  # noqa: S105 - of a server that lives for a minute

PAGES = {
    "task": "/task",
    "board": "/annotate/task/annotations/review",
    "decide": "/annotate/decide/annotations/review?column=label",
    "tasks": "/annotate",
}
"""Every page."""

SHOWN = ("task", "board")
"""Those that documents show."""


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="Every page, at three widths, in both lights.")
    given = parser.parse_args()
    program = next(
        filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))),
        None,
    )
    if program is None:
        raise SystemExit("No Chromium here: `make browser` installs it.")
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        answered(Path(temporary) / "annotations" / "review")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        with served(Path(temporary)) as address:
            if given.all:
                given.all.mkdir(parents=True, exist_ok=True)
                for size, (width, height) in SIZES.items():
                    for light in ("light", "dark"):
                        for name in PAGES:
                            take(browser, address, name, given.all / f"{name}-{size}-{light}.png", width, height, light)
            else:
                for name in SHOWN:
                    take(browser, address, name, FOLDER / f"annotate-{name}.png", 1280, 860, "light")
        browser.close()


def answered(folder: Path) -> None:
    """A task that people are working on."""
    source = drawn_from("bundled", "check")
    draw_sample(source.cases, folder, annotators=(), size=40, layout="check")
    with AnswerStore(folder) as store:
        for name, (many, right) in PEOPLE.items():
            chance = random.Random(name)  # noqa: S311 - made-up answers
            person = store.add(name)
            if name == "cid":
                store.let_in(person, key_of(TOKEN))
            for place in store.places(person)[:many]:
                built = store.drawn[place.key].label
                label = built if chance.random() < right else chance.choice(THREE_WAY)
                easy = "yes" if chance.random() < right else "no"
                said = {"label": label.value, "grammatical": "yes", "easy": easy}
                store.answer(person, place.key, said, base=0, request=place.key)


def take(browser: Browser, address: str, name: str, path: Path, width: int, height: int, light: str) -> None:
    """A picture of a page; an annotator's, with their own token."""
    own = f"{address.partition('token=')[0]}token={TOKEN}" if name == "task" else address
    page = opened(browser, own, PAGES[name], width, height, light)
    if name in ("task", "decide"):
        expect(page.locator("#premise")).not_to_be_empty(timeout=60_000)
    if name == "task":
        page.keyboard.press("2")
        expect(page.locator("#status")).to_have_text("Saved.", timeout=60_000)
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    page.screenshot(path=path)
    print(path.name, f"scrolls sideways by {wider}" if wider > 0 else "")
    page.context.close()


if __name__ == "__main__":
    main()
