"""The page of a report: how large it is, how long it takes to make, and how long Chromium takes to draw it.

    python benchmarks/report.py [RUN]

Without RUN it puts six models on the default bench. The limits are 3 MB and 2 seconds, for six models over all families
on MultiNLI's matched dev set. Picking examples is told as a ratio to reading the run's cases and answers once. Drawing
is told twice: what is seen on opening, and every chart. Chromium sets the niceness of its pages itself; on a busy
machine `nice` does not help, and `chrt -r 1` before the command does.
"""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from playwright.sync_api import CDPSession, ViewportSize, sync_playwright

import assay
from assay.core.case import Prediction
from assay.reports.view import view_of
from assay.reports.write.output_formats import write_report
from assay.run.measure import telling_examples
from assay.run.stored_run import open_run
from assay.storage.suite import Suite

MODELS = [
    f"assay:{name}" for name in ("majority", "hypothesis-only", "overlap", "subsequence", "constituent", "wordnet")
]
TIMES = 3

SCREEN: ViewportSize = {"width": 1280, "height": 900}

PAINTED = "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"
"""The time since the page was asked for, once what is drawn by now is on the screen."""

EAGER = """
delete window.IntersectionObserver;
document.addEventListener("DOMContentLoaded", () => {
  for (const part of document.querySelectorAll("details.part")) part.open = true;
});
"""

OPENINGS = (
    ("all that is seen on opening", "html[data-drawn]", ""),
    ("every part open, with all of its charts", "html[data-drawn=all]", EAGER),
)
"""What is waited for, and what is done to the page before."""


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(made) / assay.run(models=MODELS, out=made).id
        record = open_run(folder)
        reading = seconds(lambda: read_once(folder))
        picking = seconds(lambda: telling_examples(folder, record))
        view = view_of([record])
        content = write_report(view, "html")["report.html"]
        making = seconds(lambda: write_report(view, "html"))
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
    decode = msgspec.json.Decoder(Prediction).decode
    for name in open_run(folder).suites:
        for _ in Suite.open(folder / "suites" / name):
            pass
        for path in folder.glob(f"predictions/*/{name}.jsonl"):
            for line in path.open("rb"):
                decode(line)


def draw(page: Path) -> None:
    """How long Chromium takes from the address to pixels, by the clock and in time of the processor."""
    program = shutil.which("chromium")
    if program is None:
        print("drawing: no Chromium here (`make browser`)")
        return
    print(f"drawing, best of {TIMES}, at a load of {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors:")
    with sync_playwright() as playwright:
        for what, ready, before in OPENINGS:
            found = []
            for _ in range(TIMES):
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                tab, session = browser.new_page(viewport=SCREEN), browser.new_browser_cdp_session()
                tab.add_init_script(before)
                idle = work(session)
                tab.goto(page.as_uri(), wait_until="commit")
                tab.wait_for_selector(ready, state="attached", timeout=120_000)
                found.append((tab.evaluate(PAINTED) / 1000, work(session) - idle))
                browser.close()
            clock, processor = min(found)
            print(f"  {what}: {clock:.2f} s, {processor:.2f} s of the processor")


def work(session: CDPSession) -> float:
    """Seconds of the processor that the page has used."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(each["cpuTime"] for each in processes if each["type"] == "renderer"))


if __name__ == "__main__":
    main()
