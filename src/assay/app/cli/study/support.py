"""assay study support."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk


@click.command("support")
@options.source
@click.option(
    "--pairs",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the pairs: as JSON lines, or to a .tsv or .txt file as premise, hypothesis and label.",
)
@click.option(
    "--heuristic",
    type=click.Choice(["lexical_overlap", "subsequence", "constituent"]),
    help="Write the pairs of this one only.",
)
@click.option("--definition", type=click.Choice(["released", "tokens"]), help="Write those found in this way only.")
@click.option("--side", type=click.Choice(["support", "contradict"]), help="Write those of this side only.")
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

    A heuristic says entailment of a pair whose hypothesis has only words of the premise (lexical overlap), stands in
    it in one piece (subsequence), or is a phrase of it (constituent; needs the trees of SNLI's and MultiNLI's files).
    An entailment supports it, any other label contradicts it. Counted twice: by the definitions of the paper's own
    scripts, and by whole tokens.
    """
    import msgspec

    from assay.bench.api import read
    from assay.bench.shards import default_workers
    from assay.bench.studies.support import Wanted, study_support
    from assay.reports.tables.support import published_support, support_parts
    from assay.reports.write.terminal.tables import shown

    wanted = Wanted(heuristic, definition, side)
    if pairs is None and wanted != Wanted():
        raise click.UsageError("--heuristic, --definition and --side choose what --pairs FILE writes; give it, too.")
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
