"""Makes the pictures of the report that the documents show: `python tools/docs/screenshots.py [RUN]`.

It tests the default models, or takes the stored RUN of them, opens the page in Chromium, and takes it in daylight, in
the dark, on a phone and on paper. docs/images/report.json says how many cases the pictures show, for a test that
compares them with the README. It needs the development install and Chromium (`make browser`).
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

import assay
from assay.run.stored_run import open_run

FOLDER = Path(__file__).parents[2] / "docs" / "images"
COUNTS = FOLDER / "report.json"
DRAWN = "html[data-drawn]"
DESK = {"width": 1120, "height": 1000}

SHOTS: dict[str, dict[str, Any]] = {
    "report": {"viewport": {"width": 1180, "height": 940}},
    "report-dark": {"viewport": DESK, "color_scheme": "dark", "at": "#swap"},
    "report-examples": {"viewport": {"width": 1180, "height": 700}, "at": "#examples"},
    "report-phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True},
    "report-paper": {"viewport": {"width": 700, "height": 990}, "media": "print"},
}
"""The pictures: how wide, in what light, and from which part of the page on."""


def main() -> None:
    """Make all pictures of a default run."""
    if len(sys.argv) > 1:
        take_pictures(open_run(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as runs:
        take_pictures(assay.run(out=runs))


def take_pictures(record: assay.RunRecord) -> None:
    """Make all pictures of the report of a run."""
    program = next(
        filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))),
        None,
    )
    if program is None:
        raise SystemExit("No Chromium here: `make browser` installs it.")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as pages, sync_playwright() as playwright:
        page = assay.report(record, out=Path(pages) / "report.html")
        card = assay.report(record, to="card", out=Path(pages) / "card.png")
        shutil.copyfile(card, FOLDER / "report-card.png")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, how in SHOTS.items():
            shoot(browser, page, FOLDER / f"{name}.png", **how)
            print(FOLDER / f"{name}.png")
        browser.close()
    counts = {name: sum(labels.values()) for name, labels in record.suites["stress"].counts.items()}
    COUNTS.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def shoot(browser: Browser, page: Path, out: Path, *, at: str = "", media: Any = None, **options: Any) -> None:
    """One picture of the page."""
    context = browser.new_context(**options)
    tab = context.new_page()
    tab.emulate_media(media=media, color_scheme=options.get("color_scheme"))
    tab.goto(f"{page.resolve().as_uri()}{at}")
    tab.wait_for_selector(DRAWN, state="attached", timeout=60_000)
    for box in tab.locator(f"{at} [data-chart]").all() if at else ():
        box.locator("svg").wait_for()  # a part draws its charts when it is opened
    if at:
        tab.locator(at).evaluate("part => part.scrollIntoView()")  # the charts moved it
    if media == "print":
        tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")  # which opens what is closed
    tab.screenshot(path=out)
    context.close()


if __name__ == "__main__":
    main()
