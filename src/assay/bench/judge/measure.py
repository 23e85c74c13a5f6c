"""Every figure of a run, from one pass over its suites and the stored answers."""

from collections.abc import Iterable, Mapping

from assay.bench.stored import StoredRun
from assay.core.label import in_two
from assay.core.results.estimate import Estimate
from assay.core.results.judgement import Judgement
from assay.core.run import RunSpec
from assay.core.suite import Manifest
from assay.evaluate.band import bands
from assay.evaluate.board import Board
from assay.evaluate.collapse import Collapse
from assay.evaluate.count.columns import Encoder
from assay.evaluate.judge.verdict import judge


def measure_run(run: StoredRun, spec: RunSpec) -> list[Estimate]:
    """Every figure of a run."""
    two_way = spec.two_way_suites({name: suite.manifest for name, suite in run.suites.items()})
    found = [
        estimate
        for suite in run.suites
        for estimate in measure(run, suite, collapse=spec.collapse, two_way=suite in two_way)
    ]
    return found + bands(found)


def measure(run: StoredRun, suite: str, *, collapse: Collapse = "argmax", two_way: bool = False) -> list[Estimate]:
    """Every model's figures on one of the run's suites."""
    encoder = Encoder(two_way=two_way)
    models = [each.model for each in run.models]
    board = Board(models, suite=suite, encoder=encoder, collapse=collapse)
    for each in run.joined(suite, encoder):
        board.add(each.cases, each.answers)
    return board.estimates()


def judge_run(estimates: Iterable[Estimate], suites: Mapping[str, Manifest], spec: RunSpec) -> Judgement:
    """What the figures of a run amount to."""
    two_way = spec.two_way_suites(suites)
    counts = {
        name: in_two(manifest.counts) if name in two_way else manifest.counts for name, manifest in suites.items()
    }
    return judge(estimates, counts)
