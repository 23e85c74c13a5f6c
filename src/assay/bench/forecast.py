"""What a run would cost: its suites are built, its questions are counted, and nothing is asked."""

from contextlib import AbstractContextManager

from assay.bench.ask.ask import Asking, cost_of
from assay.bench.ask.names import folder_name
from assay.bench.ask.windowing.windows import Windows
from assay.bench.execute import Given, places_of, suites_of
from assay.bench.shards import Crew
from assay.bench.stages import Stage, quiet
from assay.core.protocols import Cost
from assay.core.run import RunSpec
from assay.core.scratch import scratch


def forecast_run(
    spec: RunSpec, *, crew: AbstractContextManager[Crew], given: Given, cache: bool = True, stage: Stage = quiet
) -> dict[str, Cost]:
    """What each model of a run would cost, without what is cached already."""
    places = places_of(spec, cache=cache)
    with scratch() as home, crew as team:
        suites = suites_of(spec, home / "suites", places, given=given, crew=team, stage=stage)
        how = Asking(windows=Windows.parse(spec.windows), cache=cache)
        return {
            name: cost_of(name, suites, home / folder_name(name), how=how, given=given.models.get(name))
            for name in spec.models
        }
