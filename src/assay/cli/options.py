"""Options that mean the same in every verb."""

import functools
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast, get_origin

import click
import msgspec
from click.core import ParameterSource

from assay.core.errors import BadInputError, did_you_mean
from assay.core.option_fields import SET, OptionField, option_fields, set_fields
from assay.run.run_options import CORPUS, WORK, ReadOptions, RunOptions
from assay.storage.remote import is_address, local, stand_in

F = TypeVar("F", bound=Callable[..., Any])
MAPPINGS = ("columns", "labels", "switches")  # options that a configuration may give as a mapping

ONE_OR_MANY = {"family": "families", "families": "family", "model": "models", "models": "model"}
"""Settings that a configuration may call by either name."""

OUTPUT = "Output"
NOT_SET = ("config", "debug")  # options that only make sense on the command line


class PathOrAddress(click.Path):
    """A path, or an address such as s3://bucket/suite: inputs are downloaded, and outputs are uploaded."""

    def __init__(self, *, writes: bool = False, **kind: Any) -> None:
        super().__init__(path_type=Path, **kind)
        self.writes = writes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        found = stand_in(value) if self.writes else self.fetched(value) if is_address(value) else local(value)
        return Path(os.fsdecode(super().convert(found, param, ctx)))

    def fetched(self, address: str) -> Path:
        """A local copy of the file or folder at an address."""
        return local(address)


class RunFolder(PathOrAddress):
    """The folder of a stored run; a folder of runs means its newest run."""

    def __init__(self, *, exists: bool = False) -> None:
        super().__init__(exists=exists, file_okay=not exists)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from assay.run.stored_run import run_folder

        return run_folder(super().convert(value, param, ctx))

    def fetched(self, address: str) -> Path:
        """A copy of the run at an address, or of the newest one there."""
        from assay.run.stored_run import run_folder

        return run_folder(address)


def mapping(_ctx: click.Context, param: click.Parameter, values: Sequence[Any]) -> dict[str, str] | None:
    """Read `key=value,key=value`, given once or more, or the mapping that a configuration file has for it."""
    found: dict[str, str] = {}
    for value in values:
        for key, each in _split_parts(value, SWITCHES if param.name == "switches" else ","):
            if not key or not each:
                raise click.BadParameter(f"{value!r} is not of the form key=value,key=value", param=param)
            if key in found:
                raise click.BadParameter(f"{key!r} is given twice", param=param)
            found[key] = each
    return found or None


SWITCHES = r",(?=[\w.-]+=)"
"""What separates switches: a comma before the next name, because a value may be a text with commas."""


def _split_parts(value: Any, separator: str) -> Iterator[tuple[str, str]]:
    texts = () if isinstance(value, dict) else re.split(separator, str(value))
    parts = value.items() if isinstance(value, dict) else (part.partition("=")[::2] for part in texts)
    return ((str(key).strip(), str(each).strip()) for key, each in parts)


def _configure(ctx: click.Context, _param: click.Parameter, path: Path | None) -> None:
    """Take defaults from a YAML file; the command line wins."""
    if path is None:
        return
    from assay.storage.yaml_file import read_yaml

    settings = read_yaml(path)
    if not isinstance(settings or {}, dict):
        raise BadInputError("a configuration must map options to values", where=str(path))
    known = {_setting_name(param): param for param in ctx.command.params if param.name not in NOT_SET}
    found = {}
    for given, value in (settings or {}).items():
        name = given if given in known else ONE_OR_MANY.get(given, given)
        if name not in known:
            raise BadInputError(
                f"unknown setting {name!r}{did_you_mean(name, known)}",
                where=str(path),
                hint=f"Known here: {', '.join(sorted(known))}.",
            )
        if str(known[name].name) in found:
            raise BadInputError(f"{given!r} and {ONE_OR_MANY[given]!r} are the same setting", where=str(path))
        found[str(known[name].name)] = _convert_setting(known[name], value, where=f"{path}: {given}")
    ctx.default_map = found


def _setting_name(param: click.Parameter) -> str:
    """The name of an option or an argument in a configuration: as on the command line, without dashes in front."""
    return next((each for each in param.opts if each.startswith("--")), str(param.name)).lstrip("-")


def _convert_setting(param: click.Parameter, value: Any, *, where: str) -> Any:
    """The value as the command line would give it."""
    several = param.nargs == -1 or getattr(param, "multiple", False)
    values = value if several and isinstance(value, list) else [value]
    is_mapping = param.name in MAPPINGS and isinstance(value, dict)
    if not is_mapping and not all(isinstance(each, str) and each for each in values):
        wanted = "a value or a list of values" if several else "one value"
        raise BadInputError(f"needs {wanted}", where=where)
    return tuple(values) if several else value


def refuse(context: click.Context, names: Sequence[str], why: str) -> None:
    """Stop if an option was given that has no effect here, instead of silently ignoring it."""
    for param in context.command.params:
        if param.name in names and context.get_parameter_source(param.name) not in (None, ParameterSource.DEFAULT):
            raise click.UsageError(f"--{_setting_name(param)} {why}.")


def complete(kind: str, *more: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Completion by the names in a registry, in the form in which families and models are given on the command line."""

    def names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
        from assay.core import registry

        if kind == "models":
            found = [f"assay:{name}" for name in registry.models.names()]
        else:
            from assay.run.build.recipes import traits_of

            newest = {name.partition("/")[0]: traits_of(name).variants for name in registry.transforms.newest()}
            found = [*newest, *(f"{name}:{each}" for name, variants in newest.items() for each in variants)]
        return sorted(name for name in (*found, *more) if name.startswith(incomplete))

    return names


def options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in the order in which help shows them."""

    def apply(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


class GroupedOption(click.Option):
    """An option that only `--help-all` shows, under a heading, if it has a group."""

    def __init__(self, *args: Any, group: str = "", **kind: Any) -> None:
        super().__init__(*args, **kind)
        self.group = group


class _WithExamples(click.Command):
    """A command whose help ends with examples that can be pasted."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kind: Any) -> None:
        super().__init__(*args, **kind)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class AssayCommand(_WithExamples):
    """A command whose help shows its main options; `--help-all` shows all options."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        if any(getattr(param, "group", "") for param in params):
            params.append(
                click.Option(
                    ["--help-all"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=_show_all_help,
                    help="Show all options and exit.",
                )
            )
        return params

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {"": []}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)) is not None:
                groups.setdefault(getattr(param, "group", ""), []).append(record)
        shown = groups if ctx.meta.get("help_all") else {"": groups[""]}
        for name, records in shown.items():
            with formatter.section(name or "Options"):
                formatter.write_dl(records)


class AssayGroup(_WithExamples, click.Group):
    command_class = AssayCommand


def _show_all_help(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["help_all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def option_of(field: OptionField, **changes: Any) -> Callable[[F], F]:
    about = field.option
    kind: dict[str, Any] = {
        "cls": GroupedOption,
        "group": about.group,
        "help": about.help,
        "metavar": about.metavar,
        "show_default": about.default or bool(field.default) or field.default == 0,
        "default": field.default,
    }
    name = field.name
    if field.choices:
        kind["type"] = click.Choice(field.choices)
    elif field.type is bool:
        inverted = field.default is True
        name = f"no_{name}" if inverted else name
        kind |= {"is_flag": True, "show_default": about.default or False}
        kind["default"] = False if inverted else field.default
    elif field.type in (int, float):
        ranged = click.IntRange if field.type is int else click.FloatRange
        limited = about.at_least is not None or about.at_most is not None
        kind["type"] = ranged(min=about.at_least, max=about.at_most) if limited else field.type  # type: ignore[arg-type]
        if about.default:
            kind["default"] = None
    elif "Mapping" in str(field.type):
        kind |= {"type": click.UNPROCESSED, "multiple": True, "callback": mapping, "default": None}
        kind["metavar"] = about.metavar or "KEY=VALUE,..."
    elif about.path:
        exists = about.path != "out"
        folder = about.path == "folder"
        kind["type"] = PathOrAddress(
            writes=not exists, exists=exists, dir_okay=folder or not exists, file_okay=not folder
        )
    if about.many or get_origin(field.type) is tuple:
        kind |= {"multiple": True, "default": field.default or ()}
    if about.completes:
        kind["shell_complete"] = complete(about.completes)
    return click.option(field.flag, name, **{**kind, **changes})


def field_option(kind: type[msgspec.Struct], name: str, **changes: Any) -> Callable[[F], F]:
    return option_of(next(field for field in option_fields(kind) if field.name == name), **changes)


def fields(kind: type[msgspec.Struct], into: str = "options") -> Callable[[F], F]:
    """The options of a command whose function takes them as one object, by default as the argument `options`."""
    every = option_fields(kind)
    own = [field for field in every if field.flag != SET]
    rare = [field for field in every if field.flag == SET]
    has_switches = "switches" in kind.__struct_fields__

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def gathered(*args: Any, **given: Any) -> Any:
            found = {name: given.pop(name) for name in kind.__struct_fields__ if name in given}
            for field in own:
                if field.default is True:
                    found[field.name] = not given.pop(f"no_{field.name}")
            switches = found.pop("switches", None) or (given.pop("switches", None) if rare else None) or {}
            named, others = set_fields(kind, switches)
            if others and not has_switches:
                raise click.UsageError(f"--set {next(iter(others))}: there is only {', '.join(f.name for f in rare)}.")
            if found.get("workers", 1) is None:
                from assay.run.workers.pool import default_workers

                found["workers"] = default_workers()
            values = {name: value for name, value in {**found, **named}.items() if value is not None}
            made = kind(**values, **({"switches": others} if others else {}))
            return function(*args, **{into: made}, **given)

        extra = [_set_option(rare)] if rare and not has_switches else []
        return options(*map(option_of, own), *extra)(cast("F", gathered))

    return decorate


def _set_option(rare: Sequence[OptionField]) -> Callable[[F], F]:
    """The option for fields without a flag; its help lists them."""
    return click.option(
        "--set",
        "switches",
        cls=GroupedOption,
        group="Rarely needed",
        type=click.UNPROCESSED,
        multiple=True,
        callback=mapping,
        metavar="NAME=VALUE,...",
        help=" ".join(f"{field.name}: {field.option.help}" for field in rare),
    )


config = click.option(
    "--config",
    type=PathOrAddress(exists=True, dir_okay=False),
    is_eager=True,
    expose_value=False,
    callback=_configure,
    help="YAML file with any of these options; the command line wins.",
)
source = click.option("--from", "source", default="bundled", show_default=True, metavar="CORPUS", help=CORPUS)
reading = options(*map(option_of, option_fields(ReadOptions)))
workers = field_option(RunOptions, "workers")
engine = field_option(RunOptions, "engine")


def _parse_shard(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Any:
    """The shard, and the command line that it stores for messages."""
    if value is None:
        return None
    from assay.run.workers.shard import Shard, words_without_shard

    return Shard.parse(value, words_without_shard(sys.argv[1:]))


def _merge_shards(ctx: click.Context, _param: click.Parameter, folder: Path | None) -> Path | None:
    """The folder of shards; if nothing else is given, the command that made them is repeated with it."""
    flags = [word for word in sys.argv[2:] if word in ("--debug", "--json", "--quiet")]
    if folder is None or len(sys.argv) - len(flags) > 4:
        return folder
    from assay.core.errors import BadInputError
    from assay.run.workers.shard import finished_shards

    words = finished_shards(folder)[0].card.words
    if words[:1] != (ctx.info_name,):
        raise BadInputError(f"these shards do not belong to `assay {ctx.info_name}`", where=str(folder))
    sys.argv[1:] = [*words, "--merge", str(folder), *flags]
    root: Any = ctx.find_root().command
    return cast("Path", ctx.exit(root.main(sys.argv[1:], prog_name="assay", standalone_mode=False) or 0))


def _one_share(function: F) -> F:
    """Pass `--shard` and `--merge` as one argument: a shard to do, a folder of shards to merge, or None."""

    @functools.wraps(function)
    def gathered(*args: Any, shard: Any, merge: Path | None, **given: Any) -> Any:
        return function(*args, shard=merge or shard, **given)

    return cast("F", gathered)


sharding = options(
    click.option(
        "--shard",
        cls=GroupedOption,
        group=WORK,
        callback=_parse_shard,
        metavar="I/N",
        help="Do only part I of N of the work; --merge combines the parts.",
    ),
    click.option(
        "--merge",
        cls=GroupedOption,
        group=WORK,
        type=PathOrAddress(exists=True, file_okay=False),
        is_eager=True,
        callback=_merge_shards,
        metavar="FOLDER",
        help="Combine the shards in this folder, with the same result as one process. On its own, it repeats the "
        "command that made the shards and reads the corpus again, but computes nothing twice.",
    ),
    _one_share,
)
overwrite = click.option("--overwrite", is_flag=True, help="Replace the file, or the folder if Assay made all of it.")


def _output_flag(name: str, **kind: Any) -> Callable[[F], F]:
    """A flag that `cli.output` reads from the context, so that no function passes it on."""

    def remember(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        ctx.meta[name] = value

    return click.option(f"--{name}", name, is_flag=True, expose_value=False, callback=remember, **kind)


as_json = _output_flag("json", help="Machine-readable output on standard output.")
talk = options(
    _output_flag("quiet", cls=GroupedOption, group=OUTPUT, help="Show results and errors only."),
    click.option(
        "--debug",
        cls=GroupedOption,
        group=OUTPUT,
        is_flag=True,
        expose_value=False,
        help="Show the traceback of an error.",
    ),
)
