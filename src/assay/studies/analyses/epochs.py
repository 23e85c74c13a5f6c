"""Errors that persist over epochs, from stored answers (Wang et al. 2019, Tables A1 and A2)."""

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import msgspec
import numpy

from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY
from assay.core.label_space import LABELS
from assay.core.manifest import CaseSource
from assay.core.rng import rng_for
from assay.core.serialise import decode_lines, from_json
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import AnswerRow, Bools, CaseRow, Floats, Ints
from assay.evaluate.intervals import clustered_share
from assay.evaluate.slice_sums import clustered_estimate
from assay.models.systems.system_card import MAKING
from assay.reports.tables.sheet import Part
from assay.storage.suite import Suite
from assay.studies.analyses.analysis_result import Analysis, AnalysisEntry
from assay.studies.analyses.analysis_tables import METRIC, AnalysisTable, number_cell
from assay.studies.analyses.swap_training import trained_folders
from assay.training.train_system import TrainingProvenance

MOST = 400  # number of most frequent errors that are analysed, as in the paper


class Trace:
    """One model's answers to the same cases after each epoch.

    >>> gold = numpy.array([0, 1, 2])
    >>> trace = Trace("m", gold, numpy.array([[0, 0, 0], [0, 1, 0]]), numpy.arange(3))
    >>> trace.times_wrong.tolist(), trace.most_wrong(1).tolist()
    ([0, 1, 2], [2])
    """

    def __init__(self, model: str, gold: Ints, answers: Ints, clusters: Ints) -> None:
        self.model = model
        self.gold = gold  # (cases,)
        self.answers = answers  # (epochs, cases)
        self.clusters = clusters  # (cases,)
        self.right = RIGHT[answers, gold]  # (epochs, cases)

    @property
    def times_wrong(self) -> Ints:
        """(cases,) After how many epochs each case is answered wrongly."""
        return numpy.asarray((~self.right).sum(axis=0))

    def most_wrong(self, most: int = MOST) -> Ints:
        """The cases that are wrong most often and at least once; of equals, some drawn by chance for each model."""
        shuffled = list(range(len(self.gold)))
        rng_for(0, transform="most-wrong/v1", pair=self.model).shuffle(shuffled)
        order = numpy.array(sorted(shuffled, key=(-self.times_wrong).tolist().__getitem__)[:most], dtype=numpy.int64)
        return numpy.asarray(order[self.times_wrong[order] > 0])

    def chances(self, most: int = MOST) -> Floats:
        """(cases,) The probability that each case is among the most frequent errors, over all ways to break ties."""
        times = self.times_wrong
        least = numpy.sort(times)[::-1][:most].min(initial=len(self.right))  # wrong as often as the last that counts
        above, tied = times > least, times == least
        share = (most - above.sum()) / max(tied.sum(), 1)
        return numpy.where(times == 0, 0.0, numpy.where(above, 1.0, numpy.where(tied, min(share, 1.0), 0.0)))

    def estimates(self, most: int = MOST) -> list[Estimate]:
        """Accuracy after each epoch, agreement with the epoch before, and a description of the most frequent errors."""
        found = [self._share("accuracy", right, epoch=str(epoch)) for epoch, right in enumerate(self.right, 1)]
        for epoch, (one, other) in enumerate(pairwise(self.answers), 2):
            found.append(self._share("agreement", one == other, epoch=str(epoch)))
        worst = self.most_wrong(most)
        errors = [
            (~self.right[:, worst] & (self.answers[:, worst] == answer)).sum(axis=0) for answer in range(len(LABELS))
        ]
        usual = numpy.stack(errors).argmax(axis=0) if len(worst) else worst  # the wrong answer that is given most often
        for label in THREE_WAY:
            for answer in THREE_WAY:
                if label is not answer and len(worst):
                    hits = (self.gold[worst] == LABELS.index(label)) & (usual == LABELS.index(answer))
                    share = clustered_share(hits, numpy.ones(len(worst)))
                    where = {"model": self.model, "label": label.value, "answer": answer.value}
                    found.append(clustered_estimate("direction", share, where))
        return found

    def _share(self, name: str, hits: Bools, **where: str) -> Estimate:
        _, numbers = numpy.unique(self.clusters, return_inverse=True)
        share = clustered_share(numpy.bincount(numbers, weights=hits), numpy.bincount(numbers))
        return clustered_estimate(name, share, {"model": self.model, **where})


def find_shared_errors(traces: Sequence[Trace], most: int = MOST) -> list[Estimate]:
    """For each two models, how many of their most frequent errors are the same cases, and how many chance would give.

    Ties are broken by chance, so the first number is one draw of many; `over ties` is its mean over all of them.

    >>> gold, clusters = numpy.array([0, 1, 2, 0]), numpy.arange(4)
    >>> said = {"a": [[1, 1, 0, 0]], "b": [[1, 0, 2, 0]]}
    >>> traces = [Trace(name, gold, numpy.array(rows), clusters) for name, rows in said.items()]
    >>> found = find_shared_errors(traces, most=2)
    >>> [(each.name, each.value) for each in found]
    [('common', 1.0), ('over ties', 1.0), ('by chance', 1.0)]
    """
    found = []
    for one, other in combinations(traces, 2):
        first, second = one.most_wrong(most), other.most_wrong(most)
        where = {"model": one.model, "other": other.model}
        n = len(one.gold)
        together = len(numpy.intersect1d(first, second))
        found.append(Estimate(name="common", value=float(together), n=n, slice=where))
        mean = float(one.chances(most) @ other.chances(most))
        found.append(Estimate(name="over ties", value=mean, n=n, slice=where))
        chance = len(first) * len(second) / n if n else None
        found.append(Estimate(name="by chance", value=chance, n=n, slice=where))
    return found


SWAP = "swap"
_EPOCH = re.compile(r"epoch-([0-9]+)\.jsonl")


def analyse_epochs(
    trained: Sequence[str | Path], suite: str | Path, *, families: Sequence[str] = (), most: int = MOST
) -> Analysis:
    """Accuracy by epoch, agreement of neighbours, and the most frequent errors of each system and of each two.

    `trained` are folders of `assay train --suite SUITE`. Without `families`, swapped pairs are looked at if the suite
    has some, as in the paper, and otherwise all cases.
    """
    asked = Suite.open(suite)
    there = list(asked.manifest.counts)
    chosen = families or ([SWAP] if SWAP in there else there)
    systems = _find_systems([Path(each) for each in trained])
    rows = [msgspec.json.decode(line, type=CaseRow) for line in asked.lines()]
    kept = [number for number, row in enumerate(rows) if row.family in chosen]
    if not kept:
        raise UserError(f"{suite} has no cases of {', '.join(chosen)}; it has {', '.join(there)}.")
    cases = [rows[number] for number in kept]
    gold = numpy.array([LABELS.index(case.compared_with) for case in cases])
    roots = {root: number for number, root in enumerate(dict.fromkeys(case.root for case in cases))}
    clusters = numpy.array([roots[case.root] for case in cases])
    traces = [
        Trace(name, gold, _read_answers(folder, asked, rows)[:, kept], clusters) for name, folder in systems.items()
    ]
    estimates: list[Estimate] = [each for trace in traces for each in trace.estimates(most)]
    return Analysis(
        name="epochs",
        runs=tuple(folder.name for folder in systems.values()),
        suites={asked.folder.name: CaseSource(source=asked.manifest.source, recipes=tuple(asked.manifest.recipes))},
        estimates=(*estimates, *find_shared_errors(traces, most)),
        settings={"family": ", ".join(chosen), "most": str(most)},
        notes=(f"{len(cases):,} cases.",),
    )


def _find_systems(given: Sequence[Path]) -> dict[str, Path]:
    """The folders of trained systems by system and training, or by path if two would have the same name."""
    named: dict[str, Path] = {}
    for place in given:
        folders = trained_folders(place)
        if not folders:
            raise UserError(f"{place} is not a trained system: it has no {MAKING}.\n  `assay train` makes one.")
        for folder in folders:
            made = from_json(folder / MAKING, TrainingProvenance, newest=1)
            spec = made.spec
            how = [
                f"{100 * spec.swap:.0f}% swapped" if spec.swap else "",
                f"rules of {spec.regularise}" if spec.regularise else "",
                spec.debias,
            ]
            name = ", ".join(filter(None, [f"{spec.system.partition('/')[0]}@{made.seed}", *how]))
            named[name if name not in named else str(folder)] = folder
    return named


def _read_answers(folder: Path, suite: Suite, rows: Sequence[CaseRow]) -> Ints:
    place = folder / "predictions" / suite.folder.name
    found = {int(match[1]): path for path in place.glob("epoch-*.jsonl") if (match := _EPOCH.fullmatch(path.name))}
    if not found:
        raise UserError(
            f"{folder} has no answers to {suite.folder.name} by epoch.\n"
            f"  Train it with --suite {suite.folder}, which stores them after each epoch."
        )
    answers = []
    for _, path in sorted(found.items()):
        given = list(decode_lines(path.read_bytes().splitlines(), AnswerRow, path, "a prediction"))
        if [each.id for each in given] != [row.id for row in rows]:
            raise BadInputError(
                f"these answers are for other cases than those of {suite.folder}",
                where=str(path),
                hint=f"Train with --suite {suite.folder}.",
            )
        answers.append([LABELS.index(each.label) for each in given])
    return numpy.array(answers, dtype=numpy.int64)


def epoch_tables(found: Analysis) -> list[Part]:
    most = found.settings["most"]
    accuracy = AnalysisTable(
        "accuracy",
        "Accuracy after each epoch",
        f"Percent of the cases ({found.settings['family']}), with 95% intervals.",
        by=("epoch",),
    )
    agreement = AnalysisTable(
        "agreement",
        "Same answers as after the previous epoch",
        "Percent of the cases, with 95% intervals.",
        by=("epoch",),
    )
    kinds = AnalysisTable(
        "kinds",
        f"Kinds of errors among the {most} most frequent",
        "Percent of the cases that a system gets wrong after most epochs, by its most frequent wrong answer.",
        by=("label", "answer"),
    )
    shared = AnalysisTable(
        "common",
        "Most frequent errors that two systems share",
        f"Of {most} cases each; among cases that are wrong equally often, some are drawn. "
        "Over ties: the mean over all such draws. By chance: how many two independent draws of cases would share.",
        by=("systems",),
        across=METRIC,
        show=number_cell,
    )
    of_two = [
        msgspec.structs.replace(each, slice={"systems": f"{each.slice['model']} and {each.slice['other']}"})
        for name in ("common", "over ties", "by chance")
        for each in found.select(name)
    ]
    agreeing = found.select("agreement", "epoch")
    return [
        accuracy.sheet(found.select("accuracy", "epoch")),
        *([agreement.sheet(agreeing)] if agreeing else []),
        kinds.sheet(found.select("direction", "label", "answer")),
        *([shared.sheet(of_two)] if of_two else []),
        *found.notes,
    ]


ANALYSIS = AnalysisEntry(
    "epochs",
    "Errors that persist over epochs; the folders are trained systems (Wang et al. 2019).",
    analyse_epochs,
    epoch_tables,
)
