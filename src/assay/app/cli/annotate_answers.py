"""assay annotate: the answers that people give in the browser."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk

FOLDER = click.argument("folder", type=options.Place(exists=True, file_okay=False))


@click.command("export")
@FOLDER
@click.option(
    "--out",
    type=options.Place(file_okay=False, writes=True),
    help="Folder for the files; by default, the sample's own.",
)
@options.overwrite
@options.talk
def export_answers(folder: Path, out: Path | None, overwrite: bool, quiet: bool) -> None:
    """Write what people answered in the browser as annotators' files.

    FOLDER holds key.jsonl and answers.sqlite. There is one file per person, as if they had filled in the one that
    `sample` writes, and adjudication.csv if anything was decided. `merge` reads these files.
    """
    from assay.bench.annotation.collect.store import AnswerStore
    from assay.bench.annotation.collect.transfer import export_sheets

    with AnswerStore(folder) as store:
        for path in export_sheets(store, out or folder, overwrite=overwrite):
            talk.note(f"Written: {path}", silently=quiet)


@click.command("import")
@FOLDER
@click.argument("files", nargs=-1, required=True, type=options.Place(exists=True, dir_okay=False))
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the annotators' files.")
@options.talk
def import_answers(folder: Path, files: tuple[Path, ...], encoding: str, quiet: bool) -> None:
    """Read annotators' files, so that people can go on in the browser.

    The name of a file is the name of its annotator, who keeps the order of the file. An answer that was given in the
    browser is never replaced.
    """
    from assay.bench.annotation.collect.store import AnswerStore
    from assay.bench.annotation.collect.transfer import import_sheets

    with AnswerStore(folder) as store:
        for found in import_sheets(store, files, encoding=encoding):
            talk.say(f"{found.added:>7,}  answers of {found.name} are new, {found.same:,} were known")
            for key in found.different:
                talk.note(f"Kept what {found.name} answered in the browser: {key}", silently=quiet)


RESTORE = "\n  Restore the file from a copy, or ask these people again about these cases."


@click.command("history")
@FOLDER
@options.as_json
@options.talk
def show_history(folder: Path, as_json: bool, **_: Any) -> None:
    """Check the history of answers in the browser: nothing is lost, doubled or out of order.

    With --json, all changes are shown: who said what about which case, when, and what was undone.
    """
    from assay.bench.annotation.collect.history import faults, history
    from assay.bench.annotation.collect.store import AnswerStore
    from assay.core.errors import CheckFailedError

    with AnswerStore(folder) as store:
        wrong, changes = faults(store), history(store)
    if as_json:
        talk.show_json([each._asdict() for each in changes])
    else:
        people = {each.person for each in changes}
        undone = sum(each.undoes is not None for each in changes)
        talk.say(f"{len(changes):,} changes by {len(people):,} people, {undone:,} of them undo another")
    if wrong:
        raise CheckFailedError(
            f"{store.file.path}: the history is not whole:\n" + "\n".join(f"  {each}" for each in wrong) + RESTORE
        )
    if not as_json:
        talk.say("The history is whole.")
