"""Makes the generated documents: `python tools/docs/generate.py [FOLDER] [--without-run]`.

Writes docs/cli.md, docs/registry.md, docs/bad-input.md, docs/published.md, docs/schemas and docs/architecture.svg.
Puts the real table of `assay run` into README.md, the public names into docs/python.md, the sums of the readings into
docs/quality and the tables of studies into docs/studies. Makes the results and the cards of the shipped models from
what tools/docs/measure.py measured, their diagnosis from a default run, the page of audits from what
tools/docs/measure_audits.py measured, and the page of the papers' analyses from what tools/docs/analyse.py found.
With FOLDER it writes there instead of into the project, for the tests to compare. `--without-run` leaves out what needs
a default run of all models, which takes a minute or two.
"""

import argparse
import inspect
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import analyses
import audits
import bad_input
import click
import diagnosis_page
import draw
import published_figures
import python_page
import readings
import results
import schemas
import study_pages
import transfer_page
from rich.console import Console

import assay
from assay.cli import main
from assay.core import registry
from assay.core.case import Recipe
from assay.core.run_record import RunRecord
from assay.reports.terminal.run_summary import tables_shown
from assay.reports.view import view_of
from assay.run.build.case_builder import BuildStep
from assay.run.spec import STRESS

ROOT = Path(__file__).parents[2]
WIDTH = 100
MADE = "<!-- Made by tools/docs/generate.py; `make docs` makes it again. -->\n"

PAIR = assay.Pair(
    id="1",
    premise="The old soldier paid seven silver coins for the horse, and the soup was cold.",
    hypothesis="Somebody bought a horse.",
    label=assay.Label.ENTAILMENT,
)


def documents_of_a_run() -> dict[str, str]:
    """The documents that show a default run."""
    with tempfile.TemporaryDirectory() as folder:
        record = assay.run(out=folder)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return {
        "README.md": _filled(readme, "table of assay run", f"```text\n{run_table(record)}\n```\n"),
        "docs/results/diagnosis.md": f"{MADE}{diagnosis_page.page(record)}",
    }


def documents() -> dict[str, str]:
    """Every other generated document, by its place in the project."""
    return {
        "docs/architecture.svg": draw.drawing(),
        "docs/bad-input.md": bad_input.page(),
        "docs/cli.md": cli_page(),
        "docs/python.md": with_names(ROOT / "docs" / "python.md"),
        "docs/published.md": f"{MADE}{published_figures.page()}",
        "docs/registry.md": registry_page(),
        "docs/quality/README.md": with_readings(ROOT / "docs" / "quality"),
        "docs/studies/transfer.md": with_transfer(ROOT / "docs" / "studies" / "transfer.md"),
        **{f"docs/studies/{page.name}": with_study(page) for page in study_pages.pages()},
        **results.documents(),
        **audits.documents(),
        **analyses.documents(),
        **schemas.documents(),
    }


def run_table(record: RunRecord) -> str:
    """The first table that `assay run` prints; generated families are not in it."""
    console = Console(file=io.StringIO(), width=WIDTH, highlight=False, color_system=None)
    with console.capture() as printed:
        console.print(*tables_shown(view_of([record]).only(suite=STRESS), ("naik",)))
    return "\n".join(line.rstrip() for line in printed.get().strip("\n").splitlines())


def with_readings(folder: Path) -> str:
    """The page on quality with what the files of answers add up to."""
    page = (folder / "README.md").read_text(encoding="utf-8")
    return _filled(page, "table of readings", readings.table(folder))


def with_transfer(page: Path) -> str:
    """The page on transfer with the table of its record."""
    return _filled(page.read_text(encoding="utf-8"), "table of transfer", transfer_page.table())


def with_study(page: Path) -> str:
    """The page of a study with the tables of its record."""
    return _filled(page.read_text(encoding="utf-8"), study_pages.MARK, study_pages.tables(page))


def with_names(page: Path) -> str:
    """The page on Python with every public name."""
    text = page.read_text(encoding="utf-8")
    for place, content in python_page.lists().items():
        text = _filled(text, place, content)
    return text


def cli_page() -> str:
    """The help of every verb."""
    parts = [
        f"{MADE}# The command line\n\n"
        "The `--help` text of every command. Options with the same name mean the same everywhere.\n"
    ]
    for words, command in _commands("assay", main.assay, None):
        parts.append(f"{'#' * (1 + len(words.split()))} {words}\n\n```text\n{_help(words, command)}\n```\n")
    return "\n".join(parts)


def registry_page() -> str:
    """What comes with Assay, by kind."""
    parts = [
        f"{MADE}# What comes with Assay\n\n"
        "Families, models and formats, by their versioned names. A name without a version "
        "means the newest. `assay list` shows these and those that your own packages add: see "
        "[extending](extending.md).\n",
        "## Families of tests\n\nThe examples are built from the premise "
        f'"{PAIR.premise}" and the hypothesis "{PAIR.hypothesis}" with the label {PAIR.label}.\n',
    ]
    for name, kind in _own(registry.transforms):
        made = BuildStep(Recipe(transform=name, seed=0)).cases(PAIR)[0]
        parts.append(f"### `{name}`\n\n{_description(kind)}\n\n{_example(made)}\n")
    parts.append("## Models\n\nOn the command line, put its kind before the name: `--model assay:overlap`.\n")
    parts += [f"### `{name}`\n\n{_description(kind)}\n" for name, kind in _own(registry.models)]
    parts.append(
        "## Kinds of models\n\nName models that others made as `KIND:WHAT`. "
        "[Each kind has a page](models/README.md).\n\n| kind | what it takes |\n| --- | --- |"
    )
    parts += [f"| `{name.partition('/')[0]}:` | {_description(kind)} |" for name, kind in _own(registry.adapters)]
    parts.append(
        "\n## Formats\n\n[formats.md](formats.md) lists the columns of each.\n\n| name | files | what it holds |"
    )
    rows = [f"| `{name}` | {kind.title} | {_description(kind)} |" for name, kind in _own(registry.formats)]
    return "\n".join(parts) + "\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"


def _filled(page: str, what: str, content: str) -> str:
    begin, end = f"<!-- {what} -->\n", f"<!-- end of {what} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"No place for the {what}: {begin.strip()} and {end}")
    return f"{before}{begin}{content}{end}{after}"


def _commands(words: str, command: click.Command, parent: click.Context | None) -> Iterator[tuple[str, click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command, parent=parent, info_name=words)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner:
                yield from _commands(f"{words} {name}", inner, context)


def _help(words: str, command: click.Command) -> str:
    context = click.Context(
        command, info_name=words, terminal_width=WIDTH, max_content_width=WIDTH, help_option_names=["-h", "--help"]
    )
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


def _own(known: Any) -> Iterator[tuple[str, Any]]:
    return ((name, known.get(name)) for name in known.names() if known.target(name).source == "nli-assay")


def _example(made: assay.Case | assay.Skip) -> str:
    if isinstance(made, assay.Skip):
        return f"Skipped: {made.reason}"
    return f"- premise: {made.premise}\n- hypothesis: {made.hypothesis}\n- label: {made.label}"


def _description(kind: Any) -> str:
    return inspect.cleandoc((kind.__doc__ or "").partition(">>>")[0]).strip().replace("\n\n", "\n").replace("\n", " ")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the generated documents.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--without-run", action="store_true")
    options = parser.parse_args()
    target, made = options.folder, documents()
    if not options.without_run:
        made |= documents_of_a_run()
    for place, content in made.items():
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        (target / place).write_text(content, encoding="utf-8")
