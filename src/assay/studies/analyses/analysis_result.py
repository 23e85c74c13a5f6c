"""An analysis of stored runs: what it reads, its shares with intervals, its result, and the tables that show it."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy

from assay.core.errors import UserError
from assay.core.estimate import Estimate, find
from assay.core.manifest import CaseSource
from assay.core.run_record import RunRecord
from assay.evaluate.case_columns import Bools, Encoder, Ints
from assay.evaluate.intervals import ClusteredShare
from assay.evaluate.slice_sums import ShareTally, make_cells
from assay.reports.tables.sheet import Part
from assay.run.measure import named_models
from assay.run.stored_run import JoinedAnswers, Run, StoredRun, open_run, run_folder
from assay.run.workers.pool import Stage
from assay.studies.analyses.analysis_options import AnalysisOptions


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of an analysis, and their sources."""

    name: str
    runs: tuple[str, ...]  # the runs, or the folders of trained systems, that were analysed
    suites: dict[str, CaseSource] = {}
    estimates: tuple[Estimate, ...]
    settings: dict[str, str] = {}  # other options that were given, such as a training corpus, by option
    notes: tuple[str, ...] = ()

    def select(self, name: str, *by: str) -> list[Estimate]:
        """The numbers of one name whose slices have all of these keys."""
        return [each for each in self.estimates if each.name == name and {*by} <= {*each.slice}]


class AnalysedRun(NamedTuple):
    """A run with the models that were chosen."""

    record: RunRecord
    stored: StoredRun  # its cases and the answers of these models
    models: list[str]  # the models, in the order of `stored`

    @property
    def sources(self) -> dict[str, CaseSource]:
        return {
            name: CaseSource(source=each.source, recipes=tuple(each.recipes))
            for name, each in self.record.suites.items()
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

    def join_answers(self, suite: str) -> Iterator[tuple[JoinedAnswers, Encoder]]:
        """Cases with answers, a chunk at a time; both are collapsed if the suite is judged by two labels."""
        encoder = Encoder(self.record.label_space)
        for each in self.stored.joined(suite, encoder):
            said = encoder.read(each.answers.label)
            yield each._replace(answers=each.answers._replace(label=said)), encoder

    def join_family(self, suite: str, family: str) -> Iterator[tuple[JoinedAnswers, Ints]]:
        """Each chunk of a suite that has cases of a family, with the rows of these cases."""
        for chunk, encoder in self.join_answers(suite):
            if family in encoder.families:
                yield chunk, numpy.flatnonzero(chunk.cases.family == encoder.families.index(family))

    def result(
        self,
        name: str,
        estimates: Sequence[Estimate],
        *,
        suites: Sequence[str] | None = None,
        settings: Mapping[str, str] = {},
        notes: Sequence[str] = (),
    ) -> Analysis:
        """The result of an analysis of this run; `suites` limits it to some suites."""
        sources = {each: source for each, source in self.sources.items() if suites is None or each in suites}
        return Analysis(
            name=name,
            runs=(self.record.id,),
            suites=sources,
            estimates=tuple(estimates),
            settings=dict(settings),
            notes=tuple(notes),
        )


def open_for_analysis(run: Run, models: Sequence[str] = ()) -> AnalysedRun:
    record = open_run(run)
    chosen = named_models(record, models)
    own = tuple(each for each in record.models if each.model in chosen)
    narrow = msgspec.structs.replace(record, models=own)
    return AnalysedRun(record, StoredRun.of(run_folder(record), narrow), [each.model for each in own])


def best_and_worst(run: Run, family: str, models: Sequence[str]) -> AnalysedRun:
    """A run with the models that are named, or with the best and the worst on a family, as in Naik et al. (2018)."""
    if models:
        return open_for_analysis(run, models)
    every = open_for_analysis(run)
    suites = every.with_family(family)
    found = find(every.record.estimates, "accuracy", ("model",), suite=suites[0], family=family)
    ranked = sorted((each.value or 0.0, model) for (model,), each in found.items() if model in every.models)
    return open_for_analysis(run, list(dict.fromkeys((ranked[-1][1], ranked[0][1]))))


class AnalysisEntry(NamedTuple):
    """An analysis as a table of `assay show`."""

    name: str
    about: str
    """One line for lists and help."""
    analyse: Callable[..., Analysis]
    """Takes a run, or several; its other parameters are fields of `AnalysisOptions`, and `stage` for progress."""
    tables: Callable[[Analysis], list[Part]]

    @property
    def options(self) -> list[str]:
        return [each for each in self._parameters if each in AnalysisOptions.__struct_fields__]

    @property
    def required(self) -> list[str]:
        return [each for each in self.options if self._parameters[each].default is inspect.Parameter.empty]

    @property
    def several(self) -> bool:
        """True if it reads several folders."""
        return "run" not in self._parameters

    @property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.analyse).parameters

    def compute(self, runs: Sequence[Run], options: AnalysisOptions, stage: Stage) -> Analysis:
        given: dict[str, Any] = {name: getattr(options, name) for name in self.options}
        if "stage" in self._parameters:
            given["stage"] = stage
        return self.analyse(runs if self.several else runs[0], **given)


NOWHERE = -1  # the code of a trial that belongs to no slice


class SliceShares:
    """Adds up hits and trials by slice code, one chunk of cases at a time.

    >>> shares = SliceShares()
    >>> shares.add(numpy.array([7, -1, 7]), numpy.array([0, 0, 1]), numpy.array([True, True, False]))
    >>> [(code, share.hits, share.n, share.clusters) for code, share in shares.shares().items()]
    [(7, 1, 2, 2)]
    """

    def __init__(self) -> None:
        self._tally = ShareTally()

    def add(self, codes: Ints, clusters: Ints, hits: Bools, units: Ints | None = None) -> None:
        """Count whether each trial is a hit; `units` are a second kind of cluster."""
        rows = numpy.flatnonzero(codes != NOWHERE)
        if len(rows):
            found = make_cells(codes[rows], clusters[rows], None if units is None else units[rows])
            self._tally.add(found, hits[rows][None], rows[found.met])

    def shares(self) -> dict[int, ClusteredShare]:
        """The shares by code, in order of appearance."""
        return self._tally.shares(0)
