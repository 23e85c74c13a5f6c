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
@click.option("--two-way", is_flag=True, help="Neutral in the file stands for everything but entailment.")
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
    two_way: bool,
    pairs: Path | None,
    overwrite: bool,
    workers: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Read the pairs of any corpus, and say which labels follow.

    HANS-like pairs get their subcase, template and parses, and their labels are proven. So are the labels of pairs in
    the words of the logic families. Of other pairs, the label follows if the texts differ in one word, phrase or
    conjunct: from how the two are related, and from the polarity of the place.

    Lists anything odd: labels and subcases that differ from what follows, pairs that several templates make, and why
    pairs were not read.
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
            two_way=two_way,
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
