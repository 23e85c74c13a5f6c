"""The entry point: finds the verb, shows errors as sentences, and sets the exit code."""

import importlib
import io
import os
import sys
import tomllib
import traceback
from importlib.resources import files
from typing import Any

import click

from assay.version import __version__

_STORED: dict[str, Any] = tomllib.loads((files("assay.cli") / "verbs.toml").read_text("utf-8"))

GROUPS: dict[str, dict[str, str]] = _STORED["groups"]
PLACES: dict[str, str] = _STORED["modules"]
VERBS = {verb: what for group in GROUPS.values() for verb, what in group.items()}

EXAMPLES = (
    "assay run",
    "assay run --model hf:NAME --default-models",
    "assay run --from pairs.csv --model hf:NAME",
    "assay show runs --table diagnosis",
    "assay build negation --from pairs.csv --out my-suite",
)

NO_MEMORY = (
    "There is not enough memory.\n"
    "  Use fewer --workers, a --sample or fewer models, or raise the limit. The same command resumes the work."
)

MEMORY = (
    "out of memory",
    "allocate memory",
    "bad_alloc",
    "bad allocation",
    "failed to map segment",
    "can't start new thread",
)
"""What the system, PyTorch, onnxruntime, DuckDB and SQLite say if there is too little."""


class Verbs(click.Group):
    """Loads a verb's module when the verb is called, so that `--help` costs nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"assay.{PLACES.get(cmd_name, f'cli.{cmd_name}')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from assay.core.errors import did_you_mean

            guess = did_you_mean(args[0], VERBS)
            raise click.UsageError(f"No verb {args[0]!r}{guess} See `assay --help`.", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        width = max(map(len, VERBS))
        for name, verbs in GROUPS.items():
            with formatter.section(name):
                formatter.write_dl([(verb.ljust(width), what) for verb, what in verbs.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Examples"):
            for example in EXAMPLES:
                formatter.write(f"  {example}\n")


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="assay")
@click.pass_context
def assay(context: click.Context) -> None:
    """Test whether an NLI model is right for the right reasons.

    `assay run` does everything on a bundled corpus: it builds stress tests, runs baselines and small trained
    models on them, and shows where each fails. Add your own model with `--model`. `assay VERB --help` explains a verb.

    Exit codes: 0 done, 1 a check failed, 2 the input was wrong, 3 something outside Assay failed, 4 a gate is
    inconclusive.
    """
    from assay.core.registry import shell_wording

    context.with_resource(shell_wording())


def main() -> None:
    # Read when NumPy is loaded. Its matrices are small here, and its threads wait for each other, with all cores busy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    debug = "--debug" in sys.argv
    stdout = sys.stdout
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a missing character is not a reason to stop
    try:
        code: Any = assay.main(prog_name="assay", standalone_mode=False)
    except click.exceptions.Abort:
        _print_error("Stopped. Repeat the same command to resume a run or a build.")
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except Exception as error:  # noqa: BLE001 - the last place where it can become a sentence
        message, code = _explain(error)
        if debug:
            traceback.print_exc()
        else:
            _print_error(message)
        sys.exit(code)
    except SystemExit as left:
        # If the reader of our output is gone, as with `head`, nothing is wrong. Click silences the output and exits,
        # rich exits with the error itself.
        gone = sys.stdout is not stdout or isinstance(left.__context__, BrokenPipeError)
        sys.exit(0 if gone else left.code)
    sys.exit(code if isinstance(code, int) else 0)


def _explain(error: BaseException) -> tuple[str, int]:
    """The meaning of an error in words, and the exit code."""
    from assay.core.errors import AssayError

    if _is_lack_of_memory(error):
        return NO_MEMORY, 3
    if isinstance(error, AssayError):
        hint = "\n  See the full error with --debug." if error.in_foreign_code else ""
        return f"{error}{hint}", error.exit_code
    if isinstance(error, OSError) and error.strerror:
        hint = (
            "Check its owner and mode." if isinstance(error, PermissionError) else "Add --debug to see the traceback."
        )
        return f"{error.filename or 'The system'}: {error.strerror}.\n  {hint}", 3
    return f"Unexpected error in Assay: {type(error).__name__}: {error}\n  Add --debug to see the traceback.", 3


def _is_lack_of_memory(error: BaseException | None) -> bool:
    """True if an error, or the one that it came from, is about memory. Libraries each have their own way to say so."""
    if error is None:
        return False
    found = isinstance(error, MemoryError) or any(text in str(error).lower() for text in MEMORY)
    return found or _is_lack_of_memory(error.__cause__)


def _print_error(message: str) -> None:
    from assay.reports.formatting import printable_lines
    from assay.storage.remote import with_addresses

    colour = None if os.environ.get("NO_COLOR") else "red"
    click.echo(f"{click.style('Error:', fg=colour, bold=True)} {printable_lines(with_addresses(message))}", err=True)
