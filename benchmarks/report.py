"""The page of a report: how large it is, how long it takes to make, and how long Chromium takes to draw it.

    python benchmarks/report.py [RUN]

Without RUN it puts six models on the default bench. The limits are 3 MB and 2 seconds, for six models over all families
on MultiNLI's matched dev set. Picking examples is told as a ratio to reading the run's cases and answers once.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

import assay
from assay.core.suite import Suite
from assay.report.formats import written
from assay.report.view import Told, view_of
from assay.run.answers import read_answers
from assay.run.examples import telling_examples
from assay.run.journey import open_run

MODELS = [
    f"assay:{name}" for name in ("majority", "hypothesis-only", "overlap", "subsequence", "constituent", "wordnet")
]
TIMES = 3


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(made) / assay.run(models=MODELS, out=made).id
        record = open_run(folder)
        reading = seconds(lambda: read_once(folder))
        examples = telling_examples(folder, record)
        picking = seconds(lambda: telling_examples(folder, record))
        view = view_of([Told(record, examples)])
        content = written(view, "html")["report.html"]
        making = seconds(lambda: written(view, "html"))
        page = Path(made) / "report.html"
        page.write_bytes(content)
        cases = sum(manifest.cases for manifest in record.suites.values())
        print(f"{len(record.models)} models, {cases:,} cases: {len(content) / 1e6:.2f} MB")
        print(f"reading cases and answers once: {reading:.2f} s")
        print(f"picking examples: {picking:.2f} s, {picking / reading:.1f} times that; the page: {making:.2f} s")
        draw(page)


def seconds(work: Callable[[], object]) -> float:
    """The quickest of a few times."""
    best = float("inf")
    for _ in range(TIMES):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def read_once(folder: Path) -> None:
    for name in open_run(folder).suites:
        for _ in Suite.open(folder / "suites" / name):
            pass
        for path in folder.glob(f"predictions/*/{name}.jsonl"):
            for _ in read_answers(path):
                pass


def draw(page: Path) -> None:
    """How long Chromium takes until every chart is drawn, by the clock and in time of the processor."""
    program = shutil.which("chromium")
    if program is None:
        print("drawing: no Chromium here (`make browser`)")
        return
    found = []
    with sync_playwright() as playwright:
        for _ in range(TIMES):
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            tab, session = browser.new_page(), browser.new_browser_cdp_session()
            began = time.perf_counter()
            tab.goto(page.as_uri())
            tab.wait_for_selector("html[data-drawn]", state="attached", timeout=120_000)
            clock = time.perf_counter() - began
            screen = tab.evaluate("performance.getEntriesByName('screen')[0].startTime") / 1000
            processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
            work = sum(each["cpuTime"] for each in processes if each["type"] == "renderer")
            found.append((clock, screen, work))
            browser.close()
    clock, screen, work = min(found)
    print(
        f"drawing: {screen:.2f} s until the screen is filled, {clock:.2f} s until all is; {work:.2f} s of the processor"
    )


if __name__ == "__main__":
    main()
