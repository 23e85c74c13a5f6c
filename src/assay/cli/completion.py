"""assay completion."""

import click

from assay.cli import main


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for a shell.

    For bash, put `eval "$(assay completion bash)"` in ~/.bashrc.
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # the choice above names only shells that click knows
    click.echo(kind(main.assay, {}, "assay", "_ASSAY_COMPLETE").source())
