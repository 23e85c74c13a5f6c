"""The heatmap of buried sentences in docs/families/burial.md: `python tools/docs/burial.py RUN`.

RUN is the stored run of the command in `HEAD`. Writes the figures to docs/results/burial/minilm.json and the
heatmap to docs/images/burial.svg, and fills the page. Too slow for `make docs`, which runs in the tests.
"""

import sys
from pathlib import Path

import msgspec
from generate import _filled

import assay
from assay.bench.stored import open_run
from assay.core.results.comparison import Compared
from assay.core.run import RunRecord
from assay.reports.charts.grid import Grid, burial_grid
from assay.reports.view import view_of
from assay.reports.words import short_name
from assay.reports.write.grid_svg import Cells, draw_grid, grid_size, svg

DOCS = Path(__file__).parents[2] / "docs"
MODELS = ("minilm", "minilm?windows=max")
WHAT = "measured"
HEAD = """## MiniLM, cut off and in windows

```sh
assay run --from bundled --sample 36 --family burial --set burial.lengths=128+512+2048 \\
  --model assay:minilm --model "assay:minilm?windows=max"
assay compare runs --models minilm "minilm?windows=max"
```

![Right answers of MiniLM by length and depth, cut off at 512 tokens and in windows](../images/burial.svg)
"""
TAIL = """The figures are in [minilm.json](../results/burial/minilm.json). `python tools/docs/burial.py RUN` makes this
part from the run."""


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
    width, height = grid_size(grid, Cells())
    picture = svg(draw_grid(grid, Cells(), name=view.name, x=12, y=12), width + 24, height + 24)
    (DOCS / "images" / "burial.svg").write_text(picture, encoding="utf-8")
    page = DOCS / "families" / "burial.md"
    overall = next(row for row in found.slices if row.slice["family"] == "burial" and "label" not in row.slice)
    content = "\n".join([HEAD, *_table(grid), "", _said(record, overall), "", TAIL, ""])
    page.write_text(_filled(page.read_text(encoding="utf-8"), WHAT, content), encoding="utf-8")


def _table(grid: Grid) -> list[str]:
    heads = [f"{short_name(model)}, {depth}" for model in grid.models for depth in grid.columns]
    rows = [f"| {line.name} | " + " | ".join(cell.text for cell in line.cells) + " |" for line in grid.lines]
    return [f"| premise | {' | '.join(heads)} |", "| --- |" + " --- |" * len(heads), *rows]


def _said(record: RunRecord, row: Compared) -> str:
    cases = sum(record.suites["stress"].counts["burial"].values())
    cut = next(each.truncated for each in record.models if "?" not in each.model)
    return (
        f"{cases:,} cases; without windows, {cut:,} premises lost their end. Over all of them, MiniLM is right on "
        f"{100 * row.baseline:.1f} % without windows and on {100 * row.candidate:.1f} % with them: a difference of "
        f"{100 * row.difference:+.1f} points (95 %: {100 * (row.low or 0):+.1f} to {100 * (row.high or 0):+.1f}), "
        f"paired by case; p is {row.adjusted:.2g} after Holm's correction."
    )


if __name__ == "__main__":
    main()
