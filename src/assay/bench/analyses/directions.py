"""Which way models err, by family (Naik et al. 2018, Tables 4 and 7, section 4.4)."""

from collections.abc import Sequence

from assay.bench.analyses.opened import opened
from assay.bench.stored import Run
from assay.core.analysis import Analysis
from assay.core.errors import UserError
from assay.core.results.estimate import Estimate
from assay.evaluate.analyses.directions import Directions


def analyse_directions(run: Run, *, models: Sequence[str] = ()) -> Analysis:
    """The share of errors that answer neutral, and every direction of errors, by family and variant."""
    found = opened(run, models)
    estimates: list[Estimate] = []
    for suite in found.record.suites:
        counted = None
        for chunk, encoder in found.joined(suite):
            counted = counted or Directions(found.models, suite=suite, encoder=encoder)
            counted.add(chunk.cases, chunk.answers)
        estimates += counted.estimates() if counted else []
    if not estimates:
        raise UserError(
            f"The run {found.record.id} is judged by two labels, so errors have no directions.\n"
            "  Use a run on pairs with three labels, or repeat it with --three-way."
        )
    return Analysis(name="directions", runs=(found.record.id,), suites=found.asked, estimates=tuple(estimates))
