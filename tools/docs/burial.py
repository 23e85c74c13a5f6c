"""The heatmap of buried sentences: `python tools/docs/burial.py RUN`.

RUN is the stored run of the command in docs/reference/tests/burial.md. Writes the numbers to
docs/results/burial/minilm.json and the heatmap to docs/images/burial.svg.
"""

import sys
from pathlib import Path

import msgspec

import assay
from assay.reports.charts.heatmap import burial_grid
from assay.reports.view import view_of
from assay.reports.write.pictures import GridSize, draw_grid, grid_size, make_svg
from assay.run.stored_run import open_run

DOCS = Path(__file__).parents[2] / "docs"
MODELS = ("minilm", "minilm?windows=max")


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
    picture = make_svg(draw_grid(grid, GridSize(), name=view.name, x=12, y=12), width + 24, height + 24)
    (DOCS / "images" / "burial.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
