"""Accuracy by family, variant, label and group, confusion by label, and drops from source pairs to changed copies."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy

from assay.core.estimate import Estimate, Interval
from assay.core.label import Label
from assay.core.label_space import LABELS, TWO_LABELS
from assay.evaluate.case_columns import SEVERITY, VARIANT, AnswerColumns, Bools, CaseColumns, Encoder
from assay.evaluate.intervals import ClusteredShare
from assay.evaluate.paired import PairedShares, difference_intervals
from assay.evaluate.slice_sums import PairedTally, ShareTally, SliceSums, cells, label_slice, slice_of, with_labels

NAMES = ("accuracy", "kept")
"""The name of the fraction of right answers; if no label is claimed, that of answers with the source pair's label."""


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


class Accuracy:
    """Adds up models' answers to one suite.

    >>> Accuracy(["m"], suite="s", encoder=Encoder()).estimates()
    [[]]
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._suite = suite
        self._encoder = encoder
        self._shares = ShareTally(len(models))
        self._notes: list[Counter[tuple[int, str]]] = [Counter() for _ in models]
        self._cases: Counter[int] = Counter()

    def add(self, cases: CaseColumns, answers: AnswerColumns, right: Bools) -> None:
        """Count answers and whether they are right, (models, cases)."""
        codes = cases.facet * len(NAMES) + ~cases.claims[cases.facet_of]
        entries = with_labels(codes, cases.facet_of, cases.label)
        found = cells(entries.codes, cases.cluster[entries.rows], cases.unit[entries.rows])
        self._shares.add(found, right[:, entries.rows], entries.places[found.met])
        families = cases.family.tolist()
        self._cases.update(families)
        for counted, notes in zip(self._notes, answers.notes, strict=True):
            counted.update((family, note) for family, note in zip(families, notes, strict=True) if note)

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the accuracy on every slice, in order of appearance, and how often the model fell back."""
        return [
            [
                *self._accuracies(model, self._shares.shares(number)),
                *(self._fallback(model, family, note, n) for (family, note), n in self._notes[number].items()),
            ]
            for number, model in enumerate(self._models)
        ]

    def _accuracies(self, model: str, shares: Mapping[int, ClusteredShare]) -> list[Estimate]:
        found = []
        for slice_code, share in shares.items():
            code, label = slice_of(slice_code)
            facet = self._encoder.facets[code // len(NAMES)]
            if not self._encoder.has_too_many_values(facet):
                where = label_slice({"model": model, "suite": self._suite, **facet.slice}, label)
                low, high = share.interval or (None, None)
                name = NAMES[code % len(NAMES)]
                found.append(
                    Estimate(
                        name=name,
                        value=share.value,
                        low=low,
                        high=high,
                        n=share.n,
                        slice=where,
                        clusters=share.clusters,
                    )
                )
        return found

    def _fallback(self, model: str, family: int, note: str, count: int) -> Estimate:
        where = {"model": model, "suite": self._suite, "family": self._encoder.families[family], "note": note}
        return Estimate(name="fallback", value=count / self._cases[family], n=self._cases[family], slice=where)


ANSWERS = (*(label.value for label in LABELS), "none")
"""Answers by code; a missing one counts as a separate answer."""


class Confusion:
    """Counts models' answers by family, label and answer.

    >>> Confusion(["m"], suite="s", encoder=Encoder()).estimates()
    [[]]
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._suite = suite
        self._encoder = encoder
        self._counts = SliceSums(len(models), len(ANSWERS))

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Count answers."""
        asked = cases.family * len(LABELS) + cases.label
        codes, met, numbers = numpy.unique(asked, return_index=True, return_inverse=True)
        counts = [
            numpy.bincount(numbers * len(ANSWERS) + given, minlength=len(codes) * len(ANSWERS))
            for given in answers.label
        ]
        by_model = numpy.stack(counts).reshape(len(counts), len(codes), len(ANSWERS))
        self._counts.add(codes, by_model.transpose(1, 0, 2), met)

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the frequency of each answer among the cases of a label."""
        return [self._of_model(number) for number in range(len(self._models))]

    def _of_model(self, number: int) -> list[Estimate]:
        found = []
        for code, counts in zip(self._counts.codes(), self._counts.totals[:, number].tolist(), strict=True):
            family, label = divmod(code, len(LABELS))
            where = {"model": self._models[number], "suite": self._suite, "family": self._encoder.families[family]}
            total = sum(counts)
            found += [
                Estimate(
                    name="answers",
                    value=count / total,
                    n=total,
                    slice={**where, "label": LABELS[label].value, "answer": answer},
                )
                for answer, count in sorted(zip(ANSWERS, counts, strict=True))
                if count
            ]
        return found


FACETS = (None, VARIANT, SEVERITY)
"""Facets by which copies are counted, besides their family."""


class AccuracyDrop:
    """Models' answers to cases and to their source pairs, which are next to each other in a suite.

    By family, variant and severity it gives: the accuracy on the `source` pairs; the `drop` from there to the cases,
    with its interval and a paired test; and, if the label stays, `consistency`, the fraction of copies that are
    answered correctly along with their source pair. If labels stay, the numbers are also given by label.

    >>> AccuracyDrop(["m"], suite="s", encoder=Encoder()).estimates()
    [[]]
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._suite = suite
        self._encoder = encoder
        self._pairs = PairedTally(len(models))
        self._both = ShareTally(len(models))
        self._others: set[int] = set()
        """Slices with a copy whose label differs from the pair's, or is not claimed: they have no consistency."""

    def add(self, cases: CaseColumns, right: Bools) -> None:
        """Count answers that are right or not, (models, cases)."""
        facets = numpy.array([facet.name in FACETS for facet in self._encoder.facets])
        chosen = facets[cases.facet] & (cases.source[cases.facet_of] >= 0)
        rows = cases.facet_of[chosen]
        if not len(rows):
            return
        entries = with_labels(cases.facet[chosen], rows, cases.label, cases.stays[rows])
        found = cells(entries.codes, cases.cluster[entries.rows], cases.unit[entries.rows])
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
        self, number: int, pairs: Mapping[int, PairedShares], intervals: Iterator[Interval | None]
    ) -> Iterator[Estimate]:
        both = self._both.shares(number)
        for code, shares in pairs.items():
            where = self._slice(code, self._models[number])
            yield from _drop(shares, next(intervals), where)
            if code not in self._others:
                low, high = both[code].interval or (None, None)
                value = both[code].value
                yield Estimate(name="consistency", value=value, low=low, high=high, n=shares.n, slice=where)

    def _slice(self, slice_code: int, model: str) -> dict[str, str]:
        code, label = slice_of(slice_code)
        return label_slice({"model": model, "suite": self._suite, **self._encoder.facets[code].slice}, label)


def _drop(shares: PairedShares, interval: Interval | None, where: dict[str, str]) -> Iterator[Estimate]:
    yield Estimate(name="source", value=shares.first, n=shares.n, slice=where)
    low, high = interval or (None, None)
    yield Estimate(name="drop", value=shares.difference, low=low, high=high, n=shares.n, slice=where)
    yield Estimate(name="mcnemar", value=shares.p, n=shares.n, slice=where)
