"""assay study recognise."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk


@click.command("recognise")
@click.option(
    "--from",
    "source",
    required=True,
    metavar="CORPUS",
    help="A file, folder or zip in any known format, `-` for standard input, hf:NAME, or bundled.",
)
@click.option(
    "--grammar",
    type=options.Place(exists=True, dir_okay=False),
    help="A file with your own words, templates and subcases.",
)
@click.option(
    "--fidelity",
    type=click.Choice(["strict", "code"]),
    default="code",
    show_default=True,
    help="Parses with the errors of the released ones (code) or without (strict).",
)
@click.option(
    "--pairs",
    type=options.Place(dir_okay=False, writes=True),
    metavar="FILE",
    help="Write what was found for each pair: JSON lines, or the columns of HANS for a .txt or .tsv file.",
)
@options.reading
@options.overwrite
@options.workers
@options.as_json
@options.config
@options.talk
def recognise(
    source: str,
    grammar: Path | None,
    fidelity: Any,
    pairs: Path | None,
    overwrite: bool,
    workers: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Find the subcase, template and parses of HANS-like pairs, and prove their labels.

    Lists anything odd: pairs that no template or several templates make, labels and subcases that differ from the
    template's, and labels that can't be proven. Counts conventions and errors of the released code by subcase.
    """
    from assay.bench.api import read
    from assay.bench.shards import default_workers
    from assay.bench.studies.recognition import study_recognition
    from assay.reports.tables.studies.recognition import recognition_parts
    from assay.reports.write.terminal.tables import shown
    from assay.stress.heuristics.grammar import load, read_text

    text = read_text(grammar) if grammar else ""
    if grammar:
        load(text, name=str(grammar))  # so that errors name the file
    with talk.stages(silently=quiet) as stage:
        found = study_recognition(
            read(source, **reading),
            grammar=text,
            fidelity=fidelity,
            pairs=pairs,
            workers=workers or default_workers(),
            overwrite=overwrite,
            stage=stage,
        )
    if as_json:
        talk.show_json(found)
    else:
        import msgspec

        talk.show(shown(recognition_parts(msgspec.to_builtins(found))))
    if pairs is not None:
        talk.note(f"The pairs are in {pairs}", silently=quiet)
