"""The charts of a report one at a time, for notebooks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.core.errors import MissingExtraError, UserError, check_known
from assay.core.run_record import RunRecord
from assay.core.serialise import to_json
from assay.reports.charts.heatmap import grids
from assay.reports.charts.report_charts import charts
from assay.reports.charts.vegalite import Spec
from assay.reports.view import view_of
from assay.reports.write.pictures import draw_chart, draw_heatmap, load_drawing_library, on_paper, picture_of
from assay.run.stored_run import Run, open_run

MIME = "application/vnd.vegalite.v6+json"


class Plot:
    """A chart: shown by notebooks, saved as SVG, PNG or a Vega-Lite specification."""

    def __init__(self, name: str, title: str, *, spec: Spec | None = None, svg: str = "") -> None:
        self.name, self.title, self.spec, self._svg = name, title, spec, svg

    def __repr__(self) -> str:
        return f"Plot({self.name!r}: {self.title})"

    def draw(self, kind: str) -> bytes:
        """The picture as `svg`, `png` or `json`."""
        if kind == "json" and self.spec is not None:
            return to_json(self.spec)
        if kind not in ("svg", "png"):
            kinds = "svg, png or json" if self.spec else "svg or png, because a heatmap has no Vega-Lite specification"
            raise UserError(f"A plot can't be saved as {kind!r}.\n  Use {kinds}.")
        if self.spec is not None:
            return draw_chart(self.spec, "png" if kind == "png" else "svg")
        return picture_of(self._svg, "png" if kind == "png" else "svg")

    def save(self, path: str | Path) -> Path:
        """Write the plot to a file; its ending decides the kind of picture."""
        target = Path(path)
        target.write_bytes(self.draw(target.suffix.lstrip(".")))
        return target

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """The specification, and a picture if the extra that draws is installed."""
        shown: dict[str, Any] = {"text/plain": repr(self)}
        if self.spec is not None:
            shown[MIME] = on_paper(self.spec)
            try:
                load_drawing_library()
            except MissingExtraError:
                return shown
        return shown | {"image/svg+xml": self.draw("svg").decode()}


def plot(runs: Run | Sequence[Run], chart: str = "") -> Plot:
    """One chart of a run, or of several runs together; without a name, the heatmap of accuracy by family and label.

    >>> import assay; import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = assay.run(assay.read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     plot(record)
    ...     plot(record, "changes")
    Plot('heatmap': Right answers by family and label)
    Plot('changes': Change from the unmodified pairs)
    """
    view = view_of([open_run(each) for each in ([runs] if isinstance(runs, str | Path | RunRecord) else runs)])
    heatmaps = {grid.name: grid for grid in grids(view)}
    drawn = {each.name: each for each in charts(view)}
    known = [*heatmaps, *drawn]
    wanted = chart or next(iter(known), "")
    if wanted in heatmaps:
        return Plot(wanted, heatmaps[wanted].title, svg=draw_heatmap(heatmaps[wanted], name=view.name))
    check_known(wanted, known, f"The run has no chart {wanted!r}")
    return Plot(wanted, drawn[wanted].title, spec=drawn[wanted].spec)
