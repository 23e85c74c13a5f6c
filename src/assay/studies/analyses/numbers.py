"""Errors about numbers that models share, by the operation on the number (Naik et al. 2018, 4.3)."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

import msgspec
import numpy

from assay.core.case import Case
from assay.core.edit import Edit
from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import LABELS
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import Ints
from assay.evaluate.slice_sums import clustered_estimate
from assay.reports.formatting import interval, percent
from assay.reports.tables.sheet import Part
from assay.run.stored_run import Run
from assay.studies.analyses.analysis_result import NOWHERE, Analysis, AnalysisEntry, SliceShares, best_and_worst
from assay.studies.analyses.analysis_tables import AnalysisTable, model_names

DIFFERENT = "different answers"  # name for answers that are all wrong, but different

ANSWERS = (*(label.value for label in THREE_WAY), DIFFERENT)


class SharedErrors:
    """Counts the cases that every model gets wrong, by kind of case, right label and answer.

    `shared` is the fraction of the cases of a kind that all models get wrong. `direction` is the fraction of all shared
    errors that has one kind, right label and answer; `false-entailment` is the share that answers entailment.

    >>> counted = SharedErrors(["swapped", "changed"], where={"suite": "s"})
    >>> gold, said = numpy.array([1, 1, 0]), numpy.array([[0, 1, 0], [0, 0, 0]])
    >>> counted.add(numpy.array([0, 0, 1]), gold, said, numpy.arange(3))
    >>> [(each.name, each.slice.get("kind"), each.value) for each in [*counted.estimates()][:3]]
    [('shared', 'swapped', 0.5), ('shared', 'changed', 0.0), ('false-entailment', None, 1.0)]
    """

    def __init__(self, kinds: Sequence[str], *, where: dict[str, str]) -> None:
        self._kinds = kinds
        self._where = where
        self._shared, self._entailed = SliceShares(), SliceShares()
        self._ways = {
            way: SliceShares() for way in product(range(len(kinds)), THREE_WAY, ANSWERS) if way[1].value != way[2]
        }

    def add(self, kinds: Ints, gold: Ints, said: Ints, clusters: Ints) -> None:
        """Count cases with the numbers of their kinds, their right labels, and all models' answers, (models, cases)."""
        wrong = numpy.asarray(~RIGHT[said, gold].any(axis=0))
        self._shared.add(kinds, clusters, wrong)
        same = (said == said[0]).all(axis=0)
        errors = numpy.where(wrong, 0, NOWHERE)
        self._entailed.add(errors, clusters, same & (said[0] == LABELS.index(Label.ENTAILMENT)))
        for (kind, label, answer), shares in self._ways.items():
            answered = ~same if answer == DIFFERENT else same & (said[0] == LABELS.index(Label(answer)))
            shares.add(errors, clusters, (kinds == kind) & (gold == LABELS.index(label)) & answered)

    def estimates(self) -> Iterator[Estimate]:
        for kind, share in sorted(self._shared.shares().items()):
            yield clustered_estimate("shared", share, {**self._where, "kind": self._kinds[kind]})
        for share in self._entailed.shares().values():
            yield clustered_estimate("false-entailment", share, self._where)
        for (kind, label, answer), shares in self._ways.items():
            for share in shares.shares().values():
                if share.hits:
                    way = {"kind": self._kinds[kind], "label": label.value, "answer": answer}
                    yield clustered_estimate("direction", share, {**self._where, **way})


FAMILY = "numeracy"

OPERATIONS = (
    "another number",
    "the same number with a bound",
    "another number with a bound",
    "a bound in the premise only",
    "bounds in both",
    "another change",
)

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
        for chunk, rows in found.join_family(suite, FAMILY):
            edits = [msgspec.json.decode(chunk.lines[row], type=Case).provenance.edit for row in rows.tolist()]
            kinds = numpy.array([OPERATIONS.index(operation(edit)) for edit in edits], dtype=numpy.int64)
            cases = chunk.cases
            counted.add(kinds, cases.label[rows], chunk.answers.label[:, rows], cases.cluster[rows])
        estimates += counted.estimates()
    return found.result("numbers", estimates, suites=suites, settings={"models": ", ".join(found.models)})


def operation(edit: Edit) -> str:
    """The operation of an edit on the number.

    >>> from assay.core.edit import Replacement
    >>> operation(Edit(hypothesis=(Replacement(3, "40", "less than 70"),), facts={"quantity": "40"}))
    'another number with a bound'
    >>> operation(Edit(hypothesis=(Replacement(3, "40", "70"),), facts={"quantity": "40"}))
    'another number'
    """
    quantity = edit.facts.get("quantity", "")
    premise, hypothesis = (
        next((each.new for each in changes if each.old == quantity), quantity)
        for changes in (edit.premise, edit.hypothesis)
    )
    bounds = bool(_BOUND.search(premise)), bool(_BOUND.search(hypothesis))
    if all(bounds):
        return "bounds in both"
    if bounds[0]:
        return "a bound in the premise only"
    one, other = (_BOUND.sub("", text).strip().lower() for text in (premise, hypothesis))
    same = one == other
    if bounds[1]:
        return "the same number with a bound" if same else "another number with a bound"
    return "another change" if same else "another number"


def number_tables(found: Analysis) -> list[Part]:
    shared = AnalysisTable(
        "shared",
        "Cases that all of these models get wrong",
        f"Percent of the cases, with 95% intervals. Models: {model_names(found)}.",
        by=("suite", "kind"),
        across="family",
        n="cases",
    )
    directions = AnalysisTable(
        "directions",
        "What the shared errors are",
        "Percent of all shared errors, with 95% intervals.",
        by=("suite", "kind", "label", "answer"),
        across="family",
    )
    false = [
        f"{e.slice['suite']}: {percent(e.value)}% ({interval(e)}) of {e.n:,} shared errors answer entailment."
        for e in found.select("false-entailment")
    ]
    return [*false, shared.sheet(found.select("shared", "kind")), directions.sheet(found.select("direction", "kind"))]


ANALYSIS = AnalysisEntry(
    "numbers", "Number errors that models share (Naik et al. 2018).", analyse_numbers, number_tables
)
