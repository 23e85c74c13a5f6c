"""assay study trees."""

from typing import Any

import click

from assay.app.cli import options, talk


@click.command("trees")
@click.option("--model", required=True, metavar="trained:DIR", help="A trained system that reads trees, such as spinn.")
@click.option(
    "--from", "source", required=True, metavar="CORPUS", help="Pairs with binary parses, such as SNLI's files."
)
@options.reading
@options.as_json
@options.config
@options.talk
def trees(model: str, source: str, as_json: bool, quiet: bool, **reading: Any) -> None:
    """Find out what wrong trees cost a system that reads trees.

    Asks the model about the same pairs with their own parses, with the trees of the parser that comes with Assay, and
    with right-branching trees, and compares the answers.
    """
    import msgspec

    from assay.bench.api import read
    from assay.bench.studies.trees import study_trees
    from assay.reports.tables.studies.trees import tree_parts
    from assay.reports.write.terminal.tables import shown

    with talk.stages(silently=quiet) as stage:
        found = msgspec.to_builtins(study_trees(model, read(source, **reading), stage=stage))
    if as_json:
        talk.show_json(found)
    else:
        talk.show(shown(tree_parts(found)))
