"""The command that repeats a run."""

import shlex
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from assay.core.case import ORIGINAL, Option, Recipe
from assay.core.run_record import CorpusReading, FromCorpus, FromPairs, Generated, RunSpec, StoredSuite


def command_of(spec: RunSpec) -> str:
    r"""The command for a shell; a comment if pairs or models were Python objects.

    >>> swap = Recipe(transform="swap/v1", seed=0)
    >>> corpus = FromCorpus(reading=CorpusReading(source="my pairs.csv", limit=9), recipes=(swap,))
    >>> print(command_of(RunSpec(suites={"stress": corpus}, models=("assay:overlap/v1",))))
    assay run --from 'my pairs.csv' --limit 9 --family swap --model assay:overlap/v1
    """
    if held := [*_held(spec)]:
        return f"# made by assay.run(...) in Python, with {', '.join(held)}"
    words = [*_suites(spec), *(each for model in spec.models for each in ("--model", model))]
    words += ["--seed", str(spec.seed)] if spec.seed else []
    words += ["--truncate", spec.truncate] if spec.truncate != "error" else []
    words += ["--collapse", spec.collapse] if spec.collapse != "argmax" else []
    words += [] if spec.two_way is None else ["--two-way" if spec.two_way else "--three-way"]
    return f"assay run {shlex.join(words)}"


def _held(spec: RunSpec) -> Iterator[str]:
    """Inputs in memory, which no command can name."""
    yield from (f"the pairs {suite.name!r}" for suite in spec.suites.values() if isinstance(suite, FromPairs))
    yield from (model for model in spec.models if model.startswith("object:"))
    readings = (suite.reading for suite in spec.suites.values() if isinstance(suite, FromCorpus))
    samples = (each.sample for each in readings if each.sample is not msgspec.UNSET)
    yield from (f"a sample drawn with seed {each.seed}" for each in samples if each.seed != spec.seed)


def _suites(spec: RunSpec) -> Iterator[str]:
    recipes: list[Recipe] = []
    for suite in spec.suites.values():
        if isinstance(suite, FromCorpus):
            yield from _reading(suite.reading)
            recipes += suite.recipes
    for suite in spec.suites.values():
        if isinstance(suite, Generated):
            yield from ("--per-subcase", str(suite.per_subcase))
            recipes.append(suite.recipe)
    yield from _families(recipes)
    for name, suite in spec.suites.items():
        if isinstance(suite, StoredSuite):
            yield from ("--suite", f"{name}={suite.folder}")


def _reading(reading: CorpusReading) -> Iterator[str]:
    yield from ("--from", reading.source)
    for name, value in (
        ("--input-format", reading.input_format or ""),
        ("--columns", ",".join(f"{key}={value}" for key, value in reading.columns.items())),
        ("--labels", ",".join(f"{key}={value}" for key, value in reading.labels.items())),
        ("--encoding", reading.encoding if reading.encoding != "utf-8" else ""),
        ("--on-error", reading.on_error if reading.on_error != "stop" else ""),
        ("--limit", str(reading.limit or "")),
        ("--sample", "" if reading.sample is msgspec.UNSET else str(reading.sample.n)),
    ):
        if value:
            yield from (name, value)


def _families(recipes: Sequence[Recipe]) -> Iterator[str]:
    """The families with their variants and switches; rungs of a ladder are one family."""
    by_family: dict[str, list[Recipe]] = {}
    for each in recipes:
        by_family.setdefault(_family(each), []).append(each)
    if len(by_family) > 1:
        by_family.pop(ORIGINAL, None)  # it is always included
    for family in by_family:
        yield from ("--family", family)
    rungs = [each.severity for each in recipes if each.severity is not None]
    if rungs:
        yield from ("--ladder", str(max(rungs)))
    switches = dict(each for own in by_family.values() for each in _switches(own))
    if switches:
        yield from ("--set", ",".join(f"{name}={value}" for name, value in switches.items()))


def _family(recipe: Recipe) -> str:
    name, variant = recipe.transform.partition("/")[0], recipe.options.get("variant", "")
    return f"{name}:{variant}" if variant else name


def _switches(recipes: Sequence[Recipe]) -> Iterable[tuple[str, str]]:
    """The options that all rungs share: the one that differs is the ladder's."""
    first = recipes[0]
    for name, value in first.options.items():
        shared = first.severity is None or all(each.options.get(name) == value for each in recipes)
        if name != "variant" and shared:
            yield f"{first.transform.partition('/')[0]}.{name}", _said(value)


def _said(value: Option) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
