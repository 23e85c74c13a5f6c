"""Every figure of a run, from one pass over its suites and the stored answers."""

from assay.bench.stored import StoredRun
from assay.core.results.estimate import Estimate
from assay.evaluate.band import bands
from assay.evaluate.board import Board
from assay.evaluate.collapse import Collapse
from assay.evaluate.count.columns import Encoder


def measure_run(run: StoredRun, *, collapse: Collapse = "argmax") -> list[Estimate]:
    """Every figure of a run."""
    found = [estimate for suite in run.suites for estimate in measure(run, suite, collapse=collapse)]
    return found + bands(found)


def measure(run: StoredRun, suite: str, *, collapse: Collapse = "argmax") -> list[Estimate]:
    """Every model's figures on one of the run's suites."""
    encoder = Encoder()
    models = [each.model for each in run.models]
    board = Board(models, suite=suite, encoder=encoder, collapse=collapse)
    for each in run.joined(suite, encoder):
        board.add(each.cases, each.answers)
    return board.estimates()
