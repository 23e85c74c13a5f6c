"""assay study wordnet-baseline."""

from typing import Any

import click

from assay.app.cli import options, talk


@click.command("wordnet-baseline")
@click.option("--on", "source", required=True, metavar="FILE", help="Breaking NLI, or other pairs with a category.")
@options.reading
@click.option("--markdown", is_flag=True, help="Print Markdown tables.")
@options.as_json
@options.config
@options.talk
def wordnet_baseline(source: str, markdown: bool, as_json: bool, quiet: bool, **reading: Any) -> None:
    """Compare the WordNet baseline with the published figures, category by category.

    The paper does not say which senses count, which relation is tested first, or where edges are counted from. This
    study tries every combination. It shows the literal reading of the paper, and the setting whose figures are nearest
    to the published ones. As in the paper, a pair that can't be judged counts as wrong.
    """
    import msgspec

    from assay.bench.api import read
    from assay.bench.studies.wordnet_baseline import study_wordnet
    from assay.reports.tables.studies.wordnet_baseline import published_shares, study_parts
    from assay.reports.write import markdown as written
    from assay.reports.write.terminal.tables import shown

    talk.note("Trying every setting takes about a minute.", silently=quiet)
    published = published_shares()
    found = msgspec.to_builtins(study_wordnet(read(source, **reading), published))
    if as_json:
        talk.show_json({**found, "published": published})
    elif markdown:
        talk.say(written.parts(study_parts(found)))
    else:
        talk.show(shown(study_parts(found)))
