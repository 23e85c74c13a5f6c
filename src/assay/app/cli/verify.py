"""assay verify."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.app.cli import options, talk

if TYPE_CHECKING:
    from assay.bench.verify import Standing

SAID: dict["Standing", str] = {
    "proven": "proven",
    "unchecked": "that no check is there for",
    "unclaimed": "not claimed to hold",
}


@click.command("verify")
@click.argument("suite", type=click.Path(exists=True, file_okay=False, path_type=Path))
@options.as_json
@options.talk
def command(suite: Path, as_json: bool, quiet: bool) -> None:
    """Check a suite's digests, schema, counts and ids, and prove the label of every strict case again.

    Exits with 1 on any damage and any label that does not hold, and names it. Labels of the fidelities `paper` and
    `code` are not claimed to hold, and not proven, nor are those of swapped pairs: they are counted apart.
    """
    from assay.bench.verify import examine
    from assay.core.errors import CheckFailedError

    found, labels = examine(suite)
    counts = {standing: labels[standing] for standing in SAID}
    if as_json:
        talk.show_json({"suite": str(suite), "damages": found, "labels": counts})
    if found:
        raise CheckFailedError("\n  ".join([f"{suite} is damaged:", *found]))
    if not as_json:
        told = ", ".join(f"{count:,} {SAID[standing]}" for standing, count in counts.items() if count)
        talk.note(f"{suite} is whole and undamaged; labels: {told or 'none'}.", silently=quiet)
