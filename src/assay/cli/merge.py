"""assay merge."""

from pathlib import Path
from typing import Any

import click

from assay.cli import options

VERBS = ("build", "run", "verify")


@click.command("merge")
@click.argument("folder", type=options.PathOrAddress(exists=True, file_okay=False))
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
@click.pass_context
def command(context: click.Context, folder: Path) -> Any:
    """Put the shards of a build, a run or a verification together, with the same result as one process.

    FOLDER is the folder of shards that `--shard` printed. Call it where the shards were made, because it repeats their
    command: it reads the corpus again, but takes all parts from the shards. A missing or damaged shard is named with
    the command that makes it. The shards stay; you can delete them afterwards.
    """
    from assay.core.errors import BadInputError
    from assay.run.workers.shard import finished_shards

    words = finished_shards(folder)[0].card.words
    if not words or words[0] not in VERBS:
        raise BadInputError(f"these shards belong to none of {', '.join(VERBS)}", where=str(folder))
    root: Any = context.find_root().command
    return root.main([*words, "--merge", str(folder)], prog_name="assay", standalone_mode=False)
