"""assay study lexical."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk


@click.command("lexical")
@click.option(
    "--against", required=True, metavar="CORPUS", help="The released set, or another whose pairs name their category."
)
@options.lexical
@click.option(
    "--pairs",
    type=options.Place(dir_okay=False, writes=True),
    metavar="FILE",
    help="Write every pair with an unusual label for its category, and our label, as JSON lines.",
)
@options.reading
@options.overwrite
@options.as_json
@options.config
@options.talk
def lexical(
    against: str,
    lexical: dict[str, Any],
    pairs: Path | None,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Compare what `assay build lexical` makes with Breaking NLI (Glockner et al. 2018).

    Makes all replacements in the set's premises, without filters. The tables show how many of the set's own pairs are
    among them, how often the labels agree, and how many remain after each filter you give (--train, --vectors,
    --bigrams).
    """
    import msgspec

    from assay.bench.api import read
    from assay.bench.build.lexical_sources import lexical_switches
    from assay.bench.studies.lexical import study_lexical
    from assay.core.files import file_aside
    from assay.reports.tables.studies.lexical import lexical_parts
    from assay.reports.write.terminal.tables import shown

    with talk.stages(silently=quiet) as stage:
        found = study_lexical(read(against, **reading), switches=lexical_switches(**lexical), stage=stage)
    if pairs is not None:
        with file_aside(pairs, overwrite=overwrite) as write:
            for each in found.different:
                write(msgspec.json.encode(each) + b"\n")
    if as_json:
        talk.show_json(msgspec.to_builtins(found))
    else:
        talk.show(shown(lexical_parts(msgspec.to_builtins(found))))
    if pairs is not None:
        talk.note(f"The pairs are in {pairs}", silently=quiet)
