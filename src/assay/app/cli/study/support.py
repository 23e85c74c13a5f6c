"""assay study support."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk


@click.command("support")
@options.source
@click.option(
    "--pairs",
    type=options.Place(dir_okay=False, writes=True),
    metavar="FILE",
    help="Write the pairs: JSON lines, or premise, hypothesis and label for a .tsv or .txt file.",
)
@click.option(
    "--heuristic",
    type=click.Choice(["lexical_overlap", "subsequence", "constituent"]),
    help="Write only pairs of this heuristic.",
)
@click.option(
    "--definition", type=click.Choice(["released", "tokens"]), help="Write only pairs found by this definition."
)
@click.option("--side", type=click.Choice(["support", "contradict"]), help="Write only pairs on this side.")
@options.reading
@options.overwrite
@options.workers
@options.as_json
@options.config
@options.talk
def support(
    source: str,
    pairs: Path | None,
    heuristic: str | None,
    definition: str | None,
    side: str | None,
    overwrite: bool,
    workers: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Count the pairs that support or contradict each of the three heuristics of HANS.

    A heuristic predicts entailment if the hypothesis has only words of the premise (lexical overlap), is a contiguous
    part of it (subsequence), or is a phrase of it (constituent; needs the trees in SNLI's and MultiNLI's files). A pair
    labelled entailment supports the heuristic; any other label contradicts it. Pairs are counted twice: by the
    definitions of the paper's own scripts, and by whole tokens.
    """
    import msgspec

    from assay.bench.api import read
    from assay.bench.shards import default_workers
    from assay.bench.studies.support import Wanted, study_support
    from assay.reports.tables.studies.support import published_support, support_parts
    from assay.reports.write.terminal.tables import shown

    wanted = Wanted(heuristic, definition, side)
    if pairs is None and wanted != Wanted():
        raise click.UsageError(
            "--heuristic, --definition and --side choose what --pairs FILE writes; add --pairs FILE."
        )
    with talk.stages(silently=quiet) as stage:
        found = study_support(
            read(source, **reading),
            pairs=pairs,
            wanted=wanted,
            workers=workers or default_workers(),
            overwrite=overwrite,
            stage=stage,
        )
    data = msgspec.to_builtins(found)
    if as_json:
        talk.show_json({**data, "published": published_support()})
    else:
        talk.show(shown(support_parts(data)))
    if pairs is not None:
        talk.note(f"The pairs are in {pairs}", silently=quiet)
