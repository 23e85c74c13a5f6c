"""Makes the generated parts of documents that are in git: `python tools/docs/generate.py [FOLDER] [--without-run]`.

Draws docs/contributing/architecture.svg and the plots of docs/results, fills their small tables, puts the sums of the
readings into docs/explanation/labels.md, and the real table of `assay run` into README.md. With FOLDER it writes
there instead of into the project, for the tests to compare. `--without-run` leaves out what needs a default run,
which takes a minute or two. The reference pages of the site are made by tools/docs/site_pages.py when the site is
built.
"""

import argparse
import io
import tempfile
from pathlib import Path

import draw
import plots
import readings
import screenshots
import small_tables
from rich.console import Console

import assay
from assay.core.run_record import RunRecord
from assay.reports.tables.overview_table import overview
from assay.reports.terminal.terminal_tables import SheetTable
from assay.reports.view import view_of

ROOT = Path(__file__).parents[2]
WIDTH = 100


def documents_of_a_run() -> dict[str, str]:
    """The documents that show a default run; the pictures of its report are taken from the same record."""
    with tempfile.TemporaryDirectory() as folder:
        record = assay.run(out=folder)
        screenshots.take_pictures(record)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return {"README.md": filled(readme, "table of assay run", f"```text\n{run_table(record)}\n```\n")}


def documents() -> dict[str, str]:
    """Every other generated document, by its place in the project."""
    labels = ROOT / "docs" / "explanation" / "labels.md"
    results = {}
    for name, tables in small_tables.tables().items():
        page = (ROOT / "docs" / "results" / name).read_text(encoding="utf-8")
        for what, content in tables.items():
            page = filled(page, what, content)
        results[f"docs/results/{name}"] = page
    statistics = (ROOT / "docs" / "explanation" / "statistics.md").read_text(encoding="utf-8")
    results["docs/explanation/statistics.md"] = filled(statistics, "table of calibration", small_tables.calibration())
    return {
        **results,
        "docs/contributing/architecture.svg": draw.drawing(),
        "docs/explanation/labels.md": filled(
            labels.read_text(encoding="utf-8"), "table of readings", readings.table(readings.QUALITY)
        ),
    }


def run_table(record: RunRecord) -> str:
    """The table that `assay run` prints."""
    table = overview(view_of([record]))
    console = Console(file=io.StringIO(), width=WIDTH, highlight=False, color_system=None)
    with console.capture() as printed:
        console.print(SheetTable(table))
    return "\n".join(line.rstrip() for line in printed.get().strip("\n").splitlines())


def filled(page: str, what: str, content: str) -> str:
    """The page with this content between its two marks."""
    begin, end = f"<!-- {what} -->\n", f"<!-- end of {what} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"No place for the {what}: {begin.strip()} and {end}")
    return f"{before}{begin}{content}{end}{after}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the generated parts of documents.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--without-run", action="store_true")
    options = parser.parse_args()
    target, made = options.folder, documents()
    made |= {f"docs/results/plots/{name}": drawing for name, drawing in plots.drawings().items()}
    if not options.without_run:
        made |= documents_of_a_run()
    for place, content in made.items():
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        (target / place).write_text(content, encoding="utf-8")
