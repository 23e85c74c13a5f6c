"""Comparing stored runs from Python, and the result in the terminal."""

import re
from collections.abc import Sequence
from pathlib import Path

from rich.console import Group, RenderableType

from assay.core.case import ORIGINAL
from assay.core.comparison import Comparisons
from assay.core.registry import LONGEST
from assay.core.run_record import RunRecord
from assay.corpora.byte_streams import SAMPLES
from assay.corpora.reader import read
from assay.reports.claims_comparison import shortcut_contrasts
from assay.reports.phrases import short_name
from assay.reports.tables.comparison_tables import comparison_parts, trend_sheet
from assay.reports.terminal.terminal_tables import line, show_parts
from assay.run import api
from assay.run.compare_runs import compare_runs
from assay.run.stored_run import RECORD, Run, open_run
from assay.storage.folders import scratch

SEVERAL = 2  # two runs are compared, more than these have a trend


def comparison_summary(found: Comparisons, runs: Sequence[RunRecord] = ()) -> RenderableType:
    """Each pair of models as a table, then the bands, the trend over three runs or more, and notes."""
    trend = trend_sheet(runs) if len(runs) > SEVERAL else None
    over_time = [trend] if trend is not None and trend.rows else []
    known = {run.id: run for run in runs}
    contrasts = [
        said
        for each in found.comparisons
        if each.baseline_run in known and each.candidate_run in known
        for said in shortcut_contrasts(
            (known[each.baseline_run], each.baseline, short_name(each.baseline)),
            (known[each.candidate_run], each.candidate, short_name(each.candidate)),
        )
    ]
    return Group(
        show_parts([*comparison_parts(found), *contrasts, *over_time]),
        *(line(f"note: {note}", "yellow") for note in found.notes),
    )


def compare(*runs: Run, models: Sequence[str] = (), margin: float | None = None) -> Comparisons:
    """Compare models: those that two stored runs have in common, or a baseline and a candidate.

    With a margin, such as 0.02, each family also says whether a loss is shown to be smaller than that.
    A run is a record, its folder, or a folder of runs, which means the newest. `gate` and `failures` take the same.
    Here it can also be a file with gold labels and answers, such as a log of Inspect, or a folder of samples of
    lm-evaluation-harness. If the folder of a suite comes first, files hold answers to its cases.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     bench = ["assay:majority", "assay:overlap"]
    ...     record = run(read("bundled", limit=90), families=["negation"], models=bench, out=folder)
    ...     found = compare(record, models=["majority", "overlap"])
    >>> [(row.slice["family"], row.verdict) for row in found.comparisons[0].families]
    [('original', 'not significant'), ('negation', 'not significant')]
    """
    with scratch() as folder:
        records, named = stored_runs(runs, folder)
        return compare_runs(records, models=models or named, margin=margin)


def stored_runs(given: Sequence[Run], folder: Path) -> tuple[list[RunRecord], list[str]]:
    """The runs, with files of answers as runs in the folder; and their models' names, if these are exactly two files.

    Answers are called after their files. Of several files, or if the names of both are the same, all are called
    `answers`.
    """
    suite, *rest = given
    if isinstance(suite, RunRecord) or not rest or not api.is_suite(suite) or (Path(suite) / RECORD).is_file():
        suite, rest = "", [*given]
    names = [_short_name(Path(each)) for each in rest if not isinstance(each, RunRecord) and _holds_answers(Path(each))]
    if not len(names) == len(rest) == len(set(names)) == SEVERAL:
        names = []
    records = []
    for place, each in enumerate(rest):
        if isinstance(each, RunRecord) or not _holds_answers(Path(each)):
            records.append(open_run(each))
            continue
        model = f"{names[place] if names else ANSWERS}=predictions:{each}"
        if suite:
            records.append(api.run(suites=[suite], models=[model], out=folder))
        else:
            records.append(api.run(read(str(each)), families=[ORIGINAL], models=[model], out=folder))
    return records, names


ANSWERS = "answers"  # the model's name, if a file of answers has no better one


def _holds_answers(path: Path) -> bool:
    """True for a file, and for a folder of samples of lm-evaluation-harness."""
    return path.is_file() or any(path.glob(f"{SAMPLES}*.jsonl"))


def _short_name(path: Path) -> str:
    """A name for a model, from the end of the file's name without its last suffix.

    >>> _short_name(Path("logs/2026-11-18_nli one.eval"))
    '2026-11-18_nli-one'
    """
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", path.stem)[-LONGEST:].lstrip("_.-") or ANSWERS
