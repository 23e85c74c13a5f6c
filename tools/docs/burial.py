"""The heatmap of buried sentences in docs/families/burial.md: `python tools/docs/burial.py RUN`.

RUN is the stored run of the command in `HEAD`. Writes the figures to docs/results/burial/minilm.json and the
heatmap to docs/images/burial.svg, and fills the page. Too slow for `make docs`, which runs in the tests.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from generate import _filled

import assay
from assay.core.comparison import ComparedSlice
from assay.core.run_record import RunRecord
from assay.reports.charts.heatmap import Grid, burial_grid
from assay.reports.phrases import short_name
from assay.reports.view import view_of
from assay.reports.write.pictures import GridSize, draw_grid, grid_size, svg
from assay.run.stored_run import open_run

DOCS = Path(__file__).parents[2] / "docs"
MODELS = ("minilm", "minilm?windows=max")
WHAT = "measured"
WHOLE = {"model", "suite", "family", "label"}
"""What slices that span all lengths and depths name."""

LONG = 1024
"""The shortest texts that are clearly longer than what MiniLM reads."""
UNREAD = 2048
"""The shortest texts of which it reads less than a quarter."""
HEAD = """## MiniLM, cut off and in windows

```sh
assay run --from bundled --sample 30 --family burial \\
  --set burial.lengths=128+256+512+1024+2048+4096,burial.per_pair=0 \\
  --model assay:minilm --model "assay:minilm?windows=max"
assay compare runs --models minilm "minilm?windows=max"
```

![Right answers of MiniLM by length and depth, cut off at 512 tokens and in windows](../images/burial.svg)
"""
TAIL = """The bundled corpus has filler for 4,096 tokens; a larger one takes you to 8,192. The figures are in
[minilm.json](../results/burial/minilm.json). `python tools/docs/burial.py RUN` makes this part from the run."""


def main() -> None:
    record = open_run(sys.argv[1])
    view = view_of([record])
    grid = burial_grid(view)
    if grid is None:
        raise SystemExit("The run has no buried sentences.")
    (found,) = assay.compare(sys.argv[1], models=MODELS).comparisons
    figures = [e for e in record.estimates if e.name == "accuracy" and e.slice["family"] == "burial"]
    out = DOCS / "results" / "burial" / "minilm.json"
    out.parent.mkdir(exist_ok=True)
    kept = {"spec": record.spec, "figures": figures, "compared": found.slices, "versions": record.versions}
    out.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    width, height = grid_size(grid, GridSize())
    picture = svg(draw_grid(grid, GridSize(), name=view.name, x=12, y=12), width + 24, height + 24)
    (DOCS / "images" / "burial.svg").write_text(picture, encoding="utf-8")
    page = DOCS / "families" / "burial.md"
    rows = [each for each in found.slices if each.slice["family"] == "burial" and {*each.slice} <= WHOLE]
    content = "\n".join([HEAD, *_said(record, rows), *_tables(grid), "", *_reading(Path(sys.argv[1])), "", TAIL, ""])
    page.write_text(_filled(page.read_text(encoding="utf-8"), WHAT, content), encoding="utf-8")


def _tables(grid: Grid) -> Iterator[str]:
    """A table for each model: figures with their intervals, by length and depth."""
    width = len(grid.columns)
    for number, model in enumerate(grid.models):
        yield from ("", f"| {short_name(model)} | {' | '.join(grid.columns)} | cases in a cell |")
        yield "| --- |" + " --- |" * (width + 1)
        for line in grid.lines:
            cells = line.cells[number * width : (number + 1) * width]
            (n,) = {cell.n for cell in cells}
            yield f"| {line.name} | " + " | ".join(f"{cell.text} ({cell.ends})" for cell in cells) + f" | {n} |"


def _said(record: RunRecord, rows: Sequence[ComparedSlice]) -> Iterator[str]:
    counts = record.suites["stress"].counts["burial"]
    cut = next(each.truncated for each in record.models if "?" not in each.model)
    pairs = next(e.n for e in record.estimates if e.name == "accuracy" and e.slice["family"] == "original")
    yield (
        f"{sum(counts.values()):,} cases of {pairs} pairs; without windows, {cut:,} premises lost their end.\n"
        "Both ways, compared on the same cases:"
    )
    yield from ("", "| right label | cut off | windows | difference (95 %) | p | cases |", "| --- |" + " --- |" * 5)
    for row in rows:
        ends = f"{100 * (row.low or 0):+.1f} to {100 * (row.high or 0):+.1f}"
        yield (
            f"| {row.slice.get('label', 'all')} | {100 * row.baseline:.1f} | {100 * row.candidate:.1f} | "
            f"{100 * row.difference:+.1f} ({ends}) | {row.adjusted:.2g} | {row.n} |"
        )
    yield from ("", "In per cent and points. p: McNemar's exact test with Holm's correction.")
    yield "Below, by length, and by how much of the text comes before the sentence, with 95 % intervals."


def _reading(folder: Path) -> Iterator[str]:
    """What the answers show beyond the figures: whether they move with the sentence, and what is said of long texts."""
    cases = [each for each in _rows(folder / "suites" / "stress" / "cases.jsonl") if each["family"] == "burial"]
    unmoved, said = [], []
    for path in sorted((folder / "predictions").iterdir(), key=lambda each: len(each.name)):  # without windows first
        answers = {each["id"]: each for each in _rows(path / "stress.jsonl")}
        by_text: dict[tuple[str, str], set[str]] = {}
        for case in cases:
            if int(case["group"]["length"]) >= UNREAD and case["group"]["depth"] != "0":
                by_text.setdefault((case["origin"], case["group"]["length"]), set()).add(
                    str(answers[case["id"]]["probabilities"])
                )
        unmoved.append(f"{sum(len(each) == 1 for each in by_text.values())} of {len(by_text)}")
        long = Counter(answers[case["id"]]["label"] for case in cases if int(case["group"]["length"]) >= LONG)
        said.append({label: f"{100 * n / long.total():.0f} %" for label, n in long.items()})
    yield f"""**What gives truncation away:** from {UNREAD:,} tokens on, a sentence at 25 % or later is beyond what
MiniLM reads. Cut off, it gives the very same probabilities at 25, 50, 75 and 100 % in {unmoved[0]} texts, so the rows
are flat. In windows, it does so in {unmoved[1]}.

**Windows are no cure for a weak model:** from {LONG:,} tokens on, MiniLM cut off says entailment in
{said[0]["entailment"]} and contradiction in {said[0]["contradiction"]} of the cases, whatever is asked.
With `max`, it says contradiction in {said[1]["contradiction"]}, because one unrelated window is enough.
So compare both ways on your own texts before you choose."""


def _rows(path: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


if __name__ == "__main__":
    main()
