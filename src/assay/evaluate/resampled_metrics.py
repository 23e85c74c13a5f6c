"""Calibration error and areas, with bootstrapped intervals."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from assay.core.estimate import Estimate, Interval
from assay.core.label_space import LABELS, Collapse
from assay.evaluate.case_columns import (
    BUCKETS,
    ENTAILMENT,
    MOST_CLUSTERS,
    NON_ENTAILMENT,
    AnswerColumns,
    Bools,
    CaseColumns,
    Encoder,
    Floats,
    Ints,
    are_given,
    total_probability,
)
from assay.evaluate.intervals import (
    LEAST_FREEDOM,
    Z95,
    Draws,
    bootstrap,
    freedom_of,
    jackknife,
    share_effect,
    student_95,
    wilson,
)
from assay.evaluate.slice_sums import SuiteMeasure, bounded, label_slice, slice_of, with_labels

BINS = 15  # number of bins, of equal width as in most of the literature
THREE_WAY = [code for code in range(len(LABELS)) if code != NON_ENTAILMENT]


class CalibrationSums(NamedTuple):
    """Confidence, correctness and squared errors of answers."""

    confidence: Floats  # (answers,) the probability of the answer
    right: Bools  # (answers,) True if it was right
    squares: Floats  # (answers,) squared errors: over all labels, or of entailment alone if there are two


def judge_answers(gold: Ints, probabilities: Floats, collapse: Collapse | None = None) -> CalibrationSums:
    """Confidence, correctness and squared errors of answers, (answers, labels), in three labels or in two.

    Ties go to the first label, as everywhere. With two labels, the answer is the best of three labels or of two sums,
    depending on the collapse. Its confidence is all the probability that would make it right: for non-entailment, that
    of neutral and contradiction together. With a collapse, all answers are read as two labels, because gold labels must
    not decide this case by case.
    """
    best = numpy.argmax(numpy.where(numpy.isnan(probabilities), -numpy.inf, probabilities), axis=1)  # (answers,)
    shares = numpy.nan_to_num(probabilities, nan=0.0)
    gaps = [(shares[:, code] - (gold == code)) ** 2 for code in THREE_WAY]
    three = CalibrationSums(shares[numpy.arange(len(gold)), best], best == gold, numpy.asarray(sum(gaps)))
    is_binary = (gold == NON_ENTAILMENT) | ~numpy.isnan(probabilities[:, NON_ENTAILMENT]) | (collapse is not None)
    if not is_binary.any():
        return three
    sure, entailed = shares[:, ENTAILMENT], gold == ENTAILMENT
    rest = total_probability(probabilities) - sure
    says_entailment = sure >= rest if collapse == "sum" else best == ENTAILMENT
    two = numpy.where(says_entailment, sure, rest), says_entailment == entailed, (sure - entailed) ** 2
    return CalibrationSums(*(numpy.where(is_binary, one, other) for one, other in zip(two, three, strict=True)))


def bins_of(confidence: Floats) -> Ints:
    """The bin of each confidence; a bin includes its upper end but not its lower, and zero is in the first.

    >>> bins_of(numpy.array([0.0, 1 / 15, 0.5, 1.0])).tolist()
    [0, 0, 7, 14]
    """
    return numpy.clip(numpy.ceil(confidence * BINS), 1, BINS).astype(numpy.int64) - 1


def calibration_error(gaps: Floats, n: Floats) -> Floats:
    """The expected calibration error of n answers, (...), from confidence minus right answers by bin, (..., bins).

    >>> float(calibration_error(numpy.array([0.5, -0.25]), numpy.array(6.0)))
    0.125
    """
    return numpy.asarray(numpy.abs(gaps).sum(axis=-1) / n)


def curve_areas(severities: ArrayLike, accuracies: ArrayLike) -> NDArray[numpy.float64]:
    """The mean height of each curve, (..., severities): straight lines between points, over the severities they span.

    >>> curve_areas([0, 1, 3], [[1.0, 0.5, 0.5], [0.5, 0.5, 0.5]]).round(4).tolist()
    [0.5833, 0.5]
    """
    steps = numpy.diff(numpy.asarray(severities, dtype=numpy.float64))  # (severities - 1,)
    heights = numpy.asarray(accuracies, dtype=numpy.float64)
    middles = (heights[..., 1:] + heights[..., :-1]) / 2
    return numpy.asarray(middles @ steps / steps.sum())


CHANCE = 0.0025
"""Level at which a calibrated model has a calibration error whose lower end is above 0: a run takes the worst of up to
twenty families."""

SUMS = BINS + 4
"""For each bucket: confidence minus right answers by bin, right answers, their variance if confidence is right, the
squared distances, and the number of answers."""


class CalibrationFigures(SuiteMeasure):
    """Calibration error and Brier's score by family.

    A family has only two labels if a case has non-entailment. Until one is seen, answers are counted both ways.
    """

    def __init__(
        self, models: Sequence[str], *, suite: str, encoder: Encoder, draws: Draws, collapse: Collapse = "argmax"
    ) -> None:
        super().__init__(models, suite=suite, encoder=encoder)
        self._draws, self._collapse = draws, collapse
        self._three_way, self._two_way = _Buckets(len(models)), _Buckets(len(models))
        self._known_two_way: set[int] = set()

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Count answers that come with probabilities, to labelled cases."""
        shows_two = self._encoder.are_binary(cases)
        self._known_two_way.update(cases.family[cases.claims & shows_two].tolist())
        three_way = ~numpy.isin(cases.family, list(self._known_two_way))
        for model, given in enumerate(answers.probabilities):
            there = cases.claims & are_given(given)
            self._two_way.add(model, cases, given, there, self._collapse)
            self._three_way.add(model, cases, given, there & three_way, None)

    def estimates(self) -> list[list[Estimate]]:
        """For each model, two numbers per family."""
        found: list[list[Estimate]] = [[] for _ in self._models]
        for family, name in enumerate(self._encoder.families):
            counted = self._two_way if family in self._known_two_way else self._three_way
            for models, rows in counted.alike(family):
                values = _error_and_brier(rows.sum(axis=0, keepdims=True))[0]  # (models, 2)
                errors: Sequence[Interval | None] = [None] * len(models)
                briers = errors
                if len(rows) > 1:
                    errors = _calibration_ends(rows, values[:, 0], self._draws)
                    briers = _brier_ends(rows, 1.0 if family in self._known_two_way else 2.0)
                for place, model in enumerate(models):
                    where = {"model": self._models[model], "suite": self._suite, "family": name}
                    n = int(rows[:, place, -1].sum())
                    for metric, value, ends in zip(METRICS, values[place].tolist(), (errors, briers), strict=True):
                        found[model].append(bounded(metric, value, ends[place], n, where))
        return found


METRICS = ("calibration-error", "brier")


class _Buckets:
    """Answers added up by family, model and bucket."""

    def __init__(self, models: int) -> None:
        self._sums: Floats = numpy.zeros((0, models, BUCKETS, SUMS))  # (families, ...)

    def add(
        self, model: int, cases: CaseColumns, probabilities: Floats, chosen: Bools, collapse: Collapse | None
    ) -> None:
        """Add a model's answers to the cases that are chosen."""
        if not chosen.any():
            return
        judged = judge_answers(cases.label[chosen], probabilities[chosen], collapse)
        family = cases.family[chosen]
        _, models, *rest = self._sums.shape
        new = max(0, int(family.max()) + 1 - len(self._sums))
        if new:
            self._sums = numpy.concatenate([self._sums, numpy.zeros((new, models, *rest))])
        first = ((family * models + model) * BUCKETS + cases.bucket[chosen]) * SUMS  # index of an answer's first sum
        sums = self._sums.reshape(-1)
        numpy.add.at(sums, first + bins_of(judged.confidence), judged.confidence - judged.right)
        variances = judged.confidence * (1 - judged.confidence)
        ones = numpy.ones_like(variances)
        for place, added in enumerate((judged.right, variances, judged.squares, ones), BINS):
            numpy.add.at(sums, first + place, added)

    def alike(self, family: int) -> Iterator[tuple[list[int], Floats]]:
        """Models whose answers to a family are in the same buckets, with their sums: (buckets, models, sums)."""
        sums = self._sums[family] if family < len(self._sums) else self._sums[:0].sum(axis=0)
        there = sums[..., -1] > 0  # (models, buckets)
        by_pattern: dict[bytes, list[int]] = {}
        for model in numpy.flatnonzero(there.any(axis=-1)).tolist():
            by_pattern.setdefault(there[model].tobytes(), []).append(model)
        for models in by_pattern.values():
            yield models, sums[models][:, there[models[0]]].transpose(1, 0, 2)


class AreaFigures(SuiteMeasure):
    """The area under curves of severity, by family and by family and label."""

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        super().__init__(models, suite=suite, encoder=encoder)
        self._curves: dict[int, dict[int, Floats]] = {}  # by slice and severity: (buckets, models, hits and trials)
        self._units: dict[int, Bools] = {}  # by slice: whether each unit has a case

    def add(self, cases: CaseColumns, right: Bools) -> None:
        """Count answers to cases that are rungs of a ladder."""
        rows = numpy.flatnonzero(cases.severity >= 0)
        entries = with_labels(cases.family[rows], rows, cases.label)
        for code in dict.fromkeys(entries.codes[numpy.argsort(entries.places)].tolist()):
            curve = self._curves.setdefault(code, {})
            here = entries.rows[entries.codes == code]
            self._units.setdefault(code, numpy.zeros(MOST_CLUSTERS, dtype=bool))[cases.unit[here]] = True
            for severity in numpy.unique(cases.severity[here]).tolist():
                rung = here[cases.severity[here] == severity]
                trials = numpy.bincount(cases.bucket[rung], minlength=BUCKETS).astype(numpy.float64)
                hits = [numpy.bincount(cases.bucket[rung], weights=own[rung], minlength=BUCKETS) for own in right]
                counts: Floats = numpy.stack([numpy.stack([each, trials], axis=-1) for each in hits], axis=1)
                curve[severity] = curve[severity] + counts if severity in curve else counts

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the area under each curve of two rungs or more."""
        found: list[list[Estimate]] = [[] for _ in self._models]
        for slice_code, curve in self._curves.items():
            severities = sorted(curve)
            if len(severities) < 2:
                continue
            code, label = slice_of(slice_code)
            where = label_slice({"suite": self._suite, "family": self._encoder.families[code]}, label)
            rungs = numpy.concatenate([curve[severity] for severity in severities], axis=-1)
            rows = rungs[rungs.any(axis=(1, 2))]  # (buckets, models, hits and trials of each rung)
            n = rows[..., 1::2].sum(axis=(0, 2)).astype(int).tolist()

            def figure(totals: Floats, severities: Sequence[int] = severities) -> Floats:
                return curve_areas(severities, totals[..., ::2] / totals[..., 1::2])[..., None]

            values = figure(rows.sum(axis=0, keepdims=True))[0, :, 0].tolist()
            ends = jackknife(rows, figure, numpy.count_nonzero(self._units[slice_code])) if len(rows) > 1 else []
            for number, model in enumerate(self._models):
                own = {"model": model, **where}
                found[number].append(bounded("area", values[number], ends[number] if ends else None, n[number], own))
        return found


def _calibration_ends(rows: Floats, values: Floats, draws: Draws) -> list[Interval | None]:
    """The interval of each model's calibration error, from its value and sums (buckets, models, sums).

    The error is a sum of absolute values: chance makes it positive, and resampling more so. Its lower end is corrected
    for that; it is 0 if a calibrated model would have such an error. A calibrated model's confidence is as often too
    high as too low in each bucket, so the signs of the buckets could just as well be others. The gaps count as
    no smaller than the confidence implies: the errors of a sure model are rare and large, and a sample without any must
    not make it look too modest.
    """
    drawn = bootstrap(rows, lambda totals: _error_and_brier(totals)[..., :1], draws)
    gaps, n = rows[..., :BINS], rows[..., -1].sum(axis=0)  # n: (models,)
    flipped = numpy.tensordot(draws.signs(len(rows)), gaps, axes=1)  # (draws, models, bins)
    by_chance = numpy.quantile(calibration_error(flipped, n), 1 - CHANCE, axis=0)  # (models,)
    found: list[Interval | None] = []
    for model, (value, ends) in enumerate(zip(values.tolist(), drawn, strict=True)):
        assert ends is not None
        right, implied, _, trials = rows[:, model, BINS:].T
        seen = float((gaps[:, model] ** 2).sum())
        wider = max(1.0, share_effect(right, trials).size * float(implied.sum()) / max(seen, 1e-12)) ** 0.5
        low = 2 * value - ends.high if value > wider * by_chance[model] + 1e-12 else 0.0
        found.append(Interval(min(value, max(0.0, low)), max(value, 2 * value - ends.low)))
    return found


def _brier_ends(rows: Floats, widest: float) -> list[Interval | None]:
    """The interval of each model's Brier score, which is at most `widest`, from sums (buckets, models, sums).

    A few large errors decide the score of a sure model, and a sample without them looks too good. So one more answer
    counts as evidence, half right and half as wrong as can be, and the interval is that of a share with the same
    variance, which is wider upwards.
    """
    found: list[Interval | None] = []
    for squares, n in zip(rows[..., -2].T / widest, rows[..., -1].T, strict=True):  # each (buckets,)
        total = float(n.sum())
        value = min(float(squares.sum()) / total, 1.0)
        pulls = squares - value * n
        varies = (float((pulls * pulls).sum()) + total / len(n) / 2) * len(n) / (len(n) - 1)
        trials = total**2 * value * (1 - value) / varies * (Z95 / student_95(freedom_of(pulls, LEAST_FREEDOM))) ** 2
        low, high = wilson(value, max(trials, len(n)))
        found.append(Interval(widest * low, widest * high))
    return found


def _error_and_brier(totals: Floats) -> Floats:
    """Calibration error and Brier's score, from an array (..., sums); returns (..., 2)."""
    n = totals[..., -1]
    return numpy.stack([calibration_error(totals[..., :BINS], n), totals[..., -2] / n], axis=-1)
