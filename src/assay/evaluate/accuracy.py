"""Accuracy by family, variant, label and group, confusion by label, and drops from source pairs to changed copies."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy

from assay.core.estimate import Estimate, Interval
from assay.core.label import Label
from assay.core.label_space import LABELS, TWO_LABELS
from assay.evaluate.case_columns import SEVERITY, VARIANT, AnswerColumns, Bools, CaseColumns, Encoder, Ints
from assay.evaluate.paired import PairedShares, difference_intervals
from assay.evaluate.slice_sums import (
    PairedTally,
    ShareTally,
    SuiteMeasure,
    bounded,
    clustered_estimate,
    estimate_of,
    label_slice,
    make_cells,
    slice_of,
    with_labels,
)

NAMES = ("accuracy", "kept")  # shares of right answers; of answers with the source pair's label if none is claimed


def is_right(answer: Label, gold: Label) -> bool:
    """True if an answer is right. If either side has only two labels, both are compared as two.

    >>> is_right(Label.NEUTRAL, Label.NON_ENTAILMENT), is_right(Label.NEUTRAL, Label.CONTRADICTION)
    (True, False)
    """
    if Label.NON_ENTAILMENT in (answer, gold):
        return TWO_LABELS.read(answer) is TWO_LABELS.read(gold)
    return answer is gold


RIGHT = numpy.array([*([is_right(answer, gold) for gold in Label] for answer in Label), [False] * len(Label)])
"""(answers and none, labels) The same, by code; a missing answer is wrong."""


class Accuracy(SuiteMeasure):
    """Adds up models' answers to one suite."""

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        super().__init__(models, suite=suite, encoder=encoder)
        self._shares = ShareTally()
        self._notes: list[Counter[tuple[int, str]]] = [Counter() for _ in models]
        self._cases: Counter[int] = Counter()

    def add(self, cases: CaseColumns, answers: AnswerColumns, right: Bools) -> None:
        """Count the answers; `right` is an array (models, cases)."""
        codes = cases.facet * len(NAMES) + ~cases.claims[cases.facet_of]
        entries = with_labels(codes, cases.facet_of, cases.label)
        found = make_cells(entries.codes, cases.cluster[entries.rows], cases.unit[entries.rows])
        self._shares.add(found, right[:, entries.rows], entries.places[found.met])
        families = cases.family.tolist()
        self._cases.update(families)
        for counted, notes in zip(self._notes, answers.notes, strict=True):
            counted.update((family, note) for family, note in zip(families, notes, strict=True) if note)

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the accuracy on every slice, in order of appearance, and how often the model fell back."""
        return [[*self._accuracies(number), *self._fallbacks(number)] for number in range(len(self._models))]

    def _accuracies(self, model: int) -> Iterator[Estimate]:
        facets = self._encoder.facets
        for slice_code, share in self._shares.shares(model).items():
            code, label = slice_of(slice_code)
            facet = facets[code // len(NAMES)]
            if not self._encoder.has_too_many_values(facet):
                where = label_slice({"model": self._models[model], "suite": self._suite, **facet.slice}, label)
                yield clustered_estimate(NAMES[code % len(NAMES)], share, where)

    def _fallbacks(self, model: int) -> Iterator[Estimate]:
        for (code, note), count in self._notes[model].items():
            family, n = self._encoder.families[code], self._cases[code]
            where = {"model": self._models[model], "suite": self._suite, "family": family, "note": note}
            yield Estimate(name="fallback", value=count / n, n=n, slice=where)


ANSWERS = (*(label.value for label in LABELS), "none")  # answers by code; a missing one counts as a separate answer


class Confusion(SuiteMeasure):
    """Counts models' answers by family, label and answer."""

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        super().__init__(models, suite=suite, encoder=encoder)
        self._counts: dict[tuple[int, int], Ints] = {}  # by family and label: (models, answers)

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        asked = cases.family * len(LABELS) + cases.label
        codes, met, numbers = numpy.unique(asked, return_index=True, return_inverse=True)
        counts = [
            numpy.bincount(numbers * len(ANSWERS) + given, minlength=len(codes) * len(ANSWERS))
            for given in answers.label
        ]
        by_model = numpy.stack(counts).reshape(len(counts), len(codes), len(ANSWERS))
        for place in numpy.argsort(met).tolist():
            key = divmod(int(codes[place]), len(LABELS))
            self._counts[key] = self._counts.get(key, 0) + by_model[:, place]

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the frequency of each answer among the cases of a label."""
        found: list[list[Estimate]] = [[] for _ in self._models]
        for (family, label), by_model in self._counts.items():
            name = self._encoder.families[family]
            for number, counts in enumerate(by_model.tolist()):
                where = {
                    "model": self._models[number],
                    "suite": self._suite,
                    "family": name,
                    "label": LABELS[label].value,
                }
                for answer, count in sorted(zip(ANSWERS, counts, strict=True)):
                    if count:
                        own, n = {**where, "answer": answer}, sum(counts)
                        found[number].append(Estimate(name="answers", value=count / n, n=n, slice=own))
        return found


class AccuracyDrop(SuiteMeasure):
    """Models' answers to cases and to their source pairs, which are next to each other in a suite.

    By family, variant and severity it gives: the accuracy on the `source` pairs; the `drop` from there to the cases,
    with its interval and a paired test; and, if the label stays, `consistency`, the fraction of copies that are
    answered correctly along with their source pair. If labels stay, the numbers are also given by label.
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        super().__init__(models, suite=suite, encoder=encoder)
        self._pairs = PairedTally(len(models))
        self._both = ShareTally()
        self._others: set[int] = set()
        """Slices with a copy whose label differs from the pair's, or is not claimed: they have no consistency."""

    def add(self, cases: CaseColumns, right: Bools) -> None:
        """Count the answers; `right` is an array (models, cases)."""
        # Copies are counted by family, variant and severity.
        facets = numpy.array([facet.name in (None, VARIANT, SEVERITY) for facet in self._encoder.facets])
        chosen = facets[cases.facet] & (cases.source[cases.facet_of] >= 0)
        rows = cases.facet_of[chosen]
        if not len(rows):
            return
        entries = with_labels(cases.facet[chosen], rows, cases.label, cases.stays[rows])
        found = make_cells(entries.codes, cases.cluster[entries.rows], cases.unit[entries.rows])
        met = entries.places[found.met]
        answers = right.astype(numpy.int64)
        before, after = answers[:, cases.source[entries.rows]], answers[:, entries.rows]  # (models, entries)
        self._pairs.add(found, before, after, met)
        self._both.add(found, before * after, met)
        is_same = cases.stays & cases.claims
        self._others.update(numpy.unique(entries.codes[~is_same[entries.rows]]).tolist())

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the numbers of every slice, in order of appearance."""
        pairs = [self._pairs.shares(number) for number in range(len(self._models))]
        intervals = iter(difference_intervals([each for of_model in pairs for each in of_model.values()]))
        return [list(self._of_model(number, of_model, intervals)) for number, of_model in enumerate(pairs)]

    def _of_model(
        self, model: int, pairs: Mapping[int, PairedShares], intervals: Iterator[Interval]
    ) -> Iterator[Estimate]:
        both, facets = self._both.shares(model), self._encoder.facets
        for slice_code, shares in pairs.items():
            code, label = slice_of(slice_code)
            where = label_slice({"model": self._models[model], "suite": self._suite, **facets[code].slice}, label)
            yield Estimate(name="source", value=shares.first, n=shares.n, slice=where)
            yield bounded("drop", shares.difference, next(intervals), shares.n, where)
            yield Estimate(name="mcnemar", value=shares.p, n=shares.n, slice=where)
            if slice_code not in self._others:
                yield estimate_of("consistency", both[slice_code], where)
