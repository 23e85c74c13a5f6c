"""A stored run as analyses read it: some of its models, and the cases and answers that an analysis is about."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from assay.bench.judge.named_models import named_models
from assay.bench.stored import Joined, Run, StoredRun, open_run, run_folder
from assay.core.errors import UserError
from assay.core.results.estimate import find
from assay.core.run import RunRecord
from assay.core.suite import Origin
from assay.evaluate.count.columns import IN_TWO, Encoder


class Opened(NamedTuple):
    """A run with the models that were chosen."""

    record: RunRecord
    """Its record."""
    stored: StoredRun
    """Its cases and the answers of these models."""
    models: list[str]
    """The models, in the order of `stored`."""

    @property
    def asked(self) -> dict[str, Origin]:
        """Where the cases of each suite come from."""
        return {
            name: Origin(source=each.source, recipes=tuple(each.recipes)) for name, each in self.record.suites.items()
        }

    def with_family(self, family: str) -> list[str]:
        """The suites that have a family; an error says how to get one if there are none."""
        found = [name for name, manifest in self.record.suites.items() if manifest.counts.get(family)]
        if not found:
            there = dict.fromkeys(name for manifest in self.record.suites.values() for name in manifest.counts)
            raise UserError(
                f"The run {self.record.id} has no {family} cases; it has {', '.join(there)}.\n"
                f"  Make one that has: assay run --family {family} --model MODEL [--from CORPUS]"
            )
        return found

    def joined(self, suite: str) -> Iterator[tuple[Joined, Encoder]]:
        """Cases with answers, a chunk at a time; labels and answers are two if the suite is judged by two."""
        two_way = self.record.is_two_way(suite)
        encoder = Encoder(two_way=two_way)
        for each in self.stored.joined(suite, encoder):
            said = IN_TWO[each.answers.label] if two_way else each.answers.label
            yield each._replace(answers=each.answers._replace(label=said)), encoder


def opened(run: Run, models: Sequence[str] = ()) -> Opened:
    """A stored run with some of its models, or all."""
    record = open_run(run)
    chosen = named_models(record, models)
    own = tuple(each for each in record.models if each.model in chosen)
    narrow = msgspec.structs.replace(record, models=own)
    return Opened(record, StoredRun.of(run_folder(record), narrow), [each.model for each in own])


def best_and_worst(run: Run, family: str, models: Sequence[str]) -> Opened:
    """A run with the models that are named, or with the best and the worst on a family, as in Naik et al. (2018)."""
    if models:
        return opened(run, models)
    every = opened(run)
    suites = every.with_family(family)
    found = find(every.record.estimates, "accuracy", ("model",), suite=suites[0], family=family)
    ranked = sorted((each.value or 0.0, model) for (model,), each in found.items() if model in every.models)
    return opened(run, list(dict.fromkeys((ranked[-1][1], ranked[0][1]))))
