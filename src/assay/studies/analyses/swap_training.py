"""Training with swapped pairs: how far it moves a system on each test (Wang et al. 2019, Table 2)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy

from assay.core.errors import UserError
from assay.core.estimate import Estimate
from assay.core.serialise import from_json
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import BUCKETS, Bools, CaseColumns, Encoder, Floats
from assay.evaluate.intervals import Draws, bootstrap
from assay.evaluate.slice_sums import bounded
from assay.models.adapters.trained import Trained
from assay.models.systems.system_card import MAKING
from assay.reports.tables.sheet import Part
from assay.run.stored_run import Run
from assay.studies.analyses.analysis_result import AnalysedRun, Analysis, AnalysisEntry, open_for_analysis
from assay.studies.analyses.analysis_tables import METRIC, AnalysisTable, decimal_cell, plain_share
from assay.studies.plan.study_metrics import LEFT_OUT
from assay.training.train_system import TrainingProvenance

DEVIATIONS = ("deviation", "deviation as printed")
"""Over all shares, and without the one that the printed numbers leave out."""


class Swapping:
    """Adds up the answers of one system, trained with several percentages of swapped pairs, by family.

    `ratio` is the accuracy with some pairs swapped over that with none; `deviation` is the sum of squared distances of
    the ratios from 1. The interval resamples source pairs. A sum of squares is never below zero, so chance alone
    makes it positive: read the lower end.

    >>> Swapping([0, 50, 100], suite="s", encoder=Encoder()).estimates({})
    []
    """

    def __init__(self, shares: Sequence[int], *, suite: str, encoder: Encoder) -> None:
        self._shares = shares
        self._suite = suite
        self._encoder = encoder
        self._sums: dict[int, Floats] = {}  # by family: (buckets, shares and trials)

    def add(self, cases: CaseColumns, right: Bools) -> None:
        """Count right answers, (shares, cases), to labelled cases."""
        for family in numpy.unique(cases.family[cases.claims]).tolist():
            rows = numpy.flatnonzero(cases.claims & (cases.family == family))
            counts = [
                numpy.bincount(cases.bucket[rows], weights=weights, minlength=BUCKETS)
                for weights in (*right[:, rows], numpy.ones(len(rows)))
            ]
            sums = numpy.stack(counts, axis=-1).astype(numpy.float64)
            self._sums[family] = self._sums[family] + sums if family in self._sums else sums

    def estimates(self, where: Mapping[str, str]) -> list[Estimate]:
        found = []
        swapped = [share for share in self._shares if share]
        names = [
            *(("accuracy", {"swapped": str(share)}) for share in self._shares),
            *(("ratio", {"swapped": str(share)}) for share in swapped),
            *((name, {}) for name in DEVIATIONS),
        ]
        for family, sums in self._sums.items():
            rows = sums[sums[:, -1] > 0]
            values = self._figures(rows.sum(axis=0, keepdims=True))[0].tolist()
            ends = bootstrap(rows, self._figures, Draws(self._suite)) if len(rows) > 1 else [None] * len(names)
            place = {**where, "suite": self._suite, "family": self._encoder.families[family]}
            n = int(rows[:, -1].sum())
            for (name, own), value, interval in zip(names, values, ends, strict=True):
                known = value if numpy.isfinite(value) else None
                found.append(bounded(name, known, interval, n, {**place, **own}))
        return found

    def _figures(self, totals: Floats) -> Floats:
        """Takes (draws, hits by share and trials), returns (draws, numbers)."""
        scores = totals[:, :-1] / totals[:, -1:]
        none = self._shares.index(0)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            ratios = numpy.delete(scores, none, axis=1) / scores[:, none : none + 1]
        squares = (ratios - 1) ** 2
        printed = numpy.array([share != LEFT_OUT for share in self._shares if share])
        deviations = [each.sum(axis=1, keepdims=True) for each in (squares, squares[:, printed])]
        return numpy.concatenate([scores, ratios, *deviations], axis=1)


KIND = "trained:"

HOW = (
    "Train the same system with several shares, 0 among them: assay train SYSTEM --swap 50 ... --out FOLDER\n"
    "  Then run all of them together: assay run --suite SUITE --model trained:FOLDER --model trained:FOLDER2 ..."
)


def analyse_swap(run: Run) -> Analysis:
    """Ratios and deviations of every system that the run has with several percentages of swapped training pairs."""
    found = open_for_analysis(run)
    groups = _group_by_share(found)
    estimates: list[Estimate] = []
    for name, shares in groups.items():
        rows = [found.models.index(model) for model in shares.values()]
        for suite in found.record.suites:
            counted = None
            for chunk, encoder in found.join_answers(suite):
                counted = counted or Swapping(list(shares), suite=suite, encoder=encoder)
                counted.add(chunk.cases, RIGHT[chunk.answers.label[rows], chunk.cases.label])
            estimates += counted.estimates({"model": name}) if counted else []
    return found.result("swap-training", estimates)


def _group_by_share(found: AnalysedRun) -> dict[str, dict[int, str]]:
    """The models by percentage, for each system and seed that was trained with several percentages, including 0."""
    alike: dict[bytes, dict[int, str]] = {}
    names: dict[bytes, str] = {}
    for model in found.models:
        path = Trained(what=model.removeprefix(KIND)).folder / MAKING if model.startswith(KIND) else None
        if path and path.is_file():
            made = from_json(path, TrainingProvenance, newest=1)
            key = msgspec.json.encode([msgspec.structs.replace(made.spec, swap=0.0), made.seed])
            names[key] = f"{made.spec.system.partition('/')[0]}@{made.seed}"
            alike.setdefault(key, {})[round(100 * made.spec.swap)] = model
    groups: dict[str, dict[int, str]] = {}
    for key, shares in alike.items():
        if len(shares) > 1 and 0 in shares:
            number = sum(other.partition(" ")[0] == names[key] for other in groups)
            groups[f"{names[key]} ({number + 1})" if number else names[key]] = dict(sorted(shares.items()))
    if not groups:
        raise UserError(
            f"No system of the run {found.record.id} was trained with several percentages of swapped pairs.\n  {HOW}"
        )
    return groups


def trained_folders(given: Path) -> list[Path]:
    """The folder of a trained system, or those of its seeds."""
    return [path.parent for path in sorted([*given.glob(MAKING), *given.glob(f"seed-*/{MAKING}")])]


def swap_tables(found: Analysis) -> list[Part]:
    accuracy = AnalysisTable(
        "accuracy",
        "Accuracy by percentage of swapped training pairs",
        "Percent.",
        by=("model", "suite", "family"),
        across="swapped",
        show=plain_share,
        n="cases",
    )
    deviations = AnalysisTable(
        "deviation",
        "How far swapping moves a system",
        "The sum of squared distances from 1 of accuracy over accuracy without swapping, with 95% intervals: "
        "over all percentages, as in the text of Wang et al. (2019), and without 25, as they print it.",
        by=("model", "suite", "family"),
        across=METRIC,
        show=decimal_cell,
    )
    return [
        accuracy.sheet(found.select("accuracy", "swapped")),
        deviations.sheet(each for name in DEVIATIONS for each in found.select(name)),
    ]


ANALYSIS = AnalysisEntry(
    "swap-training", "Effect of swapped training pairs (Wang et al. 2019).", analyse_swap, swap_tables
)
