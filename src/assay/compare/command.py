"""assay compare."""

from pathlib import Path
from typing import Any

import click

from assay.cli import options, output


@click.command(
    "compare",
    cls=options.AssayCommand,
    examples=(
        "assay compare runs --model overlap --model minilm",
        "assay compare runs/EARLIER runs/LATER --margin 0.02",
    ),
)
@click.argument("runs", nargs=-1, required=True, type=options.RunFolder())
@click.option(
    "--model", "models", multiple=True, metavar="MODEL", help="Two models, the baseline first; give the option twice."
)
@click.option(
    "--margin",
    type=float,
    metavar="SHARE",
    help="Also show where any loss is demonstrably smaller than this, such as 0.02 for 2 points.",
)
@click.option(
    "--to",
    type=click.Choice(["html", "latex", "csv"]),
    help="latex: tables for an article. csv: every number. html: a page. Printed, or written with --out.",
)
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    metavar="FILE",
    help="Write a file instead: by default a page, such as page.html.",
)
@click.option("--open", "show", is_flag=True, help="Open the page when it is written.")
@options.overwrite
@options.as_json
@options.talk
@click.pass_context
def command(
    context: click.Context,
    /,
    runs: tuple[Path, ...],
    to: Any,
    out: Path | None,
    show: bool,
    overwrite: bool,
    models: tuple[str, ...],
    margin: float | None,
) -> None:
    """Show what is significantly better or worse, by family and label.

    RUNS are folders of stored runs; a folder of runs means its newest run. A file with gold labels and answers,
    such as a log of lm-evaluation-harness or Inspect, is compared as a run; with the folder of a suite before them,
    files hold answers to its cases, and the families are compared. With two runs or more, every model that the
    first and the last have is compared, the last run against the first; with more than two, the trend over all of
    them is shown. With one run, name two of its models with --model. With --model and two runs, the first name is
    looked up in the first run. Only the cases that both runs have are compared. Models called NAME@SEED are seeds
    of one system. It is compared like a model if the first and the last run share a seed; otherwise its seeds are
    shown as a band, over any number of runs.
    """
    from assay.compare.comparison_summary import comparison_summary, stored_runs
    from assay.reports.write.output_formats import comparison_text
    from assay.run.compare_runs import compare_runs
    from assay.storage.files import refuse_existing, write_whole
    from assay.storage.folders import scratch

    if out is None:
        options.refuse(context, ("show", "overwrite"), "needs --out")
    with scratch() as folder:
        records, named = stored_runs(runs, folder)
        found = compare_runs(records, models=models or named, margin=margin)
    if out is not None:
        refuse_existing(out, overwrite=overwrite)
        write_whole(out, comparison_text(found, records, to or "html").encode(), over_any=False)
        output.note(f"The {'page' if to in (None, 'html') else 'comparison'} is {out}")
    if output.wants_json():
        output.show_json(found)
    elif out is None and to is not None:
        output.say(comparison_text(found, records, to), nl=False)
    elif out is None:
        output.show(comparison_summary(found, records))
    if show and out is not None:
        click.launch(str(out.resolve()))
