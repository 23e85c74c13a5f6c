"""Comparing stored runs from Python, and the result in the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Group, RenderableType

from assay.core.case import ORIGINAL
from assay.core.comparison import Comparisons
from assay.core.run_record import RunRecord
from assay.corpora.reader import read
from assay.reports.tables.comparison_tables import comparison_parts, trend_sheet
from assay.reports.terminal.terminal_tables import line, show_parts
from assay.run import api
from assay.run.compare_runs import compare_runs
from assay.run.stored_run import Run
from assay.storage.folders import scratch

SEVERAL = 2  # two runs are compared, more than these have a trend


def comparison_summary(found: Comparisons, runs: Sequence[RunRecord] = ()) -> RenderableType:
    """Each pair of models as a table, then the bands, the trend over three runs or more, and notes."""
    trend = trend_sheet(runs) if len(runs) > SEVERAL else None
    over_time = [trend] if trend is not None and trend.rows else []
    return Group(
        show_parts([*comparison_parts(found), *over_time]), *(line(f"note: {note}", "yellow") for note in found.notes)
    )


def compare(*runs: Run, models: Sequence[str] = (), margin: float | None = None) -> Comparisons:
    """Compare models: those that two stored runs have in common, or a baseline and a candidate.

    With a margin, such as 0.02, each family also says whether a loss is shown to be smaller than that.
    A run is a record, its folder, or a folder of runs, which means the newest. `gate` and `failures` take the same.
    Here it can also be a file with gold labels and answers, such as a log of Inspect or lm-evaluation-harness.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     bench = ["assay:majority", "assay:overlap"]
    ...     record = run(read("bundled", limit=90), families=["negation"], models=bench, out=folder)
    ...     found = compare(record, models=["majority", "overlap"])
    >>> [(row.slice["family"], row.verdict) for row in found.comparisons[0].slices if "label" not in row.slice]
    [('original', 'not significant'), ('negation', 'not significant')]
    """
    with scratch() as folder:
        return compare_runs([as_run(each, folder) for each in runs], models=models, margin=margin)


def as_run(run: Run, folder: Path) -> Run:
    """A stored run as it is; a file with gold labels and answers, such as a tool's log, as a run in the folder."""
    if isinstance(run, RunRecord) or not Path(run).is_file():
        return run
    model = f"answers=predictions:{run}"
    return api.run(read(str(run)), families=[ORIGINAL], models=[model], out=folder)
