"""assay data."""

from collections.abc import Iterator
from typing import Any

import click

from assay.cli import options, output

EXAMPLES = 3


@click.group("data")
def command() -> None:
    """Inspect corpora."""


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
