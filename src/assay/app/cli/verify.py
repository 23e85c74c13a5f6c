"""assay verify."""

from pathlib import Path

import click

from assay.app.cli import options, talk


@click.command("verify")
@click.argument("suite", type=click.Path(exists=True, file_okay=False, path_type=Path))
@options.as_json
@options.talk
def command(suite: Path, as_json: bool, quiet: bool) -> None:
    """Check a suite's digests, schema, counts and ids, and prove the label of every strict case again.

    Exits with 1 on any damage and any label that does not hold, and names it. Labels of the fidelities `paper` and
    `code` are not claimed to hold, and not proven.
    """
    from assay.core.errors import CheckFailedError
    from assay.run.verify import damages

    found = damages(suite)
    if as_json:
        talk.show_json({"suite": str(suite), "damages": found})
    if found:
        raise CheckFailedError("\n  ".join([f"{suite} is damaged:", *found]))
    if not as_json:
        talk.note(f"{suite} is whole and undamaged.", silently=quiet)
