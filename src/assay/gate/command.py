"""assay gate."""

import os
from pathlib import Path
from typing import Annotated, Any

import click
import msgspec

from assay.cli import options, output
from assay.core.option_fields import SET, OptionInfo

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 4}


class EarlierName(msgspec.Struct, frozen=True):
    against: Annotated[str | None, OptionInfo("the model's name in the earlier run, if it differs.", SET)] = None


@click.command(
    "gate",
    cls=options.AssayCommand,
    examples=(
        'assay gate runs --rule "original.accuracy>=0.5"',
        "assay gate runs --no-worse-than runs/EARLIER --margin 0.02",
    ),
)
@click.argument("run", type=options.RunFolder())
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="RULE",
    help='A bound on a metric, such as "heuristics.non-entailment.accuracy>=0.5"; may be repeated.',
)
@click.option(
    "--no-worse-than",
    type=options.RunFolder(),
    metavar="RUN",
    help="An earlier run: fail if any family is significantly worse than in that run.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    show_default="all models of the run except baselines",
    metavar="MODEL",
    help="Check this model; may be repeated.",
)
@click.option(
    "--margin",
    type=float,
    metavar="SHARE",
    help="Pass only if every loss since the earlier run is shown to be smaller than this, such as 0.02 for 2 points.",
)
@options.fields(EarlierName, "earlier")
@click.option(
    "--junit", "junit_file", type=options.PathOrAddress(writes=True), metavar="FILE", help="Also write JUnit XML."
)
@options.as_json
@options.config
@options.talk
@click.pass_context
def command(context: click.Context, /, run: Path, earlier: EarlierName, junit_file: Path | None, **bounds: Any) -> None:
    """Fail a pipeline if a run breaks a rule, or is significantly worse than an earlier run.

    RUN is a run folder, or a folder of runs (the newest is checked). A rule names a slice, a metric and a bound,
    separated by dots. A slice is a family, or * for every family. To narrow it, add a label or the value of a group:
    write NAME=VALUE if the value alone is ambiguous, and "..." around a value with dots. Metrics are the ones in
    `record.json`, as fractions: accuracy, drop, consistency, ece, brier and so on. `.low` or `.high` after a metric
    selects that end of its 95% interval. A rule applies to every suite and every model except baselines, unless the
    rule or --model names one.

    An earlier run is compared as in `assay compare`: on the same cases, with a paired test and Holm's correction over
    families. If both give support scores, a significantly lower ROC-AUC also counts as a loss. Models called
    NAME@SEED are training runs of one system. Fewer than four on a side can't show a loss, so the gate is inconclusive.

    With --margin, a family passes only if its loss is shown to be smaller than the margin. It fails if a loss is
    significant, and is inconclusive otherwise, with the number of source pairs that would settle it.

    If GITHUB_ACTIONS is true, failures are also printed as GitHub workflow annotations, on standard error.

    Exits with 0 on a pass, 1 on a broken rule or a loss, 4 if inconclusive, and 2 if a rule or a name is wrong.
    """
    from assay.gate import gate_report
    from assay.gate.gate_report import gate_summary
    from assay.gate.gate_run import gate

    found = gate(run, against=earlier.against, **bounds)
    if junit_file:
        from assay.storage.files import write_whole

        write_whole(junit_file, gate_report.junit(found))
    output.show_result(found, lambda: gate_summary(found))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for text in gate_report.annotations(found):
            output.say(text, err=True)
    if junit_file:
        output.note(f"Written to {junit_file}")
    context.exit(EXIT_CODES[found.outcome])
