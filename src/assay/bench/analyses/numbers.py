"""Errors about numbers that models share, by what the case does with the number (Naik et al. 2018, 4.3)."""

import re
from collections.abc import Sequence

import msgspec
import numpy

from assay.bench.analyses.opened import best_and_worst
from assay.bench.stored import Run
from assay.core.analysis import Analysis
from assay.core.case import Case
from assay.core.edit import Edit, Replacement
from assay.core.results.estimate import Estimate
from assay.evaluate.analyses.shared_errors import SharedErrors

FAMILY = "numeracy"

OPERATIONS = (
    "another number",
    "the same number with a bound",
    "another number with a bound",
    "a bound in the premise only",
    "bounds in both",
    "another change",
)
"""What a case does with the number of its source."""

_BOUND = re.compile(r"\b(?:more|less|fewer) than\b|\bat (?:least|most)\b", re.IGNORECASE)


def analyse_numbers(run: Run, *, models: Sequence[str] = ()) -> Analysis:
    """Errors that all models make, by operation, right label and answer.

    Without `models`, the best and the worst of the run on numeracy are compared, as in the paper.
    """
    found = best_and_worst(run, FAMILY, models)
    suites = found.with_family(FAMILY)
    estimates: list[Estimate] = []
    for suite in suites:
        counted = SharedErrors(OPERATIONS, where={"suite": suite, "family": FAMILY})
        for chunk, encoder in found.joined(suite):
            if FAMILY in encoder.families:
                rows = numpy.flatnonzero(chunk.cases.family == encoder.families.index(FAMILY))
                edits = [msgspec.json.decode(chunk.lines[row], type=Case).provenance.edit for row in rows.tolist()]
                kinds = numpy.array([OPERATIONS.index(operation(edit)) for edit in edits], dtype=numpy.int64)
                cases = chunk.cases
                counted.add(kinds, cases.label[rows], chunk.answers.label[:, rows], cases.cluster[rows])
        estimates += counted.estimates()
    return Analysis(
        name="numbers",
        runs=(found.record.id,),
        suites={name: each for name, each in found.asked.items() if name in suites},
        estimates=tuple(estimates),
        settings={"models": ", ".join(found.models)},
    )


def operation(edit: Edit) -> str:
    """What an edit does with the number.

    >>> operation(Edit(hypothesis=(Replacement(3, "40", "less than 70"),), facts={"quantity": "40"}))
    'another number with a bound'
    >>> operation(Edit(hypothesis=(Replacement(3, "40", "70"),), facts={"quantity": "40"}))
    'another number'
    """
    quantity = edit.facts.get("quantity", "")
    premise, hypothesis = _written(edit.premise, quantity), _written(edit.hypothesis, quantity)
    bounds = bool(_BOUND.search(premise)), bool(_BOUND.search(hypothesis))
    if all(bounds):
        return "bounds in both"
    if bounds[0]:
        return "a bound in the premise only"
    same = _bare(premise) == _bare(hypothesis)
    if bounds[1]:
        return "the same number with a bound" if same else "another number with a bound"
    return "another change" if same else "another number"


def _written(changes: Sequence[Replacement], quantity: str) -> str:
    """What stands in place of the quantity on one side."""
    return next((each.new for each in changes if each.old == quantity), quantity)


def _bare(text: str) -> str:
    return _BOUND.sub("", text).strip().lower()
