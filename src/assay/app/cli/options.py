"""Options that mean the same in every verb."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def mapping(_ctx: click.Context, param: click.Parameter, value: Any) -> dict[str, str] | None:
    """Read `key=value,key=value`, or the mapping that a configuration file has for it."""
    if value is None:
        return None
    parts = value.items() if isinstance(value, dict) else (part.partition("=")[::2] for part in str(value).split(","))
    found: dict[str, str] = {}
    for key, each in ((str(key).strip(), str(each).strip()) for key, each in parts):
        if not key or not each:
            raise click.BadParameter(f"{value!r} is not of the form key=value,key=value", param=param)
        if key in found:
            raise click.BadParameter(f"{key!r} is given twice", param=param)
        found[key] = each
    return found


def _configure(ctx: click.Context, _param: click.Parameter, path: Path | None) -> None:
    """Take defaults from a YAML file; what stands on the command line wins."""
    if path is None:
        return
    import yaml

    from assay.core.errors import BadInputError, did_you_mean

    try:
        settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadInputError(f"not a readable YAML file: {error}", where=str(path)) from error
    if settings is None:
        settings = {}
    if not isinstance(settings, dict):
        raise BadInputError("a configuration is a mapping of options to values", where=str(path))
    names: dict[str, str] = {}
    for option in ctx.command.params:
        if option.name and option.name != "config":
            names |= {spelling.lstrip("-"): option.name for spelling in option.opts if spelling.startswith("--")}
            names.setdefault(option.name.replace("_", "-"), option.name)
    unknown = [str(key) for key in settings if str(key) not in names]
    if unknown:
        raise BadInputError(
            f"unknown setting {unknown[0]!r}{did_you_mean(unknown[0], names)}",
            where=str(path),
            hint=f"Known here: {', '.join(sorted(names))}.",
        )
    ctx.default_map = {names[str(key)]: value for key, value in settings.items()}


def options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in the order in which help shows them."""

    def apply(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


config = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=_configure,
    help="YAML file with any of these options; the command line wins.",
)
source = click.option(
    "--from",
    "source",
    default="bundled",
    show_default=True,
    metavar="CORPUS",
    help="A file, folder or zip in any known format, `-` for standard input, hf:NAME, or bundled.",
)
labels = click.option(
    "--labels",
    type=click.UNPROCESSED,
    callback=mapping,
    metavar="KEY=VALUE,...",
    help="What labels mean: 0=entailment,1=neutral,2=contradiction.",
)
reading = options(
    click.option("--input-format", metavar="FORMAT", help="The corpus's format, where it should not be detected."),
    click.option(
        "--columns",
        type=click.UNPROCESSED,
        callback=mapping,
        metavar="KEY=VALUE,...",
        help="Columns of the corpus: premise=text_a,hypothesis=text_b,label=y.",
    ),
    labels,
    click.option("--encoding", default="utf-8", show_default=True, help="How its text is encoded."),
    click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Read at most N records."),
    click.option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help="What a broken record does: stop everything, or be left out and reported.",
    ),
)
seed = click.option("--seed", type=int, default=0, show_default=True, help="Chance is keyed by it.")
workers = click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes that share the work; as many as there are cores.",
)
overwrite = click.option("--overwrite", is_flag=True, help="Replace what is there.")
as_json = click.option("--json", "as_json", is_flag=True, help="Machine-readable output on standard output.")
talk = options(
    click.option("--quiet", is_flag=True, help="Show results and errors only."),
    click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."),
)
