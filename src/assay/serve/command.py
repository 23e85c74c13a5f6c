"""assay serve."""

from pathlib import Path

import click

from assay.cli import options, output


@click.command(
    "serve",
    cls=options.AssayCommand,
    examples=("assay serve runs", "assay serve runs --port 8080"),
)
@click.argument("folder", default="runs", type=options.PathOrAddress(file_okay=False), metavar="[RUNS]")
@click.option("--open", "show", is_flag=True, help="Open the browser.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port.  [default: 8765, or another that is free]")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--name", "names", multiple=True, help="A name that browsers may call this machine by; may be repeated.")
@click.option(
    "--token-file",
    type=options.PathOrAddress(exists=True, dir_okay=False),
    help="A file with the owner's token. Without it, each start makes a new one.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    shell_complete=options.complete("models"),
    help="A model that the browser may run; may be repeated.",
)
@click.option(
    "--bundle",
    type=options.PathOrAddress(writes=True),
    metavar="DIR",
    help="Export runs, cases, comparisons, studies and audits as static pages instead of serving.",
)
@options.talk
@click.pass_context
def command(
    context: click.Context,
    /,
    folder: Path,
    show: bool,
    port: int | None,
    host: str,
    names: tuple[str, ...],
    token_file: Path | None,
    models: tuple[str, ...],
    bundle: Path | None,
    quiet: bool,
) -> None:
    """Explore runs in the browser.

    RUNS is the folder to show, by default `runs`. The server listens on this machine only, and prints one address
    with a token: whoever has it can see everything. To let other machines in, name the address to listen on with
    --host and a token of your own with --token-file.

    --bundle DIR exports the read-only pages as static HTML instead of serving, for runs of up to 100,000 cases. Its
    pages work from any web server, or when they are opened as files; the first is DIR/index.html.
    """
    if bundle is not None:
        options.refuse(context, ("show", "port", "host", "names", "token_file", "models"), "is not for --bundle")
        _write(folder, bundle, quiet=quiet)
        return
    from assay.serve.server import serve

    def ready(address: str) -> None:
        output.note(f"Serving {folder}. Stop with Ctrl-C.", silently=quiet)
        output.say(address)
        if show:
            click.launch(address)

    serve(folder, host=host, port=port, names=names, token=_token(token_file), models=models, ready=ready)


def _write(folder: Path, out: Path, *, quiet: bool) -> None:
    from assay.serve.server import bundle

    pages = bundle(folder, out)
    output.note(f"{pages:,} pages. Open {out / 'index.html'}", silently=quiet)


def _token(path: Path | None) -> str | None:
    """The token in a file, which must be long enough that nobody guesses it."""
    if path is None:
        return None
    token = path.read_text(encoding="utf-8").strip()
    if len(token) < SHORTEST:
        raise click.BadParameter(f"a token needs {SHORTEST} characters or more", param_hint="--token-file")
    return token


SHORTEST = 20
"""Characters of a token that a person chose."""
