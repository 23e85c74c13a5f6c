"""assay serve."""

from pathlib import Path

import click

from assay.cli import options as shared
from assay.cli import output
from assay.core.option_fields import refuse_options
from assay.serve.server import ServeOptions, bundle_pages, serve


@click.command("serve", cls=shared.AssayCommand, examples=("assay serve runs", "assay serve runs --port 8080"))
@click.argument("folder", default="runs", type=shared.PathOrAddress(file_okay=False), metavar="[RUNS]")
@shared.fields(ServeOptions)
@click.option(
    "--bundle",
    type=shared.PathOrAddress(writes=True),
    metavar="DIR",
    help="Instead of serving, write the runs, their cases, comparisons, studies and audits as a folder of pages.",
)
@shared.talk
def command(folder: Path, options: ServeOptions, bundle: Path | None) -> None:
    """Explore runs in the browser.

    RUNS is the folder to show, by default `runs`. The server listens on this machine only, and prints one address
    with a token: whoever has it can see everything. To let other machines in, name the address to listen on with
    --host and a token of your own with --token-file.

    --bundle DIR exports the read-only pages as static HTML instead of serving, for runs of up to 100,000 cases. Its
    pages work from any web server, or when they are opened as files; the first is DIR/index.html.

    A bundle compares the models of each run. Across runs of the same cases, it compares a model with itself, and a run
    of one model with the nearest run.
    """
    if bundle is not None:
        refuse_options(options, (), "is not for --bundle")
        pages = bundle_pages(folder, bundle)
        output.note(f"{pages:,} pages. Open {bundle / 'index.html'}")
        return

    def ready(address: str) -> None:
        output.note(f"Serving {folder}. Stop with Ctrl-C.")
        output.say(address)
        if options.show:
            click.launch(address)

    serve(folder, options, ready=ready)
