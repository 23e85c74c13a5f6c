"""Every figure of a run, from one pass over its suites and the stored answers."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from assay.bench.stored import StoredRun
from assay.core.label import in_two
from assay.core.results.estimate import Estimate
from assay.core.results.judgement import Judgement
from assay.core.results.support import SupportCurve
from assay.core.run import RunSpec
from assay.core.suite import Manifest
from assay.evaluate.band import bands
from assay.evaluate.board import Board
from assay.evaluate.collapse import Collapse
from assay.evaluate.count.columns import Encoder
from assay.evaluate.judge.verdict import judge


class Measured(NamedTuple):
    """What answers to one suite, or to all suites of a run, amount to."""

    estimates: list[Estimate]
    """Every figure."""
    curves: list[SupportCurve]
    """The threshold curves of models that give probabilities, in suites that are judged by two labels."""


def measure_run(run: StoredRun, spec: RunSpec) -> Measured:
    """Every figure of a run."""
    two_way = spec.two_way_suites({name: suite.manifest for name, suite in run.suites.items()})
    parts = [measure(run, suite, collapse=spec.collapse, two_way=suite in two_way) for suite in run.suites]
    found = [estimate for part in parts for estimate in part.estimates]
    return Measured(found + bands(found), [curve for part in parts for curve in part.curves])


def measure(run: StoredRun, suite: str, *, collapse: Collapse = "argmax", two_way: bool = False) -> Measured:
    """Every model's figures on one of the run's suites."""
    encoder = Encoder(two_way=two_way)
    models = [each.model for each in run.models]
    board = Board(models, suite=suite, encoder=encoder, collapse=collapse)
    for each in run.joined(suite, encoder):
        board.add(each.cases, each.answers)
    return Measured(board.estimates(), board.curves())


def judge_run(estimates: Iterable[Estimate], suites: Mapping[str, Manifest], spec: RunSpec) -> Judgement:
    """What the figures of a run amount to."""
    two_way = spec.two_way_suites(suites)
    counts = {
        name: in_two(manifest.counts) if name in two_way else manifest.counts for name, manifest in suites.items()
    }
    return judge(estimates, counts)
