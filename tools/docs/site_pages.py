"""The reference pages that are made when the site is built, and are not in git.

`documents()` has the help of every command, what is registered, the published numbers, the cards of the shipped
models, the public names, the fields and schemas of stored files, all tables of results, and the errors on bad input.
"""

import inspect
import os
from collections.abc import Iterator
from typing import Any

import analyses
import audits
import bad_input
import cards
import click
import published_figures
import python_page
import results
import schemas

import assay
from assay.cli import main
from assay.core import registry
from assay.core.case import Recipe
from assay.run.build.case_builder import BuildStep
from assay.training.presets import presets

WIDTH = 100
QUICK = "ASSAY_SITE_QUICK"
"""If this variable is set, the page of errors is left out; running all the commands on it takes most of the time."""

PAIRS = [
    assay.Pair(id=str(number), premise=premise, hypothesis=hypothesis, label=assay.Label(label))
    for number, (premise, hypothesis, label) in enumerate(
        [
            (
                "The old soldier paid seven silver coins for the horse, and the soup was cold.",
                "Somebody bought a horse.",
                "entailment",
            ),
            ("Every guest who ordered soup paid at least twelve coins.", "A guest paid nine coins.", "neutral"),
            ("A man and a woman eat cold soup.", "A woman eats soup.", "entailment"),
        ]
    )
]
"""Pairs of which examples are built; the first one that a family can use."""


def documents() -> dict[str, str]:
    """Every page and file, by its place below docs/."""
    made = {
        "reference/cli.md": cli_page(),
        "reference/registry.md": registry_page(),
        "reference/published.md": published_figures.page(),
        "reference/models.md": cards.page(),
        "reference/presets.md": presets_page(),
        "reference/names.md": python_page.page(),
        "reference/fields.md": schemas.page(),
        **{f"reference/schemas/{name}": text for name, text in schemas.files().items()},
        "results/tables.md": results.whole_page(),
        "results/analyses.md": analyses.whole_page(),
        "results/audit-tables.md": audits.whole_page(),
    }
    quick = "# Errors on bad input\n\nLeft out of this quick build.\n"
    made["reference/bad-input.md"] = quick if os.environ.get(QUICK) else bad_input.page()
    return made


def cli_page() -> str:
    """The help of every command."""
    parts = [
        "# The command line\n\n"
        "The `--help` text of every command. Options with the same name mean the same everywhere.\n"
    ]
    for words, command in _commands("assay", main.assay, None):
        parts.append(f"{'#' * (1 + len(words.split()))} {words}\n\n```text\n{_help(words, command)}\n```\n")
    return "\n".join(parts)


def registry_page() -> str:
    """What comes with Assay, by kind."""
    parts = [
        "# What comes with Assay\n\n"
        "Test families, models and formats, by their versioned names. A name without a version "
        "means the newest. `assay list` shows these and those that your own packages add: see "
        "[extending](../how-to/extend.md).\n",
        "## Test families\n",
    ]
    parts += [f"### `{name}`\n\n{_description(kind)}\n\n{_example(name)}\n" for name, kind in _own(registry.transforms)]
    parts.append("## Models\n\nOn the command line, write `assay:` before the name: `--model assay:overlap`.\n")
    parts += [f"### `{name}`\n\n{_description(kind)}\n" for name, kind in _own(registry.models)]
    parts.append(
        "## Kinds of models\n\nName a model as `KIND:WHAT`: see [your own model](../how-to/models.md).\n\n"
        "| kind | what it takes |\n| --- | --- |"
    )
    parts += [f"| `{name.partition('/')[0]}:` | {_description(kind)} |" for name, kind in _own(registry.adapters)]
    parts.append(
        "\n## Formats\n\n[Formats](formats.md) lists the columns of each.\n\n| name | files | what it holds |\n"
        "| --- | --- | --- |"
    )
    parts += [f"| `{name}` | {kind.title} | {_description(kind)} |" for name, kind in _own(registry.formats)]
    return "\n".join(parts) + "\n"


def presets_page() -> str:
    """What each preset of training leaves out or does differently."""
    rows = ["| system | preset | reduced | differs from the original code |", "| --- | --- | --- | --- |"]
    for name in registry.systems.newest():
        known = presets(name.partition("/")[0])
        for preset, setting in (("paper", known.paper), ("allennlp", known.allennlp), ("laptop", known.laptop)):
            if setting:
                rows.append(f"| `{name}` | `{preset}` | {setting.reduced} | {' '.join(setting.departs)} |")
    return "\n".join(
        ["# Training presets", "", "[Train a system](../how-to/train.md) explains presets.", "", *rows, ""]
    )


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


def _example(name: str) -> str:
    """A case of a family, made from the first pair that it can use; nothing if there is none."""
    step = BuildStep(Recipe(transform=name, seed=0))
    for pair in PAIRS:
        for case in step.cases(pair):
            if not isinstance(case, assay.Skip):
                return (
                    f"Example, from the premise *{pair.premise}* and the hypothesis *{pair.hypothesis}* "
                    f"({pair.label}):\n\n"
                    f"- premise: {case.premise}\n- hypothesis: {case.hypothesis}\n- label: {case.label}"
                )
    return ""


def _description(kind: Any) -> str:
    return inspect.cleandoc((kind.__doc__ or "").partition(">>>")[0]).strip().replace("\n\n", "\n").replace("\n", " ")
