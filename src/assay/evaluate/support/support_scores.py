"""Every number of models' support scores on one suite, and their curves."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy

from assay.core.case import ORIGINAL, SUBMISSION, THRESHOLD
from assay.core.errors import BadInputError
from assay.core.estimate import CHOSEN, CertifiedThreshold, CurveLine, Estimate, Interval, SupportCurve
from assay.core.label import Label
from assay.core.registry import label_option
from assay.evaluate.case_columns import (
    ENTAILMENT,
    NON_ENTAILMENT,
    AnswerColumns,
    Bools,
    CaseColumns,
    Encoder,
    Floats,
    Ints,
    are_given,
)
from assay.evaluate.intervals import ClusteredShare, cluster_share
from assay.evaluate.slice_sums import SuiteMeasure
from assay.evaluate.support.certified_threshold import BOUNDS, certify_threshold
from assay.evaluate.support.threshold_metrics import (
    ALONG,
    Scored,
    balanced_accuracy,
    choose_threshold,
    decisions_at,
    f1,
    reliability,
    risk_coverage,
    shortest_between,
    sureness,
)


class FamilyScores(NamedTuple):
    """The scores and answers of one model in one family."""

    scored: Scored
    accepts: Bools  # (cases,) True if the model's own answer is entailment, as every other number counts it
    where: dict[str, str]
    threshold: float | None  # the score from which its answer is entailment; None if the most probable label decides
    chosen: float | None
    chosen_on: int  # the number of cases that the threshold was chosen on

    @property
    def sure(self) -> Floats:
        return sureness(self.scored.score, THRESHOLD if self.threshold is None else self.threshold)

    @property
    def wrong(self) -> Bools:
        return numpy.asarray(self.accepts != self.scored.supported)


class SupportFigures(SuiteMeasure):
    """Collects the scores of models that give probabilities, in a suite that is judged by two labels."""

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        super().__init__(models, suite=suite, encoder=encoder)
        self._chunks: list[list[tuple[Ints, Scored, Bools]]] = [[] for _ in models]
        self._thresholds: list[Floats] = [numpy.empty(0) for _ in models]
        self._by_score = [True for _ in models]  # False if one of three labels decides some answer

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Store the scores of answers to labelled cases; the labels are those that are judged."""
        self._refuse_three_labels(answers)
        if not self._encoder.space.is_binary:
            return
        for model, given in enumerate(answers.probabilities):
            own = answers.threshold[model]
            self._thresholds[model] = numpy.union1d(self._thresholds[model], own[~numpy.isnan(own)])
            there = cases.claims & are_given(given)
            if there.any():
                score = numpy.nan_to_num(given[:, ENTAILMENT], nan=0.0)
                scored = Scored(score, cases.label == ENTAILMENT, cases.unit, cases.bucket)
                accepts = answers.label[model][there] == ENTAILMENT
                self._chunks[model].append((cases.family[there], scored.only(there), accepts))
                of_two = ~numpy.isnan(own) | ~numpy.isnan(given[:, NON_ENTAILMENT])
                is_summed = self._encoder.space.collapse == "sum"
                self._by_score[model] &= is_summed or bool(of_two[there].all())

    def estimates(self) -> list[list[Estimate]]:
        """For each model, its numbers by family: for its own answers, and at a threshold that was chosen."""
        return [[e for part in self._parts(model) for e in _estimates(part)] for model in range(len(self._models))]

    def curves(self) -> list[SupportCurve]:
        return [curve_of(part) for model in range(len(self._models)) for part in self._parts(model)]

    def _parts(self, model: int) -> Iterator[FamilyScores]:
        chunks = self._chunks[model]
        if not chunks:
            return
        family, accepts = (numpy.concatenate([each[part] for each in chunks]) for part in (0, 2))
        scored = Scored(*(numpy.concatenate(parts) for parts in zip(*(each for _, each, _ in chunks), strict=True)))
        given = self._thresholds[model]
        threshold = float(given[0]) if len(given) else THRESHOLD if self._by_score[model] else None
        names = self._encoder.families
        sources = numpy.isin(family, [code for code, name in enumerate(names) if name in (ORIGINAL, SUBMISSION)])
        choosing = scored.only(sources & _chooses(scored.bucket))
        chosen = choose_threshold(choosing.score, choosing.supported)
        for code in dict.fromkeys(family.tolist()):
            where = {"model": self._models[model], "suite": self._suite, "family": names[code]}
            own = family == code
            yield FamilyScores(scored.only(own), accepts[own], where, threshold, chosen, len(choosing.score))

    def _refuse_three_labels(self, answers: AnswerColumns) -> None:
        by_score = ~numpy.isnan(answers.threshold).all(axis=1)
        if not self._encoder.space.is_binary and by_score.any():
            raise BadInputError(
                f"the answers are support scores, which can't tell neutral from contradiction in {self._suite!r}",
                where=self._models[int(by_score.argmax())],
                hint=f"Judge by two labels, supported or not: {label_option(True)}.",
            )


def _estimates(part: FamilyScores) -> Iterator[Estimate]:
    """The numbers of the model's own answers, and those of the chosen threshold, from the half it was not chosen on."""
    scored, where = part.scored, part.where
    answered = scored._replace(score=part.accepts.astype(numpy.float64))
    yield Estimate(name="threshold", value=part.threshold, n=len(scored.score), slice=where)
    own = [*answered.decisions(THRESHOLD), *scored.rankings(), scored.mean_risk(part.sure, part.wrong)]
    yield from _at(own, where)
    if part.chosen is not None:
        where = {**where, "threshold": CHOSEN}
        yield Estimate(name="threshold", value=part.chosen, n=part.chosen_on, slice=where)
        yield from _at(scored.only(~_chooses(scored.bucket)).decisions(part.chosen), where)


def _at(figures: Iterable[Estimate], where: dict[str, str]) -> Iterator[Estimate]:
    return (msgspec.structs.replace(e, slice={**where, **e.slice}) for e in figures if e.value is not None)


def _chooses(bucket: Ints) -> Bools:
    """True if a case belongs to the half of the source pairs on which a threshold is chosen."""
    return numpy.asarray(bucket % 2 == 0)


THRESHOLDS = (numpy.arange(101) / 100).round(2)  # thresholds of every curve
MOST_THRESHOLDS = 300  # most thresholds between the scores of a curve; a longer curve leaves out most of them


def thresholds_of(scored: Scored, certified: Iterable[CertifiedThreshold]) -> Floats:
    """The hundredths, and thresholds that separate neighbouring scores.

    Of many scores, those at even distances, those that are certified and those that just keep a bound on these claims.
    """
    distinct = numpy.unique(scored.score)
    low = numpy.concatenate([[-numpy.inf], distinct[:-1]])
    places = numpy.arange(len(distinct))
    if len(distinct) > MOST_THRESHOLDS:
        counts = decisions_at(scored.score, scored.supported, distinct)
        within = [int(numpy.argmax(counts.false <= bound * counts.others)) for bound in BOUNDS]
        even = numpy.quantile(places, numpy.arange(MOST_THRESHOLDS) / (MOST_THRESHOLDS - 1), method="lower")
        places = numpy.union1d(even, within)
    between = [shortest_between(float(low[place]), float(distinct[place])) for place in places]
    kept = [each.threshold for each in certified if each.threshold is not None]
    return numpy.unique([*THRESHOLDS, *between, *kept])


def curve_of(part: FamilyScores) -> SupportCurve:
    """The curve of one model in one family; thresholds are certified on the claims themselves, not on edits of them."""
    scored = part.scored
    certifies = part.where["family"] in (ORIGINAL, SUBMISSION) and scored.has_both
    certified = tuple(certify_threshold(scored, bound) for bound in BOUNDS) if certifies else ()
    thresholds = thresholds_of(scored, certified) if certifies else THRESHOLDS
    coverage, risk = risk_coverage(part.sure, part.wrong, scored.cluster)
    return SupportCurve(
        slice=part.where,
        n=len(scored.score),
        supported=int(scored.supported.sum()),
        threshold=part.threshold,
        chosen=part.chosen,
        thresholds=tuple(thresholds.tolist()),
        lines=_lines(scored, thresholds),
        reliability=reliability(scored.score, scored.supported, scored.cluster),
        coverage=_rounded(coverage.tolist()),
        risk=_line([each.value for each in risk], [each.interval for each in risk]),
        certified=certified,
    )


def figures_at(curves: Iterable[SupportCurve], threshold: str) -> list[Estimate]:
    """Each curve's value at a threshold, as an estimate whose slice names the threshold; empty if no curve has it."""
    if threshold.startswith(CERTIFIED):
        return [e for curve in curves for e in _at_certified(curve, threshold)]
    try:
        wanted = float(threshold)
    except ValueError:
        return []
    found = []
    for curve in curves:
        at = next((place for place, each in enumerate(curve.thresholds) if abs(each - wanted) < 1e-9), None)
        if at is not None:
            found += _values_at(curve, at, {**curve.slice, "threshold": threshold})
    return found


CERTIFIED = "certified:"  # a threshold in a rule that begins with this names the bound on false support that it keeps


def _at_certified(curve: SupportCurve, threshold: str) -> list[Estimate]:
    """Recall and false support at a certified threshold; if none qualifies, no claim may pass."""
    where = {**curve.slice, "threshold": threshold}
    for each in curve.certified:
        if threshold == f"{CERTIFIED}{each.bound:g}":
            others = curve.n - curve.supported
            label = {**where, "label": Label.ENTAILMENT.value}
            return [
                Estimate(name="recall", value=each.recall or 0.0, n=curve.supported, slice=label),
                Estimate(name="false-support", value=each.false_support or 0.0, n=others, slice=where),
            ]
    return []


def _values_at(curve: SupportCurve, at: int, where: dict[str, str]) -> list[Estimate]:
    found = []
    for name, line in curve.lines.items():
        value, low, high = line.value[at], line.low[at], line.high[at]
        # These are about the supported cases alone.
        own = {**where, "label": Label.ENTAILMENT.value} if name in ("recall", "precision", "f1") else where
        n = {"recall": curve.supported, "false-support": curve.n - curve.supported}.get(name, curve.n)
        found.append(Estimate(name=name, value=value, low=low, high=high, n=n, slice=own))
        if name == "false-support" and value is not None:
            low, high = None if high is None else 1 - high, None if low is None else 1 - low
            own = {**where, "label": Label.NON_ENTAILMENT.value}
            found.append(Estimate(name="recall", value=1 - value, low=low, high=high, n=n, slice=own))
    return [e for e in found if e.value is not None]


def _lines(scored: Scored, thresholds: Floats) -> dict[str, CurveLine]:
    supported, others = scored.supported, ~scored.supported
    shares: dict[str, list[ClusteredShare]] = {}
    for threshold in thresholds.tolist():
        yes = scored.score >= threshold
        if supported.any():
            shares.setdefault("recall", []).append(cluster_share(yes[supported], scored.cluster[supported]))
        if scored.has_both:
            shares.setdefault("precision", []).append(cluster_share(supported[yes], scored.cluster[yes]))
        if others.any():
            shares.setdefault("false-support", []).append(cluster_share(yes[others], scored.cluster[others]))
    lines = {
        name: _line([each.value for each in found], [each.interval for each in found]) for name, found in shares.items()
    }
    if scored.has_both:
        counts = decisions_at(scored.score, supported, thresholds)
        ends = scored.ends_along(thresholds)
        for name, values, own in zip(ALONG, (f1(counts), balanced_accuracy(counts)), ends, strict=True):
            lines[name] = _line(values.tolist(), own)
    return lines


def _line(values: Sequence[float | None], ends: Sequence[Interval | None]) -> CurveLine:
    return CurveLine(
        value=_rounded(values),
        low=_rounded([each and each.low for each in ends]),
        high=_rounded([each and each.high for each in ends]),
    )


def _rounded(values: "Sequence[float | None] | Floats") -> tuple[float, ...]:
    return tuple(value if value is None else round(value, 6) for value in values)  # type: ignore[misc]
