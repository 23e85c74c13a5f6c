"""Makes the pictures of the web application that the documents show: `python tools/docs/app_screenshots.py`.

It tests three models, serves the run, and takes pictures in Chromium. With `--all FOLDER`, every view is taken at three
widths, in daylight and in the dark, to look at. It needs the development install and Chromium (`make browser`).
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright

import assay

FOLDER = Path(__file__).parents[2] / "docs" / "images"

BENCH = ("assay:overlap", "assay:esim", "assay:minilm")
"""A few, one of them a reference."""

ONE, OTHER = "assay:minilm/v1", "assay:esim/v1"

APART = f"family=negation&model={quote(ONE)}&other={quote(OTHER)}&show=differ&order=disagreement&down=1"
"""The cases on which two models disagree most."""

PAIR = "premise=A+cook+fries+two+eggs+in+a+small+pan.&hypothesis=Nobody+is+cooking."

VIEWS = {
    "runs": "/",
    "labels": "/?labels=1",
    "run": "/runs/{run}",
    "cases": f"/runs/{{run}}/cases?{APART}",
    "none": "/runs/{run}/cases?words=nothing-is-like-this",
    "case": "/runs/{run}/cases/12",
    "compare": f"/compare?of={{run}}/{quote(OTHER)}&of={{run}}/{quote(ONE)}",
    "choose": "/compare",
    "try": f"/try?{PAIR}",
    "studies": "/studies",
    "audit": "/audits/{run}:stress",
    "start": "/start",
    "missing": "/runs/none",
}
"""Every view."""

SHOWN = ("runs", "cases", "compare")
"""Those that documents show."""

SIZES = {"1440": (1440, 900), "1024": (1024, 800), "phone": (390, 844)}


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="Every view, at three widths, in both lights.")
    parser.add_argument("--runs", type=Path, help="Stored runs to show, instead of a new one.")
    given = parser.parse_args()
    program = next(
        filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))),
        None,
    )
    if program is None:
        raise SystemExit("No Chromium here: `make browser` installs it.")
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        runs = given.runs or Path(temporary) / "runs"
        if given.runs is None:
            assay.run(models=BENCH, out=runs)
        run = max(each.parent.name for each in runs.glob("*/record.json"))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        with served(runs) as address:
            if given.all:
                take_all(browser, address, run, given.all)
            else:
                for name in SHOWN:
                    page = opened(browser, address, VIEWS[name].format(run=run), 1280, 860, "light")
                    page.screenshot(path=FOLDER / f"serve-{name}.png")
                    page.context.close()
        browser.close()


def take_all(browser: Browser, address: str, run: str, out: Path) -> None:
    """Every view, in every way."""
    out.mkdir(parents=True, exist_ok=True)
    for size, (width, height) in SIZES.items():
        for light in ("light", "dark"):
            for name, path in VIEWS.items():
                page = opened(browser, address, path.format(run=run), width, height, light)
                if name == "try":
                    page.get_by_role("button", name="Ask, with every test").click(timeout=300_000)
                wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                page.screenshot(path=out / f"{name}-{size}-{light}.png", timeout=120_000)
                print(name, size, light, f"scrolls sideways by {wider}" if wider > 0 else "")
                page.context.close()


def opened(browser: Browser, address: str, path: str, width: int, height: int, light: str) -> Page:
    """A page of the application."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=light)  # type: ignore[arg-type]
    context.set_default_timeout(300_000)
    page = context.new_page()
    page.on("console", lambda message: print("console:", message.text))
    page.on("pageerror", lambda error: print("error:", error))
    base, _, token = address.partition("/?token=")
    page.goto(f"{base}{path}{'&' if '?' in path else '?'}token={token}")
    return page


@contextmanager
def served(runs: Path) -> Iterator[str]:
    """The address of a server."""
    command = [str(Path(sys.executable).with_name("assay")), "serve", runs.name, "--port", "0", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=runs.parent) as server:  # noqa: S603 - our own program
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            assert re.match(r"http://127\.0\.0\.1:\d+/\?token=", address)
            yield address
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
