"""The command that repeats a run."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from assay.core.case import ORIGINAL, Recipe
from assay.core.manifest import Manifest
from assay.core.option_fields import option_words
from assay.core.run_record import FromCorpus, FromPairs, Generated, RunSpec, StoredSuite
from assay.run.run_options import RunOptions


def command_of(spec: RunSpec) -> str:
    r"""The command for a shell; a comment if pairs or models were Python objects.

    >>> from assay.core.run_record import CorpusReading
    >>> swap = Recipe(transform="swap/v1", seed=0)
    >>> corpus = FromCorpus(reading=CorpusReading(source="my pairs.csv", limit=9), recipes=(swap,))
    >>> print(command_of(RunSpec(suites={"stress": corpus}, models=("assay:overlap/v1",))))
    assay run --from 'my pairs.csv' --family swap --model assay:overlap/v1 --set truncate=error --limit 9
    """
    if held := [*_held(spec)]:
        return f"# made by assay.run(...) in Python, with {', '.join(held)}"
    return f"assay run {shlex.join(option_words(_options_of(spec)))}"


OWN_SAMPLE = 300  # pairs that the command for a model of the user's own draws, so that a large model takes minutes


def own_model_command(spec: RunSpec, suites: Mapping[str, Manifest]) -> str:
    """The command that runs a model of the user's own on the same corpus, or on a sample if it is large.

    >>> from assay.core.run_record import CorpusReading
    >>> corpus = FromCorpus(reading=CorpusReading(source="my pairs.csv", limit=9), recipes=())
    >>> print(own_model_command(RunSpec(suites={"stress": corpus}, models=("assay:overlap/v1",), two_way=True), {}))
    assay run --from 'my pairs.csv' --model hf:NAME --two-way --sample 300
    """
    given: dict[str, Any] = {"two_way": spec.two_way}
    sample: int | None = OWN_SAMPLE
    for name, suite in spec.suites.items():
        if isinstance(suite, FromCorpus) and suite.reading.source != "bundled":
            reading = msgspec.structs.asdict(suite.reading)
            given |= {**reading, "columns": reading["columns"] or None, "labels": reading["labels"] or None}
            source = suites[name].source if name in suites else None
            if source and source.sample is msgspec.UNSET and source.pairs <= OWN_SAMPLE:
                sample = None
    given |= {"models": ("hf:NAME",), "limit": None, "sample": sample}
    return f"assay run {shlex.join(option_words(RunOptions(**given)))}"


def _options_of(spec: RunSpec) -> RunOptions:
    corpora = [suite for suite in spec.suites.values() if isinstance(suite, FromCorpus)]
    made = [suite for suite in spec.suites.values() if isinstance(suite, Generated)]
    stored = {name: suite for name, suite in spec.suites.items() if isinstance(suite, StoredSuite)}
    recipes = [*(recipe for suite in corpora for recipe in suite.recipes), *(suite.recipe for suite in made)]
    shared = {name: getattr(spec, name) for name in RunSpec.__struct_fields__ if name in RunOptions.__struct_fields__}
    given: dict[str, Any] = {**shared, "suites": tuple(f"{name}={suite.folder}" for name, suite in stored.items())}
    for suite in corpora:
        reading = msgspec.structs.asdict(suite.reading)
        sample = reading.pop("sample")
        given |= {**reading, "columns": reading["columns"] or None, "labels": reading["labels"] or None}
        given["sample"] = None if sample is msgspec.UNSET else sample.n
    if made:
        given["per_subcase"] = made[0].per_subcase
    return RunOptions(**given, **_families(recipes))


def _held(spec: RunSpec) -> Iterator[str]:
    """Inputs in memory, which no command can name."""
    yield from (f"the pairs {suite.name!r}" for suite in spec.suites.values() if isinstance(suite, FromPairs))
    yield from (model for model in spec.models if model.startswith("object:"))
    readings = (suite.reading for suite in spec.suites.values() if isinstance(suite, FromCorpus))
    samples = (each.sample for each in readings if each.sample is not msgspec.UNSET)
    yield from (f"a sample drawn with seed {each.seed}" for each in samples if each.seed != spec.seed)


def _families(recipes: Sequence[Recipe]) -> dict[str, Any]:
    """The families with their variants and switches; rungs of a ladder are one family."""
    by_family: dict[str, list[Recipe]] = {}
    for each in recipes:
        name, variant = each.transform.partition("/")[0], each.options.get("variant", "")
        by_family.setdefault(f"{name}:{variant}" if variant else name, []).append(each)
    if len(by_family) > 1:
        by_family.pop(ORIGINAL, None)  # it is always included
    rungs = [each.severity for each in recipes if each.severity is not None]
    switches = {}
    for first, *others in by_family.values():
        for name, value in first.options.items():
            # All rungs of a ladder share an option, but for the one that differs, which is the ladder's.
            shared = first.severity is None or all(each.options.get(name) == value for each in others)
            if name != "variant" and shared:
                said = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
                switches[f"{first.transform.partition('/')[0]}.{name}"] = said
    return {"families": tuple(by_family) or None, "ladder": max(rungs, default=None), "switches": switches or None}
