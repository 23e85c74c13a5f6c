"""The points of a threshold curve: certified thresholds, those that keep a bound on these claims, and own answers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assay.core.case import ORIGINAL
from assay.core.estimate import CertifiedThreshold, SupportCurve
from assay.core.label import Label
from assay.reports.view import ReportView

PROMISE = 0.1  # the bound on false support that a run's summary and page look for

SHOWN = {
    "false-support": ("False support", "of the unsupported claims pass"),
    "recall": ("Recall", "of the supported claims pass"),
    "precision": ("Precision", "of what passes is supported"),
    "balanced-accuracy": ("Balanced accuracy", "mean of both labels"),
}
"""Numbers beside the slider, in their order."""

ShownNumbers = Mapping[str, tuple[float | None, float | None, float | None]]
"""Values and ends of their intervals, by name."""


class ThresholdPoint(NamedTuple):
    threshold: float
    numbers: ShownNumbers

    def value(self, name: str) -> float | None:
        return self.numbers[name][0] if name in self.numbers else None


def points_of(curve: SupportCurve) -> list[ThresholdPoint]:
    """The points of the record's curve, and the certified thresholds between them."""
    points = {
        threshold: ThresholdPoint(
            threshold,
            {
                name: (curve.lines[name].value[place], curve.lines[name].low[place], curve.lines[name].high[place])
                for name in SHOWN
                if name in curve.lines
            },
        )
        for place, threshold in enumerate(curve.thresholds)
    }
    for each in curve.certified:
        if each.threshold is not None and each.threshold not in points:
            numbers = {"false-support": (each.false_support, None, None), "recall": (each.recall, None, None)}
            points[each.threshold] = ThresholdPoint(each.threshold, numbers)
    return sorted(points.values())


def own_numbers(view: ReportView, curve: SupportCurve) -> ShownNumbers:
    """The numbers of the model's own answers."""
    place, found = tuple(curve.slice[name] for name in ("model", "suite", "family")), {}
    for name in SHOWN:
        of_label = name in ("recall", "precision")
        estimates = view.find(name, "label") if of_label else view.find(name)
        if each := estimates.get((*place, Label.ENTAILMENT.value) if of_label else place):
            found[name] = (each.value, each.low, each.high)
    return found


def nearest(points: Sequence[ThresholdPoint], threshold: float) -> ThresholdPoint:
    return min(points, key=lambda each: abs(each.threshold - threshold))


def first_within(points: Sequence[ThresholdPoint], bound: float) -> ThresholdPoint | None:
    """The lowest threshold that keeps a bound on false support on these claims; None if its recall is 0."""
    found = next((point for point in points if (point.value("false-support") or 0) <= bound), None)
    return found if found and found.value("recall") else None


def useful(curve: SupportCurve) -> list[CertifiedThreshold]:
    """The certified thresholds that accept supported claims."""
    return [each for each in curve.certified if each.threshold is not None and each.recall]


def why_not(each: CertifiedThreshold) -> str:
    """The reason why no useful threshold is certified to keep a bound."""
    if each.more_claims is None:
        return "too many unsupported claims pass at every threshold that accepts supported ones"
    return f"at least {each.more_claims:,} more unsupported claims are needed"


def certified_at(curve: SupportCurve, bound: float) -> CertifiedThreshold | None:
    """The certificate for a bound on false support; None if its threshold accepts no supported claim."""
    return next((each for each in useful(curve) if each.bound == bound), None)


def threshold_within(curve: SupportCurve, bound: float) -> ThresholdPoint | None:
    """The threshold to start from: certified to keep a bound on false support, or else the lowest that keeps it here.

    None if neither accepts a supported claim.
    """
    points, certified = points_of(curve), certified_at(curve, bound)
    if certified and certified.threshold is not None:
        return nearest(points, certified.threshold)
    return first_within(points, bound)


def curve_of(view: ReportView, model: str) -> SupportCurve | None:
    """A model's threshold curve on the unmodified claims."""
    return next(
        (each for each in view.curves if each.slice["model"] == model and each.slice["family"] == ORIGINAL), None
    )
