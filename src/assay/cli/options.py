"""Options that mean the same in every verb."""

import functools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from click.core import ParameterSource

from assay.storage.remote import is_address

F = TypeVar("F", bound=Callable[..., Any])


MAPPINGS = ("columns", "labels", "switches")
"""Options that a configuration may give as a mapping."""

ONE_OR_MANY = {"family": "families", "families": "family", "model": "models", "models": "model"}
"""Settings that a configuration may call by either name."""

NOT_SET = ("config", "debug")
"""Options that only make sense on the command line."""


class PathOrAddress(click.Path):
    """A path, or an address such as s3://bucket/suite: what is read there is fetched, and what is written is sent."""

    def __init__(self, *, writes: bool = False, here: bool = False, **kind: Any) -> None:
        super().__init__(path_type=Path, **kind)
        self.writes = writes
        self.here = here

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from assay.storage.fetch import local
        from assay.storage.remote import stand_in

        if self.here and is_address(value):
            self.fail("This must be a path on this machine: it is read and written many times.", param, ctx)
        found = stand_in(value) if self.writes else self.fetched(value) if is_address(value) else local(value)
        return Path(os.fsdecode(super().convert(found, param, ctx)))

    def fetched(self, address: str) -> Path:
        """A copy of what is at an address."""
        from assay.storage.fetch import local

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
        for key, each in _parts(value):
            if not key or not each:
                raise click.BadParameter(f"{value!r} is not of the form key=value,key=value", param=param)
            if key in found:
                raise click.BadParameter(f"{key!r} is given twice", param=param)
            found[key] = each
    return found or None


def _parts(value: Any) -> Iterator[tuple[str, str]]:
    parts = value.items() if isinstance(value, dict) else (part.partition("=")[::2] for part in str(value).split(","))
    return ((str(key).strip(), str(each).strip()) for key, each in parts)


def _configure(ctx: click.Context, _param: click.Parameter, path: Path | None) -> None:
    """Take defaults from a YAML file; the command line wins."""
    if path is None:
        return
    from assay.core.errors import BadInputError, did_you_mean
    from assay.storage.yaml_file import read_yaml

    settings = read_yaml(path)
    if not isinstance(settings or {}, dict):
        raise BadInputError("a configuration must map options to values", where=str(path))
    known = {_spelling(param): param for param in ctx.command.params if param.name not in NOT_SET}
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
        found[str(known[name].name)] = _setting(known[name], value, where=f"{path}: {given}")
    ctx.default_map = found


def _spelling(param: click.Parameter) -> str:
    """What a configuration calls an option or an argument: as the command line does, without dashes in front."""
    return next((each for each in param.opts if each.startswith("--")), str(param.name)).lstrip("-")


def _setting(param: click.Parameter, value: Any, *, where: str) -> Any:
    """The value as the command line would give it."""
    from assay.core.errors import BadInputError

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
            raise click.UsageError(f"--{_spelling(param)} {why}.")


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


config = click.option(
    "--config",
    type=PathOrAddress(exists=True, dir_okay=False),
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
    multiple=True,
    callback=mapping,
    metavar="KEY=VALUE,...",
    help="What the corpus's labels mean: 0=entailment,1=neutral,2=contradiction.",
)
reading = options(
    click.option("--input-format", metavar="FORMAT", help="Format of the corpus; by default, it is detected."),
    click.option(
        "--columns",
        type=click.UNPROCESSED,
        multiple=True,
        callback=mapping,
        metavar="KEY=VALUE,...",
        help="Columns of the corpus: premise=text_a,hypothesis=text_b,label=y.",
    ),
    labels,
    click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the corpus."),
    click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Read only the first N records."),
    click.option(
        "--sample",
        type=click.IntRange(min=1),
        metavar="N",
        help="Draw N pairs from the whole corpus, with each label and genre in its share.",
    ),
    click.option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help="At a broken record: stop, or skip and report it.",
    ),
)
FIDELITY = ("strict", "paper", "code")


def _gather(function: F) -> F:
    """Make one mapping from the switches in `--set` and those that have their own options."""

    @functools.wraps(function)
    def gathered(*args: Any, switches: dict[str, str] | None, **given: Any) -> Any:
        short = {name: given.pop(name) for name in ("fidelity", "tautology", "times", "typos", "per_word_pair")}
        named = {name: str(value) for name, value in short.items() if value is not None}
        return function(*args, switches={**named, **(switches or {})}, **given)

    return cast("F", gathered)


tests = options(
    click.option(
        "--fidelity",
        type=click.Choice(FIDELITY),
        help="Whose rules to follow: ours (strict, the default), the paper's, or its code's.",
    ),
    click.option("--tautology", metavar="TEXT", help="The clause that tautology families add."),
    click.option("--times", type=click.IntRange(min=0), metavar="K", help="How many times they add it."),
    click.option(
        "--typos", type=click.IntRange(min=0), metavar="K", help="How many words the spelling family damages."
    ),
    click.option(
        "--per-word-pair",
        type=click.IntRange(min=0),
        show_default="a tenth of the family",
        metavar="N",
        help="antonymy, lexical, and monotonicity from a corpus: most cases with the same two words; 0 for no limit.",
    ),
    click.option(
        "--set",
        "switches",
        type=click.UNPROCESSED,
        multiple=True,
        callback=mapping,
        metavar="SWITCH=VALUE,...",
        help="Switches of the families, listed in docs/reference/tests; FAMILY.SWITCH=VALUE sets one family only.",
    ),
    _gather,
)
collapse = click.option(
    "--collapse",
    type=click.Choice(["argmax", "sum"]),
    default="argmax",
    show_default=True,
    help="How to read three-way answers in a two-way suite: the best label, or neutral plus contradiction.",
)
two_way = click.option(
    "--two-way/--three-way",
    "two_way",
    default=None,
    show_default="two-way if the corpus has two labels or a model gives one score per pair",
    help="Judge cases and answers by two labels, with neutral and contradiction as one, or by the labels as built.",
)
windows = click.option(
    "--windows",
    default="",
    metavar="HOW[:WORDS]",
    help="Split long premises into overlapping windows of sentences, ask about each, and put the answers together: "
    "max, min, mean, or one for each label, as in entailment=max,contradiction=mean. WORDS is the most words in a "
    "window, by default 200.",
)
ladder = click.option(
    "--ladder", type=click.IntRange(min=1), metavar="K", help="Build every strength from 0 to K, for curves."
)
LEXICAL = ("categories", "train", "vectors", "bigrams", "per_pair")


def _gather_lexical(function: F) -> F:
    """Make one mapping of what is given to the family lexical."""

    @functools.wraps(function)
    def gathered(*args: Any, **given: Any) -> Any:
        found = {name: given.pop(name) for name in LEXICAL}
        return function(*args, lexical={name: value for name, value in found.items() if value is not None}, **given)

    return cast("F", gathered)


def _count_or_all(_ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None or value == "all" or (value.isdecimal() and int(value)):
        return value
    raise click.BadParameter(f"{value!r} is not all or a number of at least 1", param=param)


lexical = options(
    click.option(
        "--categories",
        type=PathOrAddress(exists=True, dir_okay=False),
        metavar="FILE",
        help="lexical: your own words, in a TOML file.",
    ),
    click.option(
        "--train",
        metavar="CORPUS",
        help="A training corpus: lexical uses only its words; heuristics note which words are rare in it.",
    ),
    click.option(
        "--vectors",
        type=PathOrAddress(exists=True, dir_okay=False),
        metavar="FILE",
        help="lexical: vectors in GloVe's format; drops new words without a vector and antonyms that are not near.",
    ),
    click.option(
        "--bigrams",
        metavar="FILE",
        help="lexical: word pair counts, to leave out rare pairs: a file, symspell, or train (count in --train).",
    ),
    click.option(
        "--per-pair",
        callback=_count_or_all,
        metavar="N|all",
        help="lexical: how many replacements to make per premise.",
    ),
    _gather_lexical,
)
seed = click.option("--seed", type=int, default=0, show_default=True, help="Seed for everything random.")
workers = click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of processes; by default, one per core.",
)


engine = click.option(
    "--engine",
    default="local",
    show_default=True,
    metavar="local|dask|ADDRESS",
    help="Who does the work: processes of this machine, a Dask cluster of --workers processes that is started for this "
    "command, or a running one by the address of its scheduler.",
)


def _shard(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Any:
    """The shard, with the words of the command, which the shard keeps for whoever merges it."""
    if value is None:
        return None
    from assay.run.workers.shard import Shard

    words = sys.argv[1:]
    while "--shard" in words:
        place = words.index("--shard")
        del words[place : place + 2]
    return Shard.parse(value, [word for word in words if not word.startswith("--shard=")])


sharding = options(
    click.option(
        "--shard",
        callback=_shard,
        metavar="I/N",
        help="Do only the I-th of N shares of the work; `assay merge` puts them together.",
    ),
    click.option(
        "--merge",
        type=PathOrAddress(exists=True, file_okay=False),
        hidden=True,
        help="Take finished parts from this folder of shards; `assay merge` gives it.",
    ),
)
overwrite = click.option("--overwrite", is_flag=True, help="Replace the file, or the folder if Assay made all of it.")
as_json = click.option("--json", "as_json", is_flag=True, help="Machine-readable output on standard output.")
talk = options(
    click.option("--quiet", is_flag=True, help="Show results and errors only."),
    click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."),
)
