"""A shard of a run: its share of the answers of every model."""

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from assay.bench.api import Pairs, on_bench, planned_run
from assay.bench.ask.ask import ask_share
from assay.bench.ask.names import folder_name
from assay.bench.ask.objects import Models
from assay.bench.execute import Given, asking_of, key_of, places_of, suites_of
from assay.bench.sharding.shard import Filled, Shard, make_shard
from assay.bench.shards import Crew
from assay.bench.shards import workers as crew_of
from assay.bench.spec import Bench, named_suites
from assay.bench.stages import Stage, quiet
from assay.core.errors import UserError
from assay.core.run import RunSpec

OF_THE_RUN = ("kept.parts", "model.parts")
"""What a model's folder holds while it is asked, and a shard does not keep."""


def ask_shard(
    source: Pairs | None,
    *,
    models: Models,
    bench: Bench | None,
    suites: Sequence[str],
    cache: bool,
    workers: int,
    executor: Executor | None,
    out: Path,
    budget: float | None,
    shard: Shard,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
    **building: Any,
) -> Path:
    """A shard of what `assay.run` would do with the same arguments; returns its folder."""
    plan = planned_run(source, on_bench(models, bench), folders=named_suites(suites), **building, tell=tell)
    with plan as (spec, given):
        return run_shard(
            spec,
            out,
            crew=crew_of(workers, executor),
            given=given,
            shard=shard,
            cache=cache,
            budget=budget,
            stage=stage,
            tell=tell,
        )


def run_shard(
    spec: RunSpec,
    runs: Path,
    *,
    crew: AbstractContextManager[Crew],
    given: Given,
    shard: Shard,
    cache: bool = True,
    budget: float | None = None,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> Path:
    """Ask every model of a run its share of the questions, and return the shard's folder.

    Each shard needs all suites, because only they show which batch is whose. Suites that are built already, or cached,
    are not built again.
    """
    if given.corpus is not None or given.models:
        raise UserError("A shard is run by name: it can't have pairs or models that are objects.")
    places = places_of(spec, cache=cache)

    def fill(folder: Path) -> Filled:
        made = suites_of(spec, folder / "suites", places, given=given, crew=team, stage=stage)
        suites, how = asking_of(spec, made, given=given, cache=cache, budget=budget, tell=tell)
        identities = {}
        for name in spec.models:
            progress = stage(f"Asking {name}, shard {shard.index} of {shard.count}", None)
            place = folder / "predictions" / folder_name(name)
            identity = ask_share(name, suites, place, crew=team, progress=progress, owns=shard.owns, how=how)
            if identity is not None:
                identities[name] = identity
        digests = {name: suite.manifest.digest for name, suite in suites.items()}
        for each in OF_THE_RUN:
            for place in folder.glob(f"predictions/*/{each}"):
                shutil.rmtree(place)
        shutil.rmtree(folder / "suites")  # they are made again, or found in the cache, when the shards are merged
        return Filled(digests, identities)

    with crew as team:
        return make_shard(runs / key_of(spec), shard, fill)
